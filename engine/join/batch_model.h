#pragma once

#include <cstdint>

#include "engine/core/result.h"

namespace clusterloom {

/// One measured run of a batched join at one ε [Gowanlock 2018, §5.4.1]. Times in seconds.
struct BatchedRun {
  double response = 0;        ///< R, all of it
  double batchPairs = 0;      ///< b_s
  std::uint64_t batches = 0;  ///< n_b
  double buffers = 0;         ///< T2(b_s): taking the buffers of one stream
};

/// The response time of a batched join as a function of its batch size and of its workload:
/// T = T1·V + θ·n_b + S·T2(b_s) [Gowanlock 2018, §5.4, equation 4].
struct BatchModel {
  double joining = 0;         ///< T1, without the cost of batches and buffers
  double perBatch = 0;        ///< θ
  double buffersAtLeast = 0;  ///< T2 at 0 pairs: memory is locked in pieces of one size
  double buffersPerPair = 0;  ///< slope of T2 in b_s
  double batchPairs = 0;      ///< b_s of run α …
  double batches = 0;         ///< … and its n_b
  int streams = 3;            ///< S

  /// n_b for `volume` times the workload of run α (equation 3).
  double batchesFor(double volume, double pairs) const;
  /// T2 in seconds.
  double buffersFor(double pairs) const { return buffersAtLeast + buffersPerPair * pairs; }
  /// T in seconds.
  double predict(double volume, double pairs) const;
  /// The batch size of least predicted time between `least` and `most` pairs.
  double bestBatch(double volume, double least, double most) const;
};

/// Fits the model to two runs of different batch sizes at one ε. The paper takes T2 as proportional
/// to b_s; here T2 is the line through both runs, which neither falls with b_s nor is below 0.
/// BadInput, with the reason, where the runs do not suffice: equal numbers of batches, or a
/// difference between their times that is not above `noise`, the spread of repeated runs in
/// seconds.
Result<BatchModel> fitBatchModel(const BatchedRun& alpha, const BatchedRun& beta, int streams,
                                 double noise);

/// V: how the workload grows from `from` to `to`, the ratio of the balls' volumes in `dims`
/// dimensions [Gowanlock 2018, §5.4.2]. Where the cloud is not uniform the ratio of two sampled
/// result sizes is the better one.
double workloadRatio(double from, double to, int dims);

}  // namespace clusterloom
