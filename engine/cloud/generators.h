#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/cloud/dataset.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

/// The input of `generate`. The same spec gives the same bits on every machine and library.
struct GeneratorSpec {
  std::string kind = "blobs";  ///< one of generatorKinds()
  std::size_t points = 10000;
  std::size_t dims = 2;
  std::uint64_t seed = 1;
};

/// A kind of cloud that can be generated, with a one-line description.
struct GeneratorKind {
  std::string name;
  std::string summary;
  std::size_t minDims;
  std::size_t maxDims;
};

/// unif ([0, 100] per dimension), expo (λ = 40 raw; [Gallet 2019], [Gowanlock 2018], [Gallet 2020],
/// [Gowanlock 2019]), blobs, moons, rings, varied (clusters of varied density), lattice (integer
/// coordinates), spiral, and shapes (a mixture with noise, of which the bundled samples are made).
const std::vector<GeneratorKind>& generatorKinds();

/// Makes the cloud; an attribute "truth" holds the generating component where there is one.
///
/// Example:
///
///     const auto made = generate({.kind = "moons", .points = 5000, .seed = 7});
///     if (!made) return tl::unexpected(made.error());
///     const PointCloud& cloud = made->cloud;
///
/// Performance. Time as n·d, by one thread. 8·(d + 1) bytes a point.
///
/// Errors. BadCall for an unknown kind, no points, too many points or unsupported dimensions;
/// TooLarge, before it is made, for a cloud that does not fit into memory; Cancelled.
Result<Dataset> generate(const GeneratorSpec& spec, const Task& task = {});

/// A synthetic data set of the papers by its name there: "Expo2D2M" (exponential, 2 dimensions, 2
/// million points), "Unif6D2M" [Gallet 2019, table I], "Syn4D10M" (uniform too) and "SynExpo2D2M"
/// [Gowanlock 2018, table 2]. "Syn16D2M" of [Gowanlock 2019] is exponential, so "Expo16D2M" here.
/// The seed is the default one: the papers name none. nullopt for another name, and for one with
/// more dimensions or points than a cloud may have.
std::optional<GeneratorSpec> paperCloud(const std::string& name);

/// ε at which a cloud of `points` points made in the same way has about as many neighbours per
/// point as one of `ofPoints` points at `eps`: the density falls with the number of points, and the
/// volume within ε grows with ε^dims.
double epsOfSameSelectivity(double eps, std::size_t ofPoints, std::size_t points, std::size_t dims);

}  // namespace clusterloom
