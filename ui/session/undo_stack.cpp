#include "ui/session/undo_stack.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace clusterloom {

QString UndoStack::undoText() const {
  return canUndo() ? steps_[static_cast<std::size_t>(index_ - 1)].text : QString();
}

QString UndoStack::redoText() const {
  return canRedo() ? steps_[static_cast<std::size_t>(index_)].text : QString();
}

void UndoStack::setIndex(int index) {
  index = std::clamp(index, 0, count());
  if (index == index_) return;
  std::optional<bool> awaitsEps;
  while (index_ > index)
    if (steps_[static_cast<std::size_t>(--index_)].awaitsEps) awaitsEps = false;
  while (index_ < index)
    if (steps_[static_cast<std::size_t>(index_++)].awaitsEps) awaitsEps = true;
  // A copy: receivers of the signals may change the states.
  const Parameters to = *current();
  Q_EMIT moved(to, awaitsEps);
  Q_EMIT changed();
}

void UndoStack::push(const Parameters& before, const Parameters& after, const QString& text,
                     bool awaitsEps) {
  const auto done = static_cast<std::size_t>(index_);
  steps_.resize(done);
  states_.resize(done);
  states_.push_back(before);
  states_.push_back(after);
  steps_.push_back({text, awaitsEps});
  ++index_;
  Q_EMIT changed();
}

void UndoStack::clear() {
  if (steps_.empty()) return;
  steps_.clear();
  states_.clear();
  index_ = 0;
  Q_EMIT changed();
}

const Parameters* UndoStack::current() const {
  return states_.empty() ? nullptr : &states_[static_cast<std::size_t>(index_)];
}

void UndoStack::erase(std::size_t step) {
  steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(step));
  states_.erase(states_.begin() + static_cast<std::ptrdiff_t>(step) + 1);
  if (steps_.empty()) states_.clear();
  if (static_cast<std::size_t>(index_) > step) --index_;
}

Parameters UndoStack::drop() {
  const auto step = static_cast<std::size_t>(index_ - 1);
  Parameters before = states_[step];
  erase(step);
  Q_EMIT changed();
  return before;
}

void UndoStack::settleEps(double eps) {
  if (states_.empty()) return;
  for (auto state = static_cast<std::size_t>(index_);; --state) {
    states_[state].dbscan.eps = eps;
    if (state == 0 || std::exchange(steps_[state - 1].awaitsEps, false)) return;
  }
}

void UndoStack::rewrite(const std::function<void(Parameters&)>& change) {
  for (Parameters& state : states_) change(state);
  for (std::size_t step = steps_.size(); step-- > 0;)
    if (states_[step] == states_[step + 1]) erase(step);
  Q_EMIT changed();
}

}  // namespace clusterloom
