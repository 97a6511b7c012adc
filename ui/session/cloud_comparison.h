#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "engine/dbscan/label_agreement.h"
#include "render/charts/data_table.h"
#include "ui/jobs/settle_timer.h"
#include "ui/session/results.h"
#include "ui/session/session_parts.h"
#include "ui/session/session_values.h"

namespace clusterloom {

/// A cloud in the comparison.
struct ComparedCloud {
  quint64 number = 0;  ///< OpenClouds::number
  QString name;
  LabelFigures figures;
  double seconds = 0;   ///< of the run
  bool opened = false;  ///< the labels were opened from a file
  QString failure;      ///< why there are none; empty when there are
};

/// 0 without points.
double noiseShare(const LabelFigures& figures);

/// The part of the session that compares the clouds that are open beside each other: their figures
/// with the parameters in force, and the adjusted Rand index of any two with the same rows. While
/// it is wanted and the cloud on show has its result, a job of kind CompareClouds clusters the
/// others, one after the other, and counts. What it clusters is prepared for the run and released
/// after it (copies on a GPU too); the labels are kept by OpenClouds.
class CloudComparison : public QObject {
  Q_OBJECT

 public:
  CloudComparison(OpenClouds& open, const SessionData& data, const ClusterRun& run,
                  SessionValues values, JobQueue& jobs, QObject* parent);

  void setWanted(bool wanted);
  /// In the order of the tabs; empty before the first comparison.
  const std::vector<ComparedCloud>& clouds() const { return clouds_; }
  /// Of clouds i and j; nullopt where one has no labels, or they do not have the same rows.
  std::optional<double> adjustedRandIndex(std::size_t i, std::size_t j) const {
    return indices_[i * clouds_.size() + j];
  }
  /// Whether a comparison is under way or about to be.
  bool isRunning() const;
  /// Whether `clouds` are those that are open, with the results in force.
  bool isCurrent() const { return current_; }
  /// The exact numbers, one row a cloud, one column for the agreement with each.
  DataTable table() const;

 Q_SIGNALS:
  void changed();

 private:
  using Results = std::vector<std::weak_ptr<const ClusterResult>>;

  void outdate();
  void update();
  void start(std::vector<HeldCloud> clouds);
  bool isOfParameters(const HeldCloud& cloud) const;

  OpenClouds& open_;
  const SessionData& data_;
  const ClusterRun& run_;
  const SessionValues values_;
  JobQueue& jobs_;
  bool wanted_ = false;
  bool current_ = false;
  std::vector<ComparedCloud> clouds_;
  std::vector<std::optional<double>> indices_;  ///< clouds × clouds
  std::vector<quint64> numbers_;                ///< of what is compared or being compared
  Results results_;
  SettleTimer settle_;
};

}  // namespace clusterloom
