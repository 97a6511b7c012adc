#include "engine/join/batch_model.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace clusterloom {

double BatchModel::batchesFor(double volume, double pairs) const {
  return std::max(1.0, std::ceil(volume * batches * batchPairs / pairs));
}

double BatchModel::predict(double volume, double pairs) const {
  return joining * volume + perBatch * batchesFor(volume, pairs) + streams * buffersFor(pairs);
}

double BatchModel::bestBatch(double volume, double least, double most) const {
  // θ·c/b + S·t·b, c pairs in all, is least at √(θ·c / (S·t)); n_b is an integer, so its neighbours
  // are tested too. Of equal times the larger batch is taken, which needs fewer launches.
  const double all = volume * batches * batchPairs;
  const double growth = streams * buffersPerPair;
  double best = most;
  const auto consider = [&](double pairs) {
    pairs = std::clamp(pairs, least, most);
    if (predict(volume, pairs) < predict(volume, best)) best = pairs;
  };
  consider(least);
  if (growth > 0) {
    const double count = std::sqrt(all * growth / std::max(perBatch, 1e-12));
    for (const double n : {std::floor(count), std::ceil(count)})
      if (n >= 1) consider(all / n);
  }
  return best;
}

Result<BatchModel> fitBatchModel(const BatchedRun& alpha, const BatchedRun& beta, int streams,
                                 double noise) {
  if (alpha.batches == beta.batches)
    return badInput("Both runs have " + std::to_string(alpha.batches) +
                    " batches; the cost of a batch follows only from two different numbers of "
                    "batches.");
  const double pure = alpha.response - streams * alpha.buffers;
  const double other = beta.response - streams * beta.buffers;
  if (std::abs(pure - other) <= noise)
    return badInput("The runs differ by " + std::to_string(std::abs(pure - other)) +
                    " s, which is within the noise of " + std::to_string(noise) +
                    " s: the cost of batches is too small to be measured, and nothing is fitted.");
  BatchModel model{
      .batchPairs = alpha.batchPairs, .batches = double(alpha.batches), .streams = streams};
  model.perBatch = std::abs(pure - other) / std::abs(double(alpha.batches) - double(beta.batches));
  model.joining = pure - model.perBatch * model.batches;
  const double most = alpha.buffers / alpha.batchPairs;
  const double apart = alpha.batchPairs - beta.batchPairs;
  model.buffersPerPair =
      apart == 0 ? most : std::clamp((alpha.buffers - beta.buffers) / apart, 0.0, most);
  model.buffersAtLeast = alpha.buffers - model.buffersPerPair * alpha.batchPairs;
  return model;
}

double workloadRatio(double from, double to, int dims) { return std::pow(to / from, dims); }

}  // namespace clusterloom
