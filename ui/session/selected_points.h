#pragma once

#include <QObject>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"
#include "ui/jobs/derived_result.h"
#include "ui/session/file_row_set.h"
#include "ui/session/point_set.h"
#include "ui/session/session_values.h"

namespace clusterloom {

class ClusterRun;
class FileLevels;
class SessionData;
struct ClusterResult;
struct Dataset;
struct PointCloud;
struct Refinement;

/// A box in original units.
struct SelectionBox {
  std::vector<double> low;  ///< one per dimension; empty: not known
  std::vector<double> high;
};

/// The selected points in figures, with their box.
struct SelectionSummary : SelectionBox {
  PointSet points;
  /// Cluster and how many of its points are selected, by cluster; empty without a result.
  std::vector<std::pair<std::int32_t, std::uint64_t>> clusters;
  std::uint64_t noise = 0;
};

/// Selected points clustered on their own.
struct SelectionTrial {
  PointSet points;  ///< of the cloud
  std::shared_ptr<const Clustering> clustering;
};

/// Sums up points of a data set; `labels` has one entry per point or is empty. Cancelled.
Result<SelectionSummary> summaryOf(const Dataset& dataset, std::span<const std::int32_t> labels,
                                   const PointSet& points, const Task& task);

/// The part of the session that selects points and sums them up, in jobs of the kinds Select and
/// SelectionSummary. The selection itself is `Session::selection().points`. Of a file of which some
/// rows are open, it also finds the selected ones among all rows, in jobs of kind FileSelection,
/// and their box, in jobs of kind FileBox.
class SelectedPoints : public QObject {
  Q_OBJECT

 public:
  /// Runs on a worker; gives point numbers, ascending.
  using Find = std::function<Result<std::vector<std::uint32_t>>(const Task&)>;
  /// The same among all rows of the file of which the points are some; the rows of points may be
  /// left out.
  using FindInFile =
      std::function<Result<void>(const std::function<void(std::uint32_t row)>& take, const Task&)>;

  SelectedPoints(const SessionData& data, ClusterRun& run, const FileLevels& levels,
                 SessionValues values, JobQueue& jobs, QObject* parent);

  /// Selects what `find` gives; with `add` the points selected before stay selected. `inFile` is
  /// done afterwards and ends with this selection.
  void choose(Find find, bool add, FindInFile inFile = {});
  /// Selects the points and rows that are not selected; of selected clusters, those of the others.
  void invert();
  /// Lets only the selected points take part in runs, or only the others, as one undo step. The
  /// points that do not take part are not drawn, clustered or counted. Of a file of which some rows
  /// are open, this holds for all of its rows where the selected ones are known (a job of kind
  /// KeepRows), else only the open ones are left.
  void keepOnly();
  void remove();
  /// Lets all points take part again.
  void restoreAll();

  /// Clusters the selected points on their own with the strategy of the session, in a job of kind
  /// ClusterSelection. Nothing but `trial` changes.
  void tryClustering(const DbscanParams& params);
  /// The result of `tryClustering`, while the cloud is the same; null: none yet.
  std::shared_ptr<const SelectionTrial> trial() const { return trial_.get(); }
  void forgetTrial() { trial_.drop(); }
  /// Merges the clusters of the trial into the result, as one undo step (Parameters::refinements).
  void mergeTrial();

  /// Whether points or clusters are selected.
  bool isAny() const;
  /// Whether points, clusters or rows are.
  bool isAnything() const;
  /// The selected rows of the file of which some are open, those of selected clusters, too; not
  /// complete while they are sought. Null: there are none, or only the open ones are known.
  FileRowSelection rows() const;
  /// Their box as they are stored for drawing; null until it is ready, and while none are stored.
  std::shared_ptr<const DisplayBox> rowsBox() const { return rowsBox_.get(); }
  /// For the current selection; null until it is ready, or without selected points.
  std::shared_ptr<const SelectionSummary> summary() const { return summary_.get(); }
  /// The box of rows(), with the digits that are stored. It is that of the summary until it is
  /// ready, and where the view does not show every dimension: what it lacks is not stored.
  SelectionBox box() const;

  // Called by the session.
  void updateSummary();

 Q_SIGNALS:
  void summaryChanged();  ///< or rows(), or rowsBox()
  void trialChanged();
  /// Requests to the session: the selection (null: none); its rows of the file; the points that
  /// take part (null: all), as a step of undo of this name, with their rows of the file; one more
  /// selection that is clustered separately.
  void selected(const clusterloom::PointSet& points);
  void rowsSelected(const clusterloom::FileRowSelection& rows);
  void kept(const clusterloom::PointSet& points, const QString& step,
            const clusterloom::FileRowSelection& rows);
  void refined(const clusterloom::Refinement& refinement);

 private:
  using FindRows = std::function<Result<FileRowSet>(const Task&)>;

  Find finder() const;
  FindRows rowFinder() const;
  FindRows clusterFinder() const;
  FindRows otherRows() const;
  std::uint64_t rowsThere() const;
  void select(Find find, FindRows rows);
  void seekRows(const FindRows& find);
  void followClusters();
  void followRows();
  void endSearch();
  void forgetRows();
  void keep(bool selectedOnes);

  const SessionData& data_;
  ClusterRun& run_;
  const FileLevels& levels_;
  const SessionValues values_;
  JobQueue& jobs_;
  FileRowSelection sought_;  ///< the selection while its rows are sought
  FindRows search_;          ///< that finds them
  DerivedResult<FileRowSet, std::pair<std::set<std::int32_t>, std::shared_ptr<const StoredLabels>>>
      clusterRows_;  ///< of the selected clusters, by the labels of all rows
  DerivedResult<DisplayBox, std::pair<FileRowSelection, std::shared_ptr<const StoredPoints>>>
      rowsBox_{jobs_, JobKind::FileBox, [this] { Q_EMIT summaryChanged(); }};
  DerivedResult<SelectionSummary, std::tuple<PointSet, std::shared_ptr<const Dataset>,
                                             std::shared_ptr<const ClusterResult>>>
      summary_{jobs_, JobKind::SelectionSummary, [this] { Q_EMIT summaryChanged(); }};
  DerivedResult<SelectionTrial, std::shared_ptr<const PointCloud>> trial_{
      jobs_, JobKind::ClusterSelection, [this] { Q_EMIT trialChanged(); },
      [this](const Error& error) {
        jobs_.report(JobKind::ClusterSelection, error);
        Q_EMIT trialChanged();
      }};
};

}  // namespace clusterloom
