// Frames of a column that is played.
#include <QDir>
#include <QFile>
#include <QMouseEvent>
#include <QPushButton>
#include <QTest>
#include <algorithm>

#include "column_window.h"
#include "engine/cloud/dataset.h"
#include "holding_backend.h"
#include "ui/dialogs/picture_dialog.h"
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

class TestColumnFrames : public QObject, private columns::ColumnWindow {
  Q_OBJECT

  /// Where a point is in the view.
  QPoint placeOf(std::uint32_t point) {
    CloudView* view = window_->cloudView();
    const ViewTransform t = view->scene().viewTransform();
    const DisplayPoints& drawn = *view->scene().points();
    const auto i =
        std::size_t(std::find(drawn.order.begin(), drawn.order.end(), point) - drawn.order.begin());
    double clip[4];
    for (std::size_t r = 0; r < 4; ++r) {
      clip[r] = t.worldToClip[4 * r + 3];
      for (std::size_t c = 0; c < 3; ++c)
        clip[r] += t.worldToClip[4 * r + c] * double(drawn.xyz[3 * i + c]);
    }
    const double ratio = view->devicePixelRatioF();
    return QPointF((clip[0] / clip[3] + 1) / 2 * t.width / ratio,
                   view->height() - (clip[1] / clip[3] + 1) / 2 * t.height / ratio)
        .toPoint();
  }

 private Q_SLOTS:
  void init() { QVERIFY(showWindow({1100, 800})); }
  void cleanup() { closeWindow(); }

  /// Save frames… in the row: a picture of each value, then the window as it was.
  void framesAreSaved() {
    QStringList values;
    for (int i = 0; i < 60; ++i) values << QString::number(i % 5 == 4 ? 9 : i % 5);
    QVERIFY(open(values));
    action()->trigger();
    QVERIFY(playerReady());
    player().setPosition(2);
    QVERIFY(waitUntilSettled(*window_));
    shot(window_.get(), "player-frames");
    auto* save = widget<QPushButton>("savePlayedFrames");
    QVERIFY(save->isVisible() && save->isEnabled());
    // Messages leave the row free.
    MessageBar* messages = window_->messages();
    messages->showMessage(MessageBar::Kind::Information, "Saved");
    QVERIFY(messages->isVisible());
    const auto inWindow = [&](const QWidget* part) {
      return QRect(part->mapTo(window_.get(), QPoint()), part->size());
    };
    const auto* row = window_->findChild<ColumnPlayerRow*>();
    QVERIFY(!inWindow(messages).intersects(inWindow(row)));
    messages->hide();
    save->click();
    auto* dialog = window_->findChild<FramesDialog*>();
    QVERIFY(dialog != nullptr && dialog->windowTitle().contains("t"));
    QCOMPARE(dialog->frames(), 5);  // one for each value
    shot(dialog, "player-frames-dialog");
    dialog->reject();
    QDir folder(directory_->path());
    QVERIFY(folder.mkdir("frames") && folder.cd("frames"));
    int written = -1;
    bool stopped = true;
    // What is drawn, whenever a frame is written.
    std::vector<std::vector<std::uint32_t>> seen;
    FrameSeries* series = FrameSeries::start(*session_, *window_->cloudView(),
                                             columnFrames(*session_, *window_->cloudView()),
                                             {folder.path(), "column", 5, {{300, 200}, 1, false}});
    connect(series, &FrameSeries::progressed, window_.get(), [&] { seen.push_back(shown()); });
    connect(series, &FrameSeries::finished, window_.get(), [&](int count, bool early) {
      written = count;
      stopped = early;
    });
    QVERIFY(waitUntil([&] { return written >= 0; }));
    QCOMPARE(written, 5);
    QVERIFY(!stopped);
    QCOMPARE(seen.size(), std::size_t(5));
    for (std::size_t frame = 0; frame < 5; ++frame) {
      std::vector<std::uint32_t> expected;
      for (std::uint32_t i = 0; i < 60; ++i)
        if (i % 5 == frame) expected.push_back(i);
      QCOMPARE(seen[frame], expected);
      const QImage picture(folder.filePath(QStringLiteral("column-000%1.png").arg(frame + 1)));
      QCOMPARE(picture.size(), QSize(300, 200));
    }
    QVERIFY(QImage(folder.filePath("column-0001.png")) !=
            QImage(folder.filePath("column-0002.png")));
    QCOMPARE(player().position(), 2.0);
    // More frames than values: evenly over the column, with the value before each place.
    player().showFrame(1, 10);
    QCOMPARE(player().position(), 1.0);
    player().showFrame(8, 10);
    QCOMPARE(player().position(), 3.0);
    player().showFrame(9, 10);
    QCOMPARE(player().position(), 9.0);
    // With a width the windows are evenly spaced.
    player().setWidth(1);
    player().showFrame(1, 3);
    QCOMPARE(player().position(), 4.0);
    QCOMPARE(player().usualFrames(), 120);
  }

