#include "ui/panels/form.h"

#include <QEvent>

#include "ui/theme/icons.h"

namespace clusterloom {
namespace {

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

}  // namespace

QLabel* mutedLabel(QWidget* parent, const QString& text) {
  auto* label = new QLabel(text, parent);
  label->setProperty("role", "muted");
  label->setWordWrap(true);
  return label;
}

QFormLayout* panelForm(QWidget* parent) {
  auto* form = new QFormLayout(parent);
  form->setContentsMargins(10, 4, 10, 10);
  form->setHorizontalSpacing(10);
  form->setVerticalSpacing(7);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->setRowWrapPolicy(QFormLayout::DontWrapRows);
  form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  return form;
}

QToolButton* iconButton(QWidget* parent, const QString& icon, const QString& name) {
  auto* button = new QToolButton(parent);
  button->setObjectName(QStringLiteral("flat"));
  button->setIcon(themedIcon(icon));
  button->setIconSize({18, 18});
  button->setToolTip(name);
  button->setAccessibleName(name);
  button->setFocusPolicy(Qt::StrongFocus);
  return button;
}

QComboBox* panelCombo(QWidget* parent, const QString& accessibleName) {
  auto* combo = new QComboBox(parent);
  combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  combo->setMinimumContentsLength(8);
  combo->setAccessibleName(accessibleName);
  ignoreStrayWheel(combo);
  return combo;
}

void ignoreStrayWheel(QWidget* widget) {
  widget->setFocusPolicy(Qt::StrongFocus);
  widget->installEventFilter(new WheelGuard(widget));
}

}  // namespace clusterloom
