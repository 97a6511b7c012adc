#pragma once

#include <QString>
#include <optional>

#include "engine/hierarchy/hdbscan.h"
#include "ui/session/session_state.h"

namespace clusterloom {

/// The `clusterloom-cli` call that clusters the same data in the same way, for a POSIX shell: every
/// option that differs from its default, arguments quoted where needed, doubles in the shortest
/// digits that read back to the same bits. A generated cloud is generated first (joined by `&&`).
/// Empty without data. `taken`: the options of HDBSCAN*, where the clusters are its.
QString commandLineOf(const SessionState& state, const std::optional<HdbscanOptions>& taken = {});

/// A batch script for Slurm that does the same on a cluster of machines: as many ranks as the job
/// has tasks, each with the threads of a task, write the labels of the file as NPY beside it.
/// Options that ranks do not support are left out, and comments name them. Empty without data.
QString batchScriptOf(const SessionState& state, const std::optional<HdbscanOptions>& taken = {});

/// `argument` quoted for a POSIX shell; plain words are unchanged.
QString shellQuoted(const QString& argument);

}  // namespace clusterloom
