#pragma once

#include <QIcon>
#include <QString>

namespace clusterloom {

/// Makes the icons' resources known; style sheets name some of them.
void initialiseIcons();

/// One of the line icons of resources/icons ("open", "undo", …), drawn in the text colour of the
/// application's palette at the time of painting: it follows the theme and any pixel ratio.
QIcon themedIcon(const QString& name);

/// An icon that keeps its own colours ("clusterloom", "sample-blobs").
QIcon colouredIcon(const QString& name);

}  // namespace clusterloom
