// What the window says of its own state is true: what is written where, which keys work, what a
// number means, which file is on show. Runs are in tst_run_states.cpp.
#include <QComboBox>
#include <QDirIterator>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QRegularExpression>
#include <QSpinBox>
#include <QStatusBar>
#include <QToolBar>
#include <QtTest>

#include "render/paint/palette.h"
#include "shown_window.h"
#include "ui/dialogs/export_dialog.h"
#include "ui/dialogs/import_dialog.h"
#include "ui/panels/engine_panel.h"
#include "ui/panels/eps_slider.h"
#include "ui/panels/message_bar.h"
#include "ui/panels/parameters_panel.h"
#include "ui/panels/status_strip.h"
#include "ui/session/cluster_run.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/session/session_state.h"
#include "ui/view/reading_view.h"
#include "ui/words/numbers.h"

using namespace clusterloom;

class TestStates : public QObject, ShownWindow {
  Q_OBJECT

  QString summary() const { return window_->status()->summary(); }

  QString write(const char* name, const QByteArray& bytes) const {
    const QString path = directory_->filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(bytes);
    return path;
  }

 private Q_SLOTS:
  void init() { QVERIFY(showWindow({1280, 800})); }
  void cleanup() { closeWindow(); }

  /// As a program asks for it that reads the parameters afterwards.
  void aSessionIsSavedOnCloseWithoutAQuestion() {
    QVERIFY(openSquares());
    const QString file = directory_->filePath("array.clusterloom");
    session_->files().saveSession(file);
    QVERIFY(waitUntil([&] { return session_->files().sessionPath() == file; }));
    window_->setSavesOnClose(true);
    session_->setEps(2.25);
    session_->setMinPts(7);
    QVERIFY(waitUntil([&] { return session_->files().isModified(); }));
    window_->close();
    QVERIFY(waitUntil([&] { return !window_->isVisible(); }));
    QVERIFY(window_->findChildren<QMessageBox*>().isEmpty());
    const auto saved = loadSessionFile(file);
    QVERIFY(saved);
    QCOMPARE(saved->parameters.dbscan.eps, 2.25);
    QCOMPARE(saved->parameters.dbscan.minPts, 7);
  }

  void exportsAreWithoutProvenanceUnlessAsked() {
    QVERIFY(openSquares());
    window_->action("export")->trigger();
    auto* dialog = window_->findChild<ExportDialog*>();
    QVERIFY(dialog);
    QVERIFY(!dialog->choice().provenance);  // as clusterloom-cli does
  }

