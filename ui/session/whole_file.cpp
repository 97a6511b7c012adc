#include "ui/session/whole_file.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "engine/io/numbers.h"
#include "engine/io/sidecar.h"
#include "engine/version.h"
#include "ui/jobs/job_queue.h"
#include "ui/session/cluster_run.h"
#include "ui/session/opened_labels.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"

namespace clusterloom {
namespace {

/// The factors of the rows on show, however they were computed: distances are in the same unit, so
/// that ε means the same.
ScalingChoice factorsOf(const Scaling& scaling) {
  if (scaling.kind == Scaling::Kind::None) return {};
  return {Scaling::Kind::Factors, scaling.factor};
}

/// Without the hash of the file, which is not read as a whole by one reader.
Provenance provenanceOf(const BlockFile& file, const Source& source, const DbscanParams& params,
                        const ScalingChoice& scaling, const Space& space, const BlockRun& run) {
  Scaling factors;
  factors.kind = scaling.kind;
  factors.factor = scaling.factors;
  Provenance lines{{"program", std::string("Clusterloom ") + kVersion},
                   {"input", file.path},
                   {"input format", source.format}};
  lines.insert(lines.end(), source.choices.begin(), source.choices.end());
  lines.insert(lines.end(), {{"input rows", std::to_string(run.cloud.rows)},
                             {"skipped rows", std::to_string(run.cloud.skipped)},
                             {"points", std::to_string(run.cloud.points())},
                             {"scaling", toText(factors)},
                             {"eps", numberText(params.eps)},
                             {"min_pts", std::to_string(params.minPts)},
                             {"backend", run.stats.backend},
                             {"clusters", std::to_string(run.clusters)},
                             {"core", std::to_string(run.coreCount)},
                             {"border", std::to_string(run.borderCount)},
                             {"noise", std::to_string(run.noiseCount)}});
  if (const std::string text = describe(space); !text.empty()) lines.emplace_back("space", text);
  if (!file.weights.empty()) lines.emplace_back("weights", file.weights);
  return lines;
}

}  // namespace

WholeFile::WholeFile(const SessionData& data, const ClusterRun& run, const Parameters& parameters,
                     OpenedLabels& labels, SessionFiles& files, JobQueue& jobs, QObject* parent)
    : QObject(parent),
      data_(data),
      run_(run),
      parameters_(parameters),
      labels_(labels),
      files_(files),
      jobs_(jobs) {}

bool WholeFile::isPartOnShow() const {
  const auto whole = data_.whole();
  return whole && whole->every > 1 && !data_.source().path.isEmpty();
}

QString WholeFile::objection() const {
  if (!isPartOnShow()) return tr("All rows of the file are open.");
  const std::vector<double>& offset = data_.scaling().offset;
  if (data_.space().metric == Metric::Cosine &&
      std::ranges::any_of(offset, [](double x) { return x != 0; }))
    return tr(
        "Cosine distances depend on the origin, and this scaling moves it. Choose no scaling, or "
        "factors, then cluster the whole file.");
  if (parameters_.kept)
    return tr("Some points do not take part. Keep all points, then cluster the whole file.");
  if (!parameters_.refinements.empty())
    return tr(
        "Some points are clustered on their own. Cluster all points alike, then cluster the "
        "whole file.");
  return {};
}

std::int64_t minPtsOfAllRows(std::int64_t minPts, std::uint64_t every) {
  return 1 + std::int64_t(every) * (minPts - 1);
}

std::int64_t WholeFile::minPtsOfAll(std::int64_t minPts) const {
  const auto whole = data_.whole();
  return whole ? minPtsOfAllRows(minPts, whole->every) : minPts;
}

BlockFile WholeFile::file() const {
  BlockFile file{data_.source().path.toStdString(), data_.readOptions(),
                 parameters_.weights.toStdString()};
  file.read.every = 1;
  return file;
}

BlockOptions WholeFile::optionsOf(const WholeFileOrder& order) const {
  BlockOptions options;
  options.memory = order.memory;
  options.scratch = order.scratch.toStdString();
  options.threads = run_.engine().threads;
  options.scaling = factorsOf(data_.scaling());
  options.space = data_.space();
  return options;
}

void WholeFile::forecast(const WholeFileOrder& order) {
  const auto work = [slot = run_.backendSlot(), file = file(), options = optionsOf(order),
                     cloud = data_.cloud(), weights = data_.weights(),
                     every = data_.whole() ? data_.whole()->every : 0, params = order.params,
                     strategy = parameters_.strategy](const Task& task) -> Result<BlockForecast> {
    const auto backend = slot->get();
    if (!backend) return tl::unexpected(backend.error());
    BlockSample sample{*cloud, every};
    if (weights) sample.weights = *weights;
    return forecastInBlocks(file, sample, params, **backend, strategy, options, task);
  };
  if (!data_.cloud()) return;
  jobs_.start<BlockForecast>(JobKind::WholeFileForecast, tr("Measuring what all rows will take"),
                             work, [this](const Result<BlockForecast>& forecast) {
                               if (forecast)
                                 Q_EMIT forecastMade(*forecast, {});
                               else
                                 Q_EMIT forecastMade(
                                     {}, QString::fromStdString(forecast.error().message));
                             });
}

void WholeFile::stopForecast() { jobs_.cancel(JobKind::WholeFileForecast); }

void WholeFile::start(const WholeFileOrder& order) {
  const auto refuse = [&](const QString& why) { jobs_.refuse(JobKind::WholeFile, why); };
  if (const QString why = objection(); !why.isEmpty()) return refuse(why);
  if (jobs_.isActive(JobKind::WholeFile))
    return refuse(tr("A whole file is being clustered. Stop it first, or wait."));
  if (!files_.mayWrite(JobKind::WholeFile, order.labels)) return;
  stopForecast();
  const auto work = [slot = run_.backendSlot(), file = file(), options = optionsOf(order),
                     source = data_.whole()->source, params = order.params,
                     strategy = parameters_.strategy,
                     labels = order.labels.toStdString()](const Task& task) -> Result<BlockRun> {
    const auto backend = slot->get();
    if (!backend) return tl::unexpected(backend.error());
    OutputSet outputs;
    auto run = clusterInBlocks(file, params, **backend, strategy, options, outputs, labels, task);
    if (!run) return run;
    const Provenance lines =
        provenanceOf(file, source, params, options.scaling, options.space, *run);
    if (auto done = prepareSidecar(outputs, labels, lines); !done)
      return tl::unexpected(done.error());
    if (auto done = outputs.commit(); !done) return tl::unexpected(done.error());
    return run;
  };
  jobs_.start<BlockRun>(
      JobKind::WholeFile, tr("Clustering all rows of %1").arg(data_.dataName()), work,
      [this, labels = order.labels, path = data_.source().path, choice = data_.ready().choice,
       part = std::weak_ptr(data_.whole())](Result<BlockRun> run) {
        if (!run) return jobs_.report(JobKind::WholeFile, run.error(), path);
        // In other units ε would be another one.
        const bool isShown =
            data_.whole() && data_.whole() == part.lock() && data_.isApplied(choice);
        if (isShown) labels_.open(labels);
        Q_EMIT finished(*run, labels, isShown);
      });
}

}  // namespace clusterloom
