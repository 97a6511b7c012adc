// LAS 1.2 to 1.4. What was read from LAS is written in its version, point format, scale and offset,
// with its other records; anything else as LAS 1.4. Columns that the point format lacks, the label
// and the role are extra bytes. [ASPRS LAS 1.4 R15] LAZ is the same with compressed points.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <ostream>
#include <string>

#include "engine/cloud/las_origin.h"
#include "engine/core/memory_budget.h"
#include "engine/core/parallel_for.h"
#include "engine/io/export_rows.h"
#include "engine/io/las/las_columns.h"
#include "engine/io/las/las_layout.h"
#include "engine/io/las/laz_file.h"
#include "engine/version.h"

namespace clusterloom {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t kMostRecord = 65535;
// The words of all text columns. Readers skip much more before the points.
constexpr std::size_t kMostWordBytes = std::size_t{8} << 20;
// Bytes of the name of a column of extra bytes, and to how many a longer one is cut, so that there
// is room for a number behind it.
constexpr std::size_t kMostExtraName = 32;
constexpr std::size_t kCutExtraName = 28;
constexpr std::uint16_t kWkt = 1 << 4;  // of the global encoding; required from format 6 on

template <class T>
void put(std::string& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof(T));
}

/// A name of at most `most` bytes, cut between characters.
std::string cut(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  text.resize(most);
  return text;
}

std::string variableRecord(const std::string& user, std::uint16_t id, const std::string& title,
                           const std::string& content) {
  std::string bytes(kLasVlrHeader, '\0');
  bytes.replace(2, user.size(), user);
  put(bytes, 18, id);
  put(bytes, 20, std::uint16_t(content.size()));
  bytes.replace(22, title.size(), title);
  return bytes + content;
}

/// Whether there is room for the words of one more column of text, after `bytes` of others. One
/// that has none is left out, and takes no room from the next.
bool takeRoom(std::size_t& bytes, const Categories& text) {
  // As long as lasWords, which would build the text of millions of words first.
  std::size_t all = bytes + std::to_string(text.words.size()).size() + 2;
  for (const std::string& word : text.words) {
    all += escapedLine(word).size() + 1;
    if (all > kMostWordBytes) return false;
  }
  bytes = all;
  return true;
}

std::string describedRecord(const LasOrigin::Extra& column) {
  if (!column.record.empty()) return column.record;
  std::string bytes(kLasExtraRecord, '\0');
  put(bytes, 2, column.type);
  put(bytes, 3, std::uint8_t(column.scaled ? 8 | 16 : 0));
  bytes.replace(4, column.name.size(), column.name);
  if (column.scaled) {
    put(bytes, 112, column.scale);
    put(bytes, 136, column.offset);
  }
  const std::string description = cut(column.description, 32);
  bytes.replace(160, description.size(), description);
  return bytes;
}

/// What is to be written, decided before the first byte.
class LasPlan {
 public:
  LasPlan(const Dataset& dataset, const Clustering* clustering, const ExportPoints& points,
          const Provenance& provenance, bool compressed, const Task& task)
      : dataset_(dataset),
        clustering_(clustering),
        points_(points),
        compressed_(compressed),
        task_(task) {
    collect();
    chooseFormat();
    placePositions();
    placeFields();
    placeExtras();
    describe(provenance);
  }

  std::string problem() const {
    if (described_.size() > kLasMostExtras)
      return "has " + std::to_string(described_.size()) +
             " columns beside those of LAS, which holds " + std::to_string(kLasMostExtras) +
             " more at most. Export it as PLY or CSV.";
    return "";
  }

  std::size_t recordBytes() const { return recordBytes_; }
  /// All columns, with the names that they get.
  const std::vector<ExportColumn>& columns() const { return columns_; }
  /// What follows the points, and the bytes of the header, from kLasWavesAt on, that say where it
  /// begins.
  std::string_view extended() const {
    return dataset_.las != nullptr && minor_ >= 3 ? std::string_view(dataset_.las->extendedBytes)
                                                  : std::string_view();
  }
  std::string extendedPlaces(std::uint64_t begin) const;
  LazScheme scheme() const { return {format_, recordBytes_}; }
  std::string header() const;
  /// Sets the bytes of a point in a record of zeros.
  void putPoint(std::string& record, std::size_t point) const {
    for (const LasColumn& column : stored_) column.put(record.data(), point);
    // 1 of 1, beside the flags that share the byte in formats below 6.
    if (setsReturn_) record[14] = static_cast<char>(record[14] | (format_ < 6 ? 0x09 : 0x11));
    if (clustering_ == nullptr) return;
    put(record, labelAt_, clustering_->labels[point]);
    if (!clustering_->roles.empty())
      record[labelAt_ + 4] = static_cast<char>(clustering_->roles[point]);
  }

