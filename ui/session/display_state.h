#pragma once

#include <QColor>
#include <QString>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "render/paint/colour_map.h"
#include "render/scene/display_space.h"
#include "render/scene/point_colours.h"
#include "ui/session/file_row.h"
#include "ui/session/point_set.h"

namespace clusterloom {

struct Dataset;

enum class ColourBy {
  Cluster,
  Role,
  Density,
  Attribute,
  Dimension,
  TrueColour,     ///< of the columns red, green and blue
  Workload,       ///< candidates of each point as query point
  Warp,           ///< that serves it
  IdleLaneSteps,  ///< of that warp, as far as the point causes them
};
/// The words of an enumeration in session files and on command lines, in the order of its values.
constexpr auto wordsOf(ColourBy /*by*/) {
  return std::array{"cluster",     "role",     "density", "attribute",      "dimension",
                    "true-colour", "workload", "warp",    "idle-lane-steps"};
}
/// Whether the colouring is of the load of warps, which is computed only on request.
constexpr bool isOfLoad(ColourBy by) { return by >= ColourBy::Workload; }
/// Whether the colours are of clusters or roles: noise recedes then, and density may be blended.
constexpr bool isOfLabels(ColourBy by) { return by == ColourBy::Cluster || by == ColourBy::Role; }

enum class GridColouring { Count, Workload };
/// The access pattern whose arrows are shown from the cell under the pointer [Gallet 2019, figures
/// 2 and 5].
enum class PatternArrows { None, Full, Unicomp, LidUnicomp };
constexpr auto wordsOf(PatternArrows /*arrows*/) {
  return std::array{"none", "full", "unicomp", "lid-unicomp"};
}

/// The values at the ends of a colour map, low < high.
struct ValueRange {
  double low = 0;
  double high = 1;
  friend bool operator==(const ValueRange&, const ValueRange&) = default;
};

/// How the cloud is shown: the part of the view that a session file keeps. Changing it computes no
/// clusters.
struct DisplayState {
  ColourBy colourBy = ColourBy::Cluster;
  QString attribute;  ///< for ColourBy::Attribute, a name of Dataset::attributes
  int dimension = 0;  ///< for ColourBy::Dimension
  bool pca = false;   ///< n > 3: principal axes instead of `axes`
  /// n > 3: names of two or three columns of numbers that are shown instead; empty: none.
  std::vector<std::string> projection;
  std::array<int, 3> axes{0, 1, 2};  ///< dimensions shown as x, y, z; −1: none (a flat view)
  double pointSize = 0;              ///< pixels; 0: chosen from the number of points
  double opacity = 1;                ///< of points, in (0, 1]
  double noise = kNoiseStrength;     ///< how strongly noise is drawn, in [0, 1]
  ColourMap colourMap = ColourMap::Viridis;  ///< of values (density, a column, a dimension …)
  std::optional<ValueRange> range;  ///< of the colouring in use; nullopt: chosen from the values
  QColor background;                ///< invalid: follow the theme
  bool axesShown = true;
  bool orthographic = false;   ///< parallel instead of perspective projection of 3-D views
  bool scaleBar = false;       ///< of flat and orthographic views
  bool densityBlended = true;  ///< in flat views, where colours show clusters or roles
  bool lighting = false;       ///< eye-dome lighting of 3-D views
  bool gridShown = false;
  GridColouring gridColouring = GridColouring::Count;
  PatternArrows patternArrows = PatternArrows::None;
  std::set<std::int32_t> hidden;  ///< clusters not drawn (−1: noise)
  bool flat = false;              ///< 2-D camera although there are three axes
  friend bool operator==(const DisplayState&, const DisplayState&) = default;
};

/// The axes a cloud of `dims` dimensions is shown on; those that it lacks are left out.
ViewAxes viewAxesOf(const DisplayState& display, std::size_t dims);
/// `display` made valid for a data set (axes in range and distinct, columns of the projection that
/// exist, the colouring dimension in range).
DisplayState fittedTo(DisplayState display, const Dataset& dataset);

/// Names of the columns of numbers beside the coordinates, in their order.
std::vector<std::string> numberColumns(const Dataset& dataset);

/// Linked brushing: the selection and the point or cell under the pointer, in every view at once.
struct Selection {
  std::set<std::int32_t> clusters;  ///< highlighted clusters (−1: noise); empty: none
  PointSet points;                  ///< selected points; null: none. Then no clusters are
  /// Rows of the file of which the points are some, selected with them; null: none.
  FileRowSelection rows;
  std::int64_t point = -1;             ///< picked point, −1: none
  std::shared_ptr<const FileRow> row;  ///< picked row that is no point; null: none
  std::int64_t hoveredPoint = -1;
  std::int64_t cell = -1;  ///< index into GridCells, −1: none
  std::int64_t hoveredCell = -1;
  std::int64_t warp = -1;  ///< picked warp, its number in order of launch; −1: none
  friend bool operator==(const Selection&, const Selection&) = default;
};

}  // namespace clusterloom
