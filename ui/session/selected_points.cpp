#include "ui/session/selected_points.h"

#include <algorithm>
#include <limits>
#include <map>

#include "engine/cloud/dataset.h"
#include "ui/session/cluster_run.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
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

SelectedPoints::SelectedPoints(Session& session) : QObject(&session), session_(session) {
  connect(&session_, &Session::selectionChanged, this, [this] { updateSummary(false); });
  connect(&session_.clusterRun(), &ClusterRun::resultChanged, this,
          [this] { updateSummary(true); });
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
  session_.jobs().start<Points>(
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
        if (!found) return session_.report(JobKind::Select, found.error());
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

void SelectedPoints::updateSummary(bool anew) {
  const PointSet points = session_.selection().points;
  if (!anew && points == summaryOf_) return;
  summaryOf_ = points;
  session_.jobs().cancel(JobKind::SelectionSummary);
  if (summary_) {
    summary_.reset();
    Q_EMIT summaryChanged();
  }
  const auto dataset = session_.data().dataset();
  if (!points || !dataset || points->back() >= dataset->cloud.size()) return;
  session_.jobs().start<SelectionSummary>(
      JobKind::SelectionSummary, {},
      [points, dataset, result = session_.clusterRun().result()](const Task& task) {
        return clusterloom::summaryOf(*dataset,
                                      result
                                          ? std::span<const std::int32_t>(result->clustering.labels)
                                          : std::span<const std::int32_t>(),
                                      points, task);
      },
      [this, points](Result<SelectionSummary> summary) {
        if (!summary || points != session_.selection().points) return;
        summary_ = std::make_shared<const SelectionSummary>(std::move(*summary));
        Q_EMIT summaryChanged();
      });
}

}  // namespace clusterloom
