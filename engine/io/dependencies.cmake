# engine/io: readers and writers. xxHash names inputs, nlohmann-json writes NPY's provenance.
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
find_library(XXHASH_LIBRARY xxhash REQUIRED)
configure_file(${PROJECT_SOURCE_DIR}/engine/version.h.in
               ${PROJECT_BINARY_DIR}/generated/engine/version.h @ONLY)
clusterloom_engine_module(io ${XXHASH_LIBRARY} nlohmann_json::nlohmann_json)
target_include_directories(clusterloom_io PRIVATE ${XXHASH_INCLUDE_DIR})
target_link_libraries(clusterloom_io PUBLIC clusterloom_cloud clusterloom_dbscan)
