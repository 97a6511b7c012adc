#pragma once

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QPixmap>
#include <QSet>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTextStream>
#include <cmath>
#include <optional>
#include <random>

#include "session_waits.h"
#include "tests/test_program.h"
#include "ui/session/session.h"
#include "ui/theme/theme.h"
#include "ui/view/cloud_view.h"
#include "ui/view/vtk_view.h"
#include "ui/window/main_window.h"

// What tests of the window share: files to open, a window that is shown, and waiting for what is on
// the screen. With CLUSTERLOOM_SHOTS set to a folder, pictures of what was tested are left there to
// be looked at.

/// Two squares of 20 × 20 lattice points, 1 apart, 30 apart from one another, and four lone points:
/// at ε 1.5 and minPts 4 two clusters of 400 and four noise points; at ε 40 one cluster.
inline QString writeSquares(const QDir& directory,
                            const QString& name = QStringLiteral("squares.csv"),
                            const QString& header = QStringLiteral("x,y,kind\n")) {
  const QString path = directory.filePath(name);
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return {};
  QTextStream text(&file);
  text << header;
  for (int square = 0; square < 2; ++square) {
    for (int i = 0; i < 400; ++i) {
      text << (i % 20) + 50 * square << ',' << i / 20 << ',' << (square ? "right" : "left") << '\n';
    }
  }
  text << "35,60,lone\n35,-40,lone\n-30,60,lone\n110,60,lone\n";
  return path;
}

/// Makes a shown window the active one, so that it takes keys; false when it does not become so.
inline bool activate(QWidget& window) {
  if (!QTest::qWaitForWindowExposed(&window)) return false;
  window.activateWindow();
  return QTest::qWaitForWindowActive(&window);
}

inline void shot(QWidget* widget, const char* name) {
  const QString folder = qEnvironmentVariable("CLUSTERLOOM_SHOTS");
  if (folder.isEmpty()) return;
  QTest::qWait(150);
  widget->grab().save(QDir(folder).filePath(
      QStringLiteral("%1-%2.png").arg(QLatin1String(name), QGuiApplication::platformName())));
}

/// How many pixels of two pictures differ; −1 when their sizes do.
inline int differingPixels(const QImage& a, const QImage& b) {
  if (a.size() != b.size()) return -1;
  int differing = 0;
  for (int y = 0; y < a.height(); ++y) {
    for (int x = 0; x < a.width(); ++x) differing += a.pixel(x, y) != b.pixel(x, y) ? 1 : 0;
  }
  return differing;
}

/// How many pixels are about of this colour.
inline int pixelsLike(const QImage& image, QRgb colour, int tolerance = 40) {
  int found = 0;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      const QRgb pixel = image.pixel(x, y);
      found += std::abs(qRed(pixel) - qRed(colour)) <= tolerance &&
                       std::abs(qGreen(pixel) - qGreen(colour)) <= tolerance &&
                       std::abs(qBlue(pixel) - qBlue(colour)) <= tolerance
                   ? 1
                   : 0;
    }
  }
  return found;
}

/// Settled, and no layout is about to give the view another size.
inline bool waitUntilSettled(clusterloom::MainWindow& window, int ms = 120000) {
  QElapsedTimer steady;
  QSize size;
  return waitUntil(
      [&] {
        if (!window.isSettled() || window.cloudView()->size() != size || !steady.isValid()) {
          size = window.cloudView()->size();
          steady.start();
        }
        return steady.elapsed() > 60;
      },
      ms);
}

/// What every test with windows does before its QApplication. Settings are kept in a folder of
/// this process alone, because tests run at the same time.
inline void prepareTestApplication() {
  static const QTemporaryDir settings;
  clusterloom::VtkView::prepareApplication();
  QStandardPaths::setTestModeEnabled(true);
  QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
  QLocale::setDefault(QLocale(QLocale::English));
}

template <class Test>
int runWindowTest(int argc, char** argv,
                  std::optional<clusterloom::ThemeChoice> theme = clusterloom::ThemeChoice::Light) {
  prepareTestApplication();
  QApplication application(argc, argv);
  if (theme) applyTheme(application, *theme);
  return test_program::run<Test>(argc, argv);
}

/// A test of windows: WINDOW_TEST(Test) in the light theme, WINDOW_TEST(Test, THEME) in another
/// one; std::nullopt where the test sets it.
#define WINDOW_TEST(Test, ...)                                         \
  TEST_ENTRY([](int argc, char** argv) {                               \
    return runWindowTest<Test>(argc, argv __VA_OPT__(, ) __VA_ARGS__); \
  })
