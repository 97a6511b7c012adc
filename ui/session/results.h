#pragma once

#include <QDateTime>
#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/dbscan/clustering.h"
#include "engine/hierarchy/hdbscan.h"
#include "render/paint/colour_map.h"
#include "ui/session/display_state.h"
#include "ui/session/parameters.h"

namespace clusterloom {

class Hierarchy;

/// An exact clustering as the views show it.
struct ClusterResult {
  quint64 job = 0;
  QString labelsFile;  ///< absolute, of labels that were opened; empty: they are computed
  std::optional<HdbscanOptions> hdbscan;  ///< of clusters that HDBSCAN* takes of the tree
  std::vector<double> probabilities;      ///< of such clusters, one a point
  Parameters parameters;
  std::shared_ptr<const PointCloud> cloud;  ///< the scaled cloud that was clustered
  Clustering clustering;
  /// Where the labels come from a hierarchy: the hierarchy, and its node of each cluster.
  std::shared_ptr<const Hierarchy> hierarchy;
  std::vector<std::uint32_t> nodes;

  /// Whether it is DBSCAN's answer for the parameters.
  bool isOfRun() const { return labelsFile.isEmpty() && !hdbscan; }
  /// Whether its cloud has these labels by the parameters: of opened labels by any, of HDBSCAN* by
  /// those that its tree depends on.
  bool isBy(const Parameters& wanted) const {
    if (!labelsFile.isEmpty()) return true;
    if (!hdbscan) return parameters == wanted;
    const CloudChoice& choice = parameters;
    return choice == wanted && parameters.dbscan.minPts == wanted.dbscan.minPts;
  }
};

/// A result that will replace the one on show.
struct NewResult {
  std::shared_ptr<ClusterResult> result;
  /// Maps the clusters of the result before it to its own (follow_labels.h); empty without one.
  std::vector<std::int32_t> followed;
};

/// An approximate clustering of a fixed subsample, shown while dragging until the exact one comes.
struct PreviewClustering {
  DbscanParams asked;                 ///< the parameters it approximates
  DbscanParams used;                  ///< the parameters of the subsample (see preview.h)
  std::vector<std::int32_t> points;   ///< ids of the subsample's points in the cloud, ascending
  std::vector<std::int32_t> labels;   ///< one per subsample point; valid here only
  std::vector<std::int32_t> colours;  ///< palette index of each preview cluster
  std::int32_t clusters = 0;
  double seconds = 0;
  QString text;  ///< "Approximate: 20,000 of 1,000,000 points …" (translated)
};

/// How floats stand for doubles that are far from 0 beside their range, so that floats would round
/// them, or beyond what floats can be: a double is origin + unit · float.
struct FloatUnits {
  double origin = 0;
  double unit = 1;

  float narrowed(double value) const { return static_cast<float>((value - origin) / unit); }
  double widened(double value) const { return origin + unit * value; }
  ScalarScale narrowed(ScalarScale scale) const {
    scale.low = (scale.low - origin) / unit;
    scale.high = (scale.high - origin) / unit;
    return scale;
  }
  ScalarScale widened(ScalarScale scale) const {
    scale.low = widened(scale.low);
    scale.high = widened(scale.high);
    return scale;
  }
};

/// The values by which the view colours points, other than clusters: one value per point.
struct ColourValues {
  ColourBy by = ColourBy::Density;
  QString title;              ///< legend title
  std::vector<float> values;  ///< one per point, in `units`; for categories the code
  FloatUnits units;
  double low = 0;  ///< smallest and largest value
  double high = 1;
  std::vector<std::string> words;  ///< categories, by code; empty: a number
  /// The columns of the file whose values these are; empty: they are of the open points alone.
  std::vector<std::string> columns;
  float toByte = 1;  ///< of true colours: the factor that makes bytes of the values in the columns
};

/// A finished run of this session, for the runs table.
struct RunRecord {
  quint64 job = 0;
  QDateTime when;
  Parameters parameters;
  std::int32_t clusters = 0;
  std::uint64_t noise = 0;
  std::uint64_t points = 0;
  RunStats stats;
  /// The colours of results that differ from it by ε alone start from its clusters.
  bool startsColours = false;
};

}  // namespace clusterloom
