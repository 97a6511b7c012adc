// What arrives on the bus that screen readers listen to (AT-SPI): names, states and events of the
// window, as another program sees them. It needs X11 and at-spi2-core (tst_ui_at_spi_xcb);
// elsewhere it is skipped, and tst_observer asks Qt itself.
#include <QAccessible>
#include <QDBusArgument>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusMetaType>
#include <QDBusObjectPath>
#include <QDBusPendingCall>
#include <QDBusVariant>
#include <QDialog>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QtTest>
#include <functional>

#include "shown_window.h"
#include "typed_keys.h"
#include "ui/charts/charts_panel.h"
#include "ui/panels/clusters_panel.h"
#include "ui/words/language.h"

using namespace clusterloom;

/// An object on the bus.
struct AtSpiObject {
  QString service;
  QDBusObjectPath path;
};

inline QDBusArgument& operator<<(QDBusArgument& out, const AtSpiObject& object) {
  out.beginStructure();
  out << object.service << object.path;
  out.endStructure();
  return out;
}
inline const QDBusArgument& operator>>(const QDBusArgument& in, AtSpiObject& object) {
  in.beginStructure();
  in >> object.service >> object.path;
  in.endStructure();
  return in;
}

namespace {

constexpr const char* kAccessible = "org.a11y.atspi.Accessible";
// Bits of the states, as AT-SPI numbers them.
constexpr int kFocused = 12;
constexpr int kShowing = 25;

bool hasState(quint64 states, int bit) { return (states >> bit & 1U) != 0; }

}  // namespace

/// A connection to the bus of assistive technology. The window answers in this process, so calls
/// wait in its event loop.
class AtSpiListener : public QObject {
  Q_OBJECT

 public:
  ~AtSpiListener() override { QDBusConnection::disconnectFromBus("at-spi-listener"); }

  /// False where there is no such bus.
  bool start() {
    qDBusRegisterMetaType<AtSpiObject>();
    qDBusRegisterMetaType<QList<AtSpiObject>>();
    bus_ = QDBusConnection::sessionBus();
    const QString address =
        call({"org.a11y.Bus", QDBusObjectPath("/org/a11y/bus")}, "org.a11y.Bus", "GetAddress", {})
            .value(0)
            .toString();
    if (address.isEmpty()) return false;
    bus_ = QDBusConnection::connectToBus(address, "at-spi-listener");
    if (!bus_.isConnected()) return false;
    call({"org.a11y.atspi.Registry", QDBusObjectPath("/org/a11y/atspi/registry")},
         "org.a11y.atspi.Registry", "RegisterEvent", {QString("object:state-changed")});
    call({"org.a11y.atspi.Registry", QDBusObjectPath("/org/a11y/atspi/registry")},
         "org.a11y.atspi.Registry", "RegisterEvent",
         {QString("object:property-change:accessible-name")});
    return bus_.connect({}, {}, "org.a11y.atspi.Event.Object", "StateChanged", this,
                        SLOT(onStateChanged(QDBusMessage))) &&
           bus_.connect({}, {}, "org.a11y.atspi.Event.Object", "PropertyChange", this,
                        SLOT(onPropertyChange(QDBusMessage)));
  }

  /// The window of this process; nothing while it is not there.
  std::optional<AtSpiObject> window(const QString& title) {
    const AtSpiObject registry{"org.a11y.atspi.Registry",
                               QDBusObjectPath("/org/a11y/atspi/accessible/root")};
    for (const AtSpiObject& application : children(registry))
      for (const AtSpiObject& top : children(application))
        if (name(top) == title) return top;
    return std::nullopt;
  }
  QList<AtSpiObject> children(const AtSpiObject& of) {
    const QVariantList reply = call(of, kAccessible, "GetChildren", {});
    return reply.isEmpty() ? QList<AtSpiObject>() : qdbus_cast<QList<AtSpiObject>>(reply.front());
  }
  QString name(const AtSpiObject& of) {
    const QVariantList reply =
        call(of, "org.freedesktop.DBus.Properties", "Get", {QString(kAccessible), QString("Name")});
    return reply.isEmpty() ? QString() : reply.front().value<QDBusVariant>().variant().toString();
  }
  QString role(const AtSpiObject& of) {
    return call(of, kAccessible, "GetRoleName", {}).value(0).toString();
  }
  quint64 states(const AtSpiObject& of) {
    const auto words = qdbus_cast<QList<uint>>(call(of, kAccessible, "GetState", {}).value(0));
    return words.size() < 2 ? 0 : words[0] | quint64(words[1]) << 32;
  }
  /// Calls visit(object) for what is shown of an object; not for the cells of tables and lists.
  void visit(const AtSpiObject& of, const std::function<void(const AtSpiObject&)>& visitor) {
    if (!hasState(states(of), kShowing)) return;
    visitor(of);
    const QString what = role(of);
    if (what == "table" || what == "tree" || what == "list" || what == "tree table") return;
    for (const AtSpiObject& child : children(of)) visit(child, visitor);
  }

