#include "engine/blocks/blocks_in_turn.h"

#include <malloc.h>
#include <sys/stat.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <future>
#include <limits>
#include <new>
#include <queue>

#include "engine/blocks/block_files.h"
#include "engine/blocks/file_in_parts.h"
#include "engine/core/memory_budget.h"
#include "engine/core/predicate.h"
#include "engine/core/stopwatch.h"
#include "engine/cpu/cpu_backend.h"
#include "engine/io/npy_header.h"
#include "engine/io/read_part.h"

namespace clusterloom {
namespace {

constexpr std::uint64_t kProgramBytes = std::uint64_t{64} << 20;
constexpr std::uint16_t kSkipped = std::numeric_limits<std::uint16_t>::max();
constexpr int kMostBlocks = kSkipped - 1;
constexpr int kSamplePieces = 64;
constexpr std::uint64_t kMostSample = std::uint64_t{1} << 18;
constexpr std::uint64_t kCellsPerBlock = 4096;
constexpr std::uint64_t kBytesPerCell = 64;
// The shares of the passes in the progress.
constexpr double kCounted = 0.15;
constexpr double kScattered = 0.4;
constexpr double kClustered = 0.9;

// What tells that a file is still the same one.
struct FileStamp {
  std::uint64_t bytes = 0;
  std::uint64_t node = 0;
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

FileStamp stampOf(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return {};
  return {std::uint64_t(found.st_size), found.st_ino, found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
}

// Bytes of a point in memory while its block is clustered: the points of this block and the next
// one, and what DBSCAN needs (backend.h).
std::uint64_t clusteredBytes(std::size_t dims) { return 24 * dims + 96; }
// Bytes of a row while it is counted or scattered: read, and where it goes.
std::uint64_t partBytes(std::size_t dims) { return 12 * dims + 40; }

// What is left of a block after its points.
struct BlockRest {
  std::uint64_t points = 0;  // in its file, halo included
  std::uint64_t own = 0;
  std::uint32_t firstCluster = 0;  // among those of all blocks
  std::uint32_t clusters = 0;
  std::uint64_t links = 0;
  std::uint64_t choices = 0;
};

class Run {
 public:
  Run(const std::string& path, const ReadOptions& read, const DbscanParams& params,
      const Backend& backend, const Backend& joins, const Strategy& strategy,
      const BlockOptions& options, const Task& task)
      : path_(path),
        read_(read),
        params_(params),
        backend_(backend),
        joins_(joins),
        strategy_(strategy),
        options_(options),
        task_(task),
        quiet_{task.stop, {}} {}

  Result<BlockRun> all(OutputSet& outputs, const std::string& labels) {
    withLabels_ = !labels.empty();
    Result<void> done = open();
    if (done) done = count();
    found_.countSeconds = watch_.lap();
    if (done) done = plan();
    if (done) done = scatter();
    found_.scatterSeconds = watch_.lap();
    if (done) done = clusterBlocks();
    found_.clusterSeconds = watch_.lap();
    if (done) done = merge();
    if (done && withLabels_) done = write(outputs, labels);
    found_.mergeSeconds = watch_.lap();
    if (!done) return tl::unexpected(done.error());
    return found_;
  }

 private:
  // Bytes for what the passes need beside the program.
  std::uint64_t budget() const { return options_.memory - kProgramBytes; }
  std::uint64_t mostPoints() const {
    return atMost(std::min<std::uint64_t>(kMaxPoints, budget() * 17 / 20 / clusteredBytes(dims())));
  }
  std::uint64_t atMost(std::uint64_t points) const {
    return options_.mostPoints > 0 ? std::min(points, options_.mostPoints) : points;
  }
  std::size_t dims() const { return names_.size(); }

  void report(double from, double to, std::uint64_t part, std::uint64_t parts) const {
    task_.report("clustering in blocks", from + (to - from) * double(part) / double(parts));
  }

  Result<void> checkUnchanged() const {
    if (stampOf(path_) == stamp_) return {};
    return changed();
  }
  tl::unexpected<Error> changed() const {
    return badInput(path_ + ": has changed while it was read. Run it again when it is complete.");
  }

  // Learns how large the file is, refuses what can be refused now, and cuts space by a sample.
  Result<void> open() {
    stamp_ = stampOf(path_);
    const auto preview = previewFile(path_, read_, 1);
    if (!preview) return tl::unexpected(preview.error());
    const auto first = openFilePart(path_, read_, 0, 1 << 20, quiet_);
    if (!first) return tl::unexpected(first.error());
    if (const std::string obstacle = (*first)->obstacle(); !obstacle.empty())
      return wholeFileError(path_, obstacle);
    names_ = (*first)->names();
    found_.columns.cloud.names = names_;
    // A row of text has two bytes a column at least.
    const std::uint64_t rows =
        preview->rowsExact ? preview->rowEstimate : preview->fileBytes / (2 * dims()) + 1;
    const std::uint64_t ofPart =
        std::max<std::uint64_t>(1, atMost(budget() / 4 / partBytes(dims())));
    parts_ = int(std::min<std::uint64_t>(rows / ofPart + 1, 1 << 20));

    // The answers for one point are those for all where a call is refused.
    PointCloud point{std::vector<std::vector<double>>(dims(), std::vector<double>{0}), names_};
    if (auto fine = backend_.dbscan(point, params_, strategy_, quiet_); !fine)
      return tl::unexpected(fine.error());
    const std::uint64_t likely = std::max<std::uint64_t>(1, preview->rowEstimate);
    const std::uint64_t mostCells = budget() / 8 / kBytesPerCell / kCellsPerBlock;
    cut_ = int(std::clamp<std::uint64_t>(likely * 3 / 2 / mostPoints() + 1, 1,
                                         std::clamp<std::uint64_t>(mostCells, 1, kMostBlocks)));
    auto columns = sample(likely);
    if (!columns) return tl::unexpected(columns.error());
    division_ = cutIntoCells(std::move(*columns), params_.eps, cut_);
    return {};
  }

  // Some rows of pieces all over the file. What cannot be read is reported by the first pass, which
  // knows its row.
  Result<std::vector<std::vector<double>>> sample(std::uint64_t rows) const {
    const std::uint64_t most = std::min(kMostSample, budget() / 8 / (8 * dims()));
    const std::uint64_t wanted = std::min(wantedSample(cut_, dims()), most);
    const std::uint64_t ofPiece = std::max<std::uint64_t>(64, wanted / kSamplePieces);
    const auto pieces = int(std::clamp<std::uint64_t>(rows / ofPiece, kSamplePieces, 1 << 20));
    std::vector<std::vector<double>> columns(dims());
    for (std::int64_t i = 0; i < kSamplePieces; ++i) {
      if (task_.cancelled()) return cancelledError();
      const auto piece = int(i * pieces / kSamplePieces);
      const auto part = openFilePart(path_, read_, piece, pieces, quiet_);
      if (!part || !(*part)->obstacle().empty()) continue;
      auto data = (*part)->read(0, 0, quiet_);
      if (!data) continue;
      if (options_.scaling.kind == Scaling::Kind::Factors && data->cloud.size() > 0) {
        const auto scaling =
            makeScaling(options_.scaling.kind, data->cloud, options_.scaling.factors);
        if (!scaling) return tl::unexpected(scaling.error());
        data->cloud = applyScaling(data->cloud, *scaling);
      }
      for (std::size_t j = 0; j < dims(); ++j)
        columns[j].insert(columns[j].end(), data->cloud.columns[j].begin(),
                          data->cloud.columns[j].end());
    }
    return columns;
  }

  // The first pass: the points of each cell.
  Result<void> count() {
    counts_.assign(division_.cells(), 0);
    PointCloud corners{std::vector<std::vector<double>>(dims()), names_};
    FileInParts file(path_, read_, options_.scaling, parts_, quiet_);
    for (int part = 0;; ++part) {
      report(0, kCounted, std::uint64_t(part), std::uint64_t(parts_));
      if (task_.cancelled()) return cancelledError();
      auto rows = file.next();
      if (!rows) return tl::unexpected(rows.error());
      if (!*rows) break;
      const Dataset& data = (*rows)->data;
      found_.rows += data.inputRows;
      found_.skipped += data.skippedRows.size();
      noteColumns(data);
      if (data.cloud.size() == 0) continue;
      const std::vector<std::uint64_t> some = histogram(division_, data.cloud);
      std::transform(some.begin(), some.end(), counts_.begin(), counts_.begin(), std::plus<>());
      const Bounds bounds = boundsOf(data.cloud);
      for (std::size_t j = 0; j < dims(); ++j) {
        auto& ends = corners.columns[j];
        if (ends.empty()) ends = {bounds.low[j], bounds.high[j]};
        ends = {std::min(ends[0], bounds.low[j]), std::max(ends[1], bounds.high[j])};
      }
    }
    if (auto same = checkUnchanged(); !same) return same;
    if (found_.rows == 0)
      return badInput(path_ +
                      ": there are no data rows. Check that it is the right "
                      "file and was written to the end.");
    found_.plan.points = found_.rows - found_.skipped;
    if (found_.plan.points == 0)
      return badInput(path_ + ": no row is left: each of the " + std::to_string(found_.rows) +
                      " rows has a coordinate that is missing or not finite.");
    auto valid = validate(corners);
    if (!valid) valid.error().message = path_ + ": " + valid.error().message;
    return valid;
  }

  void noteColumns(const Dataset& part) {
    Dataset& columns = found_.columns;
    columns.leftOut = part.leftOut;
    columns.linesBefore = part.linesBefore;
    for (const std::string& name : part.roundedCoordinates)
      if (std::ranges::count(columns.roundedCoordinates, name) == 0)
        columns.roundedCoordinates.push_back(name);
  }

  // Deals the cells to blocks that fit, and says what that takes.
  Result<void> plan() {
    const std::uint64_t most = mostPoints();
    const auto last =
        std::min<std::uint64_t>(kMostBlocks, std::uint64_t{4} * std::uint64_t(cut_) + 8);
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    BlockPlan& plan = found_.plan;
    for (std::uint64_t blocks = plan.points / most + 1; blocks <= last; blocks += blocks / 4 + 1) {
      const std::vector<BlockSize> sizes = divide(division_, counts_, int(blocks));
      plan.largest = 0;
      plan.blocks = 0;
      std::uint64_t halo = 0;
      for (const BlockSize& size : sizes) {
        plan.blocks += size.own > 0;
        plan.largest = std::max(plan.largest, size.own + size.mostHalo);
        halo += size.mostHalo;
      }
      least = std::min(least, plan.largest);
      if (plan.largest > most) continue;
      sizes_ = sizes;
      // Points; for each row its block and its label; links and choices of at most all copies.
      plan.scratchBytes = (plan.points + halo) * blockRecordBytes(dims()) + found_.rows * 6 +
                          2 * halo * sizeof(BlockLink);
      const auto free = freeDiskSpace(options_.scratch);
      if (!free) return tl::unexpected(free.error());
      plan.freeBytes = *free;
      if (plan.scratchBytes > plan.freeBytes)
        return ioError(options_.scratch + ": up to " + memoryText(plan.scratchBytes) +
                       " are needed for scratch files, and " + memoryText(plan.freeBytes) +
                       " are free. Free some space or choose another folder.");
      if (options_.planned) options_.planned(plan);
      return {};
    }
    if (least > kMaxPoints)
      return tooLarge(path_ + ": a block with the points within 2 ε of it would have " +
                      std::to_string(least) + " points. Use a smaller ε.");
    const std::uint64_t needed = kProgramBytes + least * clusteredBytes(dims()) * 20 / 17;
    return tooLarge(path_ + ": a block with the points within 2 ε of it has up to " +
                    std::to_string(least) + " points, for which about " + memoryText(needed) +
                    " of memory are needed. Allow as much, or use a smaller ε.");
  }

  // The second pass: the points of each block, and the block of each row.
  Result<void> scatter() {
    if (auto made = scratch_.make(options_.scratch); !made) return made;
    rest_.resize(sizes_.size());
    BlockWriter writer(scratch_, sizes_.size(), dims(), budget() / 4);
    const Scatter scattered(division_, params_.eps);
    FileInParts file(path_, read_, options_.scaling, parts_, quiet_);
    std::uint64_t id = 0;
    std::uint64_t read = 0;
    for (int part = 0;; ++part) {
      report(kCounted, kScattered, std::uint64_t(part), std::uint64_t(parts_));
      auto rows = file.next();
      if (!rows) return tl::unexpected(rows.error());
      if (!*rows) break;
      const Dataset& data = (*rows)->data;
      const std::vector<BlockEntry> entries = scattered(data.cloud, quiet_);
      if (task_.cancelled()) return cancelledError();
      std::vector<std::uint16_t> owners;
      owners.reserve(data.cloud.size());
      for (const BlockEntry& entry : entries) {
        // A cell that had no points before, or more of them than before.
        if (entry.block >= rest_.size()) return changed();
        if (entry.place != Place::Halo) {
          owners.push_back(entry.block);
          ++rest_[entry.block].own;
        }
        if (auto done = writer.add(data.cloud, entry, id + entry.point); !done) return done;
      }
      id += data.cloud.size();
      read += data.inputRows;
      if (!withLabels_) continue;
      if (auto done = appendOwners(owners, **rows); !done) return done;
    }
    if (auto done = writer.finish(); !done) return done;
    if (auto same = checkUnchanged(); !same) return same;
    if (read != found_.rows || id != found_.plan.points) return changed();
    for (std::size_t b = 0; b < rest_.size(); ++b) {
      rest_[b].points = writer.points(b);
      if (rest_[b].own != sizes_[b].own) return changed();
      found_.halo += rest_[b].points - rest_[b].own;
    }
    division_ = {};
    counts_ = {};
    return {};
  }

  Result<void> appendOwners(const std::vector<std::uint16_t>& ofPoints,
                            const RowsOfFile& rows) const {
    std::vector<std::uint16_t> ofRows(rows.data.inputRows, kSkipped);
    auto skipped = rows.data.skippedRows.begin();
    auto owner = ofPoints.begin();
    for (std::uint64_t row = 0; row < ofRows.size(); ++row) {
      if (skipped != rows.data.skippedRows.end() && *skipped == rows.firstRow + row)
        ++skipped;
      else
        ofRows[row] = *owner++;
    }
    return ScratchFolder::append(scratch_.file("owners"), std::as_bytes(std::span(ofRows)));
  }

  std::string blockPart(const char* name, std::size_t block) const {
    return scratch_.file(name + std::to_string(block));
  }

  // The blocks in turn, of which the next one is read while one is clustered.
  Result<void> clusterBlocks() {
    std::vector<std::size_t> order;
    for (std::size_t b = 0; b < rest_.size(); ++b)
      if (rest_[b].own > 0) order.push_back(b);
    const auto readLater = [&](std::size_t b) {
      return std::async(std::launch::async, [this, b] {
        return readBlock(scratch_, b, rest_[b].points, names_, quiet_);
      });
    };
    std::future<Result<BlockPoints>> reading = readLater(order[0]);
    std::uint64_t done = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      report(kScattered, kClustered, done, found_.plan.points);
      auto points = reading.get();
      if (!points) return tl::unexpected(points.error());
      std::error_code ignored;
      std::filesystem::remove(blockFile(scratch_, order[i]), ignored);
      if (i + 1 < order.size()) reading = readLater(order[i + 1]);
      if (task_.cancelled()) return cancelledError();
      if (auto one = clusterOne(order[i], *points); !one) return one;
      done += rest_[order[i]].own;
      *points = {};
      ::malloc_trim(
          0);  // else the process keeps what a block has used, and the next one adds to it
    }
    return {};
  }

  Result<void> clusterOne(std::size_t b, const BlockPoints& points) {
    auto one = clusterBlock(points, params_, backend_, joins_, strategy_, quiet_);
    if (!one) return tl::unexpected(one.error());
    BlockRest& rest = rest_[b];
    const auto first = merge_.add(one->lowest);
    if (!first) return tl::unexpected(first.error());
    if (merge_.clusters() * ClusterForest::kBytes > budget() / 4)
      return tooLarge(path_ + ": the blocks have more than " + std::to_string(merge_.clusters()) +
                      " clusters, which do not fit into the memory. Allow more, or use a larger ε "
                      "or minPts.");
    rest.firstCluster = *first;
    rest.clusters = std::uint32_t(one->lowest.size());
    rest.links = one->links.size();
    rest.choices = one->choices.size();
    for (BlockLink& link : one->links) link.cluster += *first;
    found_.coreCount += one->coreCount;
    found_.borderCount += one->borderCount;
    found_.noiseCount += one->noiseCount;
    if (rest.points > largestSeen_) {
      largestSeen_ = rest.points;
      found_.stats = RunStats{};
      found_.stats.backend = one->stats.backend;
      found_.stats.threads = one->stats.threads;
      found_.stats.strategy = one->stats.strategy;
      found_.stats.indexedDims = one->stats.indexedDims;
      // That a block has fewer points than minPts means nothing for the whole cloud.
      const auto minPts = std::uint64_t(params_.minPts);
      if (rest.points >= minPts || minPts > found_.plan.points) found_.stats.note = one->stats.note;
    }
    auto done = ScratchFolder::append(blockPart("links-", b), std::as_bytes(std::span(one->links)));
    if (done && withLabels_)
      done = ScratchFolder::append(blockPart("labels-", b), std::as_bytes(std::span(one->labels)));
    if (done && withLabels_)
      done =
          ScratchFolder::append(blockPart("choices-", b), std::as_bytes(std::span(one->choices)));
    return done;
  }

  // Goes through the links of all blocks in the order of their points.
  Result<void> merge() {
    const std::size_t atOnce = valuesAtOnce(sizeof(BlockLink));
    std::vector<ScratchValues<BlockLink>> links;
    using Next = std::pair<BlockLink, std::size_t>;  // with the number of its list
    const auto later = [](const Next& a, const Next& b) { return a.first.id > b.first.id; };
    std::priority_queue<Next, std::vector<Next>, decltype(later)> next(later);
    const auto take = [&](std::size_t list) -> Result<void> {
      if (links[list].atEnd()) return {};
      const auto link = links[list].next();
      if (!link) return tl::unexpected(link.error());
      next.emplace(*link, list);
      return {};
    };
    for (std::size_t b = 0; b < rest_.size(); ++b) {
      links.emplace_back(blockPart("links-", b), rest_[b].links, atOnce);
      if (auto taken = take(b); !taken) return taken;
    }
    for (std::uint64_t i = 0; !next.empty(); ++i) {
      if (i % 65536 == 0 && task_.cancelled()) return cancelledError();
      const auto [link, list] = next.top();
      next.pop();
      merge_.link(link.id, link.cluster);
      if (auto taken = take(list); !taken) return taken;
    }
    auto numbers = merge_.numbers();
    if (!numbers) return tl::unexpected(numbers.error());
    numbers_ = std::move(numbers->numbers);
    found_.clusters = numbers->clusters;
    return {};
  }

  std::size_t valuesAtOnce(std::size_t bytes) const {
    return std::max<std::size_t>(64, budget() / 4 / rest_.size() / bytes);
  }

  // The final labels of a block's own points, in place of those of the block.
  Result<void> relabelBlock(std::size_t b) const {
    const BlockRest& rest = rest_[b];
    std::vector<std::int32_t> labels(rest.own);
    std::vector<BorderChoice> choices(rest.choices);
    const std::string file = blockPart("labels-", b);
    if (auto done = ScratchFolder::read(file, 0, std::as_writable_bytes(std::span(labels))); !done)
      return done;
    if (auto done = ScratchFolder::read(blockPart("choices-", b), 0,
                                        std::as_writable_bytes(std::span(choices)));
        !done)
      return done;
    relabel(labels, choices, std::span(numbers_).subspan(rest.firstCluster, rest.clusters));
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
    return ScratchFolder::append(file, std::as_bytes(std::span(labels)));
  }

  // Labels in the order of the file: the blocks have theirs in this order as well.
  Result<void> write(OutputSet& outputs, const std::string& path) {
    for (std::size_t b = 0; b < rest_.size(); ++b) {
      if (task_.cancelled()) return cancelledError();
      if (rest_[b].own == 0) continue;
      if (auto done = relabelBlock(b); !done) return done;
    }
    return outputs.prepare(path, [&](std::ostream& out) -> Result<void> {
      out << npyHeader("<i4", std::to_string(found_.rows) + ",");
      ScratchValues<std::uint16_t> owners(scratch_.file("owners"), found_.rows, 1 << 16);
      std::vector<ScratchValues<std::int32_t>> labels;
      for (std::size_t b = 0; b < rest_.size(); ++b)
        labels.emplace_back(blockPart("labels-", b), rest_[b].own, valuesAtOnce(4));
      std::vector<std::int32_t> some;
      for (std::uint64_t row = 0; row < found_.rows;) {
        report(kClustered, 1, row, found_.rows);
        if (task_.cancelled()) return cancelledError();
        some.clear();
        for (; row < found_.rows && some.size() < 65536; ++row) {
          const auto owner = owners.next();
          if (!owner) return tl::unexpected(owner.error());
          if (*owner == kSkipped) {
            some.push_back(kSkippedRow);
            continue;
          }
          const auto label = labels[*owner].next();
          if (!label) return tl::unexpected(label.error());
          some.push_back(*label);
        }
        out.write(reinterpret_cast<const char*>(some.data()),
                  std::streamsize(some.size() * sizeof some[0]));
      }
      return {};
    });
  }

  const std::string& path_;
  const ReadOptions& read_;
  const DbscanParams& params_;
  const Backend& backend_;
  const Backend& joins_;  // of two clouds
  const Strategy& strategy_;
  const BlockOptions& options_;
  const Task& task_;
  const Task quiet_;  // without progress, which this class reports
  bool withLabels_ = false;
  Stopwatch watch_;
  FileStamp stamp_;
  std::vector<std::string> names_;
  int parts_ = 1;  // in which the file is read
  int cut_ = 1;    // blocks for which space is cut
  SpaceDivision division_;
  std::vector<std::uint64_t> counts_;
  std::vector<BlockSize> sizes_;
  ScratchFolder scratch_;
  std::vector<BlockRest> rest_;
  BlockMerge merge_;
  std::vector<std::int32_t> numbers_;  // of the clusters of all blocks
  std::uint64_t largestSeen_ = 0;
  BlockRun found_;
};

}  // namespace

Result<BlockRun> clusterInBlocks(const std::string& path, const ReadOptions& read,
                                 const DbscanParams& params, const Backend& backend,
                                 const Strategy& strategy, const BlockOptions& options,
                                 OutputSet& outputs, const std::string& labels, const Task& task) {
  if (options.memory < kLeastBlockMemory)
    return badCall("Blocks need " + memoryText(kLeastBlockMemory) + " of memory at least.");
  if (options.scaling.kind != Scaling::Kind::None && options.scaling.kind != Scaling::Kind::Factors)
    return badCall(
        "Blocks are clustered in the units of the file or multiplied by factors; other "
        "scalings need all points in memory.");
  if (auto fine = epsSquared(params.eps); !fine) return tl::unexpected(fine.error());
  const int threads = options.threads > 0 ? options.threads : tbb::info::default_concurrency();
  // A backend without joins of two clouds leaves them to the CPU.
  const auto cpu = backend.limits().twoClouds ? nullptr : makeCpuBackend(threads);
  tbb::task_arena arena(threads);
  try {
    return arena.execute([&] {
      return Run(path, read, params, backend, cpu ? *cpu : backend, strategy, options, task)
          .all(outputs, labels);
    });
  } catch (const std::bad_alloc&) {
    return tooLarge(path + ": memory ran out while clustering in blocks.");
  } catch (const std::exception& error) {
    return ioError(path + ": cannot be clustered in blocks (" + error.what() + ").");
  }
}

}  // namespace clusterloom
