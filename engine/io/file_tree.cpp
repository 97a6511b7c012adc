#include "engine/io/file_tree.h"

#include <utility>

#include "engine/io/format_table.h"
#include "engine/io/formats.h"

namespace clusterloom {

/// The file with what its header and its table of chunks say, which take long to read.
struct FileTree::Opened {
  Opened(std::unique_ptr<ByteSource> of, const Task& opening)
      : source(std::move(of)), task(opening), in(*source, task, "reading") {}

  std::unique_ptr<ByteSource> source;
  Task task;
  InputStream in;
  std::unique_ptr<TableFile> table;
  ColumnPlan plan;
};

FileTree::FileTree() = default;
FileTree::~FileTree() = default;

Result<std::unique_ptr<FileTree>> FileTree::opened(const std::string& path,
                                                   const ReadOptions& options, const Task& task) {
  std::unique_ptr<FileTree> tree(new FileTree);
  tree->path_ = path;
  tree->stamp_ = stampOf(path);
  tree->options_ = options;
  tree->options_.every = 1;
  tree->options_.keepOthers = tree->options_.skipNonFinite = false;
  tree->options_.keep.clear();
  auto source = openFile(path);
  if (!source) return tl::unexpected(source.error());
  auto opened = std::make_unique<Opened>(std::move(*source), task);
  const auto format = detectFormat(opened->in);
  if (!format) return tl::unexpected(format.error());
  if (*format != Format::Copc) return nullptr;
  auto table = formatOf(*format).open(opened->in, tree->options_);
  if (!table) return tl::unexpected(table.error());
  opened->table = std::move(*table);
  TableFile& file = *opened->table;
  auto plan = planColumns(path, file.columns(), file.coordinates(), tree->options_);
  if (!plan) return tl::unexpected(plan.error());
  opened->plan = std::move(*plan);
  tree->rows_ = file.rows();
  std::vector<Node> nodes = file.tree(task);
  for (Node& node : nodes) {
    const std::vector<double> low = std::exchange(node.low, {});
    const std::vector<double> high = std::exchange(node.high, {});
    for (const std::size_t c : opened->plan.coordinates) {
      if (c >= low.size()) return nullptr;
      node.low.push_back(low[c]);
      node.high.push_back(high[c]);
    }
    tree->nodes_.push_back(std::move(node));
  }
  if (tree->nodes_.empty()) return nullptr;
  tree->opened_ = std::move(opened);
  return tree;
}

Result<std::unique_ptr<FileTree>> FileTree::open(const std::string& path,
                                                 const ReadOptions& options, const Task& task) {
  return guardedReading(path, [&] { return opened(path, options, task); });
}

Result<PointCloud> FileTree::read(const Node& node) const {
  return guardedReading(path_, [&]() -> Result<PointCloud> {
    auto cloud = opened_->table->readNode(node, opened_->plan, options_, {});
    // After reading, so that it is known of these bytes.
    if (stampOf(path_) != stamp_) return hasChangedError(path_);
    return cloud;
  });
}

}  // namespace clusterloom
