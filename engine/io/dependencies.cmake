# engine/io: readers and writers. lzf unpacks PCD's binary_compressed, xxHash names inputs.
find_path(LZF_INCLUDE_DIR lzf.h PATH_SUFFIXES liblzf REQUIRED)
find_library(LZF_LIBRARY lzf REQUIRED)
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
find_library(XXHASH_LIBRARY xxhash REQUIRED)
clusterloom_engine_room(io ${LZF_LIBRARY} ${XXHASH_LIBRARY} nlohmann_json::nlohmann_json)
target_include_directories(clusterloom_io PRIVATE ${LZF_INCLUDE_DIR} ${XXHASH_INCLUDE_DIR})
target_link_libraries(clusterloom_io PUBLIC clusterloom_cloud clusterloom_dbscan)
