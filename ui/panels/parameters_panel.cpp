#include "ui/panels/parameters_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/core/memory_budget.h"
#include "render/paint/ticks.h"
#include "ui/panels/eps_slider.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/eps_words.h"
#include "ui/session/every_eps.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/session/weights.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/form.h"
#include "ui/words/numbers.h"

namespace clusterloom {
namespace {

constexpr int kMostIndexedDims = 8;
constexpr std::size_t kStableChoices = 3;

/// The knee as the chart of k-distances shows it.
double shownKnee(const KDistances& distances) { return briefKnee(distances.suggestedEps); }

/// An operation count for reading: "3.2 billion".
QString operations(double number) {
  if (number >= 1e12) return ParametersPanel::tr("%1 T").arg(fixed(number / 1e12, 1));
  if (number >= 1e9) return ParametersPanel::tr("%1 G").arg(fixed(number / 1e9, 1));
  if (number >= 1e6) return ParametersPanel::tr("%1 M").arg(fixed(number / 1e6, 1));
  return fixed(number, 0);
}

void showPending(EpsSlider& eps, const Session& session) {
  eps.setPending(session.data().cloud() && session.data().awaitsEps(),
                 session.clusterRun().state() != RunState::NeedsEps);
}

}  // namespace

ParametersPanel::ParametersPanel(Session& session, QWidget* parent)
    : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("parametersPanel"));
  QFormLayout* form = panelForm(this);

  addEpsRows(form);
  addCountRows(form);
  addRunRows(form);
  EveryEps& every = session_.everyEps();
  connect(everyEps_, &QCheckBox::toggled, this,
          [this](bool on) { session_.everyEps().setEnabled(on); });
  connect(prepare_, &QPushButton::clicked, this, [this] { session_.everyEps().build(); });
  connect(&every, &EveryEps::changed, this, &ParametersPanel::showEveryEps);
  connect(&every, &EveryEps::hierarchyChanged, this, &ParametersPanel::showEveryEps);
  connect(&session_.jobs(), &JobQueue::progressed, this,
          [this](quint64, JobKind kind, const QString&, double) {
            if (kind == JobKind::Hierarchy) showEveryEps();
          });

  ClusterRun& run = session_.clusterRun();
  connect(autoRun_, &QCheckBox::toggled, this,
          [this](bool automatic) { session_.clusterRun().setAutoRun(automatic); });
  connect(run_, &QPushButton::clicked, this, [this] { session_.clusterRun().run(); });
  connect(eps_, &EpsSlider::confirmed, this, [this] { session_.clusterRun().run(); });
  connect(&run, &ClusterRun::stateChanged, this, &ParametersPanel::showRunState);

  connect(eps_, &EpsSlider::dragStarted, this, [this] { session_.setDragging(true); });
  connect(eps_, &EpsSlider::dragging, this, [this](double eps) { session_.setEps(eps); });
  connect(eps_, &EpsSlider::settled, this, [this](double eps) {
    session_.setEps(eps);
    if (session_.parameters().dbscan.eps != eps) showParameters();  // it was refused
    if (session_.isDragging()) session_.setDragging(false);
  });
  connect(minPts_, &QSpinBox::valueChanged, this, [this](int value) {
    minPtsChanged_ = true;
    session_.setMinPts(value);
  });
  connect(indexedDims_, &QComboBox::activated, this,
          [this](int index) { session_.setIndexedDims(indexedDims_->itemData(index).toInt()); });
  connect(weights_, &QComboBox::activated, this,
          [this](int index) { session_.setWeights(weights_->itemData(index).toString()); });
  connect(useSuggestion_, &QPushButton::clicked, this, [this] {
    if (const auto distances = session_.derived().kDistances())
      session_.setEps(shownKnee(*distances));
  });

  connect(&session_, &Session::parametersChanged, this, &ParametersPanel::showParameters);
  connect(&session_.data(), &SessionData::dataAboutToChange, eps_, &EpsSlider::abandonDrag);
  connect(&session_.data(), &SessionData::epsRangeChanged, this, [this] {
    eps_->setRange(session_.data().epsRange());
    showSuggestion();
  });
  connect(&session_.data(), &SessionData::cloudChanged, this, &ParametersPanel::showCosts);
  connect(&session_.data(), &SessionData::cloudChanged, this, &ParametersPanel::showWeights);
  connect(&session_, &Session::parametersChanged, this, &ParametersPanel::showWeights);
  connect(&session_.derived(), &DerivedResults::costModelChanged, this,
          &ParametersPanel::showCosts);
  connect(&session_.clusterRun(), &ClusterRun::resultChanged, this,
          &ParametersPanel::showAutomaticK);
  connect(&session_.derived(), &DerivedResults::sweepChanged, this,
          &ParametersPanel::showSuggestion);
  connect(&session_.derived(), &DerivedResults::kDistancesChanged, this,
          &ParametersPanel::showSuggestion);
  eps_->setRange(session_.data().epsRange());
  showParameters();
  showWeights();
  showCosts();
  showSuggestion();
  showRunState();
  showEveryEps();
}

