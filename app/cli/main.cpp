// clusterloom-cli: the engine on the command line, for batch jobs and benchmarks.
#include <pthread.h>
#include <tbb/global_control.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <new>
#include <optional>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>

#include "app/cli/console.h"
#include "app/cli/engine_options.h"
#include "app/cli/program.h"
#include "app/cli/ranks.h"
#include "engine/distributed/mpi_communicator.h"

namespace clusterloom::cli {
namespace {

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

/// Wakes the signal thread at the end.
constexpr int kWakeSignal = SIGUSR1;

/// Scripts ignore SIGINT for their background jobs, and nohup ignores SIGHUP. Both are respected.
bool isIgnored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

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

int statusOf(const Result<void>& done) {
  clearProgress();
  if (done) return kDone;
  const bool stopped = done.error().kind == ErrorKind::Cancelled;
  sayError(stopped ? kInterruptedMessage : done.error().message);
  return exitStatusOf(done.error().kind);
}

bool isRefused(const Command& command) { return isStartedOnRanks() && !command.onRanks; }

Result<void> runCommand(const Command& command, const Task& task) {
  if (isRefused(command))
    return badCall("The subcommand " + command.parser->get_name() +
                   " runs as one process. Start it without mpirun.");
  if (const int tasks = tasksWithoutMpi(); command.onRanks && tasks > 1) {
    if (taskNumber() > 0) muteConsole();  // the first one says it
    return badCall(withoutMpiText(tasks) +
                   " Where each is to do other work, unset SLURM_STEP_NUM_TASKS before.");
  }
  std::optional<tbb::global_control> ofAll;  // of reading and writing, too
  if (const CLI::Option* threads = command.parser->get_option_no_throw("--threads")) {
    const int most = threads->count() > 0 ? threads->as<int>() : threadsOfTask();
    if (most > 0) ofAll.emplace(tbb::global_control::max_allowed_parallelism, std::size_t(most));
    if (threads->count() > 0)
      if (const std::string note = boundText(most); !note.empty()) sayNote(note);
  }
  return command.run(task);
}

int runCalled(const Command& command) {
  const Interrupt interrupt;
  const Result<void> done = runCommand(command, {interrupt.token(), progressOnTerminal()});
  const int status = statusOf(done);
  // After the message: a process that ends with an error makes mpirun end the others, the one with
  // the message among them.
  if (status == kWrongCall)
    endRanksTogether(done.error());
  else
    endRanks();
  return status;
}

int print(const std::string& text) {
  const Result<void> printed = printText(text);
  if (!printed) sayError(printed.error().message);
  return printed ? kDone : kWorkFailed;
}

int run(int argc, char** argv) {
  if (isStartedOnRanks() && startedRank() > 0) muteConsole();
  Program program;
  const Call call = program.read(argc, argv);
  switch (call.kind) {
    case Call::Kind::Run: return runCalled(*call.command);
    case Call::Kind::Print: return print(call.text);
    case Call::Kind::Refuse: break;
  }
  sayError(call.text);
  endRanksTogether({.kind = ErrorKind::BadCall, .message = call.text});
  return kWrongCall;
}

}  // namespace
}  // namespace clusterloom::cli

int main(int argc, char** argv) {
  // A write beyond the size limit, and one that nobody reads, is an error with a message.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  const auto say = [](const std::string& message) {
    clusterloom::cli::unmuteConsole();  // no other rank knows of it
    clusterloom::cli::sayError(message);
  };
  try {
    return clusterloom::cli::run(argc, argv);
  } catch (const std::bad_alloc&) {
    say("There is not enough memory for this run.");
  } catch (const std::system_error& error) {
    say(std::string("A thread cannot be started (") + error.what() +
        "); raise the limits (ulimit -u, ulimit -v).");
  } catch (const std::exception& error) {
    say(error.what());
  }
  return clusterloom::cli::kWorkFailed;
}
