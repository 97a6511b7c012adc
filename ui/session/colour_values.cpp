#include "ui/session/colour_values.h"

#include <QCoreApplication>
#include <QHash>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <type_traits>

#include "engine/core/lower_case.h"
#include "engine/core/number_text.h"
#include "engine/join/strategy.h"
#include "render/charts/warp_columns.h"
#include "render/scene/point_colours.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

struct ColourValueTexts {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::ColourValues)
};

/// The origin is the middle of values whose distance from 0 is large beside their range, such as
/// times in seconds; else 0.
template <class Values>
FloatUnits unitsOf(const Values& values) {
  constexpr double kFar = 64;
  constexpr double kMostFloat = 1e37;
  constexpr double kLeastFloat = 1e-30;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const auto value : values) {
    const auto number = static_cast<double>(value);
    if (!std::isfinite(number)) continue;
    low = std::min(low, number);
    high = std::max(high, number);
  }
  FloatUnits units;
  const double middle = low + (high - low) / 2;
  if (high > low && std::abs(middle) > kFar * (high - low)) units.origin = middle;
  const double most = std::max(std::abs(low - units.origin), std::abs(high - units.origin));
  if (std::isfinite(most) && most > 0 && (most > kMostFloat || most < kLeastFloat))
    units.unit = std::ldexp(1.0, std::ilogb(most));
  return units;
}

template <class Values>
std::vector<float> narrowed(const Values& values, const FloatUnits& units = {}) {
  std::vector<float> floats(values.size());
  std::transform(values.begin(), values.end(), floats.begin(),
                 [&](auto value) { return units.narrowed(static_cast<double>(value)); });
  return floats;
}

/// The smallest and largest finite value; [0, 1] when there is none.
void setRange(ColourValues& colours) {
  bool any = false;
  for (const float value : colours.values) {
    if (!std::isfinite(value)) continue;
    colours.low = any ? std::min<double>(colours.low, value) : value;
    colours.high = any ? std::max<double>(colours.high, value) : value;
    any = true;
  }
  if (!any) return;
  colours.low = colours.units.widened(colours.low);
  colours.high = colours.units.widened(colours.high);
}

/// The word of a category of whole numbers: the number, with the name of the class for point
/// classes of LAS files [ASPRS LAS 1.4 R15, table 17].
QString categoryWord(const QString& column, const QString& number) {
  if (column != QLatin1String("classification")) return number;
  const QHash<QString, QString> names{{"0", ColourValueTexts::tr("never classified")},
                                      {"1", ColourValueTexts::tr("unclassified")},
                                      {"2", ColourValueTexts::tr("ground")},
                                      {"3", ColourValueTexts::tr("low vegetation")},
                                      {"4", ColourValueTexts::tr("medium vegetation")},
                                      {"5", ColourValueTexts::tr("high vegetation")},
                                      {"6", ColourValueTexts::tr("building")},
                                      {"7", ColourValueTexts::tr("low point (noise)")},
                                      {"9", ColourValueTexts::tr("water")},
                                      {"10", ColourValueTexts::tr("rail")},
                                      {"11", ColourValueTexts::tr("road surface")},
                                      {"17", ColourValueTexts::tr("bridge deck")},
                                      {"18", ColourValueTexts::tr("high noise")}};
  const auto found = names.find(number);
  return found == names.end() ? number : QStringLiteral("%1 %2").arg(number, *found);
}

/// Whole numbers with few different values are categories: `words` in ascending order, and the
/// values their indices. Other columns stay values on a scale.
template <class T>
void makeCategories(const std::vector<T>& values, ColourValues& colours) {
  constexpr std::size_t kMostCategories = 12;  // all of them fit into the key
  std::map<T, float> codes;
  for (const T value : values)
    if (codes.emplace(value, 0.0F).second && codes.size() > kMostCategories) return;
  colours.units = {};
  for (auto& [value, code] : codes) {
    code = static_cast<float>(colours.words.size());
    colours.words.push_back(categoryWord(colours.title, QString::number(value)).toStdString());
  }
  std::transform(values.begin(), values.end(), colours.values.begin(),
                 [&](T value) { return codes.find(value)->second; });
}

