#include "engine/io/hdbscan_provenance.h"

namespace clusterloom {

void describeHdbscan(Provenance& lines, std::uint32_t minClusterSize, const std::string& selection,
                     bool allowSingleCluster) {
  std::erase_if(lines, [](const auto& line) {
    return line.first == "eps" || line.first == "index dims" || line.first == "strategy" ||
           line.first == "core" || line.first == "border";
  });
  lines.emplace_back("method", "HDBSCAN*");
  lines.emplace_back("min cluster size", std::to_string(minClusterSize));
  lines.emplace_back("selection", selection);
  if (allowSingleCluster) lines.emplace_back("allow single cluster", "yes");
}

}  // namespace clusterloom
