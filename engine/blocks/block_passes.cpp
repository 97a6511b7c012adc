#include "engine/blocks/block_passes.h"

#include <cmath>
#include <utility>

#include "engine/cloud/coordinate_order.h"
#include "engine/cloud/stratified_sample.h"
#include "engine/core/memory_budget.h"
#include "engine/core/number_text.h"
#include "engine/core/stopwatch.h"
#include "engine/dbscan/weighted_dbscan.h"
#include "engine/io/disk_space.h"
#include "engine/io/read_part.h"
#include "engine/io/scalar.h"
#include "engine/io/write.h"

namespace clusterloom {
namespace {

constexpr std::uint64_t kProgramBytes = std::uint64_t{64} << 20;
constexpr int kMostBlocks = std::numeric_limits<std::uint16_t>::max() - 1;
constexpr int kSamplePieces = 64;
constexpr std::uint64_t kMostSample = std::uint64_t{1} << 18;
constexpr std::uint64_t kCellsPerBlock = 4096;
constexpr std::uint64_t kBytesPerCell = 64;

}  // namespace

BlockPasses::BlockPasses(const BlockFile& cloud, const BlockFile* queries, double eps,
                         const BlockTools& tools, const BlockOptions& options, bool withRows,
                         std::string_view stage, const Task& task)
    : options_(options),
      eps_(eps),
      space_(tools.space),
      withRows_(withRows),
      onGpu_(!tools.backend.devices().empty()),
      method_(tools.strategy.method),
      stage_(stage),
      task_(task),
      quiet_{task.stop, {}} {
  files_.push_back({.file = asBlocksRead(cloud)});
  if (queries != nullptr) files_.push_back({.file = asBlocksRead(*queries)});
}

BlockFile asBlocksRead(BlockFile file) {
  file.read.keepOthers = false;
  file.read.keep.clear();
  if (!file.weights.empty()) file.read.keep = {file.weights};
  return file;
}

std::uint64_t BlockPasses::budget() const { return options_.memory - kProgramBytes; }

// Bytes of a point in memory while its block is worked on: the points of this block and the next
// one, and what DBSCAN needs (backend.h). With weights also the copies of core points and others.
std::uint64_t BlockPasses::heldBytes() const {
  // A GPU leaves these metrics to the CPU where the grid ends.
  const bool byMetric = isTreeMetric(space_.metric()) && (!onGpu_ || dims() > kMaxGridDims);
  const bool tree = method_ == Method::KdTree || byMetric || (!onGpu_ && dims() > 3);
  const std::uint64_t clustered =
      std::max<std::uint64_t>(8 * dims() + 96, tree ? 26 * dims() + 72 : 0);
  return 16 * dims() + clustered + (weighted() ? 8 * dims() + 48 : 0);
}

// Bytes of a row while it is counted or scattered: read, and where it goes, with its images.
std::uint64_t BlockPasses::partBytes() const {
  const std::size_t inFile = files_.front().rows.columns.cloud.names.size();
  const auto copies = std::uint64_t(std::ceil(space_.copies(haloWidth(eps_))));
  return 8 * inFile + copies * (12 * dims() + 52);
}

std::uint64_t BlockPasses::mostPoints() const {
  // An eighth is for the neighbours of weighted points.
  const std::uint64_t bytes = budget() * 17 / 20 - (weighted() ? budget() / 8 : 0);
  return atMost(std::min<std::uint64_t>(kMaxPoints, bytes / heldBytes()));
}

// The inverse of `mostPoints`.
std::uint64_t BlockPasses::memoryFor(std::uint64_t points) const {
  return kProgramBytes + points * heldBytes() * 20 / (weighted() ? 14 : 17);
}

std::size_t BlockPasses::valuesAtOnce(std::size_t bytes) const {
  return std::max<std::size_t>(64, budget() / 4 / blocks_.size() / bytes);
}

void BlockPasses::report(BlockPass pass, std::uint64_t part, std::uint64_t parts) const {
  task_.report(stage_, progress_.at(pass, double(part) / double(parts)));
}

// What the passes go through with so many points in blocks.
BlockVolume BlockPasses::volume(std::uint64_t points, std::uint64_t queries) const {
  BlockVolume volume;
  for (const File& file : files_)
    volume.fileBytes += costOfByte(file.format) * double(file.stamp.bytes);
  const File& last = files_.back();
  volume.blockBytes = double(points * recordOf(files_.front()).bytes());
  volume.queryBytes = double(queries * recordOf(last).bytes());
  if (withRows_) volume.rows = double(last.rows.rows > 0 ? last.rows.rows : last.likely);
  volume.onGpu = onGpu_;
  return volume;
}

tl::unexpected<Error> BlockPasses::changed(const File& file) {
  return badInput(file.file.path +
                  ": has changed while it was read. Run it again when it is complete.");
}

Result<void> BlockPasses::checkUnchanged(const File& file) {
  if (stampOf(file.file.path) == file.stamp) return {};
  return changed(file);
}

void BlockPasses::describe(BlockRun& run) const {
  run.plan = plan_;
  run.readings = readings_;
  run.cloud = files_.front().rows;
  if (files_.size() > 1) run.queries = files_.back().rows;
  for (const BlockContent& block : blocks_) run.halo += block.points - block.own;
  run.countSeconds = countSeconds_;
  run.scatterSeconds = scatterSeconds_;
}

Result<void> BlockPasses::divide(const std::function<Result<void>(const PointCloud&)>& tryCall) {
  Stopwatch watch;
  Result<void> done = open(tryCall);
  if (done) done = count();
  countSeconds_ = watch.lap();
  if (done) done = plan();
  if (done) {
    progress_.expect(BlockPass::Scatter,
                     volume(files_.front().rows.points() + plan_.mostHalo,
                            files_.size() > 1 ? files_.back().rows.points() : 0));
    done = scatter();
  }
  scatterSeconds_ = watch.lap();
  return done;
}

Result<PointCloud> BlockPasses::planBy(const BlockSample& sample) {
  if (auto opened = openFiles([](const PointCloud&) { return Result<void>(); }); !opened)
    return tl::unexpected(opened.error());
  const std::size_t inFile = files_.front().rows.columns.cloud.names.size();
  if (sample.cloud.dims() != inFile)
    return badCall("The sample has " + countedText(sample.cloud.dims(), "dimension") + ", but " +
                   files_.front().file.path + " has " + std::to_string(inFile) + ".");
  auto points = space_.points(sample.cloud, {}, quiet_);
  if (!points) return points;
  const std::uint64_t wanted = std::min<std::uint64_t>(wantedSample(cut_, dims()), kMostSample);
  PointCloud some = pointsOf(*points, stratifiedSample(points->size(), wanted));
  division_ = cutIntoCells(std::move(some.columns), eps_, cut_);
  if (auto done = addCounts(*points); !done) return tl::unexpected(done.error());
  for (auto* counts : {&counts_, &images_})
    for (std::uint64_t& count : *counts) count *= sample.every;
  plan_.points = files_.front().rows.rows = points->size() * sample.every;
  files_.front().single = fitsFloats(*points, sample.weights);
  if (auto done = plan(); !done) return tl::unexpected(done.error());
  return points;
}

// Learns how large a file is, and refuses what can be refused now.
Result<void> BlockPasses::openFile(File& file) {
  const std::string& path = file.file.path;
  file.stamp = stampOf(path);
  const auto preview = previewFile(path, file.file.read, 1);
  if (!preview) return tl::unexpected(preview.error());
  const auto first = openFilePart(path, file.file.read, 0, 1 << 20, quiet_);
  if (!first) return tl::unexpected(first.error());
  if (const std::string obstacle = (*first)->obstacle(); !obstacle.empty())
    return wholeFileError(path, obstacle);
  file.rows.columns.cloud.names = (*first)->names();
  const std::size_t coordinates = (*first)->names().size();
  const std::size_t expected = files_.front().rows.columns.cloud.names.size();
  if (coordinates != expected)
    return badInput(path + " has " + std::to_string(coordinates) + " coordinates, and " +
                    files_.front().file.path + " has " + std::to_string(expected) +
                    ". Name the same number of columns for both.");
  const auto& names = files_.front().rows.columns.cloud.names;
  const bool byNames = options_.space.sphere && options_.geographicByNames;
  if (!byNames && sameInAnotherOrder(names, (*first)->names()))
    return badInput(path + " and " + files_.front().file.path +
                    " have the same coordinates in different orders. Name the columns, so that "
                    "both are read in one order.");
  // A row of text has two bytes a column at least.
  file.most =
      preview->rowsExact ? preview->rowEstimate : preview->fileBytes / (2 * coordinates) + 1;
  file.likely = std::max<std::uint64_t>(1, preview->rowEstimate);
  file.format = preview->format;
  // For the progress of the first pass, which finds out.
  const auto& named = (*first)->names();
  file.single = std::ranges::all_of(preview->columns, [&](const PreviewColumn& column) {
    return column.scalar == Scalar::Float32 || std::ranges::count(named, column.name) == 0;
  });
  // The rows of a part of a text are counted before they are read.
  if ((*first)->text() != nullptr) readings_ = 4;
  return {};
}

Result<void> BlockPasses::openFiles(const std::function<Result<void>(const PointCloud&)>& tryCall) {
  std::uint64_t likely = 0;
  for (File& file : files_) {
    if (auto opened = openFile(file); !opened) return opened;
    likely += file.likely;
  }
  const std::vector<std::string>& names = files_.front().rows.columns.cloud.names;
  PointCloud point{std::vector<Coordinates>(names.size(), {1.0}), names};
  if (auto begun = space_.begin(point); !begun) return begun;
  names_ = point.names;
  // Few enough that they and their copies in halos are counted in 32 bits.
  constexpr std::uint64_t kMostOfPart = std::uint64_t{1} << 26;
  const std::uint64_t ofPart = std::max<std::uint64_t>(
      1, atMost(std::min<std::uint64_t>(kMostOfPart, budget() / 4 / partBytes())));
  for (File& file : files_)
    file.parts = int(std::min<std::uint64_t>(file.most / ofPart + 1, 1 << 20));
  if (auto fine = tryCall(point); !fine) return fine;
  progress_ =
      BlockProgress(volume(files_.front().likely, files_.size() > 1 ? files_.back().likely : 0));
  const std::uint64_t mostCells = budget() / 8 / kBytesPerCell / kCellsPerBlock;
  cut_ = int(std::clamp<std::uint64_t>(likely * 3 / 2 / mostPoints() + 1, 1,
                                       std::clamp<std::uint64_t>(mostCells, 1, kMostBlocks)));
  return {};
}

// Opens the files, and cuts space by a sample.
Result<void> BlockPasses::open(const std::function<Result<void>(const PointCloud&)>& tryCall) {
  if (auto opened = openFiles(tryCall); !opened) return opened;
  std::vector<Coordinates> columns(dims());
  for (const File& file : files_)
    if (auto taken = sample(file, columns); !taken) return taken;
  division_ = cutIntoCells(std::move(columns), eps_, cut_);
  return {};
}

// Some rows of pieces all over the file. What cannot be read is reported by the first pass, which
// knows its row.
Result<void> BlockPasses::sample(const File& file, std::vector<Coordinates>& columns) const {
  const std::uint64_t most = std::min(kMostSample, budget() / 8 / (8 * dims())) / files_.size();
  const std::uint64_t wanted = std::min(wantedSample(cut_, dims()), most);
  const std::uint64_t ofPiece = std::max<std::uint64_t>(64, wanted / kSamplePieces);
  const auto pieces = int(std::clamp<std::uint64_t>(file.likely / ofPiece, kSamplePieces, 1 << 20));
  std::unique_ptr<FilePart> part;
  for (std::int64_t i = 0; i < kSamplePieces; ++i) {
    if (task_.cancelled()) return cancelledError();
    const auto piece = int(i * pieces / kSamplePieces);
    auto opened = openFilePart(file.file.path, file.file.read, piece, pieces, quiet_, part.get());
    if (!opened) continue;
    part = std::move(*opened);
    if (!part->obstacle().empty()) continue;
    auto data = part->read(0, 0, quiet_);
    if (!data) continue;
    if (options_.scaling.kind == Scaling::Kind::Factors && data->cloud.size() > 0) {
      const auto scaling =
          makeScaling(options_.scaling.kind, data->cloud, options_.scaling.factors);
      if (!scaling) return tl::unexpected(scaling.error());
      data->cloud = applyScaling(data->cloud, *scaling);
    }
    const auto points = space_.points(inOrder(std::move(data->cloud)), {}, quiet_);
    if (!points) continue;
    for (std::size_t j = 0; j < dims(); ++j) {
      std::vector<double>& column = columns[j];
      column.insert(column.end(), points->columns[j].begin(), points->columns[j].end());
    }
  }
  return {};
}

// Reads the files, part by part, and checks that they are what they were.
Result<void> BlockPasses::forEachPart(BlockPass pass,
                                      const std::function<Result<void>(File&, RowsOfFile&)>& work) {
  std::uint64_t parts = 0;
  for (const File& file : files_) parts += std::uint64_t(file.parts);
  std::uint64_t before = 0;
  for (File& file : files_) {
    FileInParts reader(file.file.path, file.file.read, options_.scaling, file.parts, quiet_);
    for (;; ++before) {
      report(pass, std::min(before, parts), parts);
      if (task_.cancelled()) return cancelledError();
      auto rows = reader.next();
      if (!rows) return tl::unexpected(rows.error());
      if (!*rows) break;
      auto points = space_.points(inOrder(std::move((*rows)->data.cloud)), rowsOf(**rows), quiet_);
      if (!points) return fail(points.error().kind, file.file.path + ": " + points.error().message);
      (*rows)->data.cloud = std::move(*points);
      if (auto done = work(file, **rows); !done) return done;
    }
    if (auto same = checkUnchanged(file); !same) return same;
  }
  return {};
}

// The coordinates of a part as the space has them.
PointCloud BlockPasses::inOrder(PointCloud cloud) const {
  if (!options_.geographicByNames) return cloud;
  // Without such names it has the order of the file of the queries, as in memory.
  if (geographicNames(cloud) == GeographicNames::None)
    cloud.names = files_.back().rows.columns.cloud.names;
  return inOrderOf(options_.space, std::move(cloud));
}

// The rows of the file that the points of a part are.
RowOfPoint BlockPasses::rowsOf(const RowsOfFile& rows) {
  std::vector<std::uint64_t> skipped = rows.data.skippedRows;  // of the file
  for (std::uint64_t& row : skipped) row -= rows.firstRow;
  return [rowOf = FileRows(std::move(skipped)), first = rows.firstRow](std::size_t point) {
    return first + rowOf(point);
  };
}

// The weights of a part of the cloud; none where there are none.
Result<std::vector<double>> BlockPasses::weightsOf(const RowsOfFile& rows) const {
  const BlockFile& file = files_.front().file;
  const auto column = weightColumn(rows.data, file.weights);
  if (!column) return fail(column.error().kind, file.path + ": " + column.error().message);
  const auto weights = doublesOf(nullptr, **column);
  if (auto fine = checkWeights(*weights, rows.data.cloud.size(), rowsOf(rows)); !fine)
    return badInput(file.path + ": " + fine.error().message);
  return *weights;
}

// Counts the points of each cell, and their images.
Result<void> BlockPasses::addCounts(const PointCloud& points) {
  const auto add = [&](std::vector<std::uint64_t>& to, const PointCloud& some) {
    const std::vector<std::uint64_t> counts = histogram(division_, some);
    to.resize(counts.size());
    std::transform(counts.begin(), counts.end(), to.begin(), to.begin(), std::plus<>());
  };
  add(counts_, points);
  if (!space_.isPeriodic()) return {};
  auto all = space_.images(points, haloWidth(eps_), quiet_);
  if (!all) return tl::unexpected(all.error());
  for (Coordinates& column : all->cloud.columns)
    column = Coordinates(column.begin() + points.size(), column.end());
  add(images_, all->cloud);
  return {};
}

// Whether floats hold all that is written of these points. Images may have any coordinate.
bool BlockPasses::fitsFloats(const PointCloud& points, std::span<const double> weights) const {
  return !space_.isPeriodic() && std::ranges::all_of(points.columns, floatsHold) &&
         std::ranges::all_of(weights, storesExactly<float>);
}

// The first pass: the points of each cell.
Result<void> BlockPasses::count() {
  for (File& file : files_) file.single = true;
  std::vector<PointCloud> corners(files_.size(), {std::vector<Coordinates>(dims()), names_});
  auto done = forEachPart(BlockPass::Count, [&](File& file, RowsOfFile& rows) -> Result<void> {
    const Dataset& data = rows.data;
    file.rows.rows += data.inputRows;
    file.rows.skipped += data.skippedRows.size();
    Dataset& columns = file.rows.columns;
    columns.leftOut = data.leftOut;
    columns.linesBefore = data.linesBefore;
    columns.remarks = data.remarks;
    for (const std::string& name : data.roundedCoordinates)
      if (std::ranges::count(columns.roundedCoordinates, name) == 0)
        columns.roundedCoordinates.push_back(name);
    if (data.cloud.size() == 0) return {};
    std::vector<double> weights;
    if (!file.file.weights.empty()) {
      auto found = weightsOf(rows);
      if (!found) return tl::unexpected(found.error());
      weights = std::move(*found);
    }
    file.single = file.single && fitsFloats(data.cloud, weights);
    if (auto counted = addCounts(data.cloud); !counted) return counted;
    const Bounds bounds = boundsOf(data.cloud);
    for (std::size_t j = 0; j < dims(); ++j) {
      auto& ends = corners[std::size_t(&file - files_.data())].columns[j];
      if (ends.empty()) ends = {bounds.low[j], bounds.high[j]};
      ends = {std::min(ends[0], bounds.low[j]), std::max(ends[1], bounds.high[j])};
    }
    return {};
  });
  if (!done) return done;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const File& file = files_[i];
    const std::string& path = file.file.path;
    if (file.rows.rows == 0)
      return badInput(path +
                      ": there are no data rows. Check that it is the right "
                      "file and was written to the end.");
    if (file.rows.points() == 0)
      return badInput(path + ": no row is left: each of the " + std::to_string(file.rows.rows) +
                      " rows has a coordinate that is missing or not finite.");
    if (auto valid = validate(corners[i]); !valid)
      return fail(valid.error().kind, path + ": " + valid.error().message);
    plan_.points += file.rows.points();
  }
  return {};
}

