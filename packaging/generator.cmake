# Read by CPack for each generator.
# The same files give the same packages: none of the times in them is that of the build.
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH} AND CPACK_CHANGELOG_EPOCH)
  set(ENV{SOURCE_DATE_EPOCH} ${CPACK_CHANGELOG_EPOCH})
endif()

# What the archive has otherwise than the .debs.
if(CPACK_GENERATOR STREQUAL "TGZ")
  set(CPACK_PACKAGING_INSTALL_PREFIX "/")
  set(CPACK_PACKAGE_FILE_NAME "clusterloom-${CPACK_PACKAGE_VERSION}-${CPACK_SYSTEM_NAME}")
  set(CPACK_INCLUDE_TOPLEVEL_DIRECTORY ON)
endif()