void ParametersPanel::addEpsRows(QFormLayout* form) {
  eps_ = new EpsSlider(this);
  form->addRow(eps_);

  suggestionText_ = named("suggestionText", new ElidedLabel(this));
  suggestionText_->setProperty("role", "muted");
  useSuggestion_ =
      named("useSuggestion", new QPushButton(tr("&Use"), this), tr("Use the suggested ε"));
  // A widget: the form leaves too little height beside a row of hidden widgets. It stays when they
  // go, so that minPts does not move.
  auto* suggestions = new QWidget(this);
  suggestions->setMinimumHeight(useSuggestion_->sizeHint().height());
  auto* suggestionRow = spaced(new QHBoxLayout(suggestions), {0, 0, 0, 0});
  suggestionRow->addWidget(suggestionText_, 1);
  suggestionRow->addWidget(useSuggestion_);
  stable_ = named("stableEps", new QPushButton(tr("Stable"), this), tr("Stable values of ε"));
  stable_->setToolTip(
      tr("Values of ε in the middle of the widest ranges in which the number of clusters stays the "
         "same"));
  stable_->setMenu(new QMenu(stable_));
  connect(stable_->menu(), &QMenu::aboutToShow, this, &ParametersPanel::fillStableMenu);
  suggestionRow->addWidget(stable_);
  form->addRow(suggestions);
}

void ParametersPanel::addCountRows(QFormLayout* form) {
  minPts_ = named("minPts", panelNumber(new QSpinBox(this), 1, std::numeric_limits<int>::max()),
                  tr("minPts"));
  minPts_->setLocale(numberLocale());
  minPts_->setGroupSeparatorShown(true);
  passShortcuts(minPts_,
                [this] { return minPts_->text() != numberLocale().toString(minPts_->value()); });
  form->addRow(tr("&minPts"), minPts_);

  // One row with its note, which stays: a form squashes rows beside those that come and go.
  auto* weightsRow = new QWidget(this);
  auto* weightsLayout = spaced(new QVBoxLayout(weightsRow), {0, 0, 0, 0}, 5);
  weights_ = named("weights", panelCombo(weightsRow, tr("Weights")));
  weightsLayout->addWidget(weights_);
  weightsNote_ = named("weightsNote", wrappedLabel(weightsRow));
  weightsNote_->setProperty("role", "muted");
  weightsLayout->addWidget(weightsNote_);
  form->addRow(tr("&Weights"), weightsRow);
  static_cast<QLabel*>(form->labelForField(weightsRow))->setBuddy(weights_);

  indexedDims_ = named("indexedDims", panelCombo(this, tr("Indexed dimensions k")));
  indexedDims_->setToolTip(
      tr("How many dimensions the grid indexes, with the operations each is predicted to need. k "
         "changes the time, not the result."));
  form->addRow(tr("&Indexed dims (k)"), indexedDims_);
}