 private:
  bool hasWkt() const;
  void collect();
  void chooseFormat();
  void placePositions();
  void placeFields();
  void placeExtras();
  bool placeAsRead(const std::vector<ExportColumn>& left, std::size_t first,
                   const std::vector<std::string>& names);
  void describe(const Provenance& provenance);

  /// The column of extra bytes that was read under this name; the others of an array follow it.
  const LasOrigin::Extra* extraOf(const std::string& name) const {
    if (dataset_.las == nullptr) return nullptr;
    for (const LasOrigin::Extra& extra : dataset_.las->extras)
      if (extra.name == name) return &extra;
    return nullptr;
  }
  /// A column of numbers. Text is none of the values that LAS has a name for.
  const ExportColumn* find(const std::string& name) const {
    const auto found = std::find_if(left_.begin(), left_.end(), [&](const ExportColumn& c) {
      return c.name == name && c.words() == nullptr;
    });
    return found == left_.end() ? nullptr : &*found;
  }
  void place(const LasColumn& column) {
    stored_.push_back(column);
    bindPut(stored_.back());
    std::erase_if(left_, [&](const ExportColumn& c) { return c.name == column.values.name; });
    columns_.push_back(column.values);
    if (!column.field.name.empty()) columns_.back().name = column.field.name;
  }

  const Dataset& dataset_;
  const Clustering* clustering_;
  const ExportPoints& points_;
  const bool compressed_;
  const Task& task_;
  std::vector<ExportColumn> left_;  ///< columns without a place so far
  std::vector<ExportColumn> columns_;
  std::vector<LasColumn> stored_;
  std::array<std::optional<LasColumn>, 3> positions_;
  std::vector<LasOrigin::Extra> described_;
  int minor_ = 4;
  int format_ = 6;
  bool setsReturn_ = false;
  std::size_t recordBytes_ = 0;
  std::size_t labelAt_ = 0;
  std::uint32_t records_ = 0;
  std::string recordsOfFile_;
};

void LasPlan::collect() {
  std::vector<std::string> names;
  const std::size_t dims = dataset_.cloud.dims();
  for (std::size_t j = 0; j < dims; ++j)
    names.push_back(dataset_.las == nullptr && j < 3 ? std::string(1, "xyz"[j])
                                                     : dimensionName(dataset_.cloud, j));
  for (const std::string& name : attributeNames(dataset_)) names.push_back(name);
  // The first three coordinates keep the names of the position.
  names = uniqueNames(names, {"label", "role"});
  for (std::size_t c = 0; c < names.size(); ++c)
    left_.push_back(c < dims ? coordinateColumn(dataset_, c, names[c])
                             : attributeColumn(dataset_.attributes[c - dims], names[c]));
}

void LasPlan::chooseFormat() {
  if (dataset_.las == nullptr) {
    format_ = find("nir") != nullptr ? 8 : find("red") != nullptr ? 7 : 6;
    return;
  }
  format_ = dataset_.las->pointFormat;
  const int least = format_ >= 6 ? 4 : format_ >= 4 ? 3 : 2;
  minor_ = std::max(dataset_.las->minor, least);
}

void LasPlan::placePositions() {
  recordBytes_ = kLasRecordBytes[std::size_t(format_)];
  for (std::size_t j = 0; j < 3; ++j) {
    const ExportColumn* const values = find(std::string(1, "xyz"[j]));
    // Integers have no value that stands for none.
    if (values == nullptr || !allFinite(*values, points_, task_)) continue;
    LasColumn column{*values, {"", Scalar::Int32, 4 * j}, true};
    if (dataset_.las != nullptr) {
      column.scale = dataset_.las->scale[j];
      column.offset = dataset_.las->offset[j];
    }
    if (dataset_.las == nullptr || !allFit(column, points_, task_)) chooseScale(column, points_);
    positions_[j] = column;
    place(column);
  }
}

