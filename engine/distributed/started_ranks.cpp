#include <algorithm>
#include <cstdlib>
#include <initializer_list>

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
  // Open MPI; MPICH and Slurm's PMI-2. Slurm with PMIx gives the size as SLURM_NTASKS, which it
  // sets also for a program that is not a rank of an MPI job.
  const bool pmix = std::getenv("PMIX_RANK") != nullptr;
  const int size = firstNumberOf({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"});
  return std::max(1, size == 0 && pmix ? firstNumberOf({"SLURM_NTASKS"}) : size);
}

}  // namespace clusterloom
