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
                                                         ZLIB::ZLIB ${ZSTD_LIBRARY} TBB::tbb)
target_include_directories(clusterloom_io_libraries INTERFACE ${XXHASH_INCLUDE_DIR} ${ZSTD_INCLUDE_DIR})

# clusterloom_optional_library(NAME HEADER SUFFIX LIBRARIES PACKAGE OUT): sets OUT where the library is
# found and CLUSTERLOOM_NAME allows it. Without it the program says so when such a file is opened.
function(clusterloom_optional_library name header suffix libraries package out)
  set(CLUSTERLOOM_${name} AUTO CACHE STRING "Read ${name} files: AUTO (where the library is found), ON or OFF")
  set_property(CACHE CLUSTERLOOM_${name} PROPERTY STRINGS AUTO ON OFF)
  set(${out} OFF PARENT_SCOPE)
  if(NOT CLUSTERLOOM_${name})
    return()
  endif()
  find_path(CLUSTERLOOM_${name}_INCLUDE_DIR ${header} PATH_SUFFIXES ${suffix})
  find_library(CLUSTERLOOM_${name}_LIBRARY NAMES ${libraries})
  mark_as_advanced(CLUSTERLOOM_${name}_INCLUDE_DIR CLUSTERLOOM_${name}_LIBRARY)
  if(CLUSTERLOOM_${name}_INCLUDE_DIR AND CLUSTERLOOM_${name}_LIBRARY)
    target_link_libraries(clusterloom_io_libraries INTERFACE ${CLUSTERLOOM_${name}_LIBRARY})
    target_include_directories(clusterloom_io_libraries SYSTEM INTERFACE ${CLUSTERLOOM_${name}_INCLUDE_DIR})
    set(${out} ON PARENT_SCOPE)
  elseif(CLUSTERLOOM_${name} STREQUAL "AUTO")
    message(STATUS "No ${package}: ${name} files will not be read")
  else()
    message(FATAL_ERROR "CLUSTERLOOM_${name} is ON and ${package} is not installed")
  endif()
endfunction()
# Debian has a serial and an MPI build of HDF5 side by side; the serial one is used.
clusterloom_optional_library(HDF5 hdf5.h hdf5/serial "hdf5_serial;hdf5" libhdf5-dev CLUSTERLOOM_HAS_HDF5)
clusterloom_optional_library(FITS fitsio.h cfitsio cfitsio libcfitsio-dev CLUSTERLOOM_HAS_FITS)

clusterloom_engine_module(io clusterloom_io_libraries)
# The sources that are not of this build: those of a reader, or those in its place.
set(clusterloom_io_left_out)
if(CLUSTERLOOM_HAS_HDF5)
  list(APPEND clusterloom_io_left_out "/io/hdf5_missing.cpp$")
else()
  list(APPEND clusterloom_io_left_out "/io/hdf5/")
endif()
if(CLUSTERLOOM_HAS_FITS)
  list(APPEND clusterloom_io_left_out "/io/fits_missing.cpp$")
else()  # FITS is written without its library
  list(APPEND clusterloom_io_left_out "/io/fits/read_fits.cpp$")
endif()
get_target_property(sources clusterloom_io SOURCES)
foreach(left_out ${clusterloom_io_left_out})
  list(FILTER sources EXCLUDE REGEX ${left_out})
endforeach()
set_target_properties(clusterloom_io PROPERTIES SOURCES "${sources}")
target_link_libraries(clusterloom_io PUBLIC clusterloom_cloud clusterloom_dbscan clusterloom_load)
set(CLUSTERLOOM_HAS_HDF5 ${CLUSTERLOOM_HAS_HDF5} CACHE INTERNAL "HDF5 files are read in this build")
set(CLUSTERLOOM_HAS_FITS ${CLUSTERLOOM_HAS_FITS} CACHE INTERNAL "FITS files are read in this build")
set(clusterloom_io_left_out ${clusterloom_io_left_out} CACHE INTERNAL "Sources that are not of this build")
