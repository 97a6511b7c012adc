#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <optional>
#include <vector>

#include "ui/session/parameters.h"

namespace clusterloom {

/// The states that undo and redo restore: those before and after each step. Plain values; the
/// session applies the state that `moved` gives it.
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
  /// Adds a step; those that are undone are gone. `awaitsEps`: a change of units; the suggested ε
  /// that follows belongs to the step.
  void push(const Parameters& before, const Parameters& after, const QString& text, bool awaitsEps);
  void clear();
  /// The state after the last step that is not undone; null without one.
  const Parameters* current() const;
  /// Removes that step and returns the state before it. There must be one.
  Parameters drop();
  /// An ε is known: it becomes that of the step that awaits it and of all that follow it, or, where
  /// none awaits it, of all that are not undone.
  void settleEps(double eps);
  /// Changes all states. Removes steps that then change nothing.
  void rewrite(const std::function<void(Parameters&)>& change);

 Q_SIGNALS:
  void changed();  ///< anything that the functions above return
  /// Undo and redo: the state to apply, and whether its ε is awaited where that changes.
  void moved(const clusterloom::Parameters& to, std::optional<bool> awaitsEps);

 private:
  struct Step {
    QString text;
    bool awaitsEps = false;
  };

  void erase(std::size_t step);

  std::vector<Step> steps_;
  std::vector<Parameters> states_;  ///< before, between and after the steps; empty without steps
  int index_ = 0;
};

}  // namespace clusterloom
