#pragma once

#include <string>

namespace clusterloom::cli {

/// CPU threads that Slurm gives to this task (SLURM_CPUS_PER_TASK) where the process may use more
/// processors, as without binding; 0 otherwise: as many as it may use.
int threadsOfTask();

/// The note where a call requests more threads than the processors to which this process is bound,
/// as srun and mpirun bind; empty where it is not bound, or to enough.
std::string boundText(int threads);

}  // namespace clusterloom::cli
