#include "render/charts/parameter_map_chart.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/number_text.h"
#include "render/charts/chart_parts.h"
#include "render/charts/eps_series.h"
#include "render/paint/colour_map.h"
#include "render/paint/ticks.h"
#include "render/paint/translated_text.h"

namespace clusterloom {
namespace {

constexpr double kRampWidth = 120;  // of the key, logical pixels
constexpr int kRampSteps = 40;

/// A cell of the map.
struct Cell {
  std::size_t column = 0;  ///< of ε
  std::size_t row = 0;     ///< of minPts
};

}  // namespace

struct ParameterMapChart::Parts : ChartParts {
  std::shared_ptr<const ParameterMap> map;
  std::uint64_t points = 1;
  MapQuantity quantity = MapQuantity::Clusters;
  double markedEps = 0;
  std::int64_t markedMinPts = 0;
  std::optional<Cell> chosen;  ///< by the keys
  PlotArea area;
  Hover pointer;
  std::function<void(double, std::int64_t)> onPick;

  std::size_t columns() const { return map->eps.size(); }
  std::size_t rows() const { return map->minPts.size(); }

  std::uint32_t valueOf(const Cell& cell) const {
    const std::size_t at = map->at(cell.row, cell.column);
    switch (quantity) {
      case MapQuantity::Clusters: return map->clusters[at];
      case MapQuantity::Noise: return map->noise[at];
      case MapQuantity::Largest: return map->largest[at];
    }
    return 0;
  }

  /// The largest value of the scale: numbers of clusters are logarithmic, points a share of all.
  double highest() const {
    if (quantity != MapQuantity::Clusters) return static_cast<double>(points);
    double most = 1;
    for (const std::uint32_t clusters : map->clusters)
      most = std::max(most, static_cast<double>(clusters));
    return most;
  }

  /// Where a value is on the scale, 0 … 1.
  double shareOf(double value, double most) const {
    if (quantity == MapQuantity::Clusters) return std::log1p(value) / std::log1p(most);
    return value / most;
  }

  double columnLeft(std::size_t column) const {
    return area.left +
           (area.right - area.left) * static_cast<double>(column) / static_cast<double>(columns());
  }
  double rowLow(std::size_t row) const {
    return area.bottom +
           (area.top - area.bottom) * static_cast<double>(row) / static_cast<double>(rows());
  }

  std::optional<Cell> cellAt(double x, double y) const {
    if (!area.contains(x, y)) return std::nullopt;
    const double across = (x - area.left) / std::max(1.0, area.right - area.left);
    const double up = (y - area.bottom) / std::max(1.0, area.top - area.bottom);
    return Cell{
        std::min(columns() - 1, static_cast<std::size_t>(across * static_cast<double>(columns()))),
        std::min(rows() - 1, static_cast<std::size_t>(up * static_cast<double>(rows())))};
  }

  /// The cell of the parameters on show: the nearest ε, the very minPts.
  std::optional<Cell> markedCell() const {
    const auto row = std::find(map->minPts.begin(), map->minPts.end(), markedMinPts);
    if (!(markedEps > 0) || row == map->minPts.end() || columns() < 2) return std::nullopt;
    const double step = map->eps[1] / map->eps[0];
    if (markedEps < map->eps.front() / step || markedEps > map->eps.back() * step)
      return std::nullopt;
    const auto nearest =
        std::min_element(map->eps.begin(), map->eps.end(), [this](double a, double b) {
          return std::abs(std::log(a / markedEps)) < std::abs(std::log(b / markedEps));
        });
    return Cell{static_cast<std::size_t>(nearest - map->eps.begin()),
                static_cast<std::size_t>(row - map->minPts.begin())};
  }

  void paintCells(Painter& painter) const {
    const double most = highest();
    std::vector<Colour> colours;
    for (std::size_t row = 0; row < rows(); ++row)
      for (std::size_t column = 0; column < columns(); ++column)
        colours.push_back(mapColour(ColourMap::Viridis, shareOf(valueOf({column, row}), most)));
    painter.pixels(area.left, area.bottom, area.right - area.left, area.top - area.bottom,
                   static_cast<int>(columns()), static_cast<int>(rows()), colours);
  }

  void paintLabels(Painter& painter, const Theme& t) const {
    const double r = painter.ratio();
    const double rowHeight = rowLow(1) - rowLow(0);
    double last = -INFINITY;
    for (std::size_t row = 0; row < rows(); ++row) {
      const double y = rowLow(row) + rowHeight / 2;
      if (y - last < 13 * r) continue;
      last = y;
      painter.text(std::to_string(map->minPts[row]), area.left - 6 * r, y, Across::Right,
                   Along::Centre, t.faintText, 10.5);
    }
    last = -INFINITY;
    for (std::size_t column = 0; column < columns(); ++column) {
      const double x = (columnLeft(column) + columnLeft(column + 1)) / 2;
      const std::string words = shortNumber(map->eps[column]);
      const double half = painter.widthOf(words, 10.5) / 2;
      if (x - half < last) continue;
      last = x + half + 14 * r;
      painter.text(words, x, area.bottom - 6 * r, Across::Centre, Along::Top, t.faintText, 10.5);
    }
    paintFrame(painter, area, t, "ε", "minPts");
  }

  std::string valueText(double value) const {
    if (quantity == MapQuantity::Clusters) return groupedText(static_cast<std::uint64_t>(value));
    return percentText(value / static_cast<double>(points));
  }

