// All rows of a file of which some are open, clustered in blocks.
#include <QAction>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <cmath>
#include <random>

#include "engine/cpu/brute_force.h"
#include "engine/io/read.h"
#include "session_waits.h"
#include "shown_window.h"
#include "ui/dialogs/whole_file_dialog.h"
#include "ui/panels/message_bar.h"
#include "ui/session/cluster_run.h"
#include "ui/session/opened_labels.h"
#include "ui/session/session_data.h"
#include "ui/session/whole_file.h"
#include "ui/view/cloud_view.h"
#include "ui/words/language.h"

using namespace clusterloom;

class TestWholeFile : public QObject, private ShownWindow {
  Q_OBJECT

  static constexpr std::uint64_t kEvery = 5;
  static constexpr double kEps = 0.5;
  static constexpr std::int64_t kMinPts = 6;

  /// Rows drawn from a seed, some of them in two dense squares; one row is not finite.
  bool openPart(int points = 4000, bool skips = true) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> anywhere(0, 60);
    std::uniform_real_distribution<double> dense(0, 8);
    QByteArray rows = "x,y\n";
    for (int i = 0; i < points; ++i) {
      const double from = i % 4 == 0 ? 5 : 35;
      const bool noise = i % 8 == 7;
      rows += QByteArray::number(noise ? anywhere(random) : from + dense(random), 'g', 17) + ',' +
              QByteArray::number(noise ? anywhere(random) : from + dense(random), 'g', 17) + '\n';
      if (skips && i == 1234) rows += "nan,1\n";
    }
    QFile file(path("cloud.csv"));
    if (!file.open(QIODevice::WriteOnly) || file.write(rows) != rows.size()) return false;
    file.close();
    OpenRequest request;
    request.path = path("cloud.csv");
    request.read.every = kEvery;
    request.read.skipNonFinite = true;
    request.eps = kEps;
    request.minPts = kMinPts;
    window_->openRequest(request);
    return waitUntilSettled(*window_);
  }

  WholeFileOrder order() const {
    WholeFileOrder wanted;
    wanted.params = {kEps, 26};
    wanted.labels = path("labels.npy");
    wanted.memory = kLeastBlockMemory;
    wanted.scratch = directory_->path();
    return wanted;
  }

  /// The labels of every row by the definition of DBSCAN.
  std::vector<std::int32_t> expectedLabels() const {
    ReadOptions options;
    options.skipNonFinite = true;
    const auto whole = readDataset(path("cloud.csv").toStdString(), options);
    const auto found = bruteForceDbscan(whole->cloud, {kEps, 26});
    std::vector<std::int32_t> labels = found->labels;
    labels.insert(labels.begin() + 1235, kSkippedRow);
    return labels;
  }

  std::vector<std::int32_t> writtenLabels() const {
    const auto read = readDataset(path("labels.npy").toStdString(), {});
    std::vector<std::int32_t> labels;
    if (read)
      for (const double label : read->cloud.columns.front()) labels.push_back(int(label));
    return labels;
  }

  QStringList filesLeft() const {
    return QDir(directory_->path()).entryList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot);
  }

 private Q_SLOTS:
  void init() { QVERIFY(showWindow({1100, 800})); }
  void cleanup() {
    closeWindow();
    setLanguage("en");
  }

  void isForFilesOfWhichRowsAreLeftOut() {
    const QAction* action = window_->action("wholeFile");
    QVERIFY(!action->isEnabled());
    QVERIFY(openSquares());
    QVERIFY(!action->isEnabled());
    QVERIFY(openPart(4000, false));
    QVERIFY(action->isEnabled());
    const auto* messages = window_->findChild<MessageBar*>();
    QVERIFY2(messages->isVisible() && messages->text() == "One row of 5 of cloud.csv is open.",
             qPrintable(messages->text()));
  }

  void labelsOfAllRowsAreWrittenAndShown() {
    QVERIFY(openPart());
    window_->action("wholeFile")->trigger();
    auto* dialog = window_->findChild<WholeFileDialog*>();
    QVERIFY(dialog != nullptr && dialog->isVisible());
    // As dense among all rows as minPts 6 among one of five.
    QCOMPARE(dialog->order().params.eps, kEps);
    QCOMPARE(dialog->order().params.minPts, 26);
    auto* labels = dialog->findChild<QLineEdit*>("wholeFileLabels");
    auto* scratch = dialog->findChild<QLineEdit*>("wholeFileScratch");
    auto* start = dialog->findChild<QPushButton*>("wholeFileStart");
    const auto* hint = dialog->findChild<QLabel*>("wholeFileHint");
    labels->setText(path("cloud.csv"));
    QVERIFY(!start->isEnabled() && hint->text().contains(".npy"));
    labels->setText(path("nowhere/labels.npy"));
    QVERIFY(!start->isEnabled() && hint->text().contains("There is no folder"));
    labels->setText(path("labels.npy"));
    scratch->setText(path("nowhere"));
    QVERIFY(!start->isEnabled());
    scratch->setText(directory_->path());
    QVERIFY(start->isEnabled() && hint->text().isEmpty());
    dialog->findChild<QLineEdit*>("wholeFileEps")->setText("0");
    QVERIFY(!start->isEnabled());
    dialog->findChild<QLineEdit*>("wholeFileEps")->setText("0,5");
    QVERIFY(start->isEnabled());
    const auto* forecast = dialog->findChild<QLabel*>("wholeFileForecast");
    QVERIFY2(waitUntil([&] { return forecast->text().contains("free"); }, 60'000),
             qPrintable(forecast->text()));
    QVERIFY2(forecast->text().contains("for 1 block.") && forecast->text().contains("four times"),
             qPrintable(forecast->text()));
    shot(dialog, "whole_file_dialog");
    start->click();
    const auto isShown = [&] {
      const auto result = session_->clusterRun().result();
      return result && result->labelsFile == path("labels.npy") &&
             window_->cloudView()->shownResult() == result;
    };
    QVERIFY(waitUntil(isShown, 60'000));
    shot(window_.get(), "whole_file");
    const std::vector<std::int32_t> expected = expectedLabels();
    QCOMPARE(writtenLabels(), expected);
    const Clustering& shown = session_->clusterRun().result()->clustering;
    QCOMPARE(shown.params.eps, kEps);
    QCOMPARE(shown.params.minPts, 26);
    std::vector<std::int32_t> ofShownRows;
    for (std::size_t row = 0; row < expected.size(); row += kEvery)
      if (expected[row] != kSkippedRow) ofShownRows.push_back(expected[row]);
    QCOMPARE(shown.labels, ofShownRows);
    QFile beside(path("labels.npy.provenance.json"));
    QVERIFY(beside.open(QIODevice::ReadOnly));
    const QJsonObject lines = QJsonDocument::fromJson(beside.readAll()).object();
    QCOMPARE(lines.value("min_pts").toString(), QString("26"));
    QCOMPARE(lines.value("input rows").toString(), QString("4001"));
    const auto* messages = window_->findChild<MessageBar*>();
    QVERIFY2(messages->text().contains("4,000 points in ") &&
                 messages->text().contains("The view shows them."),
             qPrintable(messages->text()));
    QCOMPARE(filesLeft().filter("labels").size(), 2);
    // Once more, under a name that is not open.
    session_->openedLabels().open(path("labels.npy"));
    QFile::copy(path("labels.npy"), path("cloud-labels.npy"));
    session_->openedLabels().open(path("cloud-labels.npy"));
    QVERIFY(waitUntilIdle(*session_));
    window_->action("wholeFile")->trigger();
    dialog = window_->findChild<WholeFileDialog*>();
    QVERIFY(dialog != nullptr);
    QVERIFY2(dialog->order().labels.endsWith("cloud-labels-2.npy"),
             qPrintable(dialog->order().labels));
    dialog->reject();
  }

  void theForecastFollowsTheFields() {
    QVERIFY(openPart(4000, false));
    window_->action("wholeFile")->trigger();
    auto* dialog = window_->findChild<WholeFileDialog*>();
    QVERIFY(dialog != nullptr);
    dialog->findChild<QLineEdit*>("wholeFileScratch")->setText(directory_->path());
    const auto* forecast = dialog->findChild<QLabel*>("wholeFileForecast");
    const auto isMade = [&] { return forecast->text().contains("free"); };
    QVERIFY2(waitUntil(isMade, 60'000), qPrintable(forecast->text()));
    // Where the labels go makes no difference.
    dialog->findChild<QLineEdit*>("wholeFileLabels")->setText(path("others.npy"));
    QVERIFY(isMade());
    dialog->findChild<QSpinBox*>("wholeFileMinPts")->setValue(40);
    QVERIFY(!isMade());
    QVERIFY(waitUntil(isMade, 60'000));
    // What a run would refuse is said before it begins.
    QFile file(path("cloud.csv"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(file.write("name,x,y\n\"a\nb\",1,2\n\"c\",3,4\n") > 0);
    file.close();
    dialog->findChild<QSpinBox*>("wholeFileMinPts")->setValue(41);
    QVERIFY2(waitUntil([&] { return forecast->text().contains("in quotes"); }, 60'000),
             qPrintable(forecast->text()));
    // It ends with the dialog.
    dialog->findChild<QSpinBox*>("wholeFileMinPts")->setValue(42);
    session_->wholeFile().forecast(dialog->order());
    QVERIFY(session_->jobs().isActive(JobKind::WholeFileForecast));
    dialog->reject();
    QVERIFY(waitUntil([&] { return !session_->jobs().isActive(JobKind::WholeFileForecast); }));
    QVERIFY(filesLeft().filter("blocks").isEmpty());
  }

  void theForecastIsSeenInGerman() {
    setLanguage("de");
    QVERIFY(openPart(4000, false));
    window_->action("wholeFile")->trigger();
    auto* dialog = window_->findChild<WholeFileDialog*>();
    QVERIFY(dialog != nullptr);
    dialog->findChild<QLineEdit*>("wholeFileScratch")->setText(directory_->path());
    const auto* forecast = dialog->findChild<QLabel*>("wholeFileForecast");
    QVERIFY2(waitUntil([&] { return forecast->text().contains("frei sind"); }, 60'000),
             qPrintable(forecast->text()));
    QVERIFY2(forecast->text().contains("1 Block."), qPrintable(forecast->text()));
    QVERIFY(waitUntil(
        [&] { return forecast->height() >= forecast->heightForWidth(forecast->width()); }));
    shot(dialog, "whole_file_dialog_de");
    dialog->reject();
  }

  void goesOnWhenTheDataIsClosed() {
    QVERIFY(openPart());
    QSignalSpy finished(&session_->wholeFile(), &WholeFile::finished);
    session_->wholeFile().start(order());
    session_->closeData();
    QVERIFY(waitUntil([&] { return finished.size() == 1; }, 60'000));
    QVERIFY(!finished.front()[2].toBool());
    QCOMPARE(writtenLabels(), expectedLabels());
    QVERIFY(!session_->clusterRun().result());
  }

  void aStopLeavesNothing() {
    QVERIFY(openPart(300'000));
    QVERIFY(waitUntilIdle(*session_));
    const QStringList before = filesLeft();
    session_->wholeFile().start(order());
    QVERIFY(waitUntil([&] { return filesLeft() != before; }, 20'000));
    // What is stopped first is what else is under way.
    session_->setEps(0.45);
    QVERIFY(session_->jobs().isActive(JobKind::Cluster));
    session_->cancel();
    QVERIFY(session_->jobs().isActive(JobKind::WholeFile));
    session_->cancel();
    QVERIFY(!session_->jobs().isActive(JobKind::WholeFile));
    // The files go when the worker has seen the stop.
    QVERIFY(waitUntil([&] { return filesLeft() == before; }, 20'000));
    QVERIFY(!QFile::exists(path("labels.npy")));
  }

  void whatCannotBeIsSaid() {
    QVERIFY(openPart());
    QSignalSpy failed(&session_->jobs(), &JobQueue::failed);
    const auto lastFailure = [&] {
      return QString::fromStdString(failed.back()[0].value<Failure>().error.message);
    };
    WholeFileOrder wanted = order();
    wanted.labels = path("cloud.csv");
    session_->wholeFile().start(wanted);
    QVERIFY(!failed.isEmpty() && lastFailure().contains("never overwritten"));
    wanted = order();
    wanted.scratch = path("nowhere");
    session_->wholeFile().start(wanted);
    QVERIFY(waitUntil([&] { return failed.size() == 2; }, 20'000));
    QVERIFY(!QFile::exists(path("labels.npy")));
    // Not beside another one.
    session_->wholeFile().start(order());
    session_->wholeFile().start(order());
    QCOMPARE(failed.size(), 3);
    QVERIFY(lastFailure().contains("is being clustered"));
    session_->cancel();
    session_->setKept(std::make_shared<const std::vector<std::uint32_t>>(
                          std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7}),
                      {});
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(session_->wholeFile().objection().contains("do not take part"));
    window_->action("wholeFile")->trigger();
    QVERIFY(window_->findChild<WholeFileDialog*>() == nullptr);
    QVERIFY(lastFailure().contains("do not take part"));
  }
};

WINDOW_TEST(TestWholeFile);
#include "tst_whole_file.moc"
