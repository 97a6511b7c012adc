#pragma once

#include <QString>

#include "ui/session/session_state.h"

namespace clusterloom {

/// The `clusterloom-cli` call that clusters the same data in the same way, for a POSIX shell: every
/// option that differs from its default, arguments quoted where needed, doubles in the shortest
/// digits that read back to the same bits. A generated cloud is generated first (joined by `&&`).
/// Empty without data.
QString commandLineOf(const SessionState& state);

/// A batch script for Slurm that does the same on a cluster of machines: as many ranks as the job
/// has tasks, each with the threads of a task, write the labels of the file as NPY beside it. What
/// ranks cannot do is left out, and comments say so. Empty without data.
QString batchScriptOf(const SessionState& state);

/// `argument` quoted for a POSIX shell; plain words stay as they are.
QString shellQuoted(const QString& argument);

}  // namespace clusterloom
