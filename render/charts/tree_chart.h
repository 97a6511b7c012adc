#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "engine/hierarchy/hdbscan.h"
#include "engine/hierarchy/tree_shape.h"
#include "render/charts/chart.h"

namespace clusterloom {

/// What the chart shows: the condensed tree of HDBSCAN* and which of its clusters are taken.
struct TreePicture {
  CondensedTree tree;
  TreeShape shape;
  FlatClusters flat;
};

/// The condensed tree: ε downwards (logarithmic), points across. Taken clusters have the colours of
/// the clusters on show, what lies below them a lighter shade, all others grey. A click calls
/// `onPick` with the cluster of the tree, and so do the arrow keys: up to the one that it is a part
/// of, down to its largest part, aside to the next of as many above it. The line of ε can be
/// dragged; wheel, + and − zoom across.
class TreeChart final : public EpsChart {
 public:
  TreeChart();
  MakeTable table() const override;
  std::uint64_t longTableRows() const override;
  /// nullptr empties the chart.
  void setData(std::shared_ptr<const TreePicture> picture);
  /// The palette index of each taken cluster, −1 for the colour of noise; empty: their numbers.
  void setColours(std::vector<std::int32_t> colours);
  /// Marks a cluster of the tree; −1: none.
  void setMarked(std::int32_t cluster);
  std::int32_t marked() const;
  void setOnPick(std::function<void(std::int32_t cluster)> onPick);

 private:
  struct Parts;
  Parts* parts_;
};

}  // namespace clusterloom
