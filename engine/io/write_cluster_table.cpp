#include <cmath>
#include <string>
#include <vector>

#include "engine/io/export_rows.h"
#include "engine/io/numbers.h"

namespace clusterloom {

Result<void> writeClusterTable(const OutputTarget& target, const Dataset& dataset,
                               const ClusteringStatistics& statistics, const Provenance& provenance,
                               const std::vector<ClusterColumn>& more) {
  return writeWithSidecar(target, provenance, [&](std::ostream& out) -> Result<void> {
    std::string text = "label,size,core,border,density,nearest,nearest_distance";
    for (const char* const what : {"centroid_", "low_", "high_"})
      for (std::size_t j = 0; j < dataset.cloud.dims(); ++j) {
        text += ',';
        appendCsvCell(text, what + dimensionName(dataset.cloud, j));
      }
    for (const ClusterColumn& column : more) {
      text += ',';
      appendCsvCell(text, column.name);
    }
    text += '\n';
    for (std::size_t row = 0; row < statistics.clusters.size(); ++row) {
      const ClusterStatistics& cluster = statistics.clusters[row];
      if (cluster.size == 0) continue;
      // Empty where the roles are not known.
      const bool hasRoles = cluster.core + cluster.border > 0;
      const auto roleCount = [&](std::uint64_t number) {
        return hasRoles ? std::to_string(number) : std::string();
      };
      text += std::to_string(cluster.label) + ',' + std::to_string(cluster.size) + ',' +
              roleCount(cluster.core) + ',' + roleCount(cluster.border) + ',' +
              numberText(cluster.density) + ',' + std::to_string(cluster.nearest) + ',' +
              numberText(cluster.nearestDistance);
      for (const auto* const values : {&cluster.centroid, &cluster.low, &cluster.high})
        for (const double value : *values) {
          text += ',';
          appendNumber(text, value);
        }
      for (const ClusterColumn& column : more) {
        text += ',';
        if (!std::isnan(column.values[row])) appendNumber(text, column.values[row]);
      }
      text += '\n';
      writeOutWhenFull(out, text);
    }
    writeOut(out, text);
    return {};
  });
}

}  // namespace clusterloom
