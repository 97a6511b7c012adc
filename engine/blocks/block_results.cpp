#include <malloc.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <filesystem>
#include <future>

#include "engine/blocks/block_files.h"
#include "engine/blocks/block_passes.h"
#include "engine/io/npy/npy_header.h"

namespace clusterloom {

Result<void> BlockPasses::forEachBlock(
    BlockPass first, BlockPass last, bool keep,
    const std::function<Result<void>(std::size_t, BlockPoints&)>& work) {
  std::vector<std::size_t> order;
  std::uint64_t all = 0;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    if (blocks_[b].own + blocks_[b].queries == 0 || blocks_[b].points == 0) continue;
    order.push_back(b);
    all += blocks_[b].points;
  }
  // Beside the work, which a shared arena would let wait for the disk.
  tbb::task_arena ahead(std::clamp(tbb::this_task_arena::max_concurrency() / 2, 1, 4));
  const auto readLater = [&](std::size_t b) {
    return std::async(std::launch::async, [this, &ahead, b] {
      return ahead.execute([&] {
        return readBlock(fileOf(kCloudFile, b), blocks_[b].points, names_, recordOf(files_.front()),
                         quiet_);
      });
    });
  };
  std::future<Result<BlockPoints>> reading;
  if (!order.empty()) reading = readLater(order[0]);
  std::uint64_t done = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double begin = progress_.at(first, 0);
    task_.report(stage_, begin + (progress_.at(last, 1) - begin) * double(done) / double(all));
    auto points = reading.get();
    if (!points) return tl::unexpected(points.error());
    std::error_code ignored;
    if (!keep) std::filesystem::remove(fileOf(kCloudFile, order[i]), ignored);
    if (i + 1 < order.size()) reading = readLater(order[i + 1]);
    if (task_.cancelled()) return cancelledError();
    if (auto one = work(order[i], *points); !one) return one;
    done += blocks_[order[i]].points;
    *points = {};
    ::malloc_trim(0);  // else the process keeps what a block has used, and the next one adds to it
  }
  return {};
}

Result<BlockPoints> BlockPasses::queriesOf(std::size_t block) const {
  return readBlock(fileOf(kQueryFile, block), blocks_[block].queries, names_,
                   recordOf(files_.back()), quiet_);
}

// Blocks have their results in the order of the file.
Result<void> BlockPasses::writeRows(OutputSet& outputs, const std::string& path, const char* name,
                                    const char* type, std::int32_t skipped) const {
  const std::uint64_t rows = files_.back().rows.rows;
  return outputs.prepare(path, [&](std::ostream& out) -> Result<void> {
    out << npyHeader(type, std::to_string(rows) + ",");
    ScratchValues<std::uint16_t> owners(scratch_.file("owners"), rows, 1 << 16);
    std::vector<ScratchValues<std::int32_t>> values;
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      values.emplace_back(fileOf(name, b), files_.size() > 1 ? blocks_[b].queries : blocks_[b].own,
                          valuesAtOnce(4));
    std::vector<std::int32_t> some;
    for (std::uint64_t row = 0; row < rows;) {
      report(BlockPass::Write, row, rows);
      if (task_.cancelled()) return cancelledError();
      some.clear();
      for (; row < rows && some.size() < 65536; ++row) {
        const auto owner = owners.next();
        if (!owner) return tl::unexpected(owner.error());
        if (*owner == kSkipped) {
          some.push_back(skipped);
          continue;
        }
        const auto value = values[*owner].next();
        if (!value) return tl::unexpected(value.error());
        some.push_back(*value);
      }
      out.write(reinterpret_cast<const char*>(some.data()),
                std::streamsize(some.size() * sizeof some[0]));
    }
    return {};
  });
}

}  // namespace clusterloom
