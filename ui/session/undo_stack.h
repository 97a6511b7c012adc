#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <vector>

#include "ui/session/parameters.h"

namespace clusterloom {

/// What undo and redo restore.
struct UndoState {
  Parameters parameters;
  /// ε is not known yet: the one in `parameters` belongs to other units or other data.
  bool awaitsEps = false;
};

/// The states before and after each step. Plain values; the session applies the state that `moved`
/// gives it.
class UndoStack : public QObject {
  Q_OBJECT

 public:
  explicit UndoStack(QObject* parent) : QObject(parent) {}

  /// The number of steps.
  int count() const { return static_cast<int>(steps_.size()); }
  /// The number of those that are not undone.
  int index() const { return index_; }
  bool canUndo() const { return index_ > 0; }
  bool canRedo() const { return index_ < count(); }
  /// The name of the step that undo() or redo() takes; empty without one.
  QString undoText() const;
  QString redoText() const;
  void undo() { setIndex(index_ - 1); }
  void redo() { setIndex(index_ + 1); }
  /// Undoes or redoes until `index` steps are left.
  void setIndex(int index);

  // Called by the session, which has applied the resulting states.
  /// Adds a step; those that are undone are gone.
  void push(const UndoState& before, const UndoState& after, const QString& text);
  void clear();
  /// The state after the last step that is not undone; null without one.
  const UndoState* current() const;
  /// Takes the last change back, for a state that could not be applied: steps that were added are
  /// removed, undo and redo are reversed, until a state `fits`. False, and nothing is done, where
  /// none does.
  bool takeBack(const std::function<bool(const Parameters&)>& fits);
  /// The ε that the current state awaits is known: it and its neighbours of the same scaling and
  /// space that await it take it.
  void settleEps(double eps);
  /// Changes all states. Removes steps that then change nothing.
  void rewrite(const std::function<void(Parameters&)>& change);

 Q_SIGNALS:
  void changed();  ///< anything that the functions above return
  /// The state to apply: after undo, redo and takeBack().
  void moved(const clusterloom::UndoState& to);

 private:
  void moveTo(int index);
  void erase(std::size_t step);

  std::vector<QString> steps_;     ///< their names
  std::vector<UndoState> states_;  ///< before, between and after the steps; empty without steps
  int index_ = 0;
  int lastMove_ = 0;  ///< negative after undo, positive after redo, 0 after push()
};

}  // namespace clusterloom
