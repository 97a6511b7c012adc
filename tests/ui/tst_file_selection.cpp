// Clicks and outlines find all rows of a file of which some are open, and exports write them.
#include <QAction>
#include <QDir>
#include <QLabel>
#include <QPolygonF>
#include <QTest>
#include <QThread>
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <semaphore>
#include <set>
#include <utility>

#include "engine/io/read.h"
#include "engine/io/write.h"
#include "levels_window.h"
#include "render/paint/palette.h"
#include "ui/dialogs/export_dialog.h"
#include "ui/panels/message_bar.h"
#include "ui/panels/selection_panel.h"
#include "ui/session/cluster_run.h"
#include "ui/session/file_levels.h"
#include "ui/session/open_clouds.h"
#include "ui/session/opened_labels.h"
#include "ui/session/selected_points.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/session/undo_stack.h"
#include "ui/session/whole_file.h"
#include "ui/view/cloud_view.h"
#include "ui/view/stored_colours.h"
#include "ui/words/numbers.h"

using namespace clusterloom;

using Rows = std::vector<std::uint64_t>;

/// Occupies the worker of a kind of jobs: of those that seek rows where none is named.
class HeldWorker {
 public:
  explicit HeldWorker(JobQueue& jobs, JobKind kind = JobKind::ClearLevels) {
    jobs.start(kind, {}, [go = go_](const Job&) { go->acquire(); });
  }
  ~HeldWorker() { go_->release(); }
  HeldWorker(const HeldWorker&) = delete;
  HeldWorker& operator=(const HeldWorker&) = delete;

 private:
  std::shared_ptr<std::binary_semaphore> go_ = std::make_shared<std::binary_semaphore>(0);
};

class TestFileSelection : public QObject, private LevelsWindow {
  Q_OBJECT

