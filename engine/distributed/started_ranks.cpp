#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <string>

#include "engine/distributed/mpi_communicator.h"

namespace clusterloom {
namespace {

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
  // Open MPI; MPICH and Slurm's PMI-2; Slurm with PMIx, which gives the size as SLURM_NTASKS.
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* size = std::getenv(name)) return std::max(1, std::atoi(size));
  if (std::getenv("PMIX_RANK") != nullptr)
    if (const char* size = std::getenv("SLURM_NTASKS")) return std::max(1, std::atoi(size));
  return 1;
}

}  // namespace clusterloom