void ParametersPanel::addRunRows(QFormLayout* form) {
  autoRun_ = named("autoRunBox", new QCheckBox(tr("Run automatically"), this));
  autoRun_->setToolTip(tr("Run whenever a parameter changes; otherwise Run applies the changes"));
  run_ = named("runButton", new QPushButton(tr("Run"), this));
  run_->setToolTip(tr("Run with these parameters (F5)"));
  auto* runRow = new QHBoxLayout;
  runRow->addWidget(autoRun_, 1);
  runRow->addWidget(run_);
  form->addRow(runRow);

  everyEps_ = named("everyEpsBox", new QCheckBox(tr("Prepare every ε"), this));
  everyEps_->setToolTip(
      tr("Compute the clusters of every ε once, in the background. The slider then shows exact "
         "clusters while it moves."));
  everyEpsState_ = named("everyEpsState", wrappedLabel(this));
  prepare_ =
      named("prepareButton", new QPushButton(tr("Prepare"), this), tr("Prepare every ε now"));
  everyRow_ = new QGridLayout;
  everyRow_->setHorizontalSpacing(10);
  everyRow_->setVerticalSpacing(2);
  everyRow_->setColumnStretch(1, 1);
  everyRow_->addWidget(everyEps_, 0, 0);
  everyRow_->addWidget(everyEpsState_, 0, 1);
  everyRow_->addWidget(prepare_, 0, 2);
  form->addRow(everyRow_);
}

void ParametersPanel::showRunState() {
  const ClusterRun& run = session_.clusterRun();
  const QSignalBlocker block(autoRun_);
  autoRun_->setChecked(run.autoRun());
  run_->setEnabled(canStart(run.state()));
  showPending(*eps_, session_);
}

void ParametersPanel::showEveryEps() {
  const EveryEps& every = session_.everyEps();
  const QSignalBlocker block(everyEps_);
  everyEps_->setChecked(every.isEnabled());
  // A chart may want it while runs do not use it, and names the button then.
  const EveryEps::State wanted = every.state();
  const bool offered = wanted == EveryEps::State::Large || wanted == EveryEps::State::TooLarge ||
                       wanted == EveryEps::State::Stopped || wanted == EveryEps::State::Failed;
  const EveryEps::State state = every.isEnabled() || offered ? wanted : EveryEps::State::Off;
  QString text;
  QString tip;
  switch (state) {
    case EveryEps::State::Off:
    case EveryEps::State::NoCloud: break;
    case EveryEps::State::Waiting:
    case EveryEps::State::Building: text = tr("preparing …"); break;
    case EveryEps::State::Ready:
      text = tr("exact at every ε");
      tip = tr("The clusters of every ε are ready for this minPts (%1)")
                .arg(QString::fromStdString(memoryText(every.hierarchy()->bytes())));
      break;
    case EveryEps::State::Large:
      text = tr("%1, about %2")
                 .arg(QString::fromStdString(memoryText(every.forecast().bytes)),
                      duration(every.forecast().seconds));
      tip = tr("Preparing every ε needs %1 of memory and takes about %2; it starts when you ask "
               "for it")
                .arg(QString::fromStdString(memoryText(every.forecast().bytes)),
                     duration(every.forecast().seconds));
      break;
    case EveryEps::State::TooLarge:
      text = tr("too large for the memory");
      tip = tr("Preparing every ε needs %1 of memory, and %2 are free. It was not started")
                .arg(QString::fromStdString(memoryText(every.forecast().bytes)),
                     QString::fromStdString(memoryText(every.forecast().free)));
      break;
    case EveryEps::State::Stopped: text = tr("stopped"); break;
    case EveryEps::State::Failed: text = tr("failed"); break;
    case EveryEps::State::OtherSpace: text = tr("not for these distances"); break;
    case EveryEps::State::Weighted: text = tr("without weights only"); break;
    case EveryEps::State::BeyondK: text = tr("minPts ≤ %1 only").arg(kMaxNearest); break;
  }
  everyEpsState_->setText(text);
  everyEpsState_->setToolTip(tip.isEmpty() ? everyEps_->toolTip() : tip);
  prepare_->setVisible(offered);
  // Beside the button there is no space for the text, nor beside the box for what limits it.
  const bool limited = state == EveryEps::State::OtherSpace || state == EveryEps::State::Weighted ||
                       state == EveryEps::State::BeyondK;
  everyRow_->removeWidget(everyEpsState_);
  if (offered || limited)
    everyRow_->addWidget(everyEpsState_, 1, 0, 1, 3);
  else
    everyRow_->addWidget(everyEpsState_, 0, 1);
}

