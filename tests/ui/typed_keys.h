#pragma once

#include <QApplication>
#include <QWindow>
#include <QtTest>

#include "window_help.h"

/// A key to the window that has the keyboard: shortcuts, menus and widgets see it in Qt's order.
inline void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
  QWindow* const window = QGuiApplication::focusWindow();
  QVERIFY(window != nullptr);
  QTest::keyClick(window, key, modifiers);
}

inline void type(const QString& text) {
  for (const QChar character : text) {
    QWindow* const window = QGuiApplication::focusWindow();
    QVERIFY(window != nullptr);
    QTest::keyClick(window, character.toLatin1());
  }
}

/// The dialog of a type once it has the keyboard; null when none comes.
template <class Dialog>
Dialog* activeDialog() {
  Dialog* dialog = nullptr;
  waitUntil([&] {
    dialog = qobject_cast<Dialog*>(QApplication::activeWindow());
    return dialog != nullptr && QApplication::focusWidget() != nullptr;
  });
  return dialog;
}

/// Tab until a widget has the focus; false when it is not on the way round.
inline bool tabTo(const QWidget* widget) {
  for (int i = 0; i < 120; ++i) {
    if (QApplication::focusWidget() == widget) return true;
    press(Qt::Key_Tab);
  }
  return false;
}
