// How soon a cloud is seen in the window, and how many frames a second there are while its view is
// turned by the mouse: the whole window of 1440 × 900. Prints one JSON object; exits 1 when there
// were fewer than 12 frames a second. Runs of clusters start by themselves only with `run` as the
// fourth word. Times begin when the session is asked to open the file: until a sample of it is seen
// (sample_s, −1 where none was), all of it is read, the first of all its points are seen, and all
// points are. The processor time is that of the process until then.
//
//   window_frames FILE|KIND:POINTS:DIMS [SECONDS [PICTURE.png [run]]]
#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QPixmap>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "tests/bench/eps_drag.h"
#include "ui/session/cluster_run.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/theme/theme.h"
#include "ui/view/cloud_view.h"
#include "ui/view/reading_view.h"
#include "ui/window/main_window.h"

using namespace clusterloom;

namespace {

constexpr double kFewestFrames = 12;

OpenRequest requestFrom(const QString& word) {
  OpenRequest request;
  const QStringList parts = word.split(QLatin1Char(':'));
  if (parts.size() == 3)
    request.sample = GeneratorSpec{parts[0].toStdString(), std::size_t(parts[1].toULongLong()),
                                   std::size_t(parts[2].toULongLong()), 7};
  else
    request.path = word;
  return request;
}

double quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[std::size_t(q * double(values.size() - 1))];
}

/// Frames while the mouse turns the view.
struct Turning {
  double seconds = 0;
  std::vector<double> apartMs;
  std::vector<double> drawnPoints;
};

void send(QWidget& widget, QEvent::Type type, const QPointF& at) {
  const bool released = type == QEvent::MouseButtonRelease;
  QMouseEvent event(type, at, widget.mapToGlobal(at),
                    type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton,
                    released ? Qt::NoButton : Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&widget, &event);
}

Turning turn(CloudView& view, double seconds) {
  Turning seen;
  QObject here;
  QElapsedTimer sinceFrame;
  sinceFrame.start();
  QObject::connect(&view, &VtkView::frameDrawn, &here, [&] {
    seen.apartMs.push_back(double(sinceFrame.nsecsElapsed()) * 1e-6);
    sinceFrame.start();
    seen.drawnPoints.push_back(double(view.scene().drawnPoints()));
  });
  const QPointF middle(view.width() / 2.0, view.height() / 2.0);
  const auto handAt = [&](int move) {
    return middle + QPointF(200 * std::sin(0.05 * move), 60 * std::sin(0.031 * move));
  };
  int move = 0;
  send(view, QEvent::MouseButtonPress, handAt(0));
  QTimer hand;
  hand.setTimerType(Qt::PreciseTimer);
  QObject::connect(&hand, &QTimer::timeout, &hand,
                   [&] { send(view, QEvent::MouseMove, handAt(++move)); });
  hand.start(8);
  QElapsedTimer clock;
  clock.start();
  waitFor([&] { return double(clock.elapsed()) > 1000 * seconds; });
  hand.stop();
  send(view, QEvent::MouseButtonRelease, handAt(move));
  seen.seconds = double(clock.nsecsElapsed()) * 1e-9;
  return seen;
}

}  // namespace

int main(int argc, char** argv) {
  VtkView::prepareApplication();
  QApplication application(argc, argv);
  QStandardPaths::setTestModeEnabled(true);
  applyTheme(application, ThemeChoice::Dark);
  const QStringList words = QCoreApplication::arguments();
  if (words.size() < 2) return 2;
  const double seconds = words.size() > 2 ? words[2].toDouble() : 10;

  const QTemporaryDir directory;
  Session session(nullptr, directory.path());
  MainWindow window(session, MainWindow::Memory::Forget);
  window.resize(1440, 900);
  window.show();
  session.clusterRun().setAutoRun(words.size() > 4 && words[4] == QLatin1String("run"));
  CloudView& view = *window.cloudView();
  waitFor([] { return true; });

  QElapsedTimer clock;
  double sampleSeconds = -1;
  double readSeconds = -1;
  double firstSeconds = -1;
  double wholeSeconds = -1;
  const auto elapsed = [&] { return double(clock.nsecsElapsed()) * 1e-9; };
  QObject::connect(&view, &VtkView::frameDrawn, &view, [&] {
    if (!view.scene().points()) return;
    if (firstSeconds < 0) firstSeconds = elapsed();
    if (wholeSeconds < 0 && view.scene().drawnFraction() >= 1) wholeSeconds = elapsed();
  });
  const auto watchSample = [&] {
    auto* const reading = window.findChild<ReadingView*>();
    if (reading == nullptr || reading->property("watched").toBool()) return;
    reading->setProperty("watched", true);
    QObject::connect(reading, &VtkView::frameDrawn, reading, [&, reading] {
      if (reading->scene().points() && sampleSeconds < 0) sampleSeconds = elapsed();
    });
  };
  QObject::connect(&session.data(), &SessionData::partialChanged, &window, watchSample);
  QObject::connect(&session.data(), &SessionData::cloudChanged, &window, [&] {
    if (readSeconds < 0) readSeconds = elapsed();
  });
  clock.start();
  session.data().open(requestFrom(words[1]));
  waitFor([&] { return wholeSeconds >= 0; });
  const std::size_t points = session.data().cloud()->size();
  const double processorSeconds = double(std::clock()) / CLOCKS_PER_SEC;
  if (words.size() > 3) window.grab().save(words[3]);

  const Turning seen = turn(view, seconds);
  const double frames = double(seen.apartMs.size()) / seen.seconds;
  if (words.size() > 3) {
    QString turning = words[3];
    window.grab().save(turning.replace(QLatin1String(".png"), QLatin1String("_turning.png")));
  }
  std::array<double, 3> load{};
  getloadavg(load.data(), 1);
  std::printf(
      "{\"points\": %zu, \"platform\": \"%s\", \"load\": %.1f, \"sample_s\": %.2f, "
      "\"read_s\": %.2f, \"first_s\": %.2f, \"whole_s\": %.2f, \"processor_s\": %.2f, "
      "\"frames_per_s\": %.1f, \"apart_ms_median\": %.1f, "
      "\"apart_ms_p95\": %.1f, \"drawn_median\": %.0f}\n",
      points, qPrintable(QGuiApplication::platformName()), load[0], sampleSeconds, readSeconds,
      firstSeconds, wholeSeconds, processorSeconds, frames, quantile(seen.apartMs, 0.5),
      quantile(seen.apartMs, 0.95), quantile(seen.drawnPoints, 0.5));
  return frames >= kFewestFrames ? 0 : 1;
}
