#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/dbscan/clustering.h"

/// Reads tests/data/golden/*.golden; make_golden.py describes the format. A reader of its own, so
/// that a fault in the engine's readers cannot hide one in the engine.
namespace golden {

struct Run {
  clusterloom::DbscanParams params;
  std::vector<std::int32_t> labels;
};

struct Case {
  std::string name;
  clusterloom::PointCloud cloud;
  std::vector<Run> runs;
};

/// An empty name on a malformed file.
inline Case read(const std::filesystem::path& path) {
  Case result;
  std::ifstream file(path);
  std::string word, eps;
  std::size_t points = 0, dims = 0, runs = 0;
  file >> word >> points >> word >> dims >> word >> runs;
  result.runs.resize(runs);
  for (Run& run : result.runs) {
    file >> word >> eps >> run.params.minPts;
    run.params.eps = std::strtod(eps.c_str(), nullptr);  // streams read no hexadecimal
    run.labels.resize(points);
  }
  result.cloud.columns.assign(dims, std::vector<double>(points));
  result.cloud.names.assign(dims, "x");
  for (std::size_t p = 0; p < points; ++p) {
    for (std::size_t j = 0; j < dims; ++j) {
      file >> word;
      result.cloud.columns[j][p] = std::strtod(word.c_str(), nullptr);
    }
    for (Run& run : result.runs) file >> run.labels[p];
  }
  if (file && points > 0 && dims > 0 && runs > 0) result.name = path.stem().string();
  return result;
}

inline std::vector<Case> readAll() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(CLUSTERLOOM_TEST_DATA "/golden"))
    if (entry.path().extension() == ".golden") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<Case> cases;
  for (const auto& path : paths) cases.push_back(read(path));
  return cases;
}

}  // namespace golden
