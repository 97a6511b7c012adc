#include "ui/session/file_row.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <variant>

#include "engine/blocks/file_in_parts.h"
#include "engine/core/memory_budget.h"
#include "engine/io/column_plan.h"
#include "render/paint/ticks.h"
#include "ui/session/subset.h"

namespace clusterloom {
namespace {

constexpr std::uint64_t kRowsOfPart = 500'000;
constexpr int kMostParts = 1 << 20;

/// Numbers of another type than others in their column become doubles.
void toDoubles(ColumnValues& values) {
  if (const auto all = doublesOf(nullptr, values)) values = std::vector<double>(*all);
}

/// Adds the values of some points of another part; false where one of both is text.
bool append(ColumnValues& column, const ColumnValues& part,
            const std::vector<std::uint32_t>& points) {
  if (isText(column) != isText(part)) return false;
  ColumnValues some = valuesAt(part, points);
  if (column.index() != some.index()) {
    toDoubles(column);
    toDoubles(some);
  }
  if (auto* const text = std::get_if<Categories>(&column)) {
    // A part has words of its own.
    std::map<std::string, std::int32_t> codes;
    for (std::size_t i = 0; i < text->words.size(); ++i)
      codes.emplace(text->words[i], std::int32_t(i));
    const auto& other = std::get<Categories>(some);
    for (const std::int32_t code : other.codes) {
      const std::string& word = other.words[std::size_t(code)];
      const auto [at, isNew] = codes.emplace(word, std::int32_t(text->words.size()));
      if (isNew) text->words.push_back(word);
      text->codes.push_back(at->second);
    }
    return true;
  }
  std::visit(
      [&]<class Values>(Values& all) {
        const auto& more = std::get<Values>(some);
        if constexpr (!std::is_same_v<Values, Categories>)
          all.insert(all.end(), more.begin(), more.end());
      },
      column);
  return true;
}

/// The selected points of a part, and their rows counted from its first one.
struct Chosen {
  std::vector<std::uint32_t> points;
  std::vector<std::size_t> rows;
};

Chosen chosenOf(const RowsOfFile& part, const FileRowSet& selected) {
  Chosen chosen;
  auto skipped = part.data.skippedRows.begin();
  std::uint64_t row = part.firstRow;
  for (std::size_t point = 0; point < part.data.cloud.size(); ++point, ++row) {
    for (; skipped != part.data.skippedRows.end() && *skipped == row; ++skipped) ++row;
    if (!selected.has(row)) continue;
    chosen.points.push_back(std::uint32_t(point));
    chosen.rows.push_back(std::size_t(row - part.firstRow));
  }
  return chosen;
}

Result<void> addPart(const std::string& path, const RowsOfFile& part, const Chosen& chosen,
                     const StoredLabels* labels, LabelledRows& found, const Task& task) {
  for (std::size_t j = 0; j < found.data.cloud.columns.size(); ++j)
    for (const std::uint32_t point : chosen.points)
      found.data.cloud.columns[j].push_back(part.data.cloud.columns[j][point]);
  // Several may have one name; they have the same order.
  auto same = part.data.attributes.begin();
  for (Attribute& attribute : found.data.attributes) {
    same = std::find_if(same, part.data.attributes.end(),
                        [&](const Attribute& other) { return other.name == attribute.name; });
    if (same == part.data.attributes.end()) return hasChangedError(path);
    if (!append(attribute.values, same->values, chosen.points))
      return badInput(path + ": column \"" + attribute.name +
                      "\" has numbers in some rows and text in others. Open the file without it "
                      "to export these rows.");
    ++same;
  }
  if (labels == nullptr) return {};
  std::vector<std::int32_t> some(part.data.inputRows);
  if (auto done = labels->readRows(part.firstRow, some, task); !done) return done;
  for (const std::size_t row : chosen.rows) found.labels.push_back(some[row]);
  return {};
}

/// Keeps the columns of the open rows, those of text as text.
void keepColumns(const OpenFile& file, ReadOptions& read) {
  const Dataset& open = *file.open;
  read.keepOthers = false;
  read.keep.clear();
  // Several may have one name, so they are kept by number, as the open rows were read.
  if (const auto preview = previewFile(file.path, file.read, 1)) {
    const auto plan = planColumns(file.path, preview->columns, preview->coordinates, file.read);
    if (plan && plan->attributes.size() == open.attributes.size()) {
      for (std::size_t i = 0; i < plan->attributes.size(); ++i) {
        const std::size_t column = plan->attributes[i];
        read.keep.push_back(columnWord(preview->columns, column));
        if (isText(open.attributes[i].values)) read.asText.push_back(column);
      }
      return;
    }
  }
  for (const Attribute& attribute : open.attributes) read.keep.push_back(attribute.name);
}

}  // namespace

double fileValueOf(const DisplaySpace& space, int axis, double place, const Scaling& scaling) {
  const auto a = std::size_t(axis);
  double value = space.toValue(axis, place);
  // Between two neighbouring floats.
  double step = std::max(0.5, std::abs(place)) * 0x1p-23 / std::abs(space.scale[a]);
  const auto dimension = std::size_t(space.dims[a]);
  if (space.kind == ViewAxes::Kind::Dimensions && scaling.kind != Scaling::Kind::None &&
      scaling.factor[dimension] != 0) {
    value = value / scaling.factor[dimension] + scaling.offset[dimension];
    step /= std::abs(scaling.factor[dimension]);
  }
  constexpr int kMostDigits = 15;
  const double digits = std::floor(std::log10(std::abs(value) / step)) + 1;
  return digits >= 1 ? roundedTo(value, int(std::min<double>(digits, kMostDigits))) : 0;
}

FileRow fileRowOf(const PickedRow& picked, const std::shared_ptr<const DisplayPoints>& in,
                  const Scaling& scaling) {
  FileRow row;
  row.row = picked.row;
  row.xyz = picked.xyz;
  const DisplaySpace& space = in->space;
  for (int axis = 0; axis < space.axes; ++axis) {
    const auto a = std::size_t(axis);
    row.coordinates.emplace_back(space.names[a],
                                 fileValueOf(space, axis, double(picked.xyz[a]), scaling));
  }
  row.in = in;
  return row;
}

Result<LabelledRows> readFileRows(const OpenFile& file, const FileRowSet& selected,
                                  const StoredLabels* labels, const Task& task) {
  auto none = subsetOf(*file.open, {}, OtherRows::None, task);
  if (!none) return tl::unexpected(none.error());
  LabelledRows found{std::move(*none), {}};
  found.data.every = 1;
  const std::uint64_t bytes =
      selected.count * 8 * (found.data.cloud.columns.size() + found.data.attributes.size() + 1);
  if (const std::uint64_t most = availableMemory() / 2; bytes > most)
    return tooLarge("The selected rows take about " + memoryText(bytes) + " of memory, and " +
                    memoryText(most) + " may be used. Select fewer rows.");
  ReadOptions read = file.read;
  read.every = 1;
  keepColumns(file, read);
  read.skipNonFinite = true;
  const std::uint64_t likely = file.open->inputRows * file.open->every;
  const int parts = int(std::min<std::uint64_t>(likely / kRowsOfPart + 1, kMostParts));
  FileInParts rows(file.path, read, {}, parts, task);
  for (int part = 0;; ++part) {
    if (task.cancelled()) return cancelledError();
    task.report("reading", double(part) / parts);
    const auto some = rows.next();
    // What is wrong with another file of this name does not matter.
    const bool isStopped = !some && some.error().kind == ErrorKind::Cancelled;
    if (!isStopped && file.stamp != FileStamp() && stampOf(file.path) != file.stamp)
      return hasChangedError(file.path);
    if (!some) return tl::unexpected(some.error());
    if (!*some) break;
    const Chosen chosen = chosenOf(**some, selected);
    if (chosen.points.empty()) continue;
    if (auto done = addPart(file.path, **some, chosen, labels, found, task); !done)
      return tl::unexpected(done.error());
  }
  if (found.data.cloud.size() != selected.count) return hasChangedError(file.path);
  found.data.inputRows = selected.count;
  return found;
}

}  // namespace clusterloom
