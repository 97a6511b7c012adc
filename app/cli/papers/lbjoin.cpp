#include <array>

#include "app/cli/papers/paper_tables.h"

namespace clusterloom::cli {

namespace {

// 3584 cores [Gowanlock 2018, table 3] of compute capability 6.0, with 64 on a multiprocessor.
constexpr const char* kGp100 = "56x64";

constexpr const char* kAllThree = "WORKQUEUE + LID-UNICOMP + k=8";

// ε of the exponential data sets is printed in units of 1/100; here it is in those of the data.
// Figures 9 to 11: at the ε of tables III to V, which print the times.

constexpr std::array<const char*, 6> kStrategies{"GPUCALCGLOBAL", "UNICOMP",  "LID-UNICOMP",
                                                 "k=8",           "SORTBYWL", "WORKQUEUE"};

/// What tables 3 to 5 print of a data set, in the order of kStrategies.
struct Synthetic {
  const char* dataset;
  double eps;
  std::array<double, 6> seconds, wee;
};
constexpr Synthetic kSynthetic[] = {
    {"Expo2D2M",
     0.002,
     {55.5, 60.9, 40.4, 33.6, 48.7, 35.6},
     {0.2650, 0.1320, 0.1830, 0.4080, 0.7460, 0.8320}},
    {"Expo6D2M",
     0.012,
     {42.9, 31.6, 25.5, 42.2, 19.1, 13.1},
     {0.1520, 0.0780, 0.1000, 0.3927, 0.7140, 0.9560}},
    {"Unif2D2M",
     1.0,
     {5.7, 4.5, 4.6, 4.4, 5.9, 5.6},
     {0.7540, 0.4894, 0.6910, 0.8030, 0.7540, 0.8310}},
    {"Unif6D2M",
     8.0,
     {3.3, 2.1, 2.4, 6.2, 3.5, 3.0},
     {0.5130, 0.1925, 0.4090, 0.6090, 0.4820, 0.4840}},
};

/// The values of some of kStrategies, by of(what the tables print, number of the strategy).
template <class Of>
std::vector<PaperValue> synthetic(const std::vector<std::size_t>& strategies, const Of& of) {
  std::vector<PaperValue> values;
  for (const Synthetic& row : kSynthetic)
    for (const std::size_t s : strategies)
      values.push_back({row.dataset, row.eps, kStrategies[s], of(row, s)});
  return values;
}

double syntheticSeconds(const Synthetic& row, std::size_t s) { return row.seconds[s]; }
double syntheticWee(const Synthetic& row, std::size_t s) { return row.wee[s]; }
double syntheticGain(const Synthetic& row, std::size_t s) {
  return row.seconds[0] / row.seconds[s];
}

/// Figures 9 to 11 and tables 3 to 5.
std::vector<PaperItem> lbJoinSynthetic() {
  using enum PaperFigure;
  return {{"lbjoin-figure-9", "speed-up by UNICOMP and LID-UNICOMP; published: of response times",
           nullptr, WarpSpeedUp, synthetic({1, 2}, syntheticGain), kGp100},
          {"lbjoin-table-3", "WEE of GPUCALCGLOBAL, UNICOMP and LID-UNICOMP", nullptr, Wee,
           synthetic({0, 1, 2}, syntheticWee)},
          {"lbjoin-figure-10", "speed-up by 8 threads per point; published: of response times",
           nullptr, WarpSpeedUp, synthetic({3}, syntheticGain), kGp100},
          {"lbjoin-table-4", "WEE with 1 and 8 threads per point", nullptr, Wee,
           synthetic({0, 3}, syntheticWee)},
          {"lbjoin-figure-11", "speed-up by SORTBYWL and WORKQUEUE; published: of response times",
           nullptr, WarpSpeedUp, synthetic({4, 5}, syntheticGain), kGp100},
          {"lbjoin-table-5", "WEE of GPUCALCGLOBAL, SORTBYWL and WORKQUEUE", nullptr, Wee,
           synthetic({0, 4, 5}, syntheticWee)}};
}

std::vector<PaperValue> table6(bool times) {
  struct Row {
    const char* dataset;
    double eps;
    std::vector<double> wee, seconds;
  };
  std::vector<PaperRow> rows;
  for (const Row& row : {Row{"SW2DA", 1.2, {0.552, 0.891, 0.807}, {15.1, 13.0, 12.5}},
                         Row{"SW2DB", 0.4, {0.542, 0.830, 0.797}, {13.8, 13.0, 12.6}},
                         Row{"SW3DA", 2.4, {0.337, 0.934, 0.832}, {56.8, 25.2, 21.6}},
                         Row{"SW3DB", 0.8, {0.408, 0.871, 0.825}, {14.9, 12.1, 11.7}},
                         Row{"Gaia", 0.04, {0.641, 0.803, 0.783}, {37.1, 27.1, 26.7}}})
    rows.push_back({row.dataset, row.eps, times ? row.seconds : row.wee});
  return valuesOf({"GPUCALCGLOBAL", "WORKQUEUE + LID-UNICOMP", kAllThree}, rows);
}

/// On real data: figure 12 and table 6, which prints times of the figure.
std::vector<PaperItem> lbJoinReal() {
  using enum PaperFigure;
  return {{"lbjoin-figure-12", "response times in seconds on SW and Gaia, at the ε of table 6",
           kPaperData, Seconds, table6(true)},
          {"lbjoin-table-6", "WEE of combinations on SW and Gaia", kPaperData, Wee, table6(false)}};
}

/// The times of tables 3 to 5, and figure 13.
std::vector<PaperItem> lbJoinOthers() {
  using enum PaperFigure;
  const auto allThree =
      valuesOf({kAllThree},
               {{"Expo2D2M", 0.002}, {"Expo6D2M", 0.012}, {"Unif2D2M", 1.0}, {"Unif6D2M", 8.0}});
  return {{"lbjoin-tables-3-5-times", "response times in seconds", nullptr, Seconds,
           synthetic({0, 1, 2, 3, 4, 5}, syntheticSeconds)},
          {"lbjoin-figure-13",
           "part b, speed-up by all three over GPUCALCGLOBAL; of response times the paper prints "
           "an average of 1.6 and at most 9.7, over all data sets, real ones too",
           nullptr, WarpSpeedUp, allThree, kGp100, kAveraged},
          {"lbjoin-figure-13-a",
           "part a, speed-up by all three over Super-EGO; the paper prints an average of 2.5 and "
           "at most 10.7, over all data sets, real ones too",
           nullptr, JoinOverEgo, allThree, "H200", kAveraged}};
}

}  // namespace

Paper lbJoin() {
  Paper paper{"lbjoin",
              "[Gallet 2019] Load Imbalance Mitigation Optimizations for GPU-Accelerated "
              "Similarity Joins",
              lbJoinSynthetic()};
  for (const auto& more : {lbJoinReal(), lbJoinOthers()})
    paper.items.insert(paper.items.end(), more.begin(), more.end());
  return paper;
}

}  // namespace clusterloom::cli
