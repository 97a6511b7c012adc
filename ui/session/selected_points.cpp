#include "ui/session/selected_points.h"

#include <algorithm>
#include <limits>
#include <map>

#include "engine/cloud/dataset.h"
#include "engine/cloud/file_rows.h"
#include "ui/session/cluster_run.h"
#include "ui/session/file_levels.h"
#include "ui/session/file_row.h"
#include "ui/session/refinement.h"
#include "ui/session/session_data.h"
#include "ui/session/subset.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {
/// Points between two checks of the stop token.
constexpr std::size_t kStride = 1 << 16;
}  // namespace

Result<SelectionSummary> summaryOf(const Dataset& dataset, std::span<const std::int32_t> labels,
                                   const PointSet& points, const Task& task) {
  SelectionSummary summary;
  summary.points = points;
  const std::size_t dims = dataset.cloud.dims();
  for (std::size_t j = 0; j < dims; ++j) {
    const auto column = dataset.cloud.column(j);
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const std::uint32_t point : *points) {
      low = std::min(low, column[point]);
      high = std::max(high, column[point]);
    }
    summary.low.push_back(low);
    summary.high.push_back(high);
    if (task.cancelled()) return cancelledError();
  }
  if (labels.size() != dataset.cloud.size()) return summary;
  std::map<std::int32_t, std::uint64_t> counts;
  for (std::size_t i = 0; i < points->size(); ++i) {
    if (i % kStride == 0 && task.cancelled()) return cancelledError();
    ++counts[labels[(*points)[i]]];
  }
  for (const auto& [label, number] : counts) {
    if (label == kNoise)
      summary.noise = number;
    else
      summary.clusters.emplace_back(label, number);
  }
  return summary;
}

SelectedPoints::SelectedPoints(const SessionData& data, ClusterRun& run, const FileLevels& levels,
                               SessionValues values, JobQueue& jobs, QObject* parent)
    : QObject(parent),
      data_(data),
      run_(run),
      levels_(levels),
      values_(values),
      jobs_(jobs),
      clusterRows_(
          jobs, JobKind::FileSelection,
          [this] {
            followRows();
            Q_EMIT summaryChanged();
          },
          {}, [this] { Q_EMIT summaryChanged(); }) {
  connect(&data_, &SessionData::cloudChanged, this, &SelectedPoints::forgetTrial);
  connect(&data_, &SessionData::dataAboutToChange, this, &SelectedPoints::forgetRows);
  connect(&run_, &ClusterRun::resultChanged, this, &SelectedPoints::updateSummary);
  connect(&levels_, &FileLevels::changed, this, &SelectedPoints::updateSummary);
}

bool SelectedPoints::isAny() const {
  return values_.selection.points || !values_.selection.clusters.empty();
}

bool SelectedPoints::isAnything() const { return isAny() || values_.selection.rows; }

FileRowSelection SelectedPoints::rows() const {
  if (values_.selection.rows || values_.selection.clusters.empty()) return values_.selection.rows;
  static const auto kSought = std::make_shared<const FileRowSet>();
  return clusterRows_.isRunning() ? kSought : clusterRows_.get();
}

SelectionBox SelectedPoints::box() const {
  SelectionBox box;
  if (summary()) box = *summary();
  const auto dataset = data_.dataset();
  if (!rowsBox() || !dataset) return box;
  const DisplaySpace& space = levels_.space();
  const std::size_t dims = dataset->cloud.dims();
  if (space.kind != ViewAxes::Kind::Dimensions || std::size_t(space.axes) != dims) return box;
  box.low.resize(dims);
  box.high.resize(dims);
  for (int axis = 0; axis < space.axes; ++axis) {
    const auto a = std::size_t(axis);
    const auto j = std::size_t(space.dims[a]);
    const auto valueOf = [&](double place) {
      return fileValueOf(space, axis, place, levels_.scaling());
    };
    // Factors below 0 turn an axis round.
    std::tie(box.low[j], box.high[j]) =
        std::minmax({valueOf(rowsBox()->low[a]), valueOf(rowsBox()->high[a])});
  }
  return box;
}

