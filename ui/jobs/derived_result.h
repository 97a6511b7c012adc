#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "ui/jobs/job_queue.h"

namespace clusterloom {

/// A result that jobs of one kind compute of inputs, such as a cloud and an ε: a node of the graph
/// of derived results. `update` names the current inputs. It starts a job unless the result for
/// these inputs exists, is under way or could not be computed. The result for earlier inputs is
/// kept until the new one is ready, unless `drop` is called. Errors are reported by the queue,
/// unless there is a handler. Results are immutable, shared, and destroyed on a worker.
///
/// Inputs are equal when the results are. They hold what they name by shared pointers, so that
/// nothing else takes its address.
///
/// @code
/// DerivedResult<Curve, std::tuple<std::shared_ptr<const PointCloud>, double>> curve_{
///     jobs, JobKind::Sweep, [this] { Q_EMIT curveChanged(); }};
/// curve_.update({cloud, eps}, tr("Curve"),
///               [cloud, eps](const Task& task) { return curveOf(*cloud, eps, task); });
/// @endcode
template <class T, class Inputs>
class DerivedResult {
 public:
  using Value = std::shared_ptr<const T>;
  using Work = std::function<Result<T>(const Job&)>;

  /// `changed` is called when `get` is another one or none, `failed` with an error, `stopped` where
  /// a job ends without either: also after an error that the queue reports.
  DerivedResult(JobQueue& jobs, JobKind kind, std::function<void()> changed,
                std::function<void(const Error&)> failed = {}, std::function<void()> stopped = {})
      : jobs_(jobs),
        kind_(kind),
        changed_(std::move(changed)),
        failed_(std::move(failed)),
        stopped_(std::move(stopped)) {}

  /// Null while there is none.
  const Value& get() const { return value_; }
  /// The inputs of `get`; nullopt while there is none.
  const std::optional<Inputs>& inputs() const { return of_; }
  /// The inputs of the newest `update`, for which `get` is, will be, or failed.
  const std::optional<Inputs>& asked() const { return asked_; }
  bool isRunning() const { return running_; }
  /// Whether `get` is of these inputs.
  bool isOf(const std::optional<Inputs>& inputs) const { return of_ && of_ == inputs; }
  /// Whether `update` with them would do nothing.
  bool isAsked(const std::optional<Inputs>& inputs) const { return asked_ && asked_ == inputs; }

  /// Brings the result up to date with the inputs.
  void update(const Inputs& inputs, const QString& title, Work work) {
    if (!wanted_ || asked_ == inputs) return;
    // Before the start, from within which the job may already be stopped.
    running_ = true;
    asked_ = inputs;
    jobs_.start<T>(
        kind_, title, std::move(work),
        [this, inputs](Result<T> made) { accept(inputs, std::move(made)); },
        [this, turn = ++turn_](JobEnd end) {
          if (end != JobEnd::Done && turn == turn_) onStopped();
        });
  }
  /// The same, but a result for other inputs is dropped at once.
  void replace(const Inputs& inputs, const QString& title, Work work) {
    if (asked_ != inputs) drop();
    update(inputs, title, std::move(work));
  }
  /// The next `update` tries again after a failure.
  void retry() {
    if (!isRunning()) asked_ = of_;
  }
  /// The next `update` computes again even where the result exists, on request of a person.
  void forget() { asked_.reset(); }
  /// Stops the running job; the result stays.
  void stop() {
    if (isRunning()) jobs_.cancel(kind_);
  }
  /// Stops the running job and drops the result.
  void drop() {
    stop();
    asked_.reset();
    of_.reset();
    auto old = std::exchange(value_, nullptr);
    if (!old) return;
    changed_();
    jobs_.retire(std::move(old));
  }
  /// A result that is not wanted is not computed. Returns true when it is wanted from now on, and
  /// `update` should follow.
  bool setWanted(bool wanted) {
    if (std::exchange(wanted_, wanted) == wanted) return false;
    if (!wanted) stop();
    return wanted;
  }
  bool isWanted() const { return wanted_; }

 private:
  void onStopped() {
    running_ = false;
    asked_ = of_;
    if (stopped_) stopped_();
  }

  void accept(const Inputs& inputs, Result<T> made) {
    if (!made && made.error().kind == ErrorKind::Cancelled) return onStopped();
    running_ = false;
    if (!made) {
      if (failed_) return failed_(made.error());
      jobs_.report(kind_, made.error());
      if (stopped_) stopped_();
      return;
    }
    of_ = inputs;
    auto old = std::exchange(value_, std::make_shared<const T>(std::move(*made)));
    changed_();
    jobs_.retire(std::move(old));
  }

  JobQueue& jobs_;
  const JobKind kind_;
  const std::function<void()> changed_;
  const std::function<void(const Error&)> failed_;
  const std::function<void()> stopped_;
  bool wanted_ = true;
  bool running_ = false;
  quint64 turn_ = 0;             ///< the number of jobs started so far
  std::optional<Inputs> asked_;  ///< of the newest `update`
  std::optional<Inputs> of_;     ///< of `value_`
  Value value_;
};

}  // namespace clusterloom
