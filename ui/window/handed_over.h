#pragma once

#include <QString>
#include <functional>

namespace clusterloom {

class MainWindow;

/// Takes a file that another process was called with: brings the window to the front and opens the
/// file like one that is dropped. Where something is open or being read already, asks whether to
/// open the file here, in another window (by `elsewhere`) or not at all. False, and nothing is
/// done, while a dialog waits for an answer.
bool takeHandedOver(MainWindow& window, const QString& path,
                    const std::function<void(const QString&)>& elsewhere);

}  // namespace clusterloom
