#pragma once

#include <QObject>
#include <QThreadPool>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace clusterloom {

/// Computations of milliseconds that follow the pointer (what is under it, the point picked last)
/// off the UI thread: one runs at a time, only the newest waiting one is kept, and only the newest
/// delivers. They are not jobs: they are not shown and cannot be cancelled. A computation that runs
/// out of memory delivers nothing.
class LatestCall : public QObject {
  Q_OBJECT

 public:
  explicit LatestCall(QObject* parent);
  /// Waits for the computation that runs, which takes milliseconds.
  ~LatestCall() override;

  /// Runs `work()` on a worker thread and then `done(value)` with what it returned, on the owner's
  /// thread. `work` captures values and never a QObject; `done` stays on the owner's thread.
  template <class Work, class Done>
  void start(Work work, Done done) {
    using Value = std::invoke_result_t<Work>;
    auto value = std::make_shared<std::optional<Value>>();
    enqueue({[work = std::move(work), value] { value->emplace(work()); },
             [done = std::move(done), value] {
               if (*value) done(std::move(**value));
             }});
  }
  /// Computations that were started earlier deliver nothing.
  void forget();

 private:
  struct Call {
    std::function<void()> work;  ///< on the worker
    std::function<void()> done;  ///< on the owner's thread
  };
  void enqueue(Call call);
  void run(Call call);

  QThreadPool pool_;
  Call waiting_;
  bool running_ = false;
  quint64 newest_ = 0;
};

}  // namespace clusterloom
