#include "ui/session/undo_stack.h"

#include <algorithm>
#include <cstddef>

namespace clusterloom {

QString UndoStack::undoText() const {
  return canUndo() ? steps_[static_cast<std::size_t>(index_ - 1)] : QString();
}

QString UndoStack::redoText() const {
  return canRedo() ? steps_[static_cast<std::size_t>(index_)] : QString();
}

void UndoStack::setIndex(int index) {
  index = std::clamp(index, 0, count());
  if (index == index_) return;
  lastMove_ = index - index_;
  moveTo(index);
}

void UndoStack::moveTo(int index) {
  index_ = index;
  // A copy: receivers of the signals may change the states.
  const UndoState to = *current();
  Q_EMIT moved(to);
  Q_EMIT changed();
}

void UndoStack::push(const UndoState& before, const UndoState& after, const QString& text) {
  const auto done = static_cast<std::size_t>(index_);
  steps_.resize(done);
  states_.resize(done);
  states_.push_back(before);
  states_.push_back(after);
  steps_.push_back(text);
  ++index_;
  lastMove_ = 0;
  Q_EMIT changed();
}

void UndoStack::clear() {
  if (steps_.empty()) return;
  steps_.clear();
  states_.clear();
  index_ = 0;
  Q_EMIT changed();
}

const UndoState* UndoStack::current() const {
  return states_.empty() ? nullptr : &states_[static_cast<std::size_t>(index_)];
}

void UndoStack::erase(std::size_t step) {
  steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(step));
  states_.erase(states_.begin() + static_cast<std::ptrdiff_t>(step) + 1);
  if (steps_.empty()) states_.clear();
  if (static_cast<std::size_t>(index_) > step) --index_;
}

bool UndoStack::takeBack(const std::function<bool(const Parameters&)>& fits) {
  const int size = static_cast<int>(states_.size());
  const auto nearest = [&](int way) {
    int to = index_;
    while (to >= 0 && to < size && !fits(states_[static_cast<std::size_t>(to)].parameters))
      to += way;
    return to < size ? to : -1;
  };
  // The way back first; several moves may have been in both directions.
  const int back = lastMove_ < 0 ? 1 : -1;
  const int near = nearest(back);
  const int to = near >= 0 ? near : nearest(-back);
  if (to < 0 || to == index_) return false;
  if (lastMove_ == 0) {
    steps_.resize(static_cast<std::size_t>(to));
    states_.resize(static_cast<std::size_t>(to) + 1);
  }
  moveTo(to);
  return true;
}

void UndoStack::settleEps(double eps) {
  if (states_.empty()) return;
  const CloudChoice of = current()->parameters;
  // Whether the state awaited it.
  const auto settle = [&](UndoState& state) {
    if (!state.awaitsEps || !(state.parameters.scaling == of.scaling) ||
        !(state.parameters.space == of.space))
      return false;
    state.awaitsEps = false;
    state.parameters.dbscan.eps = eps;
    return true;
  };
  const auto here = static_cast<std::size_t>(index_);
  for (std::size_t state = here; state < states_.size() && settle(states_[state]);) ++state;
  for (std::size_t state = here; state > 0 && settle(states_[state - 1]);) --state;
}

void UndoStack::rewrite(const std::function<void(Parameters&)>& change) {
  for (UndoState& state : states_) change(state.parameters);
  for (std::size_t step = steps_.size(); step-- > 0;)
    if (states_[step].parameters == states_[step + 1].parameters) erase(step);
  Q_EMIT changed();
}

}  // namespace clusterloom
