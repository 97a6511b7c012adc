#include "ui/session/motion.h"

#include <QCoreApplication>
#include <QTimer>
#include <algorithm>
#include <utility>

namespace clusterloom {
namespace {
constexpr int kStillMs = 1000;
}  // namespace

QString toText(MotionChoice choice) {
  switch (choice) {
    case MotionChoice::Reduced: return QStringLiteral("reduced");
    case MotionChoice::Full: return QStringLiteral("full");
    case MotionChoice::System: break;
  }
  return QStringLiteral("system");
}

MotionChoice motionFromText(const QString& text) {
  for (const MotionChoice choice : {MotionChoice::Reduced, MotionChoice::Full})
    if (text == toText(choice)) return choice;
  return MotionChoice::System;
}

Motion& Motion::ofApplication() {
  QCoreApplication* application = QCoreApplication::instance();
  if (auto* made = application->findChild<Motion*>({}, Qt::FindDirectChildrenOnly)) return *made;
  return *new Motion(application);
}

void Motion::setChoice(MotionChoice choice) {
  if (std::exchange(choice_, choice) != choice) Q_EMIT changed();
}

void Motion::setDesktopReduced(bool reduced) {
  if (std::exchange(desktopReduced_, reduced) != reduced) Q_EMIT changed();
}

bool Motion::isReduced() const {
  return choice_ == MotionChoice::System ? desktopReduced_ : choice_ == MotionChoice::Reduced;
}

void Motion::pace(QTimer& timer, int smoothMs) {
  const auto set = [this, &timer, smoothMs] {
    timer.setInterval(isReduced() ? std::max(smoothMs, kStillMs) : smoothMs);
  };
  set();
  disconnect(this, &Motion::changed, &timer, nullptr);  // of an earlier pace
  connect(this, &Motion::changed, &timer, set);
}

}  // namespace clusterloom
