#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "render/scene/display_space.h"
#include "render/scene/point_colours.h"

namespace clusterloom {

/// The colours of drawn points, 4 bytes each as from colourPoints. They are made block by block
/// (PointBlock) when they are first needed, so that new labels of a large cloud are on the screen
/// before all of its points have colours. Several threads may use one; what was made stays.
class DrawnColours {
 public:
  /// Writes the colours of drawn points, of which `first` is the first one. It is called from
  /// several threads, for different points, and starts no parallel work.
  using Make = std::function<void(std::size_t first, std::span<std::uint8_t> bytes)>;

  DrawnColours() = default;  ///< of no points
  /// Colours that are there.
  DrawnColours(std::vector<std::uint8_t> bytes);  // NOLINT: so that functions take either
  DrawnColours(std::shared_ptr<const DisplayPoints> points, Make make);

  std::size_t points() const { return bytes_.size() / 4; }
  /// Makes the colours of a block, unless they are there.
  void need(std::size_t block) const;
  /// The same for several, in parallel where they are many.
  void need(std::span<const std::uint32_t> blocks) const;
  /// The same for the first drawn points.
  void needFirst(std::size_t points) const;
  /// The bytes of all points; only those that were needed mean something.
  std::span<const std::uint8_t> bytes() const { return bytes_; }
  /// The bytes of all points, which are made in parallel.
  std::span<const std::uint8_t> all() const;
  /// The layer of a drawn point.
  DrawLayer layerOf(std::size_t drawn) const;

 private:
  mutable LargeArray<std::uint8_t> bytes_;
  std::shared_ptr<const DisplayPoints> points_;  ///< null: all colours are there
  Make make_;
  std::unique_ptr<std::once_flag[]> made_;  ///< of each block
};

}  // namespace clusterloom
