#include "app/cli/interrupt.h"

#include <pthread.h>
#include <unistd.h>

#include "app/cli/exit_status.h"

namespace clusterloom::cli {

namespace {

/// Wakes the signal thread at the end.
constexpr int kWakeSignal = SIGUSR1;

/// Scripts ignore SIGINT for their background jobs, and nohup ignores SIGHUP. Both are respected.
bool isIgnored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

// The signals are blocked in every thread and fetched by one, so no code runs inside a handler.
Interrupt::Interrupt() {
  sigemptyset(&signals_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (!isIgnored(signal)) sigaddset(&signals_, signal);
  sigaddset(&signals_, kWakeSignal);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  watcher_ = std::jthread([this](const std::stop_token& end) { watch(end); });
}

Interrupt::~Interrupt() {
  watcher_.request_stop();
  pthread_kill(watcher_.native_handle(), kWakeSignal);
}

void Interrupt::watch(const std::stop_token& end) {
  while (!end.stop_requested()) {
    int signal = 0;
    if (sigwait(&signals_, &signal) != 0 || signal == kWakeSignal) continue;
    if (source_.stop_requested()) _exit(kInterrupted);
    source_.request_stop();
  }
}

}  // namespace clusterloom::cli
