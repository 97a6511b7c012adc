#include "engine/io/ply_pcd/point_rows.h"

#include <algorithm>
#include <ostream>

#include "engine/io/kept_words.h"

namespace clusterloom {
namespace {

// A text column becomes numbers, with one comment a word; beyond this the comments would make up
// most of the file. Those of all columns stay well below the header that readers take.
constexpr std::size_t kMostCommentWords = 1000;
constexpr std::size_t kMostComments = std::size_t{4} << 20;

/// Names of columns are single words.
std::string singleWord(const std::string& name) {
  std::string word = name;
  std::replace_if(
      word.begin(), word.end(), [](char c) { return static_cast<unsigned char>(c) <= ' '; }, '_');
  return word.empty() ? "value" : word;
}

/// Whether the header has room for the words of one more column, after `bytes` of others. One that
/// has none is left out, and takes no room from the next.
bool takeComments(std::size_t& bytes, const Attribute& attribute) {
  // Of a line: its begin, the number, and what the export may add to the name.
  constexpr std::size_t around = 40;
  const auto* const text = std::get_if<Categories>(&attribute.values);
  if (text == nullptr) return true;
  if (text->words.size() > kMostCommentWords) return false;
  std::size_t more = 0;
  for (const std::string& word : text->words)
    more += escapedLine(word).size() + attribute.name.size() + around;
  if (bytes + more > kMostComments) return false;
  bytes += more;
  return true;
}

/// Names of the columns, coordinates first.
std::vector<std::string> pointNames(const Dataset& dataset, const PointFormat& format) {
  const std::size_t dims = dataset.cloud.dims();
  std::vector<std::string> inData;
  for (std::size_t j = 3; j < dims; ++j) inData.push_back(dimensionName(dataset.cloud, j));
  for (const std::string& name : attributeNames(dataset)) inData.push_back(name);
  std::vector<std::string> wanted;
  for (const std::string& name : inData) wanted.push_back(singleWord(name));
  std::vector<std::string> taken{"x", "y", "z", "label", "role"};
  taken.insert(taken.end(), format.taken.begin(), format.taken.end());
  const auto further = uniqueNames(wanted, std::move(taken), inData);
  std::vector<std::string> names{"x", "y", "z"};
  names.resize(std::min<std::size_t>(dims, 3));
  names.insert(names.end(), further.begin(), further.end());
  return names;
}

bool hasRoles(const Clustering* clustering) {
  return clustering != nullptr && !clustering->roles.empty();
}

}  // namespace

PointColumns pointColumns(const Dataset& dataset, const Clustering* clustering,
                          const Provenance& provenance, const PointFormat& format) {
  const std::size_t dims = dataset.cloud.dims();
  const std::vector<std::string> names = pointNames(dataset, format);
  PointColumns found;
  std::string& text = found.comments;
  for (const auto& [name, value] : provenance)
    text += format.comment + oneLine(name) + ": " + oneLine(value) + "\n";
  // How our reader knows that there are more than x, y and z, or less.
  const bool others = std::any_of(
      names.begin() + std::ptrdiff_t(dims), names.end(),
      [](const std::string& name) { return name == "X" || name == "Y" || name == "Z"; });
  if (dims > 3 || others) {
    text += format.comment + "coordinate " + format.columns + ":";
    for (std::size_t j = 0; j < dims; ++j) text += " " + names[j];
    text += "\n";
  }
  if (hasRoles(clustering)) text += format.comment + "role: 0 noise, 1 border, 2 core\n";

  std::size_t comments = 0;
  for (std::size_t j = 0; j < dims; ++j)
    found.columns.push_back(coordinateColumn(dataset, j, names[j]));
  for (std::size_t a = 0; a < dataset.attributes.size(); ++a) {
    ExportColumn column = attributeColumn(dataset.attributes[a], names[dims + a]);
    if (const Categories* const categories = column.words()) {
      if (!takeComments(comments, dataset.attributes[a])) {
        text += format.comment + "the text column " + column.name +
                " is left out: it has too many words\n";
        continue;
      }
      for (std::size_t w = 0; w < categories->words.size(); ++w)
        text += format.comment + column.name + " " + std::to_string(w) + " = " +
                escapedLine(categories->words[w]) + "\n";
    }
    found.columns.push_back(std::move(column));
  }
  return found;
}

Losses wordLosses(const Dataset& dataset, const std::string& title) {
  Losses losses;
  std::size_t comments = 0;
  for (const Attribute& attribute : dataset.attributes)
    if (!takeComments(comments, attribute))
      losses.push_back({attribute.name, title + " holds texts with at most " +
                                            std::to_string(kMostCommentWords) +
                                            " different values, and 4 MiB of them in all, so it "
                                            "would be left out"});
  return losses;
}

Result<void> writePointRows(std::ostream& out, std::string header,
                            const std::vector<AppendValue>& values, const ExportPoints& points,
                            const Clustering* clustering, const Task& task) {
  std::string& text = header;
  for (std::size_t row = 0; row < points.size(); ++row) {
    if (row == 0 || text.size() > kExportBytes) {
      const auto goesOn = writeOutBefore(row, points.size(), out, text, task);
      if (!goesOn || !out) return goesOn;  // the caller reports an error of the stream
    }
    const std::size_t i = points[row];
    for (const AppendValue& append : values) append(text, i);
    if (clustering != nullptr) {
      appendBytes(text, clustering->labels[i]);
      if (hasRoles(clustering)) appendBytes(text, std::uint8_t(clustering->roles[i]));
    }
  }
  writeOut(out, text);
  return {};
}

}  // namespace clusterloom
