#include "engine/distributed/write_parts.h"

#include <algorithm>
#include <functional>
#include <ostream>
#include <span>
#include <sstream>
#include <streambuf>

#include "engine/io/export_rows.h"
#include "engine/io/format_table.h"

namespace clusterloom {
namespace {

constexpr std::size_t kPartBytes = std::size_t{4} << 20;

// Passes on what a writer writes, without its header.
class RowsOnly final : public std::streambuf {
 public:
  using Sink = std::function<bool(std::span<const char> bytes)>;  // false: it failed

  RowsOnly(std::size_t header, Sink sink) : left_(header), sink_(std::move(sink)) {}

 protected:
  int_type overflow(int_type c) override {
    const char byte = traits_type::to_char_type(c);
    return xsputn(&byte, 1) == 1 ? c : traits_type::eof();
  }
  std::streamsize xsputn(const char* bytes, std::streamsize count) override {
    const auto all = std::span(bytes, std::size_t(count));
    const std::size_t skipped = std::min(left_, all.size());
    left_ -= skipped;
    return sink_(all.subspan(skipped)) ? count : 0;
  }

 private:
  std::size_t left_;
  Sink sink_;
};

// Sends bytes to rank 0 block by block; an empty block ends them.
class BlockSender {
 public:
  BlockSender(Communicator& communicator, const Task& task)
      : communicator_(communicator), task_(task) {}

  Result<void> add(std::span<const char> bytes) {
    while (!bytes.empty()) {
      const std::size_t some = std::min(kPartBytes - block_.size(), bytes.size());
      block_.insert(block_.end(), bytes.begin(), bytes.begin() + std::ptrdiff_t(some));
      bytes = bytes.subspan(some);
      if (block_.size() == kPartBytes)
        if (auto sent = send(); !sent) return sent;
    }
    return {};
  }
  Result<void> end() {
    if (!block_.empty())
      if (auto sent = send(); !sent) return sent;
    return send();
  }

 private:
  Result<void> send() {
    const std::uint64_t size = block_.size();
    if (auto sent = communicator_.send(0, std::span(&size, 1), task_); !sent) return sent;
    auto sent = communicator_.send(0, std::span<const char>(block_), task_);
    block_.clear();
    return sent;
  }

  Communicator& communicator_;
  const Task& task_;
  std::vector<char> block_;
};

// Copies what a rank sends.
Result<void> copyRows(Communicator& communicator, int from, std::ostream& out, const Task& task) {
  std::vector<char> block;
  for (;;) {
    std::uint64_t size = 0;
    if (auto got = communicator.receive(from, std::span(&size, 1), task); !got) return got;
    if (size == 0) return {};
    block.resize(size);
    if (auto got = communicator.receive(from, std::span(block), task); !got) return got;
    out.write(block.data(), std::streamsize(size));
    if (!out) return {};  // the caller reports the error
  }
}

using Write = decltype(&writeCsv);

// The bytes before the first row, for this number of points.
Result<std::string> headerOf(Write write, const Dataset& dataset,
                             const std::vector<PointRole>& roles, std::uint64_t points,
                             const Task& task) {
  Dataset none;
  none.cloud.names = dataset.cloud.names;
  none.cloud.columns.resize(dataset.cloud.dims());
  none.columnOrder = dataset.columnOrder;
  none.coordinateTypes = dataset.coordinateTypes;
  Clustering noLabels;
  // Any role makes the column of roles appear.
  noLabels.roles = roles;
  std::ostringstream out;
  if (auto done = write(out, none, &noLabels, RowFilter({}), {}, task); !done)
    return tl::unexpected(done.error());
  std::string header = out.str();
  const std::string count = "element vertex 0\n";
  if (write == &writePly)
    header.replace(header.find(count), count.size(),
                   "element vertex " + std::to_string(points) + "\n");
  return header;
}

}  // namespace

bool canWriteParts(const std::string& path) {
  const std::string extension = extensionOf(path);
  return extension == ".csv" || extension == ".ply";
}

Result<void> writeLabelledParts(Communicator& communicator, OutputSet& outputs,
                                const std::string& path, RankPart part,
                                std::vector<std::int32_t> labels, std::vector<PointRole> roles,
                                const Task& task) {
  task.report("writing", 0);
  const Write write = extensionOf(path) == ".ply" ? &writePly : &writeCsv;
  const auto points = communicator.sum<std::uint64_t>(labels.size(), task);
  if (!points) return tl::unexpected(points.error());
  Dataset dataset = std::move(part.data);
  for (std::uint64_t& row : dataset.skippedRows) row -= part.firstRow;
  Clustering clustering;
  clustering.labels = std::move(labels);
  clustering.roles = std::move(roles);
  // A rank that has read skipped rows only has no roles, but a column of them.
  if (clustering.roles.empty()) clustering.roles.assign(1, PointRole::Noise);
  const auto own = headerOf(write, dataset, clustering.roles, clustering.labels.size(), task);
  if (!own) return tl::unexpected(own.error());
  const auto writeRows = [&](const RowsOnly::Sink& sink) -> Result<void> {
    RowsOnly rows(own->size(), sink);
    std::ostream out(&rows);
    return write(out, dataset, &clustering, RowFilter({}), {}, task);
  };

  if (communicator.rank() != 0) {
    BlockSender sender(communicator, task);
    Result<void> sent;
    auto done = writeRows([&](std::span<const char> bytes) {
      if (sent) sent = sender.add(bytes);
      return sent.has_value();
    });
    if (!sent) return sent;
    return done ? sender.end() : done;
  }
  const auto first = headerOf(write, dataset, clustering.roles, *points, task);
  if (!first) return tl::unexpected(first.error());
  return outputs.prepare(path, [&](std::ostream& out) -> Result<void> {
    out << *first;
    auto done = writeRows([&](std::span<const char> bytes) {
      out.write(bytes.data(), std::streamsize(bytes.size()));
      return out.good();
    });
    for (int r = 1; done && out && r < communicator.size(); ++r)
      done = copyRows(communicator, r, out, task);
    return done;
  });
}

}  // namespace clusterloom
