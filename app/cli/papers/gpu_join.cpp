#include <utility>

#include "app/cli/papers/paper_tables.h"

namespace clusterloom::cli {

namespace {

constexpr const char* kReorder = "REORDER";
constexpr const char* kAll = "REORDER + SORTIDU + SHORTC";
constexpr const char* kTimed = "REORDER + SORTIDU + SHORTC + 32 bits";  // as the paper's runs

std::vector<PaperValue> figure6() {
  std::vector<PaperValue> values;
  for (const auto& [dataset, eps] : {std::pair{"SuSy", 0.01}, {"Songs", 0.005}})
    for (const char* timed : {"GPUCALCGLOBAL + 32 bits", "REORDER + 32 bits"})
      for (int k = 1; k <= 8; ++k)
        values.push_back({dataset, eps, timed, kInFigureOnly, double(k)});
  return values;
}

std::vector<PaperValue> figure7() {
  std::vector<PaperValue> values;
  for (int k = 1; k <= 8; ++k)
    values.push_back({"Expo16D2M", 0.05, kReorder, kInFigureOnly, double(k)});
  return values;
}

std::vector<PaperValue> figure9() {
  auto values = valuesOf(
      {kReorder, "REORDER + SORTIDU", kAll},
      {{"Expo16D2M", 0.03}, {"Expo16D2M", 0.05}, {"Expo32D2M", 0.08}, {"Expo64D2M", 0.16}});
  for (PaperValue& value : values) value.size = 6;
  return values;
}

}  // namespace

// Syn data sets of this paper are exponential with λ = 40, and named Expo here: Syn is uniform in
// [Gowanlock 2018].
Paper gpuJoin() {
  using enum PaperFigure;
  Paper paper{
      "gpu-join",
      "[Gowanlock 2019] GPU Accelerated Similarity Self-Join for Multi-Dimensional Data",
      {
          // At the ε of table 3, as figure 6.
          {"gpu-join-figure-5",
           "response times in seconds with six indexed dimensions and no other optimization",
           kPaperData, Seconds,
           valuesOf({"GPUCALCGLOBAL + 32 bits"}, {{"ColorHist", 0.05},
                                                  {"ColorHist", 0.50},
                                                  {"LayoutHist", 0.05},
                                                  {"LayoutHist", 0.50},
                                                  {"CoocTexture", 0.05},
                                                  {"CoocTexture", 0.20}})},
          {"gpu-join-figure-6",
           "response times in seconds over k, without and with REORDER, at the smallest ε of "
           "table 3",
           kPaperData, SecondsOfK, figure6()},
          {"gpu-join-figure-7",
           "coordinates read for a query point over k, a step of a search counting as several",
           nullptr, Coordinates, figure7()},
          {"gpu-join-figure-8",
           "response times in seconds on SuSy and Songs with all optimizations",
           kPaperData,
           Seconds,
           {{"SuSy", 0.01, kTimed, kInFigureOnly},
            {"SuSy", 0.02, kTimed, 1729},
            {"Songs", 0.005, kTimed, kInFigureOnly},
            {"Songs", 0.01, kTimed, kInFigureOnly}}},
          {"gpu-join-figure-9", "coordinates read for a query point; the paper has times", nullptr,
           Coordinates, figure9()},
          {"gpu-join-figure-9-times",
           "response times in seconds with all optimizations",
           nullptr,
           Seconds,
           {{"Expo16D2M", 0.05, kTimed, 469}}},
          // 460.58 s of kernels in all (table 2) in sets of 13.88 to 14.95 s: 32 sets.
          {"gpu-join-figure-10",
           "the largest query set of 32 over the smallest; the paper has times",
           nullptr,
           QuerySets,
           {{"Expo16D2M", 0.05, "GPUCALCGLOBAL", 14.95 / 13.88, 32}}},
          {"gpu-join-figure-10-times",
           "time of the longest query set of 32 over the shortest",
           nullptr,
           SetSeconds,
           {{"Expo16D2M", 0.05, "GPUCALCGLOBAL + 32 bits", 14.95 / 13.88, 32}}},
          {"gpu-join-figure-11",
           "speed-up of 32 query sets on several GPUs",
           nullptr,
           SetsSpeedUp,
           {{"Expo16D2M", 0.05, "GPUCALCGLOBAL", kInFigureOnly, 2},
            {"Expo16D2M", 0.05, "GPUCALCGLOBAL", kInFigureOnly, 4},
            {"Expo16D2M", 0.05, "GPUCALCGLOBAL", kInFigureOnly, 8},
            {"Expo16D2M", 0.05, "GPUCALCGLOBAL", kInFigureOnly, 16},
            {"Expo16D2M", 0.05, "GPUCALCGLOBAL", kInFigureOnly, 32}}},
          // On 128 nodes the text gives 0.2 s.
          {"gpu-join-figure-12",
           "seconds in which all parts go round the ring; the paper's nodes are joined by a "
           "network",
           nullptr,
           RingSeconds,
           {{"Expo16D2M", 0.05, "any", kInFigureOnly, 2},
            {"Expo16D2M", 0.05, "any", kInFigureOnly, 8},
            {"Expo16D2M", 0.05, "any", kInFigureOnly, 32},
            {"Expo16D2M", 0.05, "any", 0.2, 128}}},
          // 460.58 s of kernels in 469.00 s, and 1717.26 s in 1729.24 s.
          {"gpu-join-table-2",
           "share of the host in the response time, one stream; only a GPU has one",
           nullptr,
           HostShare,
           {{"Expo16D2M", 0.05, kTimed, 1 - 460.58 / 469.00},
            {"SuSy", 0.02, kTimed, 1 - 1717.26 / 1729.24}}},
          {"gpu-join-table-3",
           "speed-up over Super-EGO; published: of a GP100 over 16 cores, here: of what auto takes "
           "over the CPU",
           nullptr, JoinOverEgo,
           valuesOf({kTimed}, {{"Expo16D2M", 0.03, {1.84}},
                               {"Expo16D2M", 0.05, {5.46}},
                               {"Expo32D2M", 0.08, {8.25}},
                               {"Expo32D2M", 0.10, {7.50}},
                               {"Expo64D2M", 0.16, {7.86}},
                               {"Expo64D2M", 0.18, {5.63}},
                               {"ColorHist", 0.05, {1.13}},
                               {"ColorHist", 0.50, {5.79}},
                               {"LayoutHist", 0.05, {1.36}},
                               {"LayoutHist", 0.50, {5.49}},
                               {"CoocTexture", 0.05, {3.65}},
                               {"CoocTexture", 0.20, {4.13}},
                               {"SuSy", 0.01, {1.61}},
                               {"SuSy", 0.02, {1.07}},
                               {"Songs", 0.005, {1.53}},
                               {"Songs", 0.01, {0.92}}})},
      }};
  paper.indexedDims = 6;
  return paper;
}

}  // namespace clusterloom::cli
