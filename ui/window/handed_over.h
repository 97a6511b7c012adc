#pragma once

#include <QString>
#include <QStringList>
#include <functional>

namespace clusterloom {

class MainWindow;

/// Takes the files, at least one, that another process was called with: brings the window to the
/// front and opens them like files that are dropped. Where something is open or being read already,
/// asks whether to open them here, in another window (by `elsewhere`) or not at all. False, and
/// nothing is done, while a dialog waits for an answer.
bool takeHandedOver(MainWindow& window, const QStringList& paths,
                    const std::function<void(const QStringList&)>& elsewhere);

}  // namespace clusterloom
