#pragma once

#include <QObject>
#include <functional>
#include <utility>
#include <vector>

#include "ui/session/session_parts.h"
#include "ui/words/qt_classes.h"

namespace clusterloom {

class CloudView;
class WindowActions;

/// The entries of the menu View for the cloud: camera, colours, visible parts, style. The window
/// adds its own entries after them.
class ViewActions : public QObject {
  Q_OBJECT

 public:
  ViewActions(WindowActions& actions, Session& session, CloudView& view);

  QMenu* menu() const { return menu_; }
  QMenu* colourMenu() const { return colourMenu_; }
  /// The entry that is checked there; null for none.
  QAction* colour() const;
  /// The check marks follow the session.
  void showDisplay();
  /// The columns and dimensions follow the data.
  void rebuildColourMenu();
  void hideOthers();
  void showAll();
  /// The menu of the view and of the table of clusters.
  void showMenuAt(const QPoint& position);

 private:
  using Change = std::function<void(DisplayState&)>;
  void addCameraActions();
  void addColourActions();
  void addVisibilityActions();
  void addStyleActions();
  /// Adds an entry for a switch of the display.
  void addSwitch(const char* name, const QString& text, const QString& icon, const QString& key,
                 const QString& toolTip, bool DisplayState::*shown);
  /// An entry of a group, of which `is` says whether it is the one in use.
  void addChoice(QMenu* menu, QActionGroup* group, const QString& text, const Change& choose,
                 std::function<bool(const DisplayState&)> is, const QString& toolTip = {});
  void change(const Change& change);

  WindowActions& actions_;
  Session& session_;
  CloudView& view_;
  QMenu* menu_;
  QMenu* colourMenu_ = nullptr;
  QActionGroup* colours_;
  /// When each check mark is set.
  std::vector<std::pair<QAction*, std::function<bool(const DisplayState&)>>> marks_;
};

}  // namespace clusterloom
