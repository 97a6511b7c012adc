#pragma once

#include <memory>

#include "engine/core/task.h"
#include "engine/io/partial_read.h"
#include "ui/session/session_load.h"

namespace clusterloom {

// The steps of jobs from a file to a cloud that can be clustered.

/// The data set of a request, with the hash of its file. `partial` receives samples while the file
/// is read. Errors of readDataset and generate.
Result<Dataset> readOrGenerate(const OpenRequest& request, const Task& task,
                               const PartialReads& partial = {});

/// BadInput when `points` names points that the data set does not have.
Result<void> checkPoints(const PointSet& points, const Dataset& whole);

/// A message that the file of a cloud has changed since its session was saved; empty where it has
/// not.
QString changeOf(const CloudState& saved, const Dataset& whole);

/// Remarks on columns that were read by default in a way that a person may not expect, a sentence
/// each: those that were not taken as coordinates, row numbers among them, and Dataset::remarks.
QStringList columnRemarks(const Dataset& whole);

/// The cloud that `choice` makes of a data set. On a sphere the names of the cloud give the order
/// of its coordinates (inOrderOfNames). Errors of makeScaling, validate, checkSpace and weightsOf;
/// Cancelled.
Result<ReadyCloud> readyCloud(const std::shared_ptr<const Dataset>& whole,
                              const CloudChoice& choice, const Task& task);

}  // namespace clusterloom
