#include "engine/cloud/coordinates.h"

#include <atomic>
#include <mutex>

namespace clusterloom {
namespace {

/// Borrowed values with the copy that readers of contiguous doubles share.
struct SharedValues : BorrowedValues {
  explicit SharedValues(BorrowedValues values) : BorrowedValues(std::move(values)) {}

  std::vector<double> copy() const {
    std::vector<double> made(size);
    for (std::size_t i = 0; i < size; ++i) made[i] = (*this)[i];
    return made;
  }

  mutable std::once_flag once;
  mutable std::atomic<bool> copied = false;
  mutable std::vector<double> doubles;
};

}  // namespace

Coordinates::Coordinates(BorrowedValues values)
    : borrowed_(std::make_shared<const SharedValues>(std::move(values))) {}

Coordinates Coordinates::part(std::size_t begin, std::size_t end) const {
  if (!borrowed_) return {own_.begin() + std::ptrdiff_t(begin), own_.begin() + std::ptrdiff_t(end)};
  BorrowedValues values = *borrowed_;
  values.first += std::ptrdiff_t(begin) * values.stride;
  values.size = end - begin;
  return Coordinates(std::move(values));
}

bool Coordinates::copied() const {
  return borrowed_ && static_cast<const SharedValues&>(*borrowed_).copied;
}

const std::vector<double>& Coordinates::copyOfBorrowed() const {
  const auto& shared = static_cast<const SharedValues&>(*borrowed_);
  // Without tasks of TBB: a thread that waits for them could take one that waits for this copy.
  std::call_once(shared.once, [&] {
    shared.doubles = shared.copy();
    shared.copied = true;
  });
  return shared.doubles;
}

void Coordinates::takeOver() {
  own_ = copied() ? doubles() : static_cast<const SharedValues&>(*borrowed_).copy();
  borrowed_.reset();
}

}  // namespace clusterloom
