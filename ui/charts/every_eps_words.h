#pragma once

#include <QString>

namespace clusterloom {

class Session;

/// What a chart of the hierarchy says while there is none: that `what` appears, or why it cannot.
QString everyEpsText(const Session& session, const QString& what);

/// What a chart says while it is empty, where its content is of Euclidean distances: `text`, or in
/// another space that nothing comes.
QString emptyText(const Session& session, const QString& text);

/// The same where its content is of neighbours that are counted: nothing comes for points with
/// weights either.
QString emptyCountsText(const Session& session, const QString& text);

}  // namespace clusterloom
