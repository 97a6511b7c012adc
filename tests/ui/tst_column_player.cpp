// Playing a column: which points are drawn in a window of its values, how it steps, and its row
// below the view.
#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QSlider>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <limits>
#include <random>

#include "column_window.h"
#include "engine/cloud/dataset.h"
#include "holding_backend.h"
#include "ui/panels/column_player_row.h"
#include "ui/panels/message_bar.h"
#include "ui/session/every_eps.h"
#include "ui/session/opened_labels.h"
#include "ui/session/session_data.h"
#include "ui/theme/theme.h"
#include "ui/view/column_player.h"
#include "ui/window/frame_series.h"

using namespace clusterloom;
using columns::drawn;
using columns::requestOf;

namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();

std::shared_ptr<const Dataset> datasetOf(const std::vector<double>& t) {
  auto dataset = std::make_shared<Dataset>();
  std::vector<double> x(t.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = double(i);
  dataset->cloud = {{x, x}, {"x", "y"}};
  dataset->attributes.push_back({"t", t});
  return dataset;
}

}  // namespace

class TestColumnPlayer : public QObject, private columns::ColumnWindow {
  Q_OBJECT

 private Q_SLOTS:
  void init() { QVERIFY(showWindow({1100, 800})); }
  void cleanup() { closeWindow(); }

  void shareFollowsTheTime() {
    QCOMPARE(PlayClock::shareAfter(0, 0, 10), 0.0);
    QCOMPARE(PlayClock::shareAfter(0, 5000, 10), 0.5);
    QCOMPARE(PlayClock::shareAfter(0.25, 5000, 10), 0.75);
    QCOMPARE(PlayClock::shareAfter(0.9, 5000, 10), 1.0);
  }

  // By plain loops, at every position; both ends belong to the window.
  void onlyPointsInTheWindowAreDrawn() {
    const std::vector<double> t{3, 1, kNan, 2, 2, 5, std::numeric_limits<double>::infinity(), 4};
    const auto dataset = datasetOf(t);
    SceneRequest request = requestOf(dataset->cloud);
    QCOMPARE(drawn(request).size(), t.size());
    const auto values = std::make_shared<const std::vector<double>>(t);
    for (double low = 0; low <= 6; low += 0.5)
      for (double width : {0.0, 1.0, 2.5, 10.0}) {
        request.window = ValueWindow{values, low, low + width};
        std::vector<std::uint32_t> expected;
        for (std::uint32_t i = 0; i < t.size(); ++i)
          if (t[i] >= low && t[i] <= low + width) expected.push_back(i);
        QCOMPARE(drawn(request), expected);
        QCOMPARE(makeSceneContent(request, {})->inWindow, std::optional(expected.size()));
      }
    // A point that is not drawn has no ring.
    request.marked = 0;
    request.window = ValueWindow{values, 3, 3};
    QVERIFY(makeSceneContent(request, {})->marked.has_value());
    request.window = ValueWindow{values, 4, 5};
    QVERIFY(!makeSceneContent(request, {})->marked.has_value());
    // Values of other data are not used.
    request.window = ValueWindow{std::make_shared<const std::vector<double>>(3, 1.0), 2, 3};
    QCOMPARE(drawn(request).size(), t.size());
  }

  void columnsNamedLikeATimeComeFirst() {
    auto dataset = std::make_shared<Dataset>(*datasetOf({1, 2}));
    dataset->cloud.names = {"x", "frame"};
    dataset->attributes = {{"intensity", std::vector<double>{1, 2}},
                           {"gps_time", std::vector<double>{1, 2}},
                           {"T", std::vector<double>{1, 2}}};
    QStringList names;
    for (const PlayableColumn& column : playableColumns(*dataset)) names << column.name;
    QCOMPARE(names, QStringList({"frame", "gps_time", "T", "x", "intensity"}));
  }

