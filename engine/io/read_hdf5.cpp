// HDF5: a dataset of two dimensions or of records, or the datasets of one dimension in a group.
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "engine/io/column_plan.h"
#include "engine/io/formats.h"
#include "engine/io/hdf5_objects.h"

namespace clusterloom {
namespace {

using hdf5::Column;
using hdf5::Handle;
using hdf5::Table;

constexpr std::size_t kHdf5BlockBytes = std::size_t{512} << 10;
constexpr std::size_t kMostBlockRows = 65536;
// Chunks of a band of rows are kept unpacked up to this size, so that each is unpacked once.
constexpr std::size_t kMostCache = std::size_t{256} << 20;

tl::unexpected<Error> readFailed(const std::string& file, const std::string& dataset,
                                 std::uint64_t row) {
  return badInput(file + ": " + dataset + " cannot be read from row " + std::to_string(row) +
                  " on (" + hdf5::lastError() +
                  "). It is damaged, or compressed by a filter that is not installed; copy it "
                  "again or repack it: h5repack -f GZIP=4 FILE NEW");
}

/// Whether a dataset that is stored in one piece has as many bytes as its shape needs, or none yet.
/// The library does not check it and reads behind the end of a damaged one.
bool isComplete(hid_t dataset, hid_t space) {
  const Handle creation(H5Dget_create_plist(dataset), &H5Pclose);
  const Handle type(H5Dget_type(dataset), &H5Tclose);
  if (!creation || !type) return false;
  const H5D_layout_t layout = H5Pget_layout(creation);
  if (layout != H5D_CONTIGUOUS && layout != H5D_COMPACT) return true;
  const std::uint64_t stored = H5Dget_storage_size(dataset);
  const hssize_t values = H5Sget_simple_extent_npoints(space);
  const std::size_t bytes = H5Tget_size(type);
  if (stored == 0 && layout == H5D_CONTIGUOUS) return true;
  return values >= 0 && bytes > 0 && std::uint64_t(values) <= stored / bytes;
}

/// Whether values of the type have memory of their own: strings and lists of any length.
bool ownsMemory(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_VLEN: return true;
    case H5T_STRING: return H5Tis_variable_str(type) > 0;
    case H5T_ARRAY: {
      const Handle base(H5Tget_super(type), &H5Tclose);
      return base && ownsMemory(base);
    }
    case H5T_COMPOUND:
      for (int m = 0; m < H5Tget_nmembers(type); ++m) {
        const Handle member(H5Tget_member_type(type, unsigned(m)), &H5Tclose);
        if (member && ownsMemory(member)) return true;
      }
      return false;
    default: return false;
  }
}

/// Gives back the memory of values that were read.
void reclaim(hid_t type, std::size_t count, std::vector<char>& values) {
  const hsize_t size = count;
  const Handle space(H5Screate_simple(1, &size, nullptr), &H5Sclose);
  H5Dvlen_reclaim(type, space, H5P_DEFAULT, values.data());
}

/// An open dataset, read block by block.
struct OpenDataset {
  std::string path;
  Handle id;
  Handle space;
  std::size_t rank = 1;
  hsize_t width = 1;  ///< of the second dimension

