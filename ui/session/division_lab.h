#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "ui/jobs/derived_result.h"
#include "ui/jobs/settle_timer.h"
#include "ui/session/division_result.h"
#include "ui/session/point_set.h"
#include "ui/session/session_parts.h"
#include "ui/session/session_values.h"

namespace clusterloom {

/// The part of the session for how CPU and GPU share the queries of a join: the time lines of the
/// run on show where both took part, else modelled ones for speeds that were measured here or set
/// by a person. Like LoadLab, it computes only while it is shown.
///
/// A picked batch selects its points; a picked point marks its batch.
class DivisionLab : public QObject {
  Q_OBJECT

 public:
  DivisionLab(const SessionData& data, const ClusterRun& run, SessionValues values, JobQueue& jobs,
              QObject* parent);

  /// Whether the time lines are shown.
  void setWanted(bool wanted);
  /// The time lines on show: those that were chosen, where they exist; at first the run on show if
  /// it was shared, else all divisions.
  DivisionShown shown() const;
  void setShown(std::optional<DivisionShown> shown);
  /// A strategy to use instead of the current one; nullopt: the current one.
  void setStrategy(const std::optional<Strategy>& strategy) { set(strategy_, strategy); }
  /// Speeds set by a person; nullopt: those that were measured.
  const std::optional<ModelledSides>& sides() const { return sides_; }
  void setSides(const std::optional<ModelledSides>& sides) { set(sides_, sides); }
  /// The speeds in use; nullopt while none are set or measured.
  std::optional<ModelledSides> sidesInUse() const;
  /// The timing of the queries on show; null while there is none for this cloud.
  std::shared_ptr<const DivisionTiming> timing() const { return timing_.get(); }

  /// Computes the time lines for the current parameters, unless they are known or being computed.
  void compute();
  void cancel();
  /// The newest time lines; null while there are none for this cloud.
  std::shared_ptr<const ProcessorTimes> times() const;
  /// Whether the run on show was shared by both processors.
  bool hasRun() const { return measured_ != nullptr; }
  /// True when `times` belong to the parameters and settings as they are now.
  bool isCurrent() const;
  bool isComputing() const { return timing_.isRunning() || modelled_.isRunning(); }
  /// False while results are missing and no error has occurred.
  bool isReady() const;
  /// Why there are no current time lines, for display; empty without an error.
  QString failure() const { return failure_; }

  /// Selects the points of a batch of times()->panels[panel]; −1: selects nothing.
  void pickBatch(std::size_t panel, std::int64_t batch);
  /// For each panel the place of the batch that was picked or has the picked point; −1: none.
  std::vector<std::int64_t> marked() const;

  // Called by the session, with its own changes.
  void followParameters();
  void followSelection();

 Q_SIGNALS:
  void changed();  ///< times, the choice on show, speeds, failure or whether it is being computed
  void markedChanged();
  /// For the session: the points of a batch are to be selected (null: none), or no point picked.
  void pointsSelected(const clusterloom::PointSet& points);
  void pointReleased();

 private:
  struct ModelQuestion {
    std::shared_ptr<const DivisionTiming> timing;
    DivisionShown shown;
    Strategy strategy;
    ModelledSides sides;
    friend bool operator==(const ModelQuestion&, const ModelQuestion&) = default;
  };
  struct Picked {
    std::shared_ptr<const SharedPass> pass;
    std::int64_t batch = -1;
    PointSet points;  ///< null until they are found
  };

  template <class T>
  void set(T& member, const T& value) {
    if (std::exchange(member, value) == value) return;
    followParameters();
    Q_EMIT changed();
  }
  std::optional<DivisionQuestion> question() const;
  Strategy strategy() const;
  std::optional<ModelQuestion> modelQuestion() const;
  void onResult();
  void onCloud();
  void startModel();
  void fail(const Error& error);

  const SessionData& data_;
  const ClusterRun& run_;
  const SessionValues values_;
  JobQueue& jobs_;
  bool wanted_ = false;
  std::optional<DivisionShown> shown_;
  std::optional<Strategy> strategy_;
  std::optional<ModelledSides> sides_;
  std::shared_ptr<const ProcessorTimes> measured_;  ///< of the result on show
  DerivedResult<DivisionTiming, DivisionQuestion> timing_;
  DerivedResult<ProcessorTimes, ModelQuestion> modelled_;
  QString failure_;
  Picked picked_;
  SettleTimer restTimer_;
};

}  // namespace clusterloom
