#include "ui/dialogs/whole_file_dialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/core/memory_budget.h"
#include "engine/core/predicate.h"
#include "ui/session/files.h"
#include "ui/theme/theme.h"
#include "ui/widgets/form.h"
#include "ui/widgets/real_spin_box.h"
#include "ui/words/numbers.h"

namespace clusterloom {
namespace {

constexpr double kGiB = 1 << 30;
constexpr double kMostGiB = 1 << 20;
constexpr int kSettleMs = 400;
constexpr int kForecastLines = 4;
const QString kLabelsSuffix = QStringLiteral(".npy");

/// Whether both take the same: where the labels go makes no difference.
bool takesTheSame(const WholeFileOrder& a, const WholeFileOrder& b) {
  return a.params.eps == b.params.eps && a.params.minPts == b.params.minPts &&
         a.memory == b.memory && a.scratch == b.scratch;
}

QString memoryWords(std::uint64_t bytes) { return QString::fromStdString(memoryText(bytes)); }

/// A time with no more digits than a forecast knows.
QString roughDuration(double seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  if (seconds < kMinute)
    return WholeFileDialog::tr("%1 s").arg(significant(std::max(1.0, std::round(seconds)), 2));
  if (seconds < kHour) return WholeFileDialog::tr("%1 min").arg(significant(seconds / kMinute, 2));
  return WholeFileDialog::tr("%1 h").arg(significant(seconds / kHour, 2));
}

}  // namespace

WholeFileDialog::WholeFileDialog(WholeFile& wholeFile, const WholeFileOrder& proposed,
                                 const QString& about, QStringList inputs, QWidget* parent)
    : QDialog(parent), wholeFile_(wholeFile), inputs_(std::move(inputs)) {
  setObjectName(QStringLiteral("wholeFileDialog"));
  setWindowTitle(tr("Cluster the whole file"));
  setMinimumWidth(fontScaled(520));
  auto* intro = new QLabel(about, this);
  intro->setTextFormat(Qt::PlainText);
  intro->setWordWrap(true);
  auto* form = spacedForm(new QFormLayout, 12, 9);
  addParameters(form, proposed);
  addFiles(form, proposed);
  forecast_ = named("wholeFileForecast", wrappedLabel(this), tr("Forecast"));
  forecast_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  form->addRow(tr("Forecast"), forecast_);
  hint_ = named("wholeFileHint", mutedLabel(this));
  form->addRow(QString(), hint_);
  auto* buttons = dialogButtons(this, QDialogButtonBox::Cancel);
  start_ = named("wholeFileStart", buttons->addButton(tr("&Start"), QDialogButtonBox::AcceptRole));
  start_->setDefault(true);
  auto* layout = spaced(new QVBoxLayout(this), {16, 16, 16, 14}, 12);
  layout->addWidget(intro);
  layout->addLayout(form);
  layout->addStretch(1);
  layout->addWidget(buttons);
  for (QLineEdit* const line : {eps_, labels_, scratch_})
    connect(line, &QLineEdit::textChanged, this, &WholeFileDialog::check);
  connect(minPts_, &QSpinBox::valueChanged, this, &WholeFileDialog::check);
  connect(memory_, &QDoubleSpinBox::valueChanged, this, &WholeFileDialog::check);
  settle_.setSingleShot(true);
  settle_.setInterval(kSettleMs);
  connect(&settle_, &QTimer::timeout, this, &WholeFileDialog::askForForecast);
  connect(&wholeFile_, &WholeFile::forecastMade, this, &WholeFileDialog::showForecast);
  check();
}

WholeFileDialog::~WholeFileDialog() { wholeFile_.stopForecast(); }

void WholeFileDialog::addParameters(QFormLayout* form, const WholeFileOrder& proposed) {
  eps_ = named("wholeFileEps", new QLineEdit(shortestText(proposed.params.eps), this), tr("ε"));
  minPts_ = named("wholeFileMinPts", new QSpinBox(this), tr("minPts"));
  minPts_->setRange(1, std::numeric_limits<int>::max());
  minPts_->setValue(
      int(std::min<std::int64_t>(proposed.params.minPts, std::numeric_limits<int>::max())));
  minPts_->setGroupSeparatorShown(true);
  minPts_->setToolTip(
      tr("Proposed so that minPts stands for the same density as among the open rows: all rows "
         "together are denser"));
  memory_ = named("wholeFileMemory", new RealSpinBox(this), tr("Memory"));
  memory_->setRange(double(kLeastBlockMemory) / kGiB, kMostGiB);
  memory_->setDecimals(3);
  memory_->setSuffix(tr(" GiB"));
  memory_->setValue(double(proposed.memory) / kGiB);
  memory_->setToolTip(tr("Memory that the run may use: more makes blocks larger and the run "
                         "quicker. %1 are free now.")
                          .arg(QString::fromStdString(memoryText(availableMemory()))));
  form->addRow(tr("ε"), eps_);
  form->addRow(tr("&minPts"), minPts_);
  form->addRow(tr("M&emory"), memory_);
}

QLineEdit* WholeFileDialog::addPath(QFormLayout* form, const QString& label, const QString& path,
                                    const QString& browse, QFileDialog::FileMode mode) {
  auto* line = new QLineEdit(QDir::toNativeSeparators(path), this);
  auto* button = new QPushButton(browse, this);
  auto* row = new QHBoxLayout;
  row->addWidget(line, 1);
  row->addWidget(button);
  form->addRow(label, row);
  auto* caption = static_cast<QLabel*>(form->labelForField(row));
  caption->setBuddy(line);
  // Where fonts are not hinted, the text is drawn wider than it is measured.
  caption->setMinimumWidth(caption->sizeHint().width() + fontScaled(6));
  line->setAccessibleName(caption->text().remove(QLatin1Char('&')));
  connect(button, &QPushButton::clicked, this, [this, line, mode] {
    auto* dialog = deletedOnClose(new QFileDialog(this, line->accessibleName(), line->text()));
    dialog->setFileMode(mode);
    if (mode == QFileDialog::AnyFile) {
      dialog->setAcceptMode(QFileDialog::AcceptSave);
      dialog->setOption(QFileDialog::DontConfirmOverwrite);  // the hint says so
      dialog->setDefaultSuffix(kLabelsSuffix.mid(1));
    }
    connect(dialog, &QFileDialog::fileSelected, line,
            [line](const QString& chosen) { line->setText(QDir::toNativeSeparators(chosen)); });
    dialog->open();
  });
  return line;
}

void WholeFileDialog::addFiles(QFormLayout* form, const WholeFileOrder& proposed) {
  labels_ = addPath(form, tr("&Labels"), proposed.labels, tr("&Browse…"), QFileDialog::AnyFile);
  labels_->setObjectName(QStringLiteral("wholeFileLabels"));
  scratch_ = addPath(form, tr("&Temporary files"), proposed.scratch, tr("B&rowse…"),
                     QFileDialog::Directory);
  scratch_->setObjectName(QStringLiteral("wholeFileScratch"));
  scratch_->setToolTip(
      tr("A folder with room for a copy of the coordinates; the files are removed "
         "at the end"));
}

WholeFileOrder WholeFileDialog::order() const {
  WholeFileOrder order;
  order.params.eps = typedNumber(eps_->text()).value_or(0);
  order.params.minPts = minPts_->value();
  order.memory = std::uint64_t(memory_->value() * kGiB);
  order.labels = QFileInfo(QDir::fromNativeSeparators(labels_->text())).absoluteFilePath();
  order.scratch = QFileInfo(QDir::fromNativeSeparators(scratch_->text())).absoluteFilePath();
  return order;
}

QString WholeFileDialog::fault() const {
  const WholeFileOrder wanted = order();
  const auto noFolder = [](const QString& path) {
    return tr("There is no folder %1.").arg(QDir::toNativeSeparators(path));
  };
  if (!epsSquared(wanted.params.eps)) return tr("ε must be a number above 0.");
  const QFileInfo labels(wanted.labels);
  if (labels.isDir()) return tr("Give the name of a file.");
  if (!labels.absoluteDir().exists()) return noFolder(labels.absolutePath());
  if (!wanted.labels.endsWith(kLabelsSuffix, Qt::CaseInsensitive))
    return tr("The name must end in %1.").arg(kLabelsSuffix);
  if (isOneOf(wanted.labels, inputs_))
    return tr("This file is open. Choose another name; an input is never overwritten.");
  if (!QFileInfo(wanted.scratch).isDir()) return noFolder(wanted.scratch);
  return {};
}

void WholeFileDialog::check() {
  QString hint = fault();
  start_->setEnabled(hint.isEmpty());
  if (!hint.isEmpty()) {
    settle_.stop();
  } else if (!forecastOf_ || !takesTheSame(*forecastOf_, order())) {
    say(tr("Measuring…"));
    settle_.start();
  }
  if (hint.isEmpty() && QFileInfo::exists(order().labels))
    hint = tr("This file exists and will be replaced once the new one is complete.");
  hint_->setText(hint);
}

void WholeFileDialog::askForForecast() {
  forecastOf_ = order();
  wholeFile_.forecast(*forecastOf_);
}

void WholeFileDialog::showForecast(const BlockForecast& forecast, const QString& why) {
  if (settle_.isActive()) return;  // of another order by now
  if (!why.isEmpty()) return say(why);
  const BlockPlan& plan = forecast.plan;
  const QStringList lines{
      tr("About %1, for %2.")
          .arg(
              roughDuration(forecast.seconds),
              counted(plan.blocks, "1 block", tr("%1 blocks", nullptr, pluralNumber(plan.blocks)))),
      forecast.readings == 4 ? tr("The file is read four times.") : tr("The file is read twice."),
      tr("Memory: about %1.").arg(memoryWords(plan.memory)),
      tr("Temporary files: about %1, of %2 that are free.")
          .arg(memoryWords(plan.scratchBytes), memoryWords(plan.freeBytes))};
  say(lines.join(QLatin1Char('\n')));
}

void WholeFileDialog::say(const QString& forecast) {
  forecast_->setText(forecast);
  // The dialog does not jump when the forecast comes.
  forecast_->setMinimumHeight(std::max(kForecastLines * forecast_->fontMetrics().lineSpacing(),
                                       forecast_->heightForWidth(forecast_->width())));
}

}  // namespace clusterloom
