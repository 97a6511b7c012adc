#include "ui/view/point_values.h"

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/cloud/las_origin.h"
#include "render/paint/ticks.h"
#include "ui/words/numbers.h"

namespace clusterloom {
namespace {

constexpr int kDoubleDigits = 15;  // that every decimal number keeps in a double

/// Whether a LAS file holds the column as integers, of which the reader makes numbers by a product
/// and a sum, whose last digits mean nothing.
bool isScaledInFile(const Dataset& dataset, const std::string& column) {
  if (!dataset.las) return false;
  if (column == "x" || column == "y" || column == "z") return true;
  const auto& extras = dataset.las->extras;
  return std::any_of(extras.begin(), extras.end(), [&](const LasOrigin::Extra& extra) {
    return extra.scaled && extra.name == column;
  });
}

QString doubleText(const Dataset& dataset, const std::string& column, double value) {
  return shortestText(isScaledInFile(dataset, column) ? roundedTo(value, kDoubleDigits) : value);
}

}  // namespace

QString coordinateText(const Dataset& dataset, std::size_t dimension, std::size_t point) {
  const double value = dataset.cloud.columns[dimension][point];
  const auto& types = dataset.coordinateTypes;
  if (dimension < types.size() && types[dimension] == Scalar::Float32)
    return shortestText(static_cast<float>(value));
  return doubleText(dataset, dataset.cloud.names[dimension], value);
}

QString attributeText(const Dataset& dataset, const Attribute& attribute, std::size_t point) {
  if (const auto* text = std::get_if<Categories>(&attribute.values))
    return QString::fromStdString(text->words[std::size_t(text->codes[point])]);
  return withVector(attribute.values, [&]<class T>(const std::vector<T>& numbers) {
    // All digits of integers.
    if constexpr (std::is_integral_v<T>)
      return QString::fromStdString(std::to_string(numbers[point]));
    else if constexpr (std::is_same_v<T, float>)
      return shortestText(numbers[point]);
    else
      return doubleText(dataset, attribute.name, numbers[point]);
  });
}

QStringList labelsOf(const Dataset& dataset, std::size_t point) {
  constexpr qsizetype kMostLines = 6;
  constexpr qsizetype kMostCharacters = 80;
  QStringList lines;
  for (const Attribute& attribute : dataset.attributes) {
    if (lines.size() == kMostLines) break;
    if (!isText(attribute.values)) continue;
    const QString word = attributeText(dataset, attribute, point).simplified();
    if (word.isEmpty()) continue;
    const QString line = QStringLiteral("%1: %2").arg(QString::fromStdString(attribute.name), word);
    lines << (line.size() <= kMostCharacters
                  ? line
                  : line.left(kMostCharacters - 1) + QStringLiteral("…"));
  }
  return lines;
}

}  // namespace clusterloom
