#include "ui/window/help_actions.h"

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include "engine/version.h"
#include "ui/guide/guide_window.h"
#include "ui/session/cluster_run.h"
#include "ui/session/session.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/form.h"
#include "ui/window/window_actions.h"

namespace clusterloom {

HelpActions::HelpActions(WindowActions& actions, Session& session)
    : QObject(&actions.window()), actions_(actions) {
  QMenu* menu = actions.addMenu(tr("&Help"));
  actions.add(menu, "guide", tr("&User's guide"), QStringLiteral("guide"), {QKeySequence(tr("F1"))},
              {}, [this] { showGuide(); });
  actions.add(menu, "shortcuts", tr("&Keyboard shortcuts"), QStringLiteral("keyboard"),
              {QKeySequence(tr("Shift+F1"))}, {}, [this] { showShortcuts(); });
  actions.add(menu, "lessons", tr("&Lessons"), {}, {QKeySequence(tr("Ctrl+F1"))},
              tr("Learn why warps idle and what helps, in short lessons"),
              [this] { Q_EMIT lessonsRequested(); });
  actions.add(menu, "about", tr("&About Clusterloom"), QStringLiteral("info"), {}, {},
              [this, &session] { showAbout(session.clusterRun().backendDescription()); });
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

void HelpActions::showAbout(const QString& backend) {
  auto* dialog = named("aboutDialog", deletedOnClose(new QDialog(&actions_.window())));
  dialog->setWindowTitle(tr("About Clusterloom"));
  auto* icon = new QLabel(dialog);
  icon->setPixmap(colouredIcon(QStringLiteral("clusterloom"))
                      .pixmap(QSize(80, 80), dialog->devicePixelRatioF()));
  auto* text = new QLabel(dialog);
  text->setTextFormat(Qt::RichText);
  text->setWordWrap(true);
  text->setMinimumWidth(fontScaled(360));
  text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  text->setText(
      tr("<h2>Clusterloom %1</h2><p>Explore density-based clusters in point clouds: exact DBSCAN "
         "while ε is dragged, the grid that found the clusters, and what it cost.</p><p>Joins run "
         "on: %2</p><p>Made with Qt %3 and VTK. BSD-3-Clause licence.</p>")
          .arg(QString::fromLatin1(kVersion), backend.toHtmlEscaped(),
               QString::fromLatin1(qVersion())));
  auto* row = new QHBoxLayout;
  row->setSpacing(18);
  row->addWidget(icon, 0, Qt::AlignTop);
  row->addWidget(text, 1);
  auto* buttons = dialogButtons(dialog, QDialogButtonBox::Close);
  buttons->button(QDialogButtonBox::Close)->setDefault(true);
  auto* layout = spaced(new QVBoxLayout(dialog), {20, 20, 20, 14}, 14);
  layout->addLayout(row);
  layout->addWidget(buttons);
  dialog->open();
}

void HelpActions::showShortcuts() {
  QWidget* window = &actions_.window();
  auto* dialog = named("shortcutsDialog", deletedOnClose(new QDialog(window)));
  dialog->setWindowTitle(tr("Keyboard shortcuts"));
  const QSize size(fontScaled(560), fontScaled(620));
  dialog->resize(size.boundedTo(window->size()));
  auto* table = new QTableWidget(dialog);
  table->setAccessibleName(tr("Keyboard shortcuts"));
  table->setColumnCount(2);
  table->setHorizontalHeaderLabels({tr("Key"), tr("What it does")});
  table->verticalHeader()->hide();
  table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 8);
  table->horizontalHeader()->setStretchLastSection(true);
  table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setShowGrid(false);
  table->setAlternatingRowColors(true);
  table->setTabKeyNavigation(false);
  table->setColumnWidth(0, fontScaled(200));
  const auto add = [table](const QString& key, const QString& text) {
    const int row = table->rowCount();
    table->insertRow(row);
    table->setItem(row, 0, new QTableWidgetItem(key));
    table->setItem(row, 1, new QTableWidgetItem(text));
  };
  for (const QAction* action : window->actions()) {
    if (action->shortcut().isEmpty()) continue;
    QString text = action->text();
    text.remove(QLatin1Char('&')).remove(QStringLiteral("…"));
    QStringList keys;
    for (const QKeySequence& key : action->shortcuts()) {
      // Qt gives some actions keys of old keyboards, such as F14, too.
      const int code = key[0].key();
      if (code <= Qt::Key_F12 || code > Qt::Key_F35) keys << key.toString(QKeySequence::NativeText);
    }
    add(keys.join(QStringLiteral(", ")), text);
  }
  add(tr("Arrows"), tr("View: rotate (pan in 2-D)"));
  add(tr("+ and −"), tr("View: zoom"));
  add(tr("Home"), tr("View: show everything"));
  add(tr("Escape"), tr("View: clear the selection"));
  add(tr("Shift+drag"), tr("View: select the points in a rectangle (with Ctrl: add them)"));
  add(tr("Ctrl+drag"), tr("View: move"));
  add(tr("Double click"), tr("View: rotate about the point (3-D)"));
  add(tr("Menu, Shift+F10"), tr("View: menu"));
  add(tr("Left, Right"), tr("ε slider: about 1 %"));
  add(tr("Page Up, Page Down"), tr("ε slider: large steps"));
  add(tr("Up, Down"), tr("ε box: about 1 %"));
  add(tr("Return"), tr("Clusters: zoom to the row; runs: use again; chart: show its values"));
  add(tr("Space"), tr("Clusters: check or uncheck to show or hide"));
  auto* buttons = dialogButtons(dialog, QDialogButtonBox::Close);
  auto* layout = spaced(new QVBoxLayout(dialog), {14, 14, 14, 12});
  layout->addWidget(table, 1);
  layout->addWidget(buttons);
  dialog->open();
}

}  // namespace clusterloom
