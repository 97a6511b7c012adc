// How soon a cloud is seen in the window, and how many frames a second there are while its view is
// turned by the mouse: the whole window of 1440 × 900. Prints a JSON object; exits 1 when there
// were fewer than 12 frames a second. Runs of clusters start by themselves only with `run` as the
// fourth word. Times begin when the session is asked to open the file: until a sample of it is seen
// (sample_s, −1 where none was), all of it is read, the first of all its points are seen, and all
// points are. The processor time is that of the process until then.
//
// FILE@N opens one row of N, and stores all rows for drawing in a folder beside the file, or in
// WINDOW_FRAMES_KEPT, from which a second call takes them: until they are stored, until the picture
// has all that it may have, and, after a zoom, until it has all rows of the view (zoomed_s).
//
//   window_frames FILE|FILE@N|KIND:POINTS:DIMS [SECONDS [PICTURE.png [run]]]
#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
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
#include <memory>
#include <vector>

#include "tests/bench/eps_drag.h"
#include "ui/session/cluster_run.h"
#include "ui/session/file_levels.h"
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
  if (parts.size() == 3) {
    request.sample = GeneratorSpec{parts[0].toStdString(), std::size_t(parts[1].toULongLong()),
                                   std::size_t(parts[2].toULongLong()), 7};
  } else if (const qsizetype at = word.lastIndexOf(QLatin1Char('@')); at > 0) {
    request.path = word.left(at);
    request.read.every = word.mid(at + 1).toULongLong();
  } else {
    request.path = word;
  }
  return request;
}

/// The most memory that the process has held, in MiB.
double peakMemory() {
  QFile status(QStringLiteral("/proc/self/status"));
  if (!status.open(QIODevice::ReadOnly)) return 0;
  for (const QByteArray& line : status.readAll().split('\n'))
    if (line.startsWith("VmHWM:"))
      return line.mid(6).trimmed().split(' ').front().toDouble() / 1024;
  return 0;
}

/// What is seen of all rows of a file of which some are open: seconds, and rows in the picture.
struct AllRows {
  double storedSeconds = 0;
  double wholeSeconds = 0;
  std::size_t wholeRows = 0;
  double zoomedSeconds = 0;
  std::size_t zoomedRows = 0;
};

void awaitAllRows(CloudView& view, FileLevels& levels, const QElapsedTimer& clock, AllRows& seen) {
  const auto elapsed = [&] { return double(clock.nsecsElapsed()) * 1e-9; };
  waitFor([&] { return bool(levels.stored()); });
  seen.storedSeconds = elapsed();
  waitFor([&] { return view.scene().storedPoints() && view.isSettled(); });
  seen.wholeSeconds = elapsed();
  seen.wholeRows = view.scene().drawnStoredPoints();
}

void zoomIn(CloudView& view, AllRows& seen) {
  QElapsedTimer clock;
  clock.start();
  constexpr double kSide = 0.1;
  DisplayBox box;
  for (std::size_t a = 0; a < 3; ++a) {
    box.low[a] = 0.2 - kSide / 2;
    box.high[a] = 0.2 + kSide / 2;
  }
  if (view.scene().isFlat()) box.low[2] = box.high[2] = 0;
  view.scene().zoomTo(box);
  view.requestFrame();
  waitFor([&] { return view.scene().drawnStoredPoints() > 0 && view.isSettled(); });
  seen.zoomedSeconds = double(clock.nsecsElapsed()) * 1e-9;
  seen.zoomedRows = view.scene().drawnStoredPoints();
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
  const OpenRequest request = requestFrom(words[1]);
  std::unique_ptr<QTemporaryDir> beside;
  if (request.read.every > 1) {
    QString folder = qEnvironmentVariable("WINDOW_FRAMES_KEPT");
    if (folder.isEmpty()) {
      beside = std::make_unique<QTemporaryDir>(request.path + QStringLiteral("-XXXXXX"));
      folder = beside->path();
    }
    session.fileLevels().setPlace(folder, std::uint64_t{1} << 40);
  }
  clock.start();
  session.data().open(request);
  waitFor([&] { return wholeSeconds >= 0; });
  AllRows rows;
  if (request.read.every > 1) awaitAllRows(view, session.fileLevels(), clock, rows);
  const std::size_t points = session.data().cloud()->size();
  const double processorSeconds = double(std::clock()) / CLOCKS_PER_SEC;
  if (words.size() > 3) window.grab().save(words[3]);

  const Turning seen = turn(view, seconds);
  const double frames = double(seen.apartMs.size()) / seen.seconds;
  if (words.size() > 3) {
    QString turning = words[3];
    window.grab().save(turning.replace(QLatin1String(".png"), QLatin1String("_turning.png")));
  }
  if (request.read.every > 1) {
    zoomIn(view, rows);
    QString zoomed = words.size() > 3 ? words[3] : QString();
    if (!zoomed.isEmpty())
      window.grab().save(zoomed.replace(QLatin1String(".png"), QLatin1String("_zoomed.png")));
    std::printf(
        "{\"stored_s\": %.2f, \"stored_whole_s\": %.2f, \"stored_rows\": %zu, \"zoomed_s\": %.2f, "
        "\"zoomed_rows\": %zu, \"peak_mib\": %.0f}\n",
        rows.storedSeconds, rows.wholeSeconds, rows.wholeRows, rows.zoomedSeconds, rows.zoomedRows,
        peakMemory());
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
