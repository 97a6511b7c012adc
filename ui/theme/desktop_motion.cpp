#include "ui/theme/desktop_motion.h"

#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <algorithm>

#include "ui/session/motion.h"

namespace clusterloom {
namespace {

const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kInterface = QStringLiteral("org.freedesktop.portal.Settings");

/// Portals put the value into a variant in a variant.
QVariant unwrapped(QVariant value) {
  while (value.canConvert<QDBusVariant>()) value = value.value<QDBusVariant>().variant();
  return value;
}

}  // namespace

std::optional<bool> isReducedBy(const MotionSetting& setting, const QVariant& value) {
  const QString key = QLatin1String(setting.key);
  bool isNumber = false;
  const double number = value.toDouble(&isNumber);
  if (key == QLatin1String("reduced-motion"))
    return isNumber && number > 0 ? std::optional(true) : std::nullopt;  // 0: no preference
  if (key == QLatin1String("enable-animations"))
    return value.typeId() == QMetaType::Bool ? std::optional(!value.toBool()) : std::nullopt;
  return isNumber ? std::optional(number == 0) : std::nullopt;
}

DesktopMotion::DesktopMotion(QDBusConnection bus, QObject* parent)
    : QObject(parent), bus_(std::move(bus)) {
  if (!bus_.isConnected()) return;
  // From any sender: the owner of the service may not be known yet.
  bus_.connect({}, kPath, kInterface, QStringLiteral("SettingChanged"), this,
               SLOT(onSettingChanged(QDBusMessage)));
  for (std::size_t which = 0; which < kMotionSettings.size(); ++which) ask(which);
}

void DesktopMotion::ask(std::size_t which) {
  const MotionSetting& setting = kMotionSettings[which];
  QDBusMessage call =
      QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
  call << QString::fromLatin1(setting.space) << QString::fromLatin1(setting.key);
  auto* answer = new QDBusPendingCallWatcher(bus_.asyncCall(call), this);
  connect(answer, &QDBusPendingCallWatcher::finished, this, [this, which, answer] {
    const QDBusPendingReply<QDBusVariant> reply = *answer;
    if (reply.isValid()) take(which, QVariant::fromValue(reply.value()));
    answer->deleteLater();
  });
}

void DesktopMotion::onSettingChanged(const QDBusMessage& message) {
  const QVariantList what = message.arguments();
  if (what.size() < 3) return;
  for (std::size_t which = 0; which < kMotionSettings.size(); ++which)
    if (what[0].toString() == QLatin1String(kMotionSettings[which].space) &&
        what[1].toString() == QLatin1String(kMotionSettings[which].key))
      take(which, what[2]);
}

void DesktopMotion::take(std::size_t which, const QVariant& value) {
  reduced_[which] = isReducedBy(kMotionSettings[which], unwrapped(value));
  const auto known = std::find_if(reduced_.begin(), reduced_.end(),
                                  [](const std::optional<bool>& one) { return one.has_value(); });
  Motion::ofApplication().setDesktopReduced(known != reduced_.end() && **known);
}

}  // namespace clusterloom
