#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/cloud/generators.h"
#include "engine/cloud/random_stream.h"

namespace clusterloom {

/// Makes point `index` from its own random stream into `point` (one coordinate per dimension) and
/// returns the component that made it, −1 for noise.
using PointMaker =
    std::function<int(std::uint64_t index, RandomStream& random, std::span<double> point)>;

/// A kind of cloud with the function that makes its points.
struct CloudRecipe {
  GeneratorKind kind;
  bool hasTruth;  ///< whether points have a component to keep
  PointMaker (*makerFor)(const GeneratorSpec& spec);
};

/// Every kind, in the order in which generatorKinds() lists them.
const std::vector<CloudRecipe>& cloudRecipes();

// The kinds whose points come from components; see generatorKinds() for what they are.
PointMaker blobsMaker(const GeneratorSpec& spec);
PointMaker variedMaker(const GeneratorSpec& spec);
PointMaker moonsMaker(const GeneratorSpec& spec);
PointMaker ringsMaker(const GeneratorSpec& spec);
PointMaker spiralMaker(const GeneratorSpec& spec);
PointMaker shapesMaker(const GeneratorSpec& spec);

}  // namespace clusterloom
