#include "ui/panels/engine_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QThread>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

#include "engine/join/backend_kinds.h"
#include "engine/join/join_plan.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/result_words.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/theme/icons.h"
#include "ui/widgets/form.h"
#include "ui/words/engine_words.h"
#include "ui/words/numbers.h"

namespace clusterloom {

EnginePanel::EnginePanel(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("enginePanel"));
  auto* layout = spaced(new QVBoxLayout(this), {0, 0, 0, 0}, 2);
  makeHeader();
  layout->addWidget(header_);

  body_ = new QWidget(this);
  layout->addWidget(body_);
  auto* form = panelForm(body_);

  addStrategyRows(form);
  addBackendRows(form);
  forecast_ = named("joinForecast", wrappedLabel(body_));
  forecast_->setToolTip(
      tr("Forecast of a join at this ε from sampled query points: how many pairs it finds and how "
         "much time and memory it takes, before a neighbour table or a list of pairs is made"));
  forecast_->hide();
  form->addRow(forecast_);

  objection_ = named("engineObjection", errorLabel(body_));
  objection_->hide();
  form->addRow(objection_);

  auto* charts = named("showEngineCharts", new QPushButton(tr("Charts of the engine"), body_));
  charts->setToolTip(tr("Shows how the work is done: warps, batches, processors, ranks"));
  form->addRow(charts);
  connect(charts, &QPushButton::clicked, this, &EnginePanel::chartsRequested);

  connect(header_, &QToolButton::toggled, this, &EnginePanel::setExpanded);
  connect(preset_, &QComboBox::activated, this, [this](int index) {
    const auto presets = strategyPresets();
    if (index < 0 || index >= int(presets.size())) return;
    Strategy strategy = presets[std::size_t(index)].strategy;
    strategy.indexedDims = session_.parameters().strategy.indexedDims;
    session_.setStrategy(strategy);
    showStrategy();
  });
  connect(backend_, &QComboBox::activated, this, [this] {
    session_.clusterRun().setBackend(backend_->currentData().toString(), threads_->value());
  });
  connect(device_, &QComboBox::activated, this,
          [this] { session_.clusterRun().setDevice(device_->currentData().toInt()); });
  connect(threads_, &QSpinBox::valueChanged, this, [this] {
    session_.clusterRun().setBackend(backend_->currentData().toString(), threads_->value());
  });
  connect(ranks_, &QSpinBox::valueChanged, this, &EnginePanel::takeRanks);
  connect(&session_, &Session::parametersChanged, this, &EnginePanel::showStrategy);
  connect(&session_.derived(), &DerivedResults::joinForecastChanged, this,
          &EnginePanel::showForecast);
  connect(&session_.clusterRun(), &ClusterRun::backendChanged, this, &EnginePanel::showBackend);
  showStrategy();
  showBackend();
  setExpanded(false);
}

void EnginePanel::makeHeader() {
  header_ = named("sectionHeader", new QToolButton(this), tr("Engine options"));
  header_->setText(tr("E&ngine"));
  header_->setCheckable(true);
  header_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  header_->setFocusPolicy(Qt::StrongFocus);
  header_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  header_->setToolTip(tr("How the result is computed. Every choice gives the same labels."));
  QFont bold = header_->font();
  bold.setWeight(QFont::DemiBold);
  header_->setFont(bold);
}

void EnginePanel::addStrategyRows(QFormLayout* form) {
  preset_ = named("preset", panelCombo(body_, tr("Strategy preset")));
  for (const StrategyPreset& preset : strategyPresets()) preset_->addItem(preset.name);
  preset_->addItem(tr("Custom"));
  form->addRow(tr("P&reset"), preset_);
  summary_ = wrappedLabel(body_);
  form->addRow(summary_);

  for (const StrategyOption& option : strategyOptions()) {
    // Lists of pairs are not made here, and k is one of the parameters.
    if (option.use == OptionUse::Pairs || option.key == "indexedDims") continue;
    const QString label = engineText(option.label);
    QString toolTip = engineText(option.help);
    if (!option.details.empty()) toolTip += QLatin1String(". ") + engineText(option.details);
    if (option.values.empty()) {
      auto* line = new QLineEdit(body_);
      line->setObjectName(QString::fromStdString(option.key));
      line->setAccessibleName(label);
      line->setToolTip(toolTip + QLatin1String(": ") + QString::fromStdString(choicesOf(option)));
      form->addRow(label, line);
      connect(line, &QLineEdit::editingFinished, this, [this, line] {
        if (line->isModified()) take(line);
      });
      options_.push_back({&option, nullptr, line});
      continue;
    }
    QComboBox* combo = panelCombo(body_, label);
    combo->setObjectName(QString::fromStdString(option.key));
    combo->setToolTip(toolTip);
    for (const StrategyOption::Value& value : option.values)
      combo->addItem(engineText(value.label), QString::fromStdString(value.word));
    form->addRow(label, combo);
    connect(combo, &QComboBox::activated, this, [this, combo] { take(combo); });
    options_.push_back({&option, combo, nullptr});
  }
}

