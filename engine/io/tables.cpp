// The common part of the readers of files with several tables.
#include <string>

#include "engine/io/formats.h"
#include "engine/io/guess_coordinates.h"
#include "engine/io/numbers.h"

namespace clusterloom {

tl::unexpected<Error> severalTables(const std::string& file,
                                    const std::vector<PreviewTable>& tables) {
  constexpr std::size_t kMostNamed = 12;
  std::string names;
  std::size_t count = 0;
  for (const PreviewTable& table : tables) {
    if (!table.readable || table.isColumn || ++count > kMostNamed) continue;
    names += (names.empty() ? "" : ", ") + table.name + " (" + table.says + ")";
  }
  if (count > kMostNamed) names += ", …";
  return badCall(file + ": holds " + std::to_string(count) + " tables: " + names +
                 ". Choose one of them: --dataset NAME, or in the import dialog of the window.");
}

tl::unexpected<Error> unpackFirst(const InputStream& in, const std::string& format) {
  return badInput(in.name() + ": is " + format + " inside " +
                  std::string(packingKindOf(in.packing()).name) + ". " + format +
                  " is not read from front to back, so unpack the file first: " +
                  std::string(packingKindOf(in.packing()).unpack) + " FILE");
}

std::vector<std::size_t> coordinatesByName(std::vector<PreviewColumn>& columns) {
  std::vector<std::size_t> found;
  for (const char name : {'x', 'y', 'z'})
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::string& own = columns[c].name;
      if (columns[c].numeric && own.size() == 1 && (own[0] | 0x20) == name) {
        found.push_back(c);
        break;
      }
    }
  if (found.size() >= 2) return found;
  found.clear();
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (columns[c].numeric && columns[c].name != "label" && columns[c].name != "role")
      found.push_back(c);
  return guessCoordinates(columns, found);
}

std::string quotedPath(const std::string& path) { return quotedForMessage(path); }

}  // namespace clusterloom
