#pragma once

#include <QObject>

class QMenu;

namespace clusterloom {

class MessageBar;
class Session;
class WindowActions;
struct UsedFolders;

/// The entry of the menu File that clusters all rows of a file of which some are open, its dialog,
/// and what is said of it.
class WholeFileActions : public QObject {
  Q_OBJECT

 public:
  WholeFileActions(WindowActions& actions, Session& session, MessageBar& messages,
                   UsedFolders& folders);

  void addTo(QMenu* menu);
  void showState();

 private:
  void showDialog();
  /// Says that not all rows are on show, and offers to cluster them all.
  void offer();

  WindowActions& actions_;
  Session& session_;
  MessageBar& messages_;
  UsedFolders& folders_;
};

}  // namespace clusterloom
