#include <array>
#include <cstddef>
#include <utility>

#include "app/cli/papers/paper_tables.h"

namespace clusterloom::cli {

namespace {

/// Figures 7 and 8: the smallest and the largest ε of each number of dimensions, by the neighbours
/// that their captions give: 0.2 to 1 and 2 to 10 for 2 million points, half of that for 10.
std::vector<PaperValue> overDims(const char* strategy, bool smallest) {
  struct Ends {
    const char* dataset;
    double least, most;
  };
  std::vector<PaperValue> values;
  for (const auto& [dataset, least, most] :
       {Ends{"Syn2D2M", 0.2, 1}, Ends{"Syn3D2M", 0.2, 1}, Ends{"Syn4D2M", 2, 10},
        Ends{"Syn5D2M", 2, 10}, Ends{"Syn6D2M", 2, 10}, Ends{"Syn2D10M", 0.1, 0.5},
        Ends{"Syn3D10M", 0.1, 0.5}, Ends{"Syn4D10M", 1, 5}, Ends{"Syn5D10M", 1, 5},
        Ends{"Syn6D10M", 1, 5}}) {
    if (smallest) values.push_back({dataset, least, strategy, kInFigureOnly});
    values.push_back({dataset, most, strategy, kInFigureOnly});
  }
  return values;
}

/// Figure 5: up to the paper's 16 cores, at ε that other figures and [Gowanlock 2019] print.
std::vector<PaperValue> overThreads() {
  std::vector<PaperValue> values;
  for (const auto& [dataset, eps] : {std::pair{"Expo6D2M", 0.012},
                                     {"SW2DA", 1.5},
                                     {"SW3DA", 1.8},
                                     {"SDSS2DA", 0.3},
                                     {"ColorHist", 0.5}})
    for (const int threads : {1, 2, 4, 8, 16})
      values.push_back({dataset, eps, "Super-EGO", kInFigureOnly, double(threads)});
  return values;
}

/// Table 4. `whole`: the strategy of the last row, of one batch.
std::vector<PaperValue> byBatchSize(const std::array<double, 5>& published, const char* whole) {
  constexpr std::array kPairs{5e7, 1e8, 2e8, 3e8, 9e8};
  std::vector<PaperValue> values;
  for (std::size_t i = 0; i < kPairs.size(); ++i)
    values.push_back(
        {"Expo2D2M", 0.0004, i + 1 < kPairs.size() ? "UNICOMP" : whole, published[i], kPairs[i]});
  return values;
}

/// The smallest, the median and the largest ε of figure 14. The text prints two times (§5.4.3).
std::vector<PaperValue> batchSizes() {
  std::vector<PaperValue> values;
  for (const double eps : {0.3, 0.9, 1.5})
    for (const double pairs : {2.5e7, 5e7, 7.5e7, 1e8, 1.25e8, 1.5e8}) {
      const double published = eps == 0.3 && pairs == 2.5e7   ? 1.328
                               : eps == 1.5 && pairs == 1.5e8 ? 18.136
                                                              : kInFigureOnly;
      values.push_back({"SW2DA", eps, "UNICOMP", published, pairs});
    }
  return values;
}

/// Table 6: at each ε of figure 14. The model's runs are at ε = `size`.
std::vector<PaperValue> bestBatches(const std::array<double, 5>& published) {
  constexpr std::array kEps{0.3, 0.6, 0.9, 1.2, 1.5};
  std::vector<PaperValue> values;
  for (std::size_t i = 0; i < kEps.size(); ++i)
    values.push_back({"SW2DA", kEps[i], "UNICOMP", published[i], 0.9});
  return values;
}

}  // namespace

// SynExpo data sets are named Expo here, as in the later papers.
Paper gpuSj() {
  using enum PaperFigure;
  return {
      "gpu-sj",
      "[Gowanlock 2018] Accelerating the Similarity Self-Join Using the GPU",
      {
          {"gpu-sj-figure-1", "part a, seconds of an R-tree on one thread, over the dimensions",
           nullptr, CountSeconds,
           valuesOf(
               {"R-tree"},
               {{"Syn2D2M", 1}, {"Syn3D2M", 1}, {"Syn4D2M", 1}, {"Syn5D2M", 1}, {"Syn6D2M", 1}})},
          {"gpu-sj-figure-1-b",
           "part b, seconds of an R-tree on one thread over ε in 6-D, at ε between the ends of "
           "figure 7: the paper prints those of this part on its axis only",
           nullptr, CountSeconds,
           valuesOf(
               {"R-tree"},
               {{"Syn6D2M", 2}, {"Syn6D2M", 4}, {"Syn6D2M", 6}, {"Syn6D2M", 8}, {"Syn6D2M", 10}})},
          {"gpu-sj-figures-2-3", "the grid and UNICOMP's cells",
           "drawings; the window draws the grid and the arrows of any cloud"},
          // Averages over ε, which the text does not name.
          {"gpu-sj-figure-4",
           "response times in seconds without and with UNICOMP, at the largest ε of figure 8; "
           "LINEARCOORD is not part of this program",
           nullptr, Seconds,
           valuesOf({"GPUCALCGLOBAL", "UNICOMP"}, {{"Syn2D10M", 0.5},
                                                   {"Syn3D10M", 0.5},
                                                   {"Syn4D10M", 5},
                                                   {"Syn5D10M", 5},
                                                   {"Syn6D10M", 5}})},
          {"gpu-sj-figure-5",
           "speed-up of Super-EGO's join over one thread, by threads; the paper prints no ε",
           nullptr, EgoThreads, overThreads()},
          // At ε that the text names.
          {"gpu-sj-figure-6", "response times in seconds on real data, with UNICOMP", kPaperData,
           Seconds,
           valuesOf(
               {"UNICOMP"},
               {{"SW2DA", 0.3}, {"SW2DA", 0.9}, {"SW2DA", 1.5}, {"SW3DA", 1.8}, {"SDSS2DA", 0.3}})},
          {"gpu-sj-figures-7-8", "response times in seconds on uniform data, with UNICOMP", nullptr,
           Seconds, overDims("UNICOMP", true)},
          {"gpu-sj-figure-9",
           "speed-up over Super-EGO on exponential data; the paper prints 1.72 to 2.94 over ε "
           "in 2-D and 2.35 to 2.86 in 6-D",
           nullptr, JoinOverEgo,
           valuesOf({"UNICOMP"},
                    {{"Expo2D2M", 0.0004}, {"Expo2D2M", 0.0012}, {"Expo6D2M", 0.012}})},
          {"gpu-sj-figure-10",
           "speed-up over an R-tree on one thread; the paper prints an average of 26.9 over all "
           "data sets, real ones too",
           nullptr, JoinOverTree, overDims("UNICOMP", false), "H200", kAveraged},
          {"gpu-sj-figure-11",
           "speed-up over Super-EGO; the paper prints an average of 2.39 over all data sets, "
           "real ones too",
           nullptr, JoinOverEgo, overDims("UNICOMP", false), "H200", kAveraged},
          {"gpu-sj-table-4", "batches by batch size, with UNICOMP", nullptr, Batches,
           byBatchSize({17, 9, 5, 3, 1}, "UNICOMP")},
          {"gpu-sj-table-4-times", "response times in seconds by batch size, with UNICOMP", nullptr,
           Seconds, byBatchSize({2.07, 2.71, 4.01, 5.07, 6.30}, "UNICOMP + 1 stream")},
          {"gpu-sj-table-4-occupancy",
           "occupancy by batch size; published: achieved, as a profiler measures it, of a "
           "theoretical one of 75 %; here: theoretical; only a GPU has one",
           nullptr, Occupancy,
           byBatchSize({0.578, 0.609, 0.636, 0.649, 0.659}, "UNICOMP + 1 stream")},
          // Its use of the cache is a counter of a profiler, its other rows real data.
          {"gpu-sj-table-5",
           "speed-up by UNICOMP on uniform data; the paper explains what is above 2 by the "
           "cache, which the model lacks",
           nullptr,
           WarpSpeedUp,
           {{"Syn5D2M", 8, "UNICOMP", 2.32}, {"Syn6D2M", 8, "UNICOMP", 2.47}},
           "Titan-X"},
          {"gpu-sj-table-5-occupancy", "theoretical occupancy; only a GPU has one", nullptr,
           Occupancy,
           valuesOf({"GPUCALCGLOBAL", "UNICOMP"}, {{"SW2DA", 0.3, {1, 0.75}},
                                                   {"SDSS2DA", 0.3, {1, 0.75}},
                                                   {"Syn5D2M", 8, {0.625, 0.5}},
                                                   {"Syn6D2M", 8, {0.625, 0.5}}})},
          {"gpu-sj-figure-12", "speed-up by UNICOMP", nullptr, UnicompGain,
           valuesOf({"UNICOMP"}, {{"Syn2D2M", 1},
                                  {"Syn3D2M", 1},
                                  {"Syn4D2M", 10},
                                  {"Syn5D2M", 8, {2.32}},
                                  {"Syn6D2M", 8, {2.47}},
                                  {"SW2DA", 0.3, {1.07}},
                                  {"SDSS2DA", 0.3, {1.03}}})},
          {"gpu-sj-figure-13", "speed-up by 32-bit coordinates; the paper prints at most about 1.2",
           nullptr, SingleGain, overDims("UNICOMP + 32 bits", false)},
          {"gpu-sj-figures-14-17",
           "response times in seconds by batch size on SW2DA; join prints the model of them",
           kPaperData, Seconds, batchSizes()},
          {"gpu-sj-table-6",
           "modelled best batch size of those of figure 14, from two runs at the median ε",
           kPaperData, ModelledBatch, bestBatches({2.5e7, 5e7, 1e8, 1.25e8, 1.5e8})},
          {"gpu-sj-table-6-real", "the batch size of these that takes the least time", kPaperData,
           FastestBatch, bestBatches({2.5e7, 5e7, 7.5e7, 1.5e8, 1.5e8})},
      },
      5e7};
}

}  // namespace clusterloom::cli
