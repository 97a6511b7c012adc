#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "engine/distributed/communicator.h"

namespace clusterloom {

/// How messages travel between processes.
struct MpiOptions {
  /// Longest part of a message that is handed to MPI at once, the same on all ranks; 0: chosen by
  /// the number of ranks. Buffers of up to four times as many bytes a rank stay in use.
  std::size_t chunkBytes = 0;
};

/// Number of ranks that mpirun, srun or another process manager has started for this job, by its
/// environment variables; 1 where none started any, 0 where there are ranks but only MPI knows how
/// many.
int startedRanks();
/// Number of tasks that Slurm's srun has started as separate processes, without making them ranks
/// of MPI; 1 where it did not. And the number of this task among them.
int tasksWithoutMpi();
int taskNumber();
/// The message where `tasks` tasks should have been the ranks of one job.
std::string withoutMpiText(int tasks);
/// Number of this process among them, and among those on its machine; 0 where none was started.
int startedRank();
int startedLocalRank();

/// The communicator of this process among those that mpirun has started, made once in a process, by
/// its main thread, which also destroys it: that ends MPI and waits for the other ranks, which must
/// do the same. BadCall where MPI has another number of ranks than were started. It is no part of
/// the library of the engine, so that a program does not load MPI in vain: app/mpi is a library of
/// it, which the program loads where it is a rank.
///
/// A separate thread makes all calls of MPI, so that messages move and failures arrive while the
/// rank computes. After a failure it discards messages in transit, and the processes end in order.
/// A process that is killed ends the others by the process manager.
Result<std::unique_ptr<Communicator>> makeMpiCommunicator(const MpiOptions& options = {});

}  // namespace clusterloom
