#pragma once

#include <unistd.h>

#include <QAbstractButton>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialog>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPointer>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>
#include <QWindow>
#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <random>

#include "ui/window/main_window.h"

/// The last actions, as text that a signal handler can write.
class ActionLog {
 public:
  void add(const QString& text) {
    const QByteArray bytes = text.toUtf8().left(kBytes - 1);
    std::memset(lines_[next_].data(), 0, kBytes);
    std::memcpy(lines_[next_].data(), bytes.constData(), static_cast<std::size_t>(bytes.size()));
    next_ = (next_ + 1) % kLines;
  }
  /// The oldest first.
  QString text() const {
    QString all;
    for (std::size_t i = 0; i < kLines; ++i)
      if (const auto& line = lineAt(i); line[0] != '\0')
        all += QStringLiteral("\n  ") + QString::fromUtf8(line.data());
    return all;
  }
  /// The same from a signal handler.
  void write(int file) const {
    for (std::size_t i = 0; i < kLines; ++i) {
      const auto& line = lineAt(i);
      if (line[0] == '\0') continue;
      const bool done =
          ::write(file, line.data(), std::strlen(line.data())) > 0 && ::write(file, "\n", 1) > 0;
      if (!done) return;
    }
  }

 private:
  static constexpr std::size_t kLines = 20;
  static constexpr std::size_t kBytes = 200;

  const std::array<char, kBytes>& lineAt(std::size_t i) const {
    return lines_[(next_ + i) % kLines];
  }

  std::array<std::array<char, kBytes>, kLines> lines_{};
  std::size_t next_ = 0;
};

/// Key and mouse events on a window and its dialogs, drawn from a seed, as a person might make
/// them. Of files only those of one folder are chosen.
class RandomActions : public QObject {
 public:
  RandomActions(clusterloom::MainWindow& window, std::uint64_t seed, QStringList files,
                QString folder)
      : window_(window), random_(seed), files_(std::move(files)), folder_(std::move(folder)) {
    // An action that takes so long waits for others, in an event loop of its own.
    watch_.setInterval(500);
    connect(&watch_, &QTimer::timeout, this, [this] {
      if (acting_ && since_.elapsed() > 2000) endNestedLoop();
    });
    watch_.start();
  }

  const ActionLog& log() const { return log_; }

  void step() {
    QWidget* const popup = QApplication::activePopupWidget();
    QWidget* const modal = QApplication::activeModalWidget();
    const Action action = popup ? inPopup(*popup) : modal ? inDialog(*modal) : inWindow();
    log_.add(action.text);
    acting_ = true;
    since_.start();
    action.run();
    acting_ = false;
    QCoreApplication::processEvents();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  }

