#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/backend.h"
#include "engine/cloud/point_cloud.h"
#include "engine/cloud/scaling.h"
#include "engine/cloud/space.h"
#include "engine/core/result.h"
#include "engine/hierarchies.h"
#include "engine/join/strategy.h"

namespace clusterloom::cli {

/// Where and how a join runs, and in which units.
struct EngineOptions {
  std::string backend = "auto";
  BackendOptions backendOptions;
  Strategy strategy;
  ScalingChoice scaling;
  Space space;
};

/// Adds --scale.
void addScalingOption(CLI::App& parser, ScalingChoice& scaling);

/// Adds --threads. Where it is not given it is threadsOfTask().
void addThreadsOption(CLI::App& parser, int& threads);

/// Adds --backend, --device and --threads of nearest neighbours and hierarchies.
void addProcessorOptions(CLI::App& parser, HierarchyProcessor& processor, int& threads);

/// Adds --scale, --backend, --threads and the options of a strategy that every join has. The values
/// of the strategy are their defaults.
void addEngineOptions(
    CLI::App& parser, EngineOptions& options,
    const std::string& backends =
        "Where the joins run: auto, cpu, cuda or hybrid (CPU and GPU share each join)");

/// Adds --result-route, which only joins have.
void addJoinStrategyOptions(CLI::App& parser, EngineOptions& options);

/// Adds --devices, for ranks that divide a cloud.
void addRankDevices(CLI::App& parser, EngineOptions& options);

/// Adds --devices, --query-sets and --deal, for joins that several GPUs share.
void addDeviceOptions(CLI::App& parser, EngineOptions& options);

/// Adds --dense-cells and --early-stop, which only DBSCAN has.
void addDbscanStrategyOptions(CLI::App& parser, EngineOptions& options);

/// ε, given once or as a sweep.
struct EpsOptions {
  double eps = 0;
  std::string sweep;            ///< "A:B:N", or empty
  std::function<bool()> given;  ///< whether the call has --eps

  bool isSweep() const { return !sweep.empty(); }
};

/// Adds --eps and --sweep-eps, of which one is required.
void addEpsOptions(CLI::App& parser, EpsOptions& options);

/// The values of ε to run: one, or those of the sweep. BadCall.
Result<std::vector<double>> epsValues(const EpsOptions& options);
/// BadCall where a run in this space would refuse the first or the last of these ascending ε.
Result<void> checkSquares(const std::vector<double>& eps, const Space& space);

/// A cloud in the units in which it is clustered. Borrows the original where nothing is scaled.
class ScaledCloud {
 public:
  static Result<ScaledCloud> make(const ScalingChoice& choice, const PointCloud& original) {
    return make(choice, original, original);
  }
  /// By the offsets and factors of another cloud of the same dimensions.
  static Result<ScaledCloud> make(const ScalingChoice& choice, const PointCloud& original,
                                  const PointCloud& scaledBy);
  const PointCloud& cloud() const { return copy_ ? *copy_ : *original_; }
  const Scaling& scaling() const { return scaling_; }

 private:
  const PointCloud* original_ = nullptr;
  std::unique_ptr<PointCloud> copy_;
  Scaling scaling_;
};

/// CPU threads that Slurm gives to this task (SLURM_CPUS_PER_TASK) where the process may use more
/// processors, as without binding; 0 otherwise: as many as it may use.
int threadsOfTask();

/// The note where a call requests more threads than the processors to which this process is bound,
/// as srun and mpirun bind; empty where it is not bound, or to enough.
std::string boundText(int threads);

}  // namespace clusterloom::cli
