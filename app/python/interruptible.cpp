#include "app/python/interruptible.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <string>
#include <thread>

#include "engine/core/utf8_text.h"
#include "engine/core/watched_call.h"

namespace clusterloom::python {

namespace py = pybind11;

namespace {

/// The message in the words of the module: its names of parameters, and text that Python takes.
std::string inPythonsWords(const std::string& message) {
  std::string text = asUtf8(message);
  const auto rename = [&text](const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  };
  rename("minPts", "min_samples");
  rename("ε", "eps");
  rename("--device", "device");
  rename("--threads", "n_jobs");
  return text;
}

/// The calls of this process that run. Atomic, so that a process that forks meanwhile may use it.
struct RunningCalls {
  std::atomic<pid_t> process = 0;
  std::atomic<int> count = 0;
  std::atomic<bool> ended = false;

  /// After a fork there are none: other threads are gone.
  void own() {
    if (process == ::getpid()) return;
    count = 0;
    ended = false;
    process = ::getpid();
  }
};
RunningCalls running;

}  // namespace

RunningCall::RunningCall() {
  running.own();
  if (running.ended) {
    PyErr_SetString(PyExc_RuntimeError, "Python is shutting down, so no call can begin.");
    throw py::error_already_set();
  }
  ++running.count;
}

RunningCall::~RunningCall() { --running.count; }

void endCalls() {
  running.own();
  running.ended = true;
  const auto longest = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (running.count > 0 && std::chrono::steady_clock::now() < longest) {
    {
      const py::gil_scoped_release unlocked;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
}

void raise(const Error& error) {
  PyObject* type = PyExc_RuntimeError;
  switch (error.kind) {
    case ErrorKind::BadInput:
    case ErrorKind::BadCall: type = PyExc_ValueError; break;
    case ErrorKind::TooLarge: type = PyExc_MemoryError; break;
    case ErrorKind::Io: type = PyExc_OSError; break;
    case ErrorKind::Cancelled:
    case ErrorKind::Unavailable: break;
  }
  PyErr_SetString(type, inPythonsWords(error.message).c_str());
  throw py::error_already_set();
}

void waitFor(const std::function<void(const Task&)>& work, const py::object& progress) {
  if (!progress.is_none() && PyCallable_Check(progress.ptr()) == 0) {
    const py::object type = py::module_::import("clusterloom._options").attr("ParameterError");
    PyErr_SetString(type.ptr(), "progress must be a function of a stage and a fraction, or None");
    throw py::error_already_set();
  }
  const RunningCall call;
  std::exception_ptr raised;
  {
    const py::gil_scoped_release unlocked;
    watchedCall(
        work,
        [&](const WatchedProgress* told) {
          const py::gil_scoped_acquire locked;
          try {
            if (running.ended) {
              PyErr_SetString(PyExc_RuntimeError,
                              "Python is shutting down, so the call was stopped.");
              throw py::error_already_set();
            }
            if (PyErr_CheckSignals() != 0) throw py::error_already_set();
            if (told != nullptr) progress(told->stage, told->fraction);
          } catch (...) {
            raised = std::current_exception();
          }
          return !raised;
        },
        !progress.is_none());
  }
  if (raised) std::rethrow_exception(raised);
}

}  // namespace clusterloom::python
