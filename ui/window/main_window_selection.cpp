// The menu of selections: tools that draw outlines, and what is done with selected points.
#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>

#include "ui/session/selected_points.h"
#include "ui/theme/icons.h"
#include "ui/view/cloud_view.h"
#include "ui/view/view_pointer.h"
#include "ui/window/main_window.h"

namespace clusterloom {

void MainWindow::makeSelectionMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&Selection"));
  const QString within =
      tr("Selects all points within the outline, also those that others cover; points of hidden "
         "clusters are left out. Ctrl adds to the selection.");
  toolGroup_ = new QActionGroup(this);
  const struct {
    const char* name;
    QString text;
    QString icon;
    QString key;
    QString toolTip;
    PointerTool tool;
  } tools[] = {
      {"moveTool", tr("&Move the view"), {}, tr("V"), {}, PointerTool::Move},
      {"selectRectangle", tr("Select a &rectangle"), QStringLiteral("select-rectangle"), tr("R"),
       tr("Drag a rectangle (or Shift+drag at any time).") + QLatin1Char(' ') + within,
       PointerTool::Rectangle},
      {"selectLasso", tr("Select with a &lasso"), QStringLiteral("select-lasso"), tr("L"),
       tr("Drag a free outline.") + QLatin1Char(' ') + within, PointerTool::Lasso}};
  for (const auto& tool : tools) {
    QAction* made = addAction(menu, tool.name, tool.text, tool.icon, {QKeySequence(tool.key)},
                              tool.toolTip, [this, which = tool.tool] {
                                view_->setTool(which);
                                view_->setFocus(Qt::OtherFocusReason);
                              });
    made->setCheckable(true);
    toolGroup_->addAction(made);
  }
  action("moveTool")->setChecked(true);
  menu->addSeparator();
  addAction(menu, "invertSelection", tr("&Invert selection"), {}, {QKeySequence(tr("Ctrl+I"))},
            tr("Select the points that are not selected"),
            [this] { session_.selectedPoints().invert(); });
  addAction(menu, "clearSelection", tr("Clear selectio&n"), {}, {QKeySequence(tr("Ctrl+D"))}, {},
            [this] { session_.setSelection({}); });
}

void MainWindow::showSelectionState() {
  const bool data = bool(session_.data().dataset());
  const bool any = session_.selectedPoints().isAny();
  for (QAction* tool : toolGroup_->actions()) tool->setEnabled(data);
  action("invertSelection")->setEnabled(any);
  for (const char* name : {"zoomToSelection", "clearSelection"})
    action(name)->setEnabled(any || session_.selection().point >= 0);
}

}  // namespace clusterloom
