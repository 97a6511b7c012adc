#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "ui/jobs/derived_result.h"
#include "ui/jobs/settle_timer.h"
#include "ui/session/load_result.h"
#include "ui/session/session_parts.h"
#include "ui/session/session_values.h"

namespace clusterloom {

/// The part of the session for the load of warps: the request, the newest result, and the picked
/// warp step by step.
///
/// The load is computed only while it is shown (setWanted, or points coloured by it) and when
/// no parameter has changed for a moment; `compute` starts it at once. Picking goes through
/// Session::setPickedWarp; a picked point or cell picks its warp.
class LoadLab : public QObject {
  Q_OBJECT

 public:
  LoadLab(const SessionData& data, const ClusterRun& run, const DerivedResults& derived,
          SessionValues values, JobQueue& jobs, QObject* parent);

  /// Whether the load is shown. Each chart that shows it calls this once with true, and later with
  /// false.
  void setWanted(bool wanted);
  LoadKernel kernel() const { return kernel_; }
  void setKernel(LoadKernel kernel) { set(kernel_, kernel); }
  /// A strategy to use instead of the current one; nullopt: the current one.
  const std::optional<Strategy>& strategy() const { return strategy_; }
  void setStrategy(const std::optional<Strategy>& strategy) { set(strategy_, strategy); }
  /// The GPU that is modelled.
  const SimtMachine& machine() const { return machine_; }
  void setMachine(const SimtMachine& machine) { set(machine_, machine); }
  /// Whether every step counts 1, for the unweighted WEE; else a step counts what it costs.
  bool isUnweighted() const { return unweighted_; }
  void setUnweighted(bool unweighted) { set(unweighted_, unweighted); }
  /// Computes the load for the current parameters, unless it is known or being computed.
  void compute();
  void cancel();
  /// Drops the newest load, so that no load of earlier parameters is on show.
  void drop();

  /// The newest load; null while there is none for this cloud.
  std::shared_ptr<const LoadResult> result() const { return load_.get(); }
  /// True when `result` belongs to the parameters as they are now.
  bool isCurrent() const { return load_.isOf(question()); }
  bool isComputing() const { return load_.isRunning(); }
  /// False while the load of the parameters as they are, or the picked warp, is not there yet and
  /// nothing went wrong.
  bool isReady() const;
  /// Why there is no current result, for display; empty without an error.
  QString failure() const { return failure_; }

  /// The picked warp; null while none is picked or it is being computed.
  std::shared_ptr<const WarpLight> light() const { return light_.get(); }
  /// The step of the picked warp that the cloud shows; −1: all that the warp does.
  std::int64_t lightStep() const { return lightStep_; }
  void setLightStep(std::int64_t step);

  /// The request for the current session; nullopt without a cloud or an ε.
  std::optional<LoadQuestion> question() const;

  // Called by the session.
  /// Parameters, the result or the display have changed.
  void follow();
  void followSelection();

 Q_SIGNALS:
  void changed();  ///< result, failure, kernel, strategy, machine, weighting or whether it is being
                   ///< computed
  void lightChanged();  ///< light() is new or gone; lightStep() is −1 then
  void lightStepChanged();
  /// For the session: the warp that is to be picked; −1: none.
  void warpPicked(std::int64_t warp);

 private:
  template <class T>
  void set(T& member, const T& value) {
    if (std::exchange(member, value) == value) return;
    follow();
    Q_EMIT changed();
  }
  bool isWanted() const;
  void onLoad();
  void fail(const Error& error);
  void startLight();
  void dropLight();

  const SessionData& data_;
  const ClusterRun& run_;
  const DerivedResults& derived_;
  const SessionValues values_;
  int wanted_ = 0;  ///< by this number of charts
  LoadKernel kernel_ = LoadKernel::Pairs;
  std::optional<Strategy> strategy_;
  SimtMachine machine_;
  bool unweighted_ = false;
  DerivedResult<LoadResult, LoadQuestion> load_;
  /// Of a load and the number of its warp.
  DerivedResult<WarpLight, std::pair<std::shared_ptr<const LoadResult>, std::int64_t>> light_;
  QString failure_;
  std::int64_t seenPoint_ = -1;
  std::int64_t seenCell_ = -1;
  std::int64_t lightStep_ = -1;
  SettleTimer restTimer_;
};

}  // namespace clusterloom
