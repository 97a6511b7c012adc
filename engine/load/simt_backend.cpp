#include "engine/load/simt_backend.h"

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include "engine/core/within_memory.h"
#include "engine/joins_by.h"
#include "engine/load/load_model.h"

namespace clusterloom {
namespace {

class SimtBackend final : public JoinsBy<SimtBackend> {
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
  template <class T>
  Result<T> join(const JoinCall<T>&) const {
    return badCall(
        "The backend simt models what a GPU's warps would do and finds no pairs; it is for "
        "the load. Choose auto, cpu or cuda for clusters and joins.");
  }
  Result<LoadReport> load(const PointCloud& cloud, double eps, const Strategy& strategy,
                          const LoadRequest& request, const Task& task) const override {
    return withinMemory(
        [&] {
          tbb::task_arena arena(threads_);
          return arena.execute([&] { return modelLoad(cloud, eps, strategy, request, task); });
        },
        "Not enough memory for the model. Use a smaller cloud, or more pairs per batch.");
  }

 private:
  int threads_;
};

}  // namespace

std::unique_ptr<Backend> makeSimtBackend(int threads) {
  return std::make_unique<SimtBackend>(threads);
}

}  // namespace clusterloom