  /// The clusters may be of no run of the parameters: nothing but a run under way is waited for.
  void framesShowTheClustersThatAreThere() {
    const auto hold = std::make_shared<Hold>();
    QVERIFY(showWindow({1100, 800}, {}, holdingBackends(hold)));
    session_->everyEps().setEnabled(false);
    QVERIFY(open({"0", "1", "2", "0", "1", "2"}));
    action()->trigger();
    QVERIFY(playerReady());
    QDir folder(directory_->path());
    QVERIFY(folder.mkdir("frames") && folder.cd("frames"));
    int written = -1;
    bool current = true;  // at every frame
    const auto start = [&](const QString& name) {
      written = -1;
      current = true;
      FrameSeries* series = FrameSeries::start(*session_, *window_->cloudView(),
                                               columnFrames(*session_, *window_->cloudView()),
                                               {folder.path(), name, 3, {{200, 150}, 1, false}});
      connect(series, &FrameSeries::progressed, window_.get(),
              [&] { current = current && session_->clusterRun().isResultCurrent(); });
      connect(series, &FrameSeries::finished, window_.get(), [&](int count) { written = count; });
    };
    const auto ends = [&] { return waitUntil([&] { return written >= 0; }); };

    hold->held = true;
    session_->setMinPts(1);
    QCOMPARE(session_->clusterRun().state(), RunState::Running);
    start("run");
    QCoreApplication::processEvents();
    hold->held = false;
    QVERIFY(ends());
    QCOMPARE(written, 3);
    QVERIFY(current);

    // A run that is stopped leaves the result before it.
    hold->held = true;
    session_->setMinPts(2);
    start("stopped");
    QCoreApplication::processEvents();
    session_->cancel();
    QVERIFY(ends());
    QCOMPARE(written, 3);
    hold->held = false;

    // Labels of a file.
    QFile labels(directory_->filePath("labels.txt"));
    QVERIFY(labels.open(QIODevice::WriteOnly) && labels.write("0\n0\n0\n1\n1\n1\n") > 0);
    labels.close();
    session_->openedLabels().open(labels.fileName());
    QVERIFY(waitUntil([&] {
      const auto result = session_->clusterRun().result();
      return result && !result->isOfRun();
    }));
    start("labels");
    QVERIFY(ends());
    QCOMPARE(written, 3);
    QVERIFY(!current);

    // Clusters of other parameters, where runs do not start by themselves.
    session_->clusterRun().setAutoRun(false);
    session_->setMinPts(3);
    QCOMPARE(session_->clusterRun().state(), RunState::NotRun);
    start("old");
    QVERIFY(ends());
    QCOMPARE(written, 3);
  }

  // The picture has fewer points, and none outside of the window is picked.
  void theViewShowsTheWindow() {
    QStringList values;
    for (int i = 0; i < 700; ++i) values << QString::number(i / 7);
    QVERIFY(open(values));
    action()->trigger();
    QVERIFY(playerReady());
    CloudView* view = window_->cloudView();
    player().setWidth(1000);
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(view->pointsInWindow(), std::optional(std::size_t{700}));
    const QImage all = view->grab().toImage();
    player().setWidth(20);
    player().setPosition(40);
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(view->pointsInWindow(), std::optional(std::size_t{147}));
    QVERIFY(differingPixels(all, view->grab().toImage()) > 0);
    // A rectangle around everything selects the drawn ones.
    const QPoint corner(2, 2);
    const QPoint opposite(view->width() - 3, view->height() - 3);
    QTest::mousePress(view, Qt::LeftButton, Qt::ShiftModifier, corner);
    QMouseEvent move(QEvent::MouseMove, opposite, view->mapToGlobal(opposite), Qt::NoButton,
                     Qt::LeftButton, Qt::ShiftModifier);
    QCoreApplication::sendEvent(view, &move);
    QTest::mouseRelease(view, Qt::LeftButton, Qt::ShiftModifier, opposite);
    QVERIFY(waitUntil([&] { return session_->selection().points != nullptr; }));
    QCOMPARE(session_->selection().points->size(), std::size_t{147});
    QCOMPARE(session_->selection().points->front(), 280U);
    session_->setSelection({});
    // A click in the middle of the drawn ones picks one of them; where they were, none is picked.
    QVERIFY(waitUntilSettled(*window_));
    const QPoint place = placeOf(353);
    QTest::mouseClick(view, Qt::LeftButton, {}, place);
    QVERIFY(waitUntil([&] { return session_->selection().point >= 0; }));
    QVERIFY(session_->selection().point >= 280 && session_->selection().point < 427);
    player().setPosition(0);
    QVERIFY(waitUntilSettled(*window_));
    QTest::mouseClick(view, Qt::LeftButton, {}, place);
    QVERIFY(waitUntil([&] { return session_->selection().point < 0; }));
    player().setPosition(40);
    QVERIFY(waitUntilSettled(*window_));
    window_->setTheme(ThemeChoice::Light);
    QVERIFY(waitUntilSettled(*window_));
    shot(window_.get(), "column-light");
    window_->setTheme(ThemeChoice::Dark);
    QVERIFY(waitUntilSettled(*window_));
    shot(window_.get(), "column-dark");
    window_->resize(820, 640);
    QVERIFY(waitUntilSettled(*window_));
    shot(window_.get(), "column-small");
    window_->setTheme(ThemeChoice::Light);
  }
};

WINDOW_TEST(TestColumnFrames);
#include "tst_column_frames.moc"
