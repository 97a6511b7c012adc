#pragma once

#include <QString>

namespace clusterloom {

class Session;

/// The text of a chart of the hierarchy while there is none: that `what` will appear, or why it
/// cannot.
QString everyEpsText(const Session& session, const QString& what);

/// The text of an empty chart whose content is of Euclidean distances: `text`, or in another space
/// that it stays empty.
QString emptyText(const Session& session, const QString& text);

/// The same for k-distances, which other spaces may have and points with weights do not.
QString emptyCountsText(const Session& session, const QString& text);

}  // namespace clusterloom
