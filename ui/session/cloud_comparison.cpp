#include "ui/session/cloud_comparison.h"

#include <algorithm>
#include <utility>

#include "engine/cloud/coordinate_order.h"
#include "engine/dbscan/weighted_dbscan.h"
#include "engine/io/read_labels.h"
#include "ui/jobs/receiver.h"
#include "ui/session/backend_slot.h"
#include "ui/session/cloud_load.h"
#include "ui/session/cluster_run.h"
#include "ui/session/open_clouds.h"
#include "ui/session/refinement.h"
#include "ui/session/session_data.h"
#include "ui/session/subset.h"

namespace clusterloom {

namespace {

constexpr int kCompareSettleMs = 60;  // one comparison for several changes at once

/// The results of the job for a cloud.
struct FoundCloud {
  std::size_t place = 0;
  HeldCloud cloud;
  QString warning;
};

/// The figures of all, and the adjusted Rand index of each two.
struct Report {
  std::vector<ComparedCloud> clouds;
  std::vector<std::optional<double>> indices;
};

Parameters parametersOf(const HeldCloud& cloud, const Parameters& shared) {
  Parameters parameters = shared;
  parameters.kept = cloud.state.kept;
  parameters.keptRows = cloud.state.keptRows;
  parameters.refinements = cloud.state.refinements;
  if (cloud.whole) parameters.space = inOrderOfNames(parameters.space, cloud.whole->cloud);
  return parameters;
}

/// Reads the cloud unless that was done.
Result<void> readWhole(HeldCloud& cloud, std::size_t dims, QString& warning, const Task& task) {
  if (cloud.whole) return {};
  OpenRequest request;
  request.path = cloud.state.dataPath;
  request.read = cloud.state.read;
  request.sample = cloud.state.sample;
  if (!request.sample) cloud.stamp = stampOf(request.path.toStdString());
  auto dataset = readOrGenerate(request, task);
  if (!dataset) return tl::unexpected(dataset.error());
  if (dataset->cloud.dims() != dims)
    return badInput(CloudComparison::tr("It no longer has %1 dimensions, as the others have.")
                        .arg(dims)
                        .toStdString());
  warning = changeOf(cloud.state, *dataset);
  cloud.whole = std::make_shared<const Dataset>(std::move(*dataset));
  return {};
}

/// Scales the data set that was read, by the parameters.
Result<void> makeReady(HeldCloud& cloud, const Parameters& parameters, const Task& task) {
  if (auto known = checkPoints(parameters.kept, *cloud.whole); !known) return known;
  for (const Refinement& refinement : parameters.refinements)
    if (auto known = checkPoints(refinement.points, *cloud.whole); !known) return known;
  if (cloud.ready && cloud.ready->choice == parameters) return {};
  auto ready = readyCloud(cloud.whole, parameters, task);
  if (!ready) return tl::unexpected(ready.error());
  ready->prepared.reset();
  cloud.ready = std::make_shared<const ReadyCloud>(std::move(*ready));
  return {};
}

Result<Clustering> readOpened(const HeldCloud& cloud, const Parameters& parameters,
                              const Task& task) {
  auto labels = readLabels(cloud.state.labelsPath.toStdString(), *cloud.whole, task);
  if (!labels || !parameters.kept) return labels;
  return partOf(*labels, *parameters.kept);
}

Result<Clustering> cluster(const HeldCloud& cloud, const Parameters& parameters, BackendSlot& slot,
                           const Task& task) {
  auto backend = slot.get(parameters.space, cloud.ready->scaling);
  if (!backend) return tl::unexpected(backend.error());
  // Of this run alone: a copy on a GPU goes with it.
  const PreparedCloud prepared(cloud.ready->cloud);
  const Weights& weights = cloud.ready->weights;
  auto clustering =
      dbscanOf(**backend, prepared, spanOf(weights), parameters.dbscan, parameters.strategy, task);
  if (!clustering) return clustering;
  return refined(**backend, *cloud.ready->cloud, weights, std::move(*clustering), parameters, task);
}

/// Fills in the result of a cloud.
Result<void> label(HeldCloud& cloud, const Parameters& shared, std::size_t dims, BackendSlot& slot,
                   quint64 job, QString& warning, const Task& task) {
  if (auto read = readWhole(cloud, dims, warning, task); !read) return read;
  const Parameters parameters = parametersOf(cloud, shared);
  if (auto ready = makeReady(cloud, parameters, task); !ready) return ready;
  auto result = std::make_shared<ClusterResult>();
  auto clustering = cloud.state.labelsPath.isEmpty() ? cluster(cloud, parameters, slot, task)
                                                     : readOpened(cloud, parameters, task);
  if (!clustering) return tl::unexpected(clustering.error());
  result->job = job;
  result->labelsFile = cloud.state.labelsPath;
  result->parameters = parameters;
  result->cloud = cloud.ready->cloud;
  result->clustering = std::move(*clustering);
  cloud.result = std::move(result);
  return {};
}

/// Whether point i of one is row i's point of the other, too.
bool haveSameRows(const HeldCloud& a, const HeldCloud& b) {
  if (!a.result || !b.result || !a.whole || !b.whole) return false;
  return a.whole->inputRows == b.whole->inputRows && a.whole->every == b.whole->every &&
         a.whole->skippedRows == b.whole->skippedRows &&
         samePoints(a.ready->choice.kept, b.ready->choice.kept) &&
         a.result->clustering.labels.size() == b.result->clustering.labels.size();
}

Result<Report> compare(const std::vector<HeldCloud>& clouds, Report report, const Task& task) {
  const std::size_t n = clouds.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (!clouds[i].result) continue;
    const Clustering& clustering = clouds[i].result->clustering;
    const auto figures = figuresOf(clustering.labels, task);
    if (!figures) return tl::unexpected(figures.error());
    report.clouds[i].figures = *figures;
    report.clouds[i].seconds = clustering.stats.seconds.total;
    report.clouds[i].opened = !clouds[i].result->labelsFile.isEmpty();
  }
  report.indices.resize(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) {
      if (!haveSameRows(clouds[i], clouds[j])) continue;
      const auto agreement = compareLabels(clouds[i].result->clustering.labels,
                                           clouds[j].result->clustering.labels, task);
      if (!agreement) return tl::unexpected(agreement.error());
      report.indices[i * n + j] = report.indices[j * n + i] = agreement->adjustedRandIndex();
    }
  }
  return report;
}

