// LAS 1.2 to 1.4. What was read from LAS is written in its version, point format, scale and offset,
// with its other records; anything else as LAS 1.4. Columns that the point format lacks, the label
// and the role are extra bytes. [ASPRS LAS 1.4 R15] LAZ is the same with compressed points.
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <ostream>
#include <string>

#include "engine/cloud/las_origin.h"
#include "engine/io/export_rows.h"
#include "engine/io/las_layout.h"
#include "engine/io/laz_file.h"
#include "engine/version.h"

namespace clusterloom {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr double kMostStored = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kMostRecord = 65535;
constexpr std::uint16_t kWkt = 1 << 4;  // of the global encoding; required from format 6 on

/// A column to write: numbers, or codes of words.
struct Values {
  std::string name;
  const double* numbers = nullptr;
  const std::int32_t* codes = nullptr;
  double at(std::size_t i) const { return numbers != nullptr ? numbers[i] : codes[i]; }
};

/// Where a column is in the record, and how it is stored.
struct Stored {
  Values values;
  LasField field;
  bool scaled = false;
  double scale = 1;
  double offset = 0;
};

/// A description of a column of extra bytes.
struct Described {
  std::string name;
  std::uint8_t type = 0;
  bool scaled = false;
  double scale = 1;
  double offset = 0;
  std::string description;
};

template <class T>
void put(std::string& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof(T));
}

template <class T>
bool fitsInteger(double value) {
  // Beyond 2⁵³ doubles are not all integers that were read.
  constexpr double most = 9007199254740992.0;
  return value == std::floor(value) && std::abs(value) <= most &&
         value >= static_cast<double>(std::numeric_limits<T>::min()) &&
         value <= static_cast<double>(std::numeric_limits<T>::max());
}

/// Whether a value is stored in this type without a change.
bool fits(Scalar type, double value) {
  switch (type) {
    case Scalar::Int8:
      return fitsInteger<std::int8_t>(value);
    case Scalar::Uint8:
      return fitsInteger<std::uint8_t>(value);
    case Scalar::Int16:
      return fitsInteger<std::int16_t>(value);
    case Scalar::Uint16:
      return fitsInteger<std::uint16_t>(value);
    case Scalar::Int32:
      return fitsInteger<std::int32_t>(value);
    case Scalar::Uint32:
      return fitsInteger<std::uint32_t>(value);
    case Scalar::Int64:
      return fitsInteger<std::int64_t>(value);
    case Scalar::Uint64:
      return fitsInteger<std::uint64_t>(value);
    case Scalar::Float32:
      return std::isnan(value) || static_cast<double>(static_cast<float>(value)) == value;
    case Scalar::Float64:
      return true;
  }
  return false;
}

void putScalar(std::string& bytes, std::size_t at, Scalar type, double value) {
  switch (type) {
    case Scalar::Int8:
      return put(bytes, at, static_cast<std::int8_t>(value));
    case Scalar::Uint8:
      return put(bytes, at, static_cast<std::uint8_t>(value));
    case Scalar::Int16:
      return put(bytes, at, static_cast<std::int16_t>(value));
    case Scalar::Uint16:
      return put(bytes, at, static_cast<std::uint16_t>(value));
    case Scalar::Int32:
      return put(bytes, at, static_cast<std::int32_t>(value));
    case Scalar::Uint32:
      return put(bytes, at, static_cast<std::uint32_t>(value));
    case Scalar::Int64:
      return put(bytes, at, static_cast<std::int64_t>(value));
    case Scalar::Uint64:
      return put(bytes, at, static_cast<std::uint64_t>(value));
    case Scalar::Float32:
      return put(bytes, at, static_cast<float>(value));
    case Scalar::Float64:
      return put(bytes, at, value);
  }
}

/// Whether all points of a column are stored without a change; false after a stop.
bool allFit(const Stored& column, const ExportPoints& points, const Task& task) {
  for (std::size_t row = 0; row < points.size(); ++row) {
    if (row % kExportBlock == 0 && task.cancelled()) return false;
    const double value = column.values.at(points[row]);
    if (column.scaled) {
      const double stored = std::round((value - column.offset) / column.scale);
      if (!fits(column.field.type, stored) || stored * column.scale + column.offset != value)
        return false;
    } else if (column.field.bits > 0) {
      if (!fits(Scalar::Uint8, value) || value > column.field.mask()) return false;
    } else if (!fits(column.field.type, value)) {
      return false;
    }
  }
  return true;
}

void putValue(std::string& record, const Stored& column, double value) {
  const LasField& field = column.field;
  if (column.scaled) {
    putScalar(record, field.offset, field.type, std::round((value - column.offset) / column.scale));
  } else if (field.bits > 0) {
    const unsigned bits = static_cast<unsigned>(value) << field.shift;
    record[field.offset] =
        static_cast<char>(static_cast<unsigned char>(record[field.offset]) | bits);
  } else {
    putScalar(record, field.offset, field.type, value);
  }
}