void ParametersPanel::keyPressEvent(QKeyEvent* event) {
  // A spin box leaves Return to its parent once it has taken the number. Return on a number that
  // stays as it is runs; ε does the same (EpsSlider::confirmed).
  const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (isReturn && minPts_->hasFocus() && !std::exchange(minPtsChanged_, false))
    session_.clusterRun().run();
  QWidget::keyPressEvent(event);
}

void ParametersPanel::showParameters() {
  const Parameters& parameters = session_.parameters();
  showPending(*eps_, session_);
  eps_->setCosine(parameters.space.metric == Metric::Cosine);
  eps_->setValue(parameters.dbscan.eps);
  const QSignalBlocker block(minPts_);
  const int minPts =
      int(std::min<std::int64_t>(parameters.dbscan.minPts, std::numeric_limits<int>::max()));
  // The same number would replace text that is being edited.
  if (minPts_->value() != minPts) minPts_->setValue(minPts);
  const int index = indexedDims_->findData(parameters.strategy.indexedDims);
  if (index >= 0) indexedDims_->setCurrentIndex(index);
  showSuggestion();
}

void ParametersPanel::showWeights() {
  const auto dataset = session_.data().dataset();
  const QString& chosen = session_.parameters().weights;
  const QStringList columns = dataset ? weightColumns(*dataset) : QStringList();
  const QSignalBlocker block(weights_);
  QStringList offered;
  for (int i = 1; i < weights_->count(); ++i) offered << weights_->itemData(i).toString();
  // An open list stays as it is while other parameters change.
  if (weights_->count() == 0 || offered != columns) {
    weights_->clear();
    weights_->addItem(tr("none"), QString());
    for (const QString& column : columns) weights_->addItem(column, column);
  }
  weights_->setCurrentIndex(std::max(0, weights_->findData(chosen)));
  weights_->setEnabled(!columns.isEmpty());
  weights_->setToolTip(
      columns.isEmpty()
          ? tr("There is no column of numbers beside the coordinates")
          : tr("A column whose values are the weights of the points: a point is then core when "
               "the\nweights of all points within ε, its own included, sum to at least minPts"));
  const bool weighted = !chosen.isEmpty();
  weightsNote_->setVisible(weighted);
  weightsNote_->setText(session_.data().ready().choice.weights == chosen
                            ? tr("minPts is a sum of weights; a weight is %1 on average. Every ε "
                                 "and k-distances are not shown.")
                                  .arg(significant(session_.data().ready().meanWeight, 3))
                            : QString());
  minPts_->setToolTip(
      weighted
          ? tr("A point is core when the weights of all points within ε, its own included, sum to "
               "at least this number")
          : tr("A point is core when at least this many points, itself included, lie within ε"));
}

