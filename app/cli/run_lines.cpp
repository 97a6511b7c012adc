#include "app/cli/run_lines.h"

#include <algorithm>

#include "app/cli/console.h"
#include "engine/core/number_text.h"

namespace clusterloom::cli {

std::string batchModelLines(const std::vector<BatchPrediction>& predictions) {
  std::string lines;
  for (const BatchPrediction& model : predictions)
    lines +=
        '\n' +
        summaryLine("batch model",
                    model.join + " predicted in " + duration(model.predicted) + ", took " +
                        duration(model.measured) + " (T1 " + duration(model.joining) + " × " +
                        shortNumber(model.volume) + " + θ " + duration(model.perBatch) + " × " +
                        shortNumber(model.batches) + " batches + T2 " + duration(model.buffers) +
                        " × " + std::to_string(model.streams) + " streams)");
  return lines;
}

std::string divisionModelLine(const SharedPass& pass) {
  if (!pass.forecast) return {};
  const DivisionForecast& forecast = *pass.forecast;
  return '\n' + summaryLine("model", "predicted " + duration(forecast.together) + ", took " +
                                         duration(pass.end()) + "; alone the GPU " +
                                         duration(forecast.gpuAlone) + " and the CPU " +
                                         duration(forecast.cpuAlone) + ", timed at ε " +
                                         shortNumber(forecast.referenceEps) + " and scaled by " +
                                         shortNumber(forecast.volumeRatio));
}

std::string querySetLines(const std::vector<QuerySetStats>& sets) {
  std::string text;
  for (auto begin = sets.begin(); begin != sets.end();) {
    const auto end = std::find_if(
        begin, sets.end(), [&](const QuerySetStats& set) { return set.stage != begin->stage; });
    double least = begin->seconds;
    double most = least;
    double sum = 0;
    for (auto set = begin; set != end; ++set) {
      least = std::min(least, set->seconds);
      most = std::max(most, set->seconds);
      sum += set->seconds;
    }
    const auto count = std::uint64_t(end - begin);
    text += '\n' + summaryLine("query sets", groupedText(count) + " in " + begin->stage + ", " +
                                                 duration(least) + " to " + duration(most) +
                                                 ", mean " + duration(sum / double(count)));
    begin = end;
  }
  return text;
}

std::string kernelLines(const std::vector<KernelStats>& kernels) {
  std::string lines;
  for (const KernelStats& kernel : kernels) {
    std::string text = kernel.name + ": " + duration(kernel.seconds) + ", launches " +
                       groupedText(std::uint64_t(kernel.launches));
    if (kernel.registers > 0)
      text += ", registers per thread " + std::to_string(kernel.registers) + ", occupancy " +
              percentText(kernel.occupancy);
    lines += '\n' + summaryLine("kernel", text);
  }
  return lines;
}

}  // namespace clusterloom::cli
