// HDF5: a group "points" that holds a dataset of one dimension for each column of the cloud, label
// and role last.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/utf8_text.h"
#include "engine/io/export_rows.h"
#include "engine/io/hdf5/hdf5_objects.h"
#include "engine/io/numbers.h"

namespace clusterloom {
namespace {

using hdf5::Handle;

// Rows that are written with one call.
constexpr std::size_t kHdf5RowsAtOnce = 65536;
// For the names of columns and what belongs to them.
constexpr std::uint64_t kBytesPerColumn = 4096;

tl::unexpected<Error> writeFailed(const std::string& what) {
  return ioError(what + " cannot be written (" + hdf5::lastError() +
                 "). Check the disk, or choose another folder.");
}

/// A text of a fixed length. Bytes that are not UTF-8 are kept, but not called so.
Handle textType(std::size_t bytes, bool utf8) {
  Handle type(H5Tcopy(H5T_C_S1), &H5Tclose);
  H5Tset_size(type, std::max<std::size_t>(bytes, 1));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, utf8 ? H5T_CSET_UTF8 : H5T_CSET_ASCII);
  return type;
}

/// Properties of an object that stores no times, so that two runs write the same bytes.
Handle withoutTimes(hid_t kind) {
  Handle properties(H5Pcreate(kind), &H5Pclose);
  H5Pset_obj_track_times(properties, false);
  return properties;
}

bool addText(hid_t object, const std::string& name, const std::string& text) {
  const Handle type = textType(text.size(), isUtf8(text));
  const Handle space(H5Screate(H5S_SCALAR), &H5Sclose);
  const Handle attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                         &H5Aclose);
  // The library copies at least one byte.
  return attribute && H5Awrite(attribute, type, text.empty() ? "\0" : text.data()) >= 0;
}

/// A column that is filled block by block.
class OpenColumn {
 public:
  /// `stored` is the type in the file, `given` that of the values in memory.
  static Result<OpenColumn> create(hid_t group, const std::string& name, hid_t stored,
                                   std::size_t rows) {
    OpenColumn column;
    const hsize_t size = rows;
    column.space_ = Handle(H5Screate_simple(1, &size, nullptr), &H5Sclose);
    const Handle timeless = withoutTimes(H5P_DATASET_CREATE);
    column.set_ = Handle(
        H5Dcreate2(group, name.c_str(), stored, column.space_, H5P_DEFAULT, timeless, H5P_DEFAULT),
        &H5Dclose);
    if (!column.set_) return writeFailed("column " + name);
    return column;
  }
  hid_t id() const { return set_; }

  bool write(std::size_t first, std::size_t count, hid_t given, const void* values) const {
    const hsize_t start = first;
    const hsize_t size = count;
    if (H5Sselect_hyperslab(space_, H5S_SELECT_SET, &start, nullptr, &size, nullptr) < 0)
      return false;
    const Handle memory(H5Screate_simple(1, &size, nullptr), &H5Sclose);
    return memory && H5Dwrite(set_, given, memory, space_, H5P_DEFAULT, values) >= 0;
  }

 private:
  Handle space_;
  Handle set_;
};

/// Names of datasets have no slash and are not ".".
std::string linkName(std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  return name.empty() || name == "." ? "value" : name;
}

class Hdf5Writer {
 public:
  Hdf5Writer(hid_t group, const ExportPoints& points, const Task& task, std::size_t columns)
      : group_(group), points_(points), task_(task), columns_(columns) {}

  /// Text attributes of a dataset.
  using Attributes = std::vector<std::pair<std::string, std::string>>;

