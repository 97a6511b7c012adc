#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/cloud/point_distance.h"
#include "engine/dbscan/clustering.h"
#include "engine/hierarchy/nearest_neighbours.h"

/// All distances of a small cloud, and what follows from them in plain loops: the reference of the
/// hierarchy's tests.
struct PairDistances {
  using PointCloud = clusterloom::PointCloud;

  explicit PairDistances(const PointCloud& cloud) : n(cloud.size()), squared(n * n) {
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = 0; q < n; ++q)
        squared[p * n + q] = clusterloom::canonicalSquaredDistance(cloud, p, q);
  }

  double at(std::size_t p, std::size_t q) const { return squared[p * n + q]; }

  /// Core distances, squared.
  std::vector<double> core(std::int64_t minPts) const {
    std::vector<double> result(n, std::numeric_limits<double>::infinity());
    for (std::size_t p = 0; p < n && minPts <= static_cast<std::int64_t>(n); ++p) {
      std::vector<double> row(squared.begin() + static_cast<std::ptrdiff_t>(p * n),
                              squared.begin() + static_cast<std::ptrdiff_t>((p + 1) * n));
      std::sort(row.begin(), row.end());
      result[p] = row[static_cast<std::size_t>(minPts - 1)];
    }
    return result;
  }

  /// The weights of a minimum spanning tree of mutual reachability, ascending, by Prim's algorithm.
  std::vector<double> treeWeights(const std::vector<double>& cores) const {
    std::vector<double> weights;
    std::vector<double> nearest(n, std::numeric_limits<double>::infinity());
    std::vector<bool> inside(n);
    std::size_t last = 0;
    for (std::size_t step = 1; step < n; ++step) {
      inside[last] = true;
      std::size_t next = n;
      for (std::size_t q = 0; q < n; ++q) {
        if (inside[q]) continue;
        nearest[q] = std::min(nearest[q], std::max({at(last, q), cores[last], cores[q]}));
        if (next == n || nearest[q] < nearest[next]) next = q;
      }
      weights.push_back(nearest[next]);
      last = next;
    }
    std::sort(weights.begin(), weights.end());
    return weights;
  }

  /// The k nearest neighbours of all points, itself the first, ties by id.
  clusterloom::NearestNeighbours nearest(int k) const {
    clusterloom::NearestNeighbours result;
    result.points = n;
    result.k = std::min(k, static_cast<int>(n));
    for (std::size_t p = 0; p < n; ++p) {
      std::vector<std::uint32_t> others;
      for (std::size_t q = 0; q < n; ++q)
        if (q != p) others.push_back(static_cast<std::uint32_t>(q));
      std::stable_sort(others.begin(), others.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return at(p, a) < at(p, b); });
      others.insert(others.begin(), static_cast<std::uint32_t>(p));
      for (int i = 0; i < result.k; ++i) {
        result.ids.push_back(others[static_cast<std::size_t>(i)]);
        result.squaredDistances.push_back(at(p, others[static_cast<std::size_t>(i)]));
      }
    }
    return result;
  }

  /// DBSCAN by its definition.
  clusterloom::Clustering dbscan(const clusterloom::DbscanParams& params) const {
    using clusterloom::PointRole;
    const double limit = params.eps * params.eps;
    clusterloom::Clustering result;
    result.params = params;
    result.labels.assign(n, clusterloom::kNoise);
    result.roles.assign(n, PointRole::Noise);
    for (std::size_t p = 0; p < n; ++p) {
      std::int64_t count = 0;
      for (std::size_t q = 0; q < n; ++q) count += at(p, q) <= limit;
      if (count >= params.minPts) result.roles[p] = PointRole::Core;
    }
    for (std::size_t p = 0; p < n; ++p) {
      if (result.roles[p] != PointRole::Core || result.labels[p] >= 0) continue;
      std::vector<std::size_t> open{p};
      result.labels[p] = result.clusters;
      while (!open.empty()) {
        const std::size_t from = open.back();
        open.pop_back();
        for (std::size_t q = 0; q < n; ++q) {
          if (result.roles[q] != PointRole::Core || result.labels[q] >= 0 || at(from, q) > limit)
            continue;
          result.labels[q] = result.clusters;
          open.push_back(q);
        }
      }
      ++result.clusters;
    }
    for (std::size_t p = 0; p < n; ++p) {
      if (result.roles[p] == PointRole::Core) {
        ++result.coreCount;
        continue;
      }
      for (std::size_t q = 0; q < n; ++q) {
        if (result.roles[q] != PointRole::Core || at(p, q) > limit) continue;
        if (result.labels[p] < 0 || result.labels[q] < result.labels[p])
          result.labels[p] = result.labels[q];
      }
      if (result.labels[p] < 0) {
        ++result.noiseCount;
      } else {
        result.roles[p] = PointRole::Border;
        ++result.borderCount;
      }
    }
    return result;
  }

  std::size_t n;
  std::vector<double> squared;
};
