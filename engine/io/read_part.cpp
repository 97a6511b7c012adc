#include "engine/io/read_part.h"

#include <exception>
#include <new>
#include <utility>

#include "engine/io/byte_source.h"
#include "engine/io/format_table.h"
#include "engine/io/formats.h"

namespace clusterloom {
namespace {

/// Reads some rows of a file whose rows have a place that follows from its header
/// (TableFile::divides). Errors as FilePart::read.
Result<Dataset> readTableRows(const ByteSource& source, Format format, const ReadOptions& options,
                              std::uint64_t firstRow, std::uint64_t rows, const Task& task) {
  InputStream in(source, task, "reading");
  const auto table = formatOf(format).open(in, options);
  if (!table) return tl::unexpected(table.error());
  TableFile& file = **table;
  auto plan = planColumns(source.name(), file.columns(), file.coordinates(), options);
  if (!plan) return tl::unexpected(plan.error());
  DatasetBuilder builder(source.name(), file.columns(), std::move(*plan), options);
  builder.beginAt(firstRow);
  if (rows > 0) {
    if (const auto reserved = builder.reserve(rows); !reserved)
      return tl::unexpected(reserved.error());
    file.startAt(firstRow);
    if (const auto done = file.readRows(builder, rows); !done) return tl::unexpected(done.error());
  }
  return builder.finish();
}

class PartOfTextFile final : public FilePart {
 public:
  PartOfTextFile(std::unique_ptr<ByteSource> source, std::unique_ptr<TextPart> part)
      : source_(std::move(source)), part_(std::move(part)) {}

  std::string obstacle() const override {
    return part_->quoted() ? "has cells in quotes, which may hold line ends" : "";
  }
  const std::vector<std::string>& names() const override { return part_->names(); }
  std::uint64_t fileBytes() const override { return source_->size(); }
  std::uint64_t rows() const override { return part_->rows(); }
  std::uint64_t lines() const override { return part_->lines(); }
  Result<Dataset> read(std::uint64_t rowsBefore, std::uint64_t linesBefore,
                       const Task& task) const override {
    return part_->read(rowsBefore, linesBefore, task);
  }
  const TextPart* text() const override { return part_.get(); }

 private:
  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<TextPart> part_;
};

class PartOfTable final : public FilePart {
 public:
  PartOfTable(std::unique_ptr<ByteSource> source, Format format, ReadOptions options)
      : source_(std::move(source)), format_(format), options_(std::move(options)) {}

  Result<void> open(std::uint64_t part, std::uint64_t parts, const Task& task) {
    InputStream in(*source_, task, "reading");
    const auto table = formatOf(format_).open(in, options_);
    if (!table) return tl::unexpected(table.error());
    const TableFile& file = **table;
    if (auto chosen = file.checkChoice(); !chosen) return chosen;
    auto plan = planColumns(source_->name(), file.columns(), file.coordinates(), options_);
    if (!plan) return tl::unexpected(plan.error());
    for (const std::size_t c : plan->coordinates) names_.push_back(file.columns()[c].name);
    divides_ = file.divides();
    const auto cut = [&](std::uint64_t p) {
      return file.rows() / parts * p + file.rows() % parts * p / parts;
    };
    firstRow_ = cut(part);
    rows_ = cut(part + 1) - firstRow_;
    return {};
  }

  std::string obstacle() const override {
    return divides_ ? "" : "is text, compressed, or has rows of different lengths";
  }
  const std::vector<std::string>& names() const override { return names_; }
  std::uint64_t fileBytes() const override { return source_->size(); }
  std::uint64_t rows() const override { return rows_; }
  std::uint64_t lines() const override { return 0; }

  Result<Dataset> read(std::uint64_t, std::uint64_t, const Task& task) const override {
    auto dataset = readTableRows(*source_, format_, options_, firstRow_, rows_, task);
    if (dataset) dataset->source = {source_->name(), toText(format_), "", ""};
    return dataset;
  }

