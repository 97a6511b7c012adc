#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

#include "engine/distributed/mpi_communicator.h"

namespace clusterloom {
namespace {

// The first of these variables that is set, as a number; 0 where none is.
int firstNumberOf(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const char* number = std::getenv(name)) return std::max(0, std::atoi(number));
  return 0;
}

}  // namespace

int startedRank() { return firstNumberOf({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"}); }

int startedLocalRank() {
  return firstNumberOf({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"});
}

int startedRanks() {
  // Open MPI; MPICH and Slurm's PMI-2.
  if (const int size = firstNumberOf({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}); size > 0) return size;
  if (std::getenv("PMIX_RANK") == nullptr) return 1;
  // Slurm's PMIx gives the size by its own variables. They are also set for the processes of
  // another starter inside a Slurm job, such as prterun, where they are of something else.
  const char* const space = std::getenv("PMIX_NAMESPACE");
  const bool ofSlurm = space != nullptr && std::string_view(space).starts_with("slurm.pmix");
  return ofSlurm ? firstNumberOf({"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"}) : 0;
}

int tasksWithoutMpi() {
  if (startedRanks() != 1 || std::getenv("PMIX_RANK") != nullptr) return 1;
  if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMI_SIZE") != nullptr)
    return 1;
  return std::max(1, firstNumberOf({"SLURM_STEP_NUM_TASKS"}));
}

int taskNumber() { return firstNumberOf({"SLURM_PROCID"}); }

std::string withoutMpiText(int tasks) {
  return "This program was started as " + std::to_string(tasks) +
         " tasks that do not know of each other, and each would do the whole work. Start it by "
         "srun --mpi=pmix (srun --mpi=list shows what this Slurm has) or by mpirun.";
}

}  // namespace clusterloom
