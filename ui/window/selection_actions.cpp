#include "ui/window/selection_actions.h"

#include <QAction>
#include <QActionGroup>
#include <QFileDialog>
#include <QMainWindow>
#include <QMenu>

#include "engine/io/format_table.h"
#include "ui/dialogs/cluster_selection_dialog.h"
#include "ui/panels/selection_panel.h"
#include "ui/session/selected_points.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/view/cloud_view.h"
#include "ui/view/view_pointer.h"
#include "ui/window/window_actions.h"
#include "ui/words/engine_words.h"

namespace clusterloom {

SelectionActions::SelectionActions(WindowActions& actions, Session& session, CloudView& view,
                                   SelectionPanel& panel, UsedFolders& folders)
    : QObject(&actions.window()),
      actions_(actions),
      session_(session),
      view_(view),
      folders_(folders),
      tools_(new QActionGroup(this)) {
  QMenu* menu = actions_.addMenu(tr("&Selection"));
  addTools(*menu);
  menu->addSeparator();
  actions_.add(menu, "invertSelection", tr("&Invert selection"), {}, {QKeySequence(tr("Ctrl+I"))},
               tr("Select the points that are not selected"),
               [this] { session_.selectedPoints().invert(); });
  actions_.add(menu, "clearSelection", tr("Clear selectio&n"), {}, {QKeySequence(tr("Ctrl+D"))}, {},
               [this] { session_.setSelection({}); });
  menu->addSeparator();
  actions_.add(menu, "keepSelection", tr("&Keep only the selection"), {},
               {QKeySequence(tr("Ctrl+K"))},
               tr("Later runs leave out the other points; undo brings them back"),
               [this] { session_.selectedPoints().keepOnly(); });
  actions_.add(menu, "removeSelection", tr("Remo&ve the selection"), {},
               {QKeySequence(tr("Ctrl+Delete"))},
               tr("Later runs leave out the selected points; undo brings them back"),
               [this] { session_.selectedPoints().remove(); });
  actions_.add(menu, "restorePoints", tr("Re&store removed points"), {},
               {QKeySequence(tr("Ctrl+Shift+K"))}, tr("All points take part in runs again"),
               [this] { session_.selectedPoints().restoreAll(); });
  menu->addSeparator();
  actions_.add(menu, "clusterSelection", tr("Cluster the selection &only…"), {},
               {QKeySequence(tr("Ctrl+R"))},
               tr("Cluster the selected points on their own, with their own ε and minPts"),
               [this] { showClusterSelection(); });
  actions_.add(menu, "clusterAlike", tr("Cluster &all points alike"), {},
               {QKeySequence(tr("Ctrl+Shift+R"))},
               tr("No selection is clustered on its own any more; undo takes it back"),
               [this] { session_.clearRefinements(); });
  // One word is enough there: the panel is about the selection.
  panel.addActions({{actions_.find("keepSelection"), tr("Keep")},
                    {actions_.find("removeSelection"), tr("Remove")},
                    {actions_.find("clusterSelection"), tr("Cluster")}});
}

void SelectionActions::addTools(QMenu& menu) {
  const QString within =
      tr("Selects all points within the outline, also those behind others; points of hidden "
         "clusters are left out. Ctrl adds to the selection.");
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
    QAction* made = actions_.add(&menu, tool.name, tool.text, tool.icon, {QKeySequence(tool.key)},
                                 tool.toolTip, [this, which = tool.tool] {
                                   view_.setTool(which);
                                   view_.setFocus(Qt::OtherFocusReason);
                                 });
    made->setCheckable(true);
    tools_->addAction(made);
  }
  actions_.find("moveTool")->setChecked(true);
}

void SelectionActions::showClusterSelection() {
  if (auto* open = actions_.window().findChild<ClusterSelectionDialog*>())
    return open->activateWindow();
  auto* dialog = new ClusterSelectionDialog(session_, &actions_.window());
  closeWithData(*dialog, session_.data());
  connect(dialog, &ClusterSelectionDialog::exportRequested, this, [this, dialog] {
    const auto trial = session_.selectedPoints().trial();
    if (!trial) return;
    QStringList filters;
    for (const FileFormat& format : fileFormats())
      if (format.isWritten())
        filters << QStringLiteral("%1 (*%2 *%2.gz *%2.zst)")
                       .arg(engineText(format.exportTitle),
                            QString::fromStdString(format.extensions.front()));
    auto* target = new QFileDialog(dialog, tr("Export the selected points"), folders_.forExports());
    target->setAcceptMode(QFileDialog::AcceptSave);
    target->setNameFilters(filters);
    target->setDefaultSuffix(QStringLiteral("csv"));
    target->selectFile(tr("selection.csv"));
    closeWithData(*target, session_.data());
    connect(target, &QFileDialog::fileSelected, this, [this, trial](const QString& path) {
      if (trial != session_.selectedPoints().trial()) return;  // other points are chosen by now
      session_.files().exportPoints(path, trial->points, trial->clustering, false, ExportLoss::Ask);
    });
    target->open();
  });
  dialog->QDialog::show();
}

void SelectionActions::showState(bool data) {
  const bool any = data && session_.selectedPoints().isAny();
  const bool anything = data && session_.selectedPoints().isAnything();
  for (QAction* tool : tools_->actions()) tool->setEnabled(data);
  for (const char* name : {"invertSelection", "keepSelection", "removeSelection"})
    actions_.find(name)->setEnabled(anything);
  actions_.find("clusterSelection")->setEnabled(any);
  const auto cloud = session_.data().cloud();
  actions_.find("turnAbout")
      ->setEnabled((session_.selection().point >= 0 || session_.selection().row) && cloud &&
                   cloud->dims() > 2 && !session_.display().flat);
  actions_.find("restorePoints")->setEnabled(data && session_.parameters().kept);
  actions_.find("clusterAlike")->setEnabled(data && !session_.parameters().refinements.empty());
  const bool isPicked = data && session_.selection().point >= 0;
  actions_.find("zoomToSelection")->setEnabled(anything || isPicked);
  actions_.find("clearSelection")
      ->setEnabled(anything || isPicked || (data && session_.selection().row));
}

}  // namespace clusterloom
