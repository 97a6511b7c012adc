#include "ui/window/lesson_drawing.h"

#include <QBuffer>
#include <QImage>
#include <QOpenGLWidget>
#include <QPainter>
#include <utility>
#include <vector>

#include "engine/load/warp_trace.h"
#include "ui/charts/charts_panel.h"
#include "ui/lessons/lesson_player.h"
#include "ui/panels/lessons_panel.h"
#include "ui/session/load_lab.h"
#include "ui/theme/theme.h"
#include "ui/view/cloud_view.h"
#include "ui/window/lesson_window.h"

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

/// Whether the numbers of a picked warp belong to the step.
bool hasWarp(const LessonSetup& setup) {
  return setup.warp != LessonWarp::None && !isOfBoth(setup.chart) && !isOfEveryEps(setup.chart);
}

/// A hand-out says the same on every machine.
Result<std::unique_ptr<Backend>> nothingMeasures(const std::string& /*name*/,
                                                 const BackendOptions& /*options*/) {
  return unavailable("Nothing is measured for a hand-out.");
}

}  // namespace

void LessonDrawing::start(QObject* parent, const QString& path, int step, bool slides, Done done) {
  const auto lesson = readLesson(path);
  if (!lesson) return done(tl::unexpected(lesson.error()));
  const auto steps = int(lesson->steps.size());
  if (step > steps)
    return done(
        badCall(tr("The lesson has %1 steps, and no step %2.").arg(steps).arg(step).toStdString()));
  new LessonDrawing(parent, *lesson, step, slides, std::move(done));
}

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

LessonDrawing::~LessonDrawing() = default;

bool LessonDrawing::isReady() const {
  Session& session = lessons_->session();
  if (!lessons_->window().isSettled() || !lessons_->player().areFactsCurrent()) return false;
  if (!hasWarp(lessons_->player().step().setup)) return true;
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
  if (hasWarp(step.setup)) drawn.trace = lessons_->session().loadLab().light()->trace;
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

}  // namespace clusterloom
