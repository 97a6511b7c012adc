#include "engine/io/packing/packing.h"

#include <algorithm>
#include <array>

#include "engine/core/lower_case.h"

namespace clusterloom {
namespace {

constexpr std::array<PackingKind, 2> kKinds{
    {{Packing::Gzip, "gzip", ".gz", "gunzip"}, {Packing::Zstd, "zstd", ".zst", "unzstd"}}};

bool endsWith(std::string_view path, std::string_view extension) {
  return path.size() > extension.size() &&
         lowerCase(path.substr(path.size() - extension.size())) == extension;
}

}  // namespace

std::span<const PackingKind> packingKinds() { return kKinds; }

const PackingKind& packingKindOf(Packing packing) {
  return *std::find_if(kKinds.begin(), kKinds.end(),
                       [&](const PackingKind& kind) { return kind.packing == packing; });
}

Packing packingOfBytes(std::string_view beginning) {
  if (beginning.starts_with("\x1f\x8b")) return Packing::Gzip;
  if (beginning.starts_with("\x28\xb5\x2f\xfd")) return Packing::Zstd;
  // A frame of zstd that decoders skip, which some programs write first.
  if (beginning.size() >= 4 && (beginning[0] & 0xf0) == 0x50 &&
      beginning.substr(1, 3) == "\x2a\x4d\x18")
    return Packing::Zstd;
  return Packing::None;
}

Packing packingOfName(std::string_view path) {
  for (const PackingKind& kind : kKinds)
    if (endsWith(path, kind.extension)) return kind.packing;
  return Packing::None;
}

std::string_view withoutPacking(std::string_view path) {
  const Packing packing = packingOfName(path);
  if (packing != Packing::None) path.remove_suffix(packingKindOf(packing).extension.size());
  return path;
}

}  // namespace clusterloom
