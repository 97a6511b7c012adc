// FITS: binary and text tables, by cfitsio. [FITS standard 4.0, §7]
#include <fitsio.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/memory_budget.h"
#include "engine/core/number_text.h"
#include "engine/io/column_plan.h"
#include "engine/io/fits/fits_names.h"
#include "engine/io/formats.h"
#include "engine/io/numbers.h"
#include "engine/io/scalar.h"

namespace clusterloom {
namespace {

// Values of a column of several values that become columns.
constexpr long kMostRepeat = 1024;
constexpr int kMostTables = 10'000;
// Of integers of 32 bits in tables of text. cfitsio takes longer ones for such, too.
constexpr long kMostDigits32 = 9;
// TULONGLONG, which older releases of cfitsio do not name.
constexpr int kUnsigned64 = 80;

std::mutex& libraryMutex() {
  static std::mutex mutex;
  return mutex;
}

std::string fitsError(int status) {
  char text[FLEN_STATUS] = "";
  ::fits_get_errstatus(status, text);
  char more[FLEN_ERRMSG] = "";
  std::string all = text;
  while (::fits_read_errmsg(more) != 0)
    if (all.size() < 200) all += std::string("; ") + more;
  return all;
}

/// The number in a card of a header such as "NAXIS1  =   17"; nothing for another one. The sign may
/// be anywhere behind the key, as for cfitsio.
std::optional<double> numberOf(std::string_view card, std::string_view key) {
  if (!card.starts_with(key) || (card[key.size()] != ' ' && card[key.size()] != '='))
    return std::nullopt;
  const std::size_t sign = card.find('=');
  if (sign == std::string_view::npos) return std::nullopt;
  // The number may be anywhere before a comment; where two signs follow the key, behind the second.
  const std::string text(card.substr(std::min(card.size(), card.find_first_not_of("= ", sign))));
  return std::strtod(text.c_str(), nullptr);
}

/// Refuses headers that promise more columns than FITS knows: cfitsio allocates memory for them
/// before it looks at anything else. What else is wrong is left to it.
Result<void> checkHeaders(const ByteSource& source) {
  constexpr std::size_t blockBytes = 2880;
  constexpr std::size_t cardBytes = 80;
  constexpr double mostFields = 999;
  constexpr int mostBlocks = 10'000;
  std::vector<char> block(blockBytes);
  double at = 0;
  for (int hdu = 0; hdu < kMostTables; ++hdu) {
    double bytes = 0;
    double values = 0;
    double more = 0;
    double groups = 1;
    bool end = false;
    for (int b = 0; !end && b < mostBlocks; ++b, at += blockBytes) {
      // The last block may be cut short; cfitsio reads what is there.
      if (at >= double(source.size())) return {};
      const auto got = source.readAt(std::uint64_t(at), block);
      if (!got) return tl::unexpected(got.error());
      // A card that is cut short has its number, too.
      std::fill(block.begin() + std::ptrdiff_t(*got), block.end(), ' ');
      for (std::size_t c = 0; !end && c < *got; c += cardBytes) {
        const std::string_view card(block.data() + c, cardBytes);
        end = card.starts_with("END     ");
        if (const auto bits = numberOf(card, "BITPIX")) bytes = std::abs(*bits) / 8;
        if (const auto axes = numberOf(card, "NAXIS")) values = *axes > 0 ? 1 : 0;
        if (card.starts_with("NAXIS") && card[5] != ' ')
          if (const auto size =
                  numberOf(card, card.substr(0, std::min<std::size_t>(8, card.find(' ')))))
            values *= *size;
        if (const auto count = numberOf(card, "PCOUNT")) more = *count;
        if (const auto count = numberOf(card, "GCOUNT")) groups = *count;
        if (const auto fields = numberOf(card, "TFIELDS"); fields && *fields > mostFields)
          return badInput(source.name() + ": the header of table " + std::to_string(hdu) +
                          " promises more than 999 columns. It is damaged; copy the file again.");
      }
    }
    const double data = bytes * groups * (more + values);
    if (!end || !(data >= 0) || data > double(source.size())) return {};
    at += std::ceil(data / blockBytes) * blockBytes;
  }
  return {};
}

/// A column of the table, or one value of a column of several.
struct Source {
  int column = 0;  ///< from 1
  long element = 1;
  long repeat = 1;
  int stored = 0;  ///< its type in the file, by cfitsio's number
  long width = 0;  ///< of text
  /// Of integers that are read from their digits: where these begin in a row, from 1.
  long digits = 0;
};

class FitsFile final : public TableFile {
 public:
  explicit FitsFile(InputStream& in) : in_(in) {}
  ~FitsFile() override {
    const std::lock_guard lock(libraryMutex());
    int status = 0;
    if (file_ != nullptr) ::fits_close_file(file_, &status);
  }

