// Sessions, exports, pictures and copied calls.
#include "ui/window/main_window.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QProgressBar>
#include <QProgressDialog>
#include <QStandardPaths>
#include <utility>

#include "engine/io/format_table.h"
#include "ui/dialogs/export_dialog.h"
#include "ui/dialogs/loss_question.h"
#include "ui/dialogs/picture_dialog.h"
#include "ui/panels/message_bar.h"
#include "ui/session/added_points.h"
#include "ui/session/cluster_run.h"
#include "ui/session/replay.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/view/cloud_view.h"
#include "ui/view/column_player.h"
#include "ui/window/frame_series.h"
#include "ui/window/unsaved_work.h"
#include "ui/words/numbers.h"
#include "ui/words/result_words.h"

namespace clusterloom {

void MainWindow::saveSession(bool askForPath) {
  session_.files().setViewState(viewState());
  if (!askForPath && !session_.files().sessionPath().isEmpty()) {
    session_.files().saveSession(session_.files().sessionPath());
    return;
  }
  auto* dialog = new QFileDialog(this, tr("Save the session"), lastFolder_,
                                 tr("Clusterloom sessions (*.clusterloom)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("clusterloom"));
  dialog->selectFile(QFileInfo(session_.data().dataName()).completeBaseName() +
                     QStringLiteral(".clusterloom"));
  connect(dialog, &QFileDialog::fileSelected, this,
          [this](const QString& path) { session_.files().saveSession(path); });
  connect(dialog, &QDialog::rejected, unsaved_, &UnsavedWork::cancel);
  closeWithData(dialog);
  dialog->open();
}

void MainWindow::showExportDialog() {
  const std::set<std::int32_t>& selected = session_.selection().clusters;
  QString folder = exportFolder_.isEmpty() ? lastFolder_ : exportFolder_;
  if (folder.isEmpty() || !QFileInfo(folder).isDir()) {
    folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  }
  QString base = QFileInfo(session_.data().dataName()).completeBaseName();
  base = base.section(QLatin1Char(' '), 0, 0);
  const auto data = session_.data().dataset();
  auto* dialog = new ExportDialog(
      QDir(folder).filePath(base + tr("-clusters")), int(selected.size()), session_.inputFiles(),
      outputText(session_.clusterRun(), session_.parameters(), true), view_->size(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFormat(exportFormat_);
  closeWithData(dialog);
  const PointSet chosen = session_.selection().points;
  if (data)
    dialog->offerPoints(data->cloud.size(), session_.data().whole()->cloud.size(),
                        chosen ? chosen->size() : 0);
  if (session_.addedPoints().isCurrent())
    dialog->offerAddedPoints(session_.addedPoints().dataset()->cloud.size());
  connect(dialog, &QDialog::accepted, this, [this, dialog, chosen] {
    const ExportChoice choice = dialog->choice();
    exportFolder_ = QFileInfo(choice.path).absolutePath();
    if (choice.what != ExportChoice::What::Picture)
      exportFormat_ = QString::fromStdString(extensionOf(choice.path.toStdString())).mid(1);
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
      case ExportChoice::What::AddedPoints:
        session_.addedPoints().exportLabelled(choice.path, choice.provenance, ExportLoss::Ask);
        break;
      case ExportChoice::What::SelectedClusters:
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

void MainWindow::showPictureDialog() {
  auto* dialog = new PictureDialog(view_->size(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  closeWithData(dialog);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    const QString folder = exportFolder_.isEmpty() ? lastFolder_ : exportFolder_;
    auto* target = new QFileDialog(this, tr("Save the picture"), folder, tr("PNG image (*.png)"));
    target->setAttribute(Qt::WA_DeleteOnClose);
    target->setAcceptMode(QFileDialog::AcceptSave);
    target->setDefaultSuffix(QStringLiteral("png"));
    closeWithData(target);
    target->selectFile(
        QFileInfo(session_.data().dataName()).completeBaseName().section(QLatin1Char(' '), 0, 0) +
        QStringLiteral(".png"));
    connect(target, &QFileDialog::fileSelected, this,
            [this, size = dialog->chosen()](const QString& path) {
              exportFolder_ = QFileInfo(path).absolutePath();
              exportPicture(path, size);
            });
    target->open();
  });
  dialog->open();
}

void MainWindow::saveGrowth() {
  session_.replay().pause();
  showFramesDialog(
      new FramesDialog(
          tr("Frames of the growth"),
          tr("Frames from the smallest ε to the largest, evenly on a logarithmic scale"), 120,
          view_->size(), this),
      QStringLiteral("growth"), [this] { return growthFrames(session_); });
}

void MainWindow::savePlayedColumn() {
  ColumnPlayer& player = view_->player();
  player.pause();
  const QString column = player.columns()[std::size_t(player.column())].name;
  showFramesDialog(new FramesDialog(tr("Frames of the column %1").arg(column),
                                    tr("Frames from the first window to the last, evenly over the "
                                       "column; with as many frames as values, one for each"),
                                    player.usualFrames(), view_->size(), this),
                   QStringLiteral("column"), [this] { return columnFrames(session_, *view_); });
}

void MainWindow::showFramesDialog(FramesDialog* dialog, const QString& name,
                                  const std::function<FrameSource()>& source) {
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  closeWithData(dialog);
  connect(dialog, &QDialog::accepted, this, [this, dialog, name, source] {
    auto* folder = new QFileDialog(this, tr("Folder of the frames"),
                                   exportFolder_.isEmpty() ? lastFolder_ : exportFolder_);
    folder->setAttribute(Qt::WA_DeleteOnClose);
    folder->setFileMode(QFileDialog::Directory);
    folder->setOption(QFileDialog::ShowDirsOnly);
    closeWithData(folder);
    connect(folder, &QFileDialog::fileSelected, this,
            [this, order = FrameOrder{{}, name, dialog->frames(), dialog->size()},
             source](const QString& path) {
              exportFolder_ = path;
              FrameOrder here = order;
              here.folder = path;
              saveFrames(here, source());
            });
    folder->open();
  });
  dialog->open();
}

void MainWindow::saveFrames(FrameOrder order, FrameSource source) {
  // Frames of an earlier series stay.
  const auto taken = [&] {
    return QFileInfo::exists(QDir(order.folder).filePath(order.name + QStringLiteral("-0001.png")));
  };
  const QString name = order.name;
  for (int number = 2; taken(); ++number) order.name = name + QString::number(number);
  FrameSeries* series = FrameSeries::start(session_, *view_, std::move(source), order);
  auto* progress = new QProgressDialog(tr("Saving frames …"), tr("Stop"), 0, order.frames, this);
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
    messages_->showPassing(
        (stopped ? tr("Stopped after %1 in %2") : tr("Saved %1 in %2")).arg(frames, order.folder));
  });
  progress->show();
}

void MainWindow::exportPicture(const QString& path, const PictureSize& size) {
  view_->drawPicture(size, [this, path](Result<PictureDrawing::Make> made) {
    if (!made) return session_.jobs().report(JobKind::Export, made.error(), path);
    session_.files().exportImage(path, std::move(*made));
  });
}

void MainWindow::copyCall(const QString& call, const QString& copied) {
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
    messages_->showPassing(copied);
  else
    messages_->showMessage(MessageBar::Kind::Warning, copied + QLatin1Char('\n') + note);
}

}  // namespace clusterloom
