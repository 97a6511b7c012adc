#include <QComboBox>
#include <QCoreApplication>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include "render/charts/plot_area.h"
#include "render/charts/processor_chart.h"
#include "ui/charts/chart_page.h"
#include "ui/charts/every_eps_words.h"
#include "ui/session/cluster_run.h"
#include "ui/session/division_lab.h"
#include "ui/session/paper_strategies.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/widgets/form.h"
#include "ui/widgets/panel_scroll.h"
#include "ui/widgets/real_spin_box.h"
#include "ui/widgets/wrapping_row.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

constexpr double kMega = 1e6;
constexpr double kMostSpeed = 1e9;  // millions per second

/// How CPU and GPU share the queries of a join: the time lines of the run on show or of modelled
/// divisions, and the speeds that the model goes by.
class ProcessorsPage final : public PageOfChart<ProcessorChart> {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::ProcessorsPage)

 public:
  explicit ProcessorsPage(Session& session)
      : PageOfChart(session, "processorChart",
                    tr("Batches of GPU streams and CPU threads over time; arrow keys pick")),
        lab_(session.divisionLab()) {
    setObjectName(QStringLiteral("processorsPage"));
    auto* layout = spaced(new QVBoxLayout(this), {0, 0, 0, 0}, 2);
    layout->addWidget(controlsOf(makeControls()));
    auto* below = new QHBoxLayout;
    below->setSpacing(0);
    below->addWidget(view_.get(), 1);
    below->addWidget(makeSpeeds());
    layout->addLayout(below, 1);
    offer(outputOf(*view_, tr("Processors"), QStringLiteral("processors")));

    chart_.setOnPick(
        [this](std::size_t panel, std::int64_t batch) { lab_.pickBatch(panel, batch); });
    connect(&lab_, &DivisionLab::changed, this, &ProcessorsPage::showAll);
    connect(&lab_, &DivisionLab::markedChanged, this, &ProcessorsPage::showMarked);
    connect(&session_, &Session::parametersChanged, this, &ProcessorsPage::showState);
    connect(&session_.clusterRun(), &ClusterRun::stateChanged, this, &ProcessorsPage::showState);
    showAll();
  }

  bool isReady() const override { return lab_.isReady(); }
  void setActive(bool active) override { lab_.setWanted(active); }

 private:
  QLayout* makeControls() {
    show_ = named("divisionShown", panelCombo(this, tr("What is shown")));
    show_->setMinimumContentsLength(15);
    show_->setToolTip(
        tr("The displayed run, if CPU and GPU shared it, or a model: all divisions below each "
           "other, or one of them"));
    const auto add = [this](const QString& text, DivisionShown shown, const QString& toolTip) {
      show_->addItem(text, int(shown));
      show_->setItemData(show_->count() - 1, toolTip, Qt::ToolTipRole);
    };
    add(tr("all divisions"), DivisionShown::All,
        tr("HEGJoin-Dyn, -SQ, -SC and adaptive below each other on one time axis"));
    for (const PaperStrategy& shared : sharedJoins())
      add(shared.name, shownOf(shared.strategy.division), shared.summary);
    connect(show_, &QComboBox::activated, this,
            [this] { lab_.setShown(DivisionShown(show_->currentData().toInt())); });

    speedsShown_ = named("divisionSpeeds", new QToolButton(this), tr("Speeds of both processors"));
    speedsShown_->setText(tr("Speeds"));
    speedsShown_->setToolTip(tr("Shows the assumed speed of each processor, and changes it"));
    speedsShown_->setCheckable(true);
    connect(speedsShown_, &QToolButton::toggled, this,
            [this](bool on) { speeds_->setVisible(on); });
    run_ = named("computeDivision", new QPushButton(this));
    connect(run_, &QPushButton::clicked, this, [this] {
      if (lab_.isComputing())
        lab_.cancel();
      else
        lab_.compute();
    });
    summary_ = named("divisionSummary", cutLine(this, true), tr("Summary of the divisions"));
    auto* row = new WrappingRow;
    row->addField(tr("Show"), show_);
    row->addWidget(speedsShown_);
    row->addWidget(run_);
    row->addWidget(summary_);
    return row;
  }

  QSpinBox* lanesField(const char* object, const QString& name, const QString& toolTip) {
    auto* field = named(object, panelNumber(new QSpinBox(this), 1, 1024), name);
    field->setToolTip(toolTip);
    connect(field, &QSpinBox::valueChanged, this, [this] { takeSpeeds(); });
    return field;
  }
  QDoubleSpinBox* speedField(const char* object, const QString& name, const QString& toolTip) {
    auto* field = named(object, panelNumber(new RealSpinBox(this), 0.0, kMostSpeed), name);
    field->setDecimals(3);
    field->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    field->setSpecialValueText(tr("free"));
    field->setToolTip(toolTip);
    connect(field, &QDoubleSpinBox::valueChanged, this, [this] { takeSpeeds(); });
    return field;
  }

  QWidget* makeSpeeds() {
    const QString perQuery =
        tr("Cost of a query without its candidates, as a rate in millions of queries per second. "
           "0: no cost");
    streams_ = lanesField("divisionStreams", tr("GPU streams"), tr("Streams of the GPU"));
    gpuCandidates_ = speedField("divisionGpuCandidates", tr("GPU: candidates per second"),
                                tr("Millions of candidates per second, all streams together"));
    gpuQueries_ = speedField("divisionGpuQueries", tr("GPU: queries per second"), perQuery);
    threads_ = lanesField("divisionThreads", tr("Modelled CPU threads"),
                          tr("Threads of the CPU in the model"));
    cpuCandidates_ = speedField("divisionCpuCandidates", tr("CPU thread: candidates per second"),
                                tr("Millions of candidates per second of one thread"));
    cpuQueries_ = speedField("divisionCpuQueries", tr("CPU thread: queries per second"), perQuery);
    measured_ = named("divisionMeasured", new QPushButton(tr("Use measured"), this));
    measured_->setToolTip(tr("The CPU's speed as timed here, and the GPU's where there is one"));
    connect(measured_, &QPushButton::clicked, this, [this] { lab_.setSides(std::nullopt); });
    fields_ = new QWidget;
    QFormLayout* form = panelForm(fields_);
    form->addRow(tr("GPU streams"), streams_);
    form->addRow(tr("M candidates/s"), gpuCandidates_);
    form->addRow(tr("M queries/s"), gpuQueries_);
    form->addRow(tr("CPU threads"), threads_);
    form->addRow(tr("each M candidates/s"), cpuCandidates_);
    form->addRow(tr("each M queries/s"), cpuQueries_);
    form->addRow(measured_);
    speeds_ = new PanelScroll(fields_);
    speeds_->setVisible(false);
    speeds_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Expanding);
    return speeds_;
  }

  void takeSpeeds() {
    const int threads = threads_->value();
    ModelledSides sides;
    sides.gpu.lanes = streams_->value();
    sides.gpu.candidatesPerSecond = kMega * gpuCandidates_->value();
    sides.gpu.queriesPerSecond = kMega * gpuQueries_->value();
    sides.cpu.lanes = threads;
    sides.cpu.candidatesPerSecond = threads * kMega * cpuCandidates_->value();
    sides.cpu.queriesPerSecond = threads * kMega * cpuQueries_->value();
    lab_.setSides(sides);
  }

  void showAll() {
    const auto times = lab_.times();
    if (shownTimes_ != times) {
      shownTimes_ = times;
      chart_.setData(times);
    }
    // The run is offered only where there is one.
    const int at = show_->findData(int(DivisionShown::Run));
    if (lab_.hasRun() && at < 0)
      show_->insertItem(0, tr("this run"), int(DivisionShown::Run));
    else if (!lab_.hasRun() && at >= 0)
      show_->removeItem(at);
    show_->setCurrentIndex(show_->findData(int(lab_.shown())));
    showSpeeds();
    showMarked();
    showState();
  }

  void showSpeeds() {
    const auto sides = lab_.sidesInUse();
    const bool modelled = lab_.shown() != DivisionShown::Run;
    speedsShown_->setEnabled(modelled);
    speeds_->setVisible(modelled && speedsShown_->isChecked());
    fields_->setEnabled(sides.has_value());
    measured_->setEnabled(lab_.sides().has_value());
    if (!sides) return;
    const auto set = [](auto* field, auto value) {
      const QSignalBlocker block(field);
      if (!field->hasFocus() || field->value() != value) field->setValue(value);
    };
    set(streams_, sides->gpu.lanes);
    set(gpuCandidates_, sides->gpu.candidatesPerSecond / kMega);
    set(gpuQueries_, sides->gpu.queriesPerSecond / kMega);
    set(threads_, sides->cpu.lanes);
    set(cpuCandidates_, sides->cpu.candidatesPerSecond / sides->cpu.lanes / kMega);
    set(cpuQueries_, sides->cpu.queriesPerSecond / sides->cpu.lanes / kMega);
  }

  void showMarked() {
    chart_.setMarked(lab_.marked());
    view_->requestFrame();
  }

  /// The speeds of a model, and where they are from.
  QString speedWords() const {
    const auto sides = lab_.sidesInUse();
    if (!sides) return {};
    const auto speed = [](const SideModel& side, int lanes) {
      QStringList parts;
      if (side.candidatesPerSecond > 0)
        parts << tr("%1 candidates/s")
                     .arg(QString::fromStdString(withUnit(side.candidatesPerSecond / lanes)));
      if (side.queriesPerSecond > 0)
        parts << tr("%1 queries/s")
                     .arg(QString::fromStdString(withUnit(side.queriesPerSecond / lanes)));
      return parts.join(tr(" and "));
    };
    const bool set = lab_.sides().has_value();
    const auto timing = lab_.timing();
    const QString gpu = speed(sides->gpu, 1);
    const QString cpu =
        tr("CPU %1 × %2").arg(sides->cpu.lanes).arg(speed(sides->cpu, sides->cpu.lanes));
    if (set) return tr("GPU %1, %2").arg(gpu, cpu);
    if (timing && timing->gpu) return tr("GPU %1, %2, as measured").arg(gpu, cpu);
    return tr("%1, as measured; no GPU: its speed is assumed to equal %2 such threads")
        .arg(cpu)
        .arg(kThreadsOfUnknownGpu);
  }

  void showState() {
    const bool computing = lab_.isComputing();
    const bool current = lab_.isCurrent();
    const bool modelled = lab_.shown() != DivisionShown::Run;
    run_->setVisible(modelled);
    run_->setText(computing ? tr("Cancel") : tr("Compute"));
    run_->setToolTip(computing ? tr("Stop timing the queries")
                               : tr("Time the queries for the current parameters"));
    run_->setEnabled(computing || (!current && session_.clusterRun().canRun() &&
                                   session_.data().euclideanCloud()));
    const auto times = lab_.times();
    const bool wrong = !lab_.failure().isEmpty() && !current;
    QStringList parts;
    if (wrong) {
      parts << lab_.failure();
    } else if (times && !times->panels.empty()) {
      if (!current && !computing) parts << tr("for other parameters");
      parts << (times->measured ? tr("measured") : tr("modelled"));
      for (const ProcessorPanel& panel : times->panels) {
        const QString name = QString::fromStdString(panel.name);
        if (times->panels.size() == 1) {
          parts << name << QString::fromStdString(imbalanceWords(*panel.pass));
          if (panel.pass->forecast) parts << QString::fromStdString(forecastWords(*panel.pass));
          parts << QString::fromStdString(meetingWords(*panel.pass));
        } else {
          parts << tr("%1 %2").arg(name, percent(panel.pass->imbalance));
        }
      }
      if (!times->measured) parts << speedWords();
    }
    const QString text = parts.join(tr(" · "));
    summary_->setText(text);
    summary_->setToolTip(text);
    restyle(summary_, "role", wrong ? QVariant("error") : QVariant());
    chart_.setEmptyText(
        (computing
             ? tr("Timing the queries…")
             : emptyText(session_, tr("How CPU and GPU share the queries of a join appears here")))
            .toStdString());
    view_->requestFrame();
  }

  DivisionLab& lab_;
  QComboBox* show_ = nullptr;
  QToolButton* speedsShown_ = nullptr;
  QPushButton* run_ = nullptr;
  QLabel* summary_ = nullptr;
  QWidget* speeds_ = nullptr;  ///< scrolls the fields
  QWidget* fields_ = nullptr;
  QSpinBox* streams_ = nullptr;
  QDoubleSpinBox* gpuCandidates_ = nullptr;
  QDoubleSpinBox* gpuQueries_ = nullptr;
  QSpinBox* threads_ = nullptr;
  QDoubleSpinBox* cpuCandidates_ = nullptr;
  QDoubleSpinBox* cpuQueries_ = nullptr;
  QPushButton* measured_ = nullptr;
  std::shared_ptr<const ProcessorTimes> shownTimes_;
};

}  // namespace

ChartPage* makeProcessorsPage(Session& session) { return new ProcessorsPage(session); }

}  // namespace clusterloom
