# engine/distributed: ranks in one process, and in several where MPI is found. With
# CLUSTERLOOM_MPI=ON no MPI is an error. What calls MPI is no part of the library: programs load it
# where they are started as ranks (app/mpi).
set(CLUSTERLOOM_MPI AUTO CACHE STRING "Build the communicator of MPI: AUTO (where MPI is found), ON or OFF")
set_property(CACHE CLUSTERLOOM_MPI PROPERTY STRINGS AUTO ON OFF)
set(CLUSTERLOOM_HAS_MPI OFF)
if(CLUSTERLOOM_MPI)
  find_package(MPI QUIET COMPONENTS C)
  if(MPI_C_FOUND)
    set(CLUSTERLOOM_HAS_MPI ON)
  elseif(CLUSTERLOOM_MPI STREQUAL "AUTO")
    message(STATUS "No MPI: building without it")
  else()
    message(FATAL_ERROR "CLUSTERLOOM_MPI is ON and no MPI is found; install libopenmpi-dev")
  endif()
endif()

clusterloom_engine_module(distributed LIGHTLY TBB::tbb Threads::Threads)
target_link_libraries(clusterloom_distributed PUBLIC clusterloom_blocks clusterloom_hybrid clusterloom_io)
get_target_property(sources clusterloom_distributed SOURCES)
list(FILTER sources EXCLUDE REGEX "/mpi_communicator\\.cpp$")
set_target_properties(clusterloom_distributed PROPERTIES SOURCES "${sources}")
set(CLUSTERLOOM_HAS_MPI ${CLUSTERLOOM_HAS_MPI} CACHE INTERNAL "The communicator of MPI is in this build")
