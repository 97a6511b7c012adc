#pragma once

#include <array>

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
inline constexpr std::array<StrategyWord<Method>, 11> kMethods{
    {{Method::Grid, "grid", "grid"},
     {Method::BruteForce, "brute-force", "brute force"},
     {Method::RTree, "r-tree", "R-tree"},
     {Method::SuperEgo, "super-ego", "Super-EGO"},
     {Method::NewSuperEgo, "new-super-ego", "New-Super-EGO"},
     {Method::Products, "products", "products, rounded"},
     {Method::GDbscanPaper, "g-dbscan", "G-DBSCAN, paper"},
     {Method::GDbscanNoTransfer, "g-dbscan-no-transfer", "G-DBSCAN, no transfer"},
     {Method::GDbscanShifted, "g-dbscan-shifted", "G-DBSCAN, shifted access"},
     {Method::GDbscanShared, "g-dbscan-shared", "G-DBSCAN, shared memory"},
     {Method::GDbscanSharedTiles, "g-dbscan-shared-tiles", "G-DBSCAN, shared tiles"}}};
inline constexpr std::array<StrategyWord<AccessPattern>, 4> kPatterns{
    {{AccessPattern::Full, "full", "full"},
     {AccessPattern::Unicomp, "unicomp", "UNICOMP"},
     {AccessPattern::LidUnicomp, "lid-unicomp", "LID-UNICOMP"},
     {AccessPattern::Tile, "tile", "tile"}}};
inline constexpr std::array<StrategyWord<QueryOrder>, 5> kOrders{
    {{QueryOrder::Input, "input", "input"},
     {QueryOrder::Bins, "bins", "unit bins"},
     {QueryOrder::Cell, "cell", "cell"},
     {QueryOrder::SortByWorkload, "sort-by-workload", "SORTBYWL"},
     {QueryOrder::WorkQueue, "work-queue", "WORKQUEUE"}}};
inline constexpr std::array<StrategyWord<Toggle>, 3> kToggles{
    {{Toggle::Auto, "auto", "auto"}, {Toggle::On, "on", "on"}, {Toggle::Off, "off", "off"}}};
inline constexpr std::array<StrategyWord<Precision>, 2> kPrecisions{
    {{Precision::Double, "64", "64-bit"}, {Precision::Single, "32", "32-bit, rechecked"}}};
inline constexpr std::array<StrategyWord<Division>, 4> kDivisions{
    {{Division::Adaptive, "adaptive", "adaptive"},
     {Division::Dyn, "dyn", "HEGJoin-Dyn"},
     {Division::Queries, "queries", "HEGJoin-SQ, by queries"},
     {Division::Candidates, "candidates", "HEGJoin-SC, by candidates"}}};
inline constexpr std::array<StrategyWord<CpuMethod>, 2> kCpuMethods{
    {{CpuMethod::Grid, "grid", "grid"},
     {CpuMethod::NewSuperEgo, "new-super-ego", "New-Super-EGO"}}};
inline constexpr std::array<StrategyWord<Deal>, 3> kDeals{
    {{Deal::Fixed, "fixed", "fixed"},
     {Deal::Single, "single", "fixed, single queries"},
     {Deal::Queue, "queue", "shared queue"}}};
inline constexpr std::array<StrategyWord<ResultRoute>, 2> kRoutes{
    {{ResultRoute::CountScanFill, "count-scan-fill", "count, scan, fill"},
     {ResultRoute::KeyValueSort, "key-value-sort", "key/value pairs, sorted"}}};

}  // namespace clusterloom
