#include "ui/session/file_levels.h"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <ios>
#include <limits>
#include <sstream>
#include <tuple>
#include <unordered_map>

#include "engine/blocks/scratch_folder.h"
#include "engine/cloud/file_rows.h"
#include "engine/core/memory_budget.h"
#include "engine/io/file_stamp.h"
#include "engine/io/hasher.h"
#include "engine/io/read_part.h"
#include "render/scene/store_points.h"
#include "render/scene/tree_points.h"
#include "ui/jobs/job_queue.h"
#include "ui/session/cluster_run.h"
#include "ui/session/file_colours.h"
#include "ui/session/results.h"
#include "ui/session/session_data.h"

namespace clusterloom {
namespace {

constexpr const char* kEnding = ".points";
constexpr std::uint64_t kMostValueMemory = std::uint64_t{512} << 20;

/// Everything on which the file of stored points depends, as a name.
Result<std::string> nameOf(const StoreOrder& order) {
  const auto identity = identityOf(order.path);
  if (!identity) return tl::unexpected(identity.error());
  std::ostringstream text;
  text << *identity << ' ' << StoredHeader::kVersion << std::hexfloat;
  const TextOptions& how = order.read.text;
  text << '\n'
       << int(how.delimiter) << ' ' << int(how.header) << ' ' << int(how.decimalSign) << ' '
       << int(how.comment) << ' ' << how.skipLines << ' ' << int(how.thousands);
  text << '\n' << order.read.dataset;
  for (const std::string& column : order.read.coordinates) text << '\n' << column;
  for (const auto* figures : {&order.scaling.offset, &order.scaling.factor}) {
    text << '\n';
    for (const double figure : *figures) text << ' ' << figure;
  }
  const DisplaySpace& space = order.sample->space;
  text << '\n' << space.axes << ' ' << int(space.kind);
  for (std::size_t a = 0; a < std::size_t(space.axes); ++a) {
    text << ' ' << space.dims[a] << ' ' << space.shift[a] << ' ' << space.scale[a];
    for (const double weight : space.direction[a]) text << ' ' << weight;
  }
  for (const double middle : space.centre) text << ' ' << middle;
  const std::string all = text.str();
  Hasher hasher;
  hasher.add(all.data(), all.size());
  const std::string hash = hasher.text();
  return hash.substr(hash.find(':') + 1);
}

/// Whether some of the rows that were read lie where they are stored: the file may have changed
/// since it was opened.
Result<bool> areRowsOf(const Dataset& read, const DisplayPoints& sample,
                       const StoredPoints& stored) {
  const auto block = stored.read(0);
  if (!block) return tl::unexpected(block.error());
  std::unordered_map<std::uint64_t, const float*> places;
  for (std::size_t i = 0; i < block->rows.size(); ++i)
    if (block->rows[i] % read.every == 0) places.emplace(block->rows[i], block->xyz.data() + 3 * i);
  const FileRows rowOf(read);
  std::size_t found = 0;
  for (std::size_t drawn = 0; drawn < sample.size() && !places.empty(); ++drawn) {
    const auto place = places.find(rowOf(sample.order[drawn]));
    if (place == places.end()) continue;
    if (!std::equal(place->second, place->second + 3, sample.xyz.data() + 3 * drawn)) return false;
    ++found;
  }
  return found == places.size();
}

/// The file's own tree, what is there already, or what is made now; null for a file that cannot be
/// read in parts. `stamp` is that of the file when `opened` was read of it; all 0: not known.
Result<std::shared_ptr<const StoredPoints>> storedOf(const StoreOrder& order, const Dataset& opened,
                                                     const FileStamp& stamp, const FileCache& cache,
                                                     const Task& task) {
  if (stamp != FileStamp() && stampOf(order.path) != stamp) return hasChangedError(order.path);
  if (auto can = checkStoreOrder(order); !can) return tl::unexpected(can.error());
  auto own = openTreePoints(order, task);
  if (!own) return own;
  if (*own) {
    const auto same = areRowsOf(opened, *order.sample, **own);
    if (!same) return tl::unexpected(same.error());
    return *same ? own : hasChangedError(order.path);
  }
  const auto name = nameOf(order);
  if (!name) return tl::unexpected(name.error());
  const std::string path = cache.fileOf(*name);
  if (cache.use(*name)) {
    if (auto stored = StoredPoints::open(path);
        stored && areRowsOf(opened, *order.sample, **stored).value_or(false))
      return *stored;
    // Damaged: it is removed and stored again.
    if (auto done = cache.remove(*name); !done) return tl::unexpected(done.error());
  }
  ReadOptions read = order.read;
  read.every = 1;
  const auto part = openFilePart(order.path, read, 0, 1 << 20, Task{task.stop, {}});
  if (!part) return tl::unexpected(part.error());
  if (!(*part)->obstacle().empty()) return nullptr;
  if (auto room = cache.makeRoom(storedBytes(order.sample->space.axes, order.likelyRows)); !room)
    return tl::unexpected(room.error());
  if (auto done = storePoints(order, path, cache.folder(), task); !done)
    return tl::unexpected(done.error());
  auto stored = StoredPoints::open(path);
  if (!stored) return stored;
  const auto same = areRowsOf(opened, *order.sample, **stored);
  if (same && *same) return stored;
  if (auto done = cache.remove(*name); !done) return tl::unexpected(done.error());
  if (!same) return tl::unexpected(same.error());
  return hasChangedError(order.path);
}

bool sameUnits(const Scaling& a, const Scaling& b) {
  return std::tie(a.kind, a.offset, a.factor) == std::tie(b.kind, b.offset, b.factor);
}

/// All rows that were read, in this space.
Result<std::shared_ptr<const DisplayPoints>> placedIn(const DisplaySpace& space,
                                                      const Dataset& whole, const Scaling& scaling,
                                                      const Task& task) {
  auto points = scaling.kind == Scaling::Kind::None
                    ? makeDisplayPoints(whole.cloud, space, task)
                    : makeDisplayPoints(applyScaling(whole.cloud, scaling), space, task);
  if (!points) return tl::unexpected(points.error());
  return std::make_shared<const DisplayPoints>(std::move(*points));
}

}  // namespace

FileLevels::FileLevels(const SessionData& data, const ClusterRun& run, const Parameters& parameters,
                       JobQueue& jobs, QObject* parent)
    : QObject(parent),
      data_(data),
      run_(run),
      parameters_(parameters),
      jobs_(jobs),
      labels_(
          jobs, JobKind::FileLabels, [this] { Q_EMIT changed(); },
          [this](const Error& error) {
            // Labels may be of the open rows alone, or in another format.
            if (error.kind != ErrorKind::BadInput)
              jobs_.report(JobKind::FileLabels, error, labels_.asked()->second->labelsFile);
            Q_EMIT changed();
          },
          [this] { Q_EMIT changed(); }),
      values_(
          jobs, JobKind::FileValues, [this] { Q_EMIT changed(); },
          [this](const Error& error) {
            // The values of the open rows may be of no column of the file.
            if (error.kind != ErrorKind::BadCall)
              jobs_.report(JobKind::FileValues, error, data_.source().path);
          }) {
  connect(&data_, &SessionData::dataAboutToChange, this, [this] {
    sample_.reset();
    coloured_.reset();
    isRefused_ = false;
    drop();
  });
  connect(&run_, &ClusterRun::resultChanged, this, &FileLevels::updateLabels);
}

FileCache FileLevels::cache() const { return {folder_.toStdString(), kEnding, limit_}; }

void FileLevels::setPlace(const QString& folder, std::uint64_t limit) {
  const bool isLess = folder == folder_ && limit < limit_;
  // Storing goes on where it is still within the limit.
  const bool goesOn = folder == folder_ && jobs_.isActive(JobKind::FileLevels) && asked_ &&
                      storedBytes(asked_->space.axes, likelyRows()) <= limit;
  folder_ = folder;
  limit_ = limit;
  if (isLess) trim();
  if (!stored_ && !goesOn) asked_.reset();
  isRefused_ = false;
  update();
}

void FileLevels::trim() {
  remove([](const FileCache& cache) { return cache.makeRoom(0); });
}

void FileLevels::setEnabled(bool enabled) {
  if (enabled == enabled_) return;
  enabled_ = enabled;
  isRefused_ = false;
  update();
}

std::uint64_t FileLevels::bytesKept() const { return cache().bytes(); }

void FileLevels::clear() {
  remove([](const FileCache& cache) {
    // Making one removes those of processes that were killed.
    ScratchFolder scratch;
    if (std::filesystem::exists(cache.folder()))
      if (auto made = scratch.make(cache.folder()); !made) return made;
    return cache.clear();
  });
}

void FileLevels::remove(std::function<Result<void>(const FileCache&)> what) {
  jobs_.start<void>(
      JobKind::ClearLevels, {},
      [what = std::move(what), cache = cache()](const Task&) { return what(cache); },
      [this](const Result<void>& done) {
        if (!done) jobs_.report(JobKind::ClearLevels, done.error());
        Q_EMIT cleared();
      });
}

// Of one or two axes, or of columns beside the coordinates, only the rows that were read are drawn.
bool FileLevels::canBeStored() const {
  const auto whole = data_.whole();
  return enabled_ && !folder_.isEmpty() && sample_ && whole && !isRefused_ && whole->every > 1 &&
         !data_.source().path.isEmpty() && !data_.space().sphere && sample_->space.axes > 1 &&
         sample_->space.kind != ViewAxes::Kind::Columns;
}

void FileLevels::follow(std::shared_ptr<const DisplayPoints> sample) {
  if (sample == sample_) return;
  sample_ = std::move(sample);
  update();
}

void FileLevels::noteUnread(const Error& error) {
  if (unread_ == stored_) return;
  unread_ = stored_;
  jobs_.warn(tr("Not all rows are drawn, because some could not be read: %1")
                 .arg(QString::fromStdString(error.message)));
}

void FileLevels::drop() {
  jobs_.cancel(JobKind::FileLevels);
  asked_.reset();
  unread_.reset();
  const bool had = std::exchange(stored_, nullptr) != nullptr;
  labels_.drop();
  values_.drop();
  if (had) Q_EMIT changed();
}

void FileLevels::update() {
  if (!canBeStored()) return drop();
  if (data_.kept() && !data_.keptRows()) {
    // Where they are not drawn in any case, nothing is lost.
    const bool areLost = stored_ || jobs_.isActive(JobKind::FileLevels);
    drop();
    if (areLost) warnOfPart();
    return;
  }
  // Other points may take part by now: all rows are stored in any case.
  if (asked_ && samePlaces(asked_->space, sample_->space) &&
      sameUnits(askedScaling_, data_.scaling())) {
    // Those before are not needed any more, but by a job that is to end for them.
    if (!jobs_.isActive(JobKind::FileLevels)) asked_ = sample_;
    return;
  }
  drop();
  start();
}

/// Says it once that the rows that are not open are not drawn any more.
void FileLevels::warnOfPart() {
  if (warnedOf_ == data_.kept()) return;
  warnedOf_ = data_.kept();
  jobs_.warn(tr("Only the open rows of %1 are left: which of its other rows take part is not "
                "known. Undo, or Selection ▸ Restore removed points, shows all rows again.")
                 .arg(data_.dataName()));
}

std::uint64_t FileLevels::likelyRows() const {
  return data_.whole() ? data_.whole()->inputRows * data_.whole()->every : 0;
}

void FileLevels::start() {
  asked_ = sample_;
  askedScaling_ = data_.scaling();
  StoreOrder order;
  order.path = data_.source().path.toStdString();
  order.read = data_.readOptions();
  order.scaling = data_.scaling();
  order.sample = sample_;
  order.likelyRows = likelyRows();
  const std::uint64_t bytes = storedBytes(sample_->space.axes, order.likelyRows);
  // A tree of its own takes nothing.
  if (bytes > limit_ && data_.whole()->source.format != toText(Format::Copc))
    return jobs_.warn(tr("Only the open rows are drawn. All rows would take %1 on the disk, and "
                         "%2 may be used: View ▸ All rows of large files… changes that.")
                          .arg(QString::fromStdString(memoryText(bytes)),
                               QString::fromStdString(memoryText(limit_))));
  order.memory = std::clamp(availableMemory() / 4, kLeastStoreMemory, order.memory);
  jobs_.start<std::shared_ptr<const StoredPoints>>(
      JobKind::FileLevels, tr("Storing all rows of %1 for drawing").arg(data_.dataName()),
      [order, cache = cache(), whole = data_.whole(), stamp = data_.source().stamp,
       isPart = bool(data_.kept())](const Job& job) -> Result<std::shared_ptr<const StoredPoints>> {
        StoreOrder patient = order;
        patient.pause = [&job] { job.giveWay(); };
        if (isPart) {
          // Where some of the points are says nothing of where all rows are.
          auto all = placedIn(order.sample->space, *whole, order.scaling, job.task());
          if (!all) return tl::unexpected(all.error());
          patient.sample = std::move(*all);
        }
        return storedOf(patient, *whole, stamp, cache, job.task());
      },
      [this, path = data_.source().path, limit = limit_,
       asked = asked_](Result<std::shared_ptr<const StoredPoints>> stored) {
        if (asked != asked_) return;
        asked_ = sample_;  // other points may take part by now
        if (!stored) {
          // On other axes there are as many rows.
          isRefused_ = stored.error().kind == ErrorKind::TooLarge;
          return reportStoring(stored.error(), path);
        }
        if (limit_ < limit) trim();
        stored_ = std::move(*stored);
        updateLabels();
        updateValues();
        Q_EMIT changed();
      });
}

void FileLevels::reportStoring(Error error, const QString& path) {
  // The user did not start this job: the message says its purpose.
  if (error.kind == ErrorKind::Io || error.kind == ErrorKind::TooLarge)
    error.message = tr("Only the open rows are drawn. %1")
                        .arg(QString::fromStdString(error.message))
                        .toStdString();
  jobs_.report(JobKind::FileLevels, error, path);
}

void FileLevels::updateLabels() {
  const auto result = run_.result();
  if (!stored_ || !result || result->labelsFile.isEmpty()) return labels_.drop();
  labels_.replace(
      {stored_, result}, tr("Sorting the labels of all rows for drawing"),
      [stored = stored_, labels = result->labelsFile.toStdString(), folder = folder_.toStdString(),
       memory = std::max(availableMemory() / 4, kLeastStoreMemory)](const Job& job) {
        return StoredLabels::make(stored, labels, folder, memory, job.task(),
                                  [&job] { job.giveWay(); });
      });
}

void FileLevels::followValues(std::shared_ptr<const ColourValues> values) {
  if (values == coloured_) return;
  coloured_ = std::move(values);
  updateValues();
}

// Where an axis shows the dimension, places tell the values.
void FileLevels::updateValues() {
  if (!stored_ || !coloured_ || coloured_->columns.empty()) return values_.drop();
  const DisplaySpace& space = sample_->space;
  if (coloured_->by == ColourBy::Dimension && space.kind == ViewAxes::Kind::Dimensions)
    for (int a = 0; a < space.axes; ++a)
      if (data_.whole()->cloud.names[std::size_t(space.dims[std::size_t(a)])] ==
          coloured_->columns.front())
        return values_.drop();
  values_.replace(
      {stored_, coloured_}, tr("Reading the colours of all rows for drawing"),
      [stored = stored_, open = coloured_, path = data_.source().path.toStdString(),
       read = data_.readOptions(), rows = likelyRows(), folder = folder_.toStdString(),
       stamp = data_.source().stamp,
       memory =
           std::clamp(availableMemory() / 4, kLeastStoreMemory, kMostValueMemory)](const Job& job) {
        const auto pause = [&job] { job.giveWay(); };
        FileColours colours(path, stamp, read, *open, rows, memory, job.task(), pause);
        return RowValues::make(
            stored, rows,
            [&](std::uint64_t, std::span<std::uint32_t> some) { return colours.next(some); },
            std::bit_cast<std::uint32_t>(std::numeric_limits<float>::quiet_NaN()), folder, memory,
            job.task(), pause);
      });
}

}  // namespace clusterloom
