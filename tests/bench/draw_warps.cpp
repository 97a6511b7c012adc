// Draws the load of warps from a table that `clusterloom-cli load --warps` wrote, so that what was
// measured on a GPU machine can be looked at on another.
//
//   draw_warps WARPS.csv measured|modelled ALL_WARPS NAME OUT.png
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "engine/load/load_kernel.h"
#include "render/charts/warp_load_chart.h"
#include "render/gl/offscreen.h"

using namespace clusterloom;

namespace {

constexpr std::size_t kColumns = 20;

bool readWarps(const char* path, LoadReport& report) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return false;
  while (std::getline(file, line)) {
    std::vector<double> cells;
    std::stringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(std::atof(cell.c_str()));
    if (cells.size() != kColumns) return false;
    WarpLoad warp;
    warp.number = static_cast<std::uint32_t>(cells[0]);
    warp.batch = static_cast<std::uint32_t>(cells[1]);
    warp.firstTicket = static_cast<std::uint32_t>(cells[2]);
    warp.tickets = static_cast<std::uint32_t>(cells[3]);
    for (std::size_t i = 0; i < kLoops; ++i) {
      warp.steps[i] = static_cast<std::uint64_t>(cells[4 + i]);
      warp.laneSteps[i] = static_cast<std::uint64_t>(cells[8 + i]);
      report.steps[i] += warp.steps[i];
      report.laneSteps[i] += warp.laneSteps[i];
    }
    warp.longestLane = static_cast<std::uint64_t>(cells[12]);
    warp.shortestLane = static_cast<std::uint64_t>(cells[13]);
    warp.start = cells[15];
    warp.end = cells[16];
    warp.multiprocessor = static_cast<std::uint32_t>(cells[17]);
    warp.slot = static_cast<std::uint32_t>(cells[18]);
    warp.cycles = static_cast<std::uint64_t>(cells[19]);
    report.warps.push_back(warp);
    // The chart shows where batches begin, unless they are too many.
    report.batchBegin.resize(std::max<std::size_t>(report.batchBegin.size(), warp.batch + 2U));
  }
  return !report.warps.empty();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: %s WARPS.csv measured|modelled ALL_WARPS NAME OUT.png\n", argv[0]);
    return 2;
  }
  auto report = std::make_shared<LoadReport>();
  report->measured = std::strcmp(argv[2], "measured") == 0;
  report->allWarps = std::strtoull(argv[3], nullptr, 10);
  report->weights = weightsOf(LoadKernel::Pairs);
  if (!readWarps(argv[1], *report)) {
    std::fprintf(stderr, "%s is no table of warps\n", argv[1]);
    return 1;
  }
  report->wee = warpExecutionEfficiency(report->steps, report->laneSteps, report->weights);
  auto window = OffscreenWindow::make(900, 300);
  if (!window) {
    std::fprintf(stderr, "%s\n", window.error().message.c_str());
    return 1;
  }
  WarpLoadChart chart;
  chart.attach((*window)->window());
  chart.setName(argv[4]);
  chart.setData(report);
  const auto written = writePng(argv[5], (*window)->image());
  chart.detach();
  if (written) return 0;
  std::fprintf(stderr, "%s\n", written.error().message.c_str());
  return 1;
}