  /// Writes one column; `fill` puts the value of a point at a place in memory. Attributes without a
  /// text are left out.
  template <class T, class Value>
  Result<void> add(const std::string& name, hid_t stored, hid_t given, std::size_t bytes,
                   const Attributes& attributes, const Value& fill) {
    std::vector<T> values;
    std::optional<OpenColumn> column;
    {
      const hdf5::Session session;
      auto opened = OpenColumn::create(group_, name, stored, points_.size());
      if (!opened) return tl::unexpected(opened.error());
      column = std::move(*opened);
      for (const auto& [attribute, text] : attributes)
        if (!text.empty() && !addText(column->id(), attribute, text))
          return writeFailed("column " + name);
    }
    Result<void> done;
    for (std::size_t first = 0; done && first < points_.size(); first += kHdf5RowsAtOnce) {
      if (task_.cancelled()) {
        done = cancelledError();
        break;
      }
      const std::size_t count = std::min(kHdf5RowsAtOnce, points_.size() - first);
      task_.report("writing",
                   (double(written_) + double(first) / double(points_.size())) / double(columns_));
      values.assign(count * bytes / sizeof(T), T{});
      for (std::size_t i = 0; i < count; ++i)
        fill(points_[first + i], values.data() + i * bytes / sizeof(T));
      const hdf5::Session session;
      if (!column->write(first, count, given, values.data()))
        done = writeFailed("column " + name + " from row " + std::to_string(first) + " on");
    }
    ++written_;
    const hdf5::Session session;
    column.reset();
    return done;
  }

 private:
  hid_t group_;
  const ExportPoints& points_;
  const Task& task_;
  std::size_t columns_;
  std::size_t written_ = 0;
};

/// The types of numbers in the file and in memory.
struct Hdf5Types {
  hid_t stored;
  hid_t given;
};
Hdf5Types hdf5Types(Scalar type) {
  const hdf5::Session session;  // the names stand for calls of the library
  switch (type) {
    case Scalar::Int8: return {H5T_STD_I8LE, H5T_NATIVE_INT8};
    case Scalar::Uint8: return {H5T_STD_U8LE, H5T_NATIVE_UINT8};
    case Scalar::Int16: return {H5T_STD_I16LE, H5T_NATIVE_INT16};
    case Scalar::Uint16: return {H5T_STD_U16LE, H5T_NATIVE_UINT16};
    case Scalar::Int32: return {H5T_STD_I32LE, H5T_NATIVE_INT32};
    case Scalar::Uint32: return {H5T_STD_U32LE, H5T_NATIVE_UINT32};
    case Scalar::Int64: return {H5T_STD_I64LE, H5T_NATIVE_INT64};
    case Scalar::Uint64: return {H5T_STD_U64LE, H5T_NATIVE_UINT64};
    case Scalar::Float32: return {H5T_IEEE_F32LE, H5T_NATIVE_FLOAT};
    case Scalar::Float64: break;
  }
  return {H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE};
}

std::uint64_t spaceFor(const Dataset& dataset, const Clustering* clustering) {
  std::uint64_t rowBytes = clustering != nullptr ? 5 : 0;
  const auto columns = exportColumns(dataset);
  for (const ExportColumn& column : columns)
    rowBytes += column.words() != nullptr ? longestWord(*column.words()) : sizeOf(column.type);
  return dataset.cloud.size() * rowBytes + (columns.size() + 4) * kBytesPerColumn;
}

