#include "engine/io/column_list.h"

#include "engine/core/number_text.h"
#include "engine/io/numbers.h"

namespace clusterloom {

Result<std::vector<std::string>> parseColumnList(std::string_view text) {
  std::vector<std::string> columns;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view name = trimmed(rest.substr(0, comma));
    if (name.empty())
      return fail(ErrorKind::BadCall,
                  "--columns needs names or numbers of columns, such as 0,2,height, not " +
                      quotedText(text) + ".");
    columns.emplace_back(name);
    if (comma == std::string_view::npos) return columns;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace clusterloom
