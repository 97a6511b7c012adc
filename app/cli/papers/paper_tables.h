#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "engine/cloud/generators.h"
#include "engine/join/strategy.h"

namespace clusterloom::cli {

/// The kind of numbers in a table or figure; numbers.cpp and device_numbers.cpp make them.
enum class PaperFigure {
  Wee,           ///< warp execution efficiency of a strategy, a share from 0 to 1
  WarpSpeedUp,   ///< time of the warps of GPUCALCGLOBAL over that of the strategy
  Candidates,    ///< points that a query point is compared with
  Batches,       ///< batches of at most `size` pairs
  Selectivity,   ///< neighbours of a point, itself not counted
  Coordinates,   ///< coordinates read for a query point, with k = `size`
  Imbalance,     ///< of a division between CPU and GPU, a share from 0 to 1
  Throughput,    ///< of such a join over the sum of both processors', a share
  QuerySets,     ///< candidates of the largest of `size` query sets over those of the smallest
  SetsSpeedUp,   ///< of 32 such query sets on `size` GPUs over one
  JoinOverEgo,   ///< time of Super-EGO over that of the join by the grid, measured
  EgoThreads,    ///< time of Super-EGO's join on one thread over that on `size`, measured
  JoinOverTree,  ///< the same of an R-tree on one thread
  DynGain,       ///< time of the strategy over that of HEGJoin-Dyn, counted only, measured
  Seconds,       ///< until all pairs are with the host, in batches of `size` pairs, measured
  SecondsOfK,    ///< the same with k = `size`
  CountSeconds,  ///< the time where pairs are counted only
  UnicompGain,   ///< time with the full pattern over that of the strategy, measured
  SingleGain,    ///< time with coordinates of 64 bits over that of the strategy, measured
  SetSeconds,    ///< time of the longest of `size` query sets over the shortest, measured
  HostShare,     ///< of the time of a join in one stream what is not its kernels, measured on a GPU
  ModelledBatch,    ///< batch size that the model takes, from times at ε = `size`, on a GPU
  FastestBatch,     ///< batch size of least time on a GPU, measured
  Occupancy,        ///< theoretical one of the join's longest kernel on a GPU, a share
  Transfers,        ///< of the time of a join by CPU and GPU the copies to the host, measured
  ModelRatio,       ///< the volume model's time, from times at ε = `size`, over the measured one
  RingSeconds,      ///< until all parts have gone round a ring of `size` ranks, measured
  DbscanSeconds,    ///< of DBSCAN by a version of G-DBSCAN, measured on a GPU
  KernelSeconds,    ///< of its kernel in table `size` of [Frasson 2021], one pass
  KernelRegisters,  ///< of a thread of this kernel
  KernelOccupancy,  ///< theoretical one of this kernel, a share
};

/// Instead of a published number: the paper has it in a figure only.
inline constexpr double kInFigureOnly = std::numeric_limits<double>::quiet_NaN();

inline constexpr bool kAveraged = true;  ///< PaperItem::averaged

/// One published number.
struct PaperValue {
  const char* dataset;   ///< a name for cloudNamed; any other is a real one, read from a file
  double eps;            ///< in the units of the data
  const char* strategy;  ///< a name for strategyNamed
  double published;      ///< or kInFigureOnly
  double size = 0;       ///< see PaperFigure
  /// Candidates per second of each processor alone, as published, for joins by both.
  double gpuRate = 0;
  double cpuRate = 0;
};

/// The published numbers of one data set at one ε.
struct PaperRow {
  const char* dataset;
  double eps;
  std::vector<double> published = {};  ///< of each strategy; where it is shorter, kInFigureOnly
};

/// The values of rows with a number for each of the strategies.
std::vector<PaperValue> valuesOf(const std::vector<const char*>& strategies,
                                 const std::vector<PaperRow>& rows);

/// A table or figure of a paper.
struct PaperItem {
  const char* id;     ///< "lbjoin-table-5": paper and number
  const char* title;  ///< its content
  const char* why;    ///< why it is not made of generated clouds; nullptr: it is
  PaperFigure figure = PaperFigure::Wee;
  std::vector<PaperValue> values = {};
  /// The GPU that is modelled, for machineFromText; only times of warps need it.
  const char* machine = "H200";
  /// With the average of each strategy's numbers, as in the paper.
  bool averaged = false;
};

struct Paper {
  const char* id;
  const char* title;  ///< short reference and title
  std::vector<PaperItem> items;
  double batchPairs = 1e8;  ///< b_s of joins that deliver pairs, where a value names none
  int indexedDims = 0;      ///< k of its joins; 0: as many as there may be
  bool timesIndex = false;  ///< its response times include the making of the index
};

/// The five papers with all of their tables and figures of results, each in its own file.
std::vector<Paper> papers();

Paper gpuSj();
Paper lbJoin();
Paper hegJoin();
Paper gpuJoin();
Paper gDbscan();

// A reason that several tables and figures share.
inline constexpr const char* kPaperData =
    "real data sets, which are not part of this program; the guide says how to read them";

/// The synthetic data sets of the papers (paperCloud), and the blobs that stand for those of
/// [Frasson 2021, §4]: "Blobs10D" and "Blobs20D". nullopt for another name.
std::optional<GeneratorSpec> cloudNamed(const std::string& name);

/// The strategy of a name in PaperValue::strategy: parts that are joined by " + ".
Strategy strategyNamed(const std::string& name);

}  // namespace clusterloom::cli
