#include "app/cli/papers/paper_tables.h"

namespace clusterloom::cli {

namespace {

/// §4, 200,000 and 400,000 points, at the ε of our measurements of these blobs.
std::vector<PaperValue> speedUps() {
  return valuesOf({"paper", "no transfer", "shifted access", "shared memory"},
                  {{"Blobs10D", 6, {9.570, 9.342, 9.563, 8.311}},
                   {"Blobs20D", 10, {61.670, 61.540, 63.082, 64.539}}});
}

/// One row of tables 1 to 8. A table that prints only what differs from another one has the
/// registers and the occupancy of that.
struct Profile {
  int table;
  const char* version;
  double seconds, registers, occupancy;
};
constexpr Profile kProfiles[] = {{1, "paper", 4.391949376, 32, 1},
                                 {2, "paper", 4.410403552, 32, 1},
                                 {3, "paper", 53568e-9, 16, 1},
                                 {4, "no transfer", 5408e-9, 16, 1},
                                 {5, "shifted access", 4.489655360, 32, 1},
                                 {6, "shifted access", 4.532701248, 32, 1},
                                 {7, "shared memory", 4.428258496, 32, 1},
                                 {8, "shared memory", 4.621990400, 32, 1}};

/// Of 196 blocks of 1,024 threads with ten coordinates each: the first of the two data sets.
std::vector<PaperValue> profiles(double Profile::*column) {
  std::vector<PaperValue> values;
  for (const Profile& row : kProfiles)
    values.push_back({"Blobs10D", 6, row.version, row.*column, double(row.table)});
  return values;
}

}  // namespace

Paper gDbscan() {
  using enum PaperFigure;
  return {
      "g-dbscan",
      "[Frasson] G-DBSCAN: Enhanced implementation",
      {
          {"g-dbscan-speed-ups",
           "seconds of the versions on a GPU, here on blobs, since the paper does not describe "
           "its data; its speed-ups are over scikit-learn, which takes 547.918 and 2770.610 s",
           nullptr, DbscanSeconds, speedUps()},
          {"g-dbscan-tables-1-8",
           "duration in seconds of the kernels for degrees (tables 1, 5, 7), adjacency lists (2, "
           "6, 8), a level of the search (3) and the assignment of a cluster (4), on the same "
           "blobs; all columns but these three need a profiler",
           nullptr, KernelSeconds, profiles(&Profile::seconds)},
          {"g-dbscan-tables-1-8-registers", "registers per thread of these kernels", nullptr,
           KernelRegisters, profiles(&Profile::registers)},
          {"g-dbscan-tables-1-8-occupancy", "theoretical occupancy of these kernels", nullptr,
           KernelOccupancy, profiles(&Profile::occupancy)},
      }};
}

}  // namespace clusterloom::cli
