#pragma once

#include <QKeySequence>
#include <QList>
#include <QString>
#include <functional>

#include "ui/words/qt_classes.h"

namespace clusterloom {

class SessionData;

/// The actions of a window, by name ("open", "undo", "hideOthers" …). The groups of actions make
/// theirs here, and find those of others.
class WindowActions {
 public:
  explicit WindowActions(QMainWindow& window) : window_(window) {}

  QMainWindow& window() const { return window_; }
  /// A menu of the menu bar, after those that are there.
  QMenu* addMenu(const QString& title);
  /// An entry of a menu. Its keys work with the menu bar hidden, too; the first is named in the
  /// tool tip.
  QAction* add(QMenu* menu, const char* name, const QString& text, const QString& icon,
               const QList<QKeySequence>& shortcuts, const QString& toolTip,
               std::function<void()> run);
  /// An action in no menu, for windows with hidden menus or for keys that open menus.
  QAction* addHidden(const char* name, const QString& text, const QKeySequence& shortcut,
                     std::function<void()> run);
  /// Null for none.
  QAction* find(const char* name) const;

 private:
  QMainWindow& window_;
};

/// Where files were opened and written last; remembered by the window.
struct UsedFolders {
  QString opened;
  QString exports;  ///< empty: that of the data
  QString format;   ///< extension of the points or table exported last, without the dot

  const QString& forExports() const { return exports.isEmpty() ? opened : exports; }
};

/// Closes a dialog about the data on show when they are replaced or another file is being read. The
/// dialog is deleted when it is closed.
void closeWithData(QDialog& dialog, const SessionData& data);

}  // namespace clusterloom
