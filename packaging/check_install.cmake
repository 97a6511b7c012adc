# Installs the build into a scratch folder and looks at what came: the test packaging_install.
set(prefix ${BUILD}/install-check)
file(REMOVE_RECURSE ${prefix})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix}
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

set(expected bin/clusterloom-cli share/bash-completion/completions/clusterloom-cli
             share/zsh/vendor-completions/_clusterloom-cli
             share/fish/vendor_completions.d/clusterloom-cli.fish share/man/man1/clusterloom-cli.1
             share/clusterloom/samples/shapes-2d.csv
             share/clusterloom/samples/shapes-3d.csv share/doc/clusterloom/LICENSE)
if(GUI)
  list(APPEND expected bin/clusterloom share/bash-completion/completions/clusterloom
       share/zsh/vendor-completions/_clusterloom share/man/man1/clusterloom.1
       share/fish/vendor_completions.d/clusterloom.fish
       share/applications/clusterloom.desktop
       share/icons/hicolor/scalable/apps/clusterloom.svg
       share/metainfo/example.clusterloom.clusterloom.metainfo.xml)
endif()
if(PYTHON_DIR)
  list(APPEND expected ${PYTHON_DIR}/clusterloom/__init__.py ${PYTHON_DIR}/clusterloom/py.typed
       ${PYTHON_DIR}/clusterloom/_engine.*.so)
endif()
foreach(name ${expected})
  file(GLOB found ${prefix}/${name})
  if(NOT found)
    message(FATAL_ERROR "cmake --install left out ${name}")
  endif()
endforeach()

# The completion is read by bash and knows a subcommand, an option and a value.
find_program(BASH bash)
if(BASH)
  execute_process(
    COMMAND ${BASH} -c "source $0; complete() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _clusterloom_cli; echo \"\${COMPREPLY[@]}\"; }; complete clusterloom-cli clu; complete clusterloom-cli join --hist; complete clusterloom-cli join --pattern uni"
            ${prefix}/share/bash-completion/completions/clusterloom-cli
    OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
  if(NOT said STREQUAL "cluster\n--histogram\nunicomp\n")
    message(FATAL_ERROR "the completion for bash says '${said}'")
  endif()
endif()

execute_process(COMMAND ${prefix}/bin/clusterloom-cli --version OUTPUT_VARIABLE said
                COMMAND_ERROR_IS_FATAL ANY)
if(NOT said STREQUAL "clusterloom-cli ${VERSION}\n")
  message(FATAL_ERROR "the installed program says '${said}'")
endif()
execute_process(
  COMMAND ${prefix}/bin/clusterloom-cli cluster ${prefix}/share/clusterloom/samples/shapes-2d.csv
          --eps 1.5 --min-pts 10 --json
  OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
string(JSON clusters GET "${said}" clusters)
if(NOT clusters EQUAL 8)
  message(FATAL_ERROR "the sample has ${clusters} clusters, not 8")
endif()
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
