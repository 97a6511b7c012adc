#pragma once

#include <QObject>
#include <QThreadPool>
#include <functional>

namespace clusterloom {

/// Small computations of milliseconds that follow the hand (what is under the pointer, the point
/// picked last) off the UI thread: one runs at a time, of those that wait only the newest is kept,
/// and only the newest delivers. They are not jobs: they are not shown and cannot be cancelled.
class LatestCall : public QObject {
  Q_OBJECT

 public:
  /// Runs on a worker thread and returns what to do with the answer on the owner's thread.
  using Work = std::function<std::function<void()>()>;

  explicit LatestCall(QObject* parent);
  /// Waits for the computation that runs, which takes milliseconds.
  ~LatestCall() override;

  void start(Work work);
  /// Nothing that was started delivers any more.
  void forget();

 private:
  void run(Work work);
  QThreadPool pool_;
  Work waiting_;
  bool running_ = false;
  quint64 newest_ = 0;
};

}  // namespace clusterloom
