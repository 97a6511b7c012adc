#pragma once

#include <QString>
#include <QStringList>
#include <functional>

#include "ui/words/qt_classes.h"

namespace clusterloom {

/// Asks whether to export to `path` although its format cannot hold all of it: `losses` says what
/// would be lost, one sentence each, and `anyway` is called to export with the loss. Window modal;
/// returns at once.
QMessageBox* askForLoss(QWidget* parent, const QString& path, const QStringList& losses,
                        std::function<void()> anyway);

}  // namespace clusterloom
