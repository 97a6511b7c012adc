#include "ui/panels/checks_row.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <cmath>

#include "ui/session/cluster_checks.h"
#include "ui/session/derived_results.h"
#include "ui/session/session.h"
#include "ui/widgets/form.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

struct ChecksTexts {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::ChecksRow)
};

/// A text that is not broken into lines.
QString unbroken(QString text) { return text.replace(QLatin1Char(' '), QChar::Nbsp); }

QString valueText(const ClusterFigures& figures, Check check) {
  if (check == Check::FoundAgain)
    return std::isnan(figures.foundAgain->share()) ? ChecksTexts::tr("unknown")
                                                   : unbroken(percent(figures.foundAgain->share()));
  return std::isnan(figures.validity->index)
             ? ChecksTexts::tr("undefined: there must be two clusters")
             : fixed(figures.validity->index, 2);
}

/// The state of a check, as "0.83", "about 2 min" or "for Euclidean distances only".
QString checkText(const ClusterChecks& checks, Check check) {
  switch (checks.state(check)) {
    case CheckState::Ready: return valueText(checks.figures(), check);
    case CheckState::Refused: return checks.refusal(check);
    case CheckState::Asks:
      return unbroken(ChecksTexts::tr("about %1").arg(duration(checks.seconds(check))));
    case CheckState::Failed: return ChecksTexts::tr("failed");
    default: return QStringLiteral("…");
  }
}

}  // namespace

ChecksRow::ChecksRow(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("checksRow"));
  text_ = named("checksText", wrappedLabel(this));
  button_ = named("checksButton", new QPushButton(this));
  auto* row = spaced(new QHBoxLayout(this), {0, 0, 0, 0}, 6);
  row->addWidget(text_, 1);
  row->addWidget(button_);
  connect(button_, &QPushButton::clicked, this, [this] {
    if (stops_)
      session_.checks().stop();
    else
      session_.checks().run();
  });
  connect(&session.checks(), &ClusterChecks::changed, this, &ChecksRow::showState);
  connect(&session.derived(), &DerivedResults::statisticsChanged, this, &ChecksRow::showState);
  showState();
}

void ChecksRow::showState() {
  const ClusterChecks& checks = session_.checks();
  setVisible(checks.isWanted());
  if (!checks.isWanted()) return;
  bool runs = false;
  bool asks = false;
  bool none = false;
  for (const Check check : {Check::Validity, Check::FoundAgain}) {
    const CheckState state = checks.state(check);
    runs |= state == CheckState::Running;
    asks |= state == CheckState::Asks || state == CheckState::Failed;
    none |= state == CheckState::NoClusters;
  }
  text_->setText(
      none ? tr("There are no clusters to check")
           : tr("Validity: %1 · found again: %2")
                 .arg(checkText(checks, Check::Validity), checkText(checks, Check::FoundAgain)));
  text_->setToolTip(
      tr("Mean of all clusters, weighted by points. Validity (DBCV) is between −1 and 1; noise "
         "counts as 0. Found again: the share of random samples in which DBSCAN finds a cluster "
         "again. The values disappear when the clusters change; they are computed again "
         "automatically if that is quick."));
  stops_ = runs;
  button_->setVisible(runs || asks);
  button_->setText(runs ? tr("Stop") : tr("Compute"));
  const QString name = runs ? tr("Stop checking the clusters") : tr("Compute the missing checks");
  button_->setAccessibleName(name);
  button_->setToolTip(name);
}

}  // namespace clusterloom
