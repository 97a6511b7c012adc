#include <string>

#include "engine/io/export_rows.h"
#include "engine/io/numbers.h"
#include "engine/io/write.h"

namespace clusterloom {

Result<void> writeHistogram(const OutputTarget& target, const DistanceHistogram& histogram) {
  return writeAtomically(target, [&](std::ostream& out) -> Result<void> {
    std::string text = "distance,pairs,pairs_up_to\n";
    std::uint64_t upTo = 0;
    for (std::size_t i = 0; i < histogram.pairs.size(); ++i) {
      upTo += histogram.pairs[i];
      appendNumber(text, histogram.upper[i]);
      text += ',' + std::to_string(histogram.pairs[i]) + ',' + std::to_string(upTo) + '\n';
    }
    writeOut(out, text);
    return {};
  });
}

Result<void> writeTableCsv(const OutputTarget& target, const std::string& names, std::size_t rows,
                           const std::function<void(std::size_t, std::string&)>& append,
                           const Task& task) {
  return writeAtomically(target, [&](std::ostream& out) -> Result<void> {
    std::string text = names + '\n';
    for (std::size_t row = 0; row < rows && out; ++row) {
      if (row % kExportBlock == 0) {
        if (task.cancelled()) return cancelledError();
        task.report("writing", double(row) / double(rows));
      }
      append(row, text);
      text += '\n';
      writeOutWhenFull(out, text);
    }
    writeOut(out, text);
    return {};
  });
}

}  // namespace clusterloom
