#include "ui/charts/replay_row.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include "engine/hierarchy/eps_advice.h"
#include "ui/charts/chart_page.h"
#include "ui/session/derived_results.h"
#include "ui/session/eps_words.h"
#include "ui/session/replay.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/theme/icons.h"
#include "ui/widgets/form.h"
#include "ui/words/numbers.h"

namespace clusterloom {

ReplayRow::ReplayRow(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("replayRow"));
  back_ = named("replayBack",
                iconButton(this, QStringLiteral("step-back"), tr("Back to the previous change")));
  play_ = named("replayPlay",
                iconButton(this, QStringLiteral("play"), tr("Play how the clusters grow")));
  forward_ = named("replayForward", iconButton(this, QStringLiteral("step-forward"),
                                               tr("To the next merge or birth of a cluster")));
  speed_ = named("replaySpeed", panelCombo(this, tr("How long playing takes")));
  speed_->setToolTip(tr("How long playing over every ε takes"));
  for (const int seconds : {5, 10, 20, 40, 80}) speed_->addItem(tr("%1 s").arg(seconds), seconds);
  frames_ = named("saveFrames", new QPushButton(tr("Save frames…"), this));
  frames_->setToolTip(tr("Saves the growth of the clusters as a series of pictures"));
  advice_ = named("epsAdvice", cutLine(this, true), tr("What the curve says of ε"));
  auto* row = spaced(new QHBoxLayout(this), {8, 4, 8, 0}, 4);
  for (QWidget* widget :
       {static_cast<QWidget*>(back_), static_cast<QWidget*>(play_), static_cast<QWidget*>(forward_),
        static_cast<QWidget*>(speed_), static_cast<QWidget*>(frames_)})
    row->addWidget(widget);
  row->addSpacing(8);
  row->addWidget(advice_, 1);

  Replay& replay = session_.replay();
  connect(back_, &QToolButton::clicked, this, [this] { session_.replay().step(-1); });
  connect(forward_, &QToolButton::clicked, this, [this] { session_.replay().step(1); });
  connect(play_, &QToolButton::clicked, this, [this] {
    Replay& played = session_.replay();
    if (played.isPlaying())
      played.pause();
    else
      played.play();
  });
  connect(speed_, &QComboBox::activated, this,
          [this] { session_.replay().setDuration(speed_->currentData().toInt()); });
  connect(frames_, &QPushButton::clicked, this, &ReplayRow::framesRequested);
  connect(&replay, &Replay::changed, this, &ReplayRow::showState);
  connect(&session_, &Session::parametersChanged, this, &ReplayRow::showAdvice);
  connect(&session_.derived(), &DerivedResults::sweepChanged, this, &ReplayRow::showAdvice);
  showState();
  showAdvice();
}

void ReplayRow::showState() {
  const Replay& replay = session_.replay();
  const bool playing = replay.isPlaying();
  play_->setIcon(themedIcon(playing ? QStringLiteral("pause") : QStringLiteral("play")));
  const QString name = playing ? tr("Pause") : tr("Play how the clusters grow");
  play_->setToolTip(name);
  play_->setAccessibleName(name);
  for (QWidget* widget : {static_cast<QWidget*>(back_), static_cast<QWidget*>(play_),
                          static_cast<QWidget*>(forward_), static_cast<QWidget*>(frames_)})
    widget->setEnabled(replay.isPossible());
  speed_->setCurrentIndex(speed_->findData(int(replay.duration())));
}

void ReplayRow::showAdvice() {
  const auto sweep = session_.derived().exactSweep();
  const auto cloud = session_.data().cloud();
  const double eps = shownEps(session_);
  if (!sweep || !cloud || !(eps > 0)) return advice_->setText({});
  const QString text = adviceText(adviceAt(sweep->curve, cloud->size(), eps), cloud->size());
  advice_->setText(text);
  advice_->setToolTip(text);
}

}  // namespace clusterloom
