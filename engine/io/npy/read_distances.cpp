// SciPy's sparse matrices: a ZIP archive of the arrays data, indices, indptr, shape and format.
#include "engine/io/read_distances.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <new>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/memory_budget.h"
#include "engine/io/input_stream.h"
#include "engine/io/npy/npy_header.h"
#include "engine/io/npy/zip_directory.h"
#include "engine/io/numbers.h"
#include "engine/io/records.h"

namespace clusterloom {
namespace {

constexpr std::size_t kNumbersAtOnce = 32768;
constexpr double kMostExact = 9007199254740992;  // 2⁵³: integers below it are read exactly

constexpr const char* kHowToSave =
    " Save the distances by scipy.sparse.save_npz(FILE, m.tocsr()); distances of 0 must be stored.";

/// An array of the archive, its header read.
struct OpenArray {
  std::string name;
  std::unique_ptr<ByteSource> source;
  std::unique_ptr<InputStream> in;
  NpyHeader header;
  NpyType type;
};

class SparseFile {
 public:
  SparseFile(const ByteSource& source, std::vector<ZipEntry> entries, const Task& task)
      : source_(source), entries_(std::move(entries)), task_(task) {}

  Result<SparseDistances> read() const {
    if (auto fine = checkFormat(); !fine) return tl::unexpected(fine.error());
    const auto shape = numbersOf<std::int64_t>("shape", 2);
    if (!shape) return tl::unexpected(shape.error());
    if (shape->size() != 2) return damaged("shape");
    const std::int64_t n = (*shape)[0];
    if (n != (*shape)[1])
      return refused("is a matrix of " + std::to_string(n) + " × " + std::to_string((*shape)[1]) +
                     ". A matrix of distances has a row and a column for each point.");
    if (n < 1 || n > std::int64_t(kMaxPoints))
      return refused("is a matrix of " + std::to_string(n) + " points; 1 to " +
                     std::to_string(kMaxPoints) + " are possible.");
    SparseDistances distances;
    auto starts = numbersOf<std::int64_t>("indptr", std::uint64_t(n) + 1);
    if (!starts) return tl::unexpected(starts.error());
    if (starts->size() != std::size_t(n) + 1) return damaged("indptr");
    distances.starts = std::move(*starts);
    auto ids = numbersOf<std::int64_t>("indices", std::nullopt);
    if (!ids) return tl::unexpected(ids.error());
    distances.ids = std::move(*ids);
    auto values = numbersOf<double>("data", std::nullopt);
    if (!values) return tl::unexpected(values.error());
    distances.values = std::move(*values);
    const auto data = open("data");
    distances.isSingle = data && data->type.number == Scalar::Float32 && !data->type.half;
    if (auto fine = checkDistances(distances); !fine)
      return badInput(source_.name() + ": " + fine.error().message);
    return distances;
  }

 private:
  tl::unexpected<Error> refused(const std::string& what) const {
    return badInput(source_.name() + ": " + what);
  }
  tl::unexpected<Error> damaged(const std::string& array) const {
    return refused("the array " + array + " of the sparse matrix is damaged." + kHowToSave);
  }

  Result<OpenArray> open(const std::string& name) const {
    const auto entry = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const ZipEntry& e) { return e.name == name + ".npy"; });
    if (entry == entries_.end())
      return refused("holds no array " + name + ", so it is not a sparse matrix of SciPy." +
                     kHowToSave);
    OpenArray array{.name = name, .source = {}, .in = {}, .header = {}, .type = {}};
    auto source = openZipEntry(source_, *entry, task_);
    if (!source) return tl::unexpected(source.error());
    array.source = std::move(*source);
    array.in = std::make_unique<InputStream>(*array.source, task_, "reading", nullptr,
                                             InputStream::Content::AsStored);
    auto header = readNpyHeader(*array.in);
    if (!header) return tl::unexpected(header.error());
    array.header = std::move(*header);
    if (array.header.structured) return damaged(name);
    array.type = npyTypeOf(array.header.fields.front().descr);
    return array;
  }

