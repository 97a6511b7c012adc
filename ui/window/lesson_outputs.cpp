#include "ui/window/lesson_outputs.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QOpenGLWidget>
#include <QPainter>
#include <QTimer>
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "engine/io/output_set.h"
#include "engine/load/lane_page.h"
#include "engine/load/warp_trace.h"
#include "ui/charts/charts_panel.h"
#include "ui/lessons/handout.h"
#include "ui/lessons/lesson.h"
#include "ui/lessons/lesson_player.h"
#include "ui/lessons/notebook.h"
#include "ui/panels/lessons_panel.h"
#include "ui/session/load_lab.h"
#include "ui/theme/theme.h"
#include "ui/view/cloud_view.h"
#include "ui/window/lesson_window.h"
#include "ui/words/language.h"

namespace clusterloom {

namespace {

constexpr QSize kWindowSize{1400, 900};
constexpr QSize kChartSize{720, 270};
constexpr QSize kTallChartSize{720, 480};  // of several panels below each other
// On slides, where a picture takes less than half of the width.
constexpr QSize kSlideChartSize{400, 240};
constexpr QSize kTallSlideChartSize{400, 420};
constexpr int kViewPixels = 2;           // of a picture of the view per logical pixel and side
constexpr int kDrawingLookEvery = 50;    // ms
constexpr int kCalmLooks = 3;            // what a result starts has begun by then
constexpr int kMostLooks = 5 * 60 * 20;  // five minutes for a step

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
  words.machine = laneText("%1: %2 multiprocessors × %3 warps, %4 GHz");
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

/// Whether the numbers of a picked warp belong to the step.
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

/// A hand-out says the same on every machine.
Result<std::unique_ptr<Backend>> nothingMeasures(const std::string& /*name*/,
                                                 const BackendOptions& /*options*/) {
  return unavailable("Nothing is measured for a hand-out.");
}

/// Plays a lesson step by step in a separate window that is not on the screen, and draws the view
/// and the charts of each step. It deletes itself when it is done.
class LessonDrawing : public QObject {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::LessonDrawing)

 public:
  using Done = std::function<void(Result<Handout>)>;

  /// Draws a lesson, or only the step of this number from 1 (0: all); for slides with larger text
  /// in its pictures, which are small there. `done` gets BadInput with the reason where the numbers
  /// of a step cannot be computed; Unavailable where nothing can be drawn.
  LessonDrawing(QObject* parent, const Lesson& lesson, int step, bool slides, Done done);

 private:
  void look();
  bool isReady() const;
  void take();
  void addView(QImage image);
  void addCharts();
  void goOn();
  void end(Result<Handout> result);

