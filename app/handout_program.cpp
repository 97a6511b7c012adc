#include "app/handout_program.h"

#include <QApplication>
#include <cstdio>

#include "app/window_options.h"
#include "ui/theme/theme.h"
#include "ui/window/lesson_outputs.h"
#include "ui/words/language.h"

namespace clusterloom {

namespace {

int statusOf(const Result<void>& made) {
  if (made) return 0;
  std::fprintf(stderr, "clusterloom: %s\n", made.error().message.c_str());
  return made.error().kind == ErrorKind::BadCall ? 2 : 1;
}

}  // namespace

void prepareHandout() {
  qputenv("QT_QPA_PLATFORM", "offscreen");  // nothing is shown
  // Remarks of the platform without a screen are of no use to the caller.
  qInstallMessageHandler([](QtMsgType type, const QMessageLogContext&, const QString& text) {
    if (type == QtCriticalMsg || type == QtFatalMsg) std::fprintf(stderr, "%s\n", qPrintable(text));
  });
}

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

}  // namespace clusterloom
