# The packages: cd BUILD && cpack makes the .debs, one for each component of the installation;
# cpack -G TGZ makes an archive of the programs with their libraries.
set(CPACK_PACKAGE_NAME clusterloom)
set(CPACK_PACKAGE_VENDOR "Clusterloom")
# Empty: each package has a summary of its own, the first line of its description.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL cli)
if(CLUSTERLOOM_GUI)
  list(APPEND CPACK_COMPONENTS_ALL window)
endif()
if(CLUSTERLOOM_HAS_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
if(CLUSTERLOOM_HAS_PARAVIEW)
  list(APPEND CPACK_COMPONENTS_ALL paraview)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SOURCE clusterloom)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "Clusterloom maintainers <maintainers@clusterloom.example>")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

set(CPACK_DEBIAN_CLI_PACKAGE_NAME clusterloom-cli)
set(CPACK_DEBIAN_CLI_PACKAGE_RECOMMENDS "openmpi-bin")
set(CPACK_DEBIAN_CLI_PACKAGE_SUGGESTS "clusterloom")
set(CPACK_DEBIAN_CLI_DESCRIPTION
"exact density-based clusters in point clouds, in batch
DBSCAN and HDBSCAN* of point clouds of 1 to 4,096 dimensions, radius joins
and nearest neighbours, exact on every strategy, on the CPU and on NVIDIA GPUs.
.
This package has the program for the command line, clusterloom-cli: files in,
labels, tables and pictures out.")

# The window draws with plugins and drivers that no linker sees, Qt's own texts in
# German, and a font that has ε.
set(CPACK_COMPONENT_WINDOW_DEPENDS cli)
set(CPACK_DEBIAN_WINDOW_PACKAGE_NAME clusterloom)
set(CPACK_DEBIAN_WINDOW_PACKAGE_RECOMMENDS "qt6-svg-plugins, qt6-translations-l10n, libgl1-mesa-dri, fonts-dejavu-core")
set(CPACK_DEBIAN_WINDOW_DESCRIPTION
"explore density-based clusters in point clouds
Open a cloud of points, drag the radius and the number of neighbours, and watch
exact DBSCAN clusters change, in 2-D and 3-D, with charts that help to choose
both. Labelled points, tables and pictures are exported with their provenance.")

if(CLUSTERLOOM_HAS_PYTHON)
  string(REGEX MATCH "^([0-9]+)\\.([0-9]+)" python ${CLUSTERLOOM_PYTHON_VERSION})
  math(EXPR next "${CMAKE_MATCH_2} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-clusterloom)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  # The extension is for one version of Python; its suffix says which.
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "python3 (>= ${python}~), python3 (<< ${CMAKE_MATCH_1}.${next}), python3-numpy, python3-scipy, python3-sklearn")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "clusterloom, python3-tqdm")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA
      "${CMAKE_CURRENT_SOURCE_DIR}/debian/postinst;${CMAKE_CURRENT_SOURCE_DIR}/debian/prerm")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION ON)
  set(CPACK_DEBIAN_PYTHON_DESCRIPTION
"exact density-based clusters in point clouds, for Python
DBSCAN and HDBSCAN* as estimators of scikit-learn, the clusters of every radius
at once, radius joins and nearest neighbours as arrays of NumPy and sparse
matrices of SciPy, on the CPU and on NVIDIA GPUs.")
endif()

# ParaView loads plug-ins of its own version only; its libraries, which the plug-in links, say which.
set(CPACK_DEBIAN_PARAVIEW_PACKAGE_NAME paraview-clusterloom)
set(CPACK_DEBIAN_PARAVIEW_PACKAGE_SUGGESTS "clusterloom-cli")
set(CPACK_DEBIAN_PARAVIEW_DESCRIPTION
"exact density-based clusters in point clouds, for ParaView
A plug-in with two filters, DBSCAN and HDBSCAN*, for points, unstructured grids,
tables and partitioned data, on the CPU and on NVIDIA GPUs.")

set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_SOURCE_DIR}/generator.cmake)

# The copyright file in Debian's format has the licence with a blank before each line.
file(READ ${PROJECT_SOURCE_DIR}/LICENSE licence)
string(REGEX REPLACE "^[^\n]*\n\nCopyright \\(c\\) ([^\n]*)\n\n" "" licence "${licence}")
set(copyright "${CMAKE_MATCH_1}")
string(STRIP "${licence}" licence)
string(REPLACE "\n\n" "\n.\n" licence "${licence}")
string(REPLACE "\n" "\n " licence " ${licence}")
configure_file(debian/copyright.in ${CMAKE_CURRENT_BINARY_DIR}/copyright @ONLY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/LICENSE)

# What the distribution asks of a package's files beside those that are installed.
configure_file(debian/finish.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/finish.cmake @ONLY)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_BINARY_DIR}/finish.cmake)

# The time of the newest entry of the changelog, where SOURCE_DATE_EPOCH names no other.
file(STRINGS debian/changelog date REGEX "^ -- " LIMIT_COUNT 1)
string(REGEX REPLACE "^ -- .*>  " "" date "${date}")
execute_process(COMMAND date -u -d ${date} +%s OUTPUT_VARIABLE CPACK_CHANGELOG_EPOCH
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

# The archive with its libraries: cpack -G TGZ.
if(CLUSTERLOOM_GUI)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Core)
  set(CLUSTERLOOM_QT_PLUGINS ${QT6_INSTALL_PREFIX}/${QT6_INSTALL_PLUGINS})
  set(CLUSTERLOOM_QT_TRANSLATIONS ${QT6_INSTALL_PREFIX}/${QT6_INSTALL_TRANSLATIONS})
endif()
if(MPI_mpi_LIBRARY)
  get_filename_component(CLUSTERLOOM_MPI_FOLDER ${MPI_mpi_LIBRARY} DIRECTORY)
endif()
set(CPACK_SYSTEM_NAME ${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
configure_file(bundle/finish.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/finish_bundle.cmake @ONLY)
list(APPEND CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_BINARY_DIR}/finish_bundle.cmake)
include(CPack)