  void paintKey(Painter& painter, const Theme& t) const {
    const double r = painter.ratio();
    const double y = area.top + 8 * r;
    const std::string low = valueText(0);
    double x = area.left;
    painter.text(low, x, y + 5 * r, Across::Left, Along::Centre, t.text, 11);
    x += painter.widthOf(low, 11) + 6 * r;
    const double step = kRampWidth * r / kRampSteps;
    for (int i = 0; i < kRampSteps; ++i)
      painter.rectangle(x + i * step, y, step + 0.5, 10 * r,
                        mapColour(ColourMap::Viridis, (i + 0.5) / kRampSteps));
    x += kRampWidth * r + 6 * r;
    const std::string high = valueText(highest());
    const std::string names[] = {
        countedText("Charts", "%1 clusters", "1 cluster", static_cast<std::uint64_t>(highest())),
        filled(translate("Charts", "%1 noise"), {high}),
        filled(translate("Charts", "%1 in the largest cluster"), {high})};
    painter.text(names[static_cast<int>(quantity)], x, y + 5 * r, Across::Left, Along::Centre,
                 t.text, 11);
  }

  std::string words(const Cell& cell) const {
    const std::size_t at = map->at(cell.row, cell.column);
    return "minPts " + groupedText(static_cast<std::uint64_t>(map->minPts[cell.row])) + " · " +
           seriesWords(map->eps[cell.column], map->clusters[at], map->noise[at], map->largest[at],
                       points);
  }

  void paint(Painter& painter, const Theme& t, double r) {
    area.layOut(chart->width, chart->height, r, false);
    paintCells(painter);
    paintLabels(painter, t);
    paintKey(painter, t);
    if (const auto cell = markedCell()) {
      const double left = columnLeft(cell->column);
      const double low = rowLow(cell->row);
      painter.frame(left, low, columnLeft(cell->column + 1) - left, rowLow(cell->row + 1) - low,
                    t.accent, 2);
    }
    if (chosen) {
      const double left = columnLeft(chosen->column);
      const double low = rowLow(chosen->row);
      painter.frame(left, low, columnLeft(chosen->column + 1) - left, rowLow(chosen->row + 1) - low,
                    t.text, 3);
      if (!pointer.hovering) paintTag(painter, area, words(*chosen), left, low, t);
    }
    if (!pointer.hovering) return;
    if (const auto cell = cellAt(pointer.x, pointer.y))
      paintTag(painter, area, words(*cell), pointer.x, pointer.y, t);
  }

  void pick(const Cell& cell) {
    if (onPick) onPick(map->eps[cell.column], map->minPts[cell.row]);
  }

  /// Arrows choose a cell, beginning with that of the parameters; Return sets what it stands for.
  bool takeKey(ChartKey key) {
    const int across = key == ChartKey::Right ? 1 : key == ChartKey::Left ? -1 : 0;
    const int up = key == ChartKey::Up ? 1 : key == ChartKey::Down ? -1 : 0;
    if (across != 0 || up != 0) {
      const Cell from = chosen ? *chosen : markedCell().value_or(Cell{columns() / 2, rows() / 2});
      const auto moved = [](std::size_t at, int by, std::size_t count) {
        return by < 0 ? at - (at > 0 ? 1 : 0) : std::min(count - 1, at + std::size_t(by));
      };
      chosen = Cell{moved(from.column, across, columns()), moved(from.row, up, rows())};
      return true;
    }
    if (!chosen || (key != ChartKey::Take && key != ChartKey::All)) return false;
    const Cell cell = *std::exchange(chosen, std::nullopt);
    if (key == ChartKey::Take) pick(cell);
    return true;
  }

  void bindPointer() {
    chart->press = [this](double x, double y) {
      const auto cell = cellAt(x, y);
      chosen.reset();
      if (cell) pick(*cell);
      return false;
    };
    chart->key = [this](ChartKey key) { return takeKey(key); };
    chart->chosen = [this] { return chosen ? words(*chosen) : std::string(); };
    followPointer(*chart, pointer);
  }
};

ParameterMapChart::ParameterMapChart() : parts_(partsOf<Parts>(*impl_)) { parts_->bindPointer(); }

void ParameterMapChart::setData(std::shared_ptr<const ParameterMap> map, std::uint64_t points) {
  parts_->map = std::move(map);
  parts_->chosen.reset();
  parts_->points = std::max<std::uint64_t>(points, 1);
  impl_->dataSet(!parts_->map || parts_->map->eps.empty() || parts_->map->minPts.empty());
}

void ParameterMapChart::setQuantity(MapQuantity quantity) { parts_->quantity = quantity; }
MapQuantity ParameterMapChart::quantity() const { return parts_->quantity; }
void ParameterMapChart::setMarked(double eps, std::int64_t minPts) {
  parts_->markedEps = eps;
  parts_->markedMinPts = minPts;
}
void ParameterMapChart::setOnPick(std::function<void(double, std::int64_t)> onPick) {
  parts_->onPick = std::move(onPick);
}

MakeTable ParameterMapChart::table() const {
  return [map = parts_->map] {
    DataTable table{{"min_pts", "eps", "clusters", "noise_points", "largest_cluster_points"}, {}};
    if (!map) return table;
    for (std::size_t row = 0; row < map->minPts.size(); ++row) {
      for (std::size_t column = 0; column < map->eps.size(); ++column) {
        const std::size_t at = map->at(row, column);
        table.rows.push_back({std::to_string(map->minPts[row]), exactNumber(map->eps[column]),
                              exactNumber(std::uint64_t{map->clusters[at]}),
                              exactNumber(std::uint64_t{map->noise[at]}),
                              exactNumber(std::uint64_t{map->largest[at]})});
      }
    }
    return table;
  };
}

}  // namespace clusterloom
