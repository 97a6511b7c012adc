// The window program: reads the command line, makes the session and the window, and runs them.
#include <QApplication>
#include <QProcess>
#include <csignal>
#include <cstdio>

#include "app/one_window.h"
#include "app/screenshot.h"
#include "app/window_options.h"
#include "engine/version.h"
#include "ui/charts/charts_panel.h"
#include "ui/charts/compare_panel.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/load_lab.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/theme/desktop_motion.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/view/vtk_view.h"
#include "ui/window/fit_to_screen.h"
#include "ui/window/handed_over.h"
#include "ui/window/lesson_outputs.h"
#include "ui/window/main_window.h"
#include "ui/words/language.h"

using namespace clusterloom;

namespace {

/// VTK's OpenGL comes through GLX here, which a Wayland session offers through XWayland.
void preferXcb() {
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM") && qEnvironmentVariableIsSet("DISPLAY")) {
    qputenv("QT_QPA_PLATFORM", "xcb");
  }
}

/// The files that the call names.
QStringList filesOf(const WindowOptions& options) {
  QStringList files;
  if (!options.open.path.isEmpty()) files << options.open.path;
  if (!options.sessionFile.isEmpty()) files << options.sessionFile;
  return files + options.moreFiles;
}

/// Whether an open window has taken the files of this call. Else `receiver` listens for the files
/// of later calls, unless another process does, or this window shall not receive them.
bool isHandedOver(const WindowOptions& options, FileReceiver& receiver) {
  if (!options.screenshot.isEmpty() || options.saveOnClose) return false;
  const QStringList paths = filesOf(options);
  // Twice: between the two calls of the first round another process may have begun to listen.
  for (int round = 0; round < 2; ++round) {
    if (options.filesOnly && handOver(paths)) return true;
    if (receiver.listen()) return false;
  }
  return false;
}

/// The options of the call that apply once there are data, a result, cells or warps. The options
/// outlive the window.
void applyChoices(const WindowOptions& options, Session& session, MainWindow& window) {
  if (options.grid || options.colourBy != ColourBy::Cluster) {
    // Set when the first data are there: later ones are shown as the user has chosen since.
    QObject::connect(&session.data(), &SessionData::dataChanged, &window,
                     [&session, &options, applied = false]() mutable {
                       if (applied || !session.data().dataset()) return;
                       applied = true;
                       DisplayState display = session.display();
                       if (options.grid) display.gridShown = true;
                       if (options.arrows != PatternArrows::None)
                         display.patternArrows = options.arrows;
                       if (options.colourBy != ColourBy::Cluster)
                         display.colourBy = options.colourBy;
                       session.setDisplay(display);
                     });
  }
  if (options.compare) {
    // The first result only: the comparison uses its cloud and ε.
    QObject::connect(&session.clusterRun(), &ClusterRun::resultChanged, &window,
                     [&session, &window, started = false]() mutable {
                       if (started || !session.clusterRun().result()) return;
                       started = true;
                       window.charts()->compare()->compare();
                     });
  }
  if (options.selectCell >= 0) {
    // The first cells only: later ones are picked by the user.
    QObject::connect(&session.derived(), &DerivedResults::gridCellsChanged, &window,
                     [&session, &options, picked = false]() mutable {
                       const auto cells = session.derived().gridCells();
                       const auto point = std::size_t(options.selectCell);
                       if (picked || !cells || point >= cells->cellOfPoint.size()) return;
                       picked = true;
                       session.setPickedCell(cells->cellOfPoint[point]);
                     });
  }
  if (options.selectWarp >= 0) {
    // The warps belong to a load: selected when it is computed.
    QObject::connect(&session.loadLab(), &LoadLab::changed, &window,
                     [&session, &options, picked = false]() mutable {
                       if (picked || !session.loadLab().isCurrent()) return;
                       picked = true;
                       session.setPickedWarp(options.selectWarp);
                     });
  }
}

int statusOf(const Result<void>& made) {
  if (made) return 0;
  std::fprintf(stderr, "clusterloom: %s\n", made.error().message.c_str());
  return made.error().kind == ErrorKind::BadCall ? 2 : 1;
}

/// Settings that must be made before the QApplication of runHandout.
void prepareHandout() {
  qputenv("QT_QPA_PLATFORM", "offscreen");  // nothing is shown
  // Remarks of the platform without a screen are of no use to the caller.
  qInstallMessageHandler([](QtMsgType type, const QMessageLogContext&, const QString& text) {
    if (type == QtCriticalMsg || type == QtFatalMsg) std::fprintf(stderr, "%s\n", qPrintable(text));
  });
}

