#pragma once

#include <optional>
#include <string>

#include "engine/cloud/generators.h"

namespace clusterloom {

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
