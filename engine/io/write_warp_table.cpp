#include <string>

#include "engine/io/export_rows.h"
#include "engine/io/numbers.h"

namespace clusterloom {
namespace {

constexpr const char* kHeader =
    "warp,batch,first_ticket,queries,cell_steps,search_steps,candidate_steps,hit_steps,"
    "cell_lane_steps,search_lane_steps,candidate_lane_steps,hit_lane_steps,longest_lane,"
    "shortest_lane,wee,start,end,multiprocessor,slot,cycles\n";

std::string lineOf(const WarpLoad& warp, const LoopWeights& weights) {
  std::string text = std::to_string(warp.number) + ',' + std::to_string(warp.batch) + ',' +
                     std::to_string(warp.firstTicket) + ',' + std::to_string(warp.tickets);
  for (const auto* const numbers : {&warp.steps, &warp.laneSteps})
    for (const std::uint64_t number : *numbers) text += ',' + std::to_string(number);
  text += ',' + std::to_string(warp.longestLane) + ',' + std::to_string(warp.shortestLane);
  for (const double number :
       {warpExecutionEfficiency(warp.steps, warp.laneSteps, weights), warp.start, warp.end}) {
    text += ',';
    appendNumber(text, number);
  }
  return text + ',' + std::to_string(warp.multiprocessor) + ',' + std::to_string(warp.slot) + ',' +
         std::to_string(warp.cycles) + '\n';
}

}  // namespace

Result<void> writeWarpTable(const OutputTarget& target, const LoadReport& report) {
  return writeAtomically(target, [&](std::ostream& out) -> Result<void> {
    std::string text = kHeader;
    for (const WarpLoad& warp : report.warps) {
      text += lineOf(warp, report.weights);
      writeOutWhenFull(out, text);
    }
    writeOut(out, text);
    return {};
  });
}

}  // namespace clusterloom
