// VTK's XML PolyData (.vtp) with the arrays appended raw: one vertex cell a point, so that filters
// on cells see single points. The first three dimensions are the position, further ones arrays.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>

#include "engine/core/utf8_text.h"
#include "engine/io/export_rows.h"
#include "engine/io/numbers.h"
#include "engine/io/scalar.h"

namespace clusterloom {
namespace {

/// A name that XML can hold: control characters and bytes that are not UTF-8 end its readers.
std::string nameInXml(std::string_view name) {
  std::string safe = asUtf8(name);
  for (char& c : safe)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return safe;
}

std::string xmlText(std::string_view text) {
  std::string safe;
  for (const char c : nameInXml(text)) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += c;
  }
  return safe;
}

/// VTK writes strings in XML as the numbers of their bytes, each string ended by 0.
std::string fieldString(std::string_view name, const std::vector<std::string>& values) {
  std::string text = "    <Array type=\"String\" Name=\"" + xmlText(name) + "\" NumberOfTuples=\"" +
                     std::to_string(values.size()) + "\" format=\"ascii\">";
  for (const std::string& value : values) {
    for (const char c : value) text += std::to_string(static_cast<unsigned char>(c)) + " ";
    text += "0 ";
  }
  return text + "</Array>\n";
}

/// An array of the appended section: its element in the XML is written first, its bytes later.
struct AppendedArray {
  std::string element;  // without format and offset
  std::uint64_t bytes = 0;
  /// Appends the bytes of rows [first, last).
  std::function<void(std::string&, std::size_t first, std::size_t last)> append;
};

std::string dataArray(const std::string& type, std::string_view name, int components = 1) {
  return "<DataArray type=\"" + type + "\" Name=\"" + xmlText(name) + "\" NumberOfComponents=\"" +
         std::to_string(components) + "\"";
}

/// An array of `n` values of type T, value i being `value(i)`.
template <class T, class Value>
AppendedArray arrayOf(std::string element, std::size_t n, Value value) {
  return {std::move(element), n * sizeof(T),
          [value](std::string& bytes, std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) appendBytes(bytes, static_cast<T>(value(i)));
          }};
}

AppendedArray wordArray(const std::string& name, const Categories& categories,
                        const ExportPoints& points) {
  AppendedArray array;
  array.element = "<Array type=\"String\" Name=\"" + xmlText(name) + "\" NumberOfTuples=\"" +
                  std::to_string(points.size()) + "\"";
  const auto wordOf = [&](std::size_t i) -> const std::string& {
    return categories.words[std::size_t(categories.codes[points[i]])];
  };
  for (std::size_t i = 0; i < points.size(); ++i) array.bytes += wordOf(i).size() + 1;
  array.append = [wordOf](std::string& bytes, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const auto from = std::ptrdiff_t(bytes.size());
      bytes.append(wordOf(i));
      std::replace(bytes.begin() + from, bytes.end(), '\0', ' ');  // it would end the text
      bytes.push_back('\0');
    }
  };
  return array;
}

/// "Int8" … "Float64".
std::string vtpType(Scalar type) {
  const char kind = kindOf(type);
  return (kind == 'F' ? "Float" : kind == 'U' ? "UInt" : "Int") + std::to_string(8 * sizeOf(type));
}

AppendedArray numberArray(const ExportColumn& column, const ExportPoints& points) {
  return {dataArray(vtpType(column.type), column.name), points.size() * sizeOf(column.type),
          [append = valueAppender(column), &points](std::string& bytes, std::size_t first,
                                                    std::size_t last) {
            for (std::size_t i = first; i < last; ++i) append(bytes, points[i]);
          }};
}

/// The names of the arrays as the data have them: the first three dimensions have none.
std::vector<std::string> arrayNames(const Dataset& dataset) {
  std::vector<std::string> names;
  for (std::size_t j = 3; j < dataset.cloud.dims(); ++j)
    names.push_back(dimensionName(dataset.cloud, j));
  for (const std::string& name : attributeNames(dataset)) names.push_back(name);
  return names;
}

}  // namespace

std::vector<ExportColumn> vtpColumns(const Dataset& dataset, const ExportPoints& /*points*/) {
  const std::vector<std::string> inData = arrayNames(dataset);
  std::vector<std::string> wanted;
  for (const std::string& name : inData) wanted.push_back(nameInXml(name));
  const auto names = uniqueNames(wanted, {"label", "role", "Points"}, inData);
  std::vector<ExportColumn> columns;
  for (std::size_t j = 3; j < dataset.cloud.dims(); ++j)
    columns.push_back(coordinateColumn(dataset, j, names[columns.size()]));
  for (const Attribute& attribute : dataset.attributes)
    columns.push_back(attributeColumn(attribute, names[columns.size()]));
  return columns;
}

