// The longest time for which the window's event loop is blocked while ε is dragged over a large
// cloud, outside the GL driver: the whole window, ε changed 30 times a second through the session
// as the slider does; before that the load of the warps is looked at, points are coloured by it,
// and a point is picked. Every event that Qt delivers is timed; the time that frames took to draw
// is taken off. Prints one JSON object; exits 1 when anything else held the loop for more than 50
// ms of processor time.
//
//   window_heartbeat [POINTS [SECONDS [KIND [DIMS]]]]      default: 1000000 10 blobs 3
#include <QApplication>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <string>

#include "tests/bench/eps_drag.h"
#include "ui/panels/charts_panel.h"
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

double processorMs() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e3 * double(time.tv_sec) + 1e-6 * double(time.tv_nsec);
}

/// Times every event from the outermost call on, less what frames took.
class TimedApplication : public QApplication {
 public:
  using QApplication::QApplication;

  bool notify(QObject* receiver, QEvent* event) override {
    if (depth_ > 0) return QApplication::notify(receiver, event);
    ++depth_;
    drawing_ = 0;
    // The event may be the receiver's last.
    const char* const name = receiver->metaObject()->className();
    const int type = event->type();
    const double before = processorMs();
    const bool handled = QApplication::notify(receiver, event);
    const double rest = processorMs() - before - drawing_;
    if (rest > longest_) {
      longest_ = rest;
      std::snprintf(where_, sizeof where_, "%s, event %d", name, type);
    }
    longestFrame_ = std::max(longestFrame_, drawing_);
    --depth_;
    return handled;
  }
  void noteFrame(double ms) { drawing_ += ms; }
  /// The longest event since the last call, as members of a JSON object: `name` and where it was.
  std::string tellLongest(const std::string& name) {
    std::array<char, 512> text{};
    std::snprintf(text.data(), text.size(), "\"%s_longest_handler_ms\": %.1f, \"%s_where\": \"%s\"",
                  name.c_str(), longest_, name.c_str(), where_);
    longestOfAll_ = std::max(longestOfAll_, longest_);
    longest_ = longestFrame_ = 0;
    where_[0] = 0;
    return text.data();
  }
  double longestOfAll() const { return longestOfAll_; }
  double longestFrame() const { return longestFrame_; }

 private:
  int depth_ = 0;
  double drawing_ = 0;
  double longest_ = 0;
  double longestOfAll_ = 0;
  double longestFrame_ = 0;
  char where_[160] = "";
};

}  // namespace

int main(int argc, char** argv) {
  VtkView::prepareApplication();
  TimedApplication application(argc, argv);
  QStandardPaths::setTestModeEnabled(true);
  applyTheme(application, ThemeChoice::Dark);
  const auto [spec, seconds] = heartbeatCall(argc, argv);

  const QTemporaryDir directory;
  Session session(nullptr, directory.path());
  MainWindow window(session, MainWindow::Memory::Forget);
  for (VtkView* view : window.findChildren<VtkView*>()) {
    QObject::connect(view, &VtkView::frameDrawn, view, [&application, view] {
      application.noteFrame(view->lastFrameMilliseconds());
    });
  }
  window.resize(1440, 900);
  window.show();
  session.data().openSample(spec);
  waitFor([&] { return window.isSettled(); });
  std::string stats = application.tellLongest("opening");

  window.charts()->showTab(ChartId::WarpLoad);
  waitFor([&] { return session.loadLab().isCurrent() && window.isSettled(); });
  stats += ", " + application.tellLongest("load");
  DisplayState display = session.display();
  display.colourBy = ColourBy::IdleLaneSteps;
  session.setDisplay(display);
  waitFor([&] { return session.derived().colourValues() && window.isSettled(); });
  stats += ", " + application.tellLongest("colours");
  session.setPickedPoint(std::int64_t(spec.points) / 2);
  waitFor([&] { return session.loadLab().light() && window.isSettled(); });
  stats += ", " + application.tellLongest("pick");
  session.setPickedPoint(-1);
  session.setPickedWarp(-1);
  session.setDisplay({});
  window.charts()->showTab(ChartId::KDistance);
  waitFor([&] { return window.isSettled(); });
  application.tellLongest("back");

  const quint64 frames = window.cloudView()->frames();
  const EpsDrag drag = dragEps(session, seconds, [&] { return window.isSettled(); });
  const double longestFrame = application.longestFrame();
  stats += ", " + application.tellLongest("dragging");
  std::printf(
      "{\"points\": %zu, \"dims\": %zu, \"kind\": \"%s\", \"platform\": \"%s\", \"moves\": %d, "
      "\"previews\": %d, \"first_preview_ms\": %.1f, \"exact_results\": %d, \"frames\": %llu, "
      "\"longest_frame_ms\": %.1f, %s}\n",
      spec.points, spec.dims, spec.kind.c_str(), qPrintable(QGuiApplication::platformName()),
      drag.moves, drag.previews, drag.firstPreviewMs, drag.results,
      static_cast<unsigned long long>(window.cloudView()->frames() - frames), longestFrame,
      stats.c_str());
  return application.longestOfAll() <= kLongestMs ? 0 : 1;
}
