#include "app/cli/papers/paper_tables.h"

namespace clusterloom::cli {

Paper gDbscan() {
  return {"g-dbscan",
          "[Frasson] G-DBSCAN: Enhanced implementation",
          {
              {"g-dbscan-speed-ups", "times of the versions on 200,000 and 400,000 points",
               "data sets that the paper does not describe; cluster --method g-dbscan on a GPU "
               "times yours"},
              {"g-dbscan-tables-1-2", "profiles of degrees and adjacency lists", kPaperProfiler},
              {"g-dbscan-tables-3-4", "profiles of the search and of the assignment of clusters",
               kPaperProfiler},
              {"g-dbscan-tables-5-8", "the same with shifted reads and with shared memory",
               kPaperProfiler},
          }};
}

}  // namespace clusterloom::cli
