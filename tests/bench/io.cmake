# Reading and writing of clouds, timed. Included by tests/bench/CMakeLists.txt.
add_executable(io_bench io_bench.cpp)
target_link_libraries(io_bench PRIVATE clusterloom_io clusterloom_io_libraries)