  /// The format is a text of one element, such as |S3 or <U3.
  Result<void> checkFormat() const {
    constexpr std::size_t kMostBytes = 64;
    auto array = open("format");
    if (!array) return tl::unexpected(array.error());
    const std::size_t bytes = array->type.bytes;
    if (array->type.number || bytes == 0 || bytes > kMostBytes || !array->header.shape.empty())
      return damaged("format");
    const auto filled = array->in->fill(bytes);
    if (!filled) return tl::unexpected(filled.error());
    if (!*filled) return damaged("format");
    std::string format(array->in->view().substr(0, bytes));
    std::erase(format, '\0');
    if (format == "csr") return {};
    return refused("is a sparse matrix in the format " + quotedForMessage(format) +
                   ", not in rows (csr)." + kHowToSave);
  }

  /// The numbers of an array of one dimension; integers for an integral T. `most`: it may have
  /// no more.
  template <class T>
  Result<LargeArray<T>> numbersOf(const std::string& name,
                                  std::optional<std::uint64_t> most) const {
    auto array = open(name);
    if (!array) return tl::unexpected(array.error());
    const NpyType& type = array->type;
    if (!type.number || array->header.shape.size() != 1) return damaged(name);
    const bool real = *type.number == Scalar::Float32 || *type.number == Scalar::Float64;
    if (std::is_integral_v<T> && real) return damaged(name);
    InputStream& in = *array->in;
    const std::uint64_t count = array->header.shape[0];
    if (most && count > *most) return damaged(name);
    if (auto fits = checkRowsFit(in, count, type.bytes); !fits) return tl::unexpected(fits.error());
    if (count * sizeof(T) > availableMemory())
      return tooLarge(source_.name() + ": the array " + name + " takes " +
                      memoryText(count * sizeof(T)) + ", more than the free memory.");
    LargeArray<T> numbers;
    numbers.reserve(std::size_t(count));
    std::vector<double> block(kNumbersAtOnce);
    while (numbers.size() < count) {
      const auto taken = std::size_t(std::min<std::uint64_t>(block.size(), count - numbers.size()));
      const auto filled = in.fill(taken * type.bytes);
      if (!filled) return tl::unexpected(filled.error());
      if (!*filled) return damaged(name);
      const NumberSlots slots{Scalar::Float64, block.data()};
      if (type.half)
        decodeHalves(type.bigEndian, in.begin(), type.bytes, taken, slots);
      else
        decode(*type.number, type.bigEndian, in.begin(), type.bytes, taken, slots);
      in.consume(taken * type.bytes);
      for (std::size_t i = 0; i < taken; ++i) {
        if (std::is_integral_v<T> && !(std::abs(block[i]) < kMostExact)) return damaged(name);
        numbers.push_back(static_cast<T>(block[i]));
      }
    }
    return numbers;
  }

  const ByteSource& source_;
  std::vector<ZipEntry> entries_;
  const Task& task_;
};

}  // namespace

Result<SparseDistances> readDistancesFrom(const ByteSource& source, const Task& task) {
  try {
    std::array<char, 2> first{};
    const auto got = source.readAt(0, first);
    if (!got) return tl::unexpected(got.error());
    if (*got < first.size() || std::string_view(first.data(), first.size()) != "PK")
      return badInput(source.name() + ": is not a sparse matrix of SciPy." + kHowToSave);
    auto entries = zipDirectory(source);
    if (!entries) return tl::unexpected(entries.error());
    return SparseFile(source, std::move(*entries), task).read();
  } catch (const std::bad_alloc&) {
    return tooLarge(source.name() + ": there is no memory for the matrix. Store fewer distances.");
  }
}

Result<SparseDistances> readDistances(const std::string& path, const Task& task) {
  const auto source = openFile(path);
  if (!source) return tl::unexpected(source.error());
  return readDistancesFrom(**source, task);
}

}  // namespace clusterloom