bool sameObject(const std::weak_ptr<const ClusterResult>& a,
                const std::weak_ptr<const ClusterResult>& b) {
  return !a.owner_before(b) && !b.owner_before(a);
}

}  // namespace

CloudComparison::CloudComparison(OpenClouds& open, const SessionData& data, const ClusterRun& run,
                                 SessionValues values, JobQueue& jobs, QObject* parent)
    : QObject(parent),
      open_(open),
      data_(data),
      run_(run),
      values_(values),
      jobs_(jobs),
      settle_(kCompareSettleMs, [this] { update(); }) {
  connect(&open_, &OpenClouds::changed, this, &CloudComparison::outdate);
  connect(&run_, &ClusterRun::stateChanged, this, &CloudComparison::outdate);
  connect(&run_, &ClusterRun::resultChanged, this, &CloudComparison::outdate);
}

void CloudComparison::setWanted(bool wanted) {
  if (std::exchange(wanted_, wanted) == wanted) return;
  if (!current_) numbers_.clear();  // a stopped comparison starts again
  if (wanted) return outdate();
  settle_.stop();
  jobs_.cancel(JobKind::CompareClouds);
}

bool CloudComparison::isRunning() const {
  return settle_.isActive() || jobs_.isActive(JobKind::CompareClouds);
}

void CloudComparison::outdate() {
  if (wanted_) settle_.start();
}

/// Whether the labels of a cloud that is not on show are those of the parameters, or were opened.
bool CloudComparison::isOfParameters(const HeldCloud& cloud) const {
  if (!cloud.result || !cloud.ready || cloud.result->cloud != cloud.ready->cloud) return false;
  // It may have been left before its labels were read.
  if (cloud.result->labelsFile != cloud.state.labelsPath) return false;
  return cloud.result->isBy(parametersOf(cloud, values_.parameters));
}

