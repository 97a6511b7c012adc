# Makes the archive with its libraries in a scratch folder and looks at what is in it: the test
# packaging_bundle. GUI, BUILD, VERSION and READELF come from CMakeLists.txt.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/check_sample.cmake)
set(folder ${BUILD}/bundle-check)
file(REMOVE_RECURSE ${folder})
execute_process(COMMAND ${CMAKE_CPACK_COMMAND} -G TGZ -B ${folder}
                WORKING_DIRECTORY ${BUILD} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(GLOB archive ${folder}/clusterloom-${VERSION}-*.tar.gz)
file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${folder}/out)
file(GLOB root ${folder}/out/clusterloom-*)
file(REAL_PATH ${root} root)

# What the system must have: the C and C++ runtime of ../README.md.
set(base "^(ld-linux.*|linux-vdso|lib(c|m|dl|rt|pthread|resolv|gcc_s|stdc\\+\\+))\\.so")

set(programs clusterloom-cli)
set(expected share/clusterloom/samples/shapes-2d.csv)
if(GUI)
  list(APPEND programs clusterloom)
  list(APPEND expected lib/plugins/platforms/libqxcb.so lib/plugins/platforms/libqoffscreen.so
                       libexec/qt.conf)
endif()
foreach(program ${programs})
  list(APPEND expected bin/${program} libexec/${program})
endforeach()
foreach(name ${expected})
  if(NOT EXISTS ${root}/${name})
    message(FATAL_ERROR "The archive lacks ${name}")
  endif()
endforeach()

# Every library that a file of the archive names is one of the archive or of the base, and none is
# looked for in a folder of the machine that built it.
file(GLOB_RECURSE files ${root}/libexec/* ${root}/lib/*)
set(checked 0)
foreach(file ${files})
  file(READ ${file} magic LIMIT 4 HEX)
  if(NOT magic STREQUAL "7f454c46")
    continue()
  endif()
  math(EXPR checked "${checked} + 1")
  execute_process(COMMAND ${READELF} --dynamic --wide ${file} OUTPUT_VARIABLE dynamic
                  COMMAND_ERROR_IS_FATAL ANY)
  # Brackets would keep the elements of CMake's lists together.
  string(REGEX REPLACE "[][]" "|" dynamic "${dynamic}")
  string(REGEX MATCHALL "\\(NEEDED\\)[^\n|]*\\|[^|\n]+" needed "${dynamic}")
  foreach(line ${needed})
    string(REGEX REPLACE "^.*\\|" "" name "${line}")
    if(NOT name MATCHES "${base}" AND NOT EXISTS ${root}/lib/clusterloom/${name}
       AND NOT EXISTS ${root}/lib/fallback/${name}/${name})
      message(SEND_ERROR "${file} needs ${name}, which the archive lacks")
    endif()
  endforeach()
  string(REGEX MATCHALL "\\(R(UN)?PATH\\)[^\n|]*\\|[^|\n]+" paths "${dynamic}")
  foreach(line ${paths})
    string(REGEX REPLACE "^.*\\|" "" places "${line}")
    string(REPLACE ":" ";" places "${places}")
    get_filename_component(own ${file} DIRECTORY)
    foreach(place ${places})
      string(REGEX REPLACE "^\\$(ORIGIN|{ORIGIN})" "${own}" place "${place}")
      cmake_path(NORMAL_PATH place)
      cmake_path(IS_PREFIX root "${place}" inside)
      if(NOT inside)
        message(SEND_ERROR "${file} looks for libraries in ${place}")
      endif()
    endforeach()
  endforeach()
endforeach()
if(checked LESS 3)
  message(FATAL_ERROR "Only ${checked} programs and libraries are in the archive")
endif()

# The loader finds them there, too: with the folders that bin/ adds on a system that has none of them.
file(GLOB fallback ${root}/lib/fallback/*)
string(REPLACE ";" ":" fallback "${fallback}")
find_program(LDD ldd REQUIRED)
foreach(program ${programs})
  execute_process(COMMAND ${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${fallback}
                          ${LDD} ${root}/libexec/${program}
                  OUTPUT_VARIABLE found COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^ \t\n]+ => [^\n]+" found "${found}")
  foreach(line ${found})
    string(REGEX MATCH "^([^ ]+) => ([^\n]+)" line "${line}")
    set(name ${CMAKE_MATCH_1})
    cmake_path(SET place NORMALIZE "${CMAKE_MATCH_2}")
    cmake_path(IS_PREFIX root "${place}" inside)
    if(NOT inside AND NOT name MATCHES "${base}")
      message(SEND_ERROR "${program} takes ${name} from ${place}")
    endif()
  endforeach()
endforeach()

# The archive works where it was unpacked.
foreach(program ${programs})
  execute_process(COMMAND ${CMAKE_COMMAND} -E env QT_QPA_PLATFORM=offscreen
                          ${root}/bin/${program} --version
                  OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
  if(NOT said STREQUAL "${program} ${VERSION}\n")
    message(FATAL_ERROR "${program} of the archive says '${said}'")
  endif()
endforeach()
check_sample(${root})
message(STATUS "${checked} programs and libraries")
file(REMOVE_RECURSE ${folder})
