#pragma once

class QWidget;

namespace clusterloom {

/// Makes a window that is not shown yet no larger, with its title bar, than the area of its screen
/// that is free. Maximised and full-screen windows are unchanged.
void fitToScreen(QWidget& window);

}  // namespace clusterloom
