#include "ui/dialogs/cluster_selection_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <limits>

#include "ui/session/selected_points.h"
#include "ui/session/session.h"
#include "ui/theme/theme.h"
#include "ui/widgets/form.h"
#include "ui/words/numbers.h"

namespace clusterloom {

ClusterSelectionDialog::ClusterSelectionDialog(Session& session, QWidget* parent)
    : QDialog(parent), session_(session) {
  setObjectName(QStringLiteral("clusterSelectionDialog"));
  setWindowTitle(tr("Cluster the selection"));
  setMinimumWidth(fontScaled(420));
  const DbscanParams& params = session_.parameters().dbscan;
  eps_ = named("selectionEps", new QLineEdit(shortestText(params.eps), this),
               tr("ε of the selection"));
  minPts_ = named("selectionMinPts", new QSpinBox(this), tr("minPts of the selection"));
  minPts_->setRange(1, std::numeric_limits<int>::max());
  minPts_->setLocale(numberLocale());
  minPts_->setGroupSeparatorShown(true);
  minPts_->setValue(int(std::min<std::int64_t>(params.minPts, minPts_->maximum())));
  result_ = named("selectionResult", new QLabel(this));
  result_->setWordWrap(true);
  result_->setTextFormat(Qt::PlainText);

  auto* form = spacedForm(new QFormLayout, 12, 9);
  form->addRow(tr("&ε"), eps_);
  form->addRow(tr("&minPts"), minPts_);
  auto* buttons = dialogButtons(this, QDialogButtonBox::Close);
  run_ = buttons->addButton(tr("C&luster"), QDialogButtonBox::ActionRole);
  run_->setObjectName(QStringLiteral("selectionRun"));
  run_->setDefault(true);
  merge_ = buttons->addButton(tr("Mer&ge into the result"), QDialogButtonBox::ActionRole);
  merge_->setObjectName(QStringLiteral("selectionMerge"));
  merge_->setToolTip(
      tr("The selected points leave their clusters; their new clusters get new numbers. Further "
         "runs do the same; undo takes it back."));
  export_ = buttons->addButton(tr("E&xport…"), QDialogButtonBox::ActionRole);
  export_->setObjectName(QStringLiteral("selectionExport"));
  export_->setToolTip(tr("Write these points and labels to a file of their own"));
  auto* layout = spaced(new QVBoxLayout(this), {16, 16, 16, 14}, 12);
  layout->addWidget(
      mutedLabel(this, tr("The selected points are clustered as if there were no others.")));
  layout->addLayout(form);
  layout->addWidget(result_);
  layout->addStretch(1);
  layout->addWidget(buttons);

  connect(run_, &QPushButton::clicked, this, &ClusterSelectionDialog::start);
  connect(merge_, &QPushButton::clicked, this, [this] {
    session_.selectedPoints().mergeTrial();
    accept();
  });
  connect(export_, &QPushButton::clicked, this, &ClusterSelectionDialog::exportRequested);
  connect(eps_, &QLineEdit::textChanged, this, &ClusterSelectionDialog::check);
  connect(&session_.selectedPoints(), &SelectedPoints::trialChanged, this,
          &ClusterSelectionDialog::showState);
  connect(&session_, &Session::selectionChanged, this, &ClusterSelectionDialog::showState);
  connect(&session_.jobs(), &JobQueue::ended, this, [this](quint64, JobKind kind) {
    if (kind == JobKind::ClusterSelection) showState();
  });
  session_.selectedPoints().forgetTrial();
  eps_->selectAll();
  check();
}

ClusterSelectionDialog::~ClusterSelectionDialog() {
  disconnect(&session_.selectedPoints(), nullptr, this, nullptr);
  disconnect(&session_.jobs(), nullptr, this, nullptr);
  session_.selectedPoints().forgetTrial();
}

QString ClusterSelectionDialog::resultText() const { return result_->text(); }

std::optional<double> ClusterSelectionDialog::eps() const {
  const auto eps = typedNumber(eps_->text());
  return eps && *eps > 0 ? eps : std::nullopt;
}

void ClusterSelectionDialog::start() {
  const auto eps = this->eps();
  if (!eps) return;
  DbscanParams params;
  params.eps = *eps;
  params.minPts = minPts_->value();
  session_.selectedPoints().tryClustering(params);
}

void ClusterSelectionDialog::check() {
  restyle(eps_, "wrong", !eps());
  showState();
}

void ClusterSelectionDialog::showState() {
  const auto trial = session_.selectedPoints().trial();
  const bool running = session_.jobs().isActive(JobKind::ClusterSelection);
  run_->setEnabled(eps() && session_.selectedPoints().isAny() && !running);
  merge_->setEnabled(bool(trial));
  export_->setEnabled(bool(trial));
  if (trial) {
    const Clustering& clustering = *trial->clustering;
    result_->setText(
        tr("%1 among %2 with ε %3, minPts %4; %5 noise.")
            .arg(countedClusters(std::uint64_t(clustering.clusters)),
                 countedPoints(trial->points->size()), epsText(clustering.params.eps),
                 count(std::uint64_t(clustering.params.minPts)),
                 percent(double(clustering.noiseCount) / double(trial->points->size()))));
  } else if (running) {
    result_->setText(tr("Clustering…"));
  } else if (!session_.selectedPoints().isAny()) {
    result_->setText(tr("Nothing is selected."));
  } else {
    result_->setText({});
  }
}

}  // namespace clusterloom
