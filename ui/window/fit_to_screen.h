#pragma once

class QWidget;

namespace clusterloom {

/// Makes a window that is not shown yet no larger, with its title bar, than the area of its screen
/// that is free. Maximised windows and those that fill the screen stay as they are.
void fitToScreen(QWidget& window);

}  // namespace clusterloom
