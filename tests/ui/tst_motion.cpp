// Reduced motion: what the desktop portal says, the choice in the menu, and what plays.
#include <QAction>
#include <QDBusConnection>
#include <QDBusContext>
#include <QDBusMessage>
#include <QDBusVariant>
#include <QProcess>
#include <QStandardPaths>
#include <QtTest>

#include "shown_window.h"
#include "ui/session/derived_results.h"
#include "ui/session/every_eps.h"
#include "ui/session/motion.h"
#include "ui/session/replay.h"
#include "ui/theme/desktop_motion.h"
#include "ui/view/cloud_view.h"
#include "ui/view/column_player.h"

using namespace clusterloom;

/// Answers as the settings of a desktop portal do.
class MotionPortal : public QObject, protected QDBusContext {
  Q_OBJECT
  Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Settings")

 public:
  QMap<QString, QVariant> settings;  ///< by namespace and key

 public Q_SLOTS:
  QDBusVariant Read(const QString& space, const QString& key) {
    const auto found = settings.constFind(space + ' ' + key);
    if (found == settings.constEnd()) {
      sendErrorReply("org.freedesktop.portal.Error.NotFound", "Requested setting not found");
      return {};
    }
    return QDBusVariant(QVariant::fromValue(QDBusVariant(*found)));
  }

 public:
  /// Tells those who listen that a setting changed.
  static void change(const QDBusConnection& bus, const MotionSetting& setting,
                     const QVariant& value) {
    QDBusMessage signal = QDBusMessage::createSignal(
        "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Settings", "SettingChanged");
    signal << QString(setting.space) << QString(setting.key)
           << QVariant::fromValue(QDBusVariant(value));
    bus.send(signal);
  }
};

namespace {

/// A message bus of its own.
class Bus {
 public:
  bool start() {
    const QString daemon = QStandardPaths::findExecutable("dbus-daemon");
    if (daemon.isEmpty()) return false;
    process_.start(daemon, {"--session", "--nofork", "--print-address"});
    if (!process_.waitForStarted() || !process_.waitForReadyRead()) return false;
    address = QString::fromLocal8Bit(process_.readLine()).trimmed();
    return !address.isEmpty();
  }
  ~Bus() {
    process_.kill();
    process_.waitForFinished(240000);
  }
  QString address;

 private:
  QProcess process_;
};

}  // namespace

class TestMotion : public QObject, ShownWindow {
  Q_OBJECT

  static Motion& motion() { return Motion::ofApplication(); }

 private Q_SLOTS:
  void cleanup() {
    closeWindow();
    motion().setChoice(MotionChoice::System);
    motion().setDesktopReduced(false);
  }

  void settingsOfDesktops() {
    const auto& [all, gnome, kde] = kMotionSettings;
    QCOMPARE(isReducedBy(all, 1U), std::optional(true));
    QCOMPARE(isReducedBy(all, 0U), std::nullopt);  // no preference: the others count
    QCOMPARE(isReducedBy(gnome, false), std::optional(true));
    QCOMPARE(isReducedBy(gnome, true), std::optional(false));
    QCOMPARE(isReducedBy(gnome, "words"), std::nullopt);
    QCOMPARE(isReducedBy(kde, "0"), std::optional(true));
    QCOMPARE(isReducedBy(kde, "1.5"), std::optional(false));
    QCOMPARE(isReducedBy(kde, QVariant()), std::nullopt);
  }

  void choicesCountMoreThanTheDesktop() {
    QVERIFY(!motion().isReduced());
    motion().setDesktopReduced(true);
    QVERIFY(motion().isReduced());
    motion().setChoice(MotionChoice::Full);
    QVERIFY(!motion().isReduced());
    motion().setDesktopReduced(false);
    motion().setChoice(MotionChoice::Reduced);
    QVERIFY(motion().isReduced());
    for (const MotionChoice choice :
         {MotionChoice::System, MotionChoice::Reduced, MotionChoice::Full})
      QCOMPARE(motionFromText(toText(choice)), choice);
    QCOMPARE(motionFromText("nonsense"), MotionChoice::System);
  }