 private:
  std::unique_ptr<ByteSource> source_;
  Format format_;
  ReadOptions options_;
  std::vector<std::string> names_;
  bool divides_ = false;
  std::uint64_t firstRow_ = 0;
  std::uint64_t rows_ = 0;
};

/// A compressed file, which can only be unpacked from its beginning.
class PartOfPackedFile final : public FilePart {
 public:
  PartOfPackedFile(std::uint64_t fileBytes, std::vector<std::string> names, Dataset rows)
      : fileBytes_(fileBytes), names_(std::move(names)), whole_(std::move(rows)) {}

  std::string obstacle() const override { return "is compressed"; }
  const std::vector<std::string>& names() const override { return names_; }
  std::uint64_t fileBytes() const override { return fileBytes_; }
  std::uint64_t rows() const override { return whole_.inputRows; }
  std::uint64_t lines() const override { return 0; }
  Result<Dataset> read(std::uint64_t, std::uint64_t, const Task&) const override { return whole_; }

 private:
  std::uint64_t fileBytes_;
  std::vector<std::string> names_;
  Dataset whole_;
};

/// The only part has all rows; of several parts none has, since the file has an obstacle.
Result<std::unique_ptr<FilePart>> openPackedPart(const ByteSource& source,
                                                 const ReadOptions& options, int parts,
                                                 const Task& task) {
  if (parts == 1) {
    auto whole = readDatasetFrom(source, options, task);
    if (!whole) return tl::unexpected(whole.error());
    auto names = whole->cloud.names;
    return std::make_unique<PartOfPackedFile>(source.size(), std::move(names), std::move(*whole));
  }
  const auto preview = previewFrom(source, options, 1);
  if (!preview) return tl::unexpected(preview.error());
  const auto plan = planColumns(source.name(), preview->columns, preview->coordinates, options);
  if (!plan) return tl::unexpected(plan.error());
  std::vector<std::string> names;
  for (const std::size_t c : plan->coordinates) names.push_back(preview->columns[c].name);
  return std::make_unique<PartOfPackedFile>(source.size(), std::move(names), Dataset{});
}

Result<std::unique_ptr<FilePart>> openPart(const std::string& path, ReadOptions options, int part,
                                           int parts, const Task& task, const FilePart* same) {
  options.keepOthers = false;
  auto source = openFile(path);
  if (!source) return tl::unexpected(source.error());
  Packing packing = Packing::None;
  const auto format = [&] {
    InputStream in(**source, task, "reading");
    auto found = detectFormat(in);
    packing = in.packing();
    return found;
  }();
  if (!format) return tl::unexpected(format.error());
  if (packing != Packing::None) return openPackedPart(**source, options, parts, task);
  if (*format == Format::Text) {
    auto text = openTextPart(**source, options, part, parts, task,
                             same != nullptr ? same->text() : nullptr);
    if (!text) return tl::unexpected(text.error());
    return std::make_unique<PartOfTextFile>(std::move(*source), std::move(*text));
  }
  auto table = std::make_unique<PartOfTable>(std::move(*source), *format, std::move(options));
  if (auto opened = table->open(std::uint64_t(part), std::uint64_t(parts), task); !opened)
    return tl::unexpected(opened.error());
  return table;
}

}  // namespace

Result<std::unique_ptr<FilePart>> openFilePart(const std::string& path, const ReadOptions& options,
                                               int part, int parts, const Task& task,
                                               const FilePart* same) {
  if (options.every > 1) return badCall(path + ": ranks read every row; leave --every out.");
  try {
    return openPart(path, options, part, parts, task, same);
  } catch (const std::bad_alloc&) {
    return tooLarge(path + ": memory ran out while reading.");
  } catch (const std::exception& error) {
    return badInput(path + ": cannot be read (" + error.what() + ").");
  }
}

}  // namespace clusterloom
