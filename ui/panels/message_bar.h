#pragma once

#include <QPointer>
#include <QWidget>
#include <functional>

#include "ui/words/qt_classes.h"

namespace clusterloom {

/// Shows an error or a notice, with at most one action, over the lower edge of its parent, which
/// keeps its size. It is not modal. A newer message replaces the older one; Escape or the cross
/// hides it.
class MessageBar : public QWidget {
  Q_OBJECT

 public:
  enum class Kind { Information, Warning, Error };

  explicit MessageBar(QWidget* parent = nullptr);

  /// `actionText` may hold a mnemonic; without it there is no button.
  void showMessage(Kind kind, const QString& text, const QString& actionText = {},
                   std::function<void()> action = {});
  /// A message that goes away by itself after a few seconds.
  void showPassing(const QString& text);
  /// Places the bar by this function, which gets its size and returns its top left corner in the
  /// parent; it is then no wider than its text. Without one it lies over the lower edge again.
  void setPlacement(std::function<QPoint(const QSize&)> placement);
  /// Asks the placement again.
  void place();
  /// Moves the focus to the button of the message, or to that which hides it; false without one.
  /// The previous focus widget gets the focus back when the bar is hidden.
  bool takeFocus();
  /// Hides the bar if it shows a message of this kind (an error that has been overcome).
  void dismiss(Kind kind);
  /// Hides the bar if it shows a message that goes away by itself.
  void dismissPassing();

  void setVisible(bool visible) override;
  QString text() const;
  Kind kind() const { return kind_; }
  QPushButton* actionButton() const { return action_; }

 Q_SIGNALS:
  void messageShown(Kind kind, const QString& text);  ///< also when the text is the same

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void giveFocusBack();
  Kind kind_ = Kind::Information;
  QLabel* icon_;
  QLabel* label_;
  QPushButton* action_;
  QToolButton* close_;
  std::function<void()> run_;
  std::function<QPoint(const QSize&)> placement_;
  QTimer* passing_;
  QPointer<QWidget> before_;  ///< the focus widget before takeFocus
};

}  // namespace clusterloom
