#include "app/cli/json_output.h"

#include "app/cli/console.h"

namespace clusterloom::cli {

Json fileHeader(const Dataset& data) {
  Json object;
  object["file"] = data.source.path;
  object["points"] = data.cloud.size();
  object["dims"] = data.cloud.dims();
  if (data.every > 1) object["every"] = data.every;
  object["skipped"] = data.skippedRows.size();
  return object;
}

Json runHeader(const Dataset& data, double eps) {
  Json object = fileHeader(data);
  object["eps"] = eps;
  return object;
}

void addClusters(Json& object, const ClusterCounts& counts) {
  object["clusters"] = counts.clusters;
  object["core"] = counts.coreCount;
  object["border"] = counts.borderCount;
  object["noise"] = counts.noiseCount;
}

double JoinFigures::selectivity() const {
  const double self = twoClouds ? 0 : double(points);
  return (double(pairs) - self) / double(points);
}

void addFigures(Json& object, const JoinFigures& figures) {
  object["pairs"] = figures.pairs;
  object["selectivity"] = figures.selectivity();
  object["candidates"] = figures.candidates;
}

Result<void> printJson(const Json& object) {
  // File names may hold bytes that are not UTF-8; they must not stop the output.
  return printLine(object.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace clusterloom::cli
