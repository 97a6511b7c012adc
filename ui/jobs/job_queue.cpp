#include "ui/jobs/job_queue.h"

#include <QLoggingCategory>
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <stop_token>
#include <thread>

#ifdef __linux__
#include <sys/resource.h>
#endif

#include "ui/words/engine_words.h"

namespace clusterloom {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kProgressInterval = std::chrono::milliseconds(50);
constexpr auto kShutdownTimeout = std::chrono::seconds(1);

std::size_t workerOf(JobKind kind) {
  return static_cast<std::size_t>(std::find(kJobGroups.begin(), kJobGroups.end(), groupOf(kind)) -
                                  kJobGroups.begin());
}

/// Gives the owner's thread priority where cores are few: workers busy on every core must not delay
/// the event loop by a time slice. Threads that this one starts inherit it.
void lowerThreadPriority() {
#ifdef __linux__
  constexpr int kNice = 5;
  // On Linux a process id of 0 means the calling thread.
  setpriority(PRIO_PROCESS, 0, kNice);
#endif
}

/// Kinds whose jobs do not replace each other: an export or a save must not cancel an earlier one.
bool supersedes(JobKind kind) {
  return kind != JobKind::Export && kind != JobKind::SaveSession && kind != JobKind::Retire &&
         kind != JobKind::ClearLevels;
}

/// Whether long work in the background lets jobs of this kind go first: what a person waits for.
bool isAwaited(JobKind kind) {
  return kind == JobKind::Cluster || kind == JobKind::Suggest || kind == JobKind::Scene;
}

}  // namespace

/// The queue of posted callbacks, which worker threads may still use when the job queue is gone. It
/// has its own mutex, and Qt only delivers wake-ups, so that thread sanitizers, which do not
/// analyse Qt, recognize the synchronization.
struct Job::Shared {
  Shared(JobQueue* queue, std::chrono::milliseconds longest)
      : owner(queue), longestDrawing(longest) {}

  std::mutex mutex;
  JobQueue* owner;  ///< null when the queue is gone
  const std::chrono::milliseconds longestDrawing;
  std::deque<std::function<void(JobQueue&)>> callbacks;
  bool awaited = false;  ///< whether a job that others give way to waits or runs
  std::optional<Clock::time_point> drawing;  ///< since then
  std::condition_variable_any free;

  void setAwaited(bool to) {
    const std::lock_guard lock(mutex);
    awaited = to;
    if (!to) free.notify_all();
  }

  void setDrawing(bool to) {
    const std::lock_guard lock(mutex);
    if (to && !drawing) drawing = Clock::now();
    if (to) return;
    drawing.reset();
    free.notify_all();
  }

  /// Runs `callback(owner)` on the owner's thread, in order, while there is one.
  void post(std::function<void(JobQueue&)> callback) {
    const std::lock_guard lock(mutex);
    if (!owner) return;
    callbacks.push_back(std::move(callback));
    QMetaObject::invokeMethod(owner, "runPostedCallback", Qt::QueuedConnection);
  }
};

void Job::deliver(std::function<void()> onOwner) const {
  if (task_.cancelled()) return;
  shared_->post([number = number_, onOwner = std::move(onOwner)](JobQueue& queue) {
    if (queue.find(number) != queue.active_.end()) onOwner();
  });
}

void Job::giveWay() const {
  const auto& shared = shared_;
  std::unique_lock lock(shared->mutex);
  while (!task_.stop.stop_requested()) {
    shared->free.wait(lock, task_.stop, [&] { return !shared->awaited; });
    const auto drawing = shared->drawing;
    if (!drawing || Clock::now() >= *drawing + shared->longestDrawing) return;
    shared->free.wait_until(lock, task_.stop, *drawing + shared->longestDrawing,
                            [&] { return shared->awaited || shared->drawing != drawing; });
  }
}

/// A worker thread with a queue of work. The thread is started with the first work.
class JobQueue::Worker {
 public:
  void push(std::function<void()> work) {
    const std::lock_guard lock(state_->mutex);
    state_->queue.push_back(std::move(work));
    if (!thread_.joinable()) thread_ = std::thread(run, state_);
    state_->changed.notify_all();
  }

  void close() {
    const std::lock_guard lock(state_->mutex);
    state_->closed = true;
    state_->queue.clear();
    state_->changed.notify_all();
  }

  /// Joins the thread if it ends before `deadline`, else detaches it; it uses only its own state.
  void join(Clock::time_point deadline) {
    if (!thread_.joinable()) return;
    std::unique_lock lock(state_->mutex);
    const bool over = state_->changed.wait_until(lock, deadline, [this] { return state_->over; });
    lock.unlock();
    if (over) {
      thread_.join();
    } else {
      qWarning("A job did not stop in time and was left to end by itself.");
      thread_.detach();
    }
  }

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::function<void()>> queue;
    bool closed = false;
    bool over = false;
  };

  static void run(const std::shared_ptr<State>& state) {
    lowerThreadPriority();
    std::unique_lock lock(state->mutex);
    while (true) {
      state->changed.wait(lock, [&] { return state->closed || !state->queue.empty(); });
      if (state->closed) break;
      std::function<void()> work = std::move(state->queue.front());
      state->queue.pop_front();
      lock.unlock();
      work();
      work = nullptr;  // its captures may be large: destroyed here, without the lock
      lock.lock();
    }
    state->over = true;
    state->changed.notify_all();
  }

  std::shared_ptr<State> state_ = std::make_shared<State>();
  std::thread thread_;
};

struct JobQueue::Active {
  JobInfo info;
  std::stop_source stop;
  Clock::time_point since;
  Ends ends;  ///< may be empty
};

