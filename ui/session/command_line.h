#pragma once

#include <QString>
#include <optional>

#include "engine/hierarchy/hdbscan.h"
#include "ui/session/session_state.h"

namespace clusterloom {

/// The `clusterloom-cli` call that clusters the same data in the same way, for a POSIX shell: every
/// option that differs from its default, arguments quoted where needed, doubles in the shortest
/// digits that read back to the same bits. A generated cloud is generated first (joined by `&&`).
/// Empty without data. `taken`: the clusters are those that HDBSCAN* takes so.
QString commandLineOf(const SessionState& state, const std::optional<HdbscanOptions>& taken = {});

/// A batch script for Slurm that does the same on a cluster of machines: as many ranks as the job
/// has tasks, each with the threads of a task, write the labels of the file as NPY beside it. What
/// ranks cannot do is left out, and comments say so. Empty without data.
QString batchScriptOf(const SessionState& state, const std::optional<HdbscanOptions>& taken = {});

/// `argument` quoted for a POSIX shell; plain words stay as they are.
QString shellQuoted(const QString& argument);

}  // namespace clusterloom
