#pragma once

#include <QObject>
#include <QString>
#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "ui/jobs/job_kinds.h"

namespace clusterloom {

/// How a job ended. Only for Done jobs all callbacks were run.
enum class JobEnd {
  Done,
  Superseded,  ///< a newer job of its kind came
  Cancelled,   ///< `cancel` was called
  Threw,       ///< the work threw (out of memory); `failed` said what
};

/// An error for the window to show.
struct Failure {
  JobKind job = JobKind::Load;
  Error error;
  QString path;  ///< the file concerned; may be empty
};

/// A job that waits or runs, as the status line shows it.
struct JobInfo {
  quint64 number = 0;
  JobKind kind = JobKind::Load;
  QString title;        ///< for display: "Clustering 100,000 points"
  QString stage;        ///< the engine's word for the current stage; empty before the first report
  double fraction = 0;  ///< of that stage, in [0, 1]
};

/// The argument of a job's work on the worker thread.
class Job {
 public:
  quint64 number() const { return number_; }
  /// For engine calls: stops when the job is stale or cancelled; reports become `progressed`.
  const Task& task() const { return task_; }
  operator const Task&() const { return task_; }  // NOLINT: so that work may take either
  /// Runs `onOwner` on the queue's thread, in order, unless the job is stale or cancelled by then.
  /// May be called several times (a sweep delivers point by point).
  void deliver(std::function<void()> onOwner) const;
  /// Waits while a job of the kind Cluster, Suggest or Scene waits or runs, or a picture is drawn
  /// (JobQueue::setDrawing, up to a limit), which needs all threads and is awaited more; returns at
  /// once where this job is stopped.
  void giveWay() const;

 private:
  friend class JobQueue;
  struct Shared;
  Job(std::shared_ptr<Shared> shared, quint64 number, JobKind kind, Task task)
      : shared_(std::move(shared)), number_(number), kind_(kind), task_(std::move(task)) {}
  std::shared_ptr<Shared> shared_;
  quint64 number_;
  JobKind kind_;
  Task task_;
};

/// Numbered jobs on a few worker threads (one a worker; clustering, its preview, quick derivations,
/// long background work, files and the view each have a worker, so that none waits behind a slower
/// one). All members are called on the thread the queue lives in and return at once; signals and
/// deliveries come on that thread. The destructor stops everything and waits at most 1 s for work
/// that ignores its stop token; such work is left to end by itself and its callbacks are dropped.
///
/// Work captures values (shared_ptr<const …>, parameters) and never a QObject; what it delivers may
/// capture objects that outlive the queue or own it.
class JobQueue : public QObject {
  Q_OBJECT

 public:
  using Work = std::function<void(const Job&)>;
  using Ends = std::function<void(JobEnd)>;

  /// A window system may stop asking for the frames of a picture that is drawn (setDrawing), so
  /// nobody waits longer than `longestDrawing` for it.
  explicit JobQueue(QObject* parent = nullptr,
                    std::chrono::milliseconds longestDrawing = std::chrono::seconds(10));
  ~JobQueue() override;

  /// Starts a job and makes older ones of its kind stale. Returns its number (1, 2, …). Jobs with
  /// an empty title are not shown. `ends` is called once when the job has ended in any way.
  quint64 start(JobKind kind, const QString& title, Work work, Ends ends = {});

  /// Starts a job whose work returns a Result<T>, delivered to `done` on the queue's thread. The
  /// work takes the job or its task.
  template <class T>
  quint64 start(JobKind kind, const QString& title, std::function<Result<T>(const Job&)> work,
                std::function<void(Result<T>)> done, Ends ends = {}) {
    Work delivers = [work = std::move(work), done = std::move(done)](const Job& job) {
      auto result = std::make_shared<Result<T>>(work(job));
      job.deliver([result = std::move(result), done] { done(std::move(*result)); });
    };
    return start(kind, title, std::move(delivers), std::move(ends));
  }

  /// Destroys a large value on a worker thread, because freeing memory takes time too.
  template <class T>
  void retire(std::shared_ptr<const T> value) {
    if (value) start(JobKind::Retire, {}, [value = std::move(value)](const Job&) {});
  }

  /// Whether a picture is being drawn that others give way to.
  void setDrawing(bool drawing);

  /// Stops the jobs of a kind; their results are no longer delivered. Frees the caller at
  /// once.
  void cancel(JobKind kind);
  void cancelAll();

  bool isActive(JobKind kind) const;
  /// Jobs that wait or run and are not stale, oldest first.
  std::vector<JobInfo> active() const;
  /// Emits `failed`, unless the error is a stop.
  void report(JobKind job, const Error& error, const QString& path = {});
  /// The same for a request for which no job is started.
  void refuse(JobKind job, const QString& why, const QString& path = {}) {
    report(job, Error{ErrorKind::BadCall, why.toStdString()}, path);
  }
  /// Emits `warned`.
  void warn(const QString& message) { Q_EMIT warned(message); }
  /// The newest number given to a kind; 0 when there was none.
  quint64 newest(JobKind kind) const;

 Q_SIGNALS:
  void started(quint64 number, clusterloom::JobKind kind, const QString& title);
  /// At most 20 times a second a job.
  void progressed(quint64 number, clusterloom::JobKind kind, const QString& stage, double fraction);
  /// A failure: from `report`, and where an exception reached the queue, before `ended`.
  void failed(const clusterloom::Failure& failure);
  void warned(const QString& message);  ///< a remark for the user; nothing was lost
  /// `seconds` since `start`.
  void ended(quint64 number, clusterloom::JobKind kind, clusterloom::JobEnd end, double seconds);

 private:
  friend class Job;
  class Worker;
  struct Active;
  /// One event for each posted callback, so that other events are processed in between.
  Q_INVOKABLE void runPostedCallback();
  void onProgress(quint64 number, const QString& stage, double fraction);
  void onWorkReturned(quint64 number, const QString& thrown);
  void finish(quint64 number, JobEnd end);
  void finishKind(JobKind kind, JobEnd end);
  std::vector<Active>::iterator find(quint64 number);

  std::shared_ptr<Job::Shared> shared_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<Active> active_;
  std::array<quint64, kJobKinds> newest_{};
  quint64 lastNumber_ = 0;
};

}  // namespace clusterloom
