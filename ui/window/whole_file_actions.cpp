#include "ui/window/whole_file_actions.h"

#include <QAction>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QUrl>
#include <algorithm>

#include "engine/core/memory_budget.h"
#include "ui/dialogs/whole_file_dialog.h"
#include "ui/panels/message_bar.h"
#include "ui/session/files.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/session/whole_file.h"
#include "ui/window/window_actions.h"
#include "ui/words/numbers.h"

namespace clusterloom {
namespace {

constexpr std::uint64_t kMostProposed = std::uint64_t{1} << 40;

QString shownPart(const SessionData& data) {
  return WholeFileActions::tr("One row of %1 of %2 is open.")
      .arg(count(data.whole()->every), data.dataName());
}

// Not /tmp, which may be in memory.
QString scratchFolder() { return qEnvironmentVariable("TMPDIR", QStringLiteral("/var/tmp")); }

}  // namespace

WholeFileActions::WholeFileActions(WindowActions& actions, Session& session, MessageBar& messages,
                                   UsedFolders& folders)
    : QObject(&actions.window()),
      actions_(actions),
      session_(session),
      messages_(messages),
      folders_(folders) {
  connect(&session_.data(), &SessionData::dataChanged, this, &WholeFileActions::offer);
  connect(
      &session_.wholeFile(), &WholeFile::finished, this,
      [this](const BlockRun& run, const QString& labels, bool isShown) {
        const std::uint64_t points = run.cloud.points();
        const QString found =
            tr("%1 in %2, %3 noise. The labels of all rows are in %4.")
                .arg(countedPoints(points), countedClusters(std::uint64_t(run.clusters)),
                     percent(double(run.noiseCount) / double(std::max<std::uint64_t>(points, 1))),
                     QDir::toNativeSeparators(labels));
        messages_.showMessage(
            MessageBar::Kind::Information,
            isShown ? found + QLatin1Char(' ') + tr("The view shows them.") : found,
            tr("Show f&older"), [labels] {
              QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(labels).absolutePath()));
            });
      });
}

void WholeFileActions::addTo(QMenu* menu) {
  actions_.add(menu, "wholeFile", tr("Cluster the &whole file…"), {}, {},
               tr("Cluster all rows of a file that does not fit into the memory, block by block, "
                  "and show their labels"),
               [this] { showDialog(); });
}

void WholeFileActions::showState() {
  actions_.find("wholeFile")->setEnabled(session_.wholeFile().isPartOnShow());
}

void WholeFileActions::offer() {
  const auto whole = session_.data().whole();
  if (!session_.wholeFile().objection().isEmpty() || offered_.lock() == whole) return;
  offered_ = whole;
  messages_.showMessage(MessageBar::Kind::Information, shownPart(session_.data()),
                        tr("Cluster the &whole file…"), [this] { showDialog(); });
}

QString WholeFileActions::freePath() const {
  const QString base =
      QDir(folders_.forExports())
          .filePath(QFileInfo(session_.data().dataName()).completeBaseName() + tr("-labels"));
  const QStringList open = session_.inputFiles();
  QString path = base + QStringLiteral(".npy");
  for (int number = 2; isOneOf(path, open); ++number)
    path = QStringLiteral("%1-%2.npy").arg(base).arg(number);
  return path;
}

void WholeFileActions::showDialog() {
  if (!session_.wholeFile().isPartOnShow()) return;
  if (const QString why = session_.wholeFile().objection(); !why.isEmpty())
    return session_.jobs().refuse(JobKind::WholeFile, why);
  const SessionData& data = session_.data();
  WholeFileOrder order;
  order.params = session_.parameters().dbscan;
  order.params.minPts = session_.wholeFile().minPtsOfAll(order.params.minPts);
  order.memory = std::max(kLeastBlockMemory, std::min(kMostProposed, availableMemory() / 2));
  order.scratch = scratchFolder();
  order.labels = freePath();
  auto* dialog = new WholeFileDialog(
      session_.wholeFile(), order,
      shownPart(data) + QLatin1Char(' ') +
          tr("All rows are clustered block by block, with files on disk. The labels are those of "
             "a run with all points in memory; they are written to a file and shown on the open "
             "rows."),
      session_.inputFiles(), &actions_.window());
  closeWithData(*dialog, session_.data());
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    const WholeFileOrder wanted = dialog->order();
    folders_.exports = QFileInfo(wanted.labels).absolutePath();
    session_.wholeFile().start(wanted);
  });
  dialog->open();
}

}  // namespace clusterloom
