#include "app/python/run_record.h"

namespace clusterloom::python {

namespace py = pybind11;

namespace {

py::dict describePass(const SharedPass& pass) {
  py::dict told;
  told["stage"] = pass.stage;
  told["division"] = pass.division;
  told["start"] = pass.start;
  told["gpu_seconds"] = pass.gpuEnd;
  told["cpu_seconds"] = pass.cpuEnd;
  told["imbalance"] = pass.imbalance;
  told["queries"] = pass.queries;
  told["gpu_share_of_queries"] = pass.gpuQueries;
  told["gpu_share_of_candidates"] = pass.gpuCandidates;
  if (pass.predictedShare >= 0) told["predicted_gpu_share"] = pass.predictedShare;
  if (pass.forecast) {
    py::dict model;
    model["reference_eps"] = pass.forecast->referenceEps;
    model["volume_ratio"] = pass.forecast->volumeRatio;
    model["gpu_alone_seconds"] = pass.forecast->gpuAlone;
    model["cpu_alone_seconds"] = pass.forecast->cpuAlone;
    model["predicted_seconds"] = pass.forecast->together;
    model["measured_seconds"] = pass.end();
    told["model"] = model;
  }
  return told;
}

py::dict describeSet(const QuerySetStats& set) {
  py::dict told;
  told["stage"] = set.stage;
  told["set"] = set.set;
  told["device"] = set.device;
  told["queries"] = set.queries;
  told["candidates"] = set.candidates;
  told["start"] = set.start;
  told["seconds"] = set.seconds;
  return told;
}

}  // namespace

void addDivision(py::dict& run, const RunStats& stats) {
  py::list passes;
  for (const SharedPass& pass : stats.passes) passes.append(describePass(pass));
  run["passes"] = passes;
  py::list sets;
  for (const QuerySetStats& set : stats.querySets) sets.append(describeSet(set));
  run["query_sets"] = sets;
}

}  // namespace clusterloom::python
