#include "engine/io/read_labels.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "engine/cloud/point_cloud.h"
#include "engine/core/number_text.h"
#include "engine/io/column_plan.h"
#include "engine/io/numbers.h"
#include "engine/io/read.h"

namespace clusterloom {
namespace {

constexpr std::uint64_t kLabelsPerLook = 1 << 16;

/// The columns of a file that hold labels and roles, as ReadOptions take them.
struct LabelColumns {
  std::string label;
  std::optional<std::string> role;
};

Result<LabelColumns> labelColumns(const std::string& path) {
  const auto read = previewFile(path, {}, 1);
  if (!read) return tl::unexpected(read.error());
  const Preview& preview = *read;
  LabelColumns found;
  const auto named = [&](const char* name) -> std::optional<std::size_t> {
    for (std::size_t c = 0; c < preview.columns.size(); ++c)
      if (preview.columns[c].name == name) return c;
    return std::nullopt;
  };
  if (const auto label = named("label"); label && preview.columns[*label].numeric) {
    found.label = columnWord(preview.columns, *label);
    if (const auto role = named("role"); role && !preview.columns[*role].numeric)
      found.role = columnWord(preview.columns, *role);
    return found;
  }
  if (preview.columns.size() == 1 && preview.columns[0].numeric) {
    found.label = columnWord(preview.columns, 0);
    return found;
  }
  return badInput(path +
                  ": has no labels: a file of labels has one column of numbers, or one that is "
                  "called \"label\".");
}

std::optional<PointRole> roleOf(const std::string& word) {
  if (word == "core") return PointRole::Core;
  if (word == "border") return PointRole::Border;
  if (word == "noise") return PointRole::Noise;
  return std::nullopt;
}

tl::unexpected<Error> badRow(const std::string& path, std::uint64_t row, const std::string& what) {
  return badInput(path + ": row " + std::to_string(row) + " (counting from 0): " + what);
}

Result<std::int32_t> labelOf(const std::string& path, std::uint64_t row, double value) {
  if (!(value >= kSkippedRow) || value >= double(kMaxPoints) || value != std::floor(value))
    return badRow(path, row,
                  numberText(value) + " is not a label: labels are −1 for noise, 0, 1, 2, …");
  return std::int32_t(value);
}

/// The column of labels. Its errors name no coordinates, which it has none of.
Result<Dataset> readColumn(const std::string& path, const ReadOptions& options, const Task& task) {
  auto read = readDataset(path, options, task);
  if (!read && read.error().canSkipRows)
    return badInput(path + ": a row has no label. Each row needs one: −1 for noise, 0, 1, 2, …");
  return read;
}

/// Fills the clustering row by row; see readLabels.
Result<Clustering> clusteringOf(const std::string& path, const Dataset& labels, const Dataset& of,
                                const Task& task) {
  const std::span<const double> values = labels.cloud.columns[0];
  const Categories* const words =
      labels.attributes.empty() ? nullptr : std::get_if<Categories>(&labels.attributes[0].values);
  Clustering clustering;
  clustering.labels.reserve(of.cloud.size());
  if (words != nullptr) clustering.roles.reserve(of.cloud.size());
  auto skipped = of.skippedRows.begin();
  for (std::uint64_t row = 0; row < of.inputRows; ++row) {
    if (row % kLabelsPerLook == 0 && task.cancelled()) return cancelledError();
    if (skipped != of.skippedRows.end() && *skipped == row) {
      ++skipped;
      continue;
    }
    const std::uint64_t inFile = row * labels.every;
    const auto read = labelOf(path, inFile, values[row]);
    if (!read) return tl::unexpected(read.error());
    const std::int32_t label = *read;
    if (label == kSkippedRow)
      return badRow(path, inFile,
                    "was skipped when the labels were made, but is a point of the open cloud.");
    clustering.labels.push_back(label);
    clustering.clusters = std::max(clustering.clusters, label + 1);
    if (label == kNoise) ++clustering.noiseCount;
    if (words == nullptr) continue;
    const std::string& word = words->words[std::size_t(words->codes[row])];
    const auto role = roleOf(word);
    if (!role || (*role == PointRole::Noise) != (label == kNoise))
      return badRow(
          path, inFile,
          "the role \"" + word + "\" does not match the label " + std::to_string(label) + ".");
    clustering.roles.push_back(*role);
    if (*role == PointRole::Core) ++clustering.coreCount;
    if (*role == PointRole::Border) ++clustering.borderCount;
  }
  return clustering;
}

}  // namespace

Result<Clustering> readLabels(const std::string& path, const Dataset& of, const Task& task) {
  const auto columns = labelColumns(path);
  if (!columns) return tl::unexpected(columns.error());
  ReadOptions options;
  options.coordinates = {columns->label};
  options.keepOthers = false;
  if (columns->role) options.keep = {*columns->role};
  options.every = of.every;
  auto labels = readColumn(path, options, task);
  if (!labels) return tl::unexpected(labels.error());
  if (labels->inputRows != of.inputRows && of.every > 1) {
    // Labels of the rows that were read, as the window exports them.
    options.every = 1;
    auto perRowRead = readColumn(path, options, task);
    if (!perRowRead) return tl::unexpected(perRowRead.error());
    if (perRowRead->inputRows == of.inputRows) labels = std::move(perRowRead);
  }
  if (labels->inputRows != of.inputRows)
    return badInput(path + ": has " + groupedText(labels->inputRows) +
                    " labels, but the cloud has " + groupedText(of.inputRows) +
                    " rows. Open the cloud that the labels were made of.");
  return clusteringOf(path, *labels, of, task);
}

Result<std::vector<std::int32_t>> readLabelRows(const std::string& path, const Task& task) {
  const auto columns = labelColumns(path);
  if (!columns) return tl::unexpected(columns.error());
  ReadOptions options;
  options.coordinates = {columns->label};
  options.keepOthers = false;
  const auto rows = readColumn(path, options, task);
  if (!rows) return tl::unexpected(rows.error());
  std::vector<std::int32_t> labels;
  labels.reserve(rows->inputRows);
  for (const double value : rows->cloud.columns[0]) {
    if (labels.size() % kLabelsPerLook == 0 && task.cancelled()) return cancelledError();
    const auto label = labelOf(path, labels.size(), value);
    if (!label) return tl::unexpected(label.error());
    labels.push_back(*label);
  }
  return labels;
}

}  // namespace clusterloom
