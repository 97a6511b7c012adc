// FITS: a binary table with a column in its own type for each column of the cloud, label and
// role last. Written here, since cfitsio creates files by name only and not compressed by our own
// rules. [FITS standard 4.0, §4 and §7.3]
#include <algorithm>
#include <bit>
#include <cstdint>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/io/export_rows.h"
#include "engine/io/fits/fits_names.h"
#include "engine/io/numbers.h"
#include "engine/io/scalar.h"

namespace clusterloom {
namespace {

constexpr std::size_t kFitsBlock = 2880;
constexpr std::size_t kCard = 80;
constexpr std::size_t kMostColumns = 999;
// Characters of a name, and of a comment, in a card.
constexpr std::size_t kMostName = 68;
constexpr std::size_t kMostComment = 72;

/// Headers and text of FITS hold printable ASCII only.
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
  for (int shift = 8 * int(sizeof(T)) - 8; shift >= 0; shift -= 8)
    bytes += static_cast<char>(value >> shift & 0xFF);
}

/// How numbers of a type are stored: the letter, and the offset of unsigned ones (and to bytes with
/// a sign), whose highest bit is the other way round then.
struct FitsType {
  const char* form;
  const char* zero = nullptr;
};
FitsType fitsType(Scalar type) {
  switch (type) {
    case Scalar::Int8: return {"1B", "-128"};
    case Scalar::Uint8: return {"1B"};
    case Scalar::Int16: return {"1I"};
    case Scalar::Uint16: return {"1I", "32768"};
    case Scalar::Int32: return {"1J"};
    case Scalar::Uint32: return {"1J", "2147483648"};
    case Scalar::Int64: return {"1K"};
    case Scalar::Uint64: return {"1K", "9223372036854775808"};
    case Scalar::Float32: return {"1E"};
    case Scalar::Float64: break;
  }
  return {"1D"};
}

template <class T>
void appendFits(std::string& bytes, T value) {
  if constexpr (std::is_floating_point_v<T>) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    appendBig(bytes, std::bit_cast<Bits>(value));
  } else {
    using Bits = std::make_unsigned_t<T>;
    constexpr bool flips = std::is_signed_v<T> == (sizeof(T) == 1);
    constexpr auto highest = static_cast<Bits>(Bits{1} << (8 * sizeof(T) - 1));
    appendBig(bytes, static_cast<Bits>(static_cast<Bits>(value) ^ (flips ? highest : Bits{0})));
  }
}

AppendValue fitsAppender(const ExportColumn& column) {
  return column.withValues([](auto valueAt) -> AppendValue {
    return [valueAt](std::string& row, std::size_t point) { appendFits(row, valueAt(point)); };
  });
}

/// Texts of one length.
AppendValue fitsTexts(const Categories& categories, std::size_t width) {
  std::vector<std::string> words;
  for (const std::string& word : categories.words) {
    words.push_back(printable(word));
    words.back().resize(width, ' ');
  }
  return [codes = categories.codes.data(), words = std::move(words)](
             std::string& row, std::size_t point) { row += words[std::size_t(codes[point])]; };
}

/// The name in ASCII, cut where a card has no room for it, so that a number fits behind it.
std::string nameInCard(const std::string& name) {
  constexpr std::size_t kRoomForNumber = 8;
  std::string ascii = asciiName(name);
  const auto length = [&] {
    return ascii.size() + std::size_t(std::count(ascii.begin(), ascii.end(), '\''));
  };
  if (length() < kMostName) return ascii;
  while (length() + kRoomForNumber > kMostName) ascii.pop_back();
  return ascii;
}

}  // namespace

std::vector<ExportColumn> fitsColumns(const Dataset& dataset, const ExportPoints& /*points*/) {
  auto columns = exportColumns(dataset);
  renameColumns(columns, [](const std::string& name) { return nameInCard(name); });
  return columns;
}

Losses fitsLosses(const Dataset& dataset, const ExportPoints& /*points*/) {
  Losses losses;
  for (const Attribute& attribute : dataset.attributes) {
    const auto* const text = std::get_if<Categories>(&attribute.values);
    if (text == nullptr) continue;
    addLongText(losses, attribute, "FITS");
    const auto kept = [](const std::string& word) {
      return printable(word) == word && !word.ends_with(' ');
    };
    const auto lost = std::find_if_not(text->words.begin(), text->words.end(), kept);
    if (lost != text->words.end())
      losses.push_back({attribute.name,
                        "FITS holds only ASCII characters and no blanks at the end of a text, so " +
                            quotedForMessage(*lost) + " would be changed"});
  }
  return losses;
}

Result<void> writeFits(std::ostream& out, const Dataset& dataset, const Clustering* clustering,
                       const RowFilter& filter, const Provenance& provenance, const Task& task) {
  const ExportPoints points(dataset, clustering, filter);
  const bool hasRoles = clustering != nullptr && !clustering->roles.empty();
  std::vector<AppendValue> fields;
  std::size_t rowBytes = 0;
  std::string names;
  std::size_t count = 0;
  const auto addField = [&](const std::string& name, const std::string& plain,
                            const std::string& form, std::size_t bytes,
                            const std::string& unit = "", const char* zero = nullptr) {
    const std::string number = std::to_string(++count);
    addText(names, "TTYPE" + number, plain);
    const std::string encoded = encodedName(name);
    if (plain != name && encoded.size() + 1 < kMostName)
      addText(names, kFitsNameKey + number, encoded);
    addText(names, "TFORM" + number, form);
    if (zero != nullptr) addValue(names, "TZERO" + number, zero);
    // With other characters it would be another unit.
    if (!unit.empty() && printable(unit) == unit) addText(names, "TUNIT" + number, unit);
    rowBytes += bytes;
  };
  const std::vector<ExportColumn> own = exportColumns(dataset);
  const std::vector<ExportColumn> columns = fitsColumns(dataset, points);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const ExportColumn& column = columns[c];
    if (const Categories* const words = column.words()) {
      const std::size_t width = longestWord(*words);
      addField(own[c].name, column.name, std::to_string(width) + "A", width, column.unit);
      fields.push_back(fitsTexts(*words, width));
      continue;
    }
    const FitsType type = fitsType(column.type);
    addField(own[c].name, column.name, type.form, sizeOf(column.type), column.unit, type.zero);
    fields.push_back(fitsAppender(column));
  }
  if (clustering != nullptr) addField("label", "label", "1J", 4);
  if (hasRoles) addField("role", "role", "1B", 1);
  if (count > kMostColumns)
    return badCall("The cloud has " + std::to_string(count) +
                   " columns; a table of FITS has 999 at most. Export it as HDF5 or CSV.");

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
    for (const AppendValue& append : fields) append(bytes, i);
    if (clustering != nullptr) appendBig(bytes, std::uint32_t(clustering->labels[i]));
    if (hasRoles) bytes += static_cast<char>(clustering->roles[i]);
  }
  fillBlock(bytes, points.size() * rowBytes, '\0');
  writeOut(out, bytes);
  return {};
}

}  // namespace clusterloom
