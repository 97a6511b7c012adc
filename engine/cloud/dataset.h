#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engine/cloud/point_cloud.h"

namespace clusterloom {

struct LasOrigin;

/// A text column, dictionary-coded: row i holds `words[codes[i]]`.
struct Categories {
  std::vector<std::int32_t> codes;
  std::vector<std::string> words;
};

/// A column kept with the coordinates, for colouring and for exports. One value per
/// point.
struct Attribute {
  std::string name;
  std::variant<std::vector<double>, Categories> values;
};

/// The origin of a data set, as recorded in the provenance of exports.
struct Source {
  std::string path;         ///< as given; empty for generated clouds
  std::string format;       ///< "csv", "npy", "ply", "pcd", "las" or "generated"
  std::string hash;         ///< XXH3-128 of the file's bytes as "xxh3:" + 32 hex digits
  std::string description;  ///< for generated clouds: the call that reproduces it
};

/// A cloud with everything that was read with it. Points are the input's rows in order, without the
/// rows skipped on request.
struct Dataset {
  PointCloud cloud;
  std::vector<Attribute> attributes;
  std::uint64_t every = 1;                 ///< rows 0, every, 2 · every, … of the file were read
  std::uint64_t inputRows = 0;             ///< rows that were read, skipped ones included
  std::vector<std::uint64_t> skippedRows;  ///< ascending 0-based rows, of those read, that were
                                           ///< skipped
  Source source;
  std::shared_ptr<const LasOrigin> las;  ///< of data read from LAS (las_origin.h)
  /// Input column order, for CSV exports: index < dims is a coordinate, else attribute (index −
  /// dims).
  std::vector<std::size_t> columnOrder;
  /// Of columns, by name, as the file gives them: for exports only, nothing is computed from them.
  std::map<std::string, std::string> units = {};
};

}  // namespace clusterloom
