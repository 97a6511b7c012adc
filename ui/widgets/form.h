#pragma once

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QMargins>
#include <QToolButton>
#include <QVariant>
#include <functional>

#include "ui/words/qt_classes.h"

namespace clusterloom {

/// Gives a new widget the name by which tests and styles find it, and one for screen readers where
/// its own text does not serve.
template <class Widget>
Widget* named(const char* name, Widget* widget, const QString& accessibleName = {}) {
  widget->setObjectName(QLatin1String(name));
  if (!accessibleName.isEmpty()) widget->setAccessibleName(accessibleName);
  return widget;
}

/// Gives a new layout its margins, and a spacing other than the style's where that is not negative.
template <class Layout>
Layout* spaced(Layout* layout, const QMargins& margins, int spacing = -1) {
  layout->setContentsMargins(margins);
  if (spacing >= 0) layout->setSpacing(spacing);
  return layout;
}

/// Gives a new window or menu that is deleted when it is closed.
template <class Window>
Window* deletedOnClose(Window* window) {
  window->setAttribute(Qt::WA_DeleteOnClose);
  return window;
}

/// Sets a property by which the style sheet gives a widget its look.
void restyle(QWidget* widget, const char* property, const QVariant& value);
/// A label in the muted colour.
QLabel* mutedLabel(QWidget* parent, const QString& text = {});
/// A label for what is wrong with an entry, in plain text that wraps.
QLabel* errorLabel(QWidget* parent, const QString& text = {});
/// A muted label as a row of a form: as high as its text needs at its width, for which QFormLayout
/// leaves too little.
QLabel* wrappedLabel(QWidget* parent);
/// A line of plain text in the space that other widgets leave. It is cut where it is too long, and
/// does not widen its window.
QLabel* cutLine(QWidget* parent, bool isSelectable);
/// Gives a new form its spacing.
QFormLayout* spacedForm(QFormLayout* form, int horizontal, int vertical);
/// Adds a row of several widgets; its label is that of `field`.
void addRow(QFormLayout* form, const QString& label, QLayout* row, QWidget* field);
/// Buttons that accept or reject their dialog.
QDialogButtonBox* dialogButtons(QDialog* dialog, QDialogButtonBox::StandardButtons buttons);
/// A form with the panels' spacing. Labels of its rows become buddies of their fields.
QFormLayout* panelForm(QWidget* parent);
/// A flat button with an icon; `name` is its tooltip and its accessible name.
QToolButton* iconButton(QWidget* parent, const QString& icon, const QString& name);
/// A box that does not widen its panel for a long entry and lets the wheel scroll the panel.
QComboBox* panelCombo(QWidget* parent, const QString& accessibleName);
/// Gives a line of text a button that empties it; `name` is the button's name and tooltip.
void addClearButton(QLineEdit* line, const QString& name);
/// Makes the overflow button of a tool bar visible, and gives it a name and the keyboard focus by
/// Tab.
void styleOverflow(QToolBar* bar);
/// The look of all tables: rows that are selected as a whole, in alternating colours, without
/// titles of their own.
void styleTable(QTableView* table);
/// Makes every column of a table at least as wide as its title.
void widenToTitles(QTableView* table);
/// Passes the wheel to the scroll area unless the widget has the focus: a stray wheel must not
/// change a parameter.
void ignoreStrayWheel(QWidget* widget);
/// Gives a number field of a panel its limits. It tells of a number when it is complete, not at
/// every key, and lets the wheel scroll the panel.
template <class Box, class Number>
Box* panelNumber(Box* box, Number least, Number most) {
  box->setRange(least, most);
  box->setKeyboardTracking(false);
  ignoreStrayWheel(box);
  return box;
}
/// Lets the shortcuts of the window's actions work while a number field has the focus, unless
/// `isBeingEdited` says that its text is being changed. Keys that a number is written with, and
/// copying or pasting, stay with the field.
void passShortcuts(QWidget* numberField, std::function<bool()> isBeingEdited);

}  // namespace clusterloom