/// Low and high of a column; 0 and 0 without points.
std::pair<double, double> rangeOf(const Values& values, const ExportPoints& points) {
  if (points.size() == 0) return {0, 0};
  std::pair<double, double> range{values.at(points[0]), values.at(points[0])};
  for (std::size_t row = 1; row < points.size(); ++row) {
    range.first = std::min(range.first, values.at(points[row]));
    range.second = std::max(range.second, values.at(points[row]));
  }
  return range;
}

/// The finest decimal scale for which the range fits into 32 bits around its middle.
void chooseScale(Stored& column, const ExportPoints& points) {
  const auto [low, high] = rangeOf(column.values, points);
  const double half = std::max(high / 2 - low / 2, std::numeric_limits<double>::min() * 1e12);
  column.scale = std::pow(10.0, std::ceil(std::log10(half / (kMostStored - 2))));
  const double middle = low / 2 + high / 2;
  column.offset = std::round(middle / column.scale) * column.scale;
  // Far from zero the offset is as coarse as doubles are there.
  if (!std::isfinite(column.offset)) column.offset = middle;
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
  put(bytes, 20, static_cast<std::uint16_t>(content.size()));
  bytes.replace(22, title.size(), title);
  return bytes + content;
}

std::string describedRecord(const Described& column) {
  std::string bytes(kLasExtraRecord, '\0');
  put(bytes, 2, column.type);
  put(bytes, 3, static_cast<std::uint8_t>(column.scaled ? 8 | 16 : 0));
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
  LazScheme scheme() const { return {format_, recordBytes_}; }
  std::string header() const;
  /// Sets the bytes of a point in a record of zeros.
  void putPoint(std::string& record, std::size_t point) const {
    for (const Stored& column : stored_) putValue(record, column, column.values.at(point));
    if (setsReturn_) record[14] = static_cast<char>(format_ < 6 ? 0x09 : 0x11);  // 1 of 1
    if (clustering_ == nullptr) return;
    put(record, labelAt_, clustering_->labels[point]);
    if (!clustering_->roles.empty())
      record[labelAt_ + 4] = static_cast<char>(clustering_->roles[point]);
  }

 private:
  void collect();
  void chooseFormat();
  void placePositions();
  void placeFields();
  void placeExtras();
  void describe(const Provenance& provenance);

  Values* find(const std::string& name) {
    const auto found =
        std::find_if(left_.begin(), left_.end(), [&](const Values& v) { return v.name == name; });
    return found == left_.end() ? nullptr : &*found;
  }
  void place(const Stored& column) {
    stored_.push_back(column);
    std::erase_if(left_, [&](const Values& v) { return v.name == column.values.name; });
  }

  const Dataset& dataset_;
  const Clustering* clustering_;
  const ExportPoints& points_;
  const bool compressed_;
  const Task& task_;
  std::vector<Values> left_;  ///< columns without a place so far
  std::vector<Stored> stored_;
  std::array<std::optional<Stored>, 3> positions_;
  std::vector<Described> described_;
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
  for (std::size_t c = 0; c < names.size(); ++c) {
    Values values{names[c]};
    if (c < dims) {
      values.numbers = dataset_.cloud.columns[c].data();
    } else if (const auto* const numbers =
                   std::get_if<std::vector<double>>(&dataset_.attributes[c - dims].values)) {
      values.numbers = numbers->data();
    } else {
      values.codes = std::get<Categories>(dataset_.attributes[c - dims].values).codes.data();
    }
    left_.push_back(std::move(values));
  }
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
  recordBytes_ = kLasRecordBytes[static_cast<std::size_t>(format_)];
  for (std::size_t j = 0; j < 3; ++j) {
    const Values* const values = find(std::string(1, "xyz"[j]));
    if (values == nullptr) continue;
    Stored column{*values, {"", Scalar::Int32, 4 * j}, true};
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
    const Values* const values = find(field.name);
    const Stored column{values != nullptr ? *values : Values{}, field};
    if (values != nullptr && allFit(column, points_, task_)) place(column);
  }
  // Both share a byte: one of them alone is kept as it is.
  const auto isStored = [&](const char* name) {
    return std::any_of(stored_.begin(), stored_.end(),
                       [&](const Stored& column) { return column.field.name == name; });
  };
  setsReturn_ = !isStored("return_number") && !isStored("number_of_returns");
}