  void shortcutsWorkAfterReturnInEps() {
    QVERIFY(openSquares());
    QLineEdit* box = window_->parameters()->eps()->box();
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, "2");
    QVERIFY(box->isUndoAvailable());
    QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier);  // while it is written: of the text
    QCOMPARE(box->text(), QString("1.5"));
    QCOMPARE(session_->parameters().dbscan.eps, 1.5);
    box->selectAll();
    QTest::keyClicks(box, "2.5");
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(session_->parameters().dbscan.eps, 2.5);
    QCOMPARE(box->selectedText(), QString("2.5"));
    // What is typed next replaces it.
    QTest::keyClicks(box, "3");
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(session_->parameters().dbscan.eps, 3.0);
    QVERIFY(box->hasFocus());
    QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(session_->parameters().dbscan.eps, 2.5);
    QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(session_->parameters().dbscan.eps, 3.0);
    QVERIFY(!session_->display().gridShown);
    QTest::keyClick(box, Qt::Key_G);
    QVERIFY(session_->display().gridShown);
    QCOMPARE(box->text(), QString("3"));
    QVERIFY(waitUntilSettled(*window_));
    QTest::keyClick(box, Qt::Key_E, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(window_->findChild<ExportDialog*>(), 60000);
  }

  /// Lists of numbers, too: Ctrl+Z is of the text while it is written, then of the session.
  void undoWorksAfterReturnInListsOfNumbers() {
    QVERIFY(openSquares());
    auto* space = window_->findChild<QComboBox*>("space");
    space->setCurrentIndex(1);
    Q_EMIT space->activated(1);
    auto* periods = window_->findChild<QLineEdit*>("periods");
    QTest::keyClicks(periods, "900, 0");
    QTest::keyClick(periods, Qt::Key_Return);
    QCOMPARE(session_->parameters().space.periods, (std::vector<double>{900, 0}));
    periods->selectAll();
    QTest::keyClicks(periods, "800, 0");
    QTest::keyClick(periods, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(periods->text() != "800, 0");
    QCOMPARE(session_->parameters().space.periods, (std::vector<double>{900, 0}));
    periods->selectAll();
    QTest::keyClicks(periods, "800, 0");
    QTest::keyClick(periods, Qt::Key_Return);
    QCOMPARE(session_->parameters().space.periods, (std::vector<double>{800, 0}));
    QTest::keyClick(periods, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(session_->parameters().space.periods, (std::vector<double>{900, 0}));
    QCOMPARE(periods->text(), QString("900, 0"));
    QTest::keyClick(periods, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(session_->parameters().space.isEuclidean());

    auto* all = window_->findChild<QLineEdit*>("epsOfDimensions");
    QTRY_VERIFY_WITH_TIMEOUT(!all->isReadOnly(), 60000);
    all->setFocus();
    all->selectAll();
    QTest::keyClicks(all, "1.5, 3");
    QTest::keyClick(all, Qt::Key_Return);
    QCOMPARE(session_->parameters().scaling.kind, Scaling::Kind::Factors);
    QVERIFY(waitUntilSettled(*window_));
    auto* factors = window_->findChild<QLineEdit*>("factors");
    factors->setFocus();
    factors->selectAll();
    QTest::keyClicks(factors, "1, 2");
    QTest::keyClick(factors, Qt::Key_Return);
    QCOMPARE(session_->parameters().scaling.factors, (std::vector<double>{1, 2}));
    QVERIFY(waitUntilSettled(*window_));
    QTest::keyClick(factors, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(session_->parameters().scaling.factors, (std::vector<double>{1, 0.5}));
    QVERIFY(waitUntilSettled(*window_));
    all->setFocus();
    QTest::keyClick(all, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(session_->parameters().scaling.kind, Scaling::Kind::None);
  }

  void shortcutsWorkAfterReturnInMinPts() {
    QVERIFY(openSquares());
    QSpinBox* box = window_->parameters()->minPts();
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, "1200");
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(session_->parameters().dbscan.minPts, std::int64_t(1200));
    QCOMPARE(box->text(), QString("1,200"));
    QTest::keyClicks(box, "7");
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(session_->parameters().dbscan.minPts, std::int64_t(7));
    QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(session_->parameters().dbscan.minPts, std::int64_t(1200));
    QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(session_->parameters().dbscan.minPts, std::int64_t(4));
    QVERIFY(waitUntilSettled(*window_));
    QTest::keyClick(box, Qt::Key_E, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(window_->findChild<ExportDialog*>(), 60000);
  }

  void whatTheMouseSetsHasFewDigits() {
    EpsSlider eps;
    eps.resize(260, 70);
    eps.setRange({0.0123456789, 987.654321});
    eps.show();
    QVERIFY(QTest::qWaitForWindowExposed(&eps));
    eps.setValue(std::sqrt(0.0123456789 * 987.654321));  // the handle is in the middle
    QSlider* slider = eps.slider();
    QSignalSpy dragged(&eps, &EpsSlider::dragging);
    QTest::mousePress(slider, Qt::LeftButton, {},
                      QPoint(slider->width() / 2, slider->height() / 2));
    for (int x = 20; x < slider->width() - 20; x += 7)
      QTest::mouseMove(slider, QPoint(x, slider->height() / 2));
    QTest::mouseRelease(slider, Qt::LeftButton, {}, QPoint(90, slider->height() / 2));
    QVERIFY(dragged.size() > 10);
    for (const auto& value : dragged) {
      const QString digits =
          shortestText(value[0].toDouble()).remove(QRegularExpression("[.]|^0+"));
      QVERIFY2(digits.size() <= 3, qPrintable(digits));  // a pixel is about 5 % of the value
    }
  }

  void theLessonsCloseByTheirShortcut() {
    window_->showLessons();
    QPointer<MainWindow> lessons = window_->lessonWindow();
    QVERIFY(lessons && QTest::qWaitForWindowExposed(lessons));
    activate(*lessons);
    QVERIFY(lessons->action("closeData")->isEnabled());
    QTest::keyClick(lessons->focusWidget() ? lessons->focusWidget() : lessons.data(), Qt::Key_W,
                    Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!lessons || !lessons->isVisible(), 60000);
    QTRY_VERIFY_WITH_TIMEOUT(lessons.isNull(), 60000);
    QVERIFY(window_->isVisible());
  }

  // One formatter: whatever the system's locale, words and numbers are of one language.
  void numbersDoNotFollowTheSystem() {
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    const QStringList texts{count(1234567), readable(1234.5), fixed(2.5, 2), significant(0.25, 3),
                            epsText(0.031), duration(1.5),    percent(0.187)};
    QLocale::setDefault(before);
    QCOMPARE(texts,
             (QStringList{"1,234,567", "1,234.5", "2.50", "0.25", "0.031", "1.50 s", "18.7 %"}));
  }

  void nothingElseFormatsNumbers() {
    // Sources that show numbers without the formatter: Qt's default locale, or printf's.
    static const QRegularExpression other(
        QStringLiteral("\\bQLocale\\(\\)|\\bQLocale [a-z]+;|%L[0-9]|printf\\([^;]*%[.*0-9]*[efg]"));
    const QString root = QStringLiteral(CLUSTERLOOM_SOURCE_DIR);
    int read = 0;
    for (const char* folder : {"/ui", "/render"}) {
      QDirIterator sources(root + folder, {"*.cpp", "*.h"}, QDir::Files,
                           QDirIterator::Subdirectories);
      while (sources.hasNext()) {
        QFile file(sources.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        ++read;
        const auto found = other.match(text);
        QVERIFY2(!found.hasMatch(), qPrintable(file.fileName() + ": " + found.captured()));
      }
    }
    QVERIFY(read > 100);
    QVERIFY(other.match("tr(\"%L1 points\")").hasMatch());
    QVERIFY(other.match("std::snprintf(text, size, \"%.1f\", x)").hasMatch());
  }

  /// F11 leaves nothing but the view, with larger points; Esc gives everything back.
  void aPresentationShowsTheViewAlone() {
    QVERIFY(openSquares());
    DisplayState display = session_->display();
    display.axesShown = false;  // edges of letters can have the colour of points
    display.noise = 1;          // its own colour, not mixed with the ground
    display.densityBlended = false;
    session_->setDisplay(display);
    QVERIFY(waitUntilSettled(*window_));
    const auto coloured = [&] {
      // Of the lone points, which do not cover each other.
      const Colour colour = noiseColour(window_->cloudView()->scene().background());
      return pixelsLike(window_->cloudView()->grabFrame(), qRgb(colour.r, colour.g, colour.b), 6);
    };
    const QRect before = window_->cloudView()->geometry();
    const int small = coloured();
    QTest::keyClick(window_.get(), Qt::Key_F11);
    QVERIFY(window_->isPresenting() && window_->isFullScreen());
    QVERIFY(waitUntilSettled(*window_));
    for (const QWidget* part :
         {static_cast<QWidget*>(window_->menuBar()), static_cast<QWidget*>(window_->statusBar()),
          static_cast<QWidget*>(window_->findChild<QToolBar*>("toolBar")),
          static_cast<QWidget*>(window_->findChild<QDockWidget*>("clustersDock"))})
      QVERIFY2(!part->isVisible(), part->metaObject()->className());
    shot(window_.get(), "presentation");
    const int large = coloured();
    QVERIFY2(small > 0 && large > 2 * small, qPrintable(QString("%1, %2").arg(small).arg(large)));
    // A run during it changes nothing of that.
    session_->setEps(1.6);
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(!window_->findChild<QDockWidget*>("clustersDock")->isVisible());
    QTest::keyClick(window_->cloudView(), Qt::Key_Escape);
    QVERIFY(!window_->isPresenting() && !window_->isFullScreen());
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(window_->menuBar()->isVisible() && window_->statusBar()->isVisible());
    QVERIFY(window_->findChild<QDockWidget*>("clustersDock")->isVisible());
    const auto isBack = [&] { return window_->cloudView()->geometry() == before; };
    QVERIFY2(waitUntil(isBack, 5000), qPrintable(QString("%1 × %2, was %3 × %4, window %5")
                                                     .arg(window_->cloudView()->width())
                                                     .arg(window_->cloudView()->height())
                                                     .arg(before.width())
                                                     .arg(before.height())
                                                     .arg(window_->width())));
    QVERIFY(!window_->action("leavePresentation")->isEnabled());
  }
};

WINDOW_TEST(TestStates, qEnvironmentVariableIsSet("CLUSTERLOOM_SHOTS_DARK") ? ThemeChoice::Dark
                                                                            : ThemeChoice::Light);
#include "tst_states.moc"
