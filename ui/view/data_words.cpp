#include "ui/view/data_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <string>
#include <type_traits>

#include "engine/cloud/las_origin.h"
#include "render/paint/palette.h"
#include "render/paint/ticks.h"
#include "render/scene/point_colours.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/grid_cells.h"
#include "ui/session/results.h"
#include "ui/session/session.h"
#include "ui/words/column_words.h"

namespace clusterloom {
namespace {

// lupdate gives texts of functions the namespace as context.
QString tr(const char* text) { return QCoreApplication::translate("clusterloom", text); }

constexpr int kMostEntries = 12;

struct ColourKeyTexts {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::ColourKey)
};

QString entry(const Colour& colour, const QString& word) {
  return QStringLiteral("<span style='color:rgb(%1,%2,%3)'>●</span> %4")
      .arg(colour.r)
      .arg(colour.g)
      .arg(colour.b)
      .arg(word.toHtmlEscaped());
}

QStringList entriesOfRoles(Background background) {
  // From the function that colours the points, so that the key is right.
  const std::array<PointRole, 3> roles{PointRole::Core, PointRole::Border, PointRole::Noise};
  const std::array<std::int32_t, 3> labels{0, 0, kNoise};
  const std::array<std::uint32_t, 3> order{0, 1, 2};
  ColourRequest request;
  request.by = PointColouring::Role;
  request.background = background;
  request.roles = roles;
  request.labels = labels;
  const std::vector<std::uint8_t> rgb = colourPoints(request, order);
  const QStringList words{ColourKeyTexts::tr("core"), ColourKeyTexts::tr("border"),
                          ColourKeyTexts::tr("noise")};
  QStringList entries;
  for (int i = 0; i < 3; ++i) {
    const auto at = 4 * std::size_t(i);
    entries << entry({rgb[at], rgb[at + 1], rgb[at + 2]}, words[i]);
  }
  return entries;
}

QStringList entriesOfCategories(const std::vector<std::string>& words, Background background) {
  QStringList entries;
  const int shown = std::min(int(words.size()), kMostEntries);
  for (int i = 0; i < shown; ++i)
    entries << entry(clusterColour(i, background),
                     words[std::size_t(i)].empty() ? ColourKeyTexts::tr("no value")
                                                   : QString::fromStdString(words[std::size_t(i)]));
  if (shown < int(words.size()))
    entries << ColourKeyTexts::tr("and %1 more").arg(count(words.size() - std::size_t(shown)));
  return entries;
}

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

QString cutForDisplay(const QString& message) {
  constexpr qsizetype most = 2000;
  constexpr qsizetype end = 500;
  if (message.size() <= most) return message;
  return message.left(most - end) + QStringLiteral(" … ") + message.right(end);
}

QString tableWords(std::size_t rows, const std::vector<ColumnRange>& ranges) {
  QStringList words{countedRows(rows)};
  for (const ColumnRange& range : ranges) {
    const QString name = columnWords(range.name);
    const QString least = readable(range.least);
    words << (range.least == range.most ? tr("%1 %2").arg(name, least)
                                        : tr("%1 %2 to %3").arg(name, least, readable(range.most)));
  }
  return words.join(QStringLiteral(", "));
}

QString roleWord(int role) {
  switch (PointRole(role)) {
    case PointRole::Core: return tr("core");
    case PointRole::Border: return tr("border");
    case PointRole::Noise: break;
  }
  return tr("noise");
}

QString pointWords(std::int64_t point, const ClusterResult* result) {
  QString name = tr("point %1").arg(count(std::uint64_t(point)));
  if (result == nullptr || std::size_t(point) >= result->clustering.labels.size()) return name;
  const std::int32_t label = result->clustering.labels[std::size_t(point)];
  if (label == kNoise) return tr("%1 · noise").arg(name);
  if (result->clustering.roles.empty())
    return tr("%1 · cluster %2").arg(name, count(std::uint64_t(label)));
  return tr("%1 · cluster %2 · %3")
      .arg(name, count(std::uint64_t(label)),
           roleWord(int(result->clustering.roles[std::size_t(point)])));
}

QString rowWords(std::uint64_t row, std::optional<std::int32_t> label) {
  QString name = tr("row %1 of the file").arg(count(row));
  if (!label) return name;
  return *label == kNoise ? tr("%1 · noise").arg(name)
                          : tr("%1 · cluster %2").arg(name, count(std::uint64_t(*label)));
}

QString cellWords(const GridCells& cells, std::int64_t cell) {
  const CellDescription words = describeCell(cells, cell);
  return tr("cell %1 · points: %2 · candidates: %3 · adjacent cells: %4")
      .arg(words.linearId)
      .arg(count(words.points), count(words.candidates), count(words.adjacent.size()));
}

QString colourKeyText(const Session& session, Background background) {
  if (session.clusterRun().preview()) return {};
  const DisplayState& display = session.display();
  QStringList entries;
  if (const auto result = session.clusterRun().result();
      display.colourBy == ColourBy::Role && result && !result->clustering.roles.empty()) {
    entries = entriesOfRoles(background);
  } else if (display.colourBy == ColourBy::Attribute) {
    const auto values = session.derived().colourValues();
    if (values && values->by == display.colourBy && !values->words.empty())
      entries = entriesOfCategories(values->words, background);
  }
  return entries.join(QStringLiteral("<br>"));
}

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