SelectedPoints::Find SelectedPoints::finder() const {
  const Selection& selection = values_.selection;
  if (selection.points)
    return [points = selection.points](const Task&) -> Result<std::vector<std::uint32_t>> {
      return *points;
    };
  return [clusters = selection.clusters,
          result = run_.result()](const Task& task) -> Result<std::vector<std::uint32_t>> {
    std::vector<std::uint32_t> found;
    if (!result) return found;
    const std::vector<std::int32_t>& labels = result->clustering.labels;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (i % kStride == 0 && task.cancelled()) return cancelledError();
      if (clusters.contains(labels[i])) found.push_back(static_cast<std::uint32_t>(i));
    }
    return found;
  };
}

/// Finds the selected rows of the file again, also while none are stored for drawing; empty where
/// only the open ones are known: of points that no outline selected, and of clusters while there
/// are no labels of all rows.
SelectedPoints::FindRows SelectedPoints::rowFinder() const {
  if (!isAnything()) {
    if (!levels_.stored()) return {};
    return [](const Task&) { return Result<FileRowSet>(FileRowSet()); };
  }
  if (values_.selection.rows && values_.selection.rows == sought_) return search_;
  if (const auto known = rows(); known && known->isComplete)
    return [known](const Task&) { return Result<FileRowSet>(*known); };
  return clusterFinder();
}

/// Finds the rows of the selected clusters; empty without any, and while all rows have no labels.
SelectedPoints::FindRows SelectedPoints::clusterFinder() const {
  const auto& clusters = values_.selection.clusters;
  const auto stored = levels_.stored();
  const auto labels = levels_.labels();
  if (clusters.empty() || !stored || !labels) return {};
  return [stored, labels, clusters, within = data_.keptRows()](const Task& task) {
    return rowsOfClusters(*stored, *labels, clusters, within, task);
  };
}

/// Finds those that are not selected; empty where these are not known.
SelectedPoints::FindRows SelectedPoints::otherRows() const {
  const FindRows chosen = rowFinder();
  if (!chosen || (!data_.keptRows() && !levels_.stored())) return {};
  return [chosen, stored = levels_.stored(),
          kept = data_.keptRows()](const Task& task) -> Result<FileRowSet> {
    auto all = kept ? Result<FileRowSet>(*kept) : allRows(*stored, task);
    if (!all) return all;
    const auto rows = chosen(task);
    if (!rows) return tl::unexpected(rows.error());
    all->remove(*rows);
    return all;
  };
}

/// How many rows can be drawn and take part; 0 where that is not known.
std::uint64_t SelectedPoints::rowsThere() const {
  if (const auto& kept = data_.keptRows()) return kept->count;
  const auto stored = levels_.stored();
  return stored ? stored->size() : 0;
}

void SelectedPoints::choose(Find find, bool add, FindInFile inFile) {
  add = add && isAnything();
  FindRows rows;
  if (const FindRows before = rowFinder(); inFile && (before || !add))
    rows = [before = add ? before : FindRows(),
            inFile = std::move(inFile)](const Task& task) -> Result<FileRowSet> {
      auto found = before ? before(task) : FileRowSet();
      if (!found) return found;
      const auto take = [&](std::uint32_t row) { found->add(row); };
      if (auto done = inFile(take, task); !done) return tl::unexpected(done.error());
      return found;
    };
  if (add)
    find = [find = std::move(find),
            before = finder()](const Task& task) -> Result<std::vector<std::uint32_t>> {
      auto found = find(task);
      if (!found) return found;
      const auto already = before(task);
      if (!already) return tl::unexpected(already.error());
      return unionOf(*already, *found);
    };
  select(std::move(find), std::move(rows));
}

