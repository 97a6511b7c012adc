#include "engine/io/hdbscan_provenance.h"

#include <utility>

#include "engine/io/numbers.h"

namespace clusterloom {

void describeHdbscan(Provenance& lines, std::uint32_t minClusterSize, const std::string& selection,
                     bool allowSingleCluster, double selectionEps, std::uint32_t maxClusterSize) {
  std::erase_if(lines, [](const auto& line) {
    return line.first == "eps" || line.first == "index dims" || line.first == "strategy" ||
           line.first == "core" || line.first == "border";
  });
  lines.emplace_back("method", "HDBSCAN*");
  lines.emplace_back("min cluster size", std::to_string(minClusterSize));
  lines.emplace_back("selection", selection);
  if (allowSingleCluster) lines.emplace_back("allow single cluster", "yes");
  if (selectionEps > 0) {
    std::string text;
    appendNumber(text, selectionEps);
    lines.emplace_back("selection eps", text);
  }
  if (maxClusterSize > 0) lines.emplace_back("max cluster size", std::to_string(maxClusterSize));
}

Dataset withProbabilities(Dataset data, std::vector<double> probabilities) {
  data.columnOrder.push_back(data.cloud.dims() + data.attributes.size());
  data.attributes.push_back({"probability", std::move(probabilities)});
  return data;
}

}  // namespace clusterloom