void LasPlan::placeFields() {
  for (const LasField& field : lasFields(format_)) {
    const ExportColumn* const values = find(field.name);
    if (values == nullptr) continue;
    const LasColumn column{*values, field};
    if (allFit(column, points_, task_)) place(column);
  }
  // Both share a byte: one of them alone is kept as it is.
  const auto isLasColumn = [&](const char* name) {
    return std::any_of(stored_.begin(), stored_.end(),
                       [&](const LasColumn& column) { return column.field.name == name; });
  };
  setsReturn_ = !isLasColumn("return_number") && !isLasColumn("number_of_returns");
}

void LasPlan::placeExtras() {
  std::vector<std::string> taken{"x", "y", "z", "X", "Y", "Z", "label", "role"};
  for (const LasField& field : lasFields(format_)) taken.push_back(field.name);
  // Those that were extra bytes keep their names; of an array these may be longer than its own.
  std::vector<std::string> wanted;
  std::vector<std::string> inData;
  for (const ExportColumn& values : left_) {
    inData.push_back(values.name);
    const bool stays = values.name.size() <= kMostExtraName || extraOf(values.name) != nullptr;
    wanted.push_back(stays ? values.name : cut(values.name, kCutExtraName));
  }
  auto names = uniqueNames(wanted, taken, inData);
  const std::vector<ExportColumn> left = left_;
  for (std::size_t e = 0; e < left.size(); ++e) {
    const std::size_t placed = stored_.size();
    if (placeAsRead(left, e, names)) {
      e += stored_.size() - placed - 1;
      continue;
    }
    std::string name = names[e];
    if (name.size() > kMostExtraName) {
      // Another name, which none of the others is.
      names.push_back(cut(name, kCutExtraName));
      names = uniqueNames(names, taken);
      name = names.back();
    }
    LasColumn column{left[e], {name, left[e].type, recordBytes_}};
    const LasOrigin::Extra* const extra = extraOf(left[e].name);
    described_.push_back({name, lasExtraNumber(column.field.type), false, 1, 0,
                          extra != nullptr ? extra->description : ""});
    recordBytes_ += sizeOf(column.field.type);
    place(column);
  }
  labelAt_ = recordBytes_;
  if (clustering_ == nullptr) return;
  described_.push_back(
      {"label", lasExtraNumber(Scalar::Int32), false, 1, 0, "cluster; -1 is noise"});
  recordBytes_ += 4;
  if (clustering_->roles.empty()) return;
  described_.push_back(
      {"role", lasExtraNumber(Scalar::Uint8), false, 1, 0, "0 noise, 1 border, 2 core"});
  recordBytes_ += 1;
}

/// Places a column of extra bytes, or all columns of an array of them, as the file has them; false
/// where that cannot be done.
bool LasPlan::placeAsRead(const std::vector<ExportColumn>& left, std::size_t first,
                          const std::vector<std::string>& names) {
  const LasOrigin::Extra* const extra = extraOf(left[first].name);
  if (extra == nullptr || extra->index != 0 || first + extra->values > left.size()) return false;
  std::vector<LasColumn> group;
  std::size_t offset = recordBytes_;
  for (std::size_t v = 0; v < extra->values; ++v) {
    if (extra + v == dataset_.las->extras.data() + dataset_.las->extras.size()) return false;
    const LasOrigin::Extra& one = extra[v];
    const ExportColumn& values = left[first + v];
    if (values.name != one.name || (extra->values > 1 && names[first + v] != one.name))
      return false;
    group.push_back({values,
                     {names[first + v], lasExtraType(one.type), offset},
                     one.scaled,
                     one.scale,
                     one.offset});
    if (!allFit(group.back(), points_, task_)) return false;
    offset += sizeOf(group.back().field.type);
  }
  LasOrigin::Extra described = *extra;
  described.name = cut(names[first], kMostExtraName);
  // A column that keeps its name keeps its record, which names several values only once.
  if (!described.record.empty() && names[first] != extra->name) {
    described.record.replace(4, kMostExtraName, kMostExtraName, '\0');
    described.record.replace(4, described.name.size(), described.name);
  }
  described_.push_back(std::move(described));
  recordBytes_ = offset;
  for (const LasColumn& column : group) place(column);
  return true;
}