void CloudComparison::update() {
  std::vector<HeldCloud> clouds = open_.held();
  const auto shown = static_cast<std::size_t>(open_.current());
  if (clouds.size() < 2) {
    jobs_.cancel(JobKind::CompareClouds);
    current_ = false;
    numbers_.clear();
    clouds_.clear();
    indices_.clear();
    Q_EMIT changed();
    return;
  }
  clouds[shown] = open_.shown();
  // The others wait until the result on show is there, and until ε rests.
  const auto result = run_.result();
  const bool settled = result && !values_.dragging && !data_.awaitsEps() &&
                       (run_.isResultCurrent() || !result->isOfRun());
  std::vector<quint64> numbers;
  Results results;
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    if (i != shown && !isOfParameters(clouds[i])) clouds[i].result = nullptr;
    numbers.push_back(clouds[i].number);
    results.emplace_back(clouds[i].result);
  }
  if (settled && numbers == numbers_ &&
      std::equal(results.begin(), results.end(), results_.begin(), results_.end(), sameObject)) {
    Q_EMIT changed();  // it may have been shown as running while it waited for ε to rest
    return;
  }
  jobs_.cancel(JobKind::CompareClouds);
  current_ = false;
  numbers_.clear();
  if (settled) {
    numbers_ = std::move(numbers);
    results_ = std::move(results);
    start(std::move(clouds));
  }
  Q_EMIT changed();
}

void CloudComparison::start(std::vector<HeldCloud> clouds) {
  Report report;
  const QStringList titles = open_.titles();
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    ComparedCloud cloud;
    cloud.number = clouds[i].number;
    cloud.name = titles[static_cast<int>(i)];
    report.clouds.push_back(std::move(cloud));
  }
  const Receiver<FoundCloud> finds([this](const FoundCloud& found) {
    const HeldCloud& cloud = found.cloud;
    results_[found.place] = cloud.result;
    open_.keep(cloud);
    if (!found.warning.isEmpty()) jobs_.warn(found.warning);
  });
  jobs_.start<Report>(
      JobKind::CompareClouds, tr("Comparing clouds"),
      [clouds = std::move(clouds), report = std::move(report), finds, shared = values_.parameters,
       slot = run_.backendSlot(),
       dims = data_.whole()->cloud.dims()](const Job& job) mutable -> Result<Report> {
        for (std::size_t i = 0; i < clouds.size(); ++i) {
          if (clouds[i].result) continue;
          FoundCloud found{i, clouds[i], {}};
          const auto labelled =
              label(found.cloud, shared, dims, *slot, job.number(), found.warning, job);
          if (job.task().cancelled()) return cancelledError();
          if (!labelled) {
            report.clouds[i].failure = QString::fromStdString(labelled.error().message);
            continue;
          }
          clouds[i] = found.cloud;
          finds.deliver(job, std::move(found));
        }
        return compare(clouds, std::move(report), job);
      },
      [this](Result<Report> done) {
        if (!done) return;
        clouds_ = std::move(done->clouds);
        indices_ = std::move(done->indices);
        current_ = true;
        Q_EMIT changed();
      },
      [this](JobEnd) { Q_EMIT changed(); });
}

DataTable CloudComparison::table() const {
  DataTable table{{"cloud", "points", "clusters", "noise_points", "noise_share", "largest_cluster",
                   "total_seconds"},
                  {}};
  for (const ComparedCloud& cloud : clouds_)
    table.names.push_back("adjusted_rand_index_with_" + cloud.name.toStdString());
  for (std::size_t i = 0; i < clouds_.size(); ++i) {
    const ComparedCloud& cloud = clouds_[i];
    const LabelFigures& figures = cloud.figures;
    std::vector<std::string> row{cloud.name.toStdString()};
    const auto add = [&](bool known, const std::string& text) {
      row.push_back(known ? text : std::string());
    };
    const bool known = cloud.failure.isEmpty();
    add(known, exactNumber(figures.points));
    add(known, exactNumber(figures.clusters));
    add(known, exactNumber(figures.noise));
    add(known, exactNumber(noiseShare(figures)));
    add(known, exactNumber(figures.largest));
    add(known && !cloud.opened, exactNumber(cloud.seconds));
    for (std::size_t j = 0; j < clouds_.size(); ++j) {
      const auto index = adjustedRandIndex(i, j);
      add(index.has_value(), index ? exactNumber(*index) : std::string());
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

double noiseShare(const LabelFigures& figures) {
  return figures.points == 0
             ? 0
             : static_cast<double>(figures.noise) / static_cast<double>(figures.points);
}

}  // namespace clusterloom
