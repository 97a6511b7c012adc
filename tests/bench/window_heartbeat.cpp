// The longest time for which the window's event loop is blocked while ε is dragged over a large
// cloud, outside the GL driver: the whole window, ε changed 30 times a second through the session
// as the slider does; before that the load of the warps is looked at, points are coloured by it,
// and a point is picked. Every event that Qt delivers is timed; handlers in which a frame was drawn
// are kept apart. Prints one JSON object; exits 1 when another handler held the loop for more than
// 50 ms of processor time.
//
//   window_heartbeat [POINTS [SECONDS [KIND [DIMS]]]]      default: 1000000 10 blobs 3
#include <QApplication>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "tests/bench/eps_drag.h"
#include "tests/ui/event_watch.h"
#include "ui/charts/charts_panel.h"
#include "ui/session/derived_results.h"
#include "ui/session/load_lab.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/theme/theme.h"
#include "ui/view/cloud_view.h"
#include "ui/view/vtk_view.h"
#include "ui/window/main_window.h"

using namespace clusterloom;

namespace {

constexpr double kLongestMs = 50;

/// The longest times since the last call, as members of a JSON object: `name`, and where it was.
std::string tellLongest(Watched<QApplication>& application, double& longestOfAll,
                        const std::string& name) {
  const HandlerTime other = application.other();
  std::array<char, 512> text{};
  std::snprintf(text.data(), text.size(), "\"%s_longest_handler_ms\": %.1f, \"%s_where\": \"%s\"",
                name.c_str(), other.processorMs, name.c_str(), other.where.c_str());
  longestOfAll = std::max(longestOfAll, other.processorMs);
  application.forget();
  return text.data();
}

}  // namespace

int main(int argc, char** argv) {
  VtkView::prepareApplication();
  Watched<QApplication> application(argc, argv);
  QStandardPaths::setTestModeEnabled(true);
  applyTheme(application, ThemeChoice::Dark);
  const auto [spec, seconds] = heartbeatCall(argc, argv);

  const QTemporaryDir directory;
  Session session(nullptr, directory.path());
  MainWindow window(session, MainWindow::Memory::Forget);
  for (VtkView* view : window.findChildren<VtkView*>()) {
    QObject::connect(view, &VtkView::frameDrawn, view, [&application] { application.noteFrame(); });
  }
  window.resize(1440, 900);
  window.show();
  session.data().openSample(spec);
  waitFor([&] { return window.isSettled(); });
  double longest = 0;
  const auto tell = [&](const char* name) { return tellLongest(application, longest, name); };
  std::string stats = tell("opening");

  window.charts()->showTab(ChartId::WarpLoad);
  waitFor([&] { return session.loadLab().isCurrent() && window.isSettled(); });
  stats += ", " + tell("load");
  DisplayState display = session.display();
  display.colourBy = ColourBy::IdleLaneSteps;
  session.setDisplay(display);
  waitFor([&] { return session.derived().colourValues() && window.isSettled(); });
  stats += ", " + tell("colours");
  session.setPickedPoint(std::int64_t(spec.points) / 2);
  waitFor([&] { return session.loadLab().light() && window.isSettled(); });
  stats += ", " + tell("pick");
  session.setPickedPoint(-1);
  session.setPickedWarp(-1);
  session.setDisplay({});
  window.charts()->showTab(ChartId::KDistance);
  waitFor([&] { return window.isSettled(); });
  tell("back");

  const quint64 frames = window.cloudView()->frames();
  const EpsDrag drag = dragEps(session, seconds, [&] { return window.isSettled(); });
  const double longestFrame = application.drawing().ms;
  stats += ", " + tell("dragging");
  std::printf(
      "{\"points\": %zu, \"dims\": %zu, \"kind\": \"%s\", \"platform\": \"%s\", \"moves\": %d, "
      "\"previews\": %d, \"first_preview_ms\": %.1f, \"exact_results\": %d, \"frames\": %llu, "
      "\"longest_drawing_handler_ms\": %.1f, %s}\n",
      spec.points, spec.dims, spec.kind.c_str(), qPrintable(QGuiApplication::platformName()),
      drag.moves, drag.previews, drag.firstPreviewMs, drag.results,
      static_cast<unsigned long long>(window.cloudView()->frames() - frames), longestFrame,
      stats.c_str());
  return longest <= kLongestMs ? 0 : 1;
}