void LasPlan::describe(const Provenance& provenance) {
  if (dataset_.las != nullptr) {
    recordsOfFile_ = dataset_.las->recordBytes;
    records_ = dataset_.las->records;
  }
  if (compressed_) {
    recordsOfFile_ +=
        variableRecord(kLazUser, kLazRecord, "How the points are compressed", lazRecord(scheme()));
    ++records_;
  }
  std::string content;
  for (const LasOrigin::Extra& column : described_) content += describedRecord(column);
  if (!content.empty() && problem().empty()) {
    recordsOfFile_ += variableRecord("LASF_Spec", 4, "Extra bytes", content);
    ++records_;
  }
  std::string text;
  for (const auto& [name, value] : provenance) text += oneLine(name) + ": " + oneLine(value) + "\n";
  if (!text.empty()) {
    recordsOfFile_ += variableRecord(kLasOwnUser, 1, "Provenance", cut(text, kMostRecord));
    ++records_;
  }
  std::size_t wordBytes = 0;
  for (const LasColumn& column : stored_) {
    const Categories* const values = column.values.words();
    if (values == nullptr || !takeRoom(wordBytes, *values)) continue;
    // Words of a column, in as many records as they need.
    const std::string words = lasWords(column.field.name, values->words);
    for (std::size_t at = 0; at < words.size(); at += kMostRecord, ++records_)
      recordsOfFile_ += variableRecord(kLasOwnUser, kLasWordsRecord, "Words of a text column",
                                       words.substr(at, kMostRecord));
  }
}

/// Whether one of the records that are kept is a coordinate system as WKT.
bool LasPlan::hasWkt() const {
  if (dataset_.las == nullptr) return false;
  constexpr std::string_view user("LASF_Projection\0", 16);
  constexpr std::string_view id("\x40\x08", 2);  // 2112
  const auto has = [&](std::string_view records, std::size_t headerBytes) {
    while (records.size() >= headerBytes) {
      if (records.substr(2, 16) == user && records.substr(18, 2) == id) return true;
      std::uint64_t length = 0;
      std::memcpy(&length, records.data() + 20, headerBytes == kLasEvlrHeader ? 8 : 2);
      records.remove_prefix(std::min<std::uint64_t>(records.size(), headerBytes + length));
    }
    return false;
  };
  return has(dataset_.las->recordBytes, kLasVlrHeader) || has(extended(), kLasEvlrHeader);
}

std::string LasPlan::extendedPlaces(std::uint64_t begin) const {
  if (extended().empty()) return {};
  const LasOrigin& origin = *dataset_.las;
  std::string bytes;
  appendBytes(bytes, origin.waves ? begin + *origin.waves : std::uint64_t{0});
  if (minor_ < 4) return bytes;
  appendBytes(bytes, begin);
  appendBytes(bytes, origin.extendedRecords);
  return bytes;
}

