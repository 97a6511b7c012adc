#pragma once

#include <QDialog>
#include <QList>

class QAction;

namespace clusterloom {

/// A description of this program, its version, its licence and its libraries.
class AboutDialog : public QDialog {
  Q_OBJECT

 public:
  explicit AboutDialog(const QString& backend, QWidget* parent = nullptr);
};

/// Every key of the program: those of the actions given, read off them, and those of the view, the
/// slider and the tables.
class ShortcutsDialog : public QDialog {
  Q_OBJECT

 public:
  explicit ShortcutsDialog(const QList<QAction*>& actions, QWidget* parent = nullptr);
};

}  // namespace clusterloom
