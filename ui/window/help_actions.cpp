#include "ui/window/help_actions.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

#include "ui/dialogs/help_dialogs.h"
#include "ui/guide/guide_window.h"
#include "ui/session/cluster_run.h"
#include "ui/session/session.h"
#include "ui/widgets/form.h"
#include "ui/window/window_actions.h"

namespace clusterloom {

HelpActions::HelpActions(WindowActions& actions, Session& session)
    : QObject(&actions.window()), actions_(actions) {
  QMainWindow* window = &actions.window();
  QMenu* menu = actions.addMenu(tr("&Help"));
  actions.add(menu, "guide", tr("&User's guide"), QStringLiteral("guide"), {QKeySequence(tr("F1"))},
              {}, [this] { showGuide(); });
  actions.add(menu, "shortcuts", tr("&Keyboard shortcuts"), QStringLiteral("keyboard"),
              {QKeySequence(tr("Shift+F1"))}, {},
              [window] { deletedOnClose(new ShortcutsDialog(window->actions(), window))->open(); });
  actions.add(menu, "lessons", tr("&Lessons"), {}, {QKeySequence(tr("Ctrl+F1"))},
              tr("Learn why warps idle and what helps, in short lessons"),
              [this] { Q_EMIT lessonsRequested(); });
  actions.add(
      menu, "about", tr("&About Clusterloom"), QStringLiteral("info"), {}, {}, [window, &session] {
        deletedOnClose(new AboutDialog(session.clusterRun().backendDescription(), window))->open();
      });
  actions.add(menu, "aboutQt", tr("About &Qt"), {}, {}, {}, [] { QApplication::aboutQt(); });
  addMenuKeys();
}

void HelpActions::addMenuKeys() {
  // Qt opens the menus for Alt alone, which many window managers take.
  actions_.addHidden("openMenus", tr("Open the menus"), Qt::Key_F10, [this] {
    QMenuBar* bar = actions_.window().menuBar();
    if (bar->isVisible()) bar->setActiveAction(bar->actions().front());
  });
  // The other key for the context menu of the focus widget, which Qt does not handle everywhere.
  actions_.addHidden(
      "openMenuHere", tr("Open the menu of the focused widget"), Qt::SHIFT | Qt::Key_F10, [] {
        QWidget* const focus = QApplication::focusWidget();
        if (focus == nullptr) return;
        const QPoint at = focus->rect().center();
        QContextMenuEvent event(QContextMenuEvent::Keyboard, at, focus->mapToGlobal(at));
        QCoreApplication::sendEvent(focus, &event);
      });
}

void HelpActions::showGuide() {
  if (guide_ == nullptr) guide_ = new GuideWindow(&actions_.window());
  guide_->show();
  guide_->raise();
  guide_->activateWindow();
}

}  // namespace clusterloom