Losses vtpLosses(const Dataset& dataset, const ExportPoints& /*points*/) {
  Losses losses;
  for (const std::string& name : arrayNames(dataset))
    if (nameInXml(name) != name)
      losses.push_back({"", "VTP holds names in UTF-8 without control characters, so the name " +
                                quotedForMessage(name) + " would be changed"});
  for (const Attribute& attribute : dataset.attributes)
    if (const auto* const text = std::get_if<Categories>(&attribute.values))
      for (const std::string& word : text->words)
        if (word.find('\0') != std::string::npos) {
          losses.push_back({attribute.name, "VTP ends text at a NUL character, so " +
                                                quotedForMessage(word) + " would be changed"});
          break;
        }
  return losses;
}

Result<void> writeVtp(std::ostream& out, const Dataset& dataset, const Clustering* clustering,
                      const RowFilter& filter, const Provenance& provenance, const Task& task) {
  const PointCloud& cloud = dataset.cloud;
  const ExportPoints points(dataset, clustering, filter);
  const std::size_t n = points.size();

  const bool hasRoles = clustering != nullptr && !clustering->roles.empty();
  std::vector<AppendedArray> pointData;
  if (clustering != nullptr) {
    pointData.push_back(arrayOf<std::int32_t>(dataArray("Int32", "label"), n, [&](std::size_t i) {
      return clustering->labels[points[i]];
    }));
    if (hasRoles)
      pointData.push_back(arrayOf<std::uint8_t>(dataArray("UInt8", "role"), n, [&](std::size_t i) {
        return clustering->roles[points[i]];
      }));
  }
  for (const ExportColumn& column : vtpColumns(dataset, points))
    pointData.push_back(column.words() != nullptr ? wordArray(column.name, *column.words(), points)
                                                  : numberArray(column, points));
  AppendedArray positions;
  positions.element = dataArray("Float64", "Points", 3);
  positions.bytes = std::uint64_t{n} * 3 * sizeof(double);
  positions.append = [&](std::string& bytes, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        appendBytes(bytes, j < cloud.dims() ? cloud.columns[j][points[i]] : 0.0);
  };
  const AppendedArray connectivity =
      arrayOf<std::int32_t>(dataArray("Int32", "connectivity"), n, [](std::size_t i) { return i; });
  const AppendedArray offsets =
      arrayOf<std::int32_t>(dataArray("Int32", "offsets"), n, [](std::size_t i) { return i + 1; });

  std::uint64_t offset = 0;
  const auto element = [&](const AppendedArray& array) {
    const std::string text = "        " + array.element + " format=\"appended\" offset=\"" +
                             std::to_string(offset) + "\"/>\n";
    offset += sizeof(std::uint64_t) + array.bytes;
    return text;
  };
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
      "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n  <PolyData>\n  <FieldData>\n";
  for (const auto& [key, value] : provenance) text += fieldString(key, {value});
  std::vector<std::string> dimensions;
  for (std::size_t j = 0; j < cloud.dims(); ++j) dimensions.push_back(dimensionName(cloud, j));
  text += fieldString("dimensions", dimensions);
  if (hasRoles) text += fieldString("roles", {"noise", "border", "core"});
  const std::string count = std::to_string(n);
  text += "  </FieldData>\n    <Piece NumberOfPoints=\"" + count + "\" NumberOfVerts=\"" + count +
          "\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n      <PointData" +
          (clustering != nullptr ? " Scalars=\"label\"" : "") + ">\n";
  for (const AppendedArray& array : pointData) text += element(array);
  text += "      </PointData>\n      <Points>\n" + element(positions) +
          "      </Points>\n      <Verts>\n";
  // One statement each: every call moves the offset on.
  text += element(connectivity);
  text += element(offsets);
  text += "      </Verts>\n    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n_";

  std::vector<const AppendedArray*> arrays;
  for (const AppendedArray& array : pointData) arrays.push_back(&array);
  arrays.insert(arrays.end(), {&positions, &connectivity, &offsets});
  for (std::size_t a = 0; a < arrays.size(); ++a) {
    appendBytes(text, arrays[a]->bytes);
    for (std::size_t first = 0; first < n; first += kExportBlock) {
      if (task.cancelled()) return cancelledError();
      task.report("writing", (double(a) + double(first) / double(n)) / double(arrays.size()));
      arrays[a]->append(text, first, std::min(n, first + kExportBlock));
      writeOut(out, text);
      if (!out) return {};  // the caller reports the error
    }
  }
  text += "\n  </AppendedData>\n</VTKFile>\n";
  writeOut(out, text);
  return {};
}

}  // namespace clusterloom
