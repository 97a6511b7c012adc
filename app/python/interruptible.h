#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom::python {

/// The error as Python's exception, its parameters called by their names in Python: ValueError for
/// data and calls that make no sense, MemoryError for what does not fit, OSError for files, else
/// RuntimeError; with the engine's message.
[[noreturn]] void raise(const Error& error);

/// Lets Python shut down: calls of other threads are stopped and waited for, later ones raise
/// RuntimeError. While Python shuts down, it unwinds the stack of a thread that asks for the
/// interpreter lock, which C++ code does not survive. Called by Python's atexit. A call whose
/// progress callback does not return is waited for up to 20 s, or until Ctrl-C.
void endCalls();

/// A call that releases the interpreter lock, while it lives; made and gone with the lock held.
/// Throws RuntimeError when Python shuts down.
class RunningCall {
 public:
  RunningCall();
  RunningCall(const RunningCall&) = delete;
  RunningCall& operator=(const RunningCall&) = delete;
  ~RunningCall();
};

/// Runs `work` in another thread. This one waits for it without the interpreter lock, looks for
/// signals every 50 ms, and calls progress(stage, fraction) where `progress` is not None. A signal
/// handler or a progress callback that raises stops the work; its exception is then thrown.
void waitFor(const std::function<void(const Task&)>& work, const pybind11::object& progress);

/// The value of work(task), which returns a Result. Its error is raised.
template <class Work>
auto interruptibly(const pybind11::object& progress, Work&& work) {
  std::optional<std::invoke_result_t<Work&, const Task&>> outcome;
  waitFor([&](const Task& task) { outcome.emplace(work(task)); }, progress);
  if (!*outcome) raise(outcome->error());
  return std::move(**outcome);
}

}  // namespace clusterloom::python