  /// Closes whatever is open beside the window.
  void closeOthers() {
    for (int i = 0; i < 20; ++i) {
      QWidget* other = QApplication::activePopupWidget();
      if (other == nullptr) other = QApplication::activeModalWidget();
      if (other == nullptr) break;
      close(*other);
      QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    for (QWidget* const top : QApplication::topLevelWidgets())
      if (top != &window_ && top->isVisible()) top->close();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    window_.activateWindow();
  }

 private:
  struct Action {
    QString text;
    std::function<void()> run;
  };

  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
  template <class List>
  auto oneOf(const List& list) {
    return list[static_cast<decltype(list.size())>(below(static_cast<int>(list.size())))];
  }

  static void close(QWidget& widget) {
    if (auto* dialog = qobject_cast<QDialog*>(&widget))
      dialog->reject();
    else
      widget.close();
  }

  void endNestedLoop() {
    if (QWidget* const popup = QApplication::activePopupWidget()) popup->close();
    if (QWidget* const modal = QApplication::activeModalWidget()) close(*modal);
    const QPointer<QWindow> focus = QGuiApplication::focusWindow();
    if (focus) QTest::keyClick(focus, Qt::Key_Escape);
    if (focus) QTest::mouseRelease(focus, Qt::LeftButton);
  }

  static QString nameOf(const QWidget& widget) {
    return QLatin1String(widget.metaObject()->className()) + QLatin1Char(' ') + widget.objectName();
  }

  /// A key to the window that has the keyboard.
  static void press(QKeyCombination key) {
    if (QWindow* const window = QGuiApplication::focusWindow())
      QTest::keyClick(window, key.key(), key.keyboardModifiers());
  }
  static void type(const QString& text) {
    for (const QChar character : text)
      if (QWindow* const window = QGuiApplication::focusWindow())
        QTest::keyClick(window, character.toLatin1());
  }

  Action key() {
    static const QList<Qt::Key> keys{
        Qt::Key_Tab,   Qt::Key_Backtab, Qt::Key_Up,     Qt::Key_Down,        Qt::Key_Left,
        Qt::Key_Right, Qt::Key_PageUp,  Qt::Key_Home,   Qt::Key_PageDown,    Qt::Key_End,
        Qt::Key_Space, Qt::Key_Return,  Qt::Key_Escape, Qt::Key_Delete,      Qt::Key_Backspace,
        Qt::Key_Plus,  Qt::Key_Minus,   Qt::Key_Period, Qt::Key_BracketLeft, Qt::Key_0,
        Qt::Key_1,     Qt::Key_2,       Qt::Key_3,      Qt::Key_9,           Qt::Key_A,
        Qt::Key_C,     Qt::Key_E,       Qt::Key_F,      Qt::Key_G,           Qt::Key_H,
        Qt::Key_P,     Qt::Key_Z,       Qt::Key_Menu};
    static const QList<Qt::KeyboardModifiers> modifiers{
        Qt::NoModifier, Qt::NoModifier, Qt::NoModifier,    Qt::NoModifier,
        Qt::NoModifier, Qt::NoModifier, Qt::ShiftModifier, Qt::ControlModifier};
    const QKeyCombination drawn(oneOf(modifiers), oneOf(keys));
    return {QStringLiteral("key ") + QKeySequence(drawn).toString(), [drawn] { press(drawn); }};
  }

  /// A visible widget without visible ones in it.
  QPointer<QWidget> someLeaf(QWidget& top) {
    QList<QWidget*> leaves;
    for (QWidget* const widget : top.findChildren<QWidget*>()) {
      if (widget->isWindow() || widget->visibleRegion().isEmpty()) continue;
      const QList<QWidget*> inside = widget->findChildren<QWidget*>(Qt::FindDirectChildrenOnly);
      if (std::none_of(inside.begin(), inside.end(), [](QWidget* w) { return w->isVisible(); }))
        leaves << widget;
    }
    return leaves.isEmpty() ? &top : oneOf(leaves);
  }

  QPoint somewhere(const QWidget& widget) {
    return {below(std::max(1, widget.width())), below(std::max(1, widget.height()))};
  }

  /// Clicks, drags and turns of the wheel, by way of the window as those of a mouse come.
  Action mouse(QWidget& top) {
    const QPointer<QWidget> leaf = someLeaf(top);
    QWindow* const window = leaf->window()->windowHandle();
    if (window == nullptr) return key();
    const QPoint from = leaf->mapTo(leaf->window(), somewhere(*leaf));
    const QPoint to = leaf->mapTo(leaf->window(), somewhere(*leaf));
    const auto button = below(8) == 0 ? Qt::RightButton : Qt::LeftButton;
    static const QList<Qt::KeyboardModifiers> modifiers{
        Qt::NoModifier, Qt::NoModifier, Qt::NoModifier, Qt::ShiftModifier, Qt::ControlModifier};
    const Qt::KeyboardModifiers keys = oneOf(modifiers);
    const QPointer<QWindow> where = window;
    const QString at = QStringLiteral(" %1 at %2,%3 button %4 keys %5")
                           .arg(nameOf(*leaf))
                           .arg(from.x())
                           .arg(from.y())
                           .arg(int(button))
                           .arg(int(keys.toInt()));
    switch (below(8)) {
      case 0:
        return {"double click" + at,
                [=] { QTest::mouseDClick(where, Qt::LeftButton, keys, from); }};
      case 1:
      case 2:
        return {QStringLiteral("drag to %1,%2").arg(to.x()).arg(to.y()) + at, [=] {
                  QTest::mousePress(where, button, keys, from);
                  for (int part = 1; part <= 3 && where; ++part)
                    QTest::mouseMove(where, from + (to - from) * part / 3);
                  if (where) QTest::mouseRelease(where, button, keys, to);
                }};
      case 3: {
        const int turn = below(2) == 0 ? 120 : -120;
        return {QStringLiteral("wheel %1").arg(turn) + at, [=] {
                  if (!leaf) return;
                  const QPoint here = leaf->mapFrom(leaf->window(), from);
                  QWheelEvent event(here, leaf->mapToGlobal(here), {}, {0, turn}, Qt::NoButton,
                                    keys, Qt::NoScrollPhase, false);
                  QCoreApplication::sendEvent(leaf, &event);
                }};
      }
      default: return {"click" + at, [=] { QTest::mouseClick(where, button, keys, from); }};
    }
  }

  /// An action of the window, by its shortcut or, without one, as from its menu.
  Action command() {
    QList<QAction*> enabled;
    for (QAction* const action : window_.actions())
      if (action->isEnabled() && !action->objectName().isEmpty()) enabled << action;
    if (enabled.isEmpty()) return key();
    const QPointer<QAction> action = oneOf(enabled);
    const QKeySequence shortcut = action->shortcut();
    return {"action " + action->objectName(), [action, shortcut] {
              if (!action) return;
              if (shortcut.count() == 1)
                press(shortcut[0]);
              else
                action->trigger();
            }};
  }

  /// An entry of a menu, also of those without a name.
  Action menuEntry() {
    QList<QAction*> entries;
    for (const QMenu* const menu : window_.menuBar()->findChildren<QMenu*>())
      for (QAction* const entry : menu->actions())
        if (entry->isEnabled() && !entry->isSeparator() && entry->menu() == nullptr)
          entries << entry;
    if (entries.isEmpty()) return key();
    const QPointer<QAction> entry = oneOf(entries);
    return {"entry " + entry->text(), [entry] {
              if (entry) entry->trigger();
            }};
  }

  /// A field, box or slider takes the keyboard and something that may or may not suit it: the
  /// controls of all panels, of the noise as of the tasks of lessons, are as likely as each other.
  Action control(QWidget& top) {
    QList<QWidget*> controls;
    for (QWidget* const widget : top.findChildren<QWidget*>()) {
      const bool isPart = qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) != nullptr ||
                          qobject_cast<QComboBox*>(widget->parentWidget()) != nullptr;
      const bool isControl = qobject_cast<QAbstractSlider*>(widget) != nullptr ||
                             qobject_cast<QComboBox*>(widget) != nullptr ||
                             qobject_cast<QLineEdit*>(widget) != nullptr ||
                             qobject_cast<QAbstractSpinBox*>(widget) != nullptr ||
                             qobject_cast<QAbstractButton*>(widget) != nullptr;
      if (isControl && !isPart && !widget->isWindow() && widget->isVisible() &&
          widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) != 0)
        controls << widget;
    }
    if (controls.isEmpty()) return key();
    const QPointer<QWidget> control = oneOf(controls);
    const bool takesText = qobject_cast<QLineEdit*>(control) != nullptr ||
                           qobject_cast<QAbstractSpinBox*>(control) != nullptr;
    if (takesText) {
      static const QStringList texts{"1", "2", "0.5", "-1", "1e3", "abc", "", "16", "1,1", "7, 7"};
      const QString text = oneOf(texts);
      return {"type " + text + " into " + nameOf(*control), [control, text] {
                if (!control) return;
                control->setFocus(Qt::TabFocusReason);
                press(QKeyCombination(Qt::ControlModifier, Qt::Key_A));
                type(text);
                press(Qt::Key_Return);
              }};
    }
    static const QList<Qt::Key> keys{Qt::Key_Up,   Qt::Key_Down,  Qt::Key_Home,  Qt::Key_End,
                                     Qt::Key_Left, Qt::Key_Right, Qt::Key_Space, Qt::Key_PageUp};
    const Qt::Key drawn = qobject_cast<QAbstractButton*>(control) ? Qt::Key_Space : oneOf(keys);
    return {QKeySequence(drawn).toString() + " in " + nameOf(*control), [control, drawn] {
              if (!control) return;
              control->setFocus(Qt::TabFocusReason);
              press(drawn);
            }};
  }

  Action parameter() {
    static const QStringList eps{"1.5", "1",  "40",  "0.2", "1e-3", "1000",
                                 "2,5", "29", "abc", "",    "31"};
    static const QStringList minPts{"1", "4", "5", "10", "400", "100000", "0", "x"};
    const bool ofEps = below(3) > 0;
    const QString text = oneOf(ofEps ? eps : minPts);
    return {(ofEps ? "ε " : "minPts ") + text, [this, ofEps, text] {
              window_.action(ofEps ? "focusEps" : "focusMinPts")->trigger();
              type(text);
              press(Qt::Key_Return);
            }};
  }

  Action inWindow() {
    QList<QWidget*> others;
    for (QWidget* const top : QApplication::topLevelWidgets())
      if (top != &window_ && top->isVisible() && !top->inherits("QTipLabel")) others << top;
    if (!others.isEmpty() && below(4) == 0) {
      const QPointer<QWidget> other = oneOf(others);
      const int what = below(6);
      if (what < 2) return mouse(*other);
      if (what < 5) return control(*other);
      return {"close " + nameOf(*other), [other] {
                if (other) other->close();
              }};
    }
    const int draw = below(26);
    if (draw < 5) return command();
    if (draw < 8) return parameter();
    if (draw < 12) return key();
    if (draw < 16) return control(window_);
    if (draw < 18) return menuEntry();
    return mouse(window_);
  }

  Action inPopup(QWidget& popup) {
    const QPointer<QWidget> open = &popup;
    switch (below(4)) {
      case 0: return {"close " + nameOf(popup), [open] { open->close(); }};
      case 1: return key();
      case 2:
        return {"choose in " + nameOf(popup), [open] {
                  QTest::keyClick(open, Qt::Key_Down);
                  if (open) QTest::keyClick(open, Qt::Key_Return);
                }};
      default: return mouse(popup);
    }
  }

  Action inDialog(QWidget& modal) {
    if (auto* files = qobject_cast<QFileDialog*>(&modal)) return inFileDialog(*files);
    const QPointer<QWidget> open = &modal;
    stepsInDialog_ = dialog_ == open ? stepsInDialog_ + 1 : 0;
    dialog_ = open;
    if (stepsInDialog_ > 10 || below(4) == 0)
      return {"close " + nameOf(modal), [open] { close(*open); }};
    return below(3) == 0 ? key() : below(2) == 0 ? control(modal) : mouse(modal);
  }

  /// Chooses a file of the folder or none. Keys and clicks could choose any.
  Action inFileDialog(QFileDialog& dialog) {
    const QPointer<QFileDialog> open = &dialog;
    const bool saves = dialog.acceptMode() == QFileDialog::AcceptSave;
    QString path;
    if (dialog.fileMode() != QFileDialog::Directory && below(2) == 0)
      path = saves ? QStringLiteral("%1/saved-%2.%3")
                         .arg(folder_)
                         .arg(below(4))
                         .arg(dialog.defaultSuffix().isEmpty() ? "csv" : dialog.defaultSuffix())
                   : oneOf(files_);
    return {"file " + path, [open, path] {
              if (!path.isEmpty()) Q_EMIT open->fileSelected(path);
              if (open) open->reject();
            }};
  }

  clusterloom::MainWindow& window_;
  std::mt19937_64 random_;
  QStringList files_;
  QString folder_;
  ActionLog log_;
  QTimer watch_;
  QElapsedTimer since_;
  bool acting_ = false;
  QPointer<QWidget> dialog_;
  int stepsInDialog_ = 0;
};
