# cmake -DOUTPUT=FILE "-DHEADERS=HEADER,…" "-DSOURCES=PATH,…" -P group_sources.cmake: writes a source that
# includes these tests, each in a namespace of its own, after HEADERS and the headers of all of them,
# which thereby stay outside.
string(REPLACE "," ";" sources "${SOURCES}")
string(REPLACE "," ";" headers "${HEADERS}")
list(TRANSFORM headers REPLACE "^([^<].*)" "\"\\1\"")
list(TRANSFORM headers PREPEND "#include ")
set(tests)
foreach(source ${sources})
  file(STRINGS ${source} included REGEX "^#include [<\"].*[a-z][>\"]")
  list(FILTER included EXCLUDE REGEX "\\.moc\"")
  list(APPEND headers ${included})
  get_filename_component(name ${source} NAME_WE)
  string(APPEND tests "namespace ${name} {\n#include \"${source}\"\n}\n")
endforeach()
list(REMOVE_DUPLICATES headers)
list(JOIN headers "\n" headers)
# What files of moc include, by the version of Qt.
foreach(header qtmochelpers.h qxptype_traits.h)
  string(APPEND headers "\n#if __has_include(<QtCore/${header}>)\n#include <QtCore/${header}>\n#endif")
endforeach()
file(WRITE ${OUTPUT} "${headers}\n${tests}")
