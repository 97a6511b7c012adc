#pragma once

#include <QString>

#include "render/paint/theme.h"

namespace clusterloom {

class Session;

/// The meaning of the colours of the points where they are few (roles and categories), as rich
/// text; empty otherwise.
QString colourKeyText(const Session& session, Background background);

}  // namespace clusterloom
