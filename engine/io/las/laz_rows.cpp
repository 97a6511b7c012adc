// The points of LAZ files, decoded in parallel.

#include <algorithm>
#include <span>

#include "engine/core/parallel_for.h"
#include "engine/io/dataset_builder.h"
#include "engine/io/las/laz_file.h"

namespace clusterloom {
namespace {

// Points that are decoded and then stored while they are in the cache.
constexpr std::uint64_t kBlockPoints = 1024;
constexpr std::uint64_t kBatchBytes = std::uint64_t{64} << 20;

/// The rows that are read of a chunk.
struct Part {
  const LazFile::Chunk* chunk = nullptr;
  std::uint64_t skipped = 0;  ///< of its first points
  std::uint64_t rows = 0;
  std::span<const std::uint8_t> bytes;
};

enum class Outcome { Read, Damaged, Stopped };

/// Where the values of a record go.
struct Columns {
  const RecordLayout& layout;
  std::vector<NumberSlots> out;  ///< null: the column is not kept

  Columns(const RecordLayout& fields, DatasetBuilder& builder) : layout(fields) {
    for (std::size_t c = 0; c < fields.fields.size(); ++c) out.push_back(builder.numbers(c));
  }
  std::vector<bool> wantedBytes() const {
    std::vector<bool> wanted(layout.recordBytes);
    for (std::size_t c = 0; c < out.size(); ++c)
      for (std::size_t b = 0; out[c] && b < sizeOf(layout.fields[c].type); ++b)
        wanted[layout.fields[c].offset + b] = true;
    return wanted;
  }
  void store(const std::vector<std::uint8_t>& records, std::size_t count, std::uint64_t at) const {
    for (std::size_t c = 0; c < out.size(); ++c) {
      if (!out[c]) continue;
      const auto* const first = reinterpret_cast<const char*>(records.data());
      decode(layout.fields[c].type, false, first + layout.fields[c].offset, layout.recordBytes,
             count, out[c].from(at));
      if (layout.convert) layout.convert(c, out[c].from(at), count);
    }
  }
};

/// Decodes `rows` points and stores them from row `at` on; without columns they are passed over.
Outcome read(LazChunkReader& reader, std::uint64_t rows, const Columns* columns, std::uint64_t at,
             std::vector<std::uint8_t>& records, const Task& task) {
  for (std::uint64_t done = 0; done < rows; done += kBlockPoints) {
    if (task.cancelled()) return Outcome::Stopped;
    const auto count = std::size_t(std::min(kBlockPoints, rows - done));
    if (!reader.read(records.data(), count)) return Outcome::Damaged;
    if (columns != nullptr) columns->store(records, count, at + done);
  }
  return Outcome::Read;
}

class Rows {
 public:
  Rows(InputStream& in, const LazFile& file, const RecordLayout& layout, DatasetBuilder& builder)
      : in_(in), file_(file), layout_(layout), builder_(builder) {}

  Result<void> read(std::uint64_t firstRow, std::uint64_t rows) {
    if (rows == 0) return {};
    const auto after =
        std::ranges::upper_bound(file_.chunks, firstRow, {}, &LazFile::Chunk::firstRow);
    if (auto begun = jumpTo(std::size_t(after - file_.chunks.begin()) - 1); !begun) return begun;
    std::uint64_t skipped = firstRow - file_.chunks[next_].firstRow;
    for (rows_ = rows; row_ < rows_; skipped = 0)
      if (auto done = readBatch(skipped); !done) return done;
    return {};
  }

  Result<void> readChunks(std::span<const std::size_t> chunks) {
    for (std::size_t i = 0; i < chunks.size();) {
      if (auto jumped = jumpTo(chunks[i]); !jumped) return jumped;
      // Those that follow one another are decoded together.
      for (std::size_t last = chunks[i]; i < chunks.size() && chunks[i] == last; ++i, ++last)
        rows_ += file_.chunks[last].points;
      while (row_ < rows_)
        if (auto done = readBatch(0); !done) return done;
    }
    return {};
  }

 private:
  Result<void> jumpTo(std::size_t chunk) {
    next_ = chunk;
    return in_.jump(file_.chunks[chunk].start - in_.position());
  }

