#include "ui/window/lesson_outputs.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "engine/io/output_set.h"
#include "engine/load/lane_page.h"
#include "ui/lessons/handout.h"
#include "ui/lessons/lesson.h"
#include "ui/lessons/notebook.h"
#include "ui/window/lesson_drawing.h"
#include "ui/words/language.h"

namespace clusterloom {

namespace {

struct LessonOutputsTexts {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::LessonOutputs)
};

/// The words of the panel that plays a warp.
std::string panelText(const char* english) {
  return QCoreApplication::translate("clusterloom::LessonsPanel", english).toStdString();
}

/// A text of a chart.
std::string laneText(const char* english) {
  return QCoreApplication::translate("Charts", english).toStdString();
}

std::string utf8Of(const QString& text) { return text.toStdString(); }

LanePageWords lanePageWords(const QString& title) {
  LanePageWords words;
  words.language = language().toStdString();
  words.title = title.toStdString();
  words.warp = utf8Of(
      LessonOutputsTexts::tr("Modelled: warp %1 takes %2 steps. Each row is one of its 32 lanes."));
  words.firstSteps = utf8Of(LessonOutputsTexts::tr("The page has the first %1 of them."));
  words.keys = utf8Of(LessonOutputsTexts::tr(
      "Left, Right: one step. Page Up, Page Down: 32 steps. Home, End: first and last. Space: "
      "play."));
  words.back = utf8Of(LessonOutputsTexts::tr("Previous step"));
  words.on = utf8Of(LessonOutputsTexts::tr("Next step"));
  words.play = panelText("Play");
  words.idle = laneText("idle");
  words.loops = {laneText("cell"), laneText("search"), laneText("candidate"), laneText("hit")};
  words.step = panelText("Step %1 of %2: %3 of 32 lanes %4. %5 idle.");
  words.work[0] = panelText("go to their next adjacent cell");
  words.work[1] = panelText("search the list of cells for it");
  words.work[2] =
      panelText("compute a distance: lane %1 that of its query point %2 to candidate %3");
  // The panel names the candidate before the query point.
  QString hit = QString::fromStdString(
      panelText("store a neighbour: lane %1 has found that %2 is within ε of %3"));
  hit.replace(QStringLiteral("%2"), QStringLiteral("%4"))
      .replace(QStringLiteral("%3"), QStringLiteral("%2"))
      .replace(QStringLiteral("%4"), QStringLiteral("%3"));
  words.work[3] = hit.toStdString();
  return words;
}

tl::unexpected<Error> refused(const QString& message) { return badCall(message.toStdString()); }

Result<void> checkEnding(const QString& path, const QStringList& endings) {
  if (path.isEmpty() || endings.contains(QFileInfo(path).suffix().toLower())) return {};
  return refused(LessonOutputsTexts::tr("%1: the name must end in .%2.")
                     .arg(QDir::toNativeSeparators(path), endings.join(QStringLiteral(" / ."))));
}

Result<void> checkWanted(const LessonOutputs& wanted) {
  const auto document =
      checkEnding(wanted.document, {QStringLiteral("html"), QStringLiteral("pdf")});
  if (!document) return document;
  if (auto lanes = checkEnding(wanted.laneView, {QStringLiteral("html")}); !lanes) return lanes;
  return checkEnding(wanted.notebook, {QStringLiteral("ipynb")});
}

bool picksWarp(const LessonStep& step) {
  return step.setup.warp != LessonWarp::None && !isOfBoth(step.setup.chart) &&
         !isOfEveryEps(step.setup.chart);
}

/// The number of the step whose warp the lane view shows.
Result<int> laneStep(const Lesson& lesson, int wanted) {
  const auto& steps = lesson.steps;
  if (wanted > int(steps.size()))
    return refused(LessonOutputsTexts::tr("The lesson has %1 steps, and no step %2.")
                       .arg(steps.size())
                       .arg(wanted));
  const auto found = wanted > 0 ? steps.begin() + (wanted - 1)
                                : std::find_if(steps.begin(), steps.end(), picksWarp);
  if (found == steps.end())
    return refused(LessonOutputsTexts::tr("No step of the lesson picks a warp."));
  if (!picksWarp(*found))
    return refused(LessonOutputsTexts::tr("Step %1 of the lesson picks no warp.").arg(wanted));
  return int(found - steps.begin()) + 1;
}

/// `drawn`: the step of the lane view.
Result<void> writeOutputs(const Lesson& lesson, const Handout& handout, const HandoutStep* drawn,
                          const LessonOutputs& wanted) {
  OutputSet files;
  const auto add = [&](const QString& path, auto make) -> Result<void> {
    if (path.isEmpty()) return {};
    const auto bytes = make();
    return writeAtomically({files, path.toStdString()},
                           std::string_view(bytes.data(), std::size_t(bytes.size())));
  };
  const bool pdf = QFileInfo(wanted.document).suffix().toLower() == QLatin1String("pdf");
  if (auto added = add(wanted.document,
                       [&] {
                         return pdf ? handoutPdf(handout, wanted.slides)
                                    : handoutHtml(handout, wanted.slides);
                       });
      !added)
    return added;
  if (auto added = add(wanted.notebook, [&] { return lessonNotebook(lesson, handout); }); !added)
    return added;
  if (auto added = add(wanted.laneView,
                       [&] {
                         return lanePage(*drawn->trace, lanePageWords(QStringLiteral("%1 — %2").arg(
                                                            handout.title, drawn->title)));
                       });
      !added)
    return added;
  return files.commit();
}

}  // namespace

