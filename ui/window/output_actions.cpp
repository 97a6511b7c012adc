#include "ui/window/output_actions.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QMessageBox>
#include <QProgressBar>
#include <QProgressDialog>
#include <QPushButton>
#include <QStandardPaths>
#include <utility>

#include "engine/io/format_table.h"
#include "ui/dialogs/export_dialog.h"
#include "ui/dialogs/picture_dialog.h"
#include "ui/panels/message_bar.h"
#include "ui/session/added_points.h"
#include "ui/session/cluster_run.h"
#include "ui/session/file_levels.h"
#include "ui/session/point_set.h"
#include "ui/session/replay.h"
#include "ui/session/result_words.h"
#include "ui/session/selected_points.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/view/cloud_view.h"
#include "ui/view/column_player.h"
#include "ui/view/data_words.h"
#include "ui/widgets/form.h"
#include "ui/window/frame_series.h"
#include "ui/window/window_actions.h"
#include "ui/words/numbers.h"

namespace clusterloom {

OutputActions::OutputActions(WindowActions& actions, Session& session, CloudView& view,
                             MessageBar& messages, UsedFolders& folders,
                             std::function<QByteArray()> viewState)
    : QObject(&actions.window()),
      actions_(actions),
      session_(session),
      view_(view),
      messages_(messages),
      folders_(folders),
      viewState_(std::move(viewState)) {
  connect(&session.files(), &SessionFiles::lossFound, this, &OutputActions::askForLoss);
}

QMainWindow& OutputActions::window() const { return actions_.window(); }

void OutputActions::addTo(QMenu* menu) {
  actions_.add(menu, "saveSession", tr("S&ave session"), QStringLiteral("save"),
               {QKeySequence::Save}, {}, [this] { saveSession(false); });
  actions_.add(menu, "saveSessionAs", tr("Sa&ve session as…"), {},
               {QKeySequence(tr("Ctrl+Shift+S"))}, {}, [this] { saveSession(true); });
  menu->addSeparator();
  actions_.add(menu, "export", tr("&Export…"), QStringLiteral("export"),
               {QKeySequence(tr("Ctrl+E"))},
               tr("Export labelled points, the table of clusters or a picture"),
               [this] { showExportDialog(); });
  actions_.add(
      menu, "savePicture", tr("Save p&icture…"), QStringLiteral("picture"),
      {QKeySequence(tr("Ctrl+Shift+P"))},
      tr("Save a picture of the view at any resolution, with a transparent background if wanted"),
      [this] { showPictureDialog(); });
  actions_.add(menu, "copyCommandLine", tr("Co&py as command line"), QStringLiteral("terminal"),
               {QKeySequence(tr("Ctrl+Shift+C"))},
               tr("Copy the clusterloom-cli call that gives the same labels"), [this] {
                 copyCall(session_.files().commandLine(),
                          tr("Copied: %1").arg(session_.files().commandLine()));
               });
  actions_.add(
      menu, "copyBatchScript", tr("Copy as &batch script"), {}, {},
      tr("Copy a Slurm script that gives the same labels on a cluster of machines"), [this] {
        copyCall(
            session_.files().batchScript(),
            tr("Copied a batch script for Slurm. Adapt its number of ranks, threads and time."));
      });
}

void OutputActions::saveSession(bool askForPath) {
  session_.files().setViewState(viewState_());
  if (!askForPath && !session_.files().sessionPath().isEmpty()) {
    session_.files().saveSession(session_.files().sessionPath());
    return;
  }
  auto* dialog = new QFileDialog(&window(), tr("Save the session"), folders_.opened,
                                 tr("Clusterloom sessions (*.clusterloom)"));
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("clusterloom"));
  dialog->selectFile(QFileInfo(session_.data().dataName()).completeBaseName() +
                     QStringLiteral(".clusterloom"));
  connect(dialog, &QFileDialog::fileSelected, this,
          [this](const QString& path) { session_.files().saveSession(path); });
  connect(dialog, &QDialog::rejected, this, &OutputActions::saveGivenUp);
  closeWithData(*dialog, session_.data());
  dialog->open();
}

void OutputActions::askForLoss(const QString& path, const QStringList& losses,
                               const std::function<void()>& anyway) {
  constexpr qsizetype kMostLosses = 8;  // named one by one
  QStringList lines = losses.mid(0, kMostLosses);
  if (const int more = int(losses.size() - kMostLosses); more > 0)
    lines << counted(std::uint64_t(more), "1 more column", tr("%1 more columns", nullptr, more));
  const QString text = tr("%1 cannot hold everything unchanged:").arg(QFileInfo(path).fileName()) +
                       QStringLiteral("\n\n") + lines.join(QLatin1Char('\n'));
  auto* question =
      named("lossQuestion", new QMessageBox(QMessageBox::Warning, tr("Export"), cutForDisplay(text),
                                            QMessageBox::Cancel, &window()));
  question->setTextFormat(Qt::PlainText);  // names of columns
  const QAbstractButton* exports =
      question->addButton(tr("&Export with loss"), QMessageBox::AcceptRole);
  question->setDefaultButton(QMessageBox::Cancel);
  connect(question, &QMessageBox::buttonClicked, this,
          [exports, anyway](const QAbstractButton* button) {
            if (button == exports) anyway();
          });
  closeWithData(*question, session_.data());
  question->open();
}

