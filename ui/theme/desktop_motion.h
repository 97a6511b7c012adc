#pragma once

#include <QDBusConnection>
#include <QDBusMessage>
#include <QObject>
#include <QString>
#include <QVariant>
#include <array>
#include <optional>

namespace clusterloom {

/// A setting of the desktop portal that says whether motion is wanted.
struct MotionSetting {
  const char* space;  ///< namespace
  const char* key;
};

/// The settings that are known, the one that counts most first: that of all desktops, which newer
/// portals have, that of GNOME and GTK, and that of KDE.
inline constexpr std::array<MotionSetting, 3> kMotionSettings{
    {{"org.freedesktop.appearance", "reduced-motion"},
     {"org.gnome.desktop.interface", "enable-animations"},
     {"org.kde.kdeglobals.KDE", "AnimationDurationFactor"}}};

/// Whether a value of a setting asks for reduced motion; nullopt where it says nothing.
std::optional<bool> isReducedBy(const MotionSetting& setting, const QVariant& value);

/// Tells Motion what the desktop is set to, and when that changes. It asks the XDG desktop portal,
/// because Qt 6.4 knows no such setting: without a portal it does nothing. Answers come later.
class DesktopMotion : public QObject {
  Q_OBJECT

 public:
  explicit DesktopMotion(QDBusConnection bus, QObject* parent = nullptr);

 private Q_SLOTS:
  void onSettingChanged(const QDBusMessage& message);

 private:
  void ask(std::size_t which);
  void take(std::size_t which, const QVariant& value);

  QDBusConnection bus_;
  std::array<std::optional<bool>, kMotionSettings.size()> reduced_;
};

}  // namespace clusterloom