void ParametersPanel::fillStableMenu() {
  QMenu* menu = stable_->menu();
  menu->clear();
  const auto sweep = session_.derived().exactSweep();
  const auto cloud = session_.data().cloud();
  if (!sweep || !cloud) return;
  for (const EpsChoice& choice :
       stableChoices(sweep->curve, sweep->plateaus, cloud->size(), kStableChoices)) {
    // Rounded within its range: no digits that mean nothing.
    const double high = std::isinf(choice.plateau.to) ? 1.2 * choice.eps : choice.plateau.to;
    const double least = std::max(choice.plateau.from, 0.98 * choice.eps);
    const double most = std::min(0.999 * high, 1.02 * choice.eps);
    const double eps = least < most ? roundestWithin(least, most) : choice.eps;
    EpsChoice rounded = choice;
    rounded.eps = eps;
    connect(menu->addAction(choiceText(rounded, cloud->size())), &QAction::triggered, this,
            [this, eps] { session_.setEps(eps); });
  }
  if (menu->isEmpty())
    menu->addAction(tr("There is no ε with two or more clusters"))->setEnabled(false);
}

void ParametersPanel::showCosts() {
  const auto cloud = session_.data().cloud();
  const auto model = session_.derived().costModel();
  const int most = cloud ? std::min(int(cloud->dims()), kMostIndexedDims) : 1;
  const QSignalBlocker block(indexedDims_);
  indexedDims_->clear();
  indexedDims_->addItem(tr("auto"), 0);
  for (int k = 1; k <= most; ++k) {
    QString text = QString::number(k);
    if (model) {
      const auto cost = std::find_if(model->costs.begin(), model->costs.end(),
                                     [k](const CostOfK& c) { return c.k == k; });
      if (cost != model->costs.end()) {
        text = tr("%1 · %2 ops").arg(k).arg(operations(cost->total()));
      }
    }
    indexedDims_->addItem(text, k);
  }
  indexedDims_->setCurrentIndex(
      std::max(0, indexedDims_->findData(session_.parameters().strategy.indexedDims)));
  showAutomaticK();
  setEnabled(bool(cloud));
}

void ParametersPanel::showAutomaticK() {
  // The k of the engine, not of the cost model: dense cells have another rule. Trees of points have
  // none.
  const auto result = session_.clusterRun().result();
  const bool automatic = result && result->isOfRun() && !result->hierarchy &&
                         result->parameters.strategy.indexedDims == 0 &&
                         result->clustering.stats.indexedDims > 0;
  indexedDims_->setItemText(
      0, automatic ? tr("auto (%1)").arg(result->clustering.stats.indexedDims) : tr("auto"));
}

void ParametersPanel::showSuggestion() {
  const auto distances = session_.derived().kDistances();
  const bool known = distances && distances->suggestedEps > 0;
  eps_->setMark(known ? distances->suggestedEps : 0);
  const bool inUse = known && shownKnee(*distances) == session_.parameters().dbscan.eps;
  const bool swept = bool(session_.derived().exactSweep());
  const SessionData& cloudData = session_.data();
  const DbscanParams& now = session_.parameters().dbscan;
  const auto& suggestion = cloudData.suggestion();
  const bool suggested =
      suggestion && cloudData.cloud() && !cloudData.awaitsEps() && now.eps == suggestion->eps &&
      neighboursOf(now.minPts, cloudData.ready().meanWeight) == suggestion->minPts;
  const QString reason = suggested ? reasonText(*suggestion) : QString();
  stable_->setVisible(swept);
  suggestionText_->setVisible(known || !reason.isEmpty());
  useSuggestion_->setVisible(known && !inUse && reason.isEmpty());
  if (known)
    useSuggestion_->setAccessibleName(
        tr("Use the suggested ε, %1").arg(shortestText(shownKnee(*distances))));
  if (!reason.isEmpty()) {
    suggestionText_->setText(reason);
    suggestionText_->setToolTip(reason + QLatin1Char('\n') +
                                reasonTip(*suggestion, cloudData.cloud()->size()));
  } else if (known) {
    suggestionText_->setText(inUse ? tr("ε is at the knee")
                                   : tr("knee at %1").arg(shortestText(shownKnee(*distances))));
    suggestionText_->setToolTip(
        tr("The knee of the k-distances, the first of the charts, is a starting value for ε"));
  }
  // Labels are not reached by Tab.
  eps_->setDescription(known || !reason.isEmpty() ? suggestionText_->text() : QString());
}

}  // namespace clusterloom
