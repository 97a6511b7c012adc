#include "ui/view/accessible_widgets.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QApplication>
#include <QEvent>
#include <QHash>
#include <QLabel>
#include <QPointer>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>

namespace clusterloom {
namespace {

/// A page of a tab bar. Qt's own is focused wherever the keyboard is.
class AccessibleTab final : public QAccessibleInterface, public QAccessibleActionInterface {
 public:
  AccessibleTab(QTabBar* bar, int index) : bar_(bar), index_(index) {}

  bool isValid() const override { return bar_ && index_ < bar_->count(); }
  QObject* object() const override { return nullptr; }
  QAccessibleInterface* parent() const override {
    return QAccessible::queryAccessibleInterface(bar_.data());
  }
  QAccessibleInterface* child(int /*index*/) const override { return nullptr; }
  QAccessibleInterface* childAt(int /*x*/, int /*y*/) const override { return nullptr; }
  int childCount() const override { return 0; }
  int indexOfChild(const QAccessibleInterface* /*child*/) const override { return -1; }
  void setText(QAccessible::Text /*which*/, const QString& /*text*/) override {}
  QAccessible::Role role() const override { return QAccessible::PageTab; }

  QString text(QAccessible::Text which) const override {
    if (!isValid()) return {};
    if (which == QAccessible::Description) return bar_->tabToolTip(index_);
    if (which != QAccessible::Name) return {};
    const QString name = bar_->accessibleTabName(index_);
    static const QRegularExpression letter(QStringLiteral("&(.)"));
    return name.isEmpty() ? bar_->tabText(index_).replace(letter, QStringLiteral("\\1")) : name;
  }
  QRect rect() const override {
    if (!isValid()) return {};
    const QRect tab = bar_->tabRect(index_);
    return {bar_->mapToGlobal(tab.topLeft()), tab.size()};
  }
  QAccessible::State state() const override {
    QAccessible::State state;
    if (!isValid()) {
      state.invalid = true;
      return state;
    }
    const bool current = index_ == bar_->currentIndex();
    state.selectable = true;
    state.focusable = true;
    state.selected = current;
    state.focused = current && bar_->hasFocus();
    state.active = bar_->isActiveWindow();
    state.disabled = !bar_->isEnabled() || !bar_->isTabEnabled(index_);
    state.invisible = !bar_->isVisible() || !bar_->isTabVisible(index_);
    state.offscreen = !bar_->rect().intersects(bar_->tabRect(index_));
    return state;
  }
  void* interface_cast(QAccessible::InterfaceType type) override {
    return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this)
                                                : nullptr;
  }
  QStringList actionNames() const override { return {pressAction()}; }
  void doAction(const QString& name) override {
    if (name == pressAction() && isValid()) bar_->setCurrentIndex(index_);
  }
  QStringList keyBindingsForAction(const QString& /*name*/) const override { return {}; }

 private:
  QPointer<QTabBar> bar_;
  int index_;
};

class AccessibleTabBar final : public QAccessibleWidget {
 public:
  explicit AccessibleTabBar(QTabBar* bar) : QAccessibleWidget(bar, QAccessible::PageTabList) {}
  AccessibleTabBar(const AccessibleTabBar&) = delete;
  AccessibleTabBar& operator=(const AccessibleTabBar&) = delete;
  ~AccessibleTabBar() override {
    for (const QAccessible::Id id : tabs_) QAccessible::deleteAccessibleInterface(id);
  }

  int childCount() const override { return bar()->count(); }
  QAccessibleInterface* child(int index) const override {
    if (index < 0 || index >= bar()->count()) return nullptr;
    const auto known = tabs_.constFind(index);
    if (known != tabs_.constEnd()) return QAccessible::accessibleInterface(*known);
    auto* tab = new AccessibleTab(bar(), index);
    tabs_.insert(index, QAccessible::registerAccessibleInterface(tab));
    return tab;
  }
  int indexOfChild(const QAccessibleInterface* child) const override {
    for (auto tab = tabs_.constBegin(); tab != tabs_.constEnd(); ++tab)
      if (QAccessible::accessibleInterface(*tab) == child) return tab.key();
    return -1;
  }
  QAccessibleInterface* childAt(int x, int y) const override {
    return child(bar()->tabAt(bar()->mapFromGlobal(QPoint(x, y))));
  }
  QAccessibleInterface* focusChild() const override {
    return bar()->hasFocus() ? child(bar()->currentIndex()) : nullptr;
  }

 private:
  QTabBar* bar() const { return static_cast<QTabBar*>(object()); }
  mutable QHash<int, QAccessible::Id> tabs_;  ///< those that were asked for
};

/// A tab bar with its pages. Its bar takes the keyboard for it.
class AccessibleTabWidget final : public QAccessibleWidget {
 public:
  explicit AccessibleTabWidget(QTabWidget* tabs) : QAccessibleWidget(tabs, QAccessible::Pane) {}
  QAccessible::State state() const override {
    QAccessible::State state = QAccessibleWidget::state();
    state.focused = false;
    return state;
  }
};

/// Knows whether assistive technology is in use, also where only a test says so.
class Use final : public QAccessible::ActivationObserver {
 public:
  Use() { QAccessible::installActivationObserver(this); }
  void accessibilityActiveChanged(bool active) override { is = active; }
  bool is = QAccessible::isActive();
};

Use& useOfAccessibility() {
  static auto* use = new Use;  // never removed: Qt asks it until the end
  return *use;
}

/// Tells the names of labels again when their window is shown. Qt tells a name when a label gets
/// its text, which is before it gets its buddy; what listens then keeps "&Delimiter" for good.
class LabelNames final : public QObject {
 public:
  using QObject::QObject;
  bool eventFilter(QObject* object, QEvent* event) override {
    if (event->type() == QEvent::Show && object->isWidgetType() && QAccessible::isActive() &&
        static_cast<QWidget*>(object)->isWindow())
      tell(*object);
    return false;
  }

 private:
  static void tell(const QObject& window) {
    for (QLabel* label : window.findChildren<QLabel*>()) {
      if (label->buddy() == nullptr || !label->text().contains(QLatin1Char('&'))) continue;
      QAccessibleEvent changed(label, QAccessible::NameChanged);
      QAccessible::updateAccessibility(&changed);
    }
  }
};

QAccessibleInterface* makeAccessible(const QString& name, QObject* object) {
  // Asked for every class that an object is of, the most derived one first.
  if (name == QLatin1String("QTabBar")) return new AccessibleTabBar(static_cast<QTabBar*>(object));
  if (name == QLatin1String("QTabWidget"))
    return new AccessibleTabWidget(static_cast<QTabWidget*>(object));
  if (name == QLatin1String("QStackedWidget"))
    return new QAccessibleWidget(static_cast<QStackedWidget*>(object), QAccessible::Pane);
  return nullptr;
}

}  // namespace

void installAccessibleWidgets() {
  static const bool installed = [] {
    QAccessible::installFactory(makeAccessible);
    useOfAccessibility();
    return true;
  }();
  static_cast<void>(installed);
  static const QString kNames = QStringLiteral("labelNames");
  if (qApp->findChild<QObject*>(kNames, Qt::FindDirectChildrenOnly) != nullptr) return;
  auto* names = new LabelNames(qApp);
  names->setObjectName(kNames);
  qApp->installEventFilter(names);
}

bool isAccessibilityUsed() { return useOfAccessibility().is; }

}  // namespace clusterloom
