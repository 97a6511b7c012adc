# Reading and writing of clouds, timed. Included by tests/bench/CMakeLists.txt.
add_executable(io_bench io_bench.cpp)
target_link_libraries(io_bench PRIVATE clusterloom_io clusterloom_io_libraries)
foreach(format HDF5 FITS)
  if(CLUSTERLOOM_HAS_${format})
    target_compile_definitions(io_bench PRIVATE CLUSTERLOOM_HAS_${format})
  endif()
endforeach()
