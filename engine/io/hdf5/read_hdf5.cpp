// HDF5: a dataset of two dimensions or of records, a sparse matrix, or the datasets of one
// dimension in a group; columns beside a matrix come from separate datasets.
#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/number_text.h"
#include "engine/io/column_plan.h"
#include "engine/io/formats.h"
#include "engine/io/hdf5/hdf5_dataset.h"
#include "engine/io/hdf5/hdf5_sparse.h"

namespace clusterloom {
namespace {

using hdf5::Column;
using hdf5::Handle;
using hdf5::OpenDataset;
using hdf5::SparseRows;
using hdf5::Table;
using hdf5::textOf;

constexpr std::size_t kHdf5BlockBytes = std::size_t{512} << 10;
constexpr std::size_t kMostBlockRows = 65536;
/// Whether values of the type own memory: strings and lists of any length.
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
    unreadColumns_ = shape_.lost;
    for (const Column& column : shape_.columns) {
      const bool text = column.kind == Column::Kind::FixedText ||
                        column.kind == Column::Kind::VariableText ||
                        column.kind == Column::Kind::Category;
      const Scalar type = column.kind == Column::Kind::Number ? column.type : Scalar::Float64;
      columns_.push_back(text ? PreviewColumn{column.name, false, "text", column.unit}
                              : numberColumn(column.name, type, column.unit));
    }
    own_ = std::size_t(std::count_if(shape_.columns.begin(), shape_.columns.end(),
                                     [](const Column& column) { return column.dataset.empty(); }));
    if (!shape_.matrix) coordinates_ = coordinatesByName(columns_);
    for (std::size_t c = 0; shape_.matrix && c < own_; ++c) coordinates_.push_back(c);
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
    Open open;
    Result<void> done;
    {
      const hdf5::Session session;
      done = openParts(builder, open);
    }
    for (std::uint64_t row = 0; done && row < rows;) {
      const auto count = std::size_t(std::min<std::uint64_t>(open.rowsPerBlock, rows - row));
      if (done = next(row, rows); !done) break;
      builder.extend(count);
      if (own_ > 0) done = takeOwn(builder, open, row, count);
      for (const Beside& one : open.beside)
        if (done) done = takeBeside(builder, one, open.block, row, count);
      if (done) done = builder.settle(count, {}, in_.task());
      row += count;
    }
    {
      const hdf5::Session session;
      open = {};
    }
    in_.setStage("hashing");
    return done;
  }

 private:
  /// A column from a separate dataset.
  struct Beside {
    std::size_t column;
    OpenDataset dataset;
    Handle type;  ///< in which its values are read
    std::size_t bytes;
  };
  /// What is open while rows are read. Of a wide matrix only the columns [low, low + width) between
  /// the first and the last one that are used.
  struct Open {
    std::optional<OpenDataset> table;
    std::optional<SparseRows> sparse;
    Handle type;
    bool owns = false;
    std::size_t low = 0;
    std::size_t width = 0;
    std::size_t recordBytes = 0;
    std::size_t rowsPerBlock = kMostBlockRows;
    std::vector<Beside> beside;
    std::vector<char> block;
  };

  Result<void> next(std::uint64_t row, std::uint64_t rows) const {
    if (in_.task().cancelled()) return cancelledError();
    in_.task().report("reading", double(row) / double(rows));
    return {};
  }

  /// The type in which records or values are read: as they are stored, where these are known.
  static Handle memoryType(hid_t dataset, Column::Kind kind) {
    if (kind == Column::Kind::Converted) return {H5Tcopy(H5T_NATIVE_DOUBLE), &H5Tclose};
    if (kind == Column::Kind::Category) return {H5Tcopy(H5T_NATIVE_INT32), &H5Tclose};
    return {H5Dget_type(dataset), &H5Tclose};
  }