JobQueue::JobQueue(QObject* parent, std::chrono::milliseconds longestDrawing)
    : QObject(parent), shared_(std::make_shared<Job::Shared>(this, longestDrawing)) {
  for (std::size_t i = 0; i < kJobGroups.size(); ++i)
    workers_.push_back(std::make_unique<Worker>());
}

JobQueue::~JobQueue() {
  std::deque<std::function<void(JobQueue&)>> unread;
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->owner = nullptr;
    unread.swap(shared_->callbacks);
  }
  for (Active& job : active_) job.stop.request_stop();
  for (const auto& worker : workers_) worker->close();
  const auto deadline = Clock::now() + kShutdownTimeout;
  for (const auto& worker : workers_) worker->join(deadline);
}

quint64 JobQueue::start(JobKind kind, const QString& title, Work work, Ends ends) {
  if (supersedes(kind)) finishKind(kind, JobEnd::Superseded);

  const quint64 number = ++lastNumber_;
  newest_[static_cast<std::size_t>(kind)] = number;
  Active active;
  active.info = {number, kind, title, {}, 0};
  active.since = Clock::now();
  active.ends = std::move(ends);

  Task task;
  task.stop = active.stop.get_token();
  // The first report passes at once; then at most one each interval.
  const auto nextReport = std::make_shared<std::atomic<Clock::rep>>(0);
  task.progress = [shared = shared_, number, nextReport, stop = task.stop](std::string_view stage,
                                                                           double fraction) {
    const Clock::rep now = Clock::now().time_since_epoch().count();
    if (now < nextReport->load(std::memory_order_relaxed) || stop.stop_requested()) return;
    nextReport->store(now + Clock::duration(kProgressInterval).count(), std::memory_order_relaxed);
    shared->post([number, text = engineText(stage), fraction](JobQueue& queue) {
      queue.onProgress(number, text, fraction);
    });
  };

  const Job job(shared_, number, kind, std::move(task));
  active_.push_back(std::move(active));
  if (isAwaited(kind)) shared_->setAwaited(true);
  workers_[workerOf(kind)]->push([job, work = std::move(work)] {
    if (job.task().cancelled()) return;
    QString thrown;
    try {
      work(job);
    } catch (const std::bad_alloc&) {
      thrown = tr("There was not enough memory.");
    } catch (const std::exception& e) {
      thrown = QString::fromUtf8(e.what());
    }
    job.shared_->post(
        [number = job.number(), thrown](JobQueue& queue) { queue.onWorkReturned(number, thrown); });
  });
  Q_EMIT started(number, kind, title);
  return number;
}

void JobQueue::cancel(JobKind kind) { finishKind(kind, JobEnd::Cancelled); }

void JobQueue::cancelAll() {
  for (int kind = 0; kind < kJobKinds; ++kind) cancel(static_cast<JobKind>(kind));
}

void JobQueue::setDrawing(bool drawing) { shared_->setDrawing(drawing); }

bool JobQueue::isActive(JobKind kind) const {
  return std::any_of(active_.begin(), active_.end(),
                     [kind](const Active& job) { return job.info.kind == kind; });
}

std::vector<JobInfo> JobQueue::active() const {
  std::vector<JobInfo> infos;
  for (const Active& job : active_) infos.push_back(job.info);
  return infos;
}

quint64 JobQueue::newest(JobKind kind) const { return newest_[static_cast<std::size_t>(kind)]; }

void JobQueue::runPostedCallback() {
  std::function<void(JobQueue&)> callback;
  {
    const std::lock_guard lock(shared_->mutex);
    callback = std::move(shared_->callbacks.front());
    shared_->callbacks.pop_front();
  }
  callback(*this);
}

void JobQueue::report(JobKind job, const Error& error, const QString& path) {
  if (error.kind != ErrorKind::Cancelled) Q_EMIT failed(Failure{job, error, path});
}

std::vector<JobQueue::Active>::iterator JobQueue::find(quint64 number) {
  return std::find_if(active_.begin(), active_.end(),
                      [number](const Active& job) { return job.info.number == number; });
}

void JobQueue::onProgress(quint64 number, const QString& stage, double fraction) {
  const auto job = find(number);
  if (job == active_.end()) return;
  job->info.stage = stage;
  job->info.fraction = fraction;
  Q_EMIT progressed(number, job->info.kind, stage, fraction);
}

void JobQueue::onWorkReturned(quint64 number, const QString& thrown) {
  if (!thrown.isNull()) {
    const auto job = find(number);
    if (job != active_.end())
      report(job->info.kind, Error{ErrorKind::TooLarge, thrown.toStdString()});
  }
  finish(number, thrown.isNull() ? JobEnd::Done : JobEnd::Threw);
}

void JobQueue::finish(quint64 number, JobEnd end) {
  const auto job = find(number);
  if (job == active_.end()) return;
  job->stop.request_stop();
  const JobKind kind = job->info.kind;
  const double seconds = std::chrono::duration<double>(Clock::now() - job->since).count();
  const Ends ends = std::move(job->ends);
  active_.erase(job);
  // After a superseded one a newer one comes.
  if (isAwaited(kind) && end != JobEnd::Superseded)
    shared_->setAwaited(std::any_of(active_.begin(), active_.end(), [](const Active& other) {
      return isAwaited(other.info.kind);
    }));
  if (ends) ends(end);
  Q_EMIT ended(number, kind, end, seconds);
}

void JobQueue::finishKind(JobKind kind, JobEnd end) {
  // Collected first: slots of `ended` may start or cancel jobs.
  std::vector<quint64> numbers;
  for (const Active& job : active_)
    if (job.info.kind == kind) numbers.push_back(job.info.number);
  for (const quint64 number : numbers) finish(number, end);
}

}  // namespace clusterloom