void EnginePanel::addBackendRows(QFormLayout* form) {
  backend_ = named("backend", panelCombo(body_, tr("Backend")));
  backend_->addItem(tr("automatic"), QStringLiteral("auto"));
  for (const std::string& name : availableBackends()) {
    const QString text = QString::fromStdString(name);
    if (text != QLatin1String("auto")) backend_->addItem(text.toUpper(), text);
  }
  form->addRow(tr("Bac&kend"), backend_);
  device_ = named("device", panelCombo(body_, tr("GPU")));
  device_->setToolTip(tr("The GPU that runs the joins, by its number"));
  form->addRow(tr("&GPU"), device_);
  inUse_ = named("backendInUse", wrappedLabel(body_));
  form->addRow(inUse_);
  threads_ = named("threads", panelNumber(new QSpinBox(body_), 0, BackendOptions::kMostThreads),
                   tr("CPU threads"));
  threads_->setSpecialValueText(tr("all (%1)").arg(QThread::idealThreadCount()));
  form->addRow(tr("&Threads"), threads_);

  ranks_ =
      named("ranks", panelNumber(new QSpinBox(body_), 1, BackendOptions::kMostRanks), tr("Ranks"));
  ranks_->setToolTip(tr(
      "Number of ranks that divide the cloud in space, as on a cluster of machines. They share the "
      "CPU threads and are spread evenly over the GPUs. The labels are the same for any number."));
  form->addRow(tr("Ranks"), ranks_);
  rankDevices_ = named("rankDevices", new QWidget(body_));
  spaced(new QVBoxLayout(rankDevices_), {0, 0, 0, 0}, 2);
  form->addRow(tr("on GPUs"), rankDevices_);
}

