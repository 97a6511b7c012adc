#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/cloud/scaling.h"
#include "render/scene/row_values.h"
#include "render/scene/stored_labels.h"
#include "ui/view/scene_content.h"

namespace clusterloom {

/// What decides the colours of the points of a file, of which the cloud has one row of `every`.
/// They have the labels of a run over all rows, or the colour of their own value. Otherwise only
/// the rows of the cloud have a colour: the others recede as noise does, also where they are
/// selected, and are hidden with it, or, before there are clusters, look the same.
struct StoredColouring {
  std::uint64_t every = 1;
  FileRowSelection kept;      ///< the others are not drawn; null: all are
  FileRowSelection selected;  ///< stand out from the others; null: none do
  Background background = Background::Dark;
  bool isPlain = true;                         ///< nothing is coloured yet
  std::shared_ptr<const StoredLabels> labels;  ///< of clusters that colour the cloud; null: none
  std::shared_ptr<const std::vector<std::int32_t>> clusterColours;
  std::vector<std::int32_t> highlighted;
  std::vector<std::int32_t> hidden;
  int axis = -1;     ///< whose coordinate gives the colour; −1: none
  double shift = 0;  ///< the coordinate is shift + factor · its place
  double factor = 1;
  ScalarScale scale;
  std::shared_ptr<const RowValues> values;  ///< that give the colour; null: none
  bool isTrueColour = false;                ///< they are colours
  std::size_t categories = 0;               ///< they are codes of so many; 0: numbers

  /// How many rows take part; nullopt: all.
  std::optional<std::uint64_t> shown() const {
    return kept ? std::optional(kept->count) : std::nullopt;
  }
  bool operator==(const StoredColouring& other) const;
};

/// How all points are coloured in a picture: `content` was made from `request`. `labels` are those
/// of the request's result, `values` those of its values, or null.
StoredColouring storedColouring(const SceneRequest& request, const SceneContent& content,
                                int dimension, const Scaling& scaling,
                                std::shared_ptr<const StoredLabels> labels,
                                std::shared_ptr<const RowValues> values);

/// Colours the points of a block; the rows that the cloud has are left to it. One thread at a time
/// may call it.
StoredColourer storedColourer(const StoredColouring& colouring);

}  // namespace clusterloom
