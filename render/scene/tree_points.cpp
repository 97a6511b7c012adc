#include "render/scene/tree_points.h"

#include <algorithm>
#include <array>
#include <limits>
#include <mutex>
#include <new>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "engine/io/file_tree.h"
#include "render/scene/place_points.h"
#include "render/scene/point_levels.h"

namespace clusterloom {
namespace {

/// A node is decoded as a whole: more points would take too much memory and time.
constexpr std::uint64_t kMostNodePoints = std::uint64_t{1} << 21;
constexpr std::uint64_t kMostTreeRows = std::numeric_limits<std::uint32_t>::max();
/// Boxes are larger by this much of their sides, because coordinates are rounded.
constexpr float kTreeMargin = 1e-3F;

/// Part of a node that is drawn as a block.
struct TreeBlock {
  std::uint32_t node = 0;
  std::uint32_t first = 0;  ///< point of the node
};

class TreePoints final : public StoredPoints {
 public:
  TreePoints(std::unique_ptr<FileTree> tree, const StoreOrder& order)
      : tree_(std::move(tree)), space_(order.sample->space), scaling_(order.scaling) {}

  /// False where the file is not drawn by its tree.
  Result<bool> open(const DisplayBox& sampleBox);
  Result<Block> read(std::size_t block) const override;
  Result<void> readRows(std::size_t block, std::span<std::uint32_t> rows) const override;

 private:
  PointCloud scaled(const PointCloud& cloud) const {
    return scaling_.kind == Scaling::Kind::None ? cloud : applyScaling(cloud, scaling_);
  }
  bool fits() const;
  void list(const DisplayBox& box);
  PointBlock boxOf(const FileTree::Node& node) const;
  Result<void> decode(std::size_t node) const;

  const std::unique_ptr<FileTree> tree_;
  const DisplaySpace space_;
  const Scaling scaling_;
  std::vector<TreeBlock> blocks_;
  // The blocks of a node are read one after the other.
  mutable std::mutex mutex_;
  mutable std::size_t decoded_ = std::numeric_limits<std::size_t>::max();  ///< node
  mutable LargeArray<float> places_;                                       ///< of its points
};

bool TreePoints::fits() const {
  if (tree_->rows() > kMostTreeRows) return false;
  const std::size_t dims = tree_->nodes().front().low.size();
  if (scaling_.kind != Scaling::Kind::None && scaling_.factor.size() != dims) return false;
  for (int a = 0; a < space_.axes; ++a)
    if (space_.kind == ViewAxes::Kind::Dimensions &&
        std::size_t(space_.dims[std::size_t(a)]) >= dims)
      return false;
  if (space_.kind == ViewAxes::Kind::Pca && space_.centre.size() != dims) return false;
  return std::ranges::all_of(tree_->nodes(),
                             [](const auto& node) { return node.points <= kMostNodePoints; });
}

/// The box in which the corners of a node lie.
PointBlock TreePoints::boxOf(const FileTree::Node& node) const {
  const std::size_t dims = node.low.size();
  const std::size_t corners = std::size_t{1} << dims;
  PointCloud cloud;
  for (std::size_t j = 0; j < dims; ++j) {
    auto& column = cloud.columns.emplace_back();
    for (std::size_t c = 0; c < corners; ++c)
      column.push_back((c >> j & 1) != 0 ? node.high[j] : node.low[j]);
  }
  std::array<float, 24> xyz{};
  placePoints(space_, scaled(cloud), 0, corners, xyz.data());
  PointBlock box;
  for (std::size_t a = 0; a < 3; ++a) {
    box.low[a] = box.high[a] = xyz[a];
    for (std::size_t c = 1; c < corners; ++c) {
      box.low[a] = std::min(box.low[a], xyz[3 * c + a]);
      box.high[a] = std::max(box.high[a], xyz[3 * c + a]);
    }
    const float margin = kTreeMargin * (box.high[a] - box.low[a]);
    box.low[a] -= margin;
    box.high[a] += margin;
  }
  return box;
}

void TreePoints::list(const DisplayBox& box) {
  auto outline = std::make_shared<DisplayPoints>();
  outline->box = box;
  outline->space.axes = space_.axes;
  for (std::uint32_t number = 0; number < tree_->nodes().size(); ++number) {
    const FileTree::Node& node = tree_->nodes()[number];
    PointBlock block = boxOf(node);
    // A level of the tree has half of the spacing along each axis, one of blocks twice the points.
    block.level = 1 + space_.axes * node.level;
    const std::uint64_t parts = (node.points + kBlockPoints - 1) / kBlockPoints;
    for (std::uint64_t part = 0; part < parts; ++part) {
      const std::uint64_t first = node.points * part / parts;
      block.first = std::uint32_t(size_);
      block.count = std::uint32_t(node.points * (part + 1) / parts - first);
      outline->blocks.push_back(block);
      blocks_.push_back({number, std::uint32_t(first)});
      size_ += block.count;
    }
  }
  outline_ = std::move(outline);
}

Result<bool> TreePoints::open(const DisplayBox& sampleBox) {
  if (!fits()) return false;
  list(sampleBox);  // the cube of a tree is larger than what it holds
  if (auto done = decode(0); !done) return tl::unexpected(done.error());
  const PointBlock& root = outline_->blocks.front();
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (places_[i] < root.low[i % 3] || places_[i] > root.high[i % 3]) return false;
  return true;
}

Result<void> TreePoints::decode(std::size_t node) const {
  if (decoded_ == node) return {};
  auto cloud = tree_->read(tree_->nodes()[node]);
  if (!cloud) return tl::unexpected(cloud.error());
  const PointCloud points = scaled(*cloud);
  decoded_ = std::numeric_limits<std::size_t>::max();
  places_.resize(3 * points.size());
  placePoints(space_, points, 0, points.size(), places_.data());
  decoded_ = node;
  return {};
}

Result<StoredPoints::Block> TreePoints::read(std::size_t index) const {
  try {
    const std::size_t count = outline_->blocks[index].count;
    Block block;
    block.rows.resize(count);
    if (auto done = readRows(index, block.rows); !done) return tl::unexpected(done.error());
    const std::lock_guard lock(mutex_);
    if (auto done = decode(blocks_[index].node); !done) return tl::unexpected(done.error());
    const float* first = places_.data() + 3 * std::size_t{blocks_[index].first};
    block.xyz.assign(first, first + 3 * count);
    return block;
  } catch (const std::bad_alloc&) {
    return tooLarge("Memory ran out while a node of a COPC file was decoded.");
  }
}

Result<void> TreePoints::readRows(std::size_t index, std::span<std::uint32_t> rows) const {
  const TreeBlock& block = blocks_[index];
  std::iota(rows.begin(), rows.end(),
            std::uint32_t(tree_->nodes()[block.node].firstRow + block.first));
  return {};
}

}  // namespace

Result<std::shared_ptr<const StoredPoints>> openTreePoints(const StoreOrder& order,
                                                           const Task& task) {
  if (auto can = checkStoreOrder(order); !can) return tl::unexpected(can.error());
  auto tree = FileTree::open(order.path, order.read, task);
  if (!tree) return tl::unexpected(tree.error());
  if (!*tree) return nullptr;
  try {
    const auto points = std::make_shared<TreePoints>(std::move(*tree), order);
    const auto usable = points->open(order.sample->box);
    if (!usable) return tl::unexpected(usable.error());
    if (!*usable) return nullptr;
    return points;
  } catch (const std::bad_alloc&) {
    return tooLarge(order.path + ": memory ran out while its tree was read.");
  }
}

}  // namespace clusterloom
