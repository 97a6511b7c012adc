#include "ui/widgets/form.h"

#include <QAction>
#include <QCoreApplication>
#include <QDialog>
#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QResizeEvent>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QTableView>
#include <QToolBar>
#include <algorithm>

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

namespace clusterloom {
namespace {

/// A text that wraps. QFormLayout leaves too little height for labels whose height depends on their
/// width; this one hides that and asks for the height at the width that it has.
class WrappedLabel final : public QLabel {
 public:
  using QLabel::QLabel;
  bool hasHeightForWidth() const override { return false; }
  QSize minimumSizeHint() const override {
    return {QLabel::minimumSizeHint().width(), std::max(0, heightForWidth(width()))};
  }
  QSize sizeHint() const override {
    return {QLabel::sizeHint().width(), minimumSizeHint().height()};
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QLabel::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) updateGeometry();
  }
};

/// As wide as its least number of letters and an icon, as QComboBox::
/// AdjustToMinimumContentsLengthWithIcon makes it. Setting that policy would make the list of every
/// box, with its scroll bars, long before somebody opens it.
class PanelCombo final : public QComboBox {
 public:
  using QComboBox::QComboBox;
  QSize sizeHint() const override {
    QStyleOptionComboBox option;
    initStyleOption(&option);
    const int letters = minimumContentsLength() * fontMetrics().horizontalAdvance(QLatin1Char('X'));
    const int height = std::max({fontMetrics().height(), 14, iconSize().height()});
    return style()->sizeFromContents(QStyle::CT_ComboBox, &option,
                                     {letters + iconSize().width() + 4, height + 2}, this);
  }
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  /// As QComboBox, but a text that does not fit ends in "…" rather than within a letter.
  void paintEvent(QPaintEvent* event) override {
    if (isEditable()) return QComboBox::paintEvent(event);
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    if (currentIndex() < 0) option.currentText = placeholderText();
    const QRect field =
        style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    const int icon = option.currentIcon.isNull() ? 0 : option.iconSize.width() + kBesideIcon;
    option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideRight,
                                                  field.width() - icon + kAfterText);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
  }

 private:
  static constexpr int kBesideIcon = 4;  ///< that styles leave free
  static constexpr int kAfterText = 2;   ///< empty pixels after the last letter may be cut off
};

class WheelGuard : public QObject {
 public:
  using QObject::QObject;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Wheel && !static_cast<QWidget*>(watched)->hasFocus()) {
      event->ignore();
      return true;
    }
    return false;
  }
};

bool isOfNumbers(const QKeyEvent& key) {
  for (const auto standard : {QKeySequence::Copy, QKeySequence::Cut, QKeySequence::Paste,
                              QKeySequence::SelectAll, QKeySequence::Delete}) {
    if (key.matches(standard)) return true;
  }
  const bool plain = !(key.modifiers() & (Qt::ControlModifier | Qt::AltModifier));
  const QString text = key.text();
  return plain && !text.isEmpty() && QStringLiteral("0123456789.,+-eE").contains(text.front());
}

class ShortcutPass : public QObject {
 public:
  ShortcutPass(QWidget* field, std::function<bool()> isBeingEdited)
      : QObject(field), isBeingEdited_(std::move(isBeingEdited)) {}

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() != QEvent::ShortcutOverride || isBeingEdited_()) return false;
    const auto& key = *static_cast<QKeyEvent*>(event);
    const QKeySequence pressed(key.keyCombination());
    const QList<QAction*> actions = static_cast<QWidget*>(watched)->window()->actions();
    const bool known = std::any_of(actions.begin(), actions.end(), [&](const QAction* action) {
      return action->isEnabled() && action->shortcuts().contains(pressed);
    });
    if (!known || isOfNumbers(key)) return false;
    event->ignore();  // the field would accept it as an editing key
    return true;
  }

 private:
  std::function<bool()> isBeingEdited_;
};

}  // namespace

void restyle(QWidget* widget, const char* property, const QVariant& value) {
  widget->setProperty(property, value);
  widget->style()->polish(widget);
}

QLabel* mutedLabel(QWidget* parent, const QString& text) {
  auto* label = new QLabel(text, parent);
  label->setProperty("role", "muted");
  label->setWordWrap(true);
  return label;
}

