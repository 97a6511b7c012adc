#pragma once

#include <QString>

#include "ui/session/session_state.h"

namespace clusterloom {

/// The `clusterloom-cli` call that clusters the same data in the same way, for a POSIX shell: every
/// option that differs from its default, arguments quoted where needed, doubles in the shortest
/// digits that read back to the same bits. A generated cloud is generated first (joined by `&&`).
/// Empty without data.
QString commandLineOf(const SessionState& state);

/// `argument` quoted for a POSIX shell; plain words stay as they are.
QString shellQuoted(const QString& argument);

}  // namespace clusterloom
