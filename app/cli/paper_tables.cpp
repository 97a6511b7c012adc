#include "app/cli/paper_tables.h"

namespace clusterloom::cli {

namespace {

constexpr const char* kTimes =
    "times on the paper's machine; measure yours with join, load and the chart compare";
constexpr const char* kData = "the real data sets are not part of this program";
constexpr const char* kProfiler = "counters of a profiler on the paper's GPU";

}  // namespace

const std::vector<Paper>& papers() {
  // ε of the exponential data sets is printed in units of 1/100 in [Gallet 2019], and in the units
  // of the data in [Gallet 2020].
  static const std::vector<Paper> all = {
      {"gpu-sj",
       "[Gowanlock 2018] Accelerating the Similarity Self-Join Using the GPU",
       {
           {"gpu-sj-figure-1", "time of an R-tree over the dimensions and ε", kTimes},
           {"gpu-sj-figures-4-9", "response times of the self-join", kTimes},
           {"gpu-sj-figures-10-12", "speed-ups over one thread, Super-EGO and without UNICOMP",
            kTimes},
           {"gpu-sj-table-4", "occupancy and time by batch size", kProfiler},
           {"gpu-sj-table-5", "kernel metrics with and without UNICOMP", kProfiler},
           {"gpu-sj-figure-13", "64-bit against 32-bit coordinates", kTimes},
           {"gpu-sj-figures-14-17", "batch sizes on SW2DA and the model of them", kData},
           {"gpu-sj-table-6", "modelled best batch size on SW2DA", kData},
       }},
      {"lbjoin",
       "[Gallet 2019] Load Imbalance Mitigation Optimizations for GPU-Accelerated Similarity Joins",
       {
           {"lbjoin-figures-9-11", "response times of the optimizations", kTimes},
           {"lbjoin-table-3",
            "WEE of GPUCALCGLOBAL, UNICOMP and LID-UNICOMP",
            nullptr,
            PaperFigure::Wee,
            {{"Expo2D2M", 0.002, "GPUCALCGLOBAL", 0.2650},
             {"Expo2D2M", 0.002, "UNICOMP", 0.1320},
             {"Expo2D2M", 0.002, "LID-UNICOMP", 0.1830},
             {"Expo6D2M", 0.012, "GPUCALCGLOBAL", 0.1520},
             {"Expo6D2M", 0.012, "UNICOMP", 0.0780},
             {"Expo6D2M", 0.012, "LID-UNICOMP", 0.1000},
             {"Unif2D2M", 1.0, "GPUCALCGLOBAL", 0.7540},
             {"Unif2D2M", 1.0, "UNICOMP", 0.4894},
             {"Unif2D2M", 1.0, "LID-UNICOMP", 0.6910},
             {"Unif6D2M", 8.0, "GPUCALCGLOBAL", 0.5130},
             {"Unif6D2M", 8.0, "UNICOMP", 0.1925},
             {"Unif6D2M", 8.0, "LID-UNICOMP", 0.4090}}},
           {"lbjoin-table-4",
            "WEE with 1 and 8 threads per point",
            nullptr,
            PaperFigure::Wee,
            {{"Expo2D2M", 0.002, "GPUCALCGLOBAL", 0.2650},
             {"Expo2D2M", 0.002, "k=8", 0.4080},
             {"Expo6D2M", 0.012, "GPUCALCGLOBAL", 0.1520},
             {"Expo6D2M", 0.012, "k=8", 0.3927},
             {"Unif2D2M", 1.0, "GPUCALCGLOBAL", 0.7540},
             {"Unif2D2M", 1.0, "k=8", 0.8030},
             {"Unif6D2M", 8.0, "GPUCALCGLOBAL", 0.5130},
             {"Unif6D2M", 8.0, "k=8", 0.6090}}},
           {"lbjoin-table-5",
            "WEE of GPUCALCGLOBAL, SORTBYWL and WORKQUEUE",
            nullptr,
            PaperFigure::Wee,
            {{"Expo2D2M", 0.002, "GPUCALCGLOBAL", 0.2650},
             {"Expo2D2M", 0.002, "SORTBYWL", 0.7460},
             {"Expo2D2M", 0.002, "WORKQUEUE", 0.8320},
             {"Expo6D2M", 0.012, "GPUCALCGLOBAL", 0.1520},
             {"Expo6D2M", 0.012, "SORTBYWL", 0.7140},
             {"Expo6D2M", 0.012, "WORKQUEUE", 0.9560},
             {"Unif2D2M", 1.0, "GPUCALCGLOBAL", 0.7540},
             {"Unif2D2M", 1.0, "SORTBYWL", 0.7540},
             {"Unif2D2M", 1.0, "WORKQUEUE", 0.8310},
             {"Unif6D2M", 8.0, "GPUCALCGLOBAL", 0.5130},
             {"Unif6D2M", 8.0, "SORTBYWL", 0.4820},
             {"Unif6D2M", 8.0, "WORKQUEUE", 0.4840}}},
           {"lbjoin-figure-12", "response times on SW and Gaia", kData},
           {"lbjoin-table-6", "WEE of combinations on SW and Gaia", kData},
           {"lbjoin-figure-13", "speed-ups over Super-EGO", kTimes},
       }},
      {"hegjoin",
       "[Gallet 2020] Heterogeneous CPU-GPU Epsilon Grid Joins",
       {
           {"hegjoin-figure-7", "speed-ups of EGO-sort and New-Super-EGO", kTimes},
           {"hegjoin-table-3",
            "candidates that the grid of LBJoin refines, on the synthetic data sets",
            nullptr,
            PaperFigure::Candidates,
            {{"Expo2D2M", 0.002, "GPUCALCGLOBAL", 51789286408e0},
             {"Expo2D10M", 0.0004, "GPUCALCGLOBAL", 56439981246e0},
             {"Expo4D2M", 0.01, "GPUCALCGLOBAL", 113929159776e0},
             {"Expo4D10M", 0.004, "GPUCALCGLOBAL", 217420698818e0},
             {"Expo8D2M", 0.015, "GPUCALCGLOBAL", 77827299052e0},
             {"Expo8D10M", 0.012, "GPUCALCGLOBAL", 207650110734e0}}},
           {"hegjoin-figures-8-9", "modelled times of both processors", kTimes},
           {"hegjoin-figure-10", "response times on synthetic data", kTimes},
           {"hegjoin-figure-11", "response times on real data", kData},
           {"hegjoin-table-4", "candidates per second", kTimes},
           {"hegjoin-figure-12", "load imbalance of the divisions", kTimes},
           {"hegjoin-table-5", "share of the transfers", kTimes},
           {"hegjoin-figure-13", "average speed-ups", kTimes},
       }},
      {"gpu-join",
       "[Gowanlock 2019] GPU Accelerated Similarity Self-Join for Multi-Dimensional Data",
       {
           {"gpu-join-figures-5-8", "response times and memory operations on real and 16-D data",
            kData},
           {"gpu-join-figure-9", "response times on synthetic data", kTimes},
           {"gpu-join-figures-10-11", "times of query sets on one GPU, and on several as simulated",
            kTimes},
           {"gpu-join-figure-12", "communication of the distributed join", kTimes},
           {"gpu-join-tables-2-3", "share of the host, and speed-ups over Super-EGO", kTimes},
       }},
      {"g-dbscan",
       "[Frasson] G-DBSCAN: Enhanced implementation",
       {
           {"g-dbscan-tables-1-8", "profiles of the kernels", kProfiler},
       }},
  };
  return all;
}

Strategy strategyNamed(const std::string& name) {
  Strategy strategy = gpuCalcGlobal();
  if (name == "UNICOMP") strategy.pattern = AccessPattern::Unicomp;
  if (name == "LID-UNICOMP") strategy.pattern = AccessPattern::LidUnicomp;
  if (name == "SORTBYWL") strategy.order = QueryOrder::SortByWorkload;
  if (name == "WORKQUEUE") strategy.order = QueryOrder::WorkQueue;
  if (name == "k=8") strategy.threadsPerPoint = 8;
  return strategy;
}

}  // namespace clusterloom::cli
