#pragma once

#include <QTabBar>

namespace clusterloom {

class Session;

/// One tab for each of the clouds that are open beside each other; hidden while there is one. A
/// click shows a cloud, a drag moves it, the cross or the middle button asks to close it.
class CloudTabs : public QTabBar {
  Q_OBJECT

 public:
  explicit CloudTabs(Session& session, QWidget* parent = nullptr);

  /// False hides the tabs: for presentations.
  void setShown(bool shown);
  /// Shows the next (1) or previous (−1) cloud; the first follows the last.
  void step(int by);

 Q_SIGNALS:
  void closeAsked(int index);

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  void follow();
  void addCloud(const QString& title);

  Session& session_;
  bool shown_ = true;
};

}  // namespace clusterloom
