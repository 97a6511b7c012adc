// FITS: binary and text tables, by cfitsio. [FITS standard 4.0, §7]
#include <fitsio.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/number_text.h"
#include "engine/io/formats.h"
#include "engine/io/scalar.h"

namespace clusterloom {
namespace {

// Values of a column of several values that become columns.
constexpr long kMostRepeat = 1024;
constexpr int kMostTables = 10'000;

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
  const std::string text(card.substr(sign + 1));  // the number may be anywhere before a comment
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
      if (at >= static_cast<double>(source.size())) return {};
      const auto got = source.readAt(static_cast<std::uint64_t>(at), block);
      if (!got) return tl::unexpected(got.error());
      // A card that is cut short has its number, too.
      std::fill(block.begin() + static_cast<std::ptrdiff_t>(*got), block.end(), ' ');
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
          return fail(ErrorKind::BadInput,
                      source.name() + ": the header of table " + std::to_string(hdu) +
                          " promises more than 999 columns. It is damaged; copy the file again.");
      }
    }
    const double data = bytes * groups * (more + values);
    if (!end || !(data >= 0) || data > static_cast<double>(source.size())) return {};
    at += std::ceil(data / blockBytes) * blockBytes;
  }
  return {};
}

/// A column of the table, or one value of a column of several.
struct Source {
  int column = 0;  ///< from 1
  long element = 1;
  long repeat = 1;
  int type = 0;    ///< of cfitsio
  long width = 0;  ///< of text
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
    const std::lock_guard lock(libraryMutex());
    ::fits_clear_errmsg();
    int status = 0;
    // The name as it is: no filters and expressions in it.
    const std::string path = in_.source().filePath();
    if (!path.empty()) {
      ::fits_open_diskfile(&file_, path.c_str(), READONLY, &status);
    } else {
      // cfitsio reads whole blocks.
      constexpr std::size_t block = 2880;
      const auto size = static_cast<std::size_t>(in_.source().size());
      bytes_.resize((size + block - 1) / block * block);
      const auto got = in_.source().readAt(0, bytes_);
      if (!got) return tl::unexpected(got.error());
      data_ = bytes_.data();
      size_ = bytes_.size();
      ::fits_open_memfile(&file_, "memory", READONLY, &data_, &size_, 0, nullptr, &status);
    }
    if (status != 0)
      return fail(ErrorKind::BadInput, in_.name() + ": cannot be opened as FITS (" +
                                           fitsError(status) +
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
    const auto perBlock = static_cast<std::uint64_t>(std::clamp<long>(best, 1, 65536));
    for (std::uint64_t row = 0; row < rows;) {
      if (in_.task().cancelled()) return cancelledError();
      in_.task().report("reading", static_cast<double>(row) / static_cast<double>(rows));
      const auto count = static_cast<std::size_t>(std::min(perBlock, rows - row));
      builder.extend(count);
      if (auto read = readBlock(builder, firstRow_ + row, count); !read) return read;
      if (auto settled = builder.settle(count, {}, in_.task()); !settled) return settled;
      row += count;
    }
    in_.setStage("hashing");
    return {};
  }

