# engine/io: readers and writers. xxHash names inputs, nlohmann-json writes NPY's provenance, zlib and
# Zstandard unpack and pack files of every format.
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
find_library(XXHASH_LIBRARY xxhash REQUIRED)
find_package(ZLIB REQUIRED)
find_path(ZSTD_INCLUDE_DIR zstd.h REQUIRED)
find_library(ZSTD_LIBRARY zstd REQUIRED)
configure_file(${PROJECT_SOURCE_DIR}/engine/version.h.in
               ${PROJECT_BINARY_DIR}/generated/engine/version.h @ONLY)
# What reading and writing files needs; the fuzzed copy of the readers links it too.
add_library(clusterloom_io_libraries INTERFACE)
target_link_libraries(clusterloom_io_libraries INTERFACE ${XXHASH_LIBRARY} nlohmann_json::nlohmann_json
                                                         ZLIB::ZLIB ${ZSTD_LIBRARY})
target_include_directories(clusterloom_io_libraries INTERFACE ${XXHASH_INCLUDE_DIR} ${ZSTD_INCLUDE_DIR})
clusterloom_engine_module(io clusterloom_io_libraries)
target_link_libraries(clusterloom_io PUBLIC clusterloom_cloud clusterloom_dbscan)
