#include "engine/distributed/mpi_communicator.h"

namespace clusterloom {

Result<std::unique_ptr<Communicator>> makeMpiCommunicator(const MpiOptions&) {
  return unavailable(
      "This job was started as several ranks, but MPI is not in this build. Install libopenmpi-dev "
      "and build again with -DCLUSTERLOOM_MPI=ON, or start the program without mpirun.");
}

}  // namespace clusterloom