  Result<void> open(const ReadOptions& options) {
    const std::string path = in_.source().filePath();
    // The library would unpack gzip itself, whatever memory it takes, before headers are checked.
    const bool inMemory = path.empty() || in_.packing() != Packing::None;
    if (inMemory)
      if (auto loaded = load(options.memoryLimit); !loaded) return loaded;
    const std::lock_guard lock(libraryMutex());
    ::fits_clear_errmsg();
    int status = 0;
    if (!inMemory) {
      // The name is taken literally: no filters and expressions in it.
      ::fits_open_diskfile(&file_, path.c_str(), READONLY, &status);
    } else {
      data_ = bytes_.data();
      size_ = bytes_.size();
      ::fits_open_memfile(&file_, "memory", READONLY, &data_, &size_, 0, nullptr, &status);
    }
    if (status != 0)
      return badInput(in_.name() + ": cannot be opened as FITS (" + fitsError(status) +
                      "). It was cut short or is damaged; copy it again.");
    list();
    return choose(options.dataset);
  }

  Result<void> checkChoice() const override {
    return mustChoose_ ? Result<void>(severalTables(in_.name(), tables_)) : Result<void>{};
  }

  bool divides() const override { return true; }

  Result<void> readRows(DatasetBuilder& builder, std::uint64_t rows) override {
    long best = 0;
    int status = 0;
    {
      const std::lock_guard lock(libraryMutex());
      ::fits_get_rowsize(file_, &best, &status);
    }
    const auto perBlock = std::uint64_t(std::clamp<long>(best, 1, 65536));
    for (std::uint64_t row = 0; row < rows;) {
      if (in_.task().cancelled()) return cancelledError();
      in_.task().report("reading", double(row) / double(rows));
      const auto count = std::size_t(std::min(perBlock, rows - row));
      builder.extend(count);
      if (auto read = readBlock(builder, firstRow_ + row, count); !read) return read;
      if (auto settled = builder.settle(count, {}, in_.task()); !settled) return settled;
      row += count;
    }
    in_.setStage("hashing");
    return {};
  }

 private:
  /// Takes the content, unpacked, into memory.
  Result<void> load(std::uint64_t limit) {
    if (limit == 0) limit = availableMemory();
    for (;;) {
      const auto more = in_.fill(1);
      if (!more) return tl::unexpected(more.error());
      bytes_.insert(bytes_.end(), in_.begin(), in_.end());
      in_.consume(in_.available());
      if (!*more) break;
      if (bytes_.size() > limit / 2)
        return tooLarge(in_.name() + ": unpacked it takes more than half of the " +
                        memoryText(limit) + " of memory there are. Unpack the file, then open it.");
    }
    contentBytes_ = bytes_.size();
    if (auto checked = checkHeaders(*memorySource(in_.name(), {bytes_.data(), bytes_.size()}));
        !checked)
      return checked;
    // cfitsio reads whole blocks.
    constexpr std::size_t block = 2880;
    bytes_.resize((bytes_.size() + block - 1) / block * block);
    return {};
  }

