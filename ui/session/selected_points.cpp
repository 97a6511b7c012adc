#include "ui/session/selected_points.h"

#include <algorithm>
#include <limits>
#include <map>

#include "engine/cloud/dataset.h"
#include "engine/cloud/file_rows.h"
#include "ui/session/cluster_run.h"
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

SelectedPoints::SelectedPoints(const SessionData& data, ClusterRun& run, SessionValues values,
                               JobQueue& jobs, QObject* parent)
    : QObject(parent), data_(data), run_(run), values_(values), jobs_(jobs) {
  connect(&data_, &SessionData::cloudChanged, this, &SelectedPoints::forgetTrial);
  connect(&data_, &SessionData::dataAboutToChange, this, &SelectedPoints::forgetRows);
  connect(&run_, &ClusterRun::resultChanged, this, &SelectedPoints::updateSummary);
}

bool SelectedPoints::isAny() const {
  return values_.selection.points || !values_.selection.clusters.empty();
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

void SelectedPoints::choose(Find find, bool add, std::optional<InFile> inFile) {
  const auto cloud = data_.cloud();
  if (!cloud) return;
  FileRowSelection rows = add ? values_.selection.rows : nullptr;
  // Of clusters, and of points that were selected otherwise, only the open rows are known.
  bool isKnown = rows ? rows->isComplete : !(add && isAny());
  if (inFile && rows && rows == sought_) {
    // A search that has not ended is done again with this one.
    inFile->find = [first = search_.inFile.find, second = std::move(inFile->find)](
                       const auto& take, const Task& task) -> Result<void> {
      if (auto done = first(take, task); !done) return done;
      return second(take, task);
    };
    rows = search_.before;
    isKnown = true;
  }
  if (!isKnown) inFile.reset();
  using Points = std::vector<std::uint32_t>;
  jobs_.start<Points>(
      JobKind::Select, tr("Selecting points"),
      [find = std::move(find),
       before = add && isAny() ? finder() : Find()](const Task& task) -> Result<Points> {
        auto found = find(task);
        if (!found || !before) return found;
        const auto already = before(task);
        if (!already) return already;
        return unionOf(*already, *found);
      },
      [this, cloud, rows, inFile = std::move(inFile)](Result<Points> found) {
        if (!found) return jobs_.report(JobKind::Select, found.error());
        if (cloud != data_.cloud()) return;
        Q_EMIT selected(found->empty() ? nullptr
                                       : std::make_shared<const Points>(std::move(*found)));
        if (inFile) chooseRows({*inFile, rows});
      });
}

void SelectedPoints::chooseRows(const Search& search) {
  const auto sought = std::make_shared<const FileRowSet>();
  sought_ = sought;
  search_ = search;
  Q_EMIT rowsSelected(sought);
  jobs_.start<FileRowSelection>(
      JobKind::FileSelection, tr("Selecting among all rows of %1").arg(data_.dataName()),
      [search, points = values_.selection.points,
       whole = data_.whole()](const Task& task) -> Result<FileRowSelection> {
        const auto rows = search.before ? std::make_shared<FileRowSet>(*search.before)
                                        : std::make_shared<FileRowSet>();
        rows->of = search.inFile.rows;
        rows->isComplete = true;
        const FileRows rowOf(*whole);
        if (points)
          for (const std::uint32_t point : *points) rows->add(rowOf(point));
        const auto take = [&](std::uint32_t row) { rows->add(row); };
        if (auto done = search.inFile.find(take, task); !done) return tl::unexpected(done.error());
        if (rows->count == 0) return FileRowSelection();  // as where no points are selected
        return rows;
      },
      [this](const Result<FileRowSelection>& rows) {
        endSearch();
        if (!rows) jobs_.report(JobKind::FileSelection, rows.error());
        Q_EMIT rowsSelected(rows ? *rows : nullptr);
      },
      [this, sought](JobEnd end) {
        // Stopped: nothing is known of the rows.
        if (end != JobEnd::Done && values_.selection.rows == sought) Q_EMIT rowsSelected(nullptr);
      });
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
  choose(
      [chosen = finder(),
       n = cloud->size()](const Task& task) -> Result<std::vector<std::uint32_t>> {
        const auto points = chosen(task);
        if (!points) return points;
        return complementOf(*points, n);
      },
      false);
}

void SelectedPoints::keep(bool selectedOnes) {
  const auto cloud = data_.cloud();
  if (!cloud || !isAny()) return;
  using Points = std::vector<std::uint32_t>;
  jobs_.start<Points>(
      JobKind::Select, tr("Taking points"),
      [chosen = finder(), selectedOnes, n = cloud->size(),
       kept = data_.kept()](const Task& task) -> Result<Points> {
        const auto points = chosen(task);
        if (!points) return points;
        if (task.cancelled()) return cancelledError();
        return ofWhole(selectedOnes ? *points : complementOf(*points, n), kept);
      },
      [this, cloud, selectedOnes](Result<Points> points) {
        if (!points) return jobs_.report(JobKind::Select, points.error());
        if (cloud != data_.cloud()) return;
        if (points->empty())
          return jobs_.refuse(JobKind::Select,
                              tr("No points would remain. Select fewer points to remove."));
        const std::size_t remain = points->size();
        const std::size_t changed = selectedOnes ? remain : cloud->size() - remain;
        const QString what = countedPoints(changed);
        Q_EMIT kept(std::make_shared<const Points>(std::move(*points)),
                    selectedOnes ? tr("Keep only %1").arg(what) : tr("Remove %1").arg(what));
      });
}

void SelectedPoints::keepOnly() { keep(true); }
void SelectedPoints::remove() { keep(false); }
void SelectedPoints::restoreAll() { Q_EMIT kept(nullptr, tr("Restore all points")); }

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
