#include "engine/io/file_tree.h"

#include <exception>
#include <new>
#include <utility>

#include "engine/io/format_table.h"
#include "engine/io/formats.h"
#include "engine/io/table_rows.h"

namespace clusterloom {
namespace {

/// What reading throws, as an error.
template <class Read>
auto caught(const std::string& path, Read read) -> decltype(read()) {
  try {
    return read();
  } catch (const std::bad_alloc&) {
    return tooLarge(path + ": memory ran out while reading.");
  } catch (const std::exception& error) {
    return badInput(path + ": cannot be read (" + error.what() + ").");
  }
}

}  // namespace

Result<std::unique_ptr<FileTree>> FileTree::opened(const std::string& path,
                                                   const ReadOptions& options, const Task& task) {
  std::unique_ptr<FileTree> tree(new FileTree);
  tree->stamp_ = stampOf(path);
  tree->options_ = options;
  tree->options_.every = 1;
  tree->options_.keepOthers = tree->options_.skipNonFinite = false;
  tree->options_.keep.clear();
  auto source = openFile(path);
  if (!source) return tl::unexpected(source.error());
  tree->source_ = std::move(*source);
  InputStream in(*tree->source_, task, "reading");
  const auto format = detectFormat(in);
  if (!format) return tl::unexpected(format.error());
  if (*format != Format::Copc) return nullptr;
  const auto table = formatOf(*format).open(in, tree->options_);
  if (!table) return tl::unexpected(table.error());
  TableFile& file = **table;
  const auto plan = planColumns(path, file.columns(), file.coordinates(), tree->options_);
  if (!plan) return tl::unexpected(plan.error());
  tree->rows_ = file.rows();
  std::vector<Node> nodes = file.tree(task);
  for (Node& node : nodes) {
    const std::vector<double> low = std::exchange(node.low, {});
    const std::vector<double> high = std::exchange(node.high, {});
    for (const std::size_t c : plan->coordinates) {
      if (c >= low.size()) return nullptr;
      node.low.push_back(low[c]);
      node.high.push_back(high[c]);
    }
    tree->nodes_.push_back(std::move(node));
  }
  if (tree->nodes_.empty()) return nullptr;
  return tree;
}

Result<std::unique_ptr<FileTree>> FileTree::open(const std::string& path,
                                                 const ReadOptions& options, const Task& task) {
  return caught(path, [&] { return opened(path, options, task); });
}

Result<PointCloud> FileTree::read(const Node& node) const {
  return caught(source_->name(), [&]() -> Result<PointCloud> {
    if (stampOf(source_->name()) != stamp_)
      return badInput(source_->name() + ": has changed since it was opened. Open it again.");
    auto dataset = readTableRows(*source_, Format::Copc, options_, node.firstRow, node.points, {});
    if (!dataset) return tl::unexpected(dataset.error());
    return std::move(dataset->cloud);
  });
}

}  // namespace clusterloom
