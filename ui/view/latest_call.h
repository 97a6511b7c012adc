#pragma once

#include <QObject>
#include <QThreadPool>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace clusterloom {

/// Computations that follow the pointer (what is under it, the point picked last) off the UI
/// thread: one runs at a time, only the newest waiting one is kept, and only the newest delivers.
/// They are not jobs: they are not shown, and take milliseconds, or take a stop token, which is set
/// when they no longer deliver. A computation that runs out of memory delivers nothing.
class LatestCall : public QObject {
  Q_OBJECT

 public:
  explicit LatestCall(QObject* parent);
  /// Stops the computation that runs and waits for it.
  ~LatestCall() override;

  /// Runs `work()` or `work(token)` on a worker thread and then `done(value)` with what it
  /// returned, on the owner's thread. `work` captures values and never a QObject; `done` stays on
  /// the owner's thread.
  template <class Work, class Done>
  void start(Work work, Done done) {
    stop_.request_stop();
    stop_ = {};
    auto call = [work = std::move(work), token = stop_.get_token()] {
      if constexpr (std::is_invocable_v<const Work&, std::stop_token>)
        return work(token);
      else
        return work();
    };
    using Value = std::invoke_result_t<decltype(call)>;
    auto value = std::make_shared<std::optional<Value>>();
    enqueue({[call = std::move(call), value] { value->emplace(call()); },
             [done = std::move(done), value] {
               if (*value) done(std::move(**value));
             }});
  }
  /// Computations that were started earlier deliver nothing and stop.
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
  std::stop_source stop_;  ///< of the newest one
  bool running_ = false;
  quint64 newest_ = 0;
};

}  // namespace clusterloom
