#include "app/cli/task_threads.h"

#include <tbb/info.h>
#include <unistd.h>

#include <cstdlib>

namespace clusterloom::cli {

int threadsOfTask() {
  const char* const text = std::getenv("SLURM_CPUS_PER_TASK");
  const int threads = text != nullptr ? std::atoi(text) : 0;
  return threads > 0 && threads < tbb::info::default_concurrency() ? threads : 0;
}

std::string boundText(int threads) {
  const int processors = tbb::info::default_concurrency();
  const long all = ::sysconf(_SC_NPROCESSORS_ONLN);
  if (threads <= processors || processors >= all) return {};
  return "--threads " + std::to_string(threads) + ": this process is bound to " +
         std::to_string(processors) + " of " + std::to_string(all) +
         " processors, so that its threads wait for each other. Give srun --cpus-per-task, or "
         "mpirun --bind-to none.";
}

}  // namespace clusterloom::cli
