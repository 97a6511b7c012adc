#include "engine/run_json.h"

#include <utility>

#include "engine/distributed/rank_record.h"

namespace clusterloom {
namespace {

Json describePass(const SharedPass& pass) {
  Json object;
  object["stage"] = pass.stage;
  object["division"] = pass.division;
  object["start"] = pass.start;
  object["gpu_seconds"] = pass.gpuEnd;
  object["cpu_seconds"] = pass.cpuEnd;
  object["imbalance"] = pass.imbalance;
  object["queries"] = pass.queries;
  object["meeting"] = pass.meeting;
  object["gpu_share_of_queries"] = pass.gpuQueries;
  object["gpu_share_of_candidates"] = pass.gpuCandidates;
  if (pass.predictedShare >= 0) object["predicted_gpu_share"] = pass.predictedShare;
  if (pass.forecast)
    object["model"] = {{"reference_eps", pass.forecast->referenceEps},
                       {"volume_ratio", pass.forecast->volumeRatio},
                       {"gpu_alone_seconds", pass.forecast->gpuAlone},
                       {"cpu_alone_seconds", pass.forecast->cpuAlone},
                       {"predicted_seconds", pass.forecast->together},
                       {"measured_seconds", pass.end()}};
  Json batches = Json::array();
  for (const SharedBatch& batch : pass.batches) {
    Json one = {{"processor", batch.processor == Processor::Gpu ? "gpu" : "cpu"},
                {"lane", batch.lane},
                {"start", batch.start},
                {"end", batch.end},
                {"first_query", batch.firstQuery},
                {"queries", batch.queries},
                {"candidates", batch.candidates}};
    if (batch.processor == Processor::Gpu) {
      one["transfer_seconds"] = batch.transfer;
      one["bytes"] = batch.bytes;
      one["replays"] = batch.replays;
    }
    batches.push_back(std::move(one));
  }
  object["batches"] = std::move(batches);
  return object;
}

// A rank of a join.
Json describeJoin(const RankStats& rank) {
  return {
      {"name", rank.name},
      {"points", rank.points},
      {"candidates", rank.candidates},
      {"batches", rank.batches},
      {"bytes_sent", rank.bytesSent},
      {"seconds",
       {{"index", rank.index}, {"join", rank.join}, {"waiting", rank.waiting}, {"end", rank.end}}}};
}

// A rank of a divided DBSCAN.
Json describeDbscan(const RankStats& rank) {
  const auto in = [&](auto... phases) { return (secondsIn(rank.spans, phases) + ...); };
  Json phases = Json::array();
  for (const RankSpan& span : rank.spans)
    phases.push_back({{"phase", toText(span.phase)},
                      {"activity", toText(span.activity)},
                      {"start", span.begin},
                      {"end", span.end}});
  return {{"host", rank.name},
          {"read", rank.read},
          {"points", rank.points},
          {"ghosts", rank.ghosts},
          {"bytes_sent", rank.bytesSent},
          {"seconds",
           {{"divide", in(RankPhase::Divide, RankPhase::Move, RankPhase::Ghosts)},
            {"cluster", in(RankPhase::Join)},
            {"merge", in(RankPhase::Merge, RankPhase::Number)},
            {"busy", secondsOf(rank.spans, RankActivity::Busy)},
            {"waiting", secondsOf(rank.spans, RankActivity::Waiting)},
            {"moving", secondsOf(rank.spans, RankActivity::Moving)},
            {"total", rank.end}}},
          {"phases", std::move(phases)}};
}

}  // namespace

void addStats(Json& object, const RunStats& stats) {
  object["index_dims"] = stats.indexedDims;
  object["backend"] = stats.backend;
  object["threads"] = stats.threads;
  object["strategy"] = stats.strategy;
  if (stats.cells > 0) object["cells"] = stats.cells;
  if (stats.batches > 0) object["batches"] = stats.batches;
  if (stats.distanceCalculations > 0) object["distance_calculations"] = stats.distanceCalculations;
  for (const BatchPrediction& model : stats.predictions)
    object["batch_model"].push_back({{"join", model.join},
                                     {"predicted_join_seconds", model.predicted},
                                     {"measured_join_seconds", model.measured},
                                     {"t1_seconds", model.joining},
                                     {"workload_ratio", model.volume},
                                     {"theta_seconds", model.perBatch},
                                     {"batches", model.batches},
                                     {"t2_seconds", model.buffers},
                                     {"streams", model.streams}});
  for (const KernelStats& kernel : stats.kernels)
    object["kernels"].push_back({{"name", kernel.name},
                                 {"seconds", kernel.seconds},
                                 {"launches", kernel.launches},
                                 {"registers", kernel.registers},
                                 {"occupancy", kernel.occupancy}});
  if (stats.sharing) {
    const auto by = stats.sharing->by;
    object["sharing"] = {{"by", by == SharingChoice::By::Both  ? "both"
                                : by == SharingChoice::By::Gpu ? "gpu"
                                                               : "cpu"}};
    if (stats.sharing->cpuToGpu > 0) object["sharing"]["cpu_to_gpu"] = stats.sharing->cpuToGpu;
  }
  if (!stats.passes.empty()) {
    Json passes = Json::array();
    for (const SharedPass& pass : stats.passes) passes.push_back(describePass(pass));
    object["passes"] = std::move(passes);
  }
  if (!stats.ranks.empty()) {
    Json ranks = Json::array();
    for (const RankStats& rank : stats.ranks)
      ranks.push_back(rank.spans.empty() ? describeJoin(rank) : describeDbscan(rank));
    object["ranks"] = std::move(ranks);
  }
  for (const QuerySetStats& set : stats.querySets)
    object["query_sets"].push_back({{"stage", set.stage},
                                    {"set", set.set},
                                    {"device", set.device},
                                    {"queries", set.queries},
                                    {"candidates", set.candidates},
                                    {"start", set.start},
                                    {"seconds", set.seconds}});
  if (!stats.note.empty()) object["note"] = stats.note;
}

}  // namespace clusterloom
