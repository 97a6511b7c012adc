#include "ui/session/comparison.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/dbscan/sweep.h"
#include "engine/join/backend_kinds.h"
#include "ui/session/backend_slot.h"
#include "ui/session/cluster_run.h"
#include "ui/session/load_lab.h"
#include "ui/session/session_data.h"
#include "ui/words/engine_words.h"

namespace clusterloom {

namespace {

/// The counts of a run, and its order.
struct Counted {
  ComparedRun run;
  std::vector<std::uint32_t> counts;
  bool repeatable = true;  ///< all runs counted the same
};

/// The strategy with as many threads per point as the backend has.
Strategy withThreadsOf(const Backend& backend, Strategy strategy) {
  if (!backend.limits().threadGroups) strategy.threadsPerPoint = 1;
  return strategy;
}

/// Whether it runs on both processors.
bool isShared(const PaperStrategy& paper) {
  return backendKind(paper.backend.toStdString()).sharesJoins;
}

Counted countedBy(const Backend& backend, const LoadQuestion& question, const PaperStrategy& paper,
                  int repeats, const Task& task) {
  Counted counted;
  counted.run.name = paper.name;
  counted.run.strategy = question.strategy;
  counted.run.shared = isShared(paper);
  // The warps of other joins are not modelled, and of shared ones it is not known which the GPU
  // does.
  if (question.strategy.method == Method::Grid && !counted.run.shared) {
    LoadQuestion ofWarps = question;
    ofWarps.strategy = ofOneProcessor(question.strategy);
    auto load = loadOf(ofWarps, backend, task);
    if (!load) {
      counted.run.failure = QString::fromStdString(load.error().message);
      return counted;
    }
    counted.run.report = load->report;
    counted.run.predicted = load->predicted;
  }
  const Strategy strategy = withThreadsOf(backend, question.strategy);
  if (strategy.threadsPerPoint != question.strategy.threadsPerPoint) {
    counted.run.remark =
        Comparison::tr("The time is for one thread per point: this backend has no thread groups.");
  }
  for (int i = 0; i < repeats; ++i) {
    auto counts = backend.count(*question.cloud, question.eps, strategy, task);
    if (!counts) {
      counted.run.failure = QString::fromStdString(counts.error().message);
      return counted;
    }
    counted.run.seconds.push_back(counts->stats.seconds.total);
    if (i > 0) {
      counted.repeatable = counted.repeatable && counts->counts == counted.counts;
      continue;
    }
    counted.run.stats = counts->stats;
    counted.run.pairs = counts->pairs;
    counted.run.candidates = counts->candidates;
    counted.counts = std::move(counts->counts);
  }
  return counted;
}

/// Time and number of pairs of one run.
struct TimedRun {
  double seconds = 0;
  double pairs = 0;
};

Result<TimedRun> runOnce(const Backend& backend, const PointCloud& cloud, double eps,
                         const Strategy& strategy, LoadKernel kernel, const Task& task) {
  if (kernel == LoadKernel::Pairs) {
    const auto list = backend.pairs(cloud, eps, strategy, task);
    if (!list) return tl::unexpected(list.error());
    return TimedRun{list->stats.seconds.total, static_cast<double>(list->pairs.size())};
  }
  const auto counts = backend.count(cloud, eps, strategy, task);
  if (!counts) return tl::unexpected(counts.error());
  return TimedRun{counts->stats.seconds.total, static_cast<double>(counts->pairs)};
}

Result<ResponsePoint> timedAt(const Backend& backend, const PointCloud& cloud, double eps,
                              const Strategy& strategy, LoadKernel kernel, int repeats,
                              const Task& task) {
  std::vector<double> seconds;
  double selectivity = 0;
  for (int run = 0; run < repeats; ++run) {
    const auto timed = runOnce(backend, cloud, eps, withThreadsOf(backend, strategy), kernel, task);
    if (!timed) return tl::unexpected(timed.error());
    const auto n = static_cast<double>(cloud.size());
    seconds.push_back(timed->seconds);
    selectivity = (timed->pairs - n) / n;
  }
  const TimeSpread spread = spreadOf(seconds);
  return ResponsePoint{eps,          spread.median, selectivity,
                       spread.least, spread.most,   int(seconds.size())};
}

}  // namespace

TimeSpread spreadOf(std::vector<double> seconds) {
  if (seconds.empty()) return {};
  std::sort(seconds.begin(), seconds.end());
  const std::size_t middle = seconds.size() / 2;
  const double median =
      seconds.size() % 2 == 1 ? seconds[middle] : (seconds[middle - 1] + seconds[middle]) / 2;
  return {median, seconds.front(), seconds.back()};
}

Comparison::Comparison(const SessionData& data, const ClusterRun& run, const LoadLab& lab,
                       const Parameters& parameters, JobQueue& jobs, QObject* parent)
    : QObject(parent), data_(data), run_(run), lab_(lab), parameters_(parameters), jobs_(jobs) {
  connect(&data_, &SessionData::cloudChanged, this, &Comparison::clear);
  connect(&jobs_, &JobQueue::ended, this, [this](quint64, JobKind kind) {
    if (kind == JobKind::Compare) Q_EMIT changed();
  });
}

void Comparison::clear() {
  cancel();
  cloud_.reset();
  runs_.clear();
  sweep_.clear();
  backend_.clear();
  Q_EMIT changed();
}

Receiver<QString> Comparison::namesBackend() {
  return Receiver<QString>([this](const QString& description) {
    if (std::exchange(backend_, description) != description) Q_EMIT changed();
  });
}

std::vector<PaperStrategy> Comparison::asAsked(const std::vector<PaperStrategy>& strategies) const {
  std::vector<PaperStrategy> asked = strategies;
  for (PaperStrategy& paper : asked) {
    paper.strategy = asJoin(paper.strategy);
    if (paper.strategy.method == Method::Grid)
      paper.strategy.indexedDims = parameters_.strategy.indexedDims;
  }
  return asked;
}

std::vector<std::shared_ptr<BackendSlot>> Comparison::slotsOf(
    const std::vector<PaperStrategy>& strategies) const {
  std::vector<std::shared_ptr<BackendSlot>> slots;
  for (const PaperStrategy& paper : strategies)
    slots.push_back(isShared(paper) ? run_.hybridSlot() : run_.backendSlot());
  return slots;
}

void Comparison::findHybrid() {
  auto slot = run_.hybridSlot();
  hybrid_.update(slot, {}, [slot](const Task&) -> Result<QString> {
    const auto backend = slot->get();
    return backend ? QString() : QString::fromStdString(backend.error().message);
  });
}

bool Comparison::isPossible() const { return run_.canRun() && data_.euclideanCloud(); }

bool Comparison::begin(const std::vector<PaperStrategy>& strategies) {
  if (!isPossible() || strategies.empty()) return false;
  runs_.clear();
  sweep_.clear();
  sweepFailure_.clear();
  cloud_ = data_.cloud();
  eps_ = parameters_.dbscan.eps;
  backend_ = run_.backendDescription();
  return true;
}

void Comparison::startSweep(const std::vector<PaperStrategy>& strategies, LoadKernel kernel,
                            int repeats) {
  if (!begin(strategies)) return;
  sweepKernel_ = kernel;
  constexpr double kSpan = 4;
  constexpr int kSteps = 9;
  for (const PaperStrategy& paper : strategies) sweep_.push_back({paper.name.toStdString(), {}});
  const auto values = geometricEps(eps_ / kSpan, eps_ * kSpan, kSteps);
  if (!values) return;
  struct PointOfCurve {
    std::size_t curve;
    Result<ResponsePoint> point;
  };
  const Receiver<PointOfCurve> takes([this](const PointOfCurve& made) {
    if (made.point)
      sweep_[made.curve].points.push_back(*made.point);
    else
      sweepFailure_ = QString::fromStdString(made.point.error().message);
    Q_EMIT changed();
  });
  jobs_.start(JobKind::Compare, tr("Times over ε"),
              [takes, names = namesBackend(), repeats, kernel, slots = slotsOf(strategies),
               cloud = cloud_, values = *values, asked = asAsked(strategies)](const Job& job) {
                for (const double eps : values)
                  for (std::size_t i = 0; i < asked.size(); ++i) {
                    auto backend = slots[i]->get();
                    if (!backend) continue;  // the run reports it
                    if (!isShared(asked[i])) names.deliver(job, engineList((*backend)->describe()));
                    auto point = timedAt(**backend, *cloud, eps, asked[i].strategy, kernel, repeats,
                                         job.task());
                    if (job.task().cancelled()) return;
                    takes.deliver(job, {i, std::move(point)});
                  }
              });
  Q_EMIT changed();
}

void Comparison::start(const std::vector<PaperStrategy>& strategies, LoadKernel kernel,
                       int repeats) {
  if (!begin(strategies)) return;
  const std::vector<PaperStrategy> asked = asAsked(strategies);
  const Receiver<ComparedRun> takes([this](const ComparedRun& run) {
    runs_.push_back(run);
    Q_EMIT changed();
  });
  jobs_.start(JobKind::Compare, tr("Comparing strategies"),
              [takes, names = namesBackend(), slots = slotsOf(asked), cloud = cloud_, eps = eps_,
               asked, kernel, repeats, machine = lab_.machine(),
               unweighted = lab_.isUnweighted()](const Job& job) {
                std::vector<std::uint32_t> first;
                for (std::size_t i = 0; i < asked.size(); ++i) {
                  const PaperStrategy& paper = asked[i];
                  Counted counted;
                  if (auto backend = slots[i]->get()) {
                    if (!isShared(paper)) names.deliver(job, engineList((*backend)->describe()));
                    counted = countedBy(**backend,
                                        {cloud, eps, paper.strategy, kernel, machine, unweighted},
                                        paper, repeats, job.task());
                  } else {
                    if (!isShared(paper)) return;  // the run reports it
                    counted.run.name = paper.name;
                    counted.run.strategy = paper.strategy;
                    counted.run.shared = true;
                    counted.run.failure = QString::fromStdString(backend.error().message);
                  }
                  if (job.task().cancelled()) return;
                  if (counted.run.failure.isEmpty()) {
                    if (first.empty()) first = counted.counts;
                    counted.run.identical = counted.repeatable && counted.counts == first;
                  }
                  takes.deliver(job, std::move(counted.run));
                }
              });
  Q_EMIT changed();
}

void Comparison::cancel() { jobs_.cancel(JobKind::Compare); }

bool Comparison::isRunning() const { return jobs_.isActive(JobKind::Compare); }

bool Comparison::isCurrent() const {
  return cloud_ && cloud_ == data_.cloud() && eps_ == parameters_.dbscan.eps;
}

GainCauses Comparison::causesOf(const ComparedRun& run) const {
  if (!run.report) return {};
  const auto first = std::find_if(runs_.begin(), runs_.end(), [&](const ComparedRun& other) {
    return other.succeeded() && other.report && other.report->measured == run.report->measured;
  });
  if (first == runs_.end()) return {};
  return gainCauses(*first->report, *run.report);
}

DataTable Comparison::table() const {
  DataTable table{{"strategy",
                   "options",
                   "points",
                   "eps",
                   "load",
                   "wee_percent",
                   "wee_error_percent",
                   "modelled_wee_percent",
                   "steps",
                   "warps_end_seconds",
                   "gain",
                   "gain_by_searches",
                   "gain_by_comparisons",
                   "gain_by_lanes",
                   "gain_by_tail",
                   "gain_by_memory_and_rest",
                   "warps",
                   "batches",
                   "distance_calculations",
                   "candidates",
                   "pairs",
                   "index_and_join_median_seconds",
                   "index_and_join_least_seconds",
                   "index_and_join_most_seconds",
                   "runs",
                   "backend",
                   "identical",
                   "imbalance_percent",
                   "gpu_share_of_candidates_percent"},
                  {}};
  for (const ComparedRun& run : runs_) {
    if (!run.succeeded()) continue;
    const LoadReport* const report = run.report.get();
    // Of the warps, which only joins by the grid have.
    const auto ofWarps = [&](auto number) {
      return report == nullptr ? std::string() : exactNumber(number(*report));
    };
    const auto ofGain = [&](auto factor) {
      const std::optional<double> known =
          report == nullptr ? std::nullopt : std::optional<double>(factor(causesOf(run)));
      return known ? exactNumber(*known) : std::string();
    };
    // Of both processors, which only shared joins have.
    const auto ofBoth = [&](double SharedPass::*share) {
      return run.stats.passes.empty() ? std::string()
                                      : exactNumber(100 * (run.stats.passes.front().*share));
    };
    const TimeSpread spread = spreadOf(run.seconds);
    table.rows.push_back({run.name.toStdString(),
                          describe(run.strategy),
                          exactNumber(points()),
                          exactNumber(eps_),
                          report == nullptr  ? ""
                          : report->measured ? "measured"
                                             : "modelled",
                          ofWarps([](const LoadReport& r) { return 100 * r.wee; }),
                          ofWarps([](const LoadReport& r) { return 100 * r.weeError; }),
                          ofWarps([&](const LoadReport& r) {
                            return 100 * (run.predicted ? run.predicted->wee : r.wee);
                          }),
                          ofWarps(stepsOfAllWarps),
                          ofWarps([](const LoadReport& r) { return secondsOf(r, r.makespan); }),
                          ofGain([](const GainCauses& c) { return c.all(); }),
                          ofGain([](const GainCauses& c) { return c.searches; }),
                          ofGain([](const GainCauses& c) { return c.comparisons; }),
                          ofGain([](const GainCauses& c) { return c.lanes; }),
                          ofGain([](const GainCauses& c) { return c.tail; }),
                          ofGain([](const GainCauses& c) { return c.memory; }),
                          ofWarps([](const LoadReport& r) { return r.allWarps; }),
                          ofWarps([](const LoadReport& r) {
                            return std::max<std::size_t>(r.batchBegin.size(), 1) - 1;
                          }),
                          exactNumber(run.distanceCalculations()),
                          exactNumber(run.candidates),
                          exactNumber(run.pairs),
                          exactNumber(spread.median),
                          exactNumber(spread.least),
                          exactNumber(spread.most),
                          std::to_string(run.seconds.size()),
                          run.stats.backend,
                          run.identical ? "yes" : "no",
                          ofBoth(&SharedPass::imbalance),
                          ofBoth(&SharedPass::gpuCandidates)});
  }
  return table;
}

}  // namespace clusterloom