// Deals the cells to blocks that fit, and says what that takes.
Result<void> BlockPasses::plan() {
  const std::uint64_t most = mostPoints();
  const std::uint64_t fewest = plan_.points / most + 1;
  const auto last = std::min<std::uint64_t>(
      kMostBlocks, 4 * std::max<std::uint64_t>(std::uint64_t(cut_), fewest) + 8);
  if (fewest > last)
    return tooLarge(files_.front().file.path + ": has too many points for " +
                    memoryText(options_.memory) + " of memory. Allow more.");
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (std::uint64_t blocks = fewest; blocks <= last; blocks += blocks / 4 + 1) {
    const std::vector<BlockSize> sizes =
        clusterloom::divide(division_, counts_, int(blocks), images_);
    plan_.largest = 0;
    plan_.blocks = 0;
    std::uint64_t halo = 0;
    for (const BlockSize& size : sizes) {
      plan_.blocks += size.own > 0;
      plan_.largest = std::max(plan_.largest, size.own + size.mostHalo);
      halo += size.mostHalo;
    }
    least = std::min(least, plan_.largest);
    if (plan_.largest > most) continue;
    sizes_ = sizes;
    plan_.mostHalo = halo;
    plan_.memory = memoryFor(plan_.largest);
    // Points, of which a label is kept while their files are; for each row its block and its
    // result; links and choices of at most all copies.
    const std::uint64_t ofPoint =
        recordOf(files_.front()).bytes() + (files_.size() > 1 ? sizeof(std::int32_t) : 0);
    plan_.scratchBytes = (plan_.points + halo) * ofPoint + files_.back().rows.rows * 6 +
                         2 * halo * sizeof(BlockLink);
    const auto disk = diskSpaceOf(options_.scratch);
    if (!disk) return tl::unexpected(disk.error());
    plan_.freeBytes = disk->free;
    if (plan_.scratchBytes > plan_.freeBytes)
      return ioError(options_.scratch + ": up to " + memoryText(plan_.scratchBytes) +
                     " are needed for scratch files, and " + memoryText(plan_.freeBytes) +
                     " are free. Free some space or choose another folder.");
    if (options_.planned) options_.planned(plan_);
    return {};
  }
  const std::string block = files_.front().file.path +
                            ": one block, together with the points around it, has up to " +
                            countedText(least, "point");
  if (least > kMaxPoints) return tooLarge(block + ". Use a smaller ε.");
  return tooLarge(block + ", for which about " + memoryText(memoryFor(least)) +
                  " of memory are needed. Allow as much, or use a smaller ε.");
}