  CloudView* view() const { return window_->cloudView(); }
  const Selection& selection() const { return session_->selection(); }
  /// Where a place of the display is in the view.
  QPointF placeOf(const float* xyz) const {
    const ViewTransform t = scene().viewTransform();
    double clip[4];
    for (std::size_t r = 0; r < 4; ++r) {
      clip[r] = t.worldToClip[4 * r + 3];
      for (std::size_t c = 0; c < 3; ++c) clip[r] += t.worldToClip[4 * r + c] * double(xyz[c]);
    }
    const double ratio = view()->devicePixelRatioF();
    return {(clip[0] / clip[3] + 1) / 2 * t.width / ratio,
            view()->height() - (clip[1] / clip[3] + 1) / 2 * t.height / ratio};
  }
  /// Where a row of a cloud in 2-D is in the display.
  std::array<float, 3> displayOf(std::uint64_t row) const {
    const Dataset all = rows();
    const DisplaySpace& space = scene().points()->space;
    return {float(space.toDisplay(0, all.cloud.columns[0][row])),
            float(space.toDisplay(1, all.cloud.columns[1][row])), 0};
  }
  /// From so close by that no other row is near it.
  bool zoomTo(std::uint64_t row) const {
    constexpr double kSide = 0.002;
    const std::array<float, 3> at = displayOf(row);
    DisplayBox box;
    for (std::size_t a = 0; a < 3; ++a) {
      box.low[a] = double(at[a]) - (a < 2 ? kSide / 2 : 0);
      box.high[a] = double(at[a]) + (a < 2 ? kSide / 2 : 0);
    }
    scene().zoomTo(box);
    view()->requestFrame();
    return waitUntilSettled(*window_);
  }
  void click(std::uint64_t row) const {
    const std::array<float, 3> at = displayOf(row);
    QTest::mouseClick(view(), Qt::LeftButton, {}, placeOf(at.data()).toPoint());
  }
  void hoverAt(std::uint64_t row) const {
    const std::array<float, 3> at = displayOf(row);
    const QPoint place = placeOf(at.data()).toPoint();
    QMouseEvent move(QEvent::MouseMove, place, view()->mapToGlobal(place), Qt::NoButton,
                     Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(view(), &move);
  }
  /// Again where the search was given up, as on a busy machine.
  bool hoverUntil(std::uint64_t row, const std::function<bool()>& holds) const {
    constexpr int kTries = 20;
    for (int i = 0; i < kTries; ++i) {
      hoverAt(row);
      if (waitUntil(holds, 1000)) return true;
    }
    return false;
  }
  QString hoverText() const { return view()->findChild<QLabel*>("hoverText")->text(); }
  void drag(const QRect& rectangle, Qt::KeyboardModifiers modifiers) const {
    const QPoint end(rectangle.left() + rectangle.width(), rectangle.top() + rectangle.height());
    QTest::mousePress(view(), Qt::LeftButton, modifiers, rectangle.topLeft());
    for (const QPoint& place : {rectangle.center(), end}) {
      QMouseEvent move(QEvent::MouseMove, place, view()->mapToGlobal(place), Qt::NoButton,
                       Qt::LeftButton, modifiers);
      QCoreApplication::sendEvent(view(), &move);
    }
    QTest::mouseRelease(view(), Qt::LeftButton, modifiers, end);
  }
  bool dragRectangle(const QRect& rectangle, Qt::KeyboardModifiers modifiers) const {
    drag(rectangle, modifiers);
    return waitUntilSettled(*window_) && waitUntilIdle(*session_);
  }
  QRect part(double left, double top, double right, double bottom) const {
    const QSize size = view()->size();
    return {QPoint(int(left * size.width()), int(top * size.height())),
            QPoint(int(right * size.width()), int(bottom * size.height()))};
  }
  /// Qt's own test of points in polygons.
  Rows expectedIn(const QRect& r) const {
    const QPolygonF outline({QPointF(r.topLeft()), QPointF(r.left() + r.width(), r.top()),
                             QPointF(r.left() + r.width(), r.top() + r.height()),
                             QPointF(r.left(), r.top() + r.height())});
    Rows inside;
    for (std::size_t b = 0; b < levels().stored()->outline()->blocks.size(); ++b) {
      const auto block = levels().stored()->read(b);
      if (!block) return {};
      for (std::size_t i = 0; i < block->rows.size(); ++i)
        if (outline.containsPoint(placeOf(block->xyz.data() + 3 * i), Qt::WindingFill))
          inside.push_back(block->rows[i]);
    }
    std::sort(inside.begin(), inside.end());
    return inside;
  }
  Rows selected() const {
    Rows all;
    if (const FileRowSelection set = session_->selectedPoints().rows())
      for (std::uint64_t row = 0; row < set->rows.size(); ++row)
        if (set->has(row)) all.push_back(row);
    return all;
  }
  Rows labelled(std::int32_t label) const {
    const auto written = readDataset(path("labels.npy").toStdString(), {});
    Rows all;
    for (std::size_t row = 0; written && row < kRows; ++row)
      if (written->cloud.columns.front()[row] == double(label)) all.push_back(row);
    return all;
  }
  static Rows unionOf(const Rows& a, const Rows& b) {
    Rows both;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both;
  }
  static Rows allBut(const Rows& some) {
    Rows others;
    for (std::uint64_t row = 0; row < kRows; ++row)
      if (!std::binary_search(some.begin(), some.end(), row)) others.push_back(row);
    return others;
  }
  static Rows intersectionOf(const Rows& a, const Rows& b) {
    Rows both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both;
  }
  static std::pair<double, double> rangeOf(const Rows& some, const std::vector<double>& column) {
    std::vector<double> values;
    for (const std::uint64_t row : some) values.push_back(column[row]);
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return {*low, *high};
  }
  /// Whether the view shows rows of a cloud in 2-D as large as they fit: in `part` of its size.
  bool isFilledWith(const Rows& some, double part = 0.7) const {
    const Dataset all = rows();
    const DisplaySpace& space = scene().points()->space;
    QPolygonF places;
    for (const std::uint64_t row : some) {
      const float xyz[3]{float(space.toDisplay(0, all.cloud.columns[0][row])),
                         float(space.toDisplay(1, all.cloud.columns[1][row])), 0};
      places << placeOf(xyz);
    }
    const QRectF box = places.boundingRect();
    return QRectF(view()->rect()).contains(box) &&
           (box.width() > part * view()->width() || box.height() > part * view()->height());
  }
  bool trigger(const char* action) const {
    window_->action(action)->trigger();
    return waitUntilSettled(*window_) && waitUntilIdle(*session_);
  }
  bool labelAllRows() {
    WholeFileOrder order;
    order.params = {0.5, 26};
    order.labels = path("labels.npy");
    order.memory = kLeastBlockMemory;
    order.scratch = directory_->path();
    session_->wholeFile().start(order);
    return waitUntil([&] { return bool(levels().labels()); }, 120'000) &&
           waitUntil([&] { return isDrawn(); }, 60'000);
  }
  bool exportTo(const QString& file, ExportChoice::What what = ExportChoice::What::SelectedRows) {
    window_->action("export")->trigger();
    auto* dialog = window_->findChild<ExportDialog*>();
    if (dialog == nullptr) return false;
    dialog->setWhat(what);
    dialog->setPath(file);
    const bool isOffered = dialog->choice().what == what;
    dialog->accept();
    return isOffered && waitUntil([&] { return window_->findChild<ExportDialog*>() == nullptr; }) &&
           waitUntilIdle(*session_);
  }
  Result<Dataset> exported(const QString& file) const {
    ReadOptions options;
    options.coordinates = {"x", "y"};
    return readDataset(file.toStdString(), options);
  }

 private Q_SLOTS:
  void init() {
    QVERIFY(showWindow({1100, 800}));
    levels().setPlace(path("kept"), std::uint64_t{1} << 30);
    QVERIFY(writeDataset(path("cloud.npy").toStdString(), rows()));
    QVERIFY(open());
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
  }
  void cleanup() { closeWindow(); }

  void aClickPicksAnyRow() {
    QVERIFY(zoomTo(1));
    click(1);
    QVERIFY(waitUntil([&] { return bool(selection().row); }));
    const auto picked = selection().row;
    QCOMPARE(picked->row, std::uint64_t{1});
    QCOMPARE(selection().point, std::int64_t{-1});
    QCOMPARE(picked->coordinates.size(), std::size_t{2});
    const Dataset all = rows();
    for (std::size_t j = 0; j < 2; ++j) {
      QCOMPARE(picked->coordinates[j].first, all.cloud.names[j]);
      QVERIFY(std::abs(picked->coordinates[j].second - all.cloud.columns[j][1]) < 1e-5);
    }
    QVERIFY(!picked->labels);
    QVERIFY(waitUntilSettled(*window_));
    shot(window_.get(), "file_selection_row");
    const QString text = window_->selection()->pointText();
    QVERIFY2(text.contains("row of the file") && !text.contains("cluster"), qPrintable(text));
    QVERIFY2(view()->pickedWords().contains("row 1 of the file"),
             qPrintable(view()->pickedWords()));
    QVERIFY(window_->action("clearSelection")->isEnabled());
    QTest::keyClick(view(), Qt::Key_Escape);
    QVERIFY(!selection().row);
    // An open row is a point.
    QVERIFY(zoomTo(2 * kEvery));
    click(2 * kEvery);
    QVERIFY(waitUntil([&] { return selection().point == 2; }));
    QVERIFY(!selection().row);
    // A point that is picked otherwise takes over.
    QVERIFY(zoomTo(1));
    click(1);
    QVERIFY(waitUntil([&] { return bool(selection().row); }));
    session_->setPickedPoint(7);
    QVERIFY(!selection().row);
  }

  void thePointerSaysWhichRowIsUnderIt() {
    QVERIFY(zoomTo(1));
    QVERIFY(hoverUntil(1, [&] { return hoverText() == "row 1 of the file"; }));
    QCOMPARE(selection().hoveredPoint, std::int64_t{-1});
    // An open row is a point.
    QVERIFY(zoomTo(2 * kEvery));
    QVERIFY(hoverUntil(2 * kEvery, [&] { return selection().hoveredPoint == 2; }));
    QVERIFY2(hoverText().startsWith("point 2"), qPrintable(hoverText()));
  }

  void thePointerSaysTheClusterOfARow() {
    QVERIFY(labelAllRows());
    QVERIFY(zoomTo(1));
    QVERIFY(hoverUntil(1, [&] { return hoverText().startsWith("row 1 of the file · cluster "); }));
  }

  void aDoubleClickTurnsAboutAnyRow() {
    QVERIFY(writeDataset(path("cloud.npy").toStdString(), rows(3)));
    QVERIFY(open());
    QVERIFY(waitUntil([&] { return isDrawn(); }, 60'000));
    const Dataset all = rows(3);
    const DisplaySpace& space = scene().points()->space;
    std::array<double, 3> place{};
    for (std::size_t a = 0; a < 3; ++a)
      place[a] = double(float(space.toDisplay(int(a), all.cloud.columns[a][1])));
    constexpr double kHalf = 0.001;
    DisplayBox box;
    for (std::size_t a = 0; a < 3; ++a) {
      box.low[a] = place[a] - kHalf;
      box.high[a] = place[a] + kHalf;
    }
    scene().zoomTo(box);
    view()->requestFrame();
    QVERIFY(waitUntilSettled(*window_));
    const float xyz[3]{float(place[0]), float(place[1]), float(place[2])};
    // Qt Test sends the second click of a double click only.
    QTest::mouseClick(view(), Qt::LeftButton, {}, placeOf(xyz).toPoint());
    QTest::mouseDClick(view(), Qt::LeftButton, {}, placeOf(xyz).toPoint());
    QVERIFY(waitUntil([&] { return scene().centreOfRotation().has_value(); }, 10'000));
    QVERIFY(*scene().centreOfRotation() == place);
    // By the action, for the picked row.
    QTest::keyClick(view(), Qt::Key_Home);
    QVERIFY(!scene().centreOfRotation());
    QVERIFY(waitUntil([&] { return bool(selection().row); }, 10'000));
    QVERIFY(window_->action("turnAbout")->isEnabled());
    window_->action("turnAbout")->trigger();
    QVERIFY(scene().centreOfRotation() && *scene().centreOfRotation() == place);
  }

  void aRowGoesWithItsPicture() {
    QVERIFY(zoomTo(1));
    click(1);
    QVERIFY(waitUntil([&] { return bool(selection().row); }));
    const auto picked = selection().row;
    QVERIFY(!picked->in.expired());
    session_->setScaling({Scaling::Kind::Factors, {1, 3}});
    QVERIFY(waitUntilIdle(*session_) && waitUntilSettled(*window_));
    QVERIFY(!selection().row);
    QVERIFY(!window_->selection()->pointText().contains("row of the file"));
    QVERIFY(waitUntil([&] { return picked->in.expired(); }, 10'000));
  }

  void aClickDuringARescaleIsDropped() {
    QVERIFY(zoomTo(1));
    QObject watch;
    bool wasPicked = false;
    connect(session_.get(), &Session::selectionChanged, &watch,
            [&] { wasPicked = wasPicked || selection().row; });
    // The row is found before the picture of the new cloud is made.
    connect(&session_->data(), &SessionData::cloudChanged, &watch, [&] {
      click(1);
      QThread::msleep(300);
    });
    session_->setScaling({Scaling::Kind::Factors, {1, 3}});
    QVERIFY(waitUntilIdle(*session_) && waitUntilSettled(*window_));
    QVERIFY(!wasPicked);
  }

  void whatIsChosenLaterCounts_data() {
    QTest::addColumn<bool>("byKey");
    QTest::newRow("Escape") << true;
    QTest::newRow("the table") << false;
  }
  void whatIsChosenLaterCounts() {
    QFETCH(bool, byKey);
    QVERIFY(zoomTo(1));
    click(1);
    if (byKey)
      QTest::keyClick(view(), Qt::Key_Escape);
    else
      session_->setSelectedClusters({0});
    QTest::qWait(300);
    QVERIFY(!selection().row);
    QCOMPARE(selection().clusters, byKey ? std::set<std::int32_t>() : std::set<std::int32_t>{0});
  }

  void aRowHasItsLabel() {
    QVERIFY(labelAllRows());
    const auto written = readDataset(path("labels.npy").toStdString(), {});
    QVERIFY(written);
    QVERIFY(zoomTo(1));
    click(1);
    QVERIFY(waitUntil([&] { return bool(selection().row); }));
    QCOMPARE(selection().row->row, std::uint64_t{1});
    QVERIFY(selection().row->labels == levels().labels());
    const std::int32_t label = selection().row->label;
    QCOMPARE(double(label), written->cloud.columns.front()[1]);
    QVERIFY(label >= 0);
    // As a click on a point does.
    QCOMPARE(selection().clusters, std::set<std::int32_t>{label});
    QVERIFY(window_->selection()->pointText().contains("cluster"));
    // Another run has no label for it.
    session_->setEps(0.6);
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(selection().row);
    QVERIFY(!window_->selection()->pointText().contains("cluster"));
  }

  void aLabelThatIsGoneSelectsNothing() {
    QVERIFY(labelAllRows());
    QVERIFY(zoomTo(1));
    click(1);
    QThread::msleep(300);  // found, and not told yet
    levels().setEnabled(false);
    QVERIFY(!levels().labels());
    QVERIFY(waitUntil([&] { return bool(selection().row); }));
    QVERIFY(!selection().row->labels);
    QVERIFY(selection().clusters.empty());
  }

  void anOutlineSelectsAllRows() {
    const QRect first = part(0.3, 0.2, 0.6, 0.7);
    QVERIFY(dragRectangle(first, Qt::ShiftModifier));
    const Rows inFirst = expectedIn(first);
    QVERIFY(inFirst.size() > 100 && inFirst.size() < kRows);
    QVERIFY(selection().rows && selection().rows->isComplete);
    QVERIFY(selected() == inFirst);
    QCOMPARE(selection().rows->count, std::uint64_t(inFirst.size()));
    QVERIFY(selection().points);
    shot(window_.get(), "file_selection_rows");
    const QString text = window_->selection()->pointsText();
    QVERIFY2(text.contains(count(inFirst.size()) + " of 60,000 rows"), qPrintable(text));
    QVERIFY2(view()->pickedWords().contains("rows of the file selected"),
             qPrintable(view()->pickedWords()));

    // The box is theirs, which is larger than that of the open ones.
    const Dataset all = rows();
    const SelectionBox box = session_->selectedPoints().box();
    const auto ofOpen = session_->selectedPoints().summary();
    QVERIFY(ofOpen && box.low.size() == 2);
    double more = 0;
    for (std::size_t j = 0; j < 2; ++j) {
      const auto [low, high] = rangeOf(inFirst, all.cloud.columns[j]);
      QVERIFY(std::abs(box.low[j] - low) < 1e-4 && std::abs(box.high[j] - high) < 1e-4);
      more += (ofOpen->low[j] - low) + (high - ofOpen->high[j]);
      const QString range = readable(box.low[j]) + " to " + readable(box.high[j]);
      QVERIFY2(text.contains(range), qPrintable(text));
    }
    QVERIFY(more > 1e-3);

    const QRect second = part(0.5, 0.4, 0.9, 0.9);
    QVERIFY(dragRectangle(second, Qt::ShiftModifier | Qt::ControlModifier));
    const Rows inSecond = expectedIn(second);
    const Rows both = unionOf(inFirst, inSecond);
    QVERIFY(both.size() > inFirst.size());
    QVERIFY(selected() == both);

    QVERIFY(trigger("invertSelection"));
    QVERIFY(selected() == allBut(both));
    QVERIFY(selection().points);
    QVERIFY(dragRectangle(first, Qt::ShiftModifier | Qt::ControlModifier));
    QVERIFY(selected() == unionOf(allBut(both), inFirst));
    QTest::keyClick(view(), Qt::Key_Escape);
    QVERIFY(!selection().points && !selection().rows);
  }

  void ofOtherSelectionsOnlyTheOpenRowsAreKnown() {
    session_->setSelectedPoints(
        std::make_shared<const std::vector<std::uint32_t>>(std::vector<std::uint32_t>{1, 2, 3}));
    const auto saysSo = [&] {
      return !session_->selectedPoints().rows() &&
             window_->selection()->pointsText().contains("only open rows are selected");
    };
    QVERIFY(saysSo());
    QVERIFY(dragRectangle(part(0.3, 0.2, 0.6, 0.7), Qt::ShiftModifier | Qt::ControlModifier));
    QVERIFY(saysSo());
    QVERIFY(trigger("invertSelection"));
    QVERIFY(selection().points && saysSo());
  }

  void aClusterHasAllItsRows() {
    QVERIFY(labelAllRows());
    const Rows first = labelled(0);
    QVERIFY(first.size() > 100 && first.size() < kRows);
    session_->setSelectedClusters({0});
    QVERIFY(waitUntilSettled(*window_) && waitUntilIdle(*session_));
    QVERIFY(!selection().points && selected() == first);
    shot(window_.get(), "file_selection_cluster");
    QVERIFY(window_->selection()->pointsText().contains(count(first.size()) + " of 60,000 rows"));
    QVERIFY2(view()->pickedWords().contains("rows of the file selected"),
             qPrintable(view()->pickedWords()));
    QVERIFY(exportTo(path("cluster.csv")));
    const auto found = exported(path("cluster.csv"));
    QVERIFY2(found, found ? "" : found.error().message.c_str());
    QCOMPARE(found->cloud.size(), first.size());

    // Another one, and noise.
    session_->setSelectedClusters({1, kNoise});
    QVERIFY(waitUntilSettled(*window_) && waitUntilIdle(*session_));
    const Rows others = unionOf(labelled(1), labelled(kNoise));
    QVERIFY(selected() == others);
    // An outline adds to them.
    const QRect outline = part(0.3, 0.2, 0.6, 0.7);
    QVERIFY(dragRectangle(outline, Qt::ShiftModifier | Qt::ControlModifier));
    QVERIFY(selection().points && selection().clusters.empty());
    QVERIFY(selected() == unionOf(others, expectedIn(outline)));

    session_->setSelectedClusters({0});
    QVERIFY(trigger("invertSelection"));
    QVERIFY(selected() == allBut(first));
    // Labels of another run are those of the open rows.
    session_->setSelectedClusters({0});
    session_->setEps(0.6);
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(!session_->selectedPoints().rows());
  }

  void theViewZoomsToAllSelectedRows() {
    // No row of cluster 1, one of the squares, is open.
    Clustering clustering;
    clustering.clusters = 2;
    clustering.labels.assign(kRows, 0);
    for (std::size_t row = 0; row < kRows; row += 4)
      if (row % kEvery != 0) clustering.labels[row] = 1;
    QVERIFY(writeLabelled(path("labels.npy").toStdString(), rows(), clustering, {}));
    session_->openedLabels().open(path("labels.npy"));
    QVERIFY(waitUntil([&] { return bool(levels().labels()); }));
    QVERIFY(waitUntilSettled(*window_) && waitUntilIdle(*session_));
    session_->setSelectedClusters({1});
    QVERIFY(waitUntilSettled(*window_) && waitUntilIdle(*session_));
    QVERIFY(!isFilledWith(labelled(1), 0.5));
    QVERIFY(trigger("zoomToSelection"));
    QVERIFY(isFilledWith(labelled(1), 0.5));

    // Also where no open row is selected.
    QVERIFY(zoomTo(1));
    const std::array<float, 3> at = displayOf(1);
    const QPoint middle = placeOf(at.data()).toPoint();
    QVERIFY(dragRectangle({middle - QPoint(8, 8), middle + QPoint(8, 8)}, Qt::ShiftModifier));
    QVERIFY(!selection().points && selected() == Rows{1});
    constexpr int kNear = 40;  // rulers have other widths
    const auto isInTheMiddle = [&] {
      return (placeOf(at.data()).toPoint() - middle).manhattanLength() < kNear;
    };
    QTest::keyClick(view(), Qt::Key_Home);
    QVERIFY(waitUntilSettled(*window_) && !isInTheMiddle());
    QVERIFY(trigger("zoomToSelection"));
    QVERIFY(isInTheMiddle());
  }

  void aSearchForAClusterIsContinued() {
    QVERIFY(labelAllRows());
    const QRect outline = part(0.3, 0.2, 0.6, 0.7);
    {
      const HeldWorker held(session_->jobs());
      session_->setSelectedClusters({0});
      const FileRowSelection sought = session_->selectedPoints().rows();
      QVERIFY(sought && !sought->isComplete);
      QVERIFY(window_->selection()->pointsText().contains("…"));
      drag(outline, Qt::ShiftModifier | Qt::ControlModifier);
      QVERIFY(waitUntil([&] { return bool(selection().rows); }, 10'000));
    }
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(selected() == unionOf(labelled(0), expectedIn(outline)));
  }

  void withoutLabelsTheWindowSaysSo() {
    session_->setSelectedClusters({0});
    QVERIFY(!session_->selectedPoints().rows());
    const QString text = window_->selection()->pointsText();
    QVERIFY2(text.contains("the others have no clusters yet"), qPrintable(text));
    QVERIFY(trigger("invertSelection"));
    QVERIFY(selection().points && !selection().rows);
  }

  void labelsThatAreSortedAreAwaited() {
    QVERIFY(labelAllRows());
    session_->setSelectedClusters({0});
    const auto text = [&] { return window_->selection()->pointsText(); };
    for (const bool isStopped : {true, false}) {
      levels().setEnabled(false);
      levels().setEnabled(true);
      // The rows are there before, their labels after it.
      const HeldWorker held(session_->jobs(), JobKind::FileValues);
      QVERIFY(waitUntil([&] { return session_->jobs().isActive(JobKind::FileLabels); }));
      QVERIFY2(text().contains("…") && !text().contains("no clusters yet"), qPrintable(text()));
      if (!isStopped) continue;
      session_->jobs().cancel(JobKind::FileLabels);
      QVERIFY2(text().contains("no clusters yet"), qPrintable(text()));
    }
    QVERIFY(waitUntil([&] { return text().contains(" of 60,000 rows"); }));
  }

  void selectedRowsStandOut() {
    QVERIFY(dragRectangle(part(0.3, 0.2, 0.6, 0.7), Qt::ShiftModifier));
    StoredColouring colouring;
    colouring.every = kEvery;
    colouring.selected = selection().rows;
    const Colour grey = noiseColour(colouring.background);
    // Without labels they do not cover open rows, which have colours then.
    for (const bool isPlain : {true, false}) {
      colouring.isPlain = isPlain;
      const StoredColourer colour = storedColourer(colouring);
      for (std::size_t b = 0; b < levels().stored()->outline()->blocks.size(); ++b) {
        const auto block = levels().stored()->read(b);
        QVERIFY(block);
        std::vector<std::uint8_t> bytes(4 * block->rows.size());
        colour(b, *block, bytes);
        for (std::size_t i = 0; i < block->rows.size(); ++i) {
          const std::uint64_t row = block->rows[i];
          const bool isSelected = selection().rows->has(row);
          const DrawLayer layer = row % kEvery == 0 ? DrawLayer::Hidden
                                  : !isPlain        ? DrawLayer::Noise
                                  : isSelected      ? DrawLayer::Normal
                                                    : DrawLayer::Back;
          QCOMPARE(int(bytes[4 * i + 3]), int(layer));
          if (layer == DrawLayer::Noise) QCOMPARE(bytes[4 * i] == grey.r, isSelected);
        }
      }
    }
  }

  void anOutlineDuringASearchAddsToIt() {
    const QRect first = part(0.3, 0.2, 0.6, 0.7);
    const QRect second = part(0.5, 0.4, 0.9, 0.9);
    {
      const HeldWorker held(session_->jobs());
      drag(first, Qt::ShiftModifier);
      QVERIFY(waitUntil([&] { return selection().rows && !selection().rows->isComplete; }));
      const FileRowSelection sought = selection().rows;
      drag(second, Qt::ShiftModifier | Qt::ControlModifier);
      QVERIFY(waitUntil([&] { return selection().rows && selection().rows != sought; }, 10'000));
    }
    QVERIFY(waitUntilIdle(*session_));
    const Rows inFirst = expectedIn(first);
    const Rows inSecond = expectedIn(second);
    const Rows both = unionOf(inFirst, inSecond);
    QVERIFY(selection().rows && selection().rows->isComplete);
    QVERIFY(selected() == both);
  }

  void aSearchEndsWithItsTab() {
    QVERIFY(writeDataset(path("other.npy").toStdString(), rows()));
    {
      const HeldWorker held(session_->jobs());
      drag(part(0.3, 0.2, 0.6, 0.7), Qt::ShiftModifier);
      QVERIFY(waitUntil([&] { return selection().rows && !selection().rows->isComplete; }));
      session_->clouds().addFile(path("other.npy"));
      QVERIFY(waitUntil([&] { return session_->clouds().current() == 1; }));
    }
    QVERIFY(waitUntilIdle(*session_));
    session_->clouds().show(0);
    QVERIFY(waitUntil([&] { return session_->clouds().current() == 0; }));
    QVERIFY(waitUntilSettled(*window_) && waitUntilIdle(*session_));
    QVERIFY(!selection().rows);
  }

  void anEmptyOutlineDeselects() {
    QVERIFY(dragRectangle(part(0.3, 0.2, 0.6, 0.7), Qt::ShiftModifier));
    QVERIFY(selection().points && selection().rows);
    const QRect corner = part(0.005, 0.005, 0.02, 0.02);
    QVERIFY(expectedIn(corner).empty());
    QVERIFY(dragRectangle(corner, Qt::ShiftModifier));
    QVERIFY(!selection().points && !selection().rows);
  }

  void hiddenClustersAreLeftOut() {
    QVERIFY(labelAllRows());
    const auto written = readDataset(path("labels.npy").toStdString(), {});
    QVERIFY(written);
    DisplayState display = session_->display();
    display.hidden = {0};
    session_->setDisplay(display);
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(dragRectangle(view()->rect().adjusted(2, 2, -3, -3), Qt::ShiftModifier));
    Rows others;
    for (std::size_t row = 0; row < kRows; ++row)
      if (written->cloud.columns.front()[row] != 0) others.push_back(row);
    QVERIFY(others.size() > 100 && others.size() < kRows - 100);
    QVERIFY(selected() == others);
  }

  void hiddenRowsAreLeftOut() {
    DisplayState display = session_->display();
    display.hidden = {kNoise};
    session_->setDisplay(display);
    QVERIFY(waitUntilSettled(*window_));
    // Without labels of all rows, those that are not open are hidden like noise.
    QVERIFY(dragRectangle(view()->rect().adjusted(2, 2, -3, -3), Qt::ShiftModifier));
    QVERIFY(selection().points && selection().rows);
    QCOMPARE(selection().rows->count, std::uint64_t(selection().points->size()));
    for (const std::uint64_t row : selected()) QVERIFY(row % kEvery == 0);
  }

  void whatIsKeptIsAllThatIsLeft_data() {
    QTest::addColumn<bool>("removed");
    QTest::newRow("keep") << false;
    QTest::newRow("remove") << true;
  }
  void whatIsKeptIsAllThatIsLeft() {
    QFETCH(bool, removed);
    const auto stored = levels().stored();
    QVERIFY(dragRectangle(part(0.3, 0.2, 0.6, 0.7), Qt::ShiftModifier));
    const Rows chosen = selected();
    const Rows left = removed ? allBut(chosen) : chosen;
    QVERIFY(trigger(removed ? "removeSelection" : "keepSelection"));
    QVERIFY(waitUntilSettled(*window_) && waitUntilIdle(*session_));
    const FileRowSelection kept = session_->parameters().keptRows;
    QVERIFY(kept && kept->count == left.size());
    for (const std::uint64_t row : left) QVERIFY(kept->has(row));
    QVERIFY(session_->undoStack()->undoText().contains(count(chosen.size()) + " rows"));
    QVERIFY(!session_->selectedPoints().isAnything());
    // They stay where they are: nothing is stored again.
    QVERIFY(levels().stored() == stored && scene().storedPoints() == stored);
    shot(window_.get(), removed ? "file_selection_removed" : "file_selection_kept");
    // A view that showed everything shows what is left, as a key does later.
    QVERIFY(scene().isFitted() && isFilledWith(left));
    scene().zoomBy(0.5);
    QVERIFY(!isFilledWith(left));
    QTest::keyClick(view(), Qt::Key_Home);
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(scene().isFitted() && isFilledWith(left));

    // The others are not found.
    const QRect all = view()->rect().adjusted(2, 2, -3, -3);
    const Rows there = intersectionOf(expectedIn(all), left);
    QVERIFY(there.size() > left.size() / 2);
    QVERIFY(dragRectangle(all, Qt::ShiftModifier));
    QVERIFY(selected() == there);
    const QString text = window_->selection()->pointsText();
    QVERIFY2(text.contains(count(there.size()) + " of " + countedRows(left.size())),
             qPrintable(text));
    // Of these only some.
    const QRect half = part(0.01, 0.01, 0.5, 0.99);
    QVERIFY(dragRectangle(half, Qt::ShiftModifier));
    const Rows inHalf = intersectionOf(expectedIn(half), left);
    QVERIFY(selected() == inHalf);
    QVERIFY(trigger("invertSelection"));
    QVERIFY(selected() == intersectionOf(allBut(inHalf), left));
    QVERIFY(trigger("keepSelection"));
    QVERIFY(waitUntilSettled(*window_) && waitUntilIdle(*session_));
    QCOMPARE(session_->parameters().keptRows->count, std::uint64_t(left.size() - inHalf.size()));

    session_->undoStack()->undo();
    QVERIFY(waitUntilIdle(*session_) && waitUntilSettled(*window_));
    QVERIFY(session_->parameters().keptRows == kept);
    QVERIFY(trigger("restorePoints"));
    QVERIFY(waitUntilSettled(*window_) && waitUntilIdle(*session_));
    QVERIFY(!session_->parameters().kept && !session_->parameters().keptRows);
    QVERIFY(levels().stored() == stored);
    QVERIFY(scene().isFitted() && isFilledWith(allBut({})));
    QVERIFY(dragRectangle(half, Qt::ShiftModifier));
    QVERIFY(selected() == expectedIn(half));
  }

  // As before the rows are stored for other axes.
  void knownRowsAreTakenWhileNoneAreStored() {
    QVERIFY(dragRectangle(part(0.3, 0.2, 0.6, 0.7), Qt::ShiftModifier));
    const Rows chosen = selected();
    levels().setEnabled(false);
    QVERIFY(!levels().stored() && selected() == chosen);
    QVERIFY(trigger("keepSelection"));
    FileRowSelection kept = session_->parameters().keptRows;
    QVERIFY(kept && kept->isComplete);
    QCOMPARE(kept->count, std::uint64_t(chosen.size()));
    QCOMPARE(kept->of, std::uint64_t{kRows});
    for (const std::uint64_t row : chosen) QVERIFY(kept->has(row));
    QVERIFY(session_->undoStack()->undoText().contains(count(chosen.size()) + " rows"));

    levels().setEnabled(true);
    QVERIFY(waitUntil([&] { return bool(levels().stored()); }));
    QVERIFY(waitUntilSettled(*window_) && waitUntilIdle(*session_));
    QVERIFY(dragRectangle(part(0.01, 0.01, 0.5, 0.99), Qt::ShiftModifier));
    const Rows half = selected();
    QVERIFY(!half.empty() && half.size() < chosen.size());
    levels().setEnabled(false);
    QVERIFY(trigger("invertSelection"));
    QVERIFY(selected() == intersectionOf(allBut(half), chosen));
    QVERIFY(trigger("removeSelection"));
    kept = session_->parameters().keptRows;
    QVERIFY(kept);
    QCOMPARE(kept->count, std::uint64_t(half.size()));
    QCOMPARE(kept->of, std::uint64_t{kRows});
    QVERIFY(
        session_->undoStack()->undoText().contains(count(chosen.size() - half.size()) + " rows"));
  }

  void keptRowsComeBackWithTheirSession() {
    QVERIFY(dragRectangle(part(0.3, 0.2, 0.6, 0.7), Qt::ShiftModifier));
    const Rows chosen = selected();
    QVERIFY(trigger("keepSelection"));
    QVERIFY(waitUntilSettled(*window_) && waitUntilIdle(*session_));
    const int files = int(QDir(path("kept")).entryList(QDir::Files).size());
    session_->files().saveSession(path("part.clusterloom"));
    QVERIFY(waitUntilIdle(*session_));
    session_->closeData();
    QVERIFY(!levels().stored());
    session_->files().openSession(path("part.clusterloom"));
    QVERIFY(waitUntil([&] { return bool(levels().stored()); }));
    QVERIFY(waitUntilSettled(*window_) && waitUntilIdle(*session_));
    // As they were stored before.
    QCOMPARE(int(QDir(path("kept")).entryList(QDir::Files).size()), files);
    QCOMPARE(session_->parameters().keptRows->count, std::uint64_t(chosen.size()));
    QCOMPARE(session_->parameters().keptRows->of, std::uint64_t{kRows});
    const QRect all = view()->rect().adjusted(2, 2, -3, -3);
    QVERIFY(dragRectangle(all, Qt::ShiftModifier));
    QVERIFY(selected() == intersectionOf(expectedIn(all), chosen));
    QVERIFY(exportTo(path("part.csv"), ExportChoice::What::KeptRows));
    const auto found = exported(path("part.csv"));
    QVERIFY2(found, found ? "" : found.error().message.c_str());
    QCOMPARE(found->cloud.size(), chosen.size());
  }

  void whatWasDrawnBeforeTakesNoMemory() {
    QVERIFY(dragRectangle(part(0.3, 0.2, 0.6, 0.7), Qt::ShiftModifier));
    const std::weak_ptr<const DisplayPoints> before = scene().points();
    QVERIFY(trigger("keepSelection"));
    QVERIFY(session_->parameters().keptRows);
    QVERIFY(waitUntil([&] { return before.expired(); }, 10'000));
  }

  void removedClustersAreGone() {
    QVERIFY(labelAllRows());
    const Rows first = labelled(0);
    session_->setSelectedClusters({0});
    QVERIFY(trigger("removeSelection"));
    QVERIFY(waitUntilSettled(*window_) && waitUntilIdle(*session_));
    const FileRowSelection kept = session_->parameters().keptRows;
    QVERIFY(kept && kept->count == kRows - first.size());
    for (const std::uint64_t row : first) QVERIFY(!kept->has(row));
  }

  void theWindowSaysWhereOnlyOpenRowsAreLeft() {
    session_->setSelectedClusters({0});
    QVERIFY(trigger("keepSelection"));
    QVERIFY(waitUntil([&] { return !levels().stored(); }));
    QVERIFY(session_->parameters().kept && !session_->parameters().keptRows);
    const QString text = window_->findChild<MessageBar*>()->text();
    QVERIFY2(text.contains("Only the open rows"), qPrintable(text));
  }

  void someOpenRowsMustRemain() {
    QVERIFY(dragRectangle(view()->rect().adjusted(2, 2, -3, -3), Qt::ShiftModifier));
    QCOMPARE(selection().rows->count, std::uint64_t{kRows});
    QVERIFY(trigger("removeSelection"));
    QVERIFY(!session_->parameters().kept);
    const QString text = window_->findChild<MessageBar*>()->text();
    QVERIFY2(text.contains("None of the open rows would remain"), qPrintable(text));
  }

  void aStopLeavesTheOpenRowsSelected() {
    connect(&session_->jobs(), &JobQueue::started, this, [&](quint64, JobKind kind) {
      if (kind == JobKind::FileSelection) session_->jobs().cancel(JobKind::FileSelection);
    });
    QVERIFY(dragRectangle(part(0.3, 0.2, 0.6, 0.7), Qt::ShiftModifier));
    QVERIFY(waitUntil([&] { return selection().points && !selection().rows; }));
    disconnect(&session_->jobs(), &JobQueue::started, this, nullptr);
  }

  void selectedRowsAreExported() {
    QVERIFY(zoomTo(1));
    const std::array<float, 3> at = displayOf(1);
    const QPoint middle = placeOf(at.data()).toPoint();
    QVERIFY(dragRectangle({middle - QPoint(60, 60), middle + QPoint(60, 60)}, Qt::ShiftModifier));
    const Rows some = selected();
    QVERIFY(std::find(some.begin(), some.end(), 1) != some.end());
    QVERIFY(some.size() < 100);
    QVERIFY(exportTo(path("some.csv")));
    const auto found = exported(path("some.csv"));
    QVERIFY2(found, found ? "" : found.error().message.c_str());
    QCOMPARE(found->cloud.size(), some.size());
    QVERIFY(found->attributes.empty());
    const Dataset all = rows();
    for (std::size_t j = 0; j < 2; ++j)
      for (std::size_t i = 0; i < some.size(); ++i)
        QCOMPARE(found->cloud.columns[j][i], all.cloud.columns[j][some[i]]);
  }

  void exportedRowsHaveTheirLabels() {
    QVERIFY(labelAllRows());
    const auto written = readDataset(path("labels.npy").toStdString(), {});
    QVERIFY(written);
    QVERIFY(dragRectangle(part(0.3, 0.2, 0.6, 0.7), Qt::ShiftModifier));
    const Rows some = selected();
    QVERIFY(some.size() > 100);
    QVERIFY(exportTo(path("some.csv")));
    const auto found = exported(path("some.csv"));
    QVERIFY2(found, found ? "" : found.error().message.c_str());
    QCOMPARE(found->cloud.size(), some.size());
    const auto label = std::find_if(found->attributes.begin(), found->attributes.end(),
                                    [](const Attribute& a) { return a.name == "label"; });
    QVERIFY(label != found->attributes.end());
    const auto labels = doublesOf(nullptr, label->values);
    QVERIFY(labels);
    for (std::size_t i = 0; i < some.size(); ++i)
      QCOMPARE((*labels)[i], written->cloud.columns.front()[some[i]]);
  }

  void theProvenanceCountsTheClustersOfAllRows() {
    // Cluster 7 has no open row.
    Clustering clustering;
    clustering.clusters = 8;
    clustering.labels.assign(kRows, 7);
    for (std::size_t row = 0; row < kRows; row += kEvery) clustering.labels[row] = 0;
    QVERIFY(writeLabelled(path("labels.npy").toStdString(), rows(), clustering, {}));
    session_->openedLabels().open(path("labels.npy"));
    QVERIFY(waitUntil([&] { return bool(levels().labels()); }));
    QVERIFY(waitUntilSettled(*window_) && waitUntilIdle(*session_));
    QVERIFY(dragRectangle(part(0.3, 0.2, 0.6, 0.7), Qt::ShiftModifier));
    session_->files().exportRows(path("some.csv"), selection().rows, levels().labels(), true,
                                 ExportLoss::Allow);
    QVERIFY(waitUntilIdle(*session_));
    QFile provenance(path("some.csv.provenance.json"));
    QVERIFY(provenance.open(QIODevice::ReadOnly));
    const QByteArray text = provenance.readAll();
    QVERIFY2(text.contains("\"clusters\": \"8\""), text.constData());
    QVERIFY2(!text.contains("\"core\"") && !text.contains("\"border\""), text.constData());
    QVERIFY2(text.contains("of 60000 rows with finite coordinates"), text.constData());
    // The open rows have no roles either.
    session_->files().exportLabelled(path("open.csv"), {}, true, ExportLoss::Allow);
    QVERIFY(waitUntilIdle(*session_));
    QFile ofOpen(path("open.csv.provenance.json"));
    QVERIFY(ofOpen.open(QIODevice::ReadOnly));
    QVERIFY(!ofOpen.readAll().contains("\"core\""));
  }
};

WINDOW_TEST(TestFileSelection);
#include "tst_file_selection.moc"
