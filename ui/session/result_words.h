#pragma once

#include <QString>

#include "ui/session/parameters.h"

namespace clusterloom {

class ClusterRun;
struct JoinForecast;
struct PartialRead;

/// The part of the data set that `parameters` cluster, where not all points are clustered alike, as
/// "400 of 804 points kept; 120 points clustered on their own with ε 0.1, minPts 5"; empty
/// otherwise. `points`: how many the data set has.
QString subsetText(const Parameters& parameters, std::size_t points);

/// "reading: 200,000 of about 10 M points shown".
QString partialText(const PartialRead& partial);

/// Time, pairs and memory that a join is expected to have, a line each.
QString forecastText(const JoinForecast& join);

/// Which result is on show, as "stopped; showing the result of ε 0.031"; empty when it is that of
/// the parameters.
QString resultText(const ClusterRun& run, const Parameters& parameters);

/// Names the parameters that `output` ("The export", …) takes where the result on show has others;
/// empty when the result is that of the parameters. `takesResult`: the output has the result on
/// show; else the parameters.
QString outputText(const ClusterRun& run, const Parameters& parameters, bool takesResult);

}  // namespace clusterloom