Result<QString> findLesson(const QString& word, const QString& language) {
  if (QFileInfo(word).isFile()) return word;
  QStringList names;
  for (const QString& path : shippedLessons()) {
    const QString name = QFileInfo(path).completeBaseName();
    if (name == word || name.section(QLatin1Char('-'), 0, 0) == word)
      return translatedFile(QStringLiteral(":/lessons"), QFileInfo(path).fileName(), language);
    names << name;
  }
  return refused(
      LessonOutputsTexts::tr("There is no lesson file %1. The lessons of the program are "
                             "%2; their numbers are enough.")
          .arg(QDir::toNativeSeparators(word), names.join(QStringLiteral(", "))));
}

QString languageOfLesson(const QString& path) {
  const QString folder = QFileInfo(path).dir().dirName();
  const auto& known = languages();
  const bool names = std::any_of(known.begin(), known.end(),
                                 [&](const Language& one) { return one.code == folder; });
  return names ? folder : QString();
}

void makeLessonOutputs(QObject* parent, const QString& path, const LessonOutputs& wanted,
                       std::function<void(Result<void>)> done) {
  if (auto fine = checkWanted(wanted); !fine) return done(tl::unexpected(fine.error()));
  const auto lesson = readLesson(path);
  if (!lesson) return done(tl::unexpected(lesson.error()));
  int lanes = 0;
  if (!wanted.laneView.isEmpty()) {
    const auto step = laneStep(*lesson, wanted.step);
    if (!step) return done(tl::unexpected(step.error()));
    lanes = *step;
  }
  const bool onlyLanes = wanted.document.isEmpty() && wanted.notebook.isEmpty();
  LessonDrawing::start(
      parent, path, onlyLanes ? lanes : 0, wanted.slides,
      [lesson = *lesson, wanted, done = std::move(done), lanes, onlyLanes](Result<Handout> drawn) {
        if (!drawn) return done(tl::unexpected(drawn.error()));
        const HandoutStep* step = nullptr;
        if (lanes > 0) step = &drawn->steps[onlyLanes ? 0 : std::size_t(lanes - 1)];
        done(writeOutputs(lesson, *drawn, step, wanted));
      });
}

}  // namespace clusterloom
