# Installs the build into a scratch folder and looks at what came: the test packaging_install.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/check_sample.cmake)
set(prefix ${BUILD}/install-check)
file(REMOVE_RECURSE ${prefix})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix}
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

# What each component has; a pattern for the extension, whose name tells Python's version.
set(cli bin/clusterloom-cli share/bash-completion/completions/clusterloom-cli
        share/zsh/site-functions/_clusterloom-cli
        share/fish/vendor_completions.d/clusterloom-cli.fish share/man/man1/clusterloom-cli.1
        share/clusterloom/samples/shapes-2d.csv share/clusterloom/samples/shapes-3d.csv
        share/doc/clusterloom/LICENSE)
set(window bin/clusterloom share/bash-completion/completions/clusterloom
           share/zsh/site-functions/_clusterloom share/man/man1/clusterloom.1
           share/fish/vendor_completions.d/clusterloom.fish
           share/applications/clusterloom.desktop
           share/icons/hicolor/scalable/apps/clusterloom.svg
           share/icons/hicolor/scalable/mimetypes/application-x-clusterloom-session.svg
           share/mime/packages/clusterloom.xml share/thumbnailers/clusterloom.thumbnailer
           share/metainfo/example.clusterloom.clusterloom.metainfo.xml
           share/clusterloom/lessons/1-what-a-warp-is.json)
set(python ${PYTHON_DIR}/clusterloom/__init__.py ${PYTHON_DIR}/clusterloom/py.typed
           ${PYTHON_DIR}/clusterloom/_engine.*.so)
set(paraview ${PARAVIEW_DIR}/Clusterloom.so)
set(components cli)
if(GUI)
  list(APPEND components window)
  list(APPEND cli lib/clusterloom/clusterloom_pictures.so)
endif()
if(MPI)
  list(APPEND cli lib/clusterloom/clusterloom_mpi.so)
endif()
if(PYTHON_DIR)
  list(APPEND components python)
endif()
if(PARAVIEW_DIR)
  list(APPEND components paraview)
endif()
foreach(component ${components})
  foreach(name ${${component}})
    file(GLOB found ${prefix}/${name})
    if(NOT found)
      message(FATAL_ERROR "cmake --install left out ${name}")
    endif()
  endforeach()
endforeach()

# Every file is in one component, which has what it should: a package is made of each.
file(GLOB_RECURSE all RELATIVE ${prefix} ${prefix}/*)
foreach(component ${components})
  file(REMOVE_RECURSE ${prefix}-part)
  execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix}-part
                          --component ${component}
                  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  foreach(name ${${component}})
    file(GLOB found ${prefix}-part/${name})
    if(NOT found)
      message(FATAL_ERROR "${name} is not in the component ${component}")
    endif()
  endforeach()
  file(GLOB_RECURSE part RELATIVE ${prefix}-part ${prefix}-part/*)
  foreach(name ${part})
    if(NOT name IN_LIST all)
      message(FATAL_ERROR "${name} is in two components")
    endif()
    list(REMOVE_ITEM all ${name})
  endforeach()
endforeach()
file(REMOVE_RECURSE ${prefix}-part)
if(all)
  message(FATAL_ERROR "${all}: in no component, and so in no package")
endif()

# The completion is read by bash and knows a subcommand, an option, a value, and a file whose name
# has a blank.
find_program(BASH bash)
if(BASH)
  file(WRITE "${prefix}/blank/with blank.csv" "x\n1\n")
  execute_process(
    COMMAND ${BASH} -c "source \"$0\"; complete() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _clusterloom_cli; printf '%s|' \"\${COMPREPLY[@]}\"; }; complete clusterloom-cli clu; complete clusterloom-cli join --hist; complete clusterloom-cli join --pattern uni; cd \"$1\"; complete clusterloom-cli info with"
            ${prefix}/share/bash-completion/completions/clusterloom-cli ${prefix}/blank
    OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
  if(NOT said STREQUAL "cluster|--histogram|unicomp|with blank.csv|")
    message(FATAL_ERROR "the completion for bash says '${said}'")
  endif()
endif()

execute_process(COMMAND ${prefix}/bin/clusterloom-cli --version OUTPUT_VARIABLE said
                COMMAND_ERROR_IS_FATAL ANY)
if(NOT said STREQUAL "clusterloom-cli ${VERSION}\n")
  message(FATAL_ERROR "the installed program says '${said}'")
endif()
check_sample(${prefix})
if(PYTHON_DIR)
  # The extension by itself: the package needs NumPy, which may not be there.
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env PYTHONDONTWRITEBYTECODE=1 ${PYTHON} -c
            "import sys; sys.path.insert(0, sys.argv[1]); import _engine; print(_engine.__version__)"
            ${prefix}/${PYTHON_DIR}/clusterloom
    OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
  if(NOT said STREQUAL "${VERSION}\n")
    message(FATAL_ERROR "the installed Python module says '${said}'")
  endif()
endif()
file(REMOVE_RECURSE ${prefix})
