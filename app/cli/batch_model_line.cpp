#include "app/cli/batch_model_line.h"

#include "app/cli/console.h"

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

}  // namespace clusterloom::cli
