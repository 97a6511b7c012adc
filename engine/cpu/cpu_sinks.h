#pragma once

#include <cstdint>
#include <span>

#include "engine/core/lane.h"
#include "engine/cpu/union_find.h"
#include "engine/dbscan/clustering.h"

namespace clusterloom {

// Sinks of CPU joins. hit(p, q) gets one ordered pair and says whether p needs no more; finish(p)
// is called after p's last candidate. Under a half pattern hits on p may come from any thread, so
// those sinks add atomically.

/// Counts neighbours; stops a query at `enough` (under full and tile only).
class CountSink {
 public:
  CountSink(std::span<std::uint32_t> counts, bool half, std::uint32_t enough)
      : counts_(counts), half_(half), enough_(enough) {}
  bool hit(std::uint32_t p, std::uint32_t) {
    if (half_) {
      SerialLane{}.add(&counts_[p], std::uint32_t{1});
      return false;
    }
    return ++mine_ >= enough_;
  }
  void finish(std::uint32_t p) {
    if (!half_) counts_[p] = mine_;
    mine_ = 0;
  }

 private:
  std::span<std::uint32_t> counts_;
  bool half_;
  std::uint32_t enough_;
  std::uint32_t mine_ = 0;
};

/// Writes neighbours through row cursors, the fill of count–scan–fill. `cursors` are by position
/// and start at each row's offset; ids are point ids.
class FillSink {
 public:
  FillSink(std::span<std::uint64_t> cursors, std::span<std::int32_t> ids,
           std::span<const std::uint32_t> pointIds)
      : cursors_(cursors), ids_(ids), pointIds_(pointIds) {}
  bool hit(std::uint32_t p, std::uint32_t q) {
    const std::uint64_t at = SerialLane{}.add(&cursors_[p], std::uint64_t{1});
    ids_[at] = std::int32_t(pointIds_[q]);
    return false;
  }
  void finish(std::uint32_t) {}

 private:
  std::span<std::uint64_t> cursors_;
  std::span<std::int32_t> ids_;
  std::span<const std::uint32_t> pointIds_;
};

/// Unites the sets of every two core points within ε. Runs only when all core flags are final.
class UnionSink {
 public:
  UnionSink(UnionFind& sets, std::span<const std::uint8_t> core) : sets_(sets), core_(core) {}
  bool hit(std::uint32_t p, std::uint32_t q) {
    if (core_[p] && core_[q]) sets_.unite(p, q);
    return false;
  }
  void finish(std::uint32_t) {}

 private:
  UnionFind& sets_;
  std::span<const std::uint8_t> core_;
};

/// Gives each non-core point the lowest cluster among the core points within ε.
class BorderSink {
 public:
  BorderSink(std::span<std::int32_t> labels, std::span<const std::uint8_t> core)
      : labels_(labels), core_(core) {}
  bool hit(std::uint32_t p, std::uint32_t q) {
    if (core_[p] || !core_[q]) return false;
    // As unsigned, noise is the highest label. That of a core point is final.
    static_assert(std::uint32_t(kNoise) == ~std::uint32_t{0});
    SerialLane{}.least(reinterpret_cast<std::uint32_t*>(&labels_[p]), std::uint32_t(labels_[q]));
    return false;
  }
  void finish(std::uint32_t) {}

 private:
  std::span<std::int32_t> labels_;
  std::span<const std::uint8_t> core_;
};

}  // namespace clusterloom
