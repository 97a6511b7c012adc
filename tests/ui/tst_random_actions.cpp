// Key and mouse events drawn from a seed, on the window and its dialogs. After each of them the
// panels show the session's parameters; and whenever the window has come to rest, table, view,
// status, export and copied call speak of one result, which plain loops confirm.
//   CLUSTERLOOM_ACTIONS_SECONDS   how long (8)
//   CLUSTERLOOM_ACTIONS_SEED      of the events (1)
#include <QCheckBox>
#include <QComboBox>
#include <QDesktopServices>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTableView>
#include <QtTest>
#include <csignal>

#include "engine/cpu/brute_force.h"
#include "engine/io/read.h"
#include "random_actions.h"
#include "shown_window.h"
#include "ui/models/cluster_table_model.h"
#include "ui/panels/charts_panel.h"
#include "ui/panels/clusters_panel.h"
#include "ui/panels/eps_slider.h"
#include "ui/panels/parameters_panel.h"
#include "ui/panels/status_strip.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/replay.h"
#include "ui/session/session_files.h"
#include "ui/view/column_player.h"
#include "ui/words/numbers.h"

using namespace clusterloom;

namespace {

constexpr std::size_t kMostForLoops = 2000;
constexpr int kStepsBetweenRests = 4;
constexpr std::array kSchemes{"file", "http", "https", "mailto"};
constexpr int kRestsBetweenExports = 5;

const ActionLog* crashLog = nullptr;
struct sigaction beforeCrash {};

/// Writes the last actions and leaves the signal to the handler before.
void onCrash(int signal) {
  if (crashLog != nullptr) crashLog->write(STDERR_FILENO);
  sigaction(signal, &beforeCrash, nullptr);
}

QString number(double value) { return QString::number(value, 'g', 17); }

template <class A, class B>
QString differ(const char* what, const A& a, const B& b) {
  return QStringLiteral("%1: %2 and %3").arg(QLatin1String(what)).arg(a).arg(b);
}

}  // namespace

class TestRandomActions : public QObject, ShownWindow {
  Q_OBJECT

 public Q_SLOTS:
  /// Nothing is opened outside of the program.
  void ignore(const QUrl& /*url*/) {}

 private Q_SLOTS:
  void initTestCase() {
    for (const char* const scheme : kSchemes)
      QDesktopServices::setUrlHandler(QLatin1String(scheme), this, "ignore");
  }
  void cleanupTestCase() {
    for (const char* const scheme : kSchemes)
      QDesktopServices::unsetUrlHandler(QLatin1String(scheme));
  }
  void cleanup() { closeWindow(); }

  void actions() {
    const double seconds = qEnvironmentVariable("CLUSTERLOOM_ACTIONS_SECONDS", "8").toDouble();
    const auto seed = qEnvironmentVariable("CLUSTERLOOM_ACTIONS_SEED", "1").toULongLong();
    QVERIFY(showWindow({1200, 800}));
    for (const char* const name : {"quit", "lessons", "aboutQt"})
      window_->action(name)->setEnabled(false);
    QVERIFY(openSquares());
    const QStringList files{path("squares.csv"),
                            writeSquares(directory_->path(), "others.csv", "a,b,sort\n")};
    RandomActions actions(*window_, seed, files, directory_->path());
    crashLog = &actions.log();
    struct sigaction handler {};
    handler.sa_handler = &onCrash;
    sigaction(SIGSEGV, &handler, &beforeCrash);

    QElapsedTimer clock;
    clock.start();
    int steps = 0;
    int rests = 0;
    QString fault;
    for (; fault.isEmpty() && double(clock.elapsed()) < 1000 * seconds; ++steps) {
      actions.step();
      fault = faultOfWindows();
      if (fault.isEmpty()) fault = faultOfPanels();
      if (!fault.isEmpty() || steps % kStepsBetweenRests != 0) continue;
      if (!isFree()) {
        fault = faultAtRest();
        continue;
      }
      fault = ++rests % kRestsBetweenExports == 0 ? faultOfExport() : faultOfUndo();
      if (fault.isEmpty() && !session_->data().dataset() && !openSquares())
        fault = "the squares do not open again";
    }
    if (fault.isEmpty()) {
      actions.closeOthers();
      fault = faultAtRest();
    }
    sigaction(SIGSEGV, &beforeCrash, nullptr);
    crashLog = nullptr;
    QVERIFY2(fault.isEmpty(), qPrintable(QStringLiteral("%1\nseed %2, step %3, after:%4")
                                             .arg(fault)
                                             .arg(seed)
                                             .arg(steps)
                                             .arg(actions.log().text())));
    qInfo("%d actions, %d times at rest", steps, rests);
    QVERIFY(steps > 0);
  }

