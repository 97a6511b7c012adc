#pragma once

#include <array>

#include "engine/core/translatable.h"
#include "engine/join/strategy.h"

namespace clusterloom {

/// A value of an option: the word of the command line, session files and lessons, and the label of
/// the window.
template <class Enum>
struct StrategyWord {
  Enum value;
  const char* word;
  const char* label;
};

// The one list of values for each enumeration of a strategy.
inline constexpr std::array<StrategyWord<Method>, 12> kMethods{
    {{Method::Grid, "grid", translatable("grid")},
     {Method::BruteForce, "brute-force", translatable("brute force")},
     {Method::RTree, "r-tree", translatable("R-tree")},
     {Method::SuperEgo, "super-ego", translatable("Super-EGO")},
     {Method::NewSuperEgo, "new-super-ego", translatable("New-Super-EGO")},
     {Method::KdTree, "kd-tree", translatable("k-d tree")},
     {Method::Products, "products", translatable("products, rounded")},
     {Method::GDbscanPaper, "g-dbscan", translatable("G-DBSCAN, paper")},
     {Method::GDbscanNoTransfer, "g-dbscan-no-transfer", translatable("G-DBSCAN, no transfer")},
     {Method::GDbscanShifted, "g-dbscan-shifted", translatable("G-DBSCAN, shifted access")},
     {Method::GDbscanShared, "g-dbscan-shared", translatable("G-DBSCAN, shared memory")},
     {Method::GDbscanSharedTiles, "g-dbscan-shared-tiles",
      translatable("G-DBSCAN, shared tiles")}}};
inline constexpr std::array<StrategyWord<AccessPattern>, 4> kPatterns{
    {{AccessPattern::Full, "full", translatable("full")},
     {AccessPattern::Unicomp, "unicomp", translatable("UNICOMP")},
     {AccessPattern::LidUnicomp, "lid-unicomp", translatable("LID-UNICOMP")},
     {AccessPattern::Tile, "tile", translatable("tile")}}};
inline constexpr std::array<StrategyWord<QueryOrder>, 5> kOrders{
    {{QueryOrder::Input, "input", translatable("input")},
     {QueryOrder::Bins, "bins", translatable("unit bins")},
     {QueryOrder::Cell, "cell", translatable("cell")},
     {QueryOrder::SortByWorkload, "sort-by-workload", translatable("SORTBYWL")},
     {QueryOrder::WorkQueue, "work-queue", translatable("WORKQUEUE")}}};
inline constexpr std::array<StrategyWord<Toggle>, 3> kToggles{
    {{Toggle::Auto, "auto", translatable("auto")},
     {Toggle::On, "on", translatable("on")},
     {Toggle::Off, "off", translatable("off")}}};
inline constexpr std::array<StrategyWord<Precision>, 2> kPrecisions{
    {{Precision::Double, "64", translatable("64-bit")},
     {Precision::Single, "32", translatable("32-bit, rechecked")}}};
inline constexpr std::array<StrategyWord<Division>, 4> kDivisions{
    {{Division::Adaptive, "adaptive", translatable("adaptive")},
     {Division::Dyn, "dyn", translatable("HEGJoin-Dyn")},
     {Division::Queries, "queries", translatable("HEGJoin-SQ, by queries")},
     {Division::Candidates, "candidates", translatable("HEGJoin-SC, by candidates")}}};
inline constexpr std::array<StrategyWord<CpuMethod>, 2> kCpuMethods{
    {{CpuMethod::Grid, "grid", translatable("grid")},
     {CpuMethod::NewSuperEgo, "new-super-ego", translatable("New-Super-EGO")}}};
inline constexpr std::array<StrategyWord<Deal>, 3> kDeals{
    {{Deal::Fixed, "fixed", "fixed"},
     {Deal::Single, "single", "fixed, single queries"},
     {Deal::Queue, "queue", "shared queue"}}};
inline constexpr std::array<StrategyWord<ResultRoute>, 2> kRoutes{
    {{ResultRoute::CountScanFill, "count-scan-fill", translatable("count, scan, fill")},
     {ResultRoute::KeyValueSort, "key-value-sort", translatable("key/value pairs, sorted")}}};

}  // namespace clusterloom
