#include "engine/load/simt_backend.h"

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <new>

#include "engine/load/load_model.h"

namespace clusterloom {
namespace {

class SimtBackend final : public Backend {
 public:
  explicit SimtBackend(int threads)
      : threads_(threads > 0 ? threads : tbb::info::default_concurrency()) {}

  std::string_view name() const override { return kSimtLimits.name; }
  BackendLimits limits() const override { return kSimtLimits; }
  std::string describe() const override {
    const SimtMachine machine;
    return "model of a GPU with " + std::to_string(machine.multiprocessors) +
           " multiprocessors of " + std::to_string(machine.warpsPerMultiprocessor) + " warps";
  }
  Result<NeighbourCounts> count(const JoinInput&, double, const Strategy&,
                                const Task&) const override {
    return refused();
  }
  Result<PairList> pairs(const JoinInput&, double, const Strategy&, const Task&) const override {
    return refused();
  }
  Result<NeighbourTable> neighbourTable(const JoinInput&, double, const Strategy&,
                                        const Task&) const override {
    return refused();
  }
  Result<DistanceHistogram> histogram(const JoinInput&, double, int, const Strategy&,
                                      const Task&) const override {
    return refused();
  }
  Result<LowestLabels> lowestLabels(const JoinInput&, std::span<const std::int32_t>, double,
                                    const Strategy&, const Task&) const override {
    return refused();
  }
  Result<Clustering> dbscan(const JoinInput&, const DbscanParams&, const Strategy&,
                            const Task&) const override {
    return refused();
  }
  Result<LoadReport> load(const PointCloud& cloud, double eps, const Strategy& strategy,
                          const LoadRequest& request, const Task& task) const override {
    try {
      tbb::task_arena arena(threads_);
      return arena.execute([&] { return modelLoad(cloud, eps, strategy, request, task); });
    } catch (const std::bad_alloc&) {
      return tooLarge(
          "Not enough memory for the model. Use a smaller cloud, or more pairs per batch.");
    }
  }

 private:
  static tl::unexpected<Error> refused() {
    return badCall(
        "The backend simt models what a GPU's warps would do and finds no pairs; it is for "
        "the load. Choose auto, cpu or cuda for clusters and joins.");
  }

  int threads_;
};

}  // namespace

std::unique_ptr<Backend> makeSimtBackend(int threads) {
  return std::make_unique<SimtBackend>(threads);
}

}  // namespace clusterloom
