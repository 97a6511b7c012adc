#include "app/python/interruptible.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

#include "engine/core/utf8_text.h"

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

}  // namespace

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
  constexpr std::chrono::milliseconds kBetweenLooks{50};
  if (!progress.is_none() && PyCallable_Check(progress.ptr()) == 0) {
    const py::object type = py::module_::import("clusterloom._options").attr("ParameterError");
    PyErr_SetString(type.ptr(), "progress must be a function of a stage and a fraction, or None");
    throw py::error_already_set();
  }
  std::stop_source stop;
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  bool moved = false;
  std::string stage;
  double fraction = 0;
  std::exception_ptr thrown;

  Task task{.stop = stop.get_token(), .progress = {}};
  if (!progress.is_none())
    task.progress = [&](std::string_view nowIn, double nowAt) {
      const std::lock_guard lock(mutex);
      stage = nowIn;
      fraction = nowAt;
      moved = true;
    };
  std::thread worker([&] {
    try {
      work(task);
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    done = true;
    ended.notify_one();
  });

  std::exception_ptr raised;
  for (bool finished = false; !finished;) {
    std::string reportedStage;
    double reportedFraction = 0;
    bool report = false;
    {
      py::gil_scoped_release unlocked;
      std::unique_lock lock(mutex);
      ended.wait_for(lock, kBetweenLooks, [&] { return done; });
      finished = done;
      report = std::exchange(moved, false);
      if (report) reportedStage = stage;
      reportedFraction = fraction;
    }
    if (raised) continue;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (report) progress(reportedStage, reportedFraction);
    } catch (...) {
      raised = std::current_exception();
      stop.request_stop();
    }
  }
  worker.join();
  if (raised) std::rethrow_exception(raised);
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace clusterloom::python
