#include "ui/panels/engine_panel.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QThread>
#include <QToolButton>
#include <QVBoxLayout>

#include "engine/join/join_plan.h"
#include "ui/panels/form.h"
#include "ui/session/cluster_run.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/theme/icons.h"

namespace clusterloom {

EnginePanel::EnginePanel(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("enginePanel"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  header_ = new QToolButton(this);
  header_->setObjectName(QStringLiteral("sectionHeader"));
  header_->setText(tr("E&ngine"));
  header_->setCheckable(true);
  header_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  header_->setFocusPolicy(Qt::StrongFocus);
  header_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  header_->setAccessibleName(tr("Engine options"));
  header_->setToolTip(tr("How the answer is computed. Every choice gives the same labels."));
  QFont bold = header_->font();
  bold.setWeight(QFont::DemiBold);
  header_->setFont(bold);
  layout->addWidget(header_);

  body_ = new QWidget(this);
  layout->addWidget(body_);
  auto* form = panelForm(body_);

  preset_ = panelCombo(body_, tr("Strategy preset"));
  preset_->setObjectName(QStringLiteral("preset"));
  for (const StrategyPreset& preset : strategyPresets()) preset_->addItem(preset.name);
  preset_->addItem(tr("Custom"));
  form->addRow(tr("&Preset"), preset_);
  summary_ = mutedLabel(body_);
  form->addRow(summary_);

  method_ = panelCombo(body_, tr("Method"));
  method_->setObjectName(QStringLiteral("method"));
  method_->setToolTip(
      tr("How neighbours are found: by the grid, or by references to compare with. The G-DBSCAN "
         "versions are those of Frasson (2021), but for “shared tiles”, which is Clusterloom's "
         "own: it copies all candidates to shared memory, tile by tile, where the paper's version "
         "holds only the points of the block"));
  for (const auto& [text, value] : {std::pair{tr("grid"), Method::Grid},
                                    {tr("brute force"), Method::BruteForce},
                                    {tr("G-DBSCAN, paper"), Method::GDbscanPaper},
                                    {tr("G-DBSCAN, no transfer"), Method::GDbscanNoTransfer},
                                    {tr("G-DBSCAN, shifted access"), Method::GDbscanShifted},
                                    {tr("G-DBSCAN, shared memory"), Method::GDbscanShared},
                                    {tr("G-DBSCAN, shared tiles"), Method::GDbscanSharedTiles}}) {
    method_->addItem(text, int(value));
  }
  form->addRow(tr("Metho&d"), method_);
  pattern_ = panelCombo(body_, tr("Access pattern"));
  pattern_->setObjectName(QStringLiteral("pattern"));
  pattern_->setToolTip(
      tr("Which cells a query point compares with. Full, UNICOMP and LID-UNICOMP are those of the "
         "papers; tiles are Clusterloom's own: query points of neighbouring cells read rows of "
         "cells together"));
  for (const auto& [text, value] : {std::pair{tr("full"), AccessPattern::Full},
                                    {tr("UNICOMP"), AccessPattern::Unicomp},
                                    {tr("LID-UNICOMP"), AccessPattern::LidUnicomp},
                                    {tr("tile"), AccessPattern::Tile}}) {
    pattern_->addItem(text, int(value));
  }
  form->addRow(tr("Patt&ern"), pattern_);
  order_ = panelCombo(body_, tr("Query order"));
  order_->setObjectName(QStringLiteral("order"));
  order_->setToolTip(
      tr("The order in which query points are handed out. WORKQUEUE differs from the paper in one "
         "point: the first lane of a warp takes the tickets of all its query points at once, where "
         "in the paper each query point takes its own"));
  for (const auto& [text, value] : {std::pair{tr("input"), QueryOrder::Input},
                                    {tr("unit bins"), QueryOrder::Bins},
                                    {tr("cell"), QueryOrder::Cell},
                                    {tr("SORTBYWL"), QueryOrder::SortByWorkload},
                                    {tr("WORKQUEUE"), QueryOrder::WorkQueue}}) {
    order_->addItem(text, int(value));
  }
  form->addRow(tr("&Order"), order_);
  precision_ = panelCombo(body_, tr("Precision"));
  precision_->setObjectName(QStringLiteral("precision"));
  precision_->setToolTip(tr("32-bit filters with the canonical recheck, or 64-bit throughout"));
  precision_->addItem(tr("64-bit"), int(Precision::Double));
  precision_->addItem(tr("32-bit, rechecked"), int(Precision::Single));
  form->addRow(tr("Precision"), precision_);
  threadsPerPoint_ = panelCombo(body_, tr("Threads per query point"));
  threadsPerPoint_->setObjectName(QStringLiteral("threadsPerPoint"));
  threadsPerPoint_->setToolTip(tr("Cooperative groups of a GPU; a CPU can only do 1"));
  for (const int threads : {1, 2, 4, 8, 16, 32}) {
    threadsPerPoint_->addItem(QString::number(threads), threads);
  }
  form->addRow(tr("Threads/point"), threadsPerPoint_);

  reorder_ = addToggle(tr("REORDER"), QStringLiteral("reorder"),
                       tr("Index the dimensions of highest variance"));
  sortIdu_ = addToggle(tr("SORTIDU"), QStringLiteral("sortIdu"),
                       tr("Sort each cell by one dimension and scan only the window of ±ε"));
  shortCircuit_ =
      addToggle(tr("SHORTC"), QStringLiteral("shortCircuit"),
                tr("Stop a distance once its partial sum passes ε²; also in G-DBSCAN, where "
                   "automatic means off"));
  denseCells_ = addToggle(tr("Dense cells"), QStringLiteral("denseCells"),
                          tr("Take cells that prove all their points core as one"));
  earlyStop_ = addToggle(tr("Early stop"), QStringLiteral("earlyStop"),
                         tr("Stop counting neighbours at minPts"));

  backend_ = panelCombo(body_, tr("Backend"));
  backend_->setObjectName(QStringLiteral("backend"));
  backend_->addItem(tr("automatic"), QStringLiteral("auto"));
  for (const std::string& name : availableBackends()) {
    const QString text = QString::fromStdString(name);
    if (text != QLatin1String("auto")) backend_->addItem(text.toUpper(), text);
  }
  form->addRow(tr("&Backend"), backend_);
  device_ = mutedLabel(body_);
  device_->setObjectName(QStringLiteral("device"));
  form->addRow(device_);
  threads_ = new QSpinBox(body_);
  threads_->setObjectName(QStringLiteral("threads"));
  threads_->setRange(0, 1024);
  threads_->setSpecialValueText(tr("all (%1)").arg(QThread::idealThreadCount()));
  threads_->setKeyboardTracking(false);
  threads_->setAccessibleName(tr("CPU threads"));
  ignoreStrayWheel(threads_);
  form->addRow(tr("&Threads"), threads_);

  objection_ = new QLabel(body_);
  objection_->setObjectName(QStringLiteral("engineObjection"));
  objection_->setProperty("role", "error");
  objection_->setWordWrap(true);
  objection_->setTextFormat(Qt::PlainText);
  objection_->hide();
  form->addRow(objection_);

  connect(header_, &QToolButton::toggled, this, &EnginePanel::setExpanded);
  connect(preset_, &QComboBox::activated, this, [this](int index) {
    const auto presets = strategyPresets();
    if (index < 0 || index >= int(presets.size())) return;
    Strategy strategy = presets[std::size_t(index)].strategy;
    strategy.indexedDims = session_.parameters().strategy.indexedDims;
    session_.setStrategy(strategy);
    showStrategy();
  });
  for (QComboBox* combo : {method_, pattern_, order_, precision_, threadsPerPoint_, reorder_,
                           sortIdu_, shortCircuit_, denseCells_, earlyStop_}) {
    connect(combo, &QComboBox::activated, this, [this, combo] { take(combo); });
  }
  connect(backend_, &QComboBox::activated, this, [this] {
    session_.clusterRun().setBackend(backend_->currentData().toString(), threads_->value());
  });
  connect(threads_, &QSpinBox::valueChanged, this, [this] {
    session_.clusterRun().setBackend(backend_->currentData().toString(), threads_->value());
  });
  connect(&session_, &Session::parametersChanged, this, &EnginePanel::showStrategy);
  connect(&session_.clusterRun(), &ClusterRun::backendChanged, this, &EnginePanel::showBackend);
  showStrategy();
  showBackend();
  setExpanded(false);
}

QComboBox* EnginePanel::addToggle(const QString& label, const QString& name,
                                  const QString& toolTip) {
  QComboBox* combo = panelCombo(body_, label);
  combo->setObjectName(name);
  combo->setToolTip(toolTip);
  combo->addItem(tr("auto"), int(Toggle::Auto));
  combo->addItem(tr("on"), int(Toggle::On));
  combo->addItem(tr("off"), int(Toggle::Off));
  static_cast<QFormLayout*>(body_->layout())->addRow(label, combo);
  return combo;
}

void EnginePanel::setExpanded(bool expanded) {
  const QSignalBlocker block(header_);
  header_->setChecked(expanded);
  header_->setIcon(
      themedIcon(expanded ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
  body_->setVisible(expanded);
}

bool EnginePanel::isExpanded() const { return header_->isChecked(); }

QString EnginePanel::objection() const { return objection_->text(); }

Strategy EnginePanel::chosen() const {
  Strategy strategy = session_.parameters().strategy;
  strategy.method = Method(method_->currentData().toInt());
  strategy.pattern = AccessPattern(pattern_->currentData().toInt());
  strategy.order = QueryOrder(order_->currentData().toInt());
  strategy.precision = Precision(precision_->currentData().toInt());
  strategy.threadsPerPoint = threadsPerPoint_->currentData().toInt();
  strategy.reorder = Toggle(reorder_->currentData().toInt());
  strategy.sortIdu = Toggle(sortIdu_->currentData().toInt());
  strategy.shortCircuit = Toggle(shortCircuit_->currentData().toInt());
  strategy.denseCells = Toggle(denseCells_->currentData().toInt());
  strategy.earlyStop = Toggle(earlyStop_->currentData().toInt());
  return strategy;
}

void EnginePanel::take(QComboBox* changed) {
  const Strategy strategy = chosen();
  // Asked before anything starts, so that the result stays on show and the reason appears here.
  const auto cloud = session_.data().cloud();
  const auto legal =
      checkStrategy(strategy, SinkKind::Dbscan, session_.clusterRun().backendLimits(),
                    cloud ? cloud->dims() : kMaxDims);
  objection_->setText(legal ? QString() : QString::fromStdString(legal.error().message));
  if (!legal) {
    // Directly below the option that was changed.
    auto* form = static_cast<QFormLayout*>(body_->layout());
    const QFormLayout::TakeRowResult taken = form->takeRow(objection_);
    delete taken.fieldItem;  // the item alone; the label stays
    delete taken.labelItem;
    int row = 0;
    QFormLayout::ItemRole role{};
    form->getWidgetPosition(changed, &row, &role);
    form->insertRow(row + 1, objection_);
  }
  objection_->setVisible(!legal);
  if (legal) session_.setStrategy(strategy);
}

void EnginePanel::showStrategy() {
  const Strategy& strategy = session_.parameters().strategy;
  const auto select = [](QComboBox* combo, int value) {
    combo->setCurrentIndex(std::max(0, combo->findData(value)));
  };
  select(method_, int(strategy.method));
  select(pattern_, int(strategy.pattern));
  select(order_, int(strategy.order));
  select(precision_, int(strategy.precision));
  select(threadsPerPoint_, strategy.threadsPerPoint);
  select(reorder_, int(strategy.reorder));
  select(sortIdu_, int(strategy.sortIdu));
  select(shortCircuit_, int(strategy.shortCircuit));
  select(denseCells_, int(strategy.denseCells));
  select(earlyStop_, int(strategy.earlyStop));
  objection_->clear();
  objection_->hide();

  const auto presets = strategyPresets();
  int which = int(presets.size());
  for (int i = 0; i < int(presets.size()); ++i) {
    Strategy preset = presets[std::size_t(i)].strategy;
    preset.indexedDims = strategy.indexedDims;
    if (preset == strategy) {
      which = i;
      break;
    }
  }
  preset_->setCurrentIndex(which);
  summary_->setText(which < int(presets.size()) ? presets[std::size_t(which)].summary
                                                : tr("A combination of your own"));
}

void EnginePanel::showBackend() {
  backend_->setCurrentIndex(std::max(0, backend_->findData(session_.clusterRun().backendName())));
  backend_->setToolTip(session_.clusterRun().backendDescription());
  const QString remark = session_.clusterRun().backendRemark();
  device_->setText(remark.isEmpty()
                       ? session_.clusterRun().backendDescription()
                       : session_.clusterRun().backendDescription() + QLatin1Char('\n') + remark);
  const QSignalBlocker block(threads_);
  threads_->setValue(session_.clusterRun().threads());
}

}  // namespace clusterloom
