#include "engine/io/ply_pcd/header_lines.h"

#include <charconv>
#include <sstream>
#include <string_view>

namespace clusterloom {
namespace {

// Enough for 65,536 fields with long names; a limit for files that have no header.
constexpr std::size_t kMostHeaderBytes = std::size_t{8} << 20;

/// The columns called x, y and z, in that order, those that are there.
std::vector<std::size_t> xyzColumns(const std::vector<PreviewColumn>& columns) {
  std::vector<std::size_t> found;
  for (const std::string_view names : {"xX", "yY", "zZ"})
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (columns[c].name.size() == 1 && names.find(columns[c].name[0]) != std::string_view::npos) {
        found.push_back(c);
        break;
      }
  return found;
}

}  // namespace

Result<std::vector<std::string>> HeaderLines::next() {
  ++line_;
  std::size_t searched = 0;
  std::size_t newline = std::string_view::npos;
  while ((newline = in_.view().find('\n', searched)) == std::string_view::npos) {
    searched = in_.available();
    if (bytes_ + searched > kMostHeaderBytes) return wrong("the header has no end");
    const auto more = in_.fillMore();
    if (!more) return tl::unexpected(more.error());
    if (!*more)
      return badInput(in_.name() + ": line " + std::to_string(line_) +
                      ": the file ends inside its " + format_ +
                      " header. It was cut short; copy or export it again.");
  }
  text_ = in_.view().substr(0, newline);
  std::istringstream text(text_);
  in_.consume(newline + 1);
  bytes_ += newline + 1;
  if (bytes_ > kMostHeaderBytes) return wrong("the header has no end");
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(std::move(word));
  return words;
}

tl::unexpected<Error> HeaderLines::wrong(const std::string& what) const {
  return badInput(in_.name() + ": line " + std::to_string(line_) + " of the " + format_ +
                  " header: " + what + ". Correct it, or export the file again.");
}

bool parseCount(const std::string& text, std::uint64_t& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return !text.empty() && error == std::errc() && stop == end;
}

void takeNote(const std::string& line, const std::vector<std::string>& words, ExportNotes& notes) {
  if (words.size() > 3 && words[1] == "coordinate" &&
      (words[2] == "properties:" || words[2] == "fields:"))
    notes.coordinates.assign(words.begin() + 3, words.end());
  std::uint64_t number = 0;
  if (words.size() < 4 || words[3] != "=" || !parseCount(words[2], number)) return;
  std::vector<std::string>& known = notes.words[words[1]];
  const std::size_t start = line.find(" = ");
  if (number != known.size() || start == std::string::npos) return;
  known.push_back(unescapedLine(std::string_view(line).substr(start + 3)));
}

std::vector<std::size_t> notedColumns(const std::vector<PreviewColumn>& columns,
                                      const std::vector<std::string>& noted) {
  std::vector<std::size_t> found;
  for (const std::string& name : noted)
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (columns[c].name == name) {
        found.push_back(c);
        break;
      }
  const bool complete = !found.empty() && found.size() == noted.size();
  return complete ? found : xyzColumns(columns);
}

}  // namespace clusterloom
