#include "render/charts/eps_curve_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "engine/core/infinity.h"
#include "engine/core/number_text.h"
#include "engine/hierarchy/eps_advice.h"
#include "render/charts/axis_window.h"
#include "render/charts/chart_parts.h"
#include "render/charts/dragged_eps.h"
#include "render/paint/ticks.h"
#include "render/paint/translated_text.h"

namespace clusterloom {
namespace {

constexpr double kMarkHeight = 13;      // of a plateau, logical pixels
constexpr double kDecadeMargin = 0.03;  // decades left and right of the curve, at least
constexpr double kLeastDecades = 1e-4;  // that can be on show
constexpr int kBandAlpha = 56;

/// What the corners of a curve depend on.
struct Drawn {
  const EpsCurve* curve = nullptr;
  double lowEps = 0, highEps = 0;
  double left = 0, right = 0, bottom = 0, top = 0;
  double most = 0;
  bool logarithmic = false;
  double leastStep = 0;
  friend bool operator==(const Drawn&, const Drawn&) = default;
};

}  // namespace

struct EpsCurveChart::Parts : ChartParts {
  std::shared_ptr<const EpsCurve> curve;
  std::vector<Plateau> plateaus;
  std::uint64_t points = 0;
  double least = kInfinity;  ///< numbers of clusters above 0
  double most = 1;
  DraggedEps eps;
  ZoomPointer zoom;  ///< its axis is log10 ε
  PlotArea area;
  PlotAxis share;  ///< right axis: % of points
  ClusterAxis clusterAxis = ClusterAxis::Automatic;
  std::vector<FoundAgainAt> found;
  std::vector<StabilityAt> stability;
  Drawn drawn;                               ///< what `series` was computed for
  std::array<std::vector<float>, 3> series;  ///< corners: clusters, noise, largest

  bool logarithmic() const { return clusterloom::isLogarithmic(clusterAxis, least, most); }

  void take(std::shared_ptr<const EpsCurve> taken, std::vector<Plateau> ranges,
            std::uint64_t ofPoints) {
    curve = std::move(taken);
    drawn = {};
    plateaus = std::move(ranges);
    points = ofPoints;
    chart->dataSet(!curve || curve->rows() == 0);
    if (chart->empty) return;
    least = kInfinity;
    most = 1;
    for (const std::uint32_t clusters : curve->clusters) {
      if (clusters > 0) least = std::min(least, double(clusters));
      most = std::max(most, double(clusters));
    }
    // The row of points at one place would stretch the axis by 150 decades.
    const std::size_t first = curve->firstApart();
    const double around = eps.value > 0 ? eps.value : 1;
    const double low = std::log10(first < curve->rows() ? curve->eps[first] : around);
    const double high = std::log10(first < curve->rows() ? curve->eps.back() : around);
    const double margin = std::max(kDecadeMargin, 0.05 * (high - low));
    zoom.window.setFull(low - margin, high + margin, kLeastDecades);
  }

  /// The row that holds at an ε; rows() below the first one.
  std::size_t rowAt(double value) const {
    const auto after = std::upper_bound(curve->eps.begin(), curve->eps.end(), value);
    return after == curve->eps.begin() ? curve->rows()
                                       : std::size_t(after - curve->eps.begin()) - 1;
  }

  /// A series as steps: in each column of pixels the range of its values, and the last of them.
  template <class ValueAt>
  std::vector<float> stepsOf(double leastStep, const PlotAxis& axis, ValueAt valueAt) const {
    const double column = std::max(1.0, leastStep);
    std::vector<float> corners;
    const auto add = [&](double x, double y) {
      corners.push_back(float(x));
      corners.push_back(float(std::clamp(axis.pixel(y), area.bottom, area.top)));
    };
    const std::size_t row = rowAt(area.x.low);
    double value = valueAt(row);
    add(area.left, value);
    for (std::size_t next = row == curve->rows() ? 0 : row + 1; next < curve->rows();) {
      const double x = area.x.pixel(curve->eps[next]);
      if (x > area.right) break;
      const auto after = std::size_t(std::upper_bound(curve->eps.begin() + std::ptrdiff_t(next) + 1,
                                                      curve->eps.end(), area.x.value(x + column)) -
                                     curve->eps.begin());
      add(x, value);
      double low = value;
      double high = value;
      for (; next < after; ++next) {
        value = valueAt(next);
        low = std::min(low, value);
        high = std::max(high, value);
      }
      add(x, low);
      add(x, high);
      add(x, value);
    }
    add(area.right, value);
    return corners;
  }