  static Result<OpenDataset> open(hid_t file, const std::string& name, const std::string& path,
                                  std::size_t recordBytes) {
    OpenDataset opened;
    opened.path = path;
    const Handle access(H5Pcreate(H5P_DATASET_ACCESS), &H5Pclose);
    {
      const Handle first(H5Dopen2(file, path.c_str(), H5P_DEFAULT), &H5Dclose);
      if (!first) return readFailed(name, path, 0);
      const Handle creation(H5Dget_create_plist(first), &H5Pclose);
      std::array<hsize_t, 2> chunk{1, 1};
      if (creation && H5Pget_layout(creation) == H5D_CHUNKED &&
          H5Pget_chunk(creation, 2, chunk.data()) > 0) {
        constexpr std::size_t slots = 12'421;  // a prime number well above the chunks of a band
        const std::size_t band = std::min<std::uint64_t>(kMostCache, 2 * chunk[0] * recordBytes);
        H5Pset_chunk_cache(access, slots, std::max(band, std::size_t{1} << 20), 1);
      }
    }
    opened.id = Handle(H5Dopen2(file, path.c_str(), access), &H5Dclose);
    if (!opened.id) return readFailed(name, path, 0);
    opened.space = Handle(H5Dget_space(opened.id), &H5Sclose);
    std::array<hsize_t, 2> shape{1, 1};
    const int rank = opened.space ? H5Sget_simple_extent_ndims(opened.space) : 0;
    if (rank < 1 || rank > 2) return readFailed(name, path, 0);
    H5Sget_simple_extent_dims(opened.space, shape.data(), nullptr);
    if (!isComplete(opened.id, opened.space)) return readFailed(name, path, 0);
    opened.rank = std::size_t(rank);
    opened.width = opened.rank == 2 ? shape[1] : 1;
    return opened;
  }

  /// Reads rows [first, first + count), of a second dimension the columns [low, low + width).
  bool read(std::uint64_t first, std::size_t count, std::size_t low, std::size_t columns,
            hid_t type, void* into) const {
    const std::array<hsize_t, 2> start{first, low};
    const std::array<hsize_t, 2> size{count, columns};
    if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr) < 0)
      return false;
    const Handle memory(H5Screate_simple(int(rank), size.data(), nullptr), &H5Sclose);
    return memory && H5Dread(id, type, memory, space, H5P_DEFAULT, into) >= 0;
  }
};

std::string_view textOf(const char* bytes, const Column& column) {
  std::string_view text(bytes, column.bytes);
  text = text.substr(0, text.find('\0'));
  if (column.padded) text = text.substr(0, text.find_last_not_of(' ') + 1);
  return text;
}

class Hdf5File final : public TableFile {
 public:
  Hdf5File(InputStream& in, Handle file, Table table, hdf5::Content content,
           const ReadOptions& options)
      : in_(in), file_(std::move(file)), shape_(std::move(table)) {
    const bool chosen = !options.dataset.empty();
    tables_ = std::move(content.tables);
    table_ = shape_.path;
    mustChoose_ = content.ambiguous && !chosen;
    mustName_ = options.coordinates.empty() && !shape_.unread.empty();
    rows_ = shape_.rows;
    for (const Column& column : shape_.columns) {
      const bool text =
          column.kind == Column::Kind::FixedText || column.kind == Column::Kind::VariableText;
      const Scalar type = column.kind == Column::Kind::Number ? column.type : Scalar::Float64;
      columns_.push_back(text ? PreviewColumn{column.name, false, "text", column.unit}
                              : numberColumn(column.name, type, column.unit));
    }
    coordinates_ = shape_.matrix ? everyColumn() : coordinatesByName(columns_);
  }
  ~Hdf5File() override {
    const hdf5::Session session;
    file_ = {};
  }

  bool divides() const override { return true; }
  Result<void> checkChoice() const override {
    if (mustName_)
      return badInput(in_.name() + ": " + table_ + ": the member " + quotedPath(shape_.unread) +
                      " of its records is neither a number nor a text of fixed length, and would "
                      "be lost. Name the columns of the coordinates to read the others.");
    return mustChoose_ ? Result<void>(severalTables(in_.name(), tables_)) : Result<void>{};
  }

  Result<void> readRows(DatasetBuilder& builder, std::uint64_t rows) override {
    const auto done = shape_.kind == Table::Kind::Records ? readRecords(builder, rows)
                                                          : readColumns(builder, rows);
    in_.setStage("hashing");
    return done;
  }

 private:
  std::vector<std::size_t> everyColumn() const {
    std::vector<std::size_t> all(columns_.size());
    for (std::size_t c = 0; c < all.size(); ++c) all[c] = c;
    return all;
  }