  /// Asked by D-Bus, with a portal of the test.
  void thePortalIsFollowed() {
    Bus bus;
    if (!bus.start()) QSKIP("no dbus-daemon");
    QDBusConnection server = QDBusConnection::connectToBus(bus.address, "portal");
    MotionPortal portal;
    portal.settings["org.gnome.desktop.interface enable-animations"] = false;
    QVERIFY(server.registerObject("/org/freedesktop/portal/desktop", &portal,
                                  QDBusConnection::ExportAllSlots));
    QVERIFY(server.registerService("org.freedesktop.portal.Desktop"));
    {
      const DesktopMotion follower(QDBusConnection::connectToBus(bus.address, "follower"));
      QVERIFY(waitUntil([] { return motion().isReduced(); }));
      const auto& [all, gnome, kde] = kMotionSettings;
      MotionPortal::change(server, gnome, true);
      QVERIFY(waitUntil([] { return !motion().isReduced(); }));
      // That of all desktops counts more.
      MotionPortal::change(server, all, 1U);
      QVERIFY(waitUntil([] { return motion().isReduced(); }));
      MotionPortal::change(server, {"org.freedesktop.appearance", "color-scheme"}, 0U);
      MotionPortal::change(server, kde, "1");
      QVERIFY(motion().isReduced());
      MotionPortal::change(server, all, 0U);
      QVERIFY(waitUntil([] { return !motion().isReduced(); }));
    }
    QDBusConnection::disconnectFromBus("follower");
    QDBusConnection::disconnectFromBus("portal");
    // Without a bus there is nothing to follow.
    const DesktopMotion alone(QDBusConnection("none"));
    QVERIFY(!motion().isReduced());
  }

  void theMenuChooses() {
    QVERIFY(showWindow({1000, 700}));
    QVERIFY(window_->isAnimated());
    const auto check = [this](const char* name) { return window_->action(name)->isChecked(); };
    QVERIFY(check("motion-system"));
    window_->action("motion-reduced")->trigger();
    QVERIFY(motion().isReduced() && check("motion-reduced") && !check("motion-system"));
    QVERIFY(!window_->isAnimated());
    motion().setChoice(MotionChoice::Full);
    QVERIFY(check("motion-full") && window_->isAnimated());
  }

  /// Played with reduced motion: one still picture a second, of the whole range in the same time.
  void replayStandsStill() {
    QVERIFY(showWindow({1200, 800}));
    QVERIFY(openSquares());
    session_->everyEps().setEnabled(true);
    session_->derived().setSweepWanted(true);
    QVERIFY(waitUntil([&] { return session_->replay().isPossible(); }));
    const auto framesIn = [this](int ms) {
      int frames = 0;
      double eps = session_->parameters().dbscan.eps;
      const auto counting = connect(session_.get(), &Session::parametersChanged, this, [&] {
        if (std::exchange(eps, session_->parameters().dbscan.eps) != eps) ++frames;
      });
      session_->replay().setDuration(20);
      session_->replay().play();
      QTest::qWait(ms);
      session_->replay().pause();
      disconnect(counting);
      return frames;
    };
    // One of several tries: other tests may hold the frames up.
    QVERIFY(waitUntil([&] { return framesIn(3500) > 8; }));
    motion().setChoice(MotionChoice::Reduced);
    const int still = framesIn(3500);
    QVERIFY2(still <= 4, qPrintable(QString::number(still)));
    QVERIFY(waitUntil([&] { return framesIn(3500) >= 1; }));
  }

  void aPlayedColumnStandsStill() {
    motion().setChoice(MotionChoice::Reduced);
    QVERIFY(showWindow({1200, 800}));
    QVERIFY(openSquares());
    ColumnPlayer& player = window_->cloudView()->player();
    player.setOn(true);
    QVERIFY(waitUntil([&] { return player.isReady(); }));
    player.setDuration(10);  // 14 a second, over a gap of 30
    QSignalSpy moved(&player, &ColumnPlayer::windowChanged);
    player.play();
    QTest::qWait(3500);
    player.pause();
    QVERIFY2(
        moved.count() <= 4,
        qPrintable(
            QString("%1 from %2 to %3").arg(moved.count()).arg(player.low()).arg(player.high())));
    player.play();
    QVERIFY(waitUntil([&] { return moved.count() >= 1; }));
  }
};

WINDOW_TEST(TestMotion);
#include "tst_motion.moc"
