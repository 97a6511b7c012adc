#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "engine/backend.h"
#include "engine/cloud/space.h"
#include "engine/core/metric.h"
#include "engine/core/run_stats.h"
#include "engine/join/strategy.h"
#include "engine/run_json.h"

namespace clusterloom::python {

/// Where and how joins and DBSCAN run: a backend and a strategy.
struct Engine {
  std::shared_ptr<const Backend> backend;
  Space space;  ///< of the backend
  Strategy strategy;
  int threads = 0;  ///< of the CPU; 0: all
};

/// Adds Engine: its construction, joins, DBSCAN and the load of warps.
void addEngine(pybind11::module_& module);
/// Adds what is asked of HDBSCAN* (HdbscanCall, for the next and for addGraphs) and what its trees
/// are made from.
void addHdbscan(pybind11::module_& module);
/// Adds Hierarchy with HDBSCAN*, nearest neighbours and k-distances.
void addHierarchy(pybind11::module_& module);
/// Adds DBCV, stability by resampling, and the agreement of labels.
void addValidity(pybind11::module_& module);
/// Adds forecasts of joins, and what DBSCAN finds for every minPts.
void addPlans(pybind11::module_& module);
/// Adds the labels of new points by the clusters of others.
void addLabels(pybind11::module_& module);
/// Adds DBSCAN and HDBSCAN* of neighbours and distances that the caller computed.
void addGraphs(pybind11::module_& module);
/// Adds DBSCAN in blocks: its division, the clusters of a block, and their merging.
void addBlocks(pybind11::module_& module);

/// The metric of that name. Raises ValueError.
Metric metricOf(const std::string& name);

/// Seconds of a call of the engine from Python, as a clock outside of the engine shows them.
struct RunTimes {
  double call = 0;           ///< the engine's call itself
  double callProcessor = 0;  ///< the same in processor seconds of all threads of the process
};

/// A description of the engine as dictionaries and lists.
pybind11::object fromJson(const Json& told);

/// What a run did, as a dictionary.
pybind11::dict describeRun(const RunStats& stats, const RunTimes& times);

}  // namespace clusterloom::python