 private:
  /// Neither a dialog nor a menu is open.
  static bool isFree() {
    return !QApplication::activePopupWidget() && !QApplication::activeModalWidget();
  }

  static QString faultOfWindows() {
    for (const QWidget* const top : QApplication::topLevelWidgets())
      if (top->isVisible() && qobject_cast<const QDialog*>(top) && top->windowTitle().isEmpty())
        return QStringLiteral("a dialog without a title: ") + top->metaObject()->className();
    return {};
  }

  /// Of what is shown of the state at once, also while something runs.
  QString faultOfPanels() const {
    const Parameters& now = session_->parameters();
    const ParametersPanel* const panel = window_->parameters();
    const SessionData& data = session_->data();
    if (data.cloud()) {
      if (!data.awaitsEps() && panel->eps()->value() != now.dbscan.eps)
        return differ("ε", number(panel->eps()->value()), number(now.dbscan.eps));
      if (panel->minPts()->value() != now.dbscan.minPts)
        return differ("minPts", panel->minPts()->value(), now.dbscan.minPts);
      const QVariant k = panel->indexedDims()->currentData();
      if (k.toInt() != now.strategy.indexedDims &&
          panel->indexedDims()->findData(now.strategy.indexedDims) >= 0)
        return differ("k", k.toInt(), now.strategy.indexedDims);
    }
    if (panel->autoRun()->isChecked() != session_->clusterRun().autoRun())
      return "whether runs start by themselves";
    for (const bool undo : {true, false}) {
      const UndoStack& steps = *session_->undoStack();
      if (window_->action(undo ? "undo" : "redo")->isEnabled() &&
          !(undo ? steps.canUndo() : steps.canRedo()))
        return "undo or redo is offered without a step";
    }
    const auto result = session_->clusterRun().result();
    if (!result) return {};
    for (const std::int32_t cluster : session_->selection().clusters)
      if (cluster < kNoise || cluster >= result->clustering.clusters)
        return differ("a selected cluster", cluster, result->clustering.clusters);
    return result->clustering.labels.size() == result->cloud->size() ? QString()
                                                                     : "labels and points";
  }

  bool comesToRest() {
    // What plays does not rest.
    session_->replay().pause();
    window_->cloudView()->player().pause();
    return waitUntil(
        [&] {
          const ClusterRun& run = session_->clusterRun();
          return run.state() != RunState::Running && !run.preview() && !session_->isDragging() &&
                 session_->jobs().active().empty() &&
                 (!run.result() || (window_->cloudView()->isSettled() &&
                                    window_->cloudView()->shownResult() == run.result() &&
                                    session_->derived().statistics()));
        },
        30000);
  }

  QString faultAtRest() {
    if (!comesToRest()) {
      QStringList jobs;
      for (const JobInfo& job : session_->jobs().active()) jobs << job.title;
      return QStringLiteral("no rest: state %1, jobs %2")
          .arg(int(session_->clusterRun().state()))
          .arg(jobs.join(", "));
    }
    if (const QString fault = faultOfPanels(); !fault.isEmpty()) return fault;
    const auto result = session_->clusterRun().result();
    if (!result) return {};
    if (const QString fault = faultOfLabels(*result); !fault.isEmpty()) return fault;
    if (const QString fault = faultOfTable(result->clustering); !fault.isEmpty()) return fault;
    return faultOfWords(*result);
  }

  /// Against the definition of DBSCAN.
  QString faultOfLabels(const ClusterResult& result) const {
    const Clustering& found = result.clustering;
    const Parameters& of = result.parameters;
    if (session_->clusterRun().state() == RunState::Current && result.isOfRun() &&
        !(of == session_->parameters()))
      return "a current result of other parameters";
    const auto noise = std::count(found.labels.begin(), found.labels.end(), kNoise);
    if (std::uint64_t(noise) != found.noiseCount) return differ("noise", noise, found.noiseCount);
    const bool plain = result.isOfRun() && of.space.isEuclidean() && of.weights.isEmpty() &&
                       of.refinements.empty() && result.cloud->size() <= kMostForLoops;
    if (!plain) return {};
    const auto right = bruteForceDbscan(*result.cloud, of.dbscan);
    if (!right) return QString::fromStdString(right.error().message);
    return right->labels == found.labels && right->clusters == found.clusters
               ? QString()
               : differ("clusters", found.clusters, right->clusters);
  }