  Result<void> next(std::uint64_t row, std::uint64_t rows) const {
    if (in_.task().cancelled()) return cancelledError();
    in_.task().report("reading", double(row) / double(rows));
    return {};
  }

  /// The type in which records or values are read: as they are stored, where these are known.
  static Handle memoryType(hid_t dataset, Column::Kind kind) {
    if (kind == Column::Kind::Converted) return {H5Tcopy(H5T_NATIVE_DOUBLE), &H5Tclose};
    return {H5Dget_type(dataset), &H5Tclose};
  }

  Result<void> readRecords(DatasetBuilder& builder, std::uint64_t rows) {
    // Of a wide matrix only the columns between the first and the last one that are used.
    std::size_t low = 0;
    std::size_t width = shape_.columns.size();
    if (shape_.matrix) {
      const auto used = [&](std::size_t c) { return bool(builder.numbers(c)); };
      while (low + 1 < width && !used(low)) ++low;
      while (width > low + 1 && !used(width - 1)) --width;
      width -= low;
    }
    const std::size_t recordBytes =
        shape_.matrix ? width * shape_.columns[0].bytes : shape_.recordBytes;
    const std::size_t skipped = shape_.matrix ? low * shape_.columns[0].bytes : 0;
    const auto perBlock = std::clamp<std::size_t>(kHdf5BlockBytes / recordBytes, 1, kMostBlockRows);
    std::vector<char> block(perBlock * recordBytes);
    std::unique_ptr<OpenDataset> dataset;
    Handle type;
    bool owns = false;
    {
      const hdf5::Session session;
      auto opened = OpenDataset::open(file_, in_.name(), shape_.path, shape_.recordBytes);
      if (!opened) return tl::unexpected(opened.error());
      dataset = std::make_unique<OpenDataset>(std::move(*opened));
      type = memoryType(dataset->id, shape_.columns[0].kind);
      owns = ownsMemory(type);
    }
    Result<void> done;
    for (std::uint64_t row = 0; done && row < rows;) {
      const auto count = std::size_t(std::min<std::uint64_t>(perBlock, rows - row));
      if (done = next(row, rows); !done) break;
      {
        const hdf5::Session session;
        if (!dataset->read(firstRow_ + row, count, low, width, type, block.data())) {
          done = readFailed(in_.name(), shape_.path, firstRow_ + row);
          break;
        }
      }
      builder.extend(count);
      for (std::size_t c = 0; c < shape_.columns.size(); ++c) {
        if (shape_.matrix && (c < low || c >= low + width)) continue;
        const Column& column = shape_.columns[c];
        take(builder, c, column, block.data() + column.offset - skipped, recordBytes, count);
      }
      if (owns) {
        const hdf5::Session session;
        reclaim(type, count, block);
      }
      done = builder.settle(count, {}, in_.task());
      row += count;
    }
    const hdf5::Session session;
    dataset.reset();
    type = {};
    return done;
  }