  void list() {
    int status = 0;
    int count = 0;
    ::fits_get_num_hdus(file_, &count, &status);
    for (int hdu = 1; hdu <= std::min(count, kMostTables); ++hdu) {
      status = 0;
      int type = 0;
      if (::fits_movabs_hdu(file_, hdu, &type, &status) != 0) break;
      char name[FLEN_VALUE] = "";
      ::fits_read_key(file_, TSTRING, "EXTNAME", name, nullptr, &status);
      status = 0;
      std::string title = name;
      const bool twice = std::any_of(tables_.begin(), tables_.end(),
                                     [&](const PreviewTable& t) { return t.name == title; });
      if (title.empty() || twice) title = std::to_string(hdu - 1);
      if (type == IMAGE_HDU) {
        int dims = 0;
        ::fits_get_img_dim(file_, &dims, &status);
        tables_.push_back(
            {title, dims == 0 ? "no data" : "an image, which is not read", false, false});
        continue;
      }
      long rows = 0;
      int columns = 0;
      ::fits_get_num_rows(file_, &rows, &status);
      ::fits_get_num_cols(file_, &columns, &status);
      const bool readable = status == 0 && rows > 0 && columns > 0;
      tables_.push_back({title,
                         groupedText(std::uint64_t(std::max(0L, rows))) + " × " +
                             groupedText(std::uint64_t(columns)) + " columns",
                         false, readable});
    }
  }

  Result<void> choose(const std::string& wanted) {
    std::vector<std::size_t> readable;
    for (std::size_t t = 0; t < tables_.size(); ++t)
      if (tables_[t].readable) readable.push_back(t);
    std::size_t chosen = tables_.size();
    if (wanted.empty()) {
      if (readable.empty())
        return badInput(in_.name() + ": holds no table with rows. Images of FITS are not read.");
      chosen = readable.front();
      mustChoose_ = readable.size() > 1;
    } else {
      for (std::size_t t = 0; t < tables_.size(); ++t)
        if (tables_[t].name == wanted || (std::to_string(t) == wanted && chosen == tables_.size()))
          chosen = t;
      if (chosen == tables_.size() || !tables_[chosen].readable)
        return badCall(
            in_.name() + ": there is no table " + quotedPath(wanted) + ". " +
            severalTables(in_.name(), tables_).value().message.substr(in_.name().size() + 2));
    }
    table_ = tables_[chosen].name;
    return describe(int(chosen) + 1);
  }

  Result<void> describe(int hdu) {
    int status = 0;
    int kind = 0;
    ::fits_movabs_hdu(file_, hdu, &kind, &status);
    isText_ = kind == ASCII_TBL;
    long rows = 0;
    int columns = 0;
    ::fits_get_num_rows(file_, &rows, &status);
    ::fits_get_num_cols(file_, &columns, &status);
    if (status != 0)
      return badInput(in_.name() + ": the header of table " + quotedPath(table_) + " is damaged (" +
                      fitsError(status) + "). Copy or export the file again.");
    rows_ = std::uint64_t(rows);
    LONGLONG start = 0;
    LONGLONG rowBytes = 0;
    ::fits_get_hduaddrll(file_, nullptr, &start, nullptr, &status);
    ::fits_read_key(file_, TLONGLONG, "NAXIS1", &rowBytes, nullptr, &status);
    const auto promised = double(rowBytes) * double(rows);
    const std::uint64_t size = bytes_.empty() ? in_.source().size() : contentBytes_;
    const double there = double(size) - double(start);
    // Of a file that cfitsio unpacks the size is not known.
    const bool known = in_.packing() == Packing::None || !bytes_.empty();
    if (status != 0 || rowBytes < 0 || (known && promised > there))
      return badInput(in_.name() + ": the header of table " + quotedPath(table_) + " promises " +
                      std::to_string(rows) + " rows of " + std::to_string(rowBytes) +
                      " bytes, which is more than the file has. It was cut short or is damaged; "
                      "copy it again.");
    for (int c = 1; c <= columns && columns_.size() < kMaxColumns; ++c) add(c);
    if (columns_.empty())
      return badInput(in_.name() + ": table " + quotedPath(table_) +
                      " has no column of numbers or text.");
    coordinates_ = coordinatesByName(columns_);
    return {};
  }