  Result<void> readBatch(std::uint64_t skipped) {
    const std::size_t first = next_;
    std::vector<Part> parts;
    std::uint64_t rows = 0;
    std::uint64_t bytes = 0;
    while (next_ < file_.chunks.size() && row_ + rows < rows_) {
      const LazFile::Chunk& chunk = file_.chunks[next_];
      if (!parts.empty() &&
          (rows + chunk.points > kRowsPerExtend || bytes + chunk.bytes > kBatchBytes))
        break;
      parts.push_back({&chunk, skipped, std::min(chunk.points - skipped, rows_ - row_ - rows), {}});
      skipped = 0;
      rows += parts.back().rows;
      bytes += chunk.bytes;
      ++next_;
    }
    const auto filled = in_.fill(std::size_t(bytes));
    if (!filled) return tl::unexpected(filled.error());
    if (!*filled) return truncatedError(in_.name(), row_, rows_);
    std::size_t at = 0;
    for (Part& part : parts) {
      const auto size = std::size_t(part.chunk->bytes);
      part.bytes = {reinterpret_cast<const std::uint8_t*>(in_.begin()) + at, size};
      at += size;
    }
    if (auto done = parts.size() == 1 ? readOne(first, parts[0]) : readAll(first, parts, rows);
        !done)
      return done;
    in_.consume(std::size_t(bytes));
    return {};
  }

  /// A chunk that may be larger than a batch.
  Result<void> readOne(std::size_t chunk, const Part& part) {
    std::unique_ptr<LazChunkReader> reader;
    std::vector<std::uint8_t> records(kBlockPoints * layout_.recordBytes);
    for (std::uint64_t done = 0; done < part.rows;) {
      const std::uint64_t rows = std::min(part.rows - done, kRowsPerExtend);
      builder_.extend(std::size_t(rows));
      const Columns columns(layout_, builder_);
      Outcome outcome = Outcome::Damaged;
      if (!reader) {
        reader = openLazChunk(file_.scheme, part.bytes, part.chunk->points, columns.wantedBytes());
        if (reader)
          outcome = clusterloom::read(*reader, part.skipped, nullptr, 0, records, in_.task());
      } else {
        outcome = Outcome::Read;
      }
      if (outcome == Outcome::Read)
        outcome = clusterloom::read(*reader, rows, &columns, 0, records, in_.task());
      if (auto settled = settle(chunk, outcome, rows); !settled) return settled;
      done += rows;
    }
    return {};
  }

  Result<void> readAll(std::size_t firstChunk, const std::vector<Part>& parts, std::uint64_t rows) {
    builder_.extend(std::size_t(rows));
    const Columns columns(layout_, builder_);
    const std::vector<bool> wanted = columns.wantedBytes();
    std::vector<std::uint64_t> starts;
    for (std::uint64_t at = 0; const Part& part : parts) {
      starts.push_back(at);
      at += part.rows;
    }
    std::vector<Outcome> outcomes(parts.size(), Outcome::Damaged);
    parallelFor(parts.size(), 1, [&](std::size_t p) {
      const Part& part = parts[p];
      const auto reader = openLazChunk(file_.scheme, part.bytes, part.chunk->points, wanted);
      if (!reader) return;
      std::vector<std::uint8_t> records(kBlockPoints * layout_.recordBytes);
      outcomes[p] = clusterloom::read(*reader, part.skipped, nullptr, 0, records, in_.task());
      if (outcomes[p] == Outcome::Read)
        outcomes[p] =
            clusterloom::read(*reader, part.rows, &columns, starts[p], records, in_.task());
    });
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (outcomes[p] == Outcome::Read) continue;
      row_ += starts[p];
      return settle(firstChunk + p, outcomes[p], 0);
    }
    return settle(firstChunk, Outcome::Read, rows);
  }

  Result<void> settle(std::size_t chunk, Outcome outcome, std::uint64_t rows) {
    if (outcome == Outcome::Stopped) return cancelledError();
    if (outcome == Outcome::Damaged)
      return badInput(in_.name() + ": its points are damaged in chunk " + std::to_string(chunk) +
                      " of " + std::to_string(file_.chunks.size()) +
                      " (counting from 0), after about " + std::to_string(row_) +
                      " points that are good. Copy or export the file again.");
    row_ += rows;
    return builder_.settle(std::size_t(rows), {}, in_.task());
  }

  InputStream& in_;
  const LazFile& file_;
  const RecordLayout& layout_;
  DatasetBuilder& builder_;
  std::size_t next_ = 0;   ///< chunk
  std::uint64_t row_ = 0;  ///< of those that are read
  std::uint64_t rows_ = 0;
};

}  // namespace

Result<void> readLazRows(InputStream& in, const LazFile& file, const RecordLayout& layout,
                         std::uint64_t firstRow, std::uint64_t rows, DatasetBuilder& builder) {
  return Rows(in, file, layout, builder).read(firstRow, rows);
}

Result<void> readLazChunks(InputStream& in, const LazFile& file, const RecordLayout& layout,
                           std::span<const std::size_t> chunks, DatasetBuilder& builder) {
  return Rows(in, file, layout, builder).readChunks(chunks);
}

}  // namespace clusterloom
