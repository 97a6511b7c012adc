// PLY, binary little-endian: x y z, further dimensions and attributes by name, in their types,
// label and role last.
#include <algorithm>
#include <ostream>
#include <string>

#include "engine/io/export_rows.h"
#include "engine/io/kept_words.h"
#include "engine/io/scalar.h"

namespace clusterloom {
namespace {

// A text column becomes numbers, with one comment a word; beyond this the comments would make up
// most of the file. Those of all columns stay well below the header that readers take.
constexpr std::size_t kMostWords = 1000;
constexpr std::size_t kMostComments = std::size_t{4} << 20;

/// Property names are single words.
std::string propertyName(const std::string& name) {
  std::string word = name;
  std::replace_if(
      word.begin(), word.end(), [](char c) { return static_cast<unsigned char>(c) <= ' '; }, '_');
  return word.empty() ? "value" : word;
}

const char* plyType(Scalar type) {
  switch (type) {
    case Scalar::Int8: return "char";
    case Scalar::Uint8: return "uchar";
    case Scalar::Int16: return "short";
    case Scalar::Uint16: return "ushort";
    case Scalar::Int32: return "int";
    case Scalar::Uint32: return "uint";
    case Scalar::Float32: return "float";
    case Scalar::Int64:
    case Scalar::Uint64:
    case Scalar::Float64: break;
  }
  return "double";
}

bool isWide(const ExportColumn& column) {
  return column.attribute != nullptr &&
         (column.type == Scalar::Int64 || column.type == Scalar::Uint64);
}

/// Whether T holds all chosen values of a column without a change.
template <class T>
bool allHeld(const ExportColumn& column, const ExportPoints& points) {
  return column.withValues([&](auto valueAt) {
    for (std::size_t row = 0; row < points.size(); ++row)
      if (!holdsExactly<T>(valueAt(points[row]))) return false;
    return true;
  });
}

/// The values of a column in another type.
template <class T>
AppendValue appenderAs(const ExportColumn& column) {
  return column.withValues([](auto valueAt) -> AppendValue {
    return [valueAt](std::string& row, std::size_t point) {
      appendBytes(row, static_cast<T>(valueAt(point)));
    };
  });
}

/// How a column is stored. PLY has no integers of 64 bits: they become smaller ones or doubles.
struct PlyColumn {
  std::string type;
  AppendValue append;
};
PlyColumn plyColumn(const ExportColumn& column, const ExportPoints& points) {
  if (isWide(column)) {
    if (allHeld<std::int32_t>(column, points)) return {"int", appenderAs<std::int32_t>(column)};
    if (allHeld<std::uint32_t>(column, points)) return {"uint", appenderAs<std::uint32_t>(column)};
  }
  if (sizeOf(column.type) == sizeof(double)) return {"double", appenderAs<double>(column)};
  return {plyType(column.type), valueAppender(column)};
}

/// Whether the header has room for the words of one more column, after `bytes` of others. One that
/// has none is left out, and takes no room from the next.
bool takeComments(std::size_t& bytes, const Attribute& attribute) {
  // Of a line: "comment", the number, and what the export may add to the name.
  constexpr std::size_t around = 40;
  const auto* const text = std::get_if<Categories>(&attribute.values);
  if (text == nullptr) return true;
  if (text->words.size() > kMostWords) return false;
  std::size_t more = 0;
  for (const std::string& word : text->words)
    more += escapedLine(word).size() + attribute.name.size() + around;
  if (bytes + more > kMostComments) return false;
  bytes += more;
  return true;
}

}  // namespace

Losses plyLosses(const Dataset& dataset, const ExportPoints& points) {
  Losses losses;
  std::size_t comments = 0;
  for (const Attribute& attribute : dataset.attributes) {
    const ExportColumn column = attributeColumn(attribute, attribute.name);
    if (!takeComments(comments, attribute))
      losses.push_back({column.name, "PLY holds texts with at most " + std::to_string(kMostWords) +
                                         " different values, and 4 MiB of them in all, so it would "
                                         "be left out"});
    if (isWide(column) && !allHeld<double>(column, points))
      losses.push_back(
          {column.name, "PLY has no integers of 64 bits, so they would be rounded to doubles"});
  }
  return losses;
}

Result<void> writePly(std::ostream& out, const Dataset& dataset, const Clustering* clustering,
                      const RowFilter& filter, const Provenance& provenance, const Task& task) {
  const std::size_t dims = dataset.cloud.dims();
  const ExportPoints points(dataset, clustering, filter);

  std::vector<std::string> wanted;
  for (std::size_t j = 3; j < dims; ++j)
    wanted.push_back(propertyName(dimensionName(dataset.cloud, j)));
  for (const std::string& name : attributeNames(dataset)) wanted.push_back(propertyName(name));
  const auto further = uniqueNames(wanted, {"x", "y", "z", "label", "role"});
  std::vector<std::string> names{"x", "y", "z"};
  names.resize(std::min<std::size_t>(dims, 3));
  names.insert(names.end(), further.begin(), further.end());

  std::string text = "ply\nformat binary_little_endian 1.0\n";
  for (const auto& [name, value] : provenance)
    text += "comment " + oneLine(name) + ": " + oneLine(value) + "\n";
  if (dims > 3) {
    // How our reader knows that there are more than x, y and z.
    text += "comment coordinate properties:";
    for (std::size_t j = 0; j < dims; ++j) text += " " + names[j];
    text += "\n";
  }
  if (clustering != nullptr && !clustering->roles.empty())
    text += "comment role: 0 noise, 1 border, 2 core\n";

  std::vector<PlyColumn> columns;
  std::string properties;
  std::size_t comments = 0;
  const auto add = [&](const ExportColumn& column) {
    columns.push_back(plyColumn(column, points));
    properties += "property " + columns.back().type + " " + column.name + "\n";
  };
  for (std::size_t j = 0; j < dims; ++j) add(coordinateColumn(dataset, j, names[j]));
  for (std::size_t a = 0; a < dataset.attributes.size(); ++a) {
    const ExportColumn column = attributeColumn(dataset.attributes[a], names[dims + a]);
    if (const Categories* const categories = column.words()) {
      if (!takeComments(comments, dataset.attributes[a])) {
        text += "comment the text column " + column.name + " is left out: it has too many words\n";
        continue;
      }
      for (std::size_t w = 0; w < categories->words.size(); ++w)
        text += "comment " + column.name + " " + std::to_string(w) + " = " +
                escapedLine(categories->words[w]) + "\n";
    }
    add(column);
  }
  text += "element vertex " + std::to_string(points.size()) + "\n" + properties;
  const bool hasRoles = clustering != nullptr && !clustering->roles.empty();
  if (clustering != nullptr) text += "property int label\n";
  if (hasRoles) text += "property uchar role\n";
  text += "end_header\n";

  for (std::size_t row = 0; row < points.size(); ++row) {
    if (row == 0 || text.size() > kExportBytes) {
      const auto goesOn = writeOutBefore(row, points.size(), out, text, task);
      if (!goesOn || !out) return goesOn;  // the caller reports an error of the stream
    }
    const std::size_t i = points[row];
    for (const PlyColumn& column : columns) column.append(text, i);
    if (clustering != nullptr) {
      appendBytes(text, clustering->labels[i]);
      if (hasRoles) appendBytes(text, std::uint8_t(clustering->roles[i]));
    }
  }
  writeOut(out, text);
  return {};
}

}  // namespace clusterloom
