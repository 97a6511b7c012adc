#include "ui/window/window_actions.h"

#include <QAction>
#include <QDialog>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <utility>

#include "ui/session/session_data.h"
#include "ui/theme/icons.h"

namespace clusterloom {

QMenu* WindowActions::addMenu(const QString& title) { return window_.menuBar()->addMenu(title); }

QAction* WindowActions::add(QMenu* menu, const char* name, const QString& text, const QString& icon,
                            const QList<QKeySequence>& shortcuts, const QString& toolTip,
                            std::function<void()> run) {
  auto* made = new QAction(text, &window_);
  made->setObjectName(QLatin1String(name));
  if (!icon.isEmpty()) made->setIcon(themedIcon(icon));
  made->setShortcuts(shortcuts);
  if (!toolTip.isEmpty()) {
    const QString key =
        shortcuts.isEmpty()
            ? QString()
            : QStringLiteral(" (%1)").arg(shortcuts.front().toString(QKeySequence::NativeText));
    made->setToolTip(toolTip + key);
    made->setStatusTip({});
  }
  if (run) QObject::connect(made, &QAction::triggered, &window_, [run = std::move(run)] { run(); });
  menu->addAction(made);
  window_.addAction(made);
  return made;
}

QAction* WindowActions::addHidden(const char* name, const QString& text,
                                  const QKeySequence& shortcut, std::function<void()> run) {
  auto* made = new QAction(text, &window_);
  made->setObjectName(QLatin1String(name));
  made->setShortcut(shortcut);
  QObject::connect(made, &QAction::triggered, &window_, [run = std::move(run)] { run(); });
  window_.addAction(made);
  return made;
}

QAction* WindowActions::find(const char* name) const {
  return window_.findChild<QAction*>(QLatin1String(name));
}

void closeWithData(QDialog& dialog, const SessionData& data) {
  dialog.setAttribute(Qt::WA_DeleteOnClose);
  QObject::connect(&data, &SessionData::dataAboutToChange, &dialog, &QDialog::reject);
  QObject::connect(&data, &SessionData::partialChanged, &dialog, [&data, &dialog] {
    if (data.partial()) dialog.reject();
  });
}

}  // namespace clusterloom