Result<ColourValues> ofAttribute(const QString& name, const Dataset& dataset) {
  for (const Attribute& attribute : dataset.attributes) {
    if (QString::fromStdString(attribute.name) != name) continue;
    ColourValues colours;
    colours.title = name;
    colours.columns = {attribute.name};
    withVector(attribute.values, [&](const auto& values) {
      if (!isText(attribute.values)) colours.units = unitsOf(values);
      colours.values = narrowed(values, colours.units);
    });
    if (const auto* text = std::get_if<Categories>(&attribute.values))
      colours.words = text->words;
    else
      withVector(attribute.values, [&](const auto& values) {
        if constexpr (std::is_integral_v<typename std::decay_t<decltype(values)>::value_type>)
          makeCategories(values, colours);
      });
    return colours;
  }
  return badCall(
      ColourValueTexts::tr("The data has no column “%1” to colour by.").arg(name).toStdString());
}

/// The columns red, green and blue; null where there is none.
std::array<const Attribute*, 3> colourColumns(const Dataset& dataset) {
  std::array<const Attribute*, 3> columns{};
  constexpr std::array kNames{"red", "green", "blue"};
  for (const Attribute& attribute : dataset.attributes)
    for (std::size_t i = 0; i < kNames.size(); ++i)
      if (columns[i] == nullptr && !isText(attribute.values) &&
          lowerCase(attribute.name) == kNames[i])
        columns[i] = &attribute;
  return columns;
}

using ColourParts = std::array<std::vector<float>, 3>;

ColourParts partsOf(const std::array<const Attribute*, 3>& columns) {
  ColourParts parts;
  for (std::size_t i = 0; i < parts.size(); ++i)
    parts[i] = withVector(columns[i]->values, [](const auto& values) { return narrowed(values); });
  return parts;
}

std::vector<float> packedColours(const ColourParts& parts, float toByte) {
  std::vector<float> packed(parts[0].size());
  for (std::size_t p = 0; p < packed.size(); ++p) {
    const auto byte = [&](std::size_t i) {
      return std::uint8_t(std::lround(std::clamp(parts[i][p] * toByte, 0.0F, 255.0F)));
    };
    const bool known = std::isfinite(parts[0][p] + parts[1][p] + parts[2][p]);
    packed[p] =
        known ? packedColour({byte(0), byte(1), byte(2)}) : std::numeric_limits<float>::quiet_NaN();
  }
  return packed;
}

Result<ColourValues> ofTrueColours(const Dataset& dataset) {
  if (!hasTrueColours(dataset))
    return badCall(
        ColourValueTexts::tr("The data has no columns red, green and blue.").toStdString());
  const auto columns = colourColumns(dataset);
  const ColourParts parts = partsOf(columns);
  float highest = 0;
  for (const auto& part : parts)
    for (const float value : part)
      if (std::isfinite(value)) highest = std::max(highest, value);
  // Bytes, the 16 bits of LAS, or fractions. Some scanners write bytes where 16 bits are asked for.
  const bool fractions =
      highest <= 1 && withVector(columns[0]->values, [](const auto& values) {
        return std::is_floating_point_v<typename std::decay_t<decltype(values)>::value_type>;
      });
  const float scale = fractions ? 255.0F : highest > 255 ? 255.0F / 65535.0F : 1.0F;
  ColourValues colours;
  colours.title = ColourValueTexts::tr("true colour");
  colours.toByte = scale;
  for (const Attribute* column : columns) colours.columns.push_back(column->name);
  colours.values = packedColours(parts, scale);
  return colours;
}

}  // namespace

bool hasTrueColours(const Dataset& dataset) {
  return std::ranges::none_of(colourColumns(dataset), [](const auto* c) { return c == nullptr; });
}

bool needsColourValues(ColourBy by) { return by != ColourBy::Cluster && by != ColourBy::Role; }