  Done done_;
  Handout handout_;
  bool onlyOne_;
  bool slides_;
  std::unique_ptr<LessonWindow> lessons_;
  QTimer timer_;
  int calm_ = 0;
  int waited_ = 0;
};

LessonDrawing::LessonDrawing(QObject* parent, const Lesson& lesson, int step, bool slides,
                             Done done)
    : QObject(parent),
      done_(std::move(done)),
      onlyOne_(step > 0),
      slides_(slides),
      lessons_(std::make_unique<LessonWindow>(nothingMeasures)) {
  handout_.title = lesson.title;
  handout_.summary = lesson.summary;
  MainWindow& window = lessons_->window();
  window.setAttribute(Qt::WA_DontShowOnScreen);
  window.setAttribute(Qt::WA_ShowWithoutActivating);
  window.resize(kWindowSize);
  window.show();  // charts are computed while they are visible
  lessons_->lessons()->openFile(lesson.path);
  if (step > 1) lessons_->player().goTo(step - 1);
  timer_.setInterval(kDrawingLookEvery);
  connect(&timer_, &QTimer::timeout, this, &LessonDrawing::look);
  timer_.start();
}

bool LessonDrawing::isReady() const {
  Session& session = lessons_->session();
  if (!lessons_->window().isSettled() || !lessons_->player().areFactsCurrent()) return false;
  if (!picksWarp(lessons_->player().step())) return true;
  return session.selection().warp >= 0 && session.loadLab().light() != nullptr;
}

void LessonDrawing::look() {
  if (++waited_ > kMostLooks)
    return end(unavailable(tr("Step %1 was not drawn within five minutes.")
                               .arg(lessons_->player().stepNumber() + 1)
                               .toStdString()));
  for (const QString& wrong : {lessons_->player().failure(), lessons_->lessons()->complaint()})
    if (!wrong.isEmpty()) return end(badInput(wrong.toStdString()));
  CloudView& view = *lessons_->window().cloudView();
  if (!view.canDraw())
    return end(
        unavailable(tr("Pictures need OpenGL 3.2, which is not available here.").toStdString()));
  // A window that is not on the screen gets no paint events.
  if (!view.isSettled()) view.grabFrame();
  if (!isReady()) {
    calm_ = 0;
    return;
  }
  // Colours for paper, independent of the theme of the program.
  DisplayState display = lessons_->session().display();
  if (display.background != QColor(Qt::white)) {
    display.background = Qt::white;
    lessons_->session().setDisplay(display);
    calm_ = 0;
    return;
  }
  if (++calm_ >= kCalmLooks) take();
}

void LessonDrawing::take() {
  timer_.stop();
  const LessonStep& step = lessons_->player().step();
  HandoutStep drawn;
  drawn.facts = lessons_->player().facts();
  for (const Claim& claim : step.claims)
    if (!claim.holds(drawn.facts))
      return end(badInput(tr("Step %1 of the lesson claims %2, which is not so.")
                              .arg(lessons_->player().stepNumber() + 1)
                              .arg(claim.text())
                              .toStdString()));
  drawn.title = step.title;
  drawn.text = step.text.filled(drawn.facts);
  drawn.question = step.question.filled(drawn.facts);
  drawn.answer = step.answer.filled(drawn.facts);
  if (step.task) {
    drawn.task = step.task->kind;
    int right = 0;
    for (const TaskChoice& choice : step.task->choices) {
      if (choice.claim.holds(drawn.facts)) {
        drawn.rightChoice = int(drawn.choices.size());
        ++right;
      }
      drawn.choices << choice.text;
    }
    if (!drawn.choices.isEmpty() && right != 1)
      return end(badInput(tr("Step %1 of the lesson has %2 right choices instead of one.")
                              .arg(lessons_->player().stepNumber() + 1)
                              .arg(right)
                              .toStdString()));
  }
  if (picksWarp(step)) drawn.trace = lessons_->session().loadLab().light()->trace;
  handout_.steps.push_back(std::move(drawn));
  addCharts();  // now: what they show may change until the picture of the view is drawn
  const CloudView& view = *lessons_->window().cloudView();
  PictureSize size;
  size.pixels = kViewPixels * view.size();
  size.ratio = kViewPixels * (slides_ ? kPresentationScale : 1);
  lessons_->window().cloudView()->drawPicture(size, [this](Result<PictureDrawing::Make> made) {
    if (!made) return end(tl::unexpected(made.error()));
    addView((*made)());
    goOn();
  });
}

void LessonDrawing::addView(QImage image) {
  const CloudView& view = *lessons_->window().cloudView();
  image = image.convertToFormat(QImage::Format_RGB32);
  // The key of the colours is a widget on the view.
  QPainter painter(&image);
  painter.scale(kViewPixels, kViewPixels);
  for (QWidget* over : view.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
    if (over->isVisibleTo(&view) && qobject_cast<QOpenGLWidget*>(over) == nullptr)
      over->render(&painter, over->pos(), {}, QWidget::DrawChildren);
  painter.end();
  HandoutPicture picture;
  picture.words = tr("The cloud");
  picture.size = view.size();
  QBuffer buffer(&picture.bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  std::vector<HandoutPicture>& pictures = handout_.steps.back().pictures;
  pictures.insert(pictures.begin(), std::move(picture));
}

void LessonDrawing::addCharts() {
  const ChartsPanel& charts = *lessons_->window().charts();
  const bool isTall = lessons_->player().step().setup.chart == LessonChart::Divisions;
  for (const ChartOutput* output : charts.page(charts.current())->outputs()) {
    if (!output->svg || output->isEmpty()) continue;
    HandoutPicture picture;
    picture.words = output->title;
    if (!output->sizeIsFree)
      picture.size = output->size();
    else if (slides_)
      picture.size = isTall ? kTallSlideChartSize : kSlideChartSize;
    else
      picture.size = isTall ? kTallChartSize : kChartSize;
    picture.bytes = QByteArray::fromStdString(output->svg(picture.size, Background::Light));
    picture.isSvg = true;
    handout_.steps.back().pictures.push_back(std::move(picture));
  }
}

void LessonDrawing::goOn() {
  const auto steps = int(lessons_->player().lesson()->steps.size());
  if (onlyOne_ || lessons_->player().stepNumber() + 1 == steps) return end(std::move(handout_));
  calm_ = waited_ = 0;
  lessons_->player().goTo(lessons_->player().stepNumber() + 1);
  timer_.start();
}

void LessonDrawing::end(Result<Handout> result) {
  timer_.stop();
  done_(std::move(result));
  deleteLater();
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
  new LessonDrawing(
      parent, *lesson, onlyLanes ? lanes : 0, wanted.slides,
      [lesson = *lesson, wanted, done = std::move(done), lanes, onlyLanes](Result<Handout> drawn) {
        if (!drawn) return done(tl::unexpected(drawn.error()));
        const HandoutStep* step = nullptr;
        if (lanes > 0) step = &drawn->steps[onlyLanes ? 0 : std::size_t(lanes - 1)];
        done(writeOutputs(lesson, *drawn, step, wanted));
      });
}

}  // namespace clusterloom