 private:
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
                         groupedText(static_cast<std::uint64_t>(std::max(0L, rows))) + " × " +
                             groupedText(static_cast<std::uint64_t>(columns)) + " columns",
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
        return fail(ErrorKind::BadInput, in_.name() +
                                             ": holds no table with rows. Images of FITS are not "
                                             "read.");
      chosen = readable.front();
      mustChoose_ = readable.size() > 1;
    } else {
      for (std::size_t t = 0; t < tables_.size(); ++t)
        if (tables_[t].name == wanted || (std::to_string(t) == wanted && chosen == tables_.size()))
          chosen = t;
      if (chosen == tables_.size() || !tables_[chosen].readable)
        return fail(
            ErrorKind::BadCall,
            in_.name() + ": there is no table " + quotedPath(wanted) + ". " +
                severalTables(in_.name(), tables_).value().message.substr(in_.name().size() + 2));
    }
    table_ = tables_[chosen].name;
    return describe(static_cast<int>(chosen) + 1);
  }

  Result<void> describe(int hdu) {
    int status = 0;
    ::fits_movabs_hdu(file_, hdu, nullptr, &status);
    long rows = 0;
    int columns = 0;
    ::fits_get_num_rows(file_, &rows, &status);
    ::fits_get_num_cols(file_, &columns, &status);
    if (status != 0)
      return fail(ErrorKind::BadInput, in_.name() + ": the header of table " + quotedPath(table_) +
                                           " is damaged (" + fitsError(status) +
                                           "). Copy or export the file again.");
    rows_ = static_cast<std::uint64_t>(rows);
    LONGLONG start = 0;
    LONGLONG rowBytes = 0;
    ::fits_get_hduaddrll(file_, nullptr, &start, nullptr, &status);
    ::fits_read_key(file_, TLONGLONG, "NAXIS1", &rowBytes, nullptr, &status);
    const auto promised = static_cast<double>(rowBytes) * static_cast<double>(rows);
    const double there = static_cast<double>(in_.source().size()) - static_cast<double>(start);
    // Of a file that cfitsio unpacks the size is not known.
    if (status != 0 || rowBytes < 0 || (in_.packing() == Packing::None && promised > there))
      return fail(ErrorKind::BadInput,
                  in_.name() + ": the header of table " + quotedPath(table_) + " promises " +
                      std::to_string(rows) + " rows of " + std::to_string(rowBytes) +
                      " bytes, which is more than the file has. It was cut short or is damaged; "
                      "copy it again.");
    for (int c = 1; c <= columns && columns_.size() < kMaxColumns; ++c) add(c);
    if (columns_.empty())
      return fail(ErrorKind::BadInput, in_.name() + ": table " + quotedPath(table_) +
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

  void add(int column) {
    int status = 0;
    int type = 0;
    long repeat = 0;
    long width = 0;
    if (::fits_get_eqcoltype(file_, column, &type, &repeat, &width, &status) != 0) return;
    // Negative: a list of another length in each row. Complex numbers and bits are no columns.
    if (type <= 0 || type == TCOMPLEX || type == TDBLCOMPLEX || type == TBIT || repeat < 1) return;
    std::string name = key("TTYPE", column);
    if (name.empty()) name = "column " + std::to_string(column);
    const std::string unit = key("TUNIT", column);
    if (type == TSTRING) {
      // The one is the length in binary tables, the other in text tables.
      const long length = std::max(repeat, width);
      if (length > 65536) return;
      columns_.push_back({name, false, "text", unit});
      sources_.push_back({column, 1, 1, type, length});
      return;
    }
    if (repeat > kMostRepeat) return;
    for (long element = 1; element <= repeat; ++element) {
      columns_.push_back({repeat == 1 ? name : name + "_" + std::to_string(element - 1), true,
                          typeName(type), unit});
      sources_.push_back({column, element, repeat, type, 0});
    }
  }

  static std::string typeName(int type) {
    switch (type) {
      case TLOGICAL:
      case TBYTE:
        return toText(Scalar::Uint8);
      case TSBYTE:
        return toText(Scalar::Int8);
      case TSHORT:
        return toText(Scalar::Int16);
      case TUSHORT:
        return toText(Scalar::Uint16);
      case TINT:
      case TLONG:
        return toText(Scalar::Int32);
      case TUINT:
      case TULONG:
        return toText(Scalar::Uint32);
      case TLONGLONG:
        return toText(Scalar::Int64);
      case TFLOAT:
        return toText(Scalar::Float32);
      default:
        return toText(Scalar::Float64);
    }
  }

  tl::unexpected<Error> readFailed(const Source& source, std::uint64_t row, int status) const {
    return fail(ErrorKind::BadInput, in_.name() + ": table " + quotedPath(table_) + ", column " +
                                         std::to_string(source.column) +
                                         " (counting from 1) cannot be read from row " +
                                         std::to_string(row) + " on (" + fitsError(status) +
                                         "). The file was cut short or is damaged; copy it again.");
  }

  Result<void> readBlock(DatasetBuilder& builder, std::uint64_t row, std::size_t count) {
    const std::lock_guard lock(libraryMutex());
    for (std::size_t c = 0; c < sources_.size();) {
      const Source& source = sources_[c];
      int status = 0;
      if (source.type == TSTRING) {
        if (auto read = readText(builder, c, row, count); !read) return read;
        ++c;
        continue;
      }
      const auto repeat = static_cast<std::size_t>(source.repeat);
      bool used = false;
      for (std::size_t e = 0; e < repeat; ++e) used = used || builder.numbers(c + e) != nullptr;
      if (used) {
        // Of a column of one value straight into the cloud.
        double* const direct = repeat == 1 ? builder.numbers(c) : nullptr;
        if (direct == nullptr) values_.resize(count * repeat);
        double* const into = direct != nullptr ? direct : values_.data();
        double nothing = std::numeric_limits<double>::quiet_NaN();
        int anyNothing = 0;  // cfitsio writes to it
        const auto first = static_cast<LONGLONG>(row) + 1;
        const auto values = static_cast<LONGLONG>(count * repeat);
        if (source.type == TLOGICAL) {
          text_.resize(count * repeat);
          char noFlag = 0;
          ::fits_read_col(file_, TLOGICAL, source.column, first, 1, values, &noFlag, text_.data(),
                          &anyNothing, &status);
          std::copy_n(text_.begin(), count * repeat, into);
        } else {
          // Floating-point values need no mark for what is missing, and a look for it would change
          // the smallest and infinite ones.
          const bool floating = source.type == TDOUBLE || source.type == TFLOAT;
          ::fits_read_col(file_, TDOUBLE, source.column, first, 1, values,
                          floating ? nullptr : &nothing, into, &anyNothing, &status);
        }
        if (status != 0) return readFailed(source, row, status);
        if (direct == nullptr)
          for (std::size_t e = 0; e < repeat; ++e)
            if (double* const out = builder.numbers(c + e))
              for (std::size_t i = 0; i < count; ++i) out[i] = values_[i * repeat + e];
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
    const auto width = static_cast<std::size_t>(source.width) + 1;
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

  InputStream& in_;
  std::vector<char> bytes_;  ///< of a file in memory
  void* data_ = nullptr;
  std::size_t size_ = 0;
  fitsfile* file_ = nullptr;
  std::vector<Source> sources_;
  std::vector<double> values_;
  std::vector<char> text_;
  bool mustChoose_ = false;
};

}  // namespace

Result<std::unique_ptr<TableFile>> openFits(InputStream& in, const ReadOptions& options) {
  if (const auto filled = in.fill(1); !filled) return tl::unexpected(filled.error());
  // cfitsio itself unpacks gzip.
  if (in.packing() == Packing::Zstd ||
      (in.packing() != Packing::None && in.source().filePath().empty()))
    return unpackFirst(in, "FITS");
  if (in.packing() == Packing::None)
    if (const auto checked = checkHeaders(in.source()); !checked)
      return tl::unexpected(checked.error());
  auto file = std::make_unique<FitsFile>(in);
  if (auto opened = file->open(options); !opened) return tl::unexpected(opened.error());
  return file;
}

}  // namespace clusterloom
