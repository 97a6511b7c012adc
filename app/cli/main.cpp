// clusterloom-cli: the engine on the command line, for batch jobs and benchmarks.
#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <system_error>

#include "app/cli/console.h"
#include "app/cli/exit_status.h"
#include "app/cli/interrupt.h"
#include "app/cli/program.h"
#include "app/cli/ranks.h"
#include "app/cli/task_threads.h"
#include "engine/distributed/mpi_communicator.h"

namespace clusterloom::cli {
namespace {

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
  if (const CLI::Option* threads = command.parser->get_option_no_throw("--threads");
      threads != nullptr && threads->count() > 0)
    if (const std::string note = boundText(threads->as<int>()); !note.empty()) sayNote(note);
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
