// PLY, binary little-endian: x y z as doubles, further dimensions and attributes by name, label and
// role last.
#include <algorithm>
#include <cstring>
#include <ostream>
#include <string>

#include "engine/io/export_rows.h"

namespace clusterloom {
namespace {

// A text column becomes numbers, with one comment a word; beyond this the comments would make up
// most of the file.
constexpr std::size_t kMostWords = 1000;

struct PlyColumn {
  const double* numbers = nullptr;
  const std::int32_t* codes = nullptr;
};

/// Property names are single words.
std::string propertyName(const std::string& name) {
  std::string word = name;
  std::replace_if(
      word.begin(), word.end(), [](char c) { return static_cast<unsigned char>(c) <= ' '; }, '_');
  return word.empty() ? "value" : word;
}

template <class T>
void append(std::string& bytes, T value) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  bytes.append(raw, sizeof(T));
}

}  // namespace

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
  for (std::size_t j = 0; j < dims; ++j) {
    columns.push_back({dataset.cloud.columns[j].data(), nullptr});
    properties += "property double " + names[j] + "\n";
  }
  for (std::size_t a = 0; a < dataset.attributes.size(); ++a) {
    const std::string& name = names[dims + a];
    if (const auto* const numbers =
            std::get_if<std::vector<double>>(&dataset.attributes[a].values)) {
      columns.push_back({numbers->data(), nullptr});
      properties += "property double " + name + "\n";
      continue;
    }
    const auto& categories = std::get<Categories>(dataset.attributes[a].values);
    if (categories.words.size() > kMostWords) {
      text += "comment the text column " + name + " is left out: it has too many words\n";
      continue;
    }
    for (std::size_t w = 0; w < categories.words.size(); ++w)
      text +=
          "comment " + name + " " + std::to_string(w) + " = " + oneLine(categories.words[w]) + "\n";
    columns.push_back({nullptr, categories.codes.data()});
    properties += "property int " + name + "\n";
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
    for (const PlyColumn& column : columns) {
      if (column.numbers != nullptr)
        append(text, column.numbers[i]);
      else
        append(text, column.codes[i]);
    }
    if (clustering != nullptr) {
      append(text, clustering->labels[i]);
      if (hasRoles) append(text, static_cast<std::uint8_t>(clustering->roles[i]));
    }
  }
  writeOut(out, text);
  return {};
}

}  // namespace clusterloom
