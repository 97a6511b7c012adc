#pragma once

#include <memory>

#include "engine/core/task.h"
#include "engine/io/partial_read.h"
#include "ui/session/session_load.h"

namespace clusterloom {

// What jobs do to get from a file to a cloud that can be clustered.

/// The data set of a request, with the hash of its file. `partial` takes samples meanwhile. Errors
/// of readDataset and generate.
Result<Dataset> readOrGenerate(const OpenRequest& request, const Task& task,
                               const PartialReads& partial = {});

/// BadInput when points are named that the data set does not have.
Result<void> checkPoints(const PointSet& points, const Dataset& whole);

/// That the file of a cloud is not what it was when its session was saved; empty where it is.
QString changeOf(const CloudState& saved, const Dataset& whole);

/// How columns were read where nobody chose and a person may expect otherwise, a sentence each:
/// which were taken for no coordinates, row numbers among them, and Dataset::remarks.
QStringList columnRemarks(const Dataset& whole);

/// The cloud that `choice` makes of a data set. On a sphere the names of the cloud give the order
/// of its coordinates (inOrderOfNames). Errors of makeScaling, validate, checkSpace and weightsOf;
/// Cancelled.
Result<ReadyCloud> readyCloud(const std::shared_ptr<const Dataset>& whole,
                              const CloudChoice& choice, const Task& task);

}  // namespace clusterloom
