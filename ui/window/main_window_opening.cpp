// Opening files: asked for, dropped, recent and recovered ones.
#include "ui/window/main_window.h"

#include <QAction>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QUrl>
#include <utility>

#include "engine/io/format_table.h"
#include "engine/io/packing/packing.h"
#include "ui/dialogs/import_dialog.h"
#include "ui/panels/message_bar.h"
#include "ui/session/added_points.h"
#include "ui/session/open_clouds.h"
#include "ui/session/opened_labels.h"
#include "ui/session/recent_files.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/widgets/form.h"
#include "ui/window/file_queue.h"
#include "ui/window/unsaved_work.h"
#include "ui/window/welcome_page.h"
#include "ui/window/window_actions.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

const QString kSessionSuffix = QStringLiteral("clusterloom");

bool isSession(const QFileInfo& file) {
  return file.suffix().compare(kSessionSuffix, Qt::CaseInsensitive) == 0;
}

}  // namespace

void MainWindow::openPath(const QString& path, Ask ask) {
  const QFileInfo file(path);
  if (isSession(file)) {
    session_.files().openSession(file.absoluteFilePath());
    return;
  }
  folders_.opened = file.absolutePath();
  if (ask == Ask::Never || !askForText_) {
    session_.data().openFile(file.absoluteFilePath());
    return;
  }
  // Whether it is text is decided by its content, which a job looks at.
  const QString absolute = file.absoluteFilePath();
  session_.jobs().start<Preview>(
      JobKind::ImportPreview, tr("Looking at %1").arg(file.fileName()),
      [name = absolute.toStdString()](const Task&) { return previewFile(name); },
      [this, absolute](Result<Preview> preview) {
        if (!preview) {
          Failure failure;
          failure.error = preview.error();
          failure.path = absolute;
          showFailure(failure);
        } else if (preview->format == Format::Text || !preview->tables.empty()) {
          showImportDialog(absolute, {}, std::move(*preview));
        } else {
          session_.data().openFile(absolute);
        }
      });
}

void MainWindow::openBeside(const QString& path) { openAlso({}, {path}); }

QString MainWindow::startBeside(const QString& path) {
  const QFileInfo file(path);
  if (isSession(file))
    return tr("%1 is a session, which cannot be opened beside the open clouds. Open "
              "session… opens it in their place.")
        .arg(file.fileName());
  session_.clouds().addFile(path);
  return {};
}

void MainWindow::openPaths(const QStringList& paths, Ask ask) {
  if (paths.isEmpty()) return;
  openPath(paths.front(), paths.size() == 1 ? ask : Ask::Never);
  openAlso(paths.front(), paths.mid(1));
}

void MainWindow::openInstead(const QStringList& paths) {
  unsaved_->before([this, paths] { openPaths(paths, Ask::IfText); });
}

void MainWindow::openAlso(const QString& first, const QStringList& files) {
  queue_->start(first, files);
}

void MainWindow::openRequest(const OpenRequest& request) {
  if (!request.path.isEmpty()) folders_.opened = QFileInfo(request.path).absolutePath();
  session_.data().open(request);
}

void MainWindow::showImportDialog(const QString& path, const ReadOptions& options,
                                  const std::optional<Preview>& preview, Place place) {
  auto* dialog = deletedOnClose(new ImportDialog(session_.jobs(), path, options, preview, this));
  dialog->setAlwaysAsk(askForText_);
  if (place == Place::Beside || (place == Place::Instead && session_.clouds().count() > 1))
    dialog->shareParameters();
  else if (place == Place::Instead)
    dialog->setWeights(session_.parameters().weights);
  connect(dialog, &QDialog::accepted, this, [this, dialog, place] {
    askForText_ = dialog->alwaysAsk();
    if (place == Place::Beside) return session_.clouds().add(dialog->request());
    if (place == Place::Alone) return openRequest(dialog->request());
    const auto replace = [this, request = dialog->request()] {
      session_.clouds().replace(request);
    };
    // Beside others the session goes on.
    if (session_.clouds().count() > 1) return replace();
    unsaved_->before(replace);
  });
  dialog->open();
}