  Result<void> openParts(DatasetBuilder& builder, Open& open) const {
    open.width = own_;
    open.recordBytes = shape_.recordBytes;
    if (shape_.kind == Table::Kind::Sparse) {
      auto sparse = SparseRows::open(file_, in_.name(), shape_);
      if (!sparse) return tl::unexpected(sparse.error());
      open.sparse = std::move(*sparse);
    } else if (own_ > 0) {
      auto table = OpenDataset::open(file_, in_.name(), shape_.path, shape_.recordBytes);
      if (!table) return tl::unexpected(table.error());
      open.table = std::move(*table);
      open.type = memoryType(open.table->id, shape_.columns[0].kind);
      open.owns = ownsMemory(open.type);
      if (shape_.matrix) {
        const auto used = [&](std::size_t c) { return bool(builder.numbers(c)); };
        while (open.low + 1 < own_ && !used(open.low)) ++open.low;
        open.width = own_ - open.low;
        while (open.width > 1 && !used(open.low + open.width - 1)) --open.width;
        open.recordBytes = open.width * shape_.columns[0].bytes;
      }
    }
    if (own_ > 0)
      open.rowsPerBlock =
          std::clamp<std::size_t>(kHdf5BlockBytes / open.recordBytes, 1, kMostBlockRows);
    for (std::size_t c = own_; c < shape_.columns.size(); ++c) {
      if (!builder.numbers(c) && builder.codes(c) == nullptr) continue;
      const Column& column = shape_.columns[c];
      auto dataset = OpenDataset::open(file_, in_.name(), column.dataset, column.bytes);
      if (!dataset) return tl::unexpected(dataset.error());
      Handle type = memoryType(dataset->id, column.kind);
      const std::size_t bytes =
          column.kind == Column::Kind::VariableText ? sizeof(char*) : H5Tget_size(type);
      open.rowsPerBlock = std::clamp<std::size_t>(kHdf5BlockBytes / std::max<std::size_t>(bytes, 1),
                                                  1, open.rowsPerBlock);
      open.beside.push_back({c, std::move(*dataset), std::move(type), bytes});
    }
    return {};
  }

  Result<void> takeOwn(DatasetBuilder& builder, Open& open, std::uint64_t row,
                       std::size_t count) const {
    open.block.resize(open.rowsPerBlock * open.recordBytes);
    {
      const hdf5::Session session;
      if (open.sparse) {
        const auto done =
            open.sparse->read(firstRow_ + row, count, reinterpret_cast<double*>(open.block.data()));
        if (!done) return done;
      } else {
        const auto done = open.table->read(firstRow_ + row, count, open.low, open.width, open.type,
                                           open.block.data());
        if (!done) return done;
      }
    }
    const std::size_t skipped = shape_.columns[open.low].offset;
    for (std::size_t c = open.low; c < open.low + open.width; ++c) {
      const Column& column = shape_.columns[c];
      const std::size_t offset = column.offset - (shape_.matrix ? skipped : 0);
      take(builder, c, column, open.block.data() + offset, open.recordBytes, count);
    }
    if (open.owns) {
      const hdf5::Session session;
      hdf5::reclaim(open.type, count, open.block.data());
    }
    return {};
  }

  Result<void> takeBeside(DatasetBuilder& builder, const Beside& one, std::vector<char>& block,
                          std::uint64_t row, std::size_t count) const {
    const Column& column = shape_.columns[one.column];
    block.assign(std::max(block.size(), count * one.bytes), '\0');
    {
      const hdf5::Session session;
      const auto done =
          one.dataset.read(firstRow_ + row, count, column.part, 1, one.type, block.data());
      if (!done) return done;
    }
    if (column.kind == Column::Kind::VariableText)
      takeVariable(builder, one, block.data(), count);
    else if (column.kind == Column::Kind::Category)
      return takeWords(builder, one.column, column, block.data(), row, count);
    else
      take(builder, one.column, column, block.data(), one.bytes, count);
    return {};
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

  static void takeVariable(DatasetBuilder& builder, const Beside& one, char* values,
                           std::size_t count) {
    std::int32_t* const codes = builder.codes(one.column);
    for (std::size_t i = 0; i < count; ++i) {
      const char* text = nullptr;
      std::memcpy(&text, values + i * sizeof text, sizeof text);
      codes[i] = builder.codeOf(one.column, text != nullptr ? text : "");
    }
    const hdf5::Session session;
    hdf5::reclaim(one.type, count, values);
  }

  Result<void> takeWords(DatasetBuilder& builder, std::size_t c, const Column& column,
                         const char* numbers, std::uint64_t row, std::size_t count) const {
    std::int32_t* const codes = builder.codes(c);
    for (std::size_t i = 0; i < count; ++i) {
      std::int32_t number = 0;
      std::memcpy(&number, numbers + i * sizeof number, sizeof number);
      if (number >= 0 && std::size_t(number) >= column.words.size())
        return badInput(in_.name() + ": " + column.dataset + ": row " +
                        std::to_string(firstRow_ + row + i) + " has a category of number " +
                        std::to_string(number) + ", and there are " +
                        groupedText(column.words.size()) + ". The file is damaged; copy it again.");
      codes[i] = builder.codeOf(c, number < 0 ? "" : column.words[std::size_t(number)]);
    }
    return {};
  }

  InputStream& in_;
  Handle file_;
  Table shape_;
  bool mustChoose_ = false;
  bool mustName_ = false;
  std::size_t own_ = 0;  ///< columns of the table itself, before those of other datasets
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
