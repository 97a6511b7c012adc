#pragma once

#include <QObject>

#include "ui/words/qt_classes.h"

namespace clusterloom {

class CloudView;
class SelectionPanel;
class Session;
class WindowActions;
struct UsedFolders;

/// The menu Selection: tools that draw outlines, and actions on selected points.
class SelectionActions : public QObject {
  Q_OBJECT

 public:
  SelectionActions(WindowActions& actions, Session& session, CloudView& view, SelectionPanel& panel,
                   UsedFolders& folders);

  /// The actions follow what is selected; `data`: whether data are on show.
  void showState(bool data);

 private:
  void addTools(QMenu& menu);
  void showClusterSelection();

  WindowActions& actions_;
  Session& session_;
  CloudView& view_;
  UsedFolders& folders_;
  QActionGroup* tools_;
};

}  // namespace clusterloom