void OutputActions::showExportDialog() {
  const std::set<std::int32_t>& selected = session_.selection().clusters;
  QString folder = folders_.forExports();
  if (folder.isEmpty() || !QFileInfo(folder).isDir()) {
    folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  }
  QString base = QFileInfo(session_.data().dataName()).completeBaseName();
  base = base.section(QLatin1Char(' '), 0, 0);
  const auto data = session_.data().dataset();
  auto* dialog =
      new ExportDialog(QDir(folder).filePath(base + tr("-clusters")), int(selected.size()),
                       session_.inputFiles(), view_.size(), &window());
  dialog->setFormat(folders_.format);
  closeWithData(*dialog, session_.data());
  const PointSet chosen = session_.selection().points;
  // Points have other numbers in another part of the data.
  connect(&session_.data(), &SessionData::cloudChanged, dialog,
          [this, dialog, kept = session_.data().kept()] {
            if (!samePoints(kept, session_.data().kept())) dialog->reject();
          });
  // A run may end while the dialog is open.
  const auto showNote = [this, dialog] {
    dialog->setNote(outputText(session_.clusterRun(), session_.parameters(), true));
  };
  showNote();
  connect(&session_.clusterRun(), &ClusterRun::stateChanged, dialog, showNote);
  if (data)
    dialog->offerPoints(data->cloud.size(), session_.data().whole()->cloud.size(),
                        chosen ? chosen->size() : 0);
  const FileRowSelection rows = session_.selectedPoints().rows();
  const auto labels = session_.fileLevels().labels();
  const FileRowSelection keptRows = session_.data().keptRows();
  dialog->offerRows(rows ? rows->count : 0, keptRows ? keptRows->count : 0, bool(labels));
  if (session_.addedPoints().isCurrent())
    dialog->offerAddedPoints(session_.addedPoints().dataset()->cloud.size());
  connect(dialog, &QDialog::accepted, this, [this, dialog, chosen, rows, keptRows, labels] {
    const ExportChoice choice = dialog->choice();
    folders_.exports = QFileInfo(choice.path).absolutePath();
    if (choice.what != ExportChoice::What::Picture)
      folders_.format = QString::fromStdString(extensionOf(choice.path.toStdString())).mid(1);
    const std::set<std::int32_t>& clusters = session_.selection().clusters;
    switch (choice.what) {
      case ExportChoice::What::AllPoints:
        session_.files().exportLabelled(choice.path, {}, choice.provenance, ExportLoss::Ask);
        break;
      case ExportChoice::What::KeptPoints:
        session_.files().exportPoints(choice.path, nullptr, nullptr, choice.provenance,
                                      ExportLoss::Ask);
        break;
      case ExportChoice::What::SelectedPoints:
        session_.files().exportPoints(choice.path, chosen, nullptr, choice.provenance,
                                      ExportLoss::Ask);
        break;
      case ExportChoice::What::SelectedRows:
      case ExportChoice::What::KeptRows:
        if (labels && labels != session_.fileLevels().labels())
          return session_.jobs().refuse(
              JobKind::Export, tr("The labels of all rows are not there any more."), choice.path);
        session_.files().exportRows(choice.path,
                                    choice.what == ExportChoice::What::KeptRows ? keptRows : rows,
                                    labels, choice.provenance, ExportLoss::Ask);
        break;
      case ExportChoice::What::AddedPoints:
        session_.addedPoints().exportLabelled(choice.path, choice.provenance, ExportLoss::Ask);
        break;
      case ExportChoice::What::SelectedClusters:
        // An empty list would be all rows.
        if (clusters.empty())
          return session_.jobs().refuse(
              JobKind::Export, tr("The selected clusters are not there any more."), choice.path);
        session_.files().exportLabelled(choice.path, {clusters.begin(), clusters.end()},
                                        choice.provenance, ExportLoss::Ask);
        break;
      case ExportChoice::What::ClusterTable:
        session_.files().exportClusterTable(choice.path, choice.provenance);
        break;
      case ExportChoice::What::Picture: exportPicture(choice.path, choice.picture); break;
    }
  });
  dialog->open();
}

