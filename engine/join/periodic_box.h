#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

/// A box whose opposite faces are one: the difference d of two coordinates of a periodic dimension
/// is min(|d|, L − |d|). A dimension of period 0 is not periodic.
struct PeriodicBox {
  std::vector<double> periods;  ///< one per dimension
};

/// The box of these periods, each rounded to 52 significant bits. BadCall unless there is one for
/// each dimension of `cloud`, finite and ≥ 0, and at least one is not 0.
Result<PeriodicBox> makePeriodicBox(const std::vector<double>& periods, const PointCloud& cloud);

/// BadCall unless ε is below half of each period: two points are then neighbours through at most
/// one image. `names` are those of the dimensions, for the message.
Result<void> checkEps(const PeriodicBox& box, double eps, const std::vector<std::string>& names);

/// The cloud with each periodic coordinate moved into [0, L) by a multiple of L and rounded to a
/// multiple of u = 2^-52 · 2^⌈log2 L⌉, a relative change of at most 2^-52 of L. L is a multiple of
/// u as well, so that sums and differences below 2L of coordinates and periods are exact: the
/// squared distances of a point from an image x + L or x − L and that by min(|d|, L − |d|) are
/// equal in every bit. Wrapping a wrapped cloud changes nothing. Cancelled.
Result<PointCloud> wrapped(const PointCloud& cloud, const PeriodicBox& box, const Task& task);

/// How many points a wrapped cloud has with the images within `reach`. A double, which no number of
/// dimensions overflows. Meaningless after a stop.
double pointsWithImages(const PointCloud& cloud, const PeriodicBox& box, double reach,
                        const Task& task);

/// A wrapped cloud followed by images of its points.
struct CloudWithImages {
  PointCloud cloud;
  std::vector<std::uint32_t> originals;  ///< of each image, the point that it repeats
};

/// Appends to a wrapped cloud the images of its points, moved by one period in one or more
/// dimensions, that lie within `reach` of the box in every dimension. TooLarge where the images
/// exceed kMaxPoints or the memory; Cancelled.
Result<CloudWithImages> withImages(PointCloud cloud, const PeriodicBox& box, double reach,
                                   const Task& task);

}  // namespace clusterloom