  Result<void> readColumns(DatasetBuilder& builder, std::uint64_t rows) {
    struct Used {
      std::size_t column;
      OpenDataset dataset;
      Handle type;
    };
    std::vector<Used> used;
    Result<void> done;
    {
      const hdf5::Session session;
      for (std::size_t c = 0; done && c < shape_.columns.size(); ++c) {
        if (!builder.numbers(c) && builder.codes(c) == nullptr) continue;
        const Column& column = shape_.columns[c];
        auto opened = OpenDataset::open(file_, in_.name(), column.dataset, column.bytes);
        if (!opened) {
          done = tl::unexpected(opened.error());
          break;
        }
        Handle type = column.kind == Column::Kind::VariableText
                          ? Handle(H5Dget_type(opened->id), &H5Tclose)
                          : memoryType(opened->id, column.kind);
        used.push_back({c, std::move(*opened), std::move(type)});
      }
    }
    std::vector<char> block;
    for (std::uint64_t row = 0; done && row < rows;) {
      const auto count = std::size_t(std::min<std::uint64_t>(kMostBlockRows, rows - row));
      if (done = next(row, rows); !done) break;
      builder.extend(count);
      for (const Used& one : used) {
        const Column& column = shape_.columns[one.column];
        const std::size_t bytes = column.kind == Column::Kind::VariableText ? sizeof(char*)
                                  : column.kind == Column::Kind::Converted  ? sizeof(double)
                                                                            : column.bytes;
        block.assign(count * bytes, '\0');
        const hdf5::Session session;
        if (!one.dataset.read(firstRow_ + row, count, 0, 1, one.type, block.data())) {
          done = readFailed(in_.name(), column.dataset, firstRow_ + row);
          break;
        }
        if (column.kind == Column::Kind::VariableText)
          takeVariable(builder, one.column, one.type, block, count);
        else
          take(builder, one.column, column, block.data(), bytes, count);
      }
      if (done) done = builder.settle(count, {}, in_.task());
      row += count;
    }
    const hdf5::Session session;
    used.clear();
    return done;
  }

  static void take(DatasetBuilder& builder, std::size_t c, const Column& column, const char* first,
                   std::size_t stride, std::size_t count) {
    if (column.kind == Column::Kind::FixedText) {
      std::int32_t* const codes = builder.codes(c);
      if (codes == nullptr) return;
      for (std::size_t i = 0; i < count; ++i)
        codes[i] = builder.codeOf(c, textOf(first + i * stride, column));
      return;
    }
    const NumberSlots out = builder.numbers(c);
    if (!out) return;
    const bool stored = column.kind == Column::Kind::Number;
    decode(stored ? column.type : Scalar::Float64, stored && column.bigEndian, first, stride, count,
           out);
  }

  static void takeVariable(DatasetBuilder& builder, std::size_t c, hid_t type,
                           std::vector<char>& block, std::size_t count) {
    std::int32_t* const codes = builder.codes(c);
    for (std::size_t i = 0; i < count; ++i) {
      const char* text = nullptr;
      std::memcpy(&text, block.data() + i * sizeof text, sizeof text);
      codes[i] = builder.codeOf(c, text != nullptr ? text : "");
    }
    reclaim(type, count, block);
  }

  InputStream& in_;
  Handle file_;
  Table shape_;
  bool mustChoose_ = false;
  bool mustName_ = false;
};

}  // namespace

Result<std::unique_ptr<TableFile>> openHdf5(InputStream& in, const ReadOptions& options) {
  if (const auto filled = in.fill(1); !filled) return tl::unexpected(filled.error());
  if (in.packing() != Packing::None) return unpackFirst(in, "HDF5");
  const hdf5::Session session;
  auto file = hdf5::openForReading(in.source());
  if (!file) return tl::unexpected(file.error());
  auto content = hdf5::contentOf(*file, in.name());
  if (!content) return tl::unexpected(content.error());
  const bool chosen = !options.dataset.empty();
  if (!chosen)
    if (const auto whole = content->checkChosen(in.name()); !whole)
      return tl::unexpected(whole.error());
  if (!chosen && content->chosen.empty()) {
    std::string names;
    for (const PreviewTable& table : content->tables)
      if (!table.says.empty() && names.size() < 400)
        names += (names.empty() ? "" : ", ") + table.name + " (" + table.says + ")";
    return badInput(in.name() + ": holds no table of numbers: no dataset of one or two dimensions" +
                    (names.empty() ? "" : ", but " + names) + ".");
  }
  auto table = hdf5::tableAt(*file, in.name(), chosen ? options.dataset : content->chosen);
  if (!table) return tl::unexpected(table.error());
  return std::make_unique<Hdf5File>(in, std::move(*file), std::move(*table), std::move(*content),
                                    options);
}

}  // namespace clusterloom
