# Makes the .debs in a scratch folder and looks at what is in them: the test packaging_deb.
cmake_minimum_required(VERSION 3.25)
set(folder ${BUILD}/deb-check)
file(REMOVE_RECURSE ${folder})
# Compressing takes long; only lintian looks at it.
find_program(LINTIAN lintian)
set(compression none)
if(LINTIAN)
  set(compression gzip)
endif()
set(ENV{SOURCE_DATE_EPOCH} 1234567890)
set(ENV{TZ} UTC)
execute_process(COMMAND ${CMAKE_CPACK_COMMAND} -G DEB -B ${folder} -D CPACK_DEBIAN_COMPRESSION_TYPE=${compression}
                WORKING_DIRECTORY ${BUILD} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

# The field of a package's control file.
function(field package name out)
  execute_process(COMMAND dpkg-deb --field ${package} ${name} OUTPUT_VARIABLE value
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(${out} "${value}" PARENT_SCOPE)
endfunction()

function(expect_match text pattern what)
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "${what}: no '${pattern}' in '${text}'")
  endif()
endfunction()

set(names clusterloom-cli)
set(clusterloom-cli usr/bin/clusterloom-cli usr/share/man/man1/clusterloom-cli.1.gz
    usr/share/bash-completion/completions/clusterloom-cli
    usr/share/zsh/vendor-completions/_clusterloom-cli
    usr/share/fish/vendor_completions.d/clusterloom-cli.fish
    usr/share/clusterloom/samples/shapes-2d.csv)
set(clusterloom usr/bin/clusterloom usr/share/man/man1/clusterloom.1.gz
    usr/share/applications/clusterloom.desktop usr/share/mime/packages/clusterloom.xml
    usr/share/thumbnailers/clusterloom.thumbnailer
    usr/share/icons/hicolor/scalable/apps/clusterloom.svg)
set(python3-clusterloom usr/lib/python3/dist-packages/clusterloom/__init__.py)
if(GUI)
  list(APPEND names clusterloom)
  list(APPEND clusterloom-cli usr/lib/clusterloom/clusterloom_pictures.so)
endif()
if(MPI)
  list(APPEND clusterloom-cli usr/lib/clusterloom/clusterloom_mpi.so)
endif()
if(PYTHON)
  list(APPEND names python3-clusterloom)
endif()
if(PARAVIEW)
  list(APPEND names paraview-clusterloom)
endif()

# A pattern for the folders of this build.
string(REGEX REPLACE "([][+.*()^$?\\])" "\\\\\\1" places "${SOURCE}|${BUILD}")

file(GLOB packages ${folder}/*.deb)
list(LENGTH packages count)
list(LENGTH names expected)
if(NOT count EQUAL expected)
  message(FATAL_ERROR "The packages are ${packages}, not those of ${names}")
endif()
foreach(name ${names})
  file(GLOB package ${folder}/${name}_${VERSION}-1_*.deb)
  set(root ${folder}/${name})
  execute_process(COMMAND dpkg-deb --extract ${package} ${root} COMMAND_ERROR_IS_FATAL ANY)
  foreach(file ${${name}} usr/share/doc/${name}/copyright usr/share/doc/${name}/changelog.gz
               usr/share/doc/${name}/changelog.Debian.gz)
    if(NOT EXISTS ${root}/${file})
      message(FATAL_ERROR "${name} lacks ${file}")
    endif()
  endforeach()

  # Owners, permissions and times; no file is in two packages.
  execute_process(COMMAND dpkg-deb --contents ${package} OUTPUT_VARIABLE listed
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "\n$" "" listed "${listed}")
  string(REPLACE "\n" ";" listed "${listed}")
  foreach(line ${listed})
    if(NOT line MATCHES "^(drwxr-xr-x|-rwxr-xr-x|-rw-r--r--) root/root +[0-9]+ 2009-02-13 23:31 \\./(.*)$")
      message(FATAL_ERROR "${name}: ${line}")
    endif()
    set(mode ${CMAKE_MATCH_1})
    set(file ${CMAKE_MATCH_2})
    if((mode STREQUAL "-rwxr-xr-x") AND NOT file MATCHES "^usr/bin/")
      message(FATAL_ERROR "${name}: ${file} is executable")
    endif()
    if(NOT mode MATCHES "^d")
      if(file IN_LIST files)
        message(FATAL_ERROR "${file} is in two packages")
      endif()
      list(APPEND files ${file})
    endif()
  endforeach()

  # Programs are stripped and look for libraries where the distribution has them. They do not hold the
  # names of the folders of this build: elsewhere, the same source gives the same bytes. Only nvcc
  # writes them, for lines of the engine.
  file(GLOB binaries ${root}/usr/bin/* ${root}/usr/lib/clusterloom/*.so
       ${root}/usr/lib/python3/dist-packages/clusterloom/*.so
       ${root}/usr/lib/*/paraview-*/plugins/Clusterloom/Clusterloom.so)
  if(NOT binaries)
    message(FATAL_ERROR "${name} has neither a program nor a library")
  endif()
  foreach(binary ${binaries})
    execute_process(COMMAND ${READELF} --dynamic --section-headers --wide ${binary}
                    OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
    if(said MATCHES "R(UN)?PATH| \\.symtab ")
      message(FATAL_ERROR "${binary} has '${CMAKE_MATCH_0}'")
    endif()
    expect_match("${said}" "NEEDED" ${binary})
    file(STRINGS ${binary} paths REGEX "${places}")
    if(CUDA)
      list(FILTER paths EXCLUDE REGEX "/engine/")
    endif()
    if(paths)
      message(FATAL_ERROR "${binary} holds names of folders of its build: ${paths}")
    endif()
  endforeach()

  field(${package} Version said)
  expect_match("${said}" "^${VERSION}-1$" "version of ${name}")
  field(${package} Depends depends_${name})
  expect_match("${depends_${name}}" "libtbb" "dependencies of ${name}")
endforeach()

# The words of the licence are those of LICENSE.
file(READ ${folder}/clusterloom-cli/usr/share/doc/clusterloom-cli/copyright copyright)
file(READ ${SOURCE}/LICENSE licence)
string(REGEX REPLACE "\n *\\.?\n" "\n" copyright "${copyright}")
string(REGEX REPLACE "[ \n]+" " " copyright "${copyright}")
string(REGEX REPLACE "^.*Redistribution and use" "Redistribution and use" licence "${licence}")
string(REGEX REPLACE "[ \n]+" " " licence "${licence}")
string(STRIP "${licence}" licence)
string(FIND "${copyright}" "${licence}" at)
if(at LESS 0)
  message(FATAL_ERROR "The file copyright has not the text of LICENSE: ${copyright}")
endif()

if(depends_clusterloom-cli MATCHES "libqt6widgets")
  message(FATAL_ERROR "clusterloom-cli needs ${depends_clusterloom-cli}")
endif()
if(GUI)
  expect_match("${depends_clusterloom}" "clusterloom-cli \\(= ${VERSION}-1\\)" "dependencies of clusterloom")
  expect_match("${depends_clusterloom-cli}" "libvtk" "dependencies of clusterloom-cli")
  expect_match("${depends_clusterloom}" "libqt6widgets6" "dependencies of clusterloom")
endif()
if(PYTHON)
  expect_match("${depends_python3-clusterloom}" "python3-numpy" "dependencies of python3-clusterloom")
  expect_match("${depends_python3-clusterloom}" "python3 \\(<< 3\\.[0-9]+\\)" "dependencies of python3-clusterloom")
endif()
if(PARAVIEW)
  expect_match("${depends_paraview-clusterloom}" "paraview" "dependencies of paraview-clusterloom")
endif()

if(LINTIAN)
  execute_process(COMMAND ${LINTIAN} --allow-root --fail-on error ${packages}
                  OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "lintian: ${said}")
  endif()
endif()
file(REMOVE_RECURSE ${folder})