Result<ColourValues> colourValuesOf(const DisplayState& display, const Dataset& dataset,
                                    const PointCloud& scaled, double eps, const Strategy& strategy,
                                    const Backend& backend, const Task& task) {
  ColourValues colours;
  switch (display.colourBy) {
    case ColourBy::Cluster:
    case ColourBy::Role: return badCall("Colouring by cluster or role needs no values.");
    case ColourBy::Workload:
    case ColourBy::Warp:
    case ColourBy::IdleLaneSteps: return badCall("Colouring by load needs the load.");
    case ColourBy::Attribute: {
      auto found = ofAttribute(display.attribute, dataset);
      if (!found) return found;
      colours = std::move(*found);
      break;
    }
    case ColourBy::Dimension: {
      const auto dimension = static_cast<std::size_t>(display.dimension);
      if (display.dimension < 0 || dimension >= dataset.cloud.dims())
        return badCall(ColourValueTexts::tr("The data has no dimension %1 to colour by.")
                           .arg(display.dimension)
                           .toStdString());
      colours.units = unitsOf(dataset.cloud.columns[dimension]);
      colours.values = narrowed(dataset.cloud.columns[dimension], colours.units);
      colours.title = dimension < dataset.cloud.names.size()
                          ? QString::fromStdString(dataset.cloud.names[dimension])
                          : QString::number(dimension);
      if (dimension < dataset.cloud.names.size())
        colours.columns = {dataset.cloud.names[dimension]};
      break;
    }
    case ColourBy::TrueColour: {
      auto found = ofTrueColours(dataset);
      if (!found) return found;
      colours = std::move(*found);
      break;
    }
    case ColourBy::Density: {
      auto counts = backend.count(scaled, eps, asJoin(strategy), task);
      if (!counts) return tl::unexpected(counts.error());
      colours.values = narrowed(counts->counts);
      colours.title = ColourValueTexts::tr("neighbours within ε %1").arg(epsText(eps));
      break;
    }
  }
  if (task.cancelled()) return cancelledError();
  colours.by = display.colourBy;
  setRange(colours);
  return colours;
}

namespace {

/// A number as text has it.
template <class T>
QString numberWord(T number) {
  if constexpr (std::is_floating_point_v<T>)
    return QString::fromStdString(roundTripText(double(number)));
  else
    return QString::number(number);
}

/// The numbers of a column that has words, too; NaN for words.
std::vector<float> numbersOf(const Categories& column, const FloatUnits& units) {
  std::vector<float> ofWord;
  for (const std::string& word : column.words) {
    bool isNumber = false;
    const double number = QString::fromStdString(word).toDouble(&isNumber);
    ofWord.push_back(isNumber ? units.narrowed(number) : std::numeric_limits<float>::quiet_NaN());
  }
  std::vector<float> values;
  for (const std::int32_t code : column.codes)
    values.push_back(code >= 0 ? ofWord[std::size_t(code)]
                               : std::numeric_limits<float>::quiet_NaN());
  return values;
}

/// The values of a column of text or whole numbers as codes of these words.
std::vector<float> codesOf(const ColumnValues& column, const ColourValues& open) {
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  std::map<std::string, float> codes;
  for (const std::string& word : open.words) codes.emplace(word, float(codes.size()));
  const auto codeOf = [&](const std::string& word) {
    const auto found = codes.find(word);
    return found == codes.end() ? kNone : found->second;
  };
  std::vector<float> values(lengthOf(column), kNone);
  if (const auto* text = std::get_if<Categories>(&column)) {
    std::vector<float> ofText;
    for (const std::string& word : text->words) ofText.push_back(codeOf(word));
    for (std::size_t i = 0; i < values.size(); ++i)
      if (text->codes[i] >= 0) values[i] = ofText[std::size_t(text->codes[i])];
    return values;
  }
  withVector(column, [&](const auto& numbers) {
    std::map<double, float> known;  // as many as words, and those that are none
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto number = double(numbers[i]);
      if (!std::isfinite(number)) continue;
      auto found = known.find(number);
      if (found == known.end())
        found = known
                    .emplace(number,
                             codeOf(categoryWord(open.title, numberWord(numbers[i])).toStdString()))
                    .first;
      values[i] = found->second;
    }
  });
  return values;
}