  void valuesAreLookedThrough() {
    const PlayedValues numbers =
        playedValuesOf(datasetOf({3, kNan, 1, 3}), PlayableColumn{"t", false, 0});
    QCOMPARE(numbers.low, 1.0);
    QCOMPARE(numbers.high, 3.0);
    QCOMPARE(numbers.few, (std::vector<double>{1, 3}));
    const PlayedValues none = playedValuesOf(datasetOf({kNan}), PlayableColumn{"t", false, 0});
    QVERIFY(!none.any);
    std::vector<double> many(5000);
    for (std::size_t i = 0; i < many.size(); ++i) many[i] = double(i);
    QVERIFY(playedValuesOf(datasetOf(many), PlayableColumn{"t", false, 0}).few.empty());
    // Words have their place in the order of all words.
    auto dataset = std::make_shared<Dataset>(*datasetOf({0, 0, 0}));
    dataset->attributes = {{"day", Categories{{0, 1, 0}, {"2024-02-01", "2024-01-31"}}}};
    const PlayedValues words = playedValuesOf(dataset, PlayableColumn{"day", false, 0});
    QCOMPARE(*words.values, (std::vector<double>{1, 0, 1}));
    QCOMPARE(words.words.front(), QString("2024-01-31"));
  }

  void nextValuesAreFound() {
    const std::vector<double> values{3, 1, kNan, 2, 2};
    QCOMPARE(nextValue(values, 1, 1), std::optional(2.0));
    QCOMPARE(nextValue(values, 2, -1), std::optional(1.0));
    QCOMPARE(nextValue(values, 3, 1), std::optional<double>());
    QCOMPARE(nextValue(values, 1, -1), std::optional<double>());
    QCOMPARE(nextValue({}, 1, 1), std::optional<double>());
  }

  void windowsCoverTheRange() {
    QStringList values;
    for (int i = 0; i <= 200; ++i) values << QString::number(double(i) / 10);
    QVERIFY(open(values));
    const auto result = session_->clusterRun().result();
    player().setOn(true);
    QVERIFY(playerReady());
    QCOMPARE(player().columns().at(std::size_t(player().column())).name, QString("t"));
    QCOMPARE(player().width(), 1.0);
    std::vector<bool> seen(201, false);
    int windows = 0;
    do {
      QVERIFY(player().position() >= 0 && player().end() <= 20);
      for (const std::uint32_t point : shown()) seen[point] = true;
      const double before = player().position();
      player().stepByWindow(1);
      if (player().position() == before) break;
    } while (++windows < 100);
    QCOMPARE(windows, 19);
    QCOMPARE(player().end(), 20.0);
    QVERIFY(std::find(seen.begin(), seen.end(), false) == seen.end());
    player().stepByWindow(-1);
    QCOMPARE(player().position(), 18.0);
    // 0.7 + 0.1 is below 0.8 in binary.
    player().setWidth(0.1);
    player().setPosition(0.7);
    QCOMPARE(shown(), (std::vector<std::uint32_t>{7, 8}));
    player().stepToValue(1);
    QVERIFY(waitUntil([&] { return player().position() == 0.8; }));
    player().stepToValue(-1);
    QVERIFY(waitUntil([&] { return player().position() == 0.7; }));
    // The clusters are those of all points, and nothing is an undo step.
    QCOMPARE(session_->clusterRun().result(), result);
    QCOMPARE(session_->undoStack()->count(), 0);
    player().setOn(false);
    QVERIFY(!player().window());
  }

  void fewValuesAreShownOneByOne() {
    QVERIFY(open({"1", "1", "4", "2", "4"}, "frame"));
    player().setOn(true);
    QVERIFY(playerReady());
    QCOMPARE(player().width(), 0.0);
    QCOMPARE(shown(), (std::vector<std::uint32_t>{0, 1}));
    player().setShare(0.5);
    QCOMPARE(player().position(), 2.0);
    QCOMPARE(shown(), (std::vector<std::uint32_t>{3}));
    player().stepByWindow(1);
    QVERIFY(waitUntil([&] { return player().position() == 4; }));
    QCOMPARE(shown(), (std::vector<std::uint32_t>{2, 4}));
  }