  QStringList changes;  ///< "checked 0", "focused 1", … in order
  /// Of the objects whose name changed, by path, the newest. Qt 6.4 says the object, no name.
  QMap<QString, QString> names;

 private Q_SLOTS:
  void onStateChanged(const QDBusMessage& message) {
    const QVariantList what = message.arguments();
    if (what.size() >= 2) changes << QString("%1 %2").arg(what[0].toString()).arg(what[1].toInt());
  }
  void onPropertyChange(const QDBusMessage& message) {
    const QVariantList what = message.arguments();
    if (what.size() >= 4 && what[0].toString() == "accessible-name")
      names[message.path()] = what[3].value<QDBusVariant>().variant().toString();
  }

 private:
  QVariantList call(const AtSpiObject& to, const char* interface, const char* method,
                    const QVariantList& arguments) {
    QDBusMessage message =
        QDBusMessage::createMethodCall(to.service, to.path.path(), interface, method);
    message.setArguments(arguments);
    const QDBusPendingCall pending = bus_.asyncCall(message);
    if (!waitUntil([&] { return pending.isFinished(); }) || pending.isError()) return {};
    return pending.reply().arguments();
  }

  QDBusConnection bus_{QString()};
};

class TestAtSpi : public QObject, ShownWindow {
  Q_OBJECT

  AtSpiListener listener_;
  std::optional<AtSpiObject> shown_;

 private Q_SLOTS:
  void initTestCase() {
    if (QGuiApplication::platformName() != "xcb") QSKIP("no X11");
    if (!listener_.start()) QSKIP("no bus of assistive technology");
  }
  void cleanup() {
    closeWindow();
    setLanguage("en");
  }
  void init() {
    QVERIFY(showWindow({1400, 900}));
    QVERIFY(openSquares());
    const QString title = window_->windowTitle().remove("[*]");
    if (!waitUntil([&] { return bool(shown_ = listener_.window(title)); }))
      QSKIP("the window is not on the bus");
  }

  /// The chart that has the keyboard, and nothing else; then the tab, with its bar.
  void oneObjectIsFocused() {
    window_->charts()->showTab(ChartId::KDistance);
    window_->charts()->view(ChartId::KDistance)->setFocus(Qt::TabFocusReason);
    const auto focused = [&] {
      QStringList found;
      listener_.visit(*shown_, [&](const AtSpiObject& object) {
        if (hasState(listener_.states(object), kFocused)) found << listener_.role(object);
      });
      return found.join(", ");
    };
    QCOMPARE(focused(), QString("chart"));
    press(Qt::Key_G, Qt::ControlModifier);
    QVERIFY(waitUntil([&] { return window_->charts()->tabs()->tabBar()->hasFocus(); }));
    QCOMPARE(focused(), QString("page tab list, page tab"));
  }

  void nothingIsALayeredPaneAndButtonsHaveNames() {
    QStringList found;
    int objects = 0;
    listener_.visit(*shown_, [&](const AtSpiObject& object) {
      ++objects;
      const QString role = listener_.role(object);
      if (role == "layered pane" || (role.endsWith("button") && listener_.name(object).isEmpty()))
        found << role + " " + object.path.path();
    });
    QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    QVERIFY(objects > 100);
  }

  /// Listeners keep the last name that they were told: of a label in a window that is opened later
  /// that is not "&Delimiter".
  void namesOfLaterWindowsHaveNoLettersOfAlt() {
    listener_.names.clear();
    window_->action("export")->trigger();
    QStringList names;
    const auto known = [&] {
      names.clear();
      const QMap<QString, QString> all = listener_.names;  // asking lets others come
      for (auto told = all.begin(); told != all.end(); ++told)
        names << (told->isEmpty() ? listener_.name({shown_->service, QDBusObjectPath(told.key())})
                                  : *told);
      return names.contains("What");
    };
    QVERIFY2(waitUntil(known, 10000), qPrintable(names.join(" | ")));
    for (const QString& name : names) QVERIFY2(!name.contains('&'), qPrintable(name));
    window_->findChild<QDialog*>()->close();
  }

  /// An event for each of the two rows that H hides.
  void hidingTellsEachRow() {
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(waitUntil([&] { return window_->clusters()->table()->hasFocus(); }));
    session_->setSelectedClusters({0});
    listener_.changes.clear();
    press(Qt::Key_H);
    QVERIFY2(waitUntil([&] { return listener_.changes.count("checked 0") == 2; }),
             qPrintable(listener_.changes.join(" | ")));
  }
};

namespace {

int runAtSpi(int argc, char** argv) {
  qputenv("QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "1");
  return runWindowTest<TestAtSpi>(argc, argv);
}

}  // namespace

TEST_ENTRY(&runAtSpi);
#include "tst_at_spi.moc"
