#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cstddef>
#include <type_traits>

#include "engine/core/task.h"

namespace clusterloom {

/// Calls body(begin, end) for blocks that together are 0 to `size` - 1, on all threads of the
/// caller's TBB arena. Blocks of more than `grain` numbers are divided.
template <class Number = std::size_t, class Body>
void parallelForBlocks(std::type_identity_t<Number> size, std::type_identity_t<Number> grain,
                       Body body) {
  tbb::parallel_for(tbb::blocked_range<Number>(0, size, grain),
                    [body](const auto& range) { body(range.begin(), range.end()); });
}

/// The same; no further block begins once the task was stopped.
template <class Number = std::size_t, class Body>
void parallelForBlocks(std::type_identity_t<Number> size, std::type_identity_t<Number> grain,
                       const Task& task, Body body) {
  parallelForBlocks<Number>(size, grain, [body, &task](Number begin, Number end) {
    if (!task.cancelled()) body(begin, end);
  });
}

/// Calls body(i) for each number i from 0 to `size` - 1, in such blocks.
template <class Number = std::size_t, class Body>
void parallelFor(std::type_identity_t<Number> size, std::type_identity_t<Number> grain, Body body) {
  parallelForBlocks<Number>(size, grain, [body](Number begin, Number end) {
    for (Number i = begin; i < end; ++i) body(i);
  });
}

/// The same; no further block begins once the task was stopped.
template <class Number = std::size_t, class Body>
void parallelFor(std::type_identity_t<Number> size, std::type_identity_t<Number> grain,
                 const Task& task, Body body) {
  parallelForBlocks<Number>(size, grain, task, [body](Number begin, Number end) {
    for (Number i = begin; i < end; ++i) body(i);
  });
}

}  // namespace clusterloom
