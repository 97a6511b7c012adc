#pragma once

#include <QString>

namespace clusterloom {

class Session;

/// What a chart of the hierarchy says while there is none: that `what` appears, or why it cannot.
QString everyEpsText(const Session& session, const QString& what);

}  // namespace clusterloom