Result<void> writeColumns(hid_t group, const Dataset& dataset, const Clustering* clustering,
                          const ExportPoints& points, const Task& task) {
  const auto columns = hdf5Columns(dataset, points);
  Hdf5Writer writer(group, points, task, columns.size() + 2);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].words() == nullptr) {
      auto added = columns[c].withValues([&](auto valueAt) {
        using Value = decltype(valueAt(std::size_t{}));
        const Hdf5Types types = hdf5Types(columns[c].type);
        return writer.add<Value>(columns[c].name, types.stored, types.given, sizeof(Value),
                                 {{"units", columns[c].unit}},
                                 [&](std::size_t point, Value* value) { *value = valueAt(point); });
      });
      if (!added) return added;
      continue;
    }
    const Categories& words = *columns[c].words();
    const std::size_t bytes = longestWord(words);
    Handle type;
    {
      const hdf5::Session session;
      type = textType(bytes, std::all_of(words.words.begin(), words.words.end(), &isUtf8));
    }
    auto added = writer.add<char>(columns[c].name, type, type, bytes, {{"units", columns[c].unit}},
                                  [&](std::size_t point, char* text) {
                                    const std::string& word =
                                        words.words[std::size_t(words.codes[point])];
                                    std::copy(word.begin(), word.end(), text);
                                  });
    const hdf5::Session session;
    type = {};
    if (!added) return added;
  }
  if (clustering == nullptr) return {};
  const Hdf5Types labels = hdf5Types(Scalar::Int32);
  if (auto added = writer.add<std::int32_t>(
          "label", labels.stored, labels.given, sizeof(std::int32_t),
          {{"description", "the cluster; -1 is noise"}},
          [&](std::size_t point, std::int32_t* label) { *label = clustering->labels[point]; });
      !added)
    return added;
  if (clustering->roles.empty()) return {};
  const Hdf5Types roles = hdf5Types(Scalar::Uint8);
  return writer.add<std::uint8_t>("role", roles.stored, roles.given, 1,
                                  {{"description", "0 noise, 1 border, 2 core"}},
                                  [&](std::size_t point, std::uint8_t* role) {
                                    *role = std::uint8_t(clustering->roles[point]);
                                  });
}

Result<void> writeHdf5(const std::string& path, const Dataset& dataset,
                       const Clustering* clustering, const RowFilter& filter,
                       const Provenance& provenance, const Task& task) {
  const ExportPoints points(dataset, clustering, filter);
  Handle file;
  Handle group;
  {
    const hdf5::Session session;
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose);
#if H5_VERSION_GE(1, 10, 7)
    H5Pset_file_locking(access, false, true);  // the temporary file is locked already
#endif
    const Handle timeless = withoutTimes(H5P_FILE_CREATE);
    file = Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, timeless, access), &H5Fclose);
    if (!file) return writeFailed("the file");
    // The columns keep their order.
    const Handle ordered = withoutTimes(H5P_GROUP_CREATE);
    H5Pset_link_creation_order(ordered, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    // The header of a group has no room for texts above 64 KiB, such as thousands of names.
    H5Pset_attr_creation_order(ordered, H5P_CRT_ORDER_TRACKED);
    H5Pset_attr_phase_change(ordered, 0, 0);
    group = Handle(H5Gcreate2(file, "points", H5P_DEFAULT, ordered, H5P_DEFAULT), &H5Gclose);
    bool good = static_cast<bool>(group);
    for (const auto& [name, value] : provenance)
      good = good && addText(group, linkName(name), value);
    if (!good) return writeFailed("the group of the columns");
  }
  auto written = writeColumns(group, dataset, clustering, points, task);
  const hdf5::Session session;
  group = {};
  if (written && H5Fflush(file, H5F_SCOPE_LOCAL) < 0) written = writeFailed("its end");
  file = {};
  return written;
}

}  // namespace

std::vector<ExportColumn> hdf5Columns(const Dataset& dataset, const ExportPoints& /*points*/) {
  auto columns = exportColumns(dataset);
  renameColumns(columns, &linkName);
  return columns;
}

Losses hdf5Losses(const Dataset& dataset, const ExportPoints& /*points*/) {
  Losses losses;
  for (const Attribute& attribute : dataset.attributes) {
    const auto* const text = std::get_if<Categories>(&attribute.values);
    if (text == nullptr) continue;
    addLongText(losses, attribute, "HDF5");
    const auto lost =
        std::find_if(text->words.begin(), text->words.end(),
                     [](const std::string& word) { return word.find('\0') != std::string::npos; });
    if (lost != text->words.end())
      losses.push_back({attribute.name, "HDF5 ends a text at its first NUL character, so " +
                                            quotedForMessage(*lost) + " would be cut"});
  }
  return losses;
}

WriteByPath hdf5Writer() { return {&spaceFor, &writeHdf5}; }

}  // namespace clusterloom