QLabel* errorLabel(QWidget* parent, const QString& text) {
  auto* label = mutedLabel(parent, text);
  label->setProperty("role", "error");
  label->setTextFormat(Qt::PlainText);
  return label;
}

QLabel* wrappedLabel(QWidget* parent) {
  auto* label = new WrappedLabel(parent);
  label->setProperty("role", "muted");
  label->setWordWrap(true);
  return label;
}

QLabel* cutLine(QWidget* parent, bool isSelectable) {
  auto* label = new ElidedLabel(parent);
  label->setTextFormat(Qt::PlainText);
  label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  if (isSelectable)
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  return label;
}

QFormLayout* spacedForm(QFormLayout* form, int horizontal, int vertical) {
  form->setHorizontalSpacing(horizontal);
  form->setVerticalSpacing(vertical);
  return form;
}

void addRow(QFormLayout* form, const QString& label, QLayout* row, QWidget* field) {
  form->addRow(label, row);
  static_cast<QLabel*>(form->labelForField(row))->setBuddy(field);
}

QDialogButtonBox* dialogButtons(QDialog* dialog, QDialogButtonBox::StandardButtons buttons) {
  auto* box = new QDialogButtonBox(buttons, dialog);
  QObject::connect(box, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
  QObject::connect(box, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  return box;
}

QFormLayout* panelForm(QWidget* parent) {
  auto* form = spacedForm(new QFormLayout(parent), 10, 7);
  form->setContentsMargins(10, 4, 10, 10);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->setRowWrapPolicy(QFormLayout::WrapLongRows);
  form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  return form;
}

QToolButton* iconButton(QWidget* parent, const QString& icon, const QString& name) {
  auto* button = named("flat", new QToolButton(parent), name);
  button->setIcon(themedIcon(icon));
  button->setIconSize({fontScaled(18), fontScaled(18)});
  button->setToolTip(name);
  button->setFocusPolicy(Qt::StrongFocus);
  return button;
}

QComboBox* panelCombo(QWidget* parent, const QString& accessibleName) {
  auto* combo = new PanelCombo(parent);
  combo->setMinimumContentsLength(8);
  combo->setAccessibleName(accessibleName);
  ignoreStrayWheel(combo);
  return combo;
}

void addClearButton(QLineEdit* line, const QString& name) {
  line->setClearButtonEnabled(true);
  // Qt gives it no text.
  if (auto* clear = line->findChild<QAction*>(QStringLiteral("_q_qlineeditclearaction")))
    clear->setText(name);
}

void styleOverflow(QToolBar* bar) {
  constexpr int kIcon = 12;  // the width that Qt gives this button
  auto* more = bar->findChild<QToolButton*>(QStringLiteral("qt_toolbar_ext_button"));
  more->setIcon(themedIcon(QStringLiteral("chevron-right")));
  more->setIconSize({kIcon, kIcon});
  more->setFocusPolicy(Qt::TabFocus);
  const QString name = QCoreApplication::translate("clusterloom", "More tools");
  more->setToolTip(name);
  more->setAccessibleName(name);
}

void styleTable(QTableView* table) {
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setShowGrid(false);
  table->setAlternatingRowColors(true);
  table->setTabKeyNavigation(false);
  table->verticalHeader()->hide();
  table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 8);
  table->horizontalHeader()->setHighlightSections(false);
}

void widenToTitles(QTableView* table) {
  constexpr int kPadding = 15;  // of the theme, with the mark of sorting; Qt's hint leaves it out
  const QHeaderView* header = table->horizontalHeader();
  for (int column = 0; column < header->count(); ++column) {
    const QString title = table->model()->headerData(column, Qt::Horizontal).toString();
    const int words = header->fontMetrics().horizontalAdvance(title) + 2 * fontScaled(kPadding);
    const int least = std::max(header->sectionSizeHint(column), title.isEmpty() ? 0 : words);
    if (table->columnWidth(column) < least) table->setColumnWidth(column, least);
  }
}

void ignoreStrayWheel(QWidget* widget) {
  widget->setFocusPolicy(Qt::StrongFocus);
  widget->installEventFilter(new WheelGuard(widget));
}

void passShortcuts(QWidget* numberField, std::function<bool()> isBeingEdited) {
  numberField->installEventFilter(new ShortcutPass(numberField, std::move(isBeingEdited)));
}

}  // namespace clusterloom
