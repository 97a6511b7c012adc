#include "ui/view/reading_view.h"

#include <vtkInteractorObserver.h>
#include <vtkRenderWindow.h>
#include <vtkRenderWindowInteractor.h>
#include <QEvent>
#include <QTimer>

#include "ui/session/result_words.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/theme/theme.h"
#include "ui/view/latest_call.h"
#include "ui/words/numbers.h"

namespace clusterloom {

ReadingView::ReadingView(Session& session, QWidget* parent) : VtkView(parent), session_(session) {
  setObjectName(QStringLiteral("readingView"));
  setAccessibleName(tr("Points read so far"));
  setMinimumSize(200, 140);
  preparing_ = new LatestCall(this);
  scene_.attach(renderWindow());
  interactor()->SetInteractorStyle(scene_.interactorStyle());
  applyTheme();
  connect(this, &VtkView::frameDrawn, this, [this] {
    if (scene_.moreToDraw()) QTimer::singleShot(0, this, [this] { requestFrame(); });
  });
  connect(&session_.data(), &SessionData::partialChanged, this, &ReadingView::showSample);
  showSample();
}

ReadingView::~ReadingView() {
  disconnect(&session_.data(), nullptr, this, nullptr);
  releaseGl();
  interactor()->SetInteractorStyle(nullptr);
  scene_.detach();
}

void ReadingView::aboutToDraw() {
  if (devicePixelRatioF() == pixelRatio_) return;
  pixelRatio_ = devicePixelRatioF();
  scene_.setPixelRatio(pixelRatio_);
}

void ReadingView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) applyTheme();
  VtkView::changeEvent(event);
}

void ReadingView::applyTheme() {
  scene_.setBackground(isDark(palette()) ? Background::Dark : Background::Light);
  requestFrame();
}

void ReadingView::showSample() {
  const auto partial = session_.data().partial();
  if (!partial) return showCaption();
  DisplayState display;
  display.pca = partial->sample->dims() > 3;
  // Principal axes are found anew when the sample has doubled: in hundreds of dimensions that
  // takes as long as reading.
  const std::size_t dims = partial->sample->dims();
  const bool again = sample_ && sample_->sample->dims() == dims &&
                     sample_->rowsRead <= partial->rowsRead && partial->rowsRead < 2 * rowsOfAxes_;
  const auto known = display.pca && again ? scene_.points() : nullptr;
  if (!known) rowsOfAxes_ = partial->rowsRead;
  const auto prepare = [partial, known, axes = viewAxesOf(display, dims)] {
    return known ? makeDisplayPoints(*partial->sample, known->space)
                 : makeDisplayPoints(*partial->sample, axes);
  };
  preparing_->start(prepare, [this, partial](Result<DisplayPoints> points) {
    if (!points) return;
    scene_.setPoints(std::make_shared<const DisplayPoints>(std::move(*points)));
    interactor()->SetInteractorStyle(scene_.interactorStyle());
    sample_ = partial;
    showCaption();
  });
}

void ReadingView::showCaption() {
  const bool reading = bool(session_.data().partial());
  if (sample_) {
    const QString read =
        tr("%1 of %2 points shown").arg(count(sample_->sample->size()), count(sample_->rows));
    scene_.setCaption((reading ? partialText(*sample_) : read).toStdString());
    scene_.setSubcaption((reading ? tr("Clusters are computed when all points have been read.")
                                  : tr("The picture of all points is being prepared."))
                             .toStdString());
  }
  requestFrame();
}

}  // namespace clusterloom