void LasPlan::placeExtras() {
  std::vector<std::string> taken{"x", "y", "z", "X", "Y", "Z", "label", "role"};
  for (const LasField& field : lasFields(format_)) taken.push_back(field.name);
  std::vector<std::string> wanted;
  for (const Values& values : left_) wanted.push_back(cut(values.name, 28));
  const auto names = uniqueNames(wanted, taken);
  const std::vector<Values> left = left_;
  for (std::size_t e = 0; e < left.size(); ++e) {
    Stored column{left[e], {names[e], Scalar::Float64, recordBytes_}};
    if (left[e].codes != nullptr) column.field.type = Scalar::Int32;
    std::string description;
    if (dataset_.las != nullptr)
      for (const LasOrigin::Extra& extra : dataset_.las->extras) {
        if (extra.name != left[e].name) continue;
        Stored same = column;
        same.field.type = lasExtraType(extra.type);
        same.scaled = extra.scaled;
        same.scale = extra.scale;
        same.offset = extra.offset;
        description = extra.description;
        if (allFit(same, points_, task_)) column = same;
        break;
      }
    described_.push_back({cut(names[e], 32), lasExtraNumber(column.field.type), column.scaled,
                          column.scale, column.offset, description});
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
  for (const Described& column : described_) content += describedRecord(column);
  if (!content.empty() && problem().empty()) {
    recordsOfFile_ += variableRecord("LASF_Spec", 4, "Extra bytes", content);
    ++records_;
  }
  std::string text;
  for (const auto& [name, value] : provenance) text += oneLine(name) + ": " + oneLine(value) + "\n";
  for (const Attribute& attribute : dataset_.attributes)
    if (const auto* const words = std::get_if<Categories>(&attribute.values))
      for (std::size_t w = 0; w < words->words.size() && text.size() < kMostRecord; ++w)
        text += attribute.name + " " + std::to_string(w) + " = " + oneLine(words->words[w]) + "\n";
  if (text.empty()) return;
  recordsOfFile_ += variableRecord("Clusterloom", 1, "Provenance", cut(text, kMostRecord));
  ++records_;
}

std::string LasPlan::header() const {
  const std::size_t bytes = minor_ == 4 ? kLasHeader14 : minor_ == 3 ? kLasHeader13 : kLasHeader12;
  std::string header(bytes, '\0');
  header.replace(0, 4, "LASF");
  const LasOrigin* const origin = dataset_.las.get();
  auto encoding = origin != nullptr ? origin->encoding : std::uint16_t{0};
  if (format_ >= 6) encoding |= kWkt;
  constexpr std::uint16_t internalWaves = 1 << 1;
  constexpr std::uint16_t externalWaves = 1 << 2;
  // Wave packets are not copied, so the points refer to those of the file that was read.
  if ((encoding & internalWaves) != 0)
    encoding = static_cast<std::uint16_t>((encoding & ~internalWaves) | externalWaves);
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
  put(header, 94, static_cast<std::uint16_t>(bytes));
  put(header, 96, static_cast<std::uint32_t>(bytes + recordsOfFile_.size()));
  put(header, 100, records_);
  header[104] = static_cast<char>(format_ | (compressed_ ? kLazMark : 0));
  put(header, 105, static_cast<std::uint16_t>(recordBytes_));

  std::array<std::uint64_t, 15> returns{};
  for (const Stored& column : stored_) {
    if (column.field.name != "return_number") continue;
    for (std::size_t row = 0; row < points_.size(); ++row) {
      const auto number = static_cast<std::size_t>(column.values.at(points_[row]));
      if (number >= 1 && number <= returns.size()) ++returns[number - 1];
    }
  }
  if (setsReturn_) returns[0] = points_.size();
  if (format_ < 6) {
    put(header, 107, static_cast<std::uint32_t>(points_.size()));
    for (std::size_t r = 0; r < 5; ++r)
      put(header, 111 + 4 * r, static_cast<std::uint32_t>(returns[r]));
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
  if (!plan.problem().empty()) return fail(ErrorKind::BadCall, "The cloud " + plan.problem());
  return {};
}

/// Chunks that are compressed at the same time.
constexpr std::size_t kChunksAtOnce = 8;
constexpr std::size_t kLasPointsPerLook = 1024;

}  // namespace

Result<void> writeLas(std::ostream& out, const Dataset& dataset, const Clustering* clustering,
                      const RowFilter& filter, const Provenance& provenance, const Task& task) {
  const ExportPoints points(dataset, clustering, filter);
  task.report("writing", 0);
  const LasPlan plan(dataset, clustering, points, provenance, false, task);
  if (auto good = checkPlan(plan, task); !good) return good;
  std::string bytes = plan.header();
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
  return {};
}

Result<void> writeLaz(std::ostream& out, const Dataset& dataset, const Clustering* clustering,
                      const RowFilter& filter, const Provenance& provenance, const Task& task) {
  const ExportPoints points(dataset, clustering, filter);
  task.report("writing", 0);
  const LasPlan plan(dataset, clustering, points, provenance, true, task);
  if (auto good = checkPlan(plan, task); !good) return good;
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
    tbb::parallel_for(std::size_t{0}, chunks, [&](std::size_t c) {
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
    task.report("writing", static_cast<double>(row) / static_cast<double>(points.size()));
  }
  bytes = lazTable(chunkBytes);
  std::string there(8, '\0');
  put(there, 0, place);
  // Where the output has no places, as a pipe, readers find it at the end.
  const bool seeks = out.tellp() != std::streampos(-1);
  if (!seeks) bytes += there;
  writeOut(out, bytes);
  if (seeks)
    out.seekp(static_cast<std::streamoff>(start)).write(there.data(), 8).seekp(0, std::ios::end);
  return {};
}

}  // namespace clusterloom
