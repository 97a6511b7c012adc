#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "engine/backend.h"
#include "engine/cloud/dataset.h"

namespace clusterloom {

inline const Backend& cpu() {
  static const auto backend = makeBackend("cpu", {.threads = 2});
  return **backend;
}

/// Clumps and noise, of which neighbouring rows are far apart.
inline Dataset clumps(std::size_t points, std::size_t dims) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal(0.0, 0.5);
  std::uniform_real_distribution<double> uniform(0.0, 20.0);
  Dataset data;
  data.inputRows = points;
  for (std::size_t j = 0; j < dims; ++j) {
    data.cloud.names.push_back("x" + std::to_string(j));
    data.cloud.columns.emplace_back(points);
    data.columnOrder.push_back(j);
  }
  for (std::size_t p = 0; p < points; ++p)
    for (std::size_t j = 0; j < dims; ++j)
      data.cloud.columns[j][p] =
          p % 4 == 0 ? uniform(random) : static_cast<double>(p % 7) * 2.5 + normal(random);
  return data;
}

/// The values of an NPY file with numbers of four bytes.
inline std::vector<std::int32_t> valuesIn(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  const std::size_t begin = bytes.find('\n') + 1;
  std::vector<std::int32_t> values((bytes.size() - begin) / 4);
  std::memcpy(values.data(), bytes.data() + begin, values.size() * 4);
  return values;
}

}  // namespace clusterloom