void MainWindow::closeCloud(int index) {
  OpenClouds& clouds = session_.clouds();
  if (!clouds.hasOwnWork(index)) return clouds.close(index);
  unsaved_->before([&clouds, number = clouds.number(index)] {
    for (int i = 0; i < clouds.count(); ++i)
      if (clouds.number(i) == number) return clouds.close(i);
  });
}

// Work may have been done since the file was opened and could not be read.
void MainWindow::openAgain(const std::function<void()>& open) {
  if (session_.data().failedBeside()) return open();
  unsaved_->before(open);
}

void MainWindow::offerRecovery() {
  if (!session_.files().hasRecoverableSession()) return;
  messages_->showMessage(
      MessageBar::Kind::Information,
      tr("Clusterloom did not close properly last time. The previous work can be restored."),
      tr("Rest&ore"),
      [this] { unsaved_->before([this] { session_.files().restoreRecoverableSession(); }); });
}

void MainWindow::showFailure(const Failure& failure) {
  closing_ = false;  // the file was not written
  if (failure.error.kind == ErrorKind::Cancelled) return;
  const QString text = QString::fromStdString(failure.error.message);
  if (failure.error.canSkipRows) {
    messages_->showMessage(MessageBar::Kind::Error, text, tr("Skip these r&ows"), [this] {
      openAgain([this] { session_.data().retrySkippingNonFinite(); });
    });
  } else {
    messages_->showMessage(MessageBar::Kind::Error, text);
    const bool inData =
        failure.error.kind == ErrorKind::BadInput || failure.error.kind == ErrorKind::BadCall;
    if (failure.job == JobKind::Load && inData && !failure.path.isEmpty())
      offerImportOptions(failure.path, text);
    if (failure.job == JobKind::Load && failure.error.kind == ErrorKind::TooLarge)
      offerFewerRows(failure.path, text);
  }
  failure_ = ShownFailure{failure.job, session_.jobs().newest(failure.job), messages_->text()};
}

void MainWindow::offerFewerRows(const QString& path, const QString& text) {
  session_.jobs().start<std::uint64_t>(
      JobKind::ImportPreview, {},
      [name = path.toStdString(), read = session_.data().failedRead()](const Task&) {
        return everyThatFits(name, read);
      },
      [this, text](Result<std::uint64_t> every) {
        const bool stillShown = messages_->isVisible() && messages_->text() == text;
        if (!stillShown || !every || *every == 0) return;
        messages_->showMessage(
            MessageBar::Kind::Error, text, tr("Read &one row of %1").arg(count(*every)),
            [this, every] {
              openAgain([this, every] { session_.data().retryReadingEvery(*every); });
            });
      });
}

void MainWindow::offerImportOptions(const QString& path, const QString& text) {
  const SessionData& data = session_.data();
  const Place place = data.failedInstead()  ? Place::Instead
                      : data.failedBeside() ? Place::Beside
                                            : Place::Alone;
  // Only text has such options, where it can be cut into rows, and files of several tables.
  session_.jobs().start<Preview>(
      JobKind::ImportPreview, {},
      [name = path.toStdString()](const Task&) { return previewFile(name); },
      [this, path, text, place](Result<Preview> preview) {
        const bool stillShown = messages_->isVisible() && messages_->text() == text;
        if (!stillShown || !preview || (preview->format != Format::Text && preview->tables.empty()))
          return;
        messages_->showMessage(
            MessageBar::Kind::Error, text, tr("Import &options…"), [this, path, place] {
              openAgain([this, path, place] { showImportDialog(path, {}, {}, place); });
            });
      });
}

void MainWindow::rememberFile() const {
  const auto data = session_.data().dataset();
  if (memory_ == Memory::Forget || !data) return;
  // Data that a session opened are listed as that session.
  if (!session_.files().sessionPath().isEmpty())
    addRecentFile({session_.files().sessionPath(), true, {}, {}});
  else if (!data->source.path.empty())
    addRecentFile({QString::fromStdString(data->source.path), false, session_.data().readOptions(),
                   session_.parameters().scaling});
}