void EnginePanel::setExpanded(bool expanded) {
  const QSignalBlocker block(header_);
  header_->setChecked(expanded);
  header_->setIcon(
      themedIcon(expanded ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
  body_->setVisible(expanded);
  session_.derived().setJoinForecastWanted(expanded);
}

bool EnginePanel::isExpanded() const { return header_->isChecked(); }

QString EnginePanel::objection() const { return objection_->text(); }

void EnginePanel::take(QWidget* changed) {
  Strategy strategy = session_.parameters().strategy;
  Result<void> legal;
  for (const auto& [option, words, number] : options_) {
    QString text = words ? words->currentData().toString() : number->text().trimmed();
    if (const auto value = option->decimal ? typedNumber(text) : std::nullopt)
      text = plainText(*value);
    if (legal) legal = setOption(strategy, *option, text.toStdString());
  }
  // Checked before anything starts, so that the current result stays and the reason is shown here.
  const auto cloud = session_.data().cloud();
  if (legal)
    legal = checkStrategy(strategy, SinkKind::Dbscan, session_.clusterRun().backendLimits(),
                          cloud ? cloud->dims() : kMaxDims);
  objection_->setText(legal ? QString() : QString::fromStdString(legal.error().message));
  if (!legal) {
    // Right below the option that was changed.
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
  for (const auto& [option, words, number] : options_) {
    const QString text = QString::fromStdString(option->get(strategy));
    if (words != nullptr) words->setCurrentIndex(std::max(0, words->findData(text)));
    const auto value = option->decimal ? typedNumber(text) : std::nullopt;
    if (number != nullptr) number->setText(value ? shortestText(*value) : text);
  }
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
                                                : tr("A custom combination"));
}

void EnginePanel::showBackend() {
  const QString name = session_.clusterRun().backendName();
  // A session may name one that this program lacks.
  if (backend_->findData(name) < 0)
    backend_->addItem(tr("%1 · not in this program").arg(name), name);
  backend_->setCurrentIndex(backend_->findData(name));
  backend_->setToolTip(session_.clusterRun().backendDescription());
  const QString remark = session_.clusterRun().backendRemark();
  inUse_->setText(remark.isEmpty()
                      ? session_.clusterRun().backendDescription()
                      : session_.clusterRun().backendDescription() + QLatin1Char('\n') + remark);
  showDevices();
  showRanks();
  const QSignalBlocker block(threads_);
  threads_->setValue(session_.clusterRun().threads());
}

void EnginePanel::showDevices() {
  const ClusterRun& run = session_.clusterRun();
  const bool usesGpu = backendKind(run.backendName().toStdString()).onDevice;
  // A device that was chosen and does not answer can be changed, too.
  const bool choice = usesGpu && (run.devices().size() > 1 || run.device() >= 0);
  if (choice) {
    device_->clear();
    device_->addItem(tr("the first that answers"), -1);
    for (const GpuDevice& gpu : run.devices())
      device_->addItem(tr("%1 · %2").arg(gpu.number).arg(QString::fromStdString(gpu.name)),
                       gpu.number);
    if (device_->findData(run.device()) < 0)
      device_->addItem(QString::number(run.device()), run.device());
    device_->setCurrentIndex(device_->findData(run.device()));
  }
  device_->setVisible(choice);
  // GPUs that divide a run are ticked below.
  device_->setEnabled(run.rankDevices().empty());
  static_cast<QFormLayout*>(body_->layout())->labelForField(device_)->setVisible(choice);
}

void EnginePanel::showRanks() {
  const ClusterRun& run = session_.clusterRun();
  const std::vector<int>& taken = run.rankDevices();
  const bool dividesGpus = backendKind(run.backendName().toStdString()).sharesDevices;
  // GPUs that a session names and that do not answer can be left out, too.
  std::map<int, QString> listed;
  for (const int device : taken) listed[device] = tr("%1 · does not answer").arg(device);
  if (run.devices().empty())
    for (const int device : taken) listed[device] = QString::number(device);
  for (const GpuDevice& gpu : run.devices())
    listed[gpu.number] = tr("%1 · %2").arg(gpu.number).arg(QString::fromStdString(gpu.name));
  const bool choice = dividesGpus && (listed.size() > 1 || !taken.empty());
  std::vector<int> numbers;
  for (const auto& [number, box] : rankDeviceBoxes_) numbers.push_back(number);
  const bool same = numbers.size() == listed.size() &&
                    std::equal(numbers.begin(), numbers.end(), listed.begin(),
                               [](int number, const auto& entry) { return number == entry.first; });
  if (!same) {
    for (const auto& [number, box] : rankDeviceBoxes_) box->deleteLater();
    rankDeviceBoxes_.clear();
    for (const auto& entry : listed) {
      auto* box = new QCheckBox(rankDevices_);
      box->setObjectName(QStringLiteral("rankDevice%1").arg(entry.first));
      box->setToolTip(
          tr("Each ticked GPU gets one rank; more ranks are spread evenly over these GPUs. If none "
             "is ticked, the run is not divided between GPUs."));
      rankDevices_->layout()->addWidget(box);
      connect(box, &QCheckBox::toggled, this, &EnginePanel::takeRanks);
      rankDeviceBoxes_.emplace_back(entry.first, box);
    }
  }
  for (const auto& [number, box] : rankDeviceBoxes_) {
    const QSignalBlocker block(box);
    box->setText(listed[number]);
    box->setChecked(std::find(taken.begin(), taken.end(), number) != taken.end());
  }
  rankDevices_->setVisible(choice);
  static_cast<QFormLayout*>(body_->layout())->labelForField(rankDevices_)->setVisible(choice);
  const QSignalBlocker block(ranks_);
  // With GPUs alone there is one rank a GPU.
  ranks_->setSpecialValueText(choice && !taken.empty() ? tr("one per GPU (%1)").arg(taken.size())
                                                       : tr("1 (not divided)"));
  ranks_->setValue(std::max(1, run.ranks()));
}

void EnginePanel::showForecast() {
  const auto join = session_.derived().joinForecast();
  forecast_->setVisible(join != nullptr);
  forecast_->setText(join ? forecastText(*join) : QString());
}

void EnginePanel::takeRanks() {
  std::vector<int> devices;
  for (const auto& [number, box] : rankDeviceBoxes_)
    if (box->isChecked()) devices.push_back(number);
  session_.clusterRun().setRanks(ranks_->value(), std::move(devices));
}

}  // namespace clusterloom
