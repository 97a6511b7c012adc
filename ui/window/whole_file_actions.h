#pragma once

#include <QObject>
#include <QString>
#include <memory>

class QMenu;

namespace clusterloom {

class MessageBar;
class Session;
class WindowActions;
struct Dataset;
struct UsedFolders;

/// The entry of the menu File that clusters all rows of a file of which some are open, its dialog,
/// and its messages.
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
  /// A file for the labels that is not open.
  QString freePath() const;

  WindowActions& actions_;
  Session& session_;
  MessageBar& messages_;
  UsedFolders& folders_;
  std::weak_ptr<const Dataset> offered_;  ///< that it was said of
};

}  // namespace clusterloom
