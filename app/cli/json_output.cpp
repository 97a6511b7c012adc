#include "app/cli/json_output.h"

#include "app/cli/console.h"

namespace clusterloom::cli {

Json runHeader(const Dataset& data, double eps) {
  Json object;
  object["file"] = data.source.path;
  object["points"] = data.cloud.size();
  object["dims"] = data.cloud.dims();
  object["skipped"] = data.skippedRows.size();
  object["eps"] = eps;
  return object;
}

void addStory(Json& object, const RunStory& story) {
  object["index_dims"] = story.indexedDims;
  object["backend"] = story.backend;
  object["threads"] = story.threads;
  object["strategy"] = story.strategy;
  if (story.cells > 0) object["cells"] = story.cells;
  if (story.batches > 0) object["batches"] = story.batches;
  if (story.distanceCalculations > 0) object["distance_calculations"] = story.distanceCalculations;
  if (!story.note.empty()) object["note"] = story.note;
}

void addClusters(Json& object, const Clustering& clustering) {
  object["clusters"] = clustering.clusters;
  object["core"] = clustering.coreCount;
  object["border"] = clustering.borderCount;
  object["noise"] = clustering.noiseCount;
}

double selectivityOf(const NeighbourCounts& counts) {
  const double points = static_cast<double>(counts.counts.size());
  return (static_cast<double>(counts.pairs) - points) / points;
}

void addCounts(Json& object, const NeighbourCounts& counts) {
  object["pairs"] = counts.pairs;
  object["selectivity"] = selectivityOf(counts);
  object["candidates"] = counts.candidates;
}

Result<void> printJson(const Json& object) {
  // File names may hold bytes that are not UTF-8; they must not stop the output.
  return printLine(object.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace clusterloom::cli
