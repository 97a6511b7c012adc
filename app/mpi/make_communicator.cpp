#include "app/mpi/make_communicator.h"

extern "C" __attribute__((visibility("default"))) clusterloom::MakeMpiCommunicator*
clusterloomMakeMpiCommunicator() {
  return clusterloom::makeMpiCommunicator;
}