  std::string key(const std::string& name, int column) const {
    int status = 0;
    char text[FLEN_VALUE] = "";
    ::fits_read_key(file_, TSTRING, (name + std::to_string(column)).c_str(), text, nullptr,
                    &status);
    return status == 0 ? text : "";
  }

  double number(const std::string& name, int column, double otherwise) const {
    int status = 0;
    double value = otherwise;
    ::fits_read_key(file_, TDOUBLE, (name + std::to_string(column)).c_str(), &value, nullptr,
                    &status);
    return status == 0 ? value : otherwise;
  }

  /// The kind of a column that cannot be read; empty for readable columns.
  static std::string unreadKind(int type, long repeat, long width) {
    if (type <= 0) return "lists of different lengths";
    if (type == TCOMPLEX || type == TDBLCOMPLEX) return "complex numbers";
    if (type == TBIT) return "bits";
    // `repeat` is in characters then. The library would go on with the texts of the same row.
    if (type == TSTRING && width > 0 && repeat > width)
      return std::to_string(repeat / width) + " strings in each row";
    if (type == TSTRING)
      return std::size_t(std::max(repeat, width)) > kMaxTextBytes
                 ? "strings longer than " + std::to_string(kMaxTextBytes) + " bytes"
                 : "";
    return repeat > kMostRepeat ? std::to_string(repeat) + " values in each row" : "";
  }

  void add(int column) {
    int status = 0;
    int type = 0;
    long repeat = 0;
    long width = 0;
    int stored = 0;
    if (::fits_get_eqcoltype(file_, column, &type, &repeat, &width, &status) != 0 ||
        ::fits_get_coltype(file_, column, &stored, &repeat, &width, &status) != 0)
      return;
    if (repeat < 1) return;
    // Our own exports keep names with other characters than those of FITS beside the column.
    std::string name = decodedName(key(kFitsNameKey, column));
    if (name.empty()) name = key("TTYPE", column);
    if (name.empty()) name = "column " + std::to_string(column);
    if (const std::string kind = unreadKind(type, repeat, width); !kind.empty()) {
      unreadColumns_.push_back(name + " (" + kind + ")");
      return;
    }
    const std::string unit = key("TUNIT", column);
    if (type == TSTRING) {
      // The one is the length in binary tables, the other in text tables.
      const long length = std::max(repeat, width);
      columns_.push_back({name, false, "text", unit});
      sources_.push_back({column, 1, 1, type, length});
      return;
    }
    const double scale = number("TSCAL", column, 1);
    const bool scaled = scale != 1 || number("TZERO", column, 0) != 0;
    if (isText_ && stored == TLONG && width > kMostDigits32 && !scaled &&
        key("TNULL", column).empty()) {
      columns_.push_back(numberColumn(name, Scalar::Int64, unit));
      sources_.push_back({column, 1, 1, stored, width, std::lround(number("TBCOL", column, 1))});
      return;
    }
    Scalar scalar = scalarOf(type, column);
    // cfitsio calls scaled values, and those of text, floats that have more digits than these, and
    // takes the range of integers with a negative scale for too small.
    if (stored != TLOGICAL && ((scalar == Scalar::Float32 && (isText_ || scaled)) || scale < 0 ||
                               (isText_ && width > kMostDigits32)))
      scalar = Scalar::Float64;
    for (long element = 1; element <= repeat; ++element) {
      columns_.push_back(numberColumn(repeat == 1 ? name : name + "_" + std::to_string(element - 1),
                                      scalar, unit));
      sources_.push_back({column, element, repeat, stored, 0});
    }
  }