// The second pass: the points of each block, and the block of each row.
Result<void> BlockPasses::scatter() {
  if (auto made = scratch_.make(options_.scratch); !made) return made;
  blocks_.resize(sizes_.size());
  // Not more than all records take: the system may refuse what is beyond its memory.
  const std::uint64_t records = plan_.points + plan_.mostHalo + files_.back().rows.rows;
  const std::size_t bufferBytes = std::min<std::uint64_t>(
      budget() / 4 / files_.size(), records * recordOf(files_.front()).bytes());
  BlockWriter cloud(scratch_.file(kCloudFile), sizes_.size(), recordOf(files_.front()),
                    bufferBytes);
  BlockWriter queries(scratch_.file(kQueryFile), files_.size() > 1 ? sizes_.size() : 0,
                      recordOf(files_.back()), bufferBytes);
  const Scatter scattered(division_, eps_, space_.metric());
  std::vector<std::uint64_t> ids(files_.size(), 0);
  std::vector<std::uint64_t> read(files_.size(), 0);
  auto done = forEachPart(BlockPass::Scatter, [&](File& file, RowsOfFile& rows) -> Result<void> {
    const bool isCloud = &file == &files_.front();
    const std::size_t size = rows.data.cloud.size();
    std::vector<double> weights;
    if (!file.file.weights.empty() && size > 0) {
      auto found = weightsOf(rows);
      if (!found) return tl::unexpected(found.error());
      weights = std::move(*found);
    }
    if (file.single && !fitsFloats(rows.data.cloud, weights)) return changed(file);
    // Queries find the images, and need none.
    CloudWithImages data{std::move(rows.data.cloud), {}};
    if (isCloud) {
      auto all = space_.images(std::move(data.cloud), haloWidth(eps_), quiet_);
      if (!all) return tl::unexpected(all.error());
      data = std::move(*all);
    }
    std::vector<BlockEntry> entries = scattered(data, quiet_);
    if (task_.cancelled()) return cancelledError();
    if (!weights.empty()) {
      for (const std::uint32_t p : data.originals) weights.push_back(weights[p]);
      data.cloud.columns.push_back(std::move(weights));
    }
    std::vector<std::uint16_t> owners;
    owners.reserve(size);
    std::uint64_t& id = ids[std::size_t(&file - files_.data())];
    for (const BlockEntry& entry : entries) {
      // A cell that had no points before, or more of them than before.
      if (entry.block >= blocks_.size()) return changed(file);
      BlockContent& block = blocks_[entry.block];
      if (entry.place == Place::Halo) continue;
      owners.push_back(entry.block);
      ++(isCloud ? block.own : block.queries);
    }
    if (!isCloud)
      std::erase_if(entries, [](const BlockEntry& entry) { return entry.place == Place::Halo; });
    if (auto added = (isCloud ? cloud : queries).add(data, entries, id); !added) return added;
    id += size;
    read[std::size_t(&file - files_.data())] += rows.data.inputRows;
    return withRows_ && &file == &files_.back() ? appendOwners(owners, rows) : Result<void>();
  });
  if (done) done = cloud.finish();
  if (done) done = queries.finish();
  if (!done) return done;
  for (std::size_t i = 0; i < files_.size(); ++i)
    if (read[i] != files_[i].rows.rows || ids[i] != files_[i].rows.points())
      return changed(files_[i]);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    blocks_[b].points = cloud.points(b);
    if (blocks_[b].own + blocks_[b].queries != sizes_[b].own) return changed(files_.back());
  }
  division_ = {};
  counts_ = images_ = {};
  return {};
}

Result<void> BlockPasses::appendOwners(const std::vector<std::uint16_t>& ofPoints,
                                       const RowsOfFile& rows) const {
  const auto ofRows = perInputRow(rows.data, ofPoints, kSkipped, rows.firstRow);
  return ScratchFolder::append(scratch_.file("owners"), std::as_bytes(std::span(ofRows)));
}

}  // namespace clusterloom
