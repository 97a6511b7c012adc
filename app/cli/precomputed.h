#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <string>
#include <string_view>

#include "app/cli/json_output.h"
#include "engine/cloud/sparse_distances.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom::cli {

// Functions of cluster and hdbscan for --metric precomputed, with which FILE is a sparse matrix of
// distances (engine/io/read_distances.h).

/// The distances of the call, with the seconds it took to read them.
struct DistancesInput {
  std::string path;
  SparseDistances distances;
  double seconds = 0;
};

/// Reads FILE. `possible`: the options, besides FILE and --metric, that mean something for given
/// distances; the call may have no others. BadCall, else those of readDistances.
Result<DistancesInput> readDistancesOf(const CLI::App& parser,
                                       std::initializer_list<std::string_view> possible,
                                       const std::string& path, const Task& task);

/// BadCall for an output with coordinates, such as labelled points as CSV.
tl::unexpected<Error> labelsNeedPoints(const std::string& labels);

/// "points", with the number of distances: the first line of a summary.
std::string distancesLine(const SparseDistances& distances);

/// The fields file points distances metric.
Json distancesHeader(const DistancesInput& input);

}  // namespace clusterloom::cli