  /// Integers of up to 32 bits in which a value stands for none are read as doubles with NaN there;
  /// those of 64 bits keep that value, since doubles do not hold all of them.
  Scalar scalarOf(int type, int column) const {
    const bool hasNothing = !key("TNULL", column).empty();
    const auto whole = [&](Scalar scalar) { return hasNothing ? Scalar::Float64 : scalar; };
    switch (type) {
      case TLOGICAL: return Scalar::Uint8;
      case TBYTE: return whole(Scalar::Uint8);
      case TSBYTE: return whole(Scalar::Int8);
      case TSHORT: return whole(Scalar::Int16);
      case TUSHORT: return whole(Scalar::Uint16);
      case TINT:
      case TLONG: return whole(Scalar::Int32);
      case TUINT:
      case TULONG: return whole(Scalar::Uint32);
      case TLONGLONG: return Scalar::Int64;
      case kUnsigned64: return Scalar::Uint64;
      case TFLOAT: return Scalar::Float32;
      default: return Scalar::Float64;
    }
  }

  /// The type in memory, by cfitsio's number.
  static int memoryType(Scalar type) {
    switch (type) {
      case Scalar::Int8: return TSBYTE;
      case Scalar::Uint8: return TBYTE;
      case Scalar::Int16: return TSHORT;
      case Scalar::Uint16: return TUSHORT;
      case Scalar::Int32: return TINT;
      case Scalar::Uint32: return TUINT;
      case Scalar::Int64: return TLONGLONG;
      case Scalar::Uint64: return kUnsigned64;
      case Scalar::Float32: return TFLOAT;
      case Scalar::Float64: break;
    }
    return TDOUBLE;
  }

  tl::unexpected<Error> readFailed(const Source& source, std::uint64_t row, int status) const {
    return badInput(in_.name() + ": table " + quotedPath(table_) + ", column " +
                    std::to_string(source.column) + " (counting from 1) cannot be read from row " +
                    std::to_string(row) + " on (" + fitsError(status) +
                    "). The file was cut short or is damaged; copy it again.");
  }

  Result<void> readBlock(DatasetBuilder& builder, std::uint64_t row, std::size_t count) {
    const std::lock_guard lock(libraryMutex());
    for (std::size_t c = 0; c < sources_.size();) {
      const Source& source = sources_[c];
      int status = 0;
      if (source.stored == TSTRING || source.digits > 0) {
        auto read = source.digits > 0 ? readDigits(builder, c, row, count)
                                      : readText(builder, c, row, count);
        if (!read) return read;
        ++c;
        continue;
      }
      const auto repeat = std::size_t(source.repeat);
      bool used = false;
      for (std::size_t e = 0; e < repeat; ++e) used = used || builder.numbers(c + e);
      if (used) {
        const bool flags = source.stored == TLOGICAL;
        // Of a column of one value straight into the cloud.
        const NumberSlots own = builder.numbers(c);
        const bool direct = repeat == 1 && !flags;
        const Scalar type = direct ? own.type : columns_[c].scalar;
        const std::size_t bytes = sizeOf(type);
        if (!direct) values_.resize(count * repeat * bytes);
        void* const into = direct ? own.first : values_.data();
        char noFlag = 0;
        double nothing = std::numeric_limits<double>::quiet_NaN();
        // Floating-point values that are stored as such need no mark for what is missing, and a
        // look for it would change the smallest and infinite ones.
        const bool floating = !isText_ && (source.stored == TDOUBLE || source.stored == TFLOAT);
        const bool marked = type == Scalar::Float64 && !floating;
        void* const mark = flags ? static_cast<void*>(&noFlag) : marked ? &nothing : nullptr;
        int anyNothing = 0;  // cfitsio writes to it
        ::fits_read_col(file_, flags ? TLOGICAL : memoryType(type), source.column,
                        static_cast<LONGLONG>(row) + 1, 1, static_cast<LONGLONG>(count * repeat),
                        mark, into, &anyNothing, &status);
        if (status != 0) return readFailed(source, row, status);
        for (std::size_t e = 0; !direct && e < repeat; ++e)
          if (const NumberSlots out = builder.numbers(c + e))
            decode(type, false, values_.data() + e * bytes, repeat * bytes, count, out);
      }
      c += repeat;
    }
    return {};
  }

