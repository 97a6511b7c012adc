#include "ui/session/file_row.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/paint/ticks.h"

namespace clusterloom {

FileRow fileRowOf(const PickedRow& picked, std::shared_ptr<const DisplayPoints> in,
                  const Scaling& scaling) {
  FileRow row;
  row.row = picked.row;
  row.xyz = picked.xyz;
  const DisplaySpace& space = in->space;
  for (int axis = 0; axis < space.axes; ++axis) {
    const auto a = std::size_t(axis);
    const auto place = double(picked.xyz[a]);
    double value = space.toValue(axis, place);
    // Between two neighbouring floats.
    double step = std::max(0.5, std::abs(place)) * 0x1p-23 / std::abs(space.scale[a]);
    const auto dimension = std::size_t(space.dims[a]);
    if (space.kind == ViewAxes::Kind::Dimensions && scaling.kind != Scaling::Kind::None &&
        scaling.factor[dimension] != 0) {
      value = value / scaling.factor[dimension] + scaling.offset[dimension];
      step /= std::abs(scaling.factor[dimension]);
    }
    constexpr int kMostDigits = 15;
    const double digits = std::floor(std::log10(std::abs(value) / step)) + 1;
    row.coordinates.emplace_back(
        space.names[a],
        digits >= 1 ? roundedTo(value, int(std::min<double>(digits, kMostDigits))) : 0);
  }
  row.in = std::move(in);
  return row;
}

void FileRowSet::add(std::uint64_t row) {
  if (row >= rows.size()) rows.resize(std::max<std::uint64_t>(row + 1, 2 * rows.size()));
  if (rows[row]) return;
  rows[row] = true;
  ++count;
}

}  // namespace clusterloom
