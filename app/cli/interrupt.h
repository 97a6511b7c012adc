#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace clusterloom::cli {

/// Turns SIGINT, SIGTERM and SIGHUP (a closed terminal) into a stop request: the work then ends in
/// order, temporary files are removed and old outputs stay. A second signal ends the program at
/// once. Make it before any other thread starts, since threads inherit which signals are blocked.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  std::stop_token token() const { return source_.get_token(); }

 private:
  void watch(const std::stop_token& end);

  sigset_t signals_;
  std::stop_source source_;
  std::jthread watcher_;
};

}  // namespace clusterloom::cli
