#include "ui/window/frame_series.h"

#include <QDir>
#include <QPointer>
#include <algorithm>
#include <utility>

#include "ui/session/cluster_run.h"
#include "ui/session/files.h"
#include "ui/session/replay.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/view/cloud_view.h"
#include "ui/view/column_player.h"

namespace clusterloom {

FrameSource growthFrames(Session& session) {
  session.replay().pause();
  session.setDragging(true);
  FrameSource source;
  ClusterRun& run = session.clusterRun();
  const auto isSameCloud = [&session, cloud = session.data().cloud()] {
    return session.data().cloud() == cloud;
  };
  source.isPossible = [&session, isSameCloud] {
    // The frames are of a drag, which undo and a person who sets ε end.
    return session.isDragging() && isSameCloud() && session.replay().isPossible();
  };
  source.isCurrent = [&run] { return run.isResultCurrent(); };
  source.show = [&session, &run](int frame, int frames) {
    session.setEps(session.replay().epsAt(double(frame) / (frames - 1)));
    if (!run.autoRun()) run.run();
  };
  source.restore = [&session, &run, isSameCloud, before = session.parameters().dbscan.eps,
                    wasCurrent = run.isResultCurrent()] {
    // That ε may be of other units in another cloud.
    // A person who sets another ε ends the drag: that ε stays.
    if (isSameCloud() && session.isDragging()) session.setEps(before);
    session.setDragging(false);
    if (wasCurrent && !run.autoRun()) run.run();
  };
  return source;
}

FrameSource columnFrames(Session& session, CloudView& view) {
  ColumnPlayer& player = view.player();
  player.pause();
  FrameSource source;
  source.isPossible = [&player] { return player.isPossible(); };
  source.isCurrent = [&session] { return session.clusterRun().state() != RunState::Running; };
  source.show = [&player](int frame, int frames) { player.showFrame(frame, frames); };
  source.restore = [&player, before = player.position()] { player.setPosition(before); };
  return source;
}

FrameSeries* FrameSeries::start(Session& session, CloudView& view, FrameSource source,
                                const FrameOrder& order) {
  return new FrameSeries(session, view, std::move(source), order);
}

FrameSeries::FrameSeries(Session& session, CloudView& view, FrameSource source,
                         const FrameOrder& order)
    : QObject(&view), session_(session), view_(view), source_(std::move(source)), order_(order) {
  order_.frames = std::max(order_.frames, 2);
  connect(&view_, &CloudView::settled, this, &FrameSeries::drawWhenSettled);
  connect(&session_.clusterRun(), &ClusterRun::resultChanged, this, &FrameSeries::drawWhenSettled);
  // Queued: a result is announced after the run's state, and the view must know it.
  connect(&session_.clusterRun(), &ClusterRun::stateChanged, this, &FrameSeries::drawWhenSettled,
          Qt::QueuedConnection);
  connect(&session_.data(), &SessionData::dataAboutToChange, this, [this] { end(true); });
  QMetaObject::invokeMethod(this, &FrameSeries::next, Qt::QueuedConnection);
}

FrameSeries::~FrameSeries() = default;

void FrameSeries::next() {
  if (over_) return;
  // The data may have been closed meanwhile.
  if (!source_.isPossible()) return end(true);
  if (frame_ == order_.frames) return end(false);
  source_.show(frame_, order_.frames);
  waits_ = true;
  drawWhenSettled();
}

void FrameSeries::drawWhenSettled() {
  if (over_ || !waits_) return;
  if (!source_.isPossible()) return end(true);  // what is on show is no frame of the series
  // A person stopped the run that the frame needs.
  if (session_.clusterRun().state() == RunState::Stopped && !source_.isCurrent()) return end(true);
  if (!source_.isCurrent() || !view_.isSettled()) return;
  // A result is there before it is announced; until then the view is settled with the one before.
  const ClusterRun& run = session_.clusterRun();
  if (run.isResultCurrent() && view_.shownResult() != run.result()) return;
  waits_ = false;
  const QString path = QDir(order_.folder)
                           .filePath(QStringLiteral("%1-%2.png")
                                         .arg(order_.name)
                                         .arg(frame_ + 1, 4, 10, QLatin1Char('0')));
  view_.drawPicture(
      order_.size, [self = QPointer<FrameSeries>(this), path](Result<PictureDrawing::Make> made) {
        if (!self || self->over_) return;
        if (!made) {
          self->session_.jobs().report(JobKind::Export, made.error(), path);
          return self->end(true);
        }
        self->session_.jobs().start<void>(
            JobKind::Export, tr("Writing frame %1").arg(self->frame_ + 1),
            [path, make = std::move(*made)](const Task&) { return writePicture(path, make); },
            [self, path](Result<void> done) {
              if (!self || self->over_) return;
              if (!done) {
                self->session_.jobs().report(JobKind::Export, done.error(), path);
                return self->end(true);
              }
              ++self->written_;
              ++self->frame_;
              Q_EMIT self->progressed(self->written_, self->order_.frames);
              self->next();
            },
            [self](JobEnd end) {
              if (self && end != JobEnd::Done) self->end(true);
            });
      });
}

void FrameSeries::stop() { end(true); }

void FrameSeries::end(bool stopped) {
  if (std::exchange(over_, true)) return;
  source_.restore();
  Q_EMIT finished(written_, stopped);
  deleteLater();
}

}  // namespace clusterloom
