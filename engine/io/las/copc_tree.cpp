#include "engine/io/las/copc_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

namespace clusterloom {
namespace {

constexpr std::size_t kInfoBytes = 160;
constexpr std::size_t kHalfSideAt = 24;  // of the cube, behind its centre
constexpr std::size_t kRootAt = 40;      // the place of the first page, and its bytes
constexpr std::uint64_t kAllPoints = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kNodeBytes = 32;
constexpr std::int32_t kPage = -1;  // in place of a number of points: the entry is about a page
// A double tells no more halves of a cube apart.
constexpr std::int32_t kMostLevels = 52;
constexpr std::uint64_t kMostPageBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kMostEntries = std::uint64_t{1} << 23;

template <class T>
T valueAt(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

struct Page {
  std::int32_t level = 0;  // of its uppermost node
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// A node, by its chunk and its place among the cubes of its level.
struct NodeOfTree {
  std::size_t chunk = 0;
  std::array<std::int32_t, 3> place{};
};

class Tree {
 public:
  Tree(const ByteSource& source, const LazFile& file)
      : source_(source), file_(file), used_(file.chunks.size()) {}

  // The nodes of the upper levels that have at most `most` points. Nothing where the tree is
  // damaged.
  std::optional<std::vector<std::vector<NodeOfTree>>> upper(const Page& root, std::uint64_t most,
                                                            const Task& task) {
    pages_.push_back(root);
    std::uint64_t points = 0;
    for (std::int32_t level = 0; level <= kMostLevels; ++level) {
      if (task.cancelled() || !readPages(level)) return std::nullopt;
      const std::vector<NodeOfTree>& found = levels_[std::size_t(level)];
      for (const NodeOfTree& node : found) points += file_.chunks[node.chunk].points;
      if (found.empty() || (level > 0 && points > most)) {
        levels_.resize(std::size_t(level));
        break;
      }
    }
    return std::move(levels_);
  }

 private:
  // Those that may have nodes of this level, and the pages that these lead to.
  bool readPages(std::int32_t level) {
    for (std::size_t p = 0; p < pages_.size();) {
      if (pages_[p].level > level) {
        ++p;
        continue;
      }
      const Page page = pages_[p];
      pages_.erase(pages_.begin() + std::ptrdiff_t(p));
      if (!readPage(page)) return false;
    }
    return true;
  }

  bool readPage(const Page& page) {
    if (page.bytes % kNodeBytes != 0 || page.bytes > kMostPageBytes ||
        page.offset > source_.size() || page.bytes > source_.size() - page.offset ||
        !seen_.insert(page.offset).second)
      return false;
    entries_ += page.bytes / kNodeBytes;
    if (entries_ > kMostEntries) return false;
    std::string bytes(std::size_t(page.bytes), '\0');
    if (const auto got = source_.readAt(page.offset, bytes); !got || *got != bytes.size())
      return false;
    for (std::size_t at = 0; at < bytes.size(); at += kNodeBytes)
      if (!take(std::string_view(bytes).substr(at, kNodeBytes), page.level)) return false;
    return true;
  }

  bool take(std::string_view entry, std::int32_t leastLevel) {
    const auto level = valueAt<std::int32_t>(entry, 0);
    if (level < leastLevel || level > kMostLevels) return false;
    std::array<std::int32_t, 3> place{};
    for (std::size_t a = 0; a < 3; ++a) {
      place[a] = valueAt<std::int32_t>(entry, 4 + 4 * a);
      if (place[a] < 0 || (level < 31 && place[a] >= std::int32_t{1} << level)) return false;
    }
    const auto offset = valueAt<std::uint64_t>(entry, 16);
    const auto bytes = valueAt<std::int32_t>(entry, 24);
    const auto points = valueAt<std::int32_t>(entry, 28);
    if (points == 0) return true;
    if (points < kPage || bytes < 0) return false;
    if (points == kPage) {
      pages_.push_back({level, offset, std::uint64_t(bytes)});
      return true;
    }
    const auto found = std::ranges::lower_bound(file_.chunks, offset, {}, &LazFile::Chunk::start);
    if (found == file_.chunks.end() || found->start != offset ||
        found->bytes != std::uint64_t(bytes) || found->points != std::uint64_t(points))
      return false;
    const auto chunk = std::size_t(found - file_.chunks.begin());
    if (used_[chunk]) return false;
    used_[chunk] = true;
    levels_[std::size_t(level)].push_back({chunk, place});
    return true;
  }

  const ByteSource& source_;
  const LazFile& file_;
  std::vector<bool> used_;   // chunks that are those of a node
  std::vector<Page> pages_;  // not read yet
  std::unordered_set<std::uint64_t> seen_;
  std::uint64_t entries_ = 0;
  std::vector<std::vector<NodeOfTree>> levels_{std::size_t(kMostLevels) + 1};
};

std::optional<std::vector<std::vector<NodeOfTree>>> upperLevels(const ByteSource& source,
                                                                std::string_view info,
                                                                const LazFile& file,
                                                                std::uint64_t most,
                                                                const Task& task) {
  if (info.size() < kInfoBytes) return std::nullopt;
  const Page root{0, valueAt<std::uint64_t>(info, kRootAt),
                  valueAt<std::uint64_t>(info, kRootAt + 8)};
  return Tree(source, file).upper(root, most, task);
}

}  // namespace

std::vector<std::size_t> copcUpperChunks(const ByteSource& source, std::string_view info,
                                         const LazFile& file, std::uint64_t most,
                                         const Task& task) {
  const auto levels = upperLevels(source, info, file, most, task);
  if (!levels) return {};
  std::vector<std::size_t> chunks;
  for (const auto& level : *levels)
    for (const NodeOfTree& node : level) chunks.push_back(node.chunk);
  std::sort(chunks.begin(), chunks.end());
  return chunks;
}

std::vector<FileTree::Node> copcNodes(const ByteSource& source, std::string_view info,
                                      const LazFile& file, const Task& task) {
  const auto levels = upperLevels(source, info, file, kAllPoints, task);
  if (!levels) return {};
  const auto half = valueAt<double>(info, kHalfSideAt);
  if (!(half > 0) || !std::isfinite(half)) return {};
  std::uint64_t left = 0;
  for (const LazFile::Chunk& chunk : file.chunks) left += chunk.points;
  std::vector<FileTree::Node> nodes;
  for (std::size_t level = 0; level < levels->size(); ++level) {
    const double side = std::ldexp(2 * half, -int(level));
    for (const NodeOfTree& of : (*levels)[level]) {
      FileTree::Node node;
      node.firstRow = file.chunks[of.chunk].firstRow;
      node.points = file.chunks[of.chunk].points;
      node.level = int(level);
      for (std::size_t a = 0; a < 3; ++a) {
        node.low.push_back(valueAt<double>(info, 8 * a) - half + side * of.place[a]);
        node.high.push_back(node.low[a] + side);
      }
      left -= node.points;
      nodes.push_back(std::move(node));
    }
  }
  // A chunk is that of one node at most.
  if (left > 0) return {};
  return nodes;
}

}  // namespace clusterloom
