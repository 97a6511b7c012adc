#pragma once

#include <array>
#include <cstddef>

#include "engine/io/read.h"

namespace clusterloom {

/// The passes of a run in blocks, in order: over the files, over the files once more, over the
/// blocks, over the blocks once more where new points are labelled, and over the rows.
enum class BlockPass { Count, Scatter, Work, Label, Write };

/// What decides how long the passes take, as far as it is known.
struct BlockVolume {
  double fileBytes = 0;   ///< of the files, each counted costOfByte times
  double blockBytes = 0;  ///< of the points in blocks, with halos
  double queryBytes = 0;  ///< of new points in blocks
  double rows = 0;        ///< that get a result; 0: no results are written
  bool onGpu = false;
};

/// How many times as long a byte of such a file takes as one that is only copied.
double costOfByte(Format format);

/// How the progress of a run is divided among its passes: by bytes that are moved, each weighed by
/// what is done with it. Pure.
class BlockProgress {
 public:
  explicit BlockProgress(const BlockVolume& volume);
  /// From this pass on the volume is another one than was expected; what is done keeps its share.
  void expect(BlockPass from, const BlockVolume& volume);
  /// The progress of the run when `done` of a pass is done, both in [0, 1].
  double at(BlockPass pass, double done) const;

 private:
  static constexpr std::size_t kPasses = 5;
  std::array<double, kPasses + 1> begins_{};  ///< of each pass, and the end
};

}  // namespace clusterloom
