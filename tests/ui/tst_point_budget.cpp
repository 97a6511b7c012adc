// Large clouds in the window: a frame of a moving view draws as many points as the menu says, all
// are drawn at rest, and what is selected meanwhile is sought among all.
#include <QAction>
#include <QSettings>
#include <QtTest>

#include "shown_window.h"
#include "ui/session/cluster_run.h"
#include "ui/session/session_data.h"
#include "ui/view/cloud_view.h"

using namespace clusterloom;

class TestPointBudget : public QObject, ShownWindow {
  Q_OBJECT

  static constexpr std::size_t kPoints = 400000;
  static constexpr std::size_t kBlock = 8192;  // by which a frame may draw more

  QAction* entry(std::size_t points) const {
    return window_->findChild<QAction*>(QStringLiteral("points-%1").arg(points));
  }
  bool isWhole() const {
    const CloudView& view = *window_->cloudView();
    return view.isSettled() && window_->cloudView()->scene().drawnPoints() == kPoints;
  }

 private Q_SLOTS:
  void cleanup() {
    closeWindow();
    QSettings().remove("view");
  }

  void movingViewsDrawAsManyAsChosen() {
    QVERIFY(showWindow({1100, 800}));
    session_->clusterRun().setAutoRun(false);
    CloudView& view = *window_->cloudView();
    QCOMPARE(view.pointBudget(), std::size_t{0});
    QVERIFY(entry(0)->isChecked());
    session_->data().openSample({"blobs", kPoints, 3, 7});
    QTRY_VERIFY_WITH_TIMEOUT(isWhole(), 60000);

    entry(100000)->trigger();
    QVERIFY(entry(100000)->isChecked() && !entry(0)->isChecked());
    QTRY_VERIFY_WITH_TIMEOUT(isWhole(), 60000);
    std::vector<std::size_t> drawn;
    const auto watch = connect(&view, &VtkView::frameDrawn, this,
                               [&] { drawn.push_back(view.scene().drawnPoints()); });
    for (int i = 0; i < 3; ++i) {
      QTest::keyClick(&view, Qt::Key_Left);
      const std::size_t before = drawn.size();
      QTRY_VERIFY_WITH_TIMEOUT(drawn.size() > before, 60000);
      QVERIFY(drawn[before] >= 100000 && drawn[before] < 100000 + kBlock);
    }
    disconnect(watch);

    // Most points are not drawn now; a rectangle around the view takes all of them.
    QTest::mousePress(&view, Qt::LeftButton, Qt::ShiftModifier, QPoint(2, 2));
    QTest::mouseMove(&view, QPoint(view.width() - 3, view.height() - 3));
    QTest::mouseRelease(&view, Qt::LeftButton, Qt::ShiftModifier,
                        QPoint(view.width() - 3, view.height() - 3));
    QTRY_VERIFY_WITH_TIMEOUT(session_->selection().points != nullptr, 60000);
    QCOMPARE(session_->selection().points->size(), kPoints);
    QTRY_VERIFY_WITH_TIMEOUT(isWhole(), 60000);
  }

  void theChoiceIsRemembered() {
    QVERIFY(showWindow({900, 700}));
    {
      MainWindow window(*session_, MainWindow::Memory::Remember);
      window.findChild<QAction*>("points-300000")->trigger();
      window.show();
      window.close();
    }
    MainWindow window(*session_, MainWindow::Memory::Remember);
    QCOMPARE(window.cloudView()->pointBudget(), std::size_t{300000});
    QVERIFY(window.findChild<QAction*>("points-300000")->isChecked());
  }
};

WINDOW_TEST(TestPointBudget);
#include "tst_point_budget.moc"