  void constantColumnsAndOnePointShowAll() {
    QVERIFY(open({"5", "5", "5"}));
    player().setOn(true);
    QVERIFY(playerReady());
    QVERIFY(!player().isPossible());
    QCOMPARE(shown().size(), std::size_t{3});
    player().play();
    QVERIFY(!player().isPlaying());
    QVERIFY(open({"7"}, "t", "one.csv"));
    QVERIFY(playerReady());
    QVERIFY(player().isOn());
    QCOMPARE(shown().size(), std::size_t{1});
    QCOMPARE(player().position(), 7.0);
  }

  void playingPausesAtTheEnd() {
    QVERIFY(open({"0", "1", "2", "3"}));
    player().setOn(true);
    QVERIFY(playerReady());
    player().setDuration(0.5);
    player().play();
    QVERIFY(player().isPlaying());
    QVERIFY(waitUntil([&] { return !player().isPlaying(); }));
    QCOMPARE(player().position(), 3.0);
    // From the beginning again.
    player().play();
    QVERIFY(player().isPlaying());
    QCOMPARE(player().position(), 0.0);
  }

  void otherDataWhilePlaying() {
    QVERIFY(open({"0", "1", "2", "3"}));
    player().setOn(true);
    QVERIFY(playerReady());
    player().setDuration(1e6);
    player().play();
    // A column of this name is gone: another one is taken.
    QVERIFY(open({"10", "20"}, "intensity", "other.csv"));
    QVERIFY(!player().isPlaying());
    QVERIFY(player().isOn());
    QVERIFY(playerReady());
    QCOMPARE(player().columns().at(std::size_t(player().column())).name, QString("x"));
    QCOMPARE(player().window()->values->size(), std::size_t{2});
    player().play();
    QVERIFY(player().isPlaying());
    session_->closeData();
    QVERIFY(!player().isPlaying());
    QVERIFY(!player().isOn());
    QVERIFY(!player().window());
    QVERIFY(!window_->findChild<ColumnPlayerRow*>()->isVisible());
    player().setOn(true);
    QVERIFY(!player().isOn());
  }

  void aPartOfTheDataKeepsThePlace() {
    QVERIFY(open({"0", "1", "2", "3", "4", "5"}));
    player().setOn(true);
    QVERIFY(playerReady());
    player().setPosition(2);
    session_->setKept(
        std::make_shared<const std::vector<std::uint32_t>>(std::vector<std::uint32_t>{0, 2, 5}),
        "keep");
    QVERIFY(waitUntil([&] { return session_->data().cloud()->size() == 3; }));
    QVERIFY(playerReady());
    QCOMPARE(player().position(), 2.0);
    QCOMPARE(shown(), (std::vector<std::uint32_t>{1}));
  }

  // A time as third coordinate with an ε of its own.
  void aTimeCanBeADimension() {
    QVERIFY(open({"0", "100", "200", "0"}));
    OpenRequest request;
    request.path = session_->data().source().path;
    request.eps = 2;
    request.minPts = 2;
    request.read.coordinates = {"x", "y", "t"};
    window_->openRequest(request);
    QVERIFY(waitUntil([&] {
      return session_->data().dataset() && session_->data().dataset()->cloud.dims() == 3;
    }));
    QVERIFY(waitUntilSettled(*window_));
    // Neighbours are 1 apart in x and 100 in t.
    QCOMPARE(session_->clusterRun().result()->clustering.clusters, 0);
    session_->setEpsOfDimensions({2, 2, 400});
    QVERIFY(waitForResult(*session_));
    QCOMPARE(session_->clusterRun().result()->clustering.clusters, 1);
    player().setOn(true);
    QVERIFY(playerReady());
    QCOMPARE(player().columns().at(std::size_t(player().column())).name, QString("t"));
    QVERIFY(player().columns().front().isDimension);
    // In the units of the file, not scaled.
    QCOMPARE(player().high(), 200.0);
  }

