#pragma once

#include <QObject>

namespace clusterloom {

class GuideWindow;
class Session;
class WindowActions;

/// The menu Help: guide, keys, lessons and the dialog About; and the keys that open menus.
class HelpActions : public QObject {
  Q_OBJECT

 public:
  HelpActions(WindowActions& actions, Session& session);

  void showGuide();

 Q_SIGNALS:
  void lessonsRequested();

 private:
  void addMenuKeys();
  /// A description of this program, its version, its licence and its libraries.
  void showAbout(const QString& backend);
  /// Every key of the program: those of the window's actions, read off them, and those of the view,
  /// the slider and the tables.
  void showShortcuts();

  WindowActions& actions_;
  GuideWindow* guide_ = nullptr;  ///< made when it is first asked for
};

}  // namespace clusterloom