  /// The corners of all series. Computed again only for another area: a curve of millions of rows
  /// is scanned once, not for each ε on the way.
  void updateSeries(Painter& painter) {
    const Drawn now{curve.get(), area.x.low, area.x.high, area.left,          area.right,
                    area.bottom, area.top,   area.y.high, area.y.logarithmic, painter.leastStep()};
    if (now == drawn) return;
    drawn = now;
    const EpsCurve& c = *curve;
    const std::size_t none = c.rows();
    series[0] = stepsOf(painter.leastStep(), area.y, [&](std::size_t row) {
      return row == none ? 0.0 : double(c.clusters[row]);
    });
    series[1] = stepsOf(painter.leastStep(), share, [&](std::size_t row) {
      return row == none ? 100.0 : shareOf(c.noise[row]);
    });
    series[2] = stepsOf(painter.leastStep(), share, [&](std::size_t row) {
      return row == none ? 0.0 : shareOf(c.largest[row]);
    });
  }

  /// The first ε of a step of the band, halfway from the one before; `i` may be one past the last.
  double bandEdge(std::size_t i) const {
    const std::size_t last = stability.size() - 1;
    if (i == 0) return stability.front().eps;
    return i > last ? stability[last].eps : std::sqrt(stability[i - 1].eps * stability[i].eps);
  }

  /// The step of the band that an ε lies in; null where the band knows nothing.
  const StabilityAt* stabilityAt(double value) const {
    if (stability.empty() || value < stability.front().eps || value > stability.back().eps)
      return nullptr;
    std::size_t i = 0;
    while (i + 1 < stability.size() && bandEdge(i + 1) <= value) ++i;
    return std::isnan(stability[i].mean) ? nullptr : &stability[i];
  }

  void paintStability(Painter& painter, const Theme& t) const {
    for (std::size_t i = 0; i < stability.size(); ++i) {
      const StabilityAt& at = stability[i];
      // At whole pixels: steps neither overlap nor leave gaps.
      const double left = std::round(std::max(area.left, area.x.pixel(bandEdge(i))));
      const double right = std::round(std::min(area.right, area.x.pixel(bandEdge(i + 1))));
      if (std::isnan(at.mean) || right <= left) continue;
      const double low = share.pixel(100 * at.low);
      painter.rectangle(left, low, right - left, share.pixel(100 * at.high) - low, t.text,
                        kBandAlpha);
      const double mean = share.pixel(100 * at.mean);
      painter.line(left, mean, right, mean, t.text, 1.5);
    }
  }

  double shareOf(std::uint32_t count) const {
    return 100.0 * count / double(std::max<std::uint64_t>(points, 1));
  }

  /// Left and right of a plateau on show; left ≥ right where it is not.
  std::pair<double, double> spanOf(const Plateau& plateau) const {
    return {std::max(area.left, area.x.pixel(plateau.from)),
            std::isinf(plateau.to) ? area.right : std::min(area.right, area.x.pixel(plateau.to))};
  }

  void paintPlateaus(Painter& painter, const Theme& t) const {
    const double r = painter.ratio();
    for (const Plateau& plateau : plateaus) {
      const auto [left, right] = spanOf(plateau);
      if (right - left < 1) continue;
      const double low = area.top - kMarkHeight * r;
      painter.rectangle(left, low, right - left, kMarkHeight * r, t.series[0], 60);
      painter.line(left, low, left, area.top, t.series[0]);
      painter.line(right, low, right, area.top, t.series[0]);
      const std::string words = groupedText(plateau.clusters);
      const double width = painter.widthOf(words, 10) + 4 * r;
      if (width >= right - left) continue;
      // Not under the line of ε.
      double middle = (left + right) / 2;
      const double line = area.x.pixel(eps.value);
      if (std::abs(line - middle) < width / 2)
        middle = line < middle ? (line + right) / 2 : (left + line) / 2;
      if (std::abs(line - middle) < width / 2) continue;
      painter.text(words, middle, area.top - kMarkHeight * r / 2, Across::Centre, Along::Centre,
                   t.text, 10);
    }
  }

  /// ε in the middle of the plateau whose mark is at a pixel; 0 for none.
  double markedEps(double px, double py) const {
    if (py < area.top - kMarkHeight * chart->item->ratio || py > area.top) return 0;
    for (const Plateau& plateau : plateaus) {
      const auto [left, right] = spanOf(plateau);
      if (px < left || px > right || right - left < 1) continue;
      return middleOf(plateau);
    }
    return 0;
  }

  std::string words(double value) const {
    const StabilityAt* stable = stabilityAt(value);
    if (stable == nullptr) return curveWords(value);
    return curveWords(value) + " · " +
           filled(translate("Charts", "stability %1 (%2 to %3)"),
                  {percentText(stable->mean), percentText(stable->low), percentText(stable->high)});
  }

  std::string curveWords(double value) const {
    const std::size_t row = rowAt(value);
    if (row == curve->rows())
      return seriesWords(value, 0, points, 0, points) + " · " +
             filled(translate("Charts", "below ε %1"), {shortNumber(curve->eps.front())});
    const std::string text =
        seriesWords(value, curve->clusters[row], curve->noise[row], curve->largest[row], points);
    if (row + 1 < curve->rows())
      return text + " · " +
             filled(translate("Charts", "the same from %1 to %2"),
                    {shortNumber(curve->eps[row]), shortNumber(curve->eps[row + 1])});
    return text + " · " +
           filled(translate("Charts", "the same from %1"), {shortNumber(curve->eps[row])});
  }

