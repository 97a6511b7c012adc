#include "ui/session/check_columns.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/io/numbers.h"

namespace clusterloom {

namespace {

template <class Row>
const Row* checkRowOf(const std::vector<Row>& rows, std::int32_t label) {
  const auto at =
      std::lower_bound(rows.begin(), rows.end(), label,
                       [](const Row& row, std::int32_t wanted) { return row.cluster < wanted; });
  return at != rows.end() && at->cluster == label ? &*at : nullptr;
}

/// A value of each cluster that is in the rows.
template <class Row, class ValueOf>
ClusterColumn checkColumnOf(const char* name, const std::vector<Row>& rows, std::int32_t clusters,
                            ValueOf valueOf) {
  ClusterColumn column{
      name, std::vector<double>(std::size_t(clusters), std::numeric_limits<double>::quiet_NaN())};
  for (const Row& row : rows) column.values[std::size_t(row.cluster)] = valueOf(row);
  return column;
}

}  // namespace

const ClusterValidity* validityOf(const ClusterFigures& figures, std::int32_t label) {
  return figures.validity ? checkRowOf(figures.validity->clusters, label) : nullptr;
}

const ClusterStability* stabilityOf(const ClusterFigures& figures, std::int32_t label) {
  return figures.foundAgain ? checkRowOf(figures.foundAgain->clusters, label) : nullptr;
}

std::vector<ClusterColumn> columnsOf(const ClusterFigures& figures, std::int32_t clusters) {
  std::vector<ClusterColumn> columns;
  if (figures.validity) {
    const auto add = [&](const char* name, double ClusterValidity::*value) {
      columns.push_back(checkColumnOf(name, figures.validity->clusters, clusters,
                                      [value](const ClusterValidity& row) { return row.*value; }));
    };
    add("validity", &ClusterValidity::validity);
    add("sparseness", &ClusterValidity::sparseness);
    add("separation", &ClusterValidity::separation);
  }
  if (figures.foundAgain) {
    const auto add = [&](const char* name, auto valueOf) {
      columns.push_back(checkColumnOf(name, figures.foundAgain->clusters, clusters, valueOf));
    };
    add("jaccard", [](const ClusterStability& row) { return row.jaccard; });
    add("samples", [](const ClusterStability& row) { return double(row.samples); });
    add("found_percent",
        [](const ClusterStability& row) { return 100.0 * row.found / row.samples; });
  }
  if (figures.persistence) {
    columns.push_back({"eps_from", {}});
    columns.push_back({"eps_to", {}});
    for (const EpsRangeOfCluster& range : *figures.persistence) {
      columns[columns.size() - 2].values.push_back(range.from);
      columns.back().values.push_back(range.to);
    }
  }
  return columns;
}

void describe(const ClusterFigures& figures, Provenance& lines) {
  if (figures.validity)
    lines.emplace_back("validity", std::isnan(figures.validity->index)
                                       ? "undefined"
                                       : numberText(figures.validity->index));
  if (!figures.foundAgain) return;
  const ResamplingOptions& options = figures.foundAgain->options;
  lines.emplace_back("resampling", std::to_string(options.resamples) + " samples, share " +
                                       numberText(options.share) + ", seed " +
                                       std::to_string(options.seed) + ", min_pts " +
                                       std::to_string(figures.foundAgain->minPts));
}

}  // namespace clusterloom
