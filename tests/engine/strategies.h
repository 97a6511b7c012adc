#pragma once

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "engine/join/strategy.h"

/// Every strategy there is to try, and which of them ought to be legal.
namespace strategies {

using namespace clusterloom;

inline const std::vector<AccessPattern> kPatterns{AccessPattern::Full, AccessPattern::Unicomp,
                                                  AccessPattern::LidUnicomp, AccessPattern::Tile};
inline const std::vector<QueryOrder> kOrders{QueryOrder::Input, QueryOrder::Bins, QueryOrder::Cell,
                                             QueryOrder::SortByWorkload, QueryOrder::WorkQueue};
inline const std::vector<Toggle> kOnOff{Toggle::On, Toggle::Off};
inline const std::vector<Toggle> kToggles{Toggle::Auto, Toggle::On, Toggle::Off};

enum class For { Join, Dbscan };

/// The rules of legal combinations as DESIGN states them, written down a second time: core tests
/// that stop early need full or tile; dense cells are the fused DBSCAN's, which goes by tiles in
/// cell order, all at once.
inline bool legal(const Strategy& s, For use) {
  const bool half = s.pattern == AccessPattern::Unicomp || s.pattern == AccessPattern::LidUnicomp;
  if (s.earlyStop == Toggle::On && (half || use == For::Join)) return false;
  const bool dense = use == For::Dbscan && s.pattern == AccessPattern::Tile &&
                     s.order == QueryOrder::Cell && s.sortIdu != Toggle::On && s.batchPairs == 0;
  return s.denseCells != Toggle::On || dense;
}

/// The full product of patterns, orders, k, toggles and batch sizes for a cloud of `dims`
/// dimensions, legal or not.
inline std::vector<Strategy> all(std::size_t dims) {
  std::vector<Strategy> result;
  const int most = static_cast<int>(std::min<std::size_t>(dims, 8));
  for (auto pattern : kPatterns)
    for (auto order : kOrders)
      for (int k = 0; k <= most; ++k)
        for (auto reorder : kOnOff)
          for (auto sortIdu : kOnOff)
            for (auto shortCircuit : kOnOff)
              for (auto denseCells : kToggles)
                for (auto earlyStop : kToggles)
                  for (std::uint64_t batchPairs : {0, 40})
                    result.push_back({.pattern = pattern,
                                      .order = order,
                                      .indexedDims = k,
                                      .reorder = reorder,
                                      .sortIdu = sortIdu,
                                      .shortCircuit = shortCircuit,
                                      .denseCells = denseCells,
                                      .earlyStop = earlyStop,
                                      .batchPairs = batchPairs});
  return result;
}

/// One legal strategy drawn at random.
inline Strategy draw(std::mt19937_64& random, std::size_t dims, For use) {
  const auto pick = [&](const auto& from) { return from[random() % from.size()]; };
  for (;;) {
    Strategy s;
    s.pattern = pick(kPatterns);
    s.order = pick(kOrders);
    s.indexedDims = static_cast<int>(random() % (std::min<std::size_t>(dims, 8) + 1));
    s.reorder = pick(kToggles);
    s.sortIdu = pick(kToggles);
    s.shortCircuit = pick(kToggles);
    s.denseCells = pick(kToggles);
    s.earlyStop = pick(kToggles);
    if (random() % 3 == 0) s.batchPairs = 1 + random() % 5000;
    if (legal(s, use)) return s;
  }
}

/// For failure messages.
inline std::string text(const Strategy& s) {
  return "pattern " + toText(s.pattern) + " order " + toText(s.order) + " k " +
         std::to_string(s.indexedDims) + " reorder " + toText(s.reorder) + " sort-idu " +
         toText(s.sortIdu) + " short-circuit " + toText(s.shortCircuit) + " dense " +
         toText(s.denseCells) + " early-stop " + toText(s.earlyStop) + " batch " +
         std::to_string(s.batchPairs);
}

}  // namespace strategies