  void paint(Painter& painter, const Theme& t, double r) {
    area.layOut(chart->width, chart->height, r, true);
    ChartHeader header = seriesHeader(t, !found.empty(), !stability.empty());
    header.layOut(r, area);
    area.x = {std::pow(10.0, zoom.window.low), std::pow(10.0, zoom.window.high), true, area.x.from,
              area.x.to};
    share = setSeriesAxes(area, logarithmic(), most);
    paintAxes(painter, area, t, "ε", translate("Charts", "clusters"));
    paintSeriesAxes(painter, area, share, t);
    updateSeries(painter);
    paintStability(painter, t);
    for (const std::size_t i : {2, 1, 0}) painter.polyline(series[i], t.series[i], 2);
    paintPlateaus(painter, t);
    paintFoundAgain(painter, area, share, found, t);
    header.paint(painter, area, t);
    if (eps.value >= area.x.low && eps.value <= area.x.high) {
      const double x = area.x.pixel(eps.value);
      painter.line(x, area.bottom, x, area.top, t.accent, 2);
      paintTag(painter, area, epsTag(eps.value, found), x + 5 * r, area.top - (kMarkHeight + 2) * r,
               Across::Left, Along::Top, t.accent, t);
    }
    if (!eps.hoversOver(area)) return;
    painter.line(eps.pointerX, area.bottom, eps.pointerX, area.top, t.line, 1);
    const double marked = markedEps(eps.pointerX, eps.pointerY);
    paintTag(painter, area, words(marked > 0 ? marked : epsAt(area.x, eps.pointerX)),
             eps.pointerX + 6 * r, eps.pointerY + 4 * r, Across::Left, Along::Bottom, t.text, t);
  }

  void bindPointer() {
    zoomAlongX(*chart, zoom, area);  // wheel and keys; the pointer drags ε
    dragAlongX(*chart, eps, area);
    chart->press = [this, others = chart->press](double px, double py) {
      const double marked = markedEps(px, py);
      if (!(marked > 0)) return others(px, py);
      eps.value = marked;
      if (eps.onDrag) eps.onDrag(marked, true);
      return false;
    };
  }
};

EpsCurveChart::EpsCurveChart() : parts_(partsOf<Parts>(*impl_)) { parts_->bindPointer(); }

void EpsCurveChart::setData(std::shared_ptr<const EpsCurve> curve, std::vector<Plateau> plateaus,
                            std::uint64_t points) {
  parts_->take(std::move(curve), std::move(plateaus), points);
}

void EpsCurveChart::setFoundAgain(std::vector<FoundAgainAt> found) {
  parts_->found = std::move(found);
}
void EpsCurveChart::setStability(std::vector<StabilityAt> stability) {
  parts_->stability = std::move(stability);
}
void EpsCurveChart::setClusterAxis(ClusterAxis axis) { parts_->clusterAxis = axis; }
bool EpsCurveChart::isLogarithmic() const { return parts_->logarithmic(); }

MakeTable EpsCurveChart::table() const {
  return [curve = parts_->curve, stability = parts_->stability] {
    DataTable table{{"eps", "clusters", "noise", "largest"}, {}};
    if (!curve) return table;
    if (!stability.empty())
      for (const char* name :
           {"stability_percent", "stability_low_percent", "stability_high_percent"})
        table.names.emplace_back(name);
    // Rows of the curve have no stability; those of the band, between them, have what the curve
    // says there.
    const auto add = [&](double eps, std::size_t row, const StabilityAt* stable) {
      const bool none = row == curve->rows();
      std::vector<std::string> cells{
          exactNumber(eps), exactNumber(std::uint64_t{none ? 0 : curve->clusters[row]}),
          none ? std::string() : exactNumber(std::uint64_t{curve->noise[row]}),
          exactNumber(std::uint64_t{none ? 0 : curve->largest[row]})};
      if (!stability.empty())
        for (const double StabilityAt::*value :
             {&StabilityAt::mean, &StabilityAt::low, &StabilityAt::high})
          cells.push_back(stable == nullptr || std::isnan(stable->*value)
                              ? std::string()
                              : exactNumber(100 * (stable->*value)));
      table.rows.push_back(std::move(cells));
    };
    std::size_t row = 0;
    const auto addRows = [&](double below) {
      for (; row < curve->rows() && curve->eps[row] < below; ++row)
        add(curve->eps[row], row, nullptr);
    };
    for (const StabilityAt& stable : stability) {
      addRows(stable.eps);
      const bool same = row < curve->rows() && curve->eps[row] == stable.eps;
      add(stable.eps, same ? row++ : row == 0 ? curve->rows() : row - 1, &stable);
    }
    addRows(kInfinity);
    return table;
  };
}

std::uint64_t EpsCurveChart::longTableRows() const {
  return parts_->curve ? parts_->curve->rows() + parts_->stability.size() : 0;
}

}  // namespace clusterloom