  Result<void> readText(DatasetBuilder& builder, std::size_t c, std::uint64_t row,
                        std::size_t count) {
    std::int32_t* const codes = builder.codes(c);
    if (codes == nullptr) return {};
    const Source& source = sources_[c];
    const auto width = std::size_t(source.width) + 1;
    text_.assign(count * width, '\0');
    std::vector<char*> cells(count);
    for (std::size_t i = 0; i < count; ++i) cells[i] = text_.data() + i * width;
    int status = 0;
    char nothing[] = "";
    int anyNothing = 0;
    ::fits_read_col(file_, TSTRING, source.column, static_cast<LONGLONG>(row) + 1, 1,
                    static_cast<LONGLONG>(count), nothing, cells.data(), &anyNothing, &status);
    if (status != 0) return readFailed(source, row, status);
    for (std::size_t i = 0; i < count; ++i) {
      std::string_view text(cells[i], ::strnlen(cells[i], width - 1));
      codes[i] = builder.codeOf(c, text.substr(0, text.find_last_not_of(' ') + 1));
    }
    return {};
  }

  Result<void> readDigits(DatasetBuilder& builder, std::size_t c, std::uint64_t row,
                          std::size_t count) {
    const NumberSlots out = builder.numbers(c);
    if (!out) return {};
    const Source& source = sources_[c];
    text_.resize(std::size_t(source.width));
    for (std::size_t i = 0; i < count; ++i) {
      int status = 0;
      ::fits_read_tblbytes(file_, static_cast<LONGLONG>(row + i) + 1, source.digits, source.width,
                           reinterpret_cast<unsigned char*>(text_.data()), &status);
      if (status != 0) return readFailed(source, row + i, status);
      const std::string_view cell = trimmed({text_.data(), text_.size()});
      const std::string_view digits = cell.substr(cell.starts_with('+') ? 1 : 0);
      std::int64_t value = 0;  // of a blank cell, too
      const char* const end = digits.data() + digits.size();
      const auto [stop, error] = std::from_chars(digits.data(), end, value);
      if (!cell.empty() && (error != std::errc() || stop != end))
        return badInput(
            in_.name() + ": table " + quotedPath(table_) + ", " + columnText(c, columns_[c].name) +
            ": " + quotedForMessage(cell) + " in row " + std::to_string(row + i) +
            " (counted from 0) is not a 64-bit integer. Correct it, or keep other columns.");
      decode(Scalar::Int64, false, reinterpret_cast<const char*>(&value), 0, 1, out.from(i));
    }
    return {};
  }

  InputStream& in_;
  std::vector<char> bytes_;  ///< of a file in memory
  std::uint64_t contentBytes_ = 0;
  void* data_ = nullptr;
  std::size_t size_ = 0;
  fitsfile* file_ = nullptr;
  std::vector<Source> sources_;
  std::vector<char> values_;
  std::vector<char> text_;
  bool isText_ = false;  ///< the table is one of text
  bool mustChoose_ = false;
};

}  // namespace

Result<std::unique_ptr<TableFile>> openFits(InputStream& in, const ReadOptions& options) {
  if (const auto filled = in.fill(1); !filled) return tl::unexpected(filled.error());
  if (in.packing() == Packing::None && !in.source().filePath().empty())
    if (const auto checked = checkHeaders(in.source()); !checked)
      return tl::unexpected(checked.error());
  auto file = std::make_unique<FitsFile>(in);
  if (auto opened = file->open(options); !opened) return tl::unexpected(opened.error());
  return file;
}

}  // namespace clusterloom
