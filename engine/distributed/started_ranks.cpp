#include <algorithm>
#include <cstdlib>
#include <string>

#include "engine/distributed/mpi_communicator.h"

namespace clusterloom {

int startedRanks() {
  // Open MPI; MPICH and Slurm's PMI-2; Slurm with PMIx, which gives the size as SLURM_NTASKS.
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* size = std::getenv(name)) return std::max(1, std::atoi(size));
  if (std::getenv("PMIX_RANK") != nullptr)
    if (const char* size = std::getenv("SLURM_NTASKS")) return std::max(1, std::atoi(size));
  return 1;
}

}  // namespace clusterloom