  QString faultOfTable(const Clustering& found) const {
    const auto* const proxy =
        qobject_cast<const QAbstractProxyModel*>(window_->clusters()->table()->model());
    const auto* const table =
        proxy ? qobject_cast<const ClusterTableModel*>(proxy->sourceModel()) : nullptr;
    if (table == nullptr) return "the table has another model";
    if (table->clusterRows() != found.clusters)
      return differ("rows of the table", table->clusterRows(), found.clusters);
    double points = 0;
    for (int row = 0; row < table->rowCount(); ++row)
      points += table->number(row, ClusterTableModel::Size);
    const auto labelled = std::count_if(found.labels.begin(), found.labels.end(),
                                        [](std::int32_t label) { return label >= kNoise; });
    return points == double(labelled) ? QString() : differ("points of the table", points, labelled);
  }

  QString faultOfWords(const ClusterResult& result) const {
    const Clustering& found = result.clustering;
    const QString status = window_->status()->summary();
    const QString clusters = counted(std::uint64_t(found.clusters), "1 cluster", "%1 clusters");
    const QString noise =
        percent(double(found.noiseCount) / double(result.cloud->size())) + " noise";
    if (!status.contains(clusters) || !status.contains(noise))
      return differ("status", status, clusters + ", " + noise);
    if (session_->clusterRun().state() != RunState::Current || !result.isOfRun()) return {};
    const QString call = session_->files().commandLine();
    static const QRegularExpression pattern("--eps (\\S+) --min-pts (\\d+)");
    const QRegularExpressionMatch match = pattern.match(call);
    const DbscanParams& of = session_->parameters().dbscan;
    return match.captured(1).toDouble() == of.eps && match.captured(2).toLongLong() == of.minPts
               ? QString()
               : differ("copied call", call, number(of.eps));
  }

  /// Undo and redo lead back to where they started, by way of a state that is as good.
  QString faultOfUndo() {
    if (const QString fault = faultAtRest(); !fault.isEmpty()) return fault;
    if (!window_->action("undo")->isEnabled()) return {};
    const Parameters before = session_->parameters();
    const int step = session_->undoStack()->index();
    window_->action("undo")->trigger();
    if (const QString fault = faultAtRest(); !fault.isEmpty()) return "after undo, " + fault;
    if (!window_->action("redo")->isEnabled()) return "redo is not offered after undo";
    window_->action("redo")->trigger();
    if (const QString fault = faultAtRest(); !fault.isEmpty()) return "after redo, " + fault;
    return session_->parameters() == before && session_->undoStack()->index() == step
               ? QString()
               : "undo and redo lead elsewhere";
  }

  /// An export has the labels on show.
  QString faultOfExport() {
    if (const QString fault = faultAtRest(); !fault.isEmpty()) return fault;
    const auto result = session_->clusterRun().result();
    const auto data = session_->data().dataset();
    if (!result || !data || !data->skippedRows.empty()) return {};
    const QString file = path("labelled.csv");
    QFile::remove(file);
    QSignalSpy exported(&session_->files(), &SessionFiles::exported);
    QSignalSpy failed(session_.get(), &Session::failed);
    session_->files().exportLabelled(file, {}, false, ExportLoss::Allow);
    if (!waitUntil([&] { return exported.count() + failed.count() > 0; })) return "no export came";
    if (exported.isEmpty()) return failed[0][0].value<Failure>().error.message.c_str();
    ReadOptions options;
    options.coordinates = {"0"};
    const auto read = readDataset(file.toStdString(), options);
    if (!read) return QString::fromStdString(read.error().message);
    for (const Attribute& column : read->attributes) {
      if (column.name != "label") continue;
      const auto labels = doublesOf(nullptr, column.values);
      const std::vector<std::int32_t>& shown = result->clustering.labels;
      return labels && std::equal(labels->begin(), labels->end(), shown.begin(), shown.end())
                 ? QString()
                 : "an export with other labels";
    }
    return "an export without labels";
  }
};

/// Nothing is read or written outside of folders of this process.
static int runRandomActions(int argc, char** argv) {
  static const QTemporaryDir home;
  qputenv("HOME", home.path().toLocal8Bit());
  QDir::setCurrent(home.path());
  return runWindowTest<TestRandomActions>(argc, argv);
}

TEST_ENTRY(&runRandomActions);
#include "tst_random_actions.moc"
