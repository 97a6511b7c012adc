#include "engine/hierarchy/cosine_hierarchy.h"

#include <utility>

#include "engine/cloud/directions.h"
#include "engine/core/parallel_for.h"
#include "engine/hierarchy/hierarchy_builder.h"

namespace clusterloom {
namespace {

constexpr std::size_t kValuesAtOnce = 8192;

void toCosine(LargeArray<double>& squaredChords) {
  parallelFor(squaredChords.size(), kValuesAtOnce,
              [&](std::size_t i) { squaredChords[i] = squaredCosine(squaredChords[i]); });
}

Hierarchy inCosine(const Hierarchy& ofChords) {
  HierarchyArrays arrays = HierarchyBuilder::arraysOf(ofChords);
  for (LargeArray<double>* values : {&arrays.squaredCore, &arrays.dendrogram.squaredWeights,
                                     &arrays.borders.squaredReach, &arrays.firstReach})
    toCosine(*values);
  for (EarlyPoint& early : arrays.early) early.squaredCore = arrays.squaredCore[early.point];
  return HierarchyBuilder::of(std::move(arrays));
}

}  // namespace

Result<void> checkCosine(const std::vector<double>& periods) {
  if (periods.empty()) return {};
  return badCall("Cosine distances are those of directions: leave out the periods.");
}

double squaredCosine(double squaredChord) {
  const double eps = cosineOfChord(squaredChord);
  return eps * eps;
}

Result<Hierarchy> cosineHierarchy(const PointCloud& cloud, const HierarchyOptions& options,
                                  const ChordHierarchy& ofChords, const Task& task) {
  if (auto fine = checkCosine(options.periods); !fine) return tl::unexpected(fine.error());
  if (auto valid = HierarchyBuilder::check(cloud, options); !valid)
    return tl::unexpected(valid.error());
  return HierarchyBuilder::onArena(options.threads, [&]() -> Result<Hierarchy> {
    const auto vectors = directions(cloud, task);
    if (!vectors) return tl::unexpected(vectors.error());
    HierarchyOptions euclidean = options;
    euclidean.metric = Metric::Euclidean;
    const auto chords = ofChords(*vectors, euclidean);
    if (!chords) return tl::unexpected(chords.error());
    return inCosine(*chords);
  });
}

}  // namespace clusterloom