void SelectedPoints::select(Find find, FindRows rows) {
  const auto cloud = data_.cloud();
  if (!cloud) return;
  using Points = std::vector<std::uint32_t>;
  jobs_.start<Points>(JobKind::Select, tr("Selecting points"), std::move(find),
                      [this, cloud, rows = std::move(rows)](Result<Points> found) {
                        if (!found) return jobs_.report(JobKind::Select, found.error());
                        if (cloud != data_.cloud()) return;
                        Q_EMIT selected(found->empty()
                                            ? nullptr
                                            : std::make_shared<const Points>(std::move(*found)));
                        if (rows && rowsThere() > 0) seekRows(rows);
                      });
}

void SelectedPoints::seekRows(const FindRows& find) {
  const auto sought = std::make_shared<const FileRowSet>();
  sought_ = sought;
  search_ = [find, points = values_.selection.points, dataset = data_.dataset(),
             of = rowsThere()](const Task& task) -> Result<FileRowSet> {
    auto rows = find(task);
    if (!rows) return rows;
    const FileRows rowOf(*dataset);
    if (points)
      for (const std::uint32_t point : *points) rows->add(rowOf(point));
    rows->of = of;
    rows->isComplete = true;
    return rows;
  };
  Q_EMIT rowsSelected(sought);
  jobs_.start<FileRowSet>(
      JobKind::FileSelection, tr("Selecting among all rows of %1").arg(data_.dataName()), search_,
      [this](Result<FileRowSet> rows) {
        endSearch();
        if (!rows) jobs_.report(JobKind::FileSelection, rows.error());
        // None: as where no points are selected.
        Q_EMIT rowsSelected(rows && rows->count > 0
                                ? std::make_shared<const FileRowSet>(std::move(*rows))
                                : nullptr);
      },
      [this, sought](JobEnd end) {
        // Stopped: nothing is known of the rows.
        if (end != JobEnd::Done && values_.selection.rows == sought) Q_EMIT rowsSelected(nullptr);
      });
}

void SelectedPoints::followClusters() {
  const FindRows find = clusterFinder();
  if (!find) return clusterRows_.drop();
  clusterRows_.replace({values_.selection.clusters, levels_.labels()},
                       tr("Selecting among all rows of %1").arg(data_.dataName()), find);
}

void SelectedPoints::followRows() {
  const auto chosen = rows();
  const auto stored = levels_.stored();
  if (!chosen || !chosen->isComplete || !stored) return rowsBox_.drop();
  rowsBox_.replace(
      {chosen, stored}, tr("Measuring the selected rows of %1").arg(data_.dataName()),
      [chosen, stored](const Task& task) { return boxOfRows(*stored, *chosen, task); });
}

void SelectedPoints::forgetRows() {
  if (!sought_) return;
  endSearch();
  jobs_.cancel(JobKind::FileSelection);
}

void SelectedPoints::endSearch() {
  sought_.reset();
  search_ = {};
}

void SelectedPoints::invert() {
  const auto cloud = data_.cloud();
  if (!cloud) return;
  select(
      [chosen = finder(),
       n = cloud->size()](const Task& task) -> Result<std::vector<std::uint32_t>> {
        const auto points = chosen(task);
        if (!points) return points;
        return complementOf(*points, n);
      },
      otherRows());
}

