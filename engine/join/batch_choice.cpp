#include "engine/join/batch_choice.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "engine/join/batch_estimate.h"
#include "engine/join/batch_model.h"

namespace clusterloom {
namespace {

constexpr double kMostBatches = 4096;
constexpr double kNoise = 0.02;  // of the time, where no run was repeated

double medianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Repeated runs at one ε with one number of batches.
struct Repeats {
  double pairs = 0;
  int streams = 1;
  std::vector<double> seconds;
  std::vector<double> buffers;

  double spread() const {
    const auto [low, high] = std::minmax_element(seconds.begin(), seconds.end());
    return *high - *low;
  }
};

using ByBatches = std::map<std::uint64_t, Repeats>;  // at one ε

BatchedRun asMeasured(const ByBatches::value_type& entry) {
  return {.response = medianOf(entry.second.seconds),
          .batchPairs = entry.second.pairs / double(entry.first),
          .batches = entry.first,
          .buffers = medianOf(entry.second.buffers)};
}

struct Fitted {
  BatchModel model;
  double pairs = 0;  // of run α
};

// By the fewest and the most batches at one ε: what lies furthest apart is fitted best.
Result<Fitted> fit(const ByBatches& runs) {
  const auto& [fewest, few] = *runs.begin();
  const auto& [most, many] = *runs.rbegin();
  double noise = 0;
  for (const auto& [batches, repeats] : runs) noise = std::max(noise, repeats.spread());
  if (noise == 0) noise = kNoise * std::max(medianOf(few.seconds), medianOf(many.seconds));
  auto model =
      fitBatchModel(asMeasured(*runs.begin()), asMeasured(*runs.rbegin()), few.streams, noise);
  if (!model) return tl::unexpected(model.error());
  return Fitted{*model, few.pairs};
}

BatchPrediction predictionOf(const BatchModel& model, double volume, double pairs) {
  return {.predicted = model.predict(volume, pairs),
          .joining = model.joining,
          .volume = volume,
          .perBatch = model.perBatch,
          .batches = model.batchesFor(volume, pairs),
          .buffers = model.buffersFor(pairs),
          .streams = model.streams};
}

// By the runs of this work on this machine.
BatchChoice chosenBatch(std::span<const BatchRun> runs, const BatchWork& work) {
  std::map<double, ByBatches> byEps;
  for (const BatchRun& run : runs) {
    if (run.machine != work.machine || run.work != work.work || run.batches < 2) continue;
    Repeats& repeats = byEps[run.eps][run.batches];
    repeats.pairs = double(run.pairs);
    repeats.streams = std::max(1, run.streams);
    repeats.seconds.push_back(run.seconds);
    repeats.buffers.push_back(run.buffers);
  }
  const std::string standard = "the standard batch size was used.";
  if (byEps.empty())
    return {.note = "No earlier batched run of this kind is known for this device: " + standard};

  const ByBatches* nearest = nullptr;
  double nearestEps = 0;
  for (const auto& [eps, measured] : byEps) {
    if (measured.size() < 2) continue;
    const auto distance = [&](double from) { return std::abs(std::log(from / work.eps)); };
    if (nearest == nullptr || distance(eps) < distance(nearestEps)) {
      nearest = &measured;
      nearestEps = eps;
    }
  }
  const auto here = byEps.find(work.eps);
  if (nearest == nullptr) {
    if (here == byEps.end())
      return {.note = "Earlier batched runs on this device are too few for the batch-size model: " +
                      standard};
    const auto& [batches, repeats] = *here->second.begin();
    const double half = repeats.pairs / double(batches) / 2;
    return {.batchPairs = std::uint64_t(std::max(1.0, std::ceil(half))),
            .note =
                "Half the batch size of the earlier run was used, so that the batch-size model "
                "can be fitted to both."};
  }
  const auto fitted = fit(*nearest);
  if (!fitted)
    return {.note = "The batch-size model could not be fitted: " + fitted.error().message + ' ' +
                    "The standard batch size was used."};
  const double volume = here != byEps.end()
                            ? here->second.begin()->second.pairs / std::max(1.0, fitted->pairs)
                            : workloadRatio(nearestEps, work.eps, work.dims);
  const double pairs = std::max(1.0, volume * fitted->pairs);
  if (work.batchPairs > 0) {
    const int streams = fitted->model.streams;
    const auto size = batchPairsFor(pairs, work.batchPairs, leastBatches(work.batchPairs, streams));
    return {.prediction = predictionOf(fitted->model, volume, double(size))};
  }
  const double most =
      std::max(pairs / fitted->model.streams, std::min(pairs, double(kLeastBatchPairs)));
  const double least = std::min(most, std::max(1.0, std::ceil(pairs / kMostBatches)));
  const double best = fitted->model.bestBatch(volume, least, most);
  return {.batchPairs = std::uint64_t(std::max(1.0, std::floor(best))),
          .prediction = predictionOf(fitted->model, volume, best),
          .note = "The batch size is that of least predicted time by earlier runs."};
}

}  // namespace

BatchChoice chooseBatch(std::span<const BatchRun> runs, const BatchWork& work) {
  BatchChoice choice = chosenBatch(runs, work);
  if (work.batchPairs == 0) return choice;
  return {.batchPairs = work.batchPairs, .prediction = choice.prediction};
}

}  // namespace clusterloom