const Attribute* columnOf(const Dataset& rows, const std::string& name) {
  const auto found = std::ranges::find(rows.attributes, name, &Attribute::name);
  return found == rows.attributes.end() ? nullptr : &*found;
}

}  // namespace

Result<std::vector<float>> valuesOfRows(const ColourValues& open, const Dataset& rows) {
  const auto missing = [&] {
    return badCall("These rows have no columns for the colour " + open.title.toStdString() + ".");
  };
  if (open.by == ColourBy::Dimension && open.columns.size() == 1) {
    const auto found = std::ranges::find(rows.cloud.names, open.columns.front());
    if (found == rows.cloud.names.end()) return missing();
    return narrowed(rows.cloud.columns[std::size_t(found - rows.cloud.names.begin())], open.units);
  }
  std::vector<const Attribute*> columns;
  for (const std::string& name : open.columns) columns.push_back(columnOf(rows, name));
  if (columns.empty() || std::ranges::count(columns, nullptr) > 0) return missing();
  if (open.by == ColourBy::TrueColour && columns.size() == 3)
    return packedColours(partsOf({columns[0], columns[1], columns[2]}), open.toByte);
  if (open.by != ColourBy::Attribute) return missing();
  const ColumnValues& values = columns.front()->values;
  if (!open.words.empty()) return codesOf(values, open);
  // A part of a text may have words here, too.
  if (const auto* text = std::get_if<Categories>(&values)) return numbersOf(*text, open.units);
  return withVector(values, [&](const auto& numbers) { return narrowed(numbers, open.units); });
}

namespace {

/// `value(cell)` for the points of each cell of the index.
template <class Value>
std::vector<float> byCell(const GridIndex& index, Value value) {
  std::vector<float> values(index.size());
  for (std::size_t cell = 0; cell < index.cells(); ++cell)
    for (std::uint32_t at = index.cellStart[cell]; at < index.cellStart[cell + 1]; ++at)
      values[index.pointIds[at]] = value(cell);
  return values;
}

/// `value(warp, ticket)` for the points that the warps of the report serve, NaN for the others.
template <class Value>
std::vector<float> byTicket(const LoadResult& load, Value value) {
  std::vector<float> values(load.asked.cloud->size(), std::numeric_limits<float>::quiet_NaN());
  const LoadReport& report = *load.report;
  for (const WarpLoad& warp : report.warps)
    for (std::size_t t = warp.firstTicket; t < std::size_t{warp.firstTicket} + warp.tickets; ++t)
      values[report.pointOfTicket[t]] = value(warp, t);
  return values;
}

}  // namespace

Result<ColourValues> loadColoursOf(ColourBy by, const LoadResult& load) {
  ColourValues colours;
  const LoadReport& report = *load.report;
  if (by == ColourBy::Workload) {
    const std::vector<std::uint64_t>& workload = load.model.workloadOfCell();
    colours.values = byCell(load.model.index(),
                            [&](std::size_t cell) { return static_cast<float>(workload[cell]); });
    colours.title = ColourValueTexts::tr("workload (candidates)");
  } else if (by == ColourBy::Warp) {
    colours.values = byTicket(
        load, [](const WarpLoad& warp, std::size_t) { return static_cast<float>(warp.number); });
    colours.title = ColourValueTexts::tr("warp, in order of launch");
  } else if (by == ColourBy::IdleLaneSteps && !report.idleCausedByTicket.empty()) {
    colours.values = byTicket(load, [&](const WarpLoad&, std::size_t ticket) {
      return report.idleCausedByTicket[ticket];
    });
    colours.title = ColourValueTexts::tr("idle lane-steps caused");
  } else if (by == ColourBy::IdleLaneSteps) {
    colours.values = byTicket(load, [&](const WarpLoad& warp, std::size_t) {
      return static_cast<float>(workOf(warp, report.weights).idleLaneSteps() / warp.tickets);
    });
    colours.title = ColourValueTexts::tr("idle lane-steps of the warp ÷ its points (measured)");
  } else {
    return badCall("This colouring is not of the load.");
  }
  colours.by = by;
  setRange(colours);
  return colours;
}

}  // namespace clusterloom
