// NumPy's .npz: a ZIP archive of .npy files.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/io/formats.h"
#include "engine/io/npy/zip_directory.h"

namespace clusterloom {
namespace {

constexpr std::string_view kArraySuffix = ".npy";

/// An array of the archive, opened.
struct Member {
  std::unique_ptr<ByteSource> source;
  std::unique_ptr<InputStream> in;
  std::unique_ptr<TableFile> array;
};

/// The array of a file; nothing where it holds no array of numbers and is not the one chosen.
Result<std::optional<Member>> openMember(const InputStream& archive, const ZipEntry& entry,
                                         const ReadOptions& options) {
  auto source = openZipEntry(archive.source(), entry, archive.task());
  if (!source) return tl::unexpected(source.error());
  Member member{std::move(*source), nullptr, nullptr};
  member.in = std::make_unique<InputStream>(*member.source, archive.task(), "reading", nullptr,
                                            InputStream::Content::AsStored);
  auto array = openNpy(*member.in, options);
  const bool named = entry.name == options.dataset + std::string(kArraySuffix);
  if (!array && (named || array.error().kind != ErrorKind::BadInput))
    return tl::unexpected(array.error());
  if (!array) return std::nullopt;
  member.array = std::move(*array);
  return member;
}

/// "3 x 2, float64"
std::string saysOf(const TableFile& array) {
  return std::to_string(array.rows()) + " × " + std::to_string(array.columns().size()) + ", " +
         array.columns().front().type;
}

/// Whether the arrays are those of scipy.sparse.save_npz (read_distances.h).
bool holdsSparseMatrix(const std::vector<ZipEntry>& entries) {
  const auto holds = [&](std::string_view name) {
    return std::any_of(entries.begin(), entries.end(),
                       [&](const ZipEntry& entry) { return entry.name == name; });
  };
  const bool indexed = holds("indptr.npy") || holds("row.npy") || holds("offsets.npy");
  return indexed && holds("format.npy") && holds("shape.npy") && holds("data.npy");
}

std::string namesOf(const std::vector<PreviewTable>& tables) {
  std::string names;
  for (const PreviewTable& table : tables) names += (names.empty() ? "" : ", ") + table.name;
  return names.empty() ? "none" : names;
}

class NpzFile final : public TableFile {
 public:
  NpzFile(InputStream& archive, Member member, std::vector<PreviewTable> tables, std::string name,
          bool mustChoose)
      : archive_(archive), member_(std::move(member)), mustChoose_(mustChoose) {
    columns_ = member_.array->columns();
    coordinates_ = member_.array->coordinates();
    rows_ = member_.array->rows();
    unreadColumns_ = member_.array->unreadColumns();
    tables_ = std::move(tables);
    table_ = std::move(name);
  }

  bool divides() const override { return member_.array->divides(); }
  bool storesColumns() const override { return member_.array->storesColumns(); }
  Result<void> checkChoice() const override {
    return mustChoose_ ? Result<void>(severalTables(archive_.name(), tables_)) : Result<void>{};
  }
  Result<void> readRows(DatasetBuilder& builder, std::uint64_t rows) override {
    member_.array->startAt(firstRow_);
    return member_.array->readRows(builder, rows);
  }

 private:
  InputStream& archive_;
  Member member_;
  bool mustChoose_;
};

}  // namespace

Result<std::unique_ptr<TableFile>> openNpz(InputStream& in, const ReadOptions& options) {
  if (const auto filled = in.fill(1); !filled) return tl::unexpected(filled.error());
  if (in.packing() != Packing::None) return unpackFirst(in, "NPZ");
  const auto entries = zipDirectory(in.source());
  if (!entries) return tl::unexpected(entries.error());
  if (options.dataset.empty() && holdsSparseMatrix(*entries))
    return badInput(in.name() +
                    ": holds a sparse matrix of SciPy, not points. Save the points as a dense "
                    "array: numpy.save(…, m.toarray()). A matrix of distances is for "
                    "clusterloom-cli cluster and hdbscan with --metric precomputed.");
  // The array that is named, else the only one with several columns, else the only one.
  Member found;
  std::string name;
  std::vector<PreviewTable> tables;
  std::size_t best = 0;  // columns, 2 for more
  std::size_t alike = 0;
  for (const ZipEntry& entry : *entries) {
    if (!entry.name.ends_with(kArraySuffix)) continue;
    PreviewTable table;
    table.name = entry.name.substr(0, entry.name.size() - kArraySuffix.size());
    auto member = openMember(in, entry, options);
    if (!member) return tl::unexpected(member.error());
    const bool named = table.name == options.dataset;
    if (!*member) {
      table.says = "no array of numbers";
      tables.push_back(std::move(table));
      continue;
    }
    table.says = saysOf(*(*member)->array);
    table.readable = true;
    const std::size_t columns = std::min<std::size_t>(2, (*member)->array->columns().size());
    if (options.dataset.empty() && columns >= best) {
      alike = columns > best ? 1 : alike + 1;
      best = columns;
    }
    if (named || (options.dataset.empty() && columns == best && alike == 1)) {
      name = table.name;
      found = std::move(**member);
    }
    tables.push_back(std::move(table));
  }
  if (found.array == nullptr && !options.dataset.empty())
    return badCall(in.name() + ": holds no array " + quotedPath(options.dataset) +
                   ". There are: " + namesOf(tables) + ".");
  if (found.array == nullptr) return badInput(in.name() + ": holds no array of numbers.");
  return std::make_unique<NpzFile>(in, std::move(found), std::move(tables), std::move(name),
                                   alike > 1);
}

}  // namespace clusterloom
