#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "app/cli/input_options.h"
#include "app/cli/json_output.h"
#include "engine/cloud/dataset.h"
#include "engine/cloud/scaling.h"
#include "engine/cloud/space.h"

namespace clusterloom::cli {

/// Adds --metric, --period and --geographic, which also names the coordinate columns of `input`.
/// `precomputed`, if given: --metric may be precomputed (precomputed.h), and whether it is.
void addSpaceOptions(CLI::App& parser, Space& space, InputOptions& input,
                     bool* precomputed = nullptr);

/// Adds --metric, of all metrics but that of given distances.
void addMetric(CLI::App& parser, Space& space);

/// Adds --metric and --period. `what` is limited in a box: "K" of knn.
void addMetricAndPeriod(CLI::App& parser, Space& space, const std::string& what,
                        bool* precomputed = nullptr);

/// Refuses latitudes that are none and points without a direction, among the scaled points of a
/// data set. The backend would do so without the file and its rows.
Result<void> checkRows(const Space& space, const Dataset& data, const PointCloud& cloud);

/// Whether ranks can divide the points of a space: by Euclidean, Manhattan or Chebyshev distances.
bool isForRanks(const Space& space);

/// BadCall in a call that several processes share, for another space than the Euclidean one and
/// that of cosine distances, whose points each process turns into unit vectors. Where they divide
/// the points, every space is possible that isForRanks.
Result<void> checkSpaceOfRanks(const Space& space, bool divided = false);

/// Adds metric, period, or sphere_radius; nothing for a Euclidean space.
void addSpace(Json& object, const Space& space);

/// The line of a summary, with a line break; empty for a Euclidean space.
std::string spaceLine(const Space& space);

}  // namespace clusterloom::cli