  void theRowIsUsedByKeyboard() {
    QStringList values;
    std::mt19937_64 random(1);
    for (int i = 0; i < 3000; ++i)
      values << QString::number(1.3e9 + double(random() % 600000) / 1000, 'f', 3);
    QVERIFY(!action()->isEnabled());
    QVERIFY(open(values, "gps_time"));
    auto* row = window_->findChild<ColumnPlayerRow*>();
    QVERIFY(!row->isVisible());
    window_->cloudView()->setFocus();
    QTest::keyClick(window_->cloudView(), Qt::Key_P);
    QVERIFY(row->isVisible());
    QVERIFY(action()->isChecked());
    QVERIFY(playerReady());
    QVERIFY(widget<QToolButton>("playPlay")->hasFocus());
    QCOMPARE(widget<QComboBox>("playedColumn")->currentText(), QString("gps_time"));
    auto* place = widget<QLabel>("playedPlace");
    QVERIFY(waitUntil([&] { return place->text().contains(" of 3,000 points"); }));
    // Seconds can be told apart.
    QVERIFY2(place->text().startsWith("1,300,000,0") || place->text().startsWith("1300000000"),
             qPrintable(place->text()));
    const double before = player().position();
    widget<QToolButton>("playForward")->setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
    QCOMPARE(player().position(), before + player().width());
    auto* slider = widget<QSlider>("playedPosition");
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_End);
    QCOMPARE(player().share(), 1.0);
    QTest::keyClick(slider, Qt::Key_Home);
    QCOMPARE(player().share(), 0.0);
    auto* width = widget<QLineEdit>("playedWidth");
    width->setFocus();
    width->selectAll();
    QTest::keyClicks(width, "60");
    QTest::keyClick(width, Qt::Key_Return);
    QCOMPARE(player().width(), 60.0);
    QTest::keyClicks(width, "x");
    QTest::keyClick(width, Qt::Key_Return);
    QCOMPARE(width->text(), QString("60"));
    for (auto* part : row->findChildren<QWidget*>())
      if (part->focusPolicy() & Qt::TabFocus && part->parentWidget() != width &&
          !qobject_cast<QLineEdit*>(part->parentWidget()) && part->isVisible())
        QVERIFY2(!part->accessibleName().isEmpty(), qPrintable(part->objectName()));
    widget<QToolButton>("playPlay")->setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QVERIFY(!row->isVisible());
    QVERIFY(!action()->isChecked());
    QVERIFY(window_->cloudView()->hasFocus());
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(!window_->cloudView()->pointsInWindow());
    // Escape in the view, too.
    action()->trigger();
    QVERIFY(playerReady());
    window_->cloudView()->setFocus();
    session_->setSelectedClusters({0});
    QTest::keyClick(window_->cloudView(), Qt::Key_Escape);
    QVERIFY(session_->selection().clusters.empty());
    QVERIFY(player().isOn());
    QTest::keyClick(window_->cloudView(), Qt::Key_Escape);
    QVERIFY(!player().isOn());
  }

  // Not a time limit: says what a step costs.
  void aStepOfAMillionPoints() {
    std::vector<double> t(1000000);
    std::mt19937_64 random(1);
    for (double& value : t) value = double(random() >> 11) * 0x1p-53;
    const auto dataset = datasetOf(t);
    SceneRequest request = requestOf(dataset->cloud);
    const auto first = makeSceneContent(request, {});
    QVERIFY(first);
    request.points = first->points;
    request.window = ValueWindow{
        {dataset, &std::get<std::vector<double>>(dataset->attributes.front().values)}, 0.4, 0.5};
    QElapsedTimer timer;
    timer.start();
    const auto content = makeSceneContent(request, {});
    qInfo("a step of 1 M points takes %lld ms", static_cast<long long>(timer.elapsed()));
    QVERIFY(content && content->points == first->points);  // only the colours are made anew
    QVERIFY(*content->inWindow > 90000 && *content->inWindow < 110000);
  }
};

WINDOW_TEST(TestColumnPlayer);
#include "tst_column_player.moc"