std::string LasPlan::header() const {
  const std::size_t bytes = minor_ == 4 ? kLasHeader14 : minor_ == 3 ? kLasHeader13 : kLasHeader12;
  std::string header(bytes, '\0');
  header.replace(0, 4, "LASF");
  const LasOrigin* const origin = dataset_.las.get();
  auto encoding = origin != nullptr ? origin->encoding : std::uint16_t{0};
  // Required from format 6 on, but only where such a record tells the coordinate system.
  if (!hasWkt()) encoding = std::uint16_t(encoding & ~kWkt);
  if (format_ >= 6 && hasWkt()) encoding |= kWkt;
  constexpr std::uint16_t internalWaves = 1 << 1;
  constexpr std::uint16_t externalWaves = 1 << 2;
  // Without their packets the points refer to those of the file that was read.
  if ((encoding & internalWaves) != 0 && !origin->waves)
    encoding = std::uint16_t((encoding & ~internalWaves) | externalWaves);
  put(header, 6, encoding);
  if (origin != nullptr) {
    put(header, 4, origin->fileSource);
    header.replace(8, std::min<std::size_t>(16, origin->guid.size()), origin->guid, 0, 16);
    header.replace(26, std::min<std::size_t>(32, origin->system.size()), origin->system, 0, 32);
    put(header, 90, origin->day);
    put(header, 92, origin->year);
  }
  header[24] = 1;
  header[25] = static_cast<char>(minor_);
  const std::string software = std::string("Clusterloom ") + kVersion;
  header.replace(58, software.size(), software);
  put(header, 94, std::uint16_t(bytes));
  put(header, 96, std::uint32_t(bytes + recordsOfFile_.size()));
  put(header, 100, records_);
  header[104] = static_cast<char>(format_ | (compressed_ ? kLazMark : 0));
  put(header, 105, std::uint16_t(recordBytes_));

  std::array<std::uint64_t, 15> returns{};
  for (const LasColumn& column : stored_) {
    if (column.field.name != "return_number") continue;
    column.values.withValues([&](auto valueAt) {
      for (std::size_t row = 0; row < points_.size(); ++row) {
        const auto number = std::size_t(valueAt(points_[row]));
        if (number >= 1 && number <= returns.size()) ++returns[number - 1];
      }
    });
  }
  if (setsReturn_) returns[0] = points_.size();
  if (format_ < 6) {
    put(header, 107, std::uint32_t(points_.size()));
    for (std::size_t r = 0; r < 5; ++r) put(header, 111 + 4 * r, std::uint32_t(returns[r]));
  }
  for (std::size_t j = 0; j < 3; ++j) {
    const bool stored = positions_[j].has_value();
    put(header, 131 + 8 * j, stored ? positions_[j]->scale : 1.0);
    put(header, 155 + 8 * j, stored ? positions_[j]->offset : 0.0);
    std::pair<double, double> range{0, 0};
    if (stored) {
      range = rangeOf(positions_[j]->values, points_);
      for (double* const end : {&range.first, &range.second})
        *end = std::round((*end - positions_[j]->offset) / positions_[j]->scale) *
                   positions_[j]->scale +
               positions_[j]->offset;
    }
    put(header, 179 + 16 * j, range.second);
    put(header, 187 + 16 * j, range.first);
  }
  if (minor_ == 4) {
    put(header, 247, std::uint64_t{points_.size()});
    for (std::size_t r = 0; r < returns.size(); ++r) put(header, 255 + 8 * r, returns[r]);
  }
  return header + recordsOfFile_;
}

/// A plan that can be carried out.
Result<void> checkPlan(const LasPlan& plan, const Task& task) {
  if (task.cancelled()) return cancelledError();
  if (!plan.problem().empty()) return badCall("The cloud " + plan.problem());
  return {};
}

/// Chunks that are compressed at the same time.
constexpr std::size_t kChunksAtOnce = 8;
constexpr std::size_t kLasPointsPerLook = 1024;

}  // namespace

std::vector<ExportColumn> lasColumns(const Dataset& dataset, const ExportPoints& points) {
  return LasPlan(dataset, nullptr, points, {}, false, {}).columns();
}

Losses lasLosses(const Dataset& dataset, const ExportPoints& /*points*/) {
  Losses losses;
  if (const LasOrigin* const origin = dataset.las.get()) {
    if (origin->largeBytes > 0)
      losses.push_back({"",
                        "Records after the points, such as packets of waveforms, are written to "
                        "LAS up to 256 MiB, so that " +
                            memoryText(origin->largeBytes) + " of them would be left out"});
    if (origin->skippedBytes > 0)
      losses.push_back(
          {"", "Records before the points are written to LAS up to 16 MiB, so that the " +
                   memoryText(origin->skippedBytes) + " of this file would be left out"});
    if (origin->droppedBytes > 0)
      losses.push_back({"", "Each point has " + std::to_string(origin->droppedBytes) +
                                " bytes that nothing describes and that were not read, so that "
                                "they would not be written to LAS"});
  }
  std::size_t bytes = 0;
  for (const Attribute& attribute : dataset.attributes) {
    const auto* const text = std::get_if<Categories>(&attribute.values);
    if (text != nullptr && !takeRoom(bytes, *text))
      losses.push_back({attribute.name,
                        "LAS holds text as numbers, with at most 8 MiB of different values, so "
                        "only the numbers would be written"});
  }
  return losses;
}

