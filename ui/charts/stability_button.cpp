#include "ui/charts/stability_button.h"

#include "ui/session/eps_stability.h"
#include "ui/session/session.h"
#include "ui/words/numbers.h"

namespace clusterloom {

StabilityButton::StabilityButton(Session& session, QWidget* parent)
    : QPushButton(parent), session_(session) {
  setObjectName(QStringLiteral("stabilityButton"));
  connect(this, &QPushButton::clicked, this, &StabilityButton::press);
  connect(&session.epsStability(), &EpsStability::changed, this, &StabilityButton::showState);
  showState();
}

void StabilityButton::press() {
  EpsStability& stability = session_.epsStability();
  switch (stability.state()) {
    case CheckState::Off: return stability.setWanted(true);
    case CheckState::Asks:
    case CheckState::Failed: return stability.run();
    case CheckState::Running: return stability.stop();
    default: return stability.setWanted(false);
  }
}

void StabilityButton::showState() {
  const EpsStability& stability = session_.epsStability();
  QString text = tr("Hide stability");
  QString name = tr("Hide how stable the clusters of each ε are");
  switch (stability.state()) {
    case CheckState::Off:
      text = tr("Stability");
      name = tr(
          "Show how stable the clusters of each ε are in 20 random samples of half of the points");
      break;
    case CheckState::Asks:
    case CheckState::Failed:
      text = tr("Stability: about %1").arg(duration(stability.seconds()));
      name = tr("Compute how stable the clusters of each ε are");
      break;
    case CheckState::Running:
      text = tr("Stop");
      name = tr("Stop computing the stability");
      break;
    default: break;
  }
  setText(text);
  setToolTip(name);
  setAccessibleName(name);
}

}  // namespace clusterloom
