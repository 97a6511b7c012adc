#pragma once

#include "engine/distributed/mpi_communicator.h"

namespace clusterloom {

/// makeMpiCommunicator.
using MakeMpiCommunicator = Result<std::unique_ptr<Communicator>>(const MpiOptions& options);

/// The library that links MPI, which the program loads with it and only as one of several ranks,
/// and its function without arguments that returns a MakeMpiCommunicator*. Library and program are
/// of one build.
inline constexpr const char* kMpiLibrary = "clusterloom_mpi.so";
inline constexpr const char* kMpiSymbol = "clusterloomMakeMpiCommunicator";

}  // namespace clusterloom
