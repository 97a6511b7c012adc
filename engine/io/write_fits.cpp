// FITS: a binary table with a column of doubles or text for each column of the cloud, label and
// role last. Written here, since cfitsio creates files by name only and not compressed by our own
// rules. [FITS standard 4.0, §4 and §7.3]
#include <algorithm>
#include <bit>
#include <cstdint>
#include <ostream>
#include <string>

#include "engine/io/export_rows.h"

namespace clusterloom {
namespace {

constexpr std::size_t kFitsBlock = 2880;
constexpr std::size_t kCard = 80;
constexpr std::size_t kMostColumns = 999;
// Characters of a name, and of a comment, in a card.
constexpr std::size_t kMostName = 68;
constexpr std::size_t kMostComment = 72;

/// Headers and texts of FITS hold printable ASCII only.
std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return text;
}

void addCard(std::string& header, std::string card) {
  card.resize(kCard, ' ');
  header += card;
}

void addValue(std::string& header, const std::string& key, const std::string& value) {
  std::string card = key;
  card.resize(8, ' ');
  card += "= ";
  // Numbers and flags end in column 30.
  if (value.front() != '\'') card.append(20 - std::min<std::size_t>(20, value.size()), ' ');
  addCard(header, card + value);
}

void addText(std::string& header, const std::string& key, const std::string& text) {
  std::string quoted = "'";
  for (const char c : printable(text)) {
    const std::string next = c == '\'' ? "''" : std::string(1, c);
    if (quoted.size() + next.size() > kMostName) break;
    quoted += next;
  }
  quoted.resize(std::max<std::size_t>(quoted.size(), 9), ' ');
  addValue(header, key, quoted + "'");
}

void addComment(std::string& header, const std::string& key, const std::string& text) {
  const std::string plain = printable(oneLine(text));
  for (std::size_t at = 0; at < plain.size(); at += kMostComment) {
    std::string card = key;
    card.resize(8, ' ');
    addCard(header, card + plain.substr(at, kMostComment));
  }
}

void fillBlock(std::string& bytes, std::size_t size, char with) {
  bytes.append((kFitsBlock - size % kFitsBlock) % kFitsBlock, with);
}

template <class T>
void appendBig(std::string& bytes, T value) {
  for (int shift = 8 * static_cast<int>(sizeof(T)) - 8; shift >= 0; shift -= 8)
    bytes += static_cast<char>(value >> shift & 0xFF);
}

struct FitsField {
  ExportColumn column;
  std::vector<std::string> words;  ///< each as long as the field is
};

}  // namespace

Result<void> writeFits(std::ostream& out, const Dataset& dataset, const Clustering* clustering,
                       const RowFilter& filter, const Provenance& provenance, const Task& task) {
  const ExportPoints points(dataset, clustering, filter);
  const bool hasRoles = clustering != nullptr && !clustering->roles.empty();
  std::vector<FitsField> fields;
  std::size_t rowBytes = 0;
  std::string names;
  std::size_t count = 0;
  const auto addField = [&](const std::string& name, const std::string& form, std::size_t bytes,
                            const std::string& unit = "") {
    const std::string number = std::to_string(++count);
    addText(names, "TTYPE" + number, name);
    addText(names, "TFORM" + number, form);
    // With other characters it would be another unit.
    if (!unit.empty() && printable(unit) == unit) addText(names, "TUNIT" + number, unit);
    rowBytes += bytes;
  };
  for (const ExportColumn& column : exportColumns(dataset)) {
    FitsField field{column, {}};
    std::size_t width = 1;
    if (column.words != nullptr) {
      for (const std::string& word : column.words->words) {
        field.words.push_back(printable(word));
        width = std::max(width, word.size());
      }
      for (std::string& word : field.words) word.resize(width, ' ');
    }
    const bool text = column.words != nullptr;
    addField(column.name, text ? std::to_string(width) + "A" : "1D", text ? width : 8, column.unit);
    fields.push_back(std::move(field));
  }
  if (clustering != nullptr) addField("label", "1J", 4);
  if (hasRoles) addField("role", "1B", 1);
  if (count > kMostColumns)
    return fail(ErrorKind::BadCall, "The cloud has " + std::to_string(count) +
                                        " columns; a table of FITS has 999 at most. Export it as "
                                        "HDF5 or CSV.");

  std::string bytes;
  addValue(bytes, "SIMPLE", "T");
  addValue(bytes, "BITPIX", "8");
  addValue(bytes, "NAXIS", "0");
  addValue(bytes, "EXTEND", "T");
  addCard(bytes, "END");
  fillBlock(bytes, bytes.size(), ' ');
  addText(bytes, "XTENSION", "BINTABLE");
  addValue(bytes, "BITPIX", "8");
  addValue(bytes, "NAXIS", "2");
  addValue(bytes, "NAXIS1", std::to_string(rowBytes));
  addValue(bytes, "NAXIS2", std::to_string(points.size()));
  addValue(bytes, "PCOUNT", "0");
  addValue(bytes, "GCOUNT", "1");
  addValue(bytes, "TFIELDS", std::to_string(count));
  bytes += names;
  addText(bytes, "EXTNAME", "CLOUD");
  if (clustering != nullptr) addComment(bytes, "COMMENT", "label: the cluster; -1 is noise");
  if (hasRoles) addComment(bytes, "COMMENT", "role: 0 noise, 1 border, 2 core");
  for (const auto& [name, value] : provenance) addComment(bytes, "HISTORY", name + ": " + value);
  addCard(bytes, "END");
  fillBlock(bytes, bytes.size(), ' ');

  for (std::size_t row = 0; row < points.size(); ++row) {
    if (row == 0 || bytes.size() > kExportBytes) {
      const auto goesOn = writeOutBefore(row, points.size(), out, bytes, task);
      if (!goesOn || !out) return goesOn;  // the caller reports an error of the stream
    }
    const std::size_t i = points[row];
    for (const FitsField& field : fields) {
      if (field.column.numbers != nullptr)
        appendBig(bytes, std::bit_cast<std::uint64_t>((*field.column.numbers)[i]));
      else
        bytes += field.words[static_cast<std::size_t>(field.column.words->codes[i])];
    }
    if (clustering != nullptr) appendBig(bytes, static_cast<std::uint32_t>(clustering->labels[i]));
    if (hasRoles) bytes += static_cast<char>(clustering->roles[i]);
  }
  fillBlock(bytes, points.size() * rowBytes, '\0');
  writeOut(out, bytes);
  return {};
}

}  // namespace clusterloom