void OutputActions::showPictureDialog() {
  auto* dialog = new PictureDialog(view_.size(), &window());
  closeWithData(*dialog, session_.data());
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    const QString folder = folders_.forExports();
    auto* target =
        new QFileDialog(&window(), tr("Save the picture"), folder, tr("PNG image (*.png)"));
    target->setAcceptMode(QFileDialog::AcceptSave);
    target->setDefaultSuffix(QStringLiteral("png"));
    closeWithData(*target, session_.data());
    target->selectFile(
        QFileInfo(session_.data().dataName()).completeBaseName().section(QLatin1Char(' '), 0, 0) +
        QStringLiteral(".png"));
    connect(target, &QFileDialog::fileSelected, this,
            [this, size = dialog->chosen()](const QString& path) {
              folders_.exports = QFileInfo(path).absolutePath();
              exportPicture(path, size);
            });
    target->open();
  });
  dialog->open();
}

void OutputActions::saveGrowth() {
  session_.replay().pause();
  showFramesDialog(
      new FramesDialog(
          tr("Frames of the growth"),
          tr("Frames from the smallest ε to the largest, evenly on a logarithmic scale"), 120,
          view_.size(), &window()),
      QStringLiteral("growth"), [this] { return growthFrames(session_); });
}

void OutputActions::savePlayedColumn() {
  ColumnPlayer& player = view_.player();
  player.pause();
  const QString column = player.columns()[std::size_t(player.column())].name;
  showFramesDialog(new FramesDialog(tr("Frames of the column %1").arg(column),
                                    tr("Frames from the first window to the last, evenly over the "
                                       "column; with as many frames as values, one for each"),
                                    player.usualFrames(), view_.size(), &window()),
                   QStringLiteral("column"), [this] { return columnFrames(session_, view_); });
}

void OutputActions::showFramesDialog(FramesDialog* dialog, const QString& name,
                                     const std::function<FrameSource()>& source) {
  closeWithData(*dialog, session_.data());
  connect(dialog, &QDialog::accepted, this, [this, dialog, name, source] {
    auto* folder = new QFileDialog(&window(), tr("Folder of the frames"), folders_.forExports());
    folder->setFileMode(QFileDialog::Directory);
    folder->setOption(QFileDialog::ShowDirsOnly);
    closeWithData(*folder, session_.data());
    connect(folder, &QFileDialog::fileSelected, this,
            [this, order = FrameOrder{{}, name, dialog->frames(), dialog->size()},
             source](const QString& path) {
              folders_.exports = path;
              FrameOrder here = order;
              here.folder = path;
              saveFrames(here, source());
            });
    folder->open();
  });
  dialog->open();
}

void OutputActions::saveFrames(FrameOrder order, FrameSource source) {
  // Frames of an earlier series stay.
  const auto taken = [&] {
    return QFileInfo::exists(QDir(order.folder).filePath(order.name + QStringLiteral("-0001.png")));
  };
  const QString name = order.name;
  for (int number = 2; taken(); ++number) order.name = name + QString::number(number);
  FrameSeries* series = FrameSeries::start(session_, view_, std::move(source), order);
  auto* progress =
      new QProgressDialog(tr("Saving frames …"), tr("Stop"), 0, order.frames, &window());
  progress->setObjectName(QStringLiteral("framesProgress"));
  // The bars of the theme are lower than a line of text.
  progress->findChild<QProgressBar*>()->setTextVisible(false);
  progress->setAutoReset(false);
  progress->setMinimumDuration(0);
  connect(progress, &QProgressDialog::canceled, series, &FrameSeries::stop);
  connect(series, &FrameSeries::progressed, progress,
          [progress](int done) { progress->setValue(done); });
  connect(series, &FrameSeries::finished, this, [this, progress, order](int written, bool stopped) {
    progress->deleteLater();
    if (written == 0) return;
    const QString frames =
        counted(std::uint64_t(written), "1 frame", tr("%1 frames", nullptr, written));
    messages_.showPassing(
        (stopped ? tr("Stopped after %1 in %2") : tr("Saved %1 in %2")).arg(frames, order.folder));
  });
  progress->show();
}

void OutputActions::exportPicture(const QString& path, const PictureSize& size) {
  view_.drawPicture(size, [this, path](Result<PictureDrawing::Make> made) {
    if (!made) return session_.jobs().report(JobKind::Export, made.error(), path);
    session_.files().exportImage(path, std::move(*made));
  });
}

void OutputActions::copyCall(const QString& call, const QString& copied) {
  QApplication::clipboard()->setText(call);
  // Clusters of HDBSCAN* have a call of their own.
  const auto shown = session_.clusterRun().result();
  QString note = shown && shown->hdbscan
                     ? QString()
                     : outputText(session_.clusterRun(), session_.parameters(), false);
  const QString subset = subsetText(
      session_.parameters(), session_.data().whole() ? session_.data().whole()->cloud.size() : 0);
  if (!subset.isEmpty()) {
    if (!note.isEmpty()) note += QLatin1Char('\n');
    note += tr("The call clusters all points of the file alike; the window has %1.").arg(subset);
  }
  if (note.isEmpty())
    messages_.showPassing(copied);
  else
    messages_.showMessage(MessageBar::Kind::Warning, copied + QLatin1Char('\n') + note);
}

}  // namespace clusterloom
