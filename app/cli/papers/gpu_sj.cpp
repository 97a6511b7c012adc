#include "app/cli/papers/paper_tables.h"

namespace clusterloom::cli {

// SynExpo data sets are named Expo here, as in the later papers.
Paper gpuSj() {
  using enum PaperFigure;
  return {"gpu-sj",
          "[Gowanlock 2018] Accelerating the Similarity Self-Join Using the GPU",
          {
              {"gpu-sj-figure-1", "time of an R-tree over the dimensions and ε", kPaperTimes},
              {"gpu-sj-figures-2-3", "the grid and UNICOMP's cells",
               "drawings; the window draws the grid and the arrows of any cloud"},
              {"gpu-sj-figure-4", "response times of LINEARCOORD and UNICOMP",
               "times on the paper's machine, and LINEARCOORD is not part of this program"},
              {"gpu-sj-figures-5-6", "Super-EGO's threads, and response times on real data",
               kPaperData},
              {"gpu-sj-figures-7-9", "response times on synthetic data", kPaperTimes},
              {"gpu-sj-figures-10-11", "speed-ups over one thread and over Super-EGO", kPaperTimes},
              // Its occupancy and times are of the paper's GPU.
              {"gpu-sj-table-4",
               "batches by batch size, with UNICOMP",
               nullptr,
               Batches,
               {{"Expo2D2M", 0.0004, "UNICOMP", 17, 5e7},
                {"Expo2D2M", 0.0004, "UNICOMP", 9, 1e8},
                {"Expo2D2M", 0.0004, "UNICOMP", 5, 2e8},
                {"Expo2D2M", 0.0004, "UNICOMP", 3, 3e8},
                {"Expo2D2M", 0.0004, "UNICOMP", 1, 9e8}}},
              // Its other columns are counters of a profiler, its other rows real data.
              {"gpu-sj-table-5",
               "speed-up by UNICOMP on uniform data; the paper explains what is above 2 by the "
               "cache, which the model lacks",
               nullptr,
               WarpSpeedUp,
               {{"Syn5D2M", 8, "UNICOMP", 2.32}, {"Syn6D2M", 8, "UNICOMP", 2.47}},
               "Titan-X"},
              {"gpu-sj-figure-12", "speed-up by UNICOMP over ε", kPaperTimes},
              {"gpu-sj-figure-13", "64-bit against 32-bit coordinates", kPaperTimes},
              {"gpu-sj-figures-14-17", "batch sizes on SW2DA and the model of them", kPaperData},
              {"gpu-sj-table-6", "modelled best batch size on SW2DA", kPaperData},
          }};
}

}  // namespace clusterloom::cli
