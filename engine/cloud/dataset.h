#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "engine/cloud/point_cloud.h"

namespace clusterloom {

/// A text column, dictionary-coded: row i holds `words[codes[i]]`.
struct Categories {
  std::vector<std::int32_t> codes;
  std::vector<std::string> words;
};

/// A column kept beside the coordinates, for colouring and for carrying through to exports.
/// One value a point.
struct Attribute {
  std::string name;
  std::variant<std::vector<double>, Categories> values;
};

/// Where a data set came from, as an export's provenance records it.
struct Source {
  std::string path;         ///< as given; empty for generated clouds
  std::string format;       ///< "csv", "npy", "ply", "pcd", "las" or "generated"
  std::string hash;         ///< XXH3-128 of the file's bytes as "xxh3:" + 32 hex digits
  std::string description;  ///< for generated clouds: the call that makes it again
};

/// A cloud with all that was read beside it. Points are the input's rows in order, less the rows
/// that were skipped on request.
struct Dataset {
  PointCloud cloud;
  std::vector<Attribute> attributes;
  std::uint64_t inputRows = 0;             ///< rows in the file, skipped ones included
  std::vector<std::uint64_t> skippedRows;  ///< ascending 0-based data rows that were skipped
  Source source;
  /// Input column order, for CSV exports: index < dims is a coordinate, else attribute (index −
  /// dims).
  std::vector<std::size_t> columnOrder;
};

}  // namespace clusterloom
