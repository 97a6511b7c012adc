#pragma once

#include <QByteArray>
#include <QFile>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

// What the program's answers are compared with, written from the definitions and sharing no code
// with the engine.

namespace oracle {

/// Points as rows of coordinates.
using Rows = std::vector<std::vector<double>>;

/// Three Gaussian clumps and uniform noise.
inline Rows clumps(std::size_t points, std::size_t dims, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0.0, 0.6);
  std::uniform_real_distribution<double> uniform(0.0, 20.0);
  Rows rows(points, std::vector<double>(dims));
  for (std::size_t i = 0; i < points; ++i)
    for (double& x : rows[i])
      x = i % 5 == 0 ? uniform(random) : 4.0 + 6.0 * static_cast<double>(i % 3) + normal(random);
  return rows;
}

/// Integer coordinates: every distance is a tie for some ε.
inline Rows lattice(int side) {
  Rows rows;
  for (int x = 0; x < side; ++x)
    for (int y = 0; y < side; ++y) rows.push_back({double(x), double(y)});
  return rows;
}

inline double squaredDistance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    const double difference = a[j] - b[j];
    const double square = difference * difference;
    sum += square;
  }
  return sum;
}

/// The neighbours of every point, ascending, itself included.
using Neighbours = std::vector<std::vector<std::int32_t>>;

/// Those for which `near` holds.
template <class Near>
Neighbours neighboursWhere(const Rows& rows, const Near& near) {
  Neighbours all(rows.size());
  for (std::size_t p = 0; p < rows.size(); ++p)
    for (std::size_t q = 0; q < rows.size(); ++q)
      if (near(rows[p], rows[q])) all[p].push_back(static_cast<std::int32_t>(q));
  return all;
}

/// Those within ε.
inline Neighbours neighbours(const Rows& rows, double eps) {
  return neighboursWhere(
      rows, [eps](const auto& a, const auto& b) { return squaredDistance(a, b) <= eps * eps; });
}

struct Labels {
  std::vector<std::int32_t> labels;
  int clusters = 0;
  int core = 0;
  int border = 0;
  int noise = 0;
};

/// DBSCAN from its definition: clusters are what is reached over core points, numbered by their
/// lowest core point; a border point takes the lowest-numbered cluster.
inline Labels dbscan(const Neighbours& near, std::size_t minPts) {
  Labels result;
  result.labels.assign(near.size(), -1);
  std::vector<bool> core(near.size());
  for (std::size_t p = 0; p < near.size(); ++p) core[p] = near[p].size() >= minPts;
  for (std::size_t root = 0; root < near.size(); ++root) {
    if (!core[root] || result.labels[root] >= 0) continue;
    std::vector<std::size_t> open = {root};
    result.labels[root] = result.clusters;
    while (!open.empty()) {
      const std::size_t p = open.back();
      open.pop_back();
      for (const std::int32_t q : near[p]) {
        const auto at = static_cast<std::size_t>(q);
        if (!core[at] || result.labels[at] >= 0) continue;
        result.labels[at] = result.clusters;
        open.push_back(at);
      }
    }
    ++result.clusters;
  }
  for (std::size_t p = 0; p < near.size(); ++p) {
    if (core[p]) {
      ++result.core;
      continue;
    }
    for (const std::int32_t q : near[p])
      if (core[static_cast<std::size_t>(q)]) {
        const std::int32_t cluster = result.labels[static_cast<std::size_t>(q)];
        if (result.labels[p] < 0 || cluster < result.labels[p]) result.labels[p] = cluster;
      }
    ++(result.labels[p] >= 0 ? result.border : result.noise);
  }
  return result;
}

inline Labels dbscan(const Rows& rows, double eps, std::size_t minPts) {
  return dbscan(neighbours(rows, eps), minPts);
}

/// Rows as CSV with a header, digits enough to come back bit for bit.
inline QByteArray csvOf(const Rows& rows) {
  QByteArray text;
  for (std::size_t j = 0; j < rows.front().size(); ++j)
    text += (j == 0 ? "" : ",") + QByteArray("c") + QByteArray::number(int(j));
  text += '\n';
  for (const auto& row : rows) {
    for (std::size_t j = 0; j < row.size(); ++j)
      text += (j == 0 ? "" : ",") + QByteArray::number(row[j], 'g', 17);
    text += '\n';
  }
  return text;
}

inline bool writeFile(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

inline QByteArray readFile(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// An NPY file taken apart by hand.
struct Npy {
  QByteArray header;  ///< the dictionary's text, blanks removed
  QByteArray data;

  template <class T>
  std::vector<T> values() const {
    std::vector<T> out(static_cast<std::size_t>(data.size()) / sizeof(T));
    std::memcpy(out.data(), data.constData(), out.size() * sizeof(T));
    return out;
  }
};

inline Npy readNpy(const QString& path) {
  const QByteArray bytes = readFile(path);
  if (!bytes.startsWith(QByteArray("\x93NUMPY\x01\x00", 8))) return {};
  const int length =
      static_cast<unsigned char>(bytes[8]) + 256 * static_cast<unsigned char>(bytes[9]);
  if ((10 + length) % 64 != 0) return {};
  QByteArray header = bytes.mid(10, length);
  header.replace(" ", "");
  return {header, bytes.mid(10 + length)};
}

}  // namespace oracle
