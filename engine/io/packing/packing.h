#pragma once

#include <span>
#include <string_view>

namespace clusterloom {

/// The compressions that may be around a file of any format.
enum class Packing { None, Gzip, Zstd };

/// The description of one of them.
struct PackingKind {
  Packing packing;
  std::string_view name;       ///< "gzip"; for messages
  std::string_view extension;  ///< ".gz"
  std::string_view unpack;     ///< the command that unpacks a file
};
std::span<const PackingKind> packingKinds();
const PackingKind& packingKindOf(Packing packing);

/// The compression of a file that begins with these bytes. Four bytes decide.
Packing packingOfBytes(std::string_view beginning);

/// The compression that the name of a file calls for: Gzip for "cloud.csv.gz".
Packing packingOfName(std::string_view path);

/// The name without the extension of a compression: "cloud.csv" for "cloud.csv.gz".
std::string_view withoutPacking(std::string_view path);

}  // namespace clusterloom