Result<void> writeLas(std::ostream& out, const Dataset& dataset, const Clustering* clustering,
                      const RowFilter& filter, const Provenance& provenance, const Task& task) {
  const ExportPoints points(dataset, clustering, filter);
  task.report("writing", 0);
  const LasPlan plan(dataset, clustering, points, provenance, false, task);
  if (auto good = checkPlan(plan, task); !good) return good;
  std::string bytes = plan.header();
  const std::string places =
      plan.extendedPlaces(bytes.size() + std::uint64_t{points.size()} * plan.recordBytes());
  bytes.replace(kLasWavesAt, places.size(), places);
  std::string record;
  for (std::size_t row = 0; row < points.size(); ++row) {
    if (row == 0 || bytes.size() > kExportBytes) {
      const auto goesOn = writeOutBefore(row, points.size(), out, bytes, task);
      if (!goesOn || !out) return goesOn;  // the caller reports an error of the stream
    }
    record.assign(plan.recordBytes(), '\0');
    plan.putPoint(record, points[row]);
    bytes += record;
  }
  writeOut(out, bytes);
  out << plan.extended();
  return {};
}

Result<void> writeLaz(std::ostream& out, const Dataset& dataset, const Clustering* clustering,
                      const RowFilter& filter, const Provenance& provenance, const Task& task) {
  const ExportPoints points(dataset, clustering, filter);
  task.report("writing", 0);
  const LasPlan plan(dataset, clustering, points, provenance, true, task);
  if (auto good = checkPlan(plan, task); !good) return good;
  const bool seeks = out.tellp() != std::streampos(-1);
  if (!seeks && !plan.extended().empty())
    return badCall(
        "The cloud has records after its points, which cannot be written as LAZ into a pipe. Write "
        "a file, or LAS.");
  std::string bytes = plan.header();
  const std::uint64_t start = bytes.size();
  bytes.append(8, '\xFF');  // the place of the table of chunks is not known yet
  std::uint64_t place = bytes.size();
  writeOut(out, bytes);

  const auto encode = [&](std::size_t first, std::size_t last) {
    const auto chunk = makeLazChunk(plan.scheme());
    std::string record;
    for (std::size_t row = first; row < last; ++row) {
      if (row % kLasPointsPerLook == 0 && task.cancelled()) return std::string();
      record.assign(plan.recordBytes(), '\0');
      plan.putPoint(record, points[row]);
      chunk->add(reinterpret_cast<const std::uint8_t*>(record.data()));
    }
    return chunk->finish();
  };
  std::vector<std::uint64_t> chunkBytes;
  for (std::size_t row = 0; row < points.size();) {
    const std::size_t chunks = std::min<std::size_t>(
        kChunksAtOnce, (points.size() - row + kLazChunkPoints - 1) / kLazChunkPoints);
    std::vector<std::string> encoded(chunks);
    parallelFor(chunks, 1, [&](std::size_t c) {
      const std::size_t first = row + c * kLazChunkPoints;
      encoded[c] = encode(first, std::min<std::size_t>(points.size(), first + kLazChunkPoints));
    });
    if (task.cancelled()) return cancelledError();
    for (std::string& chunk : encoded) {
      chunkBytes.push_back(chunk.size());
      place += chunk.size();
      writeOut(out, chunk);
    }
    if (!out) return {};  // the caller reports the error
    row = std::min(points.size(), row + chunks * kLazChunkPoints);
    task.report("writing", double(row) / double(points.size()));
  }
  bytes = lazTable(chunkBytes);
  std::string there(8, '\0');
  put(there, 0, place);
  // Where the output has no places, as a pipe, readers find it at the end.
  if (!seeks) bytes += there;
  const std::string places = plan.extendedPlaces(place + bytes.size());
  writeOut(out, bytes);
  out << plan.extended();
  if (!seeks) return {};
  out.seekp(static_cast<std::streamoff>(start)).write(there.data(), 8);
  out.seekp(static_cast<std::streamoff>(kLasWavesAt))
      .write(places.data(), std::streamsize(places.size()));
  out.seekp(0, std::ios::end);
  return {};
}

}  // namespace clusterloom