void SelectedPoints::keep(bool selectedOnes) {
  const auto cloud = data_.cloud();
  if (!cloud || !isAnything()) return;
  struct Part {
    PointSet points;
    FileRowSelection rows;
  };
  const FindRows inFile = selectedOnes ? rowFinder() : otherRows();
  // Reading all rows takes too long for the worker that prepares pictures.
  const JobKind job = inFile ? JobKind::KeepRows : JobKind::Select;
  jobs_.start<Part>(
      job, tr("Taking points"),
      [chosen = finder(), selectedOnes, n = cloud->size(), kept = data_.kept(), inFile,
       keptRows = data_.keptRows()](const Task& task) -> Result<Part> {
        const auto points = chosen(task);
        if (!points) return tl::unexpected(points.error());
        if (task.cancelled()) return cancelledError();
        Part part;
        part.points = std::make_shared<const std::vector<std::uint32_t>>(
            ofWhole(selectedOnes ? *points : complementOf(*points, n), kept));
        if (!inFile) return part;
        auto rows = inFile(task);
        if (!rows) return tl::unexpected(rows.error());
        if (keptRows) rows->of = keptRows->of;
        part.rows = std::make_shared<const FileRowSet>(std::move(*rows));
        return part;
      },
      [this, cloud, selectedOnes, job, keptRows = data_.keptRows()](const Result<Part>& part) {
        if (!part) return jobs_.report(job, part.error());
        if (cloud != data_.cloud()) return;
        const auto& [points, rows] = *part;
        if (points->empty())
          return jobs_.refuse(job, rows ? tr("None of the open rows would remain, and only these "
                                             "are clustered. Keep more rows.")
                                        : tr("No points would remain. Select fewer points to "
                                             "remove."));
        const auto changed = [&](std::uint64_t remain, std::uint64_t all) {
          return selectedOnes ? remain : all - remain;
        };
        const QString what =
            rows ? countedRows(changed(rows->count, keptRows ? keptRows->count : rows->of))
                 : countedPoints(changed(points->size(), cloud->size()));
        Q_EMIT kept(points, selectedOnes ? tr("Keep only %1").arg(what) : tr("Remove %1").arg(what),
                    rows);
      });
}

void SelectedPoints::keepOnly() { keep(true); }
void SelectedPoints::remove() { keep(false); }
void SelectedPoints::restoreAll() { Q_EMIT kept(nullptr, tr("Restore all points"), nullptr); }

void SelectedPoints::tryClustering(const DbscanParams& params) {
  forgetTrial();
  const auto cloud = data_.cloud();
  if (!cloud || !isAny()) return;
  trial_.update(
      cloud, tr("Clustering the selection"),
      [chosen = finder(), cloud, params, space = data_.space(), scaling = data_.scaling(),
       weights = data_.weights(), slot = run_.backendSlot(),
       strategy = values_.parameters.strategy](const Task& task) -> Result<SelectionTrial> {
        auto points = chosen(task);
        if (!points) return tl::unexpected(points.error());
        auto backend = slot->get(space, scaling);
        if (!backend) return tl::unexpected(backend.error());
        auto clustering = clusterPart(**backend, *cloud, weights, *points, params, strategy, task);
        if (!clustering) return tl::unexpected(clustering.error());
        return SelectionTrial{
            std::make_shared<const std::vector<std::uint32_t>>(std::move(*points)),
            std::make_shared<const Clustering>(std::move(*clustering))};
      });
  Q_EMIT trialChanged();
}

void SelectedPoints::mergeTrial() {
  if (!trial()) return;
  // As many steps as there are points: quick beside the run that follows, but not for the UI
  // thread.
  jobs_.start<Refinement>(
      JobKind::Select, tr("Taking points"),
      [trial = trial(), kept = data_.kept()](const Task&) -> Result<Refinement> {
        return Refinement{
            std::make_shared<const std::vector<std::uint32_t>>(ofWhole(*trial->points, kept)),
            trial->clustering->params};
      },
      [this, cloud = data_.cloud()](Result<Refinement> refinement) {
        if (!refinement || cloud != data_.cloud()) return;
        Q_EMIT refined(*refinement);
        run_.run();  // also where runs do not start by themselves
      });
}

void SelectedPoints::updateSummary() {
  if (values_.selection.rows != sought_) forgetRows();
  followClusters();
  followRows();
  const PointSet points = values_.selection.points;
  const auto dataset = data_.dataset();
  if (!points || !dataset || points->back() >= dataset->cloud.size()) return summary_.drop();
  const auto result = run_.result();
  summary_.replace({points, dataset, result}, {}, [points, dataset, result](const Task& task) {
    std::span<const std::int32_t> labels;
    if (result) labels = result->clustering.labels;
    return summaryOf(*dataset, labels, points, task);
  });
}

}  // namespace clusterloom
