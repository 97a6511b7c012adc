#include "ui/session/selected_points.h"

#include <algorithm>
#include <limits>
#include <map>

#include "engine/cloud/dataset.h"
#include "ui/session/cluster_run.h"
#include "ui/session/refinement.h"
#include "ui/session/session.h"
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

SelectedPoints::SelectedPoints(Session& session)
    : QObject(&session), session_(session), jobs_(session.jobs()) {
  connect(&session_.data(), &SessionData::cloudChanged, this, &SelectedPoints::forgetTrial);
  connect(&session_, &Session::selectionChanged, this, &SelectedPoints::updateSummary);
  connect(&session_.clusterRun(), &ClusterRun::resultChanged, this, &SelectedPoints::updateSummary);
}

bool SelectedPoints::isAny() const {
  return session_.selection().points || !session_.selection().clusters.empty();
}

SelectedPoints::Find SelectedPoints::selected() const {
  const Selection& selection = session_.selection();
  if (selection.points)
    return [points = selection.points](const Task&) -> Result<std::vector<std::uint32_t>> {
      return *points;
    };
  return [clusters = selection.clusters, result = session_.clusterRun().result()](
             const Task& task) -> Result<std::vector<std::uint32_t>> {
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

void SelectedPoints::choose(Find find, bool add) {
  const auto cloud = session_.data().cloud();
  if (!cloud) return;
  using Points = std::vector<std::uint32_t>;
  jobs_.start<Points>(
      JobKind::Select, tr("Selecting points"),
      [find = std::move(find),
       before = add && isAny() ? selected() : Find()](const Task& task) -> Result<Points> {
        auto found = find(task);
        if (!found || !before) return found;
        const auto already = before(task);
        if (!already) return already;
        return unionOf(*already, *found);
      },
      [this, cloud](Result<Points> found) {
        if (!found) return jobs_.report(JobKind::Select, found.error());
        if (cloud != session_.data().cloud()) return;
        session_.setSelectedPoints(
            found->empty() ? nullptr : std::make_shared<const Points>(std::move(*found)));
      });
}

void SelectedPoints::invert() {
  const auto cloud = session_.data().cloud();
  if (!cloud) return;
  choose(
      [chosen = selected(),
       n = cloud->size()](const Task& task) -> Result<std::vector<std::uint32_t>> {
        const auto points = chosen(task);
        if (!points) return points;
        return complementOf(*points, n);
      },
      false);
}

void SelectedPoints::keep(bool selectedOnes) {
  const auto cloud = session_.data().cloud();
  if (!cloud || !isAny()) return;
  using Points = std::vector<std::uint32_t>;
  jobs_.start<Points>(
      JobKind::Select, tr("Taking points"),
      [chosen = selected(), selectedOnes, n = cloud->size(),
       kept = session_.data().kept()](const Task& task) -> Result<Points> {
        const auto points = chosen(task);
        if (!points) return points;
        if (task.cancelled()) return cancelledError();
        return ofWhole(selectedOnes ? *points : complementOf(*points, n), kept);
      },
      [this, cloud, selectedOnes](Result<Points> points) {
        if (!points) return jobs_.report(JobKind::Select, points.error());
        if (cloud != session_.data().cloud()) return;
        if (points->empty())
          return jobs_.refuse(JobKind::Select,
                              tr("No points would remain. Select fewer points to remove."));
        const std::size_t remain = points->size();
        const std::size_t changed = selectedOnes ? remain : cloud->size() - remain;
        const QString what = countedPoints(changed);
        session_.setKept(std::make_shared<const Points>(std::move(*points)),
                         selectedOnes ? tr("Keep only %1").arg(what) : tr("Remove %1").arg(what));
      });
}

void SelectedPoints::keepOnly() { keep(true); }
void SelectedPoints::remove() { keep(false); }
void SelectedPoints::restoreAll() { session_.setKept(nullptr, tr("Restore all points")); }

void SelectedPoints::tryClustering(const DbscanParams& params) {
  forgetTrial();
  const auto cloud = session_.data().cloud();
  if (!cloud || !isAny()) return;
  trial_.update(
      cloud, tr("Clustering the selection"),
      [chosen = selected(), cloud, params, space = session_.data().space(),
       scaling = session_.data().scaling(), weights = session_.data().weights(),
       slot = session_.clusterRun().backendSlot(),
       strategy = session_.parameters().strategy](const Task& task) -> Result<SelectionTrial> {
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
      [trial = trial(), kept = session_.data().kept()](const Task&) -> Result<Refinement> {
        return Refinement{
            std::make_shared<const std::vector<std::uint32_t>>(ofWhole(*trial->points, kept)),
            trial->clustering->params};
      },
      [this, cloud = session_.data().cloud()](Result<Refinement> refinement) {
        if (!refinement || cloud != session_.data().cloud()) return;
        session_.addRefinement(*refinement);
        session_.clusterRun().run();  // also where runs do not start by themselves
      });
}

void SelectedPoints::updateSummary() {
  const PointSet points = session_.selection().points;
  const auto dataset = session_.data().dataset();
  if (!points || !dataset || points->back() >= dataset->cloud.size()) return summary_.drop();
  const auto result = session_.clusterRun().result();
  summary_.replace({points, dataset, result}, {}, [points, dataset, result](const Task& task) {
    std::span<const std::int32_t> labels;
    if (result) labels = result->clustering.labels;
    return summaryOf(*dataset, labels, points, task);
  });
}

}  // namespace clusterloom
