#include "engine/core/number_signs.h"

#include <algorithm>
#include <utility>

namespace clusterloom {
namespace {

NumberSigns& current() {
  static NumberSigns signs;
  return signs;
}

}  // namespace

const NumberSigns& numberSigns() { return current(); }

void setNumberSigns(NumberSigns signs) { current() = std::move(signs); }

std::string withSigns(std::string number, Groups groups) {
  const std::size_t point = number.find('.');
  std::size_t end = std::min(point, number.size());
  if (point != std::string::npos) number.replace(point, 1, current().decimal);
  if (groups == Groups::None || number.find('e') != std::string::npos) return number;
  const std::size_t first = number.front() == '-' ? 1 : 0;
  for (; end > first + 3; end -= 3) number.insert(end - 3, current().group);
  return number;
}

}  // namespace clusterloom