void MainWindow::rebuildRecentMenu() {
  recentMenu_->clear();
  const std::vector<RecentFile> files =
      memory_ == Memory::Remember ? recentFiles() : std::vector<RecentFile>();
  welcome_->setRecent(files);
  int number = 0;
  for (const RecentFile& file : files) {
    const QString path = QDir::toNativeSeparators(file.path);
    QAction* made = recentMenu_->addAction(QStringLiteral("&%1  %2").arg(++number).arg(
        file.isSession ? tr("%1 (session)").arg(path) : path));
    connect(made, &QAction::triggered, this, [this, file] { openRecent(file); });
  }
  if (!files.empty()) {
    recentMenu_->addSeparator();
    connect(recentMenu_->addAction(tr("&Clear this list")), &QAction::triggered, this, [this] {
      clearRecentFiles();
      rebuildRecentMenu();
    });
  }
  recentMenu_->setEnabled(!files.empty());
}

void MainWindow::openRecent(const RecentFile& file) {
  unsaved_->before([this, file] {
    if (file.isSession) return session_.files().openSession(file.path);
    OpenRequest request;
    request.path = file.path;
    request.read = file.read;
    request.scaling = file.scaling;
    openRequest(request);
  });
}

namespace {

/// "*.csv *.npy … *.gz *.zst", for file dialogs.
QString readPatterns() {
  QStringList patterns;
  for (const std::string& extension : readExtensions())
    patterns << QLatin1Char('*') + QString::fromStdString(extension);
  for (const PackingKind& kind : packingKinds())
    patterns << QLatin1Char('*') + QString::fromStdString(std::string(kind.extension));
  return patterns.join(QLatin1Char(' '));
}

}  // namespace

void MainWindow::askForFile(Ask ask) {
  auto* dialog = deletedOnClose(new QFileDialog(this, tr("Open a point cloud"), folders_.opened));
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setNameFilters({tr("Point clouds and sessions (%1 *.clusterloom)").arg(readPatterns()),
                          tr("All files (*)")});
  connect(dialog, &QFileDialog::fileSelected, this, [this, ask](const QString& path) {
    unsaved_->before([this, path, ask] { openPath(path, ask); });
  });
  dialog->open();
}

void MainWindow::askForFileBeside() {
  askForFileOfCloud(tr("Open for comparison"), tr("Point clouds (%1)").arg(readPatterns()),
                    [this](const QString& path) { openBeside(path); });
}

void MainWindow::askForPointsToAdd() {
  askForFileOfCloud(tr("Add points"), tr("Point clouds (%1)").arg(readPatterns()),
                    [this](const QString& path) { session_.addedPoints().open(path); });
}

void MainWindow::askForLabels() {
  askForFileOfCloud(tr("Open labels"), tr("Labels (*.npy *.csv *.txt *.gz *.zst)"),
                    [this](const QString& path) { session_.openedLabels().open(path); });
}

void MainWindow::askForFileOfCloud(const QString& title, const QString& filter,
                                   std::function<void(const QString&)> take) {
  auto* dialog = new QFileDialog(this, title, folders_.opened);
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setNameFilters({filter, tr("All files (*)")});
  closeWithData(*dialog, session_.data());
  connect(dialog, &QFileDialog::fileSelected, this, std::move(take));
  dialog->open();
}

void MainWindow::askForSession() {
  auto* dialog = deletedOnClose(new QFileDialog(this, tr("Open a session"), folders_.opened,
                                                tr("Clusterloom sessions (*.clusterloom)")));
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
    unsaved_->before([this, path] { session_.files().openSession(path); });
  });
  dialog->open();
}

namespace {

QStringList droppedFiles(const QMimeData* data) {
  QStringList files;
  for (const QUrl& url : data->urls())
    if (url.isLocalFile()) files << url.toLocalFile();
  return files;
}

}  // namespace

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (droppedFiles(event->mimeData()).isEmpty()) return;
  event->acceptProposedAction();
  welcome_->setDropHover(true);
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*) { welcome_->setDropHover(false); }

void MainWindow::dropEvent(QDropEvent* event) {
  welcome_->setDropHover(false);
  const QStringList paths = droppedFiles(event->mimeData());
  if (paths.isEmpty()) return;
  event->acceptProposedAction();
  const bool beside = event->modifiers() & Qt::ControlModifier;
  if (beside && session_.data().dataset()) return openAlso({}, paths);
  openInstead(paths);
}

}  // namespace clusterloom