/// Writes the files of a lesson that the call asks for, without a window, and says on standard
/// error what is wrong; the exit status. In the language that the call names, else in that of the
/// lesson.
int runHandout(QApplication& application, const WindowOptions& options) {
  applyTheme(application, ThemeChoice::Light);
  const QString wanted =
      options.language == QLatin1String("system") ? systemLanguage() : options.language;
  const auto lesson = findLesson(options.handout, wanted.isEmpty() ? QStringLiteral("en") : wanted);
  if (!lesson) return statusOf(tl::unexpected(lesson.error()));
  setLanguage(wanted.isEmpty() ? languageOfLesson(*lesson) : wanted);
  QObject drawings;  // which go before the application
  int status = -1;
  makeLessonOutputs(&drawings, *lesson, options.outputs, [&status](const Result<void>& made) {
    status = statusOf(made);
    QCoreApplication::exit(status);
  });
  return status >= 0 ? status : QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
  // A write beyond the size limit, and one that nobody reads, is an error with a message.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  // Before the QApplication, so that --help works without a display.
  QStringList arguments;
  for (int i = 1; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
  const auto parsed = parseWindowOptions(arguments);
  if (!parsed) {
    std::fprintf(stderr, "clusterloom: %s\nTry clusterloom --help.\n",
                 parsed.error().message.c_str());
    return 2;
  }
  const WindowOptions& options = *parsed;
  if (!options.help.isEmpty()) {
    if (std::fputs(options.help.toUtf8().constData(), stdout) >= 0 && std::fflush(stdout) == 0)
      return 0;
    std::fputs("clusterloom: standard output could not be written\n", stderr);
    return 1;
  }

  const bool handout = !options.handout.isEmpty();
  if (handout) prepareHandout();
  preferXcb();
  QSize size = options.size;
  QSize pixels;
  if (options.imageSize) {
    pixels = {options.imageSize->width, options.imageSize->height};
    const WindowScale scale = scaleTo(pixels, size.isValid() ? size : MainWindow::kUsualSize);
    size = scale.window;
    // Qt cuts off parts of widgets below 1: the picture is made smaller afterwards.
    if (scale.factor > 1) qputenv("QT_SCALE_FACTOR", QByteArray::number(scale.factor));
  }
  VtkView::prepareApplication();
  QApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("Clusterloom"));
  QApplication::setOrganizationName(QStringLiteral("Clusterloom"));
  QApplication::setApplicationVersion(QString::fromLatin1(kVersion));
  QApplication::setDesktopFileName(QStringLiteral("clusterloom"));
  QApplication::setWindowIcon(colouredIcon(QStringLiteral("clusterloom")));

  if (handout) return runHandout(application, options);
  FileReceiver receiver;
  if (isHandedOver(options, receiver)) return 0;

  const bool picture = !options.screenshot.isEmpty();
  // A picture does not depend on the settings.
  QString wanted = options.language;
  if (wanted.isEmpty() && !picture) wanted = chosenLanguage();
  setLanguage(wanted.isEmpty() || wanted == QLatin1String("system") ? systemLanguage() : wanted);
  applyTheme(application, options.theme.value_or(ThemeChoice::System));
  const DesktopMotion motion(QDBusConnection::sessionBus());
  Session session;
  session.clusterRun().setEngine(options.engine);
  MainWindow window(session, picture ? MainWindow::Memory::Forget : MainWindow::Memory::Remember);
  if (options.theme) window.setTheme(*options.theme);
  window.setSavesOnClose(options.saveOnClose);
  if (size.isValid())
    window.resize(size);
  else if (!picture)
    fitToScreen(window);
  if (options.compare)
    window.charts()->showTab(ChartId::Compare);
  else if (options.chart)
    window.charts()->showTab(*options.chart);
  window.show();

  // While the user looks for a file, or a file is read. A picture shows no such job.
  if (!picture) session.clusterRun().prepareBackend();
  applyChoices(options, session, window);
  if (options.lessons) {
    window.showLessons();
    if (size.isValid()) window.lessonWindow()->resize(size);
  }
  if (options.opensCloud()) {
    window.openRequest(options.open);
  } else if (!options.sessionFile.isEmpty()) {
    session.files().openSession(options.sessionFile);
  } else if (!picture) {
    window.offerRecovery();
  }
  if (!options.moreFiles.isEmpty()) window.openAlso(filesOf(options).front(), options.moreFiles);
  receiver.onFiles([&window](const QStringList& paths) {
    return takeHandedOver(window, paths, [](const QStringList& others) {
      QProcess::startDetached(QCoreApplication::applicationFilePath(),
                              QStringList{QStringLiteral("--new-window")} + others);
    });
  });
  if (picture) {
    const bool data = options.opensCloud() || !options.sessionFile.isEmpty();
    MainWindow& pictured = options.lessons ? *window.lessonWindow() : window;
    new Screenshot(pictured, options.screenshot, pixels, data || options.lessons, options.select);
  }
  return QApplication::exec();
}
