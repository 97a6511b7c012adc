#include "engine/core/watched_call.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace clusterloom {

void watchedCall(const std::function<void(const Task&)>& work,
                 const std::function<bool(const WatchedProgress*)>& look, bool reports) {
  constexpr std::chrono::milliseconds kBetweenLooks{50};
  std::stop_source stop;
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  std::optional<WatchedProgress> told;
  std::exception_ptr thrown;

  Task task{.stop = stop.get_token(), .progress = {}};
  if (reports)
    task.progress = [&](std::string_view stage, double fraction) {
      const std::lock_guard lock(mutex);
      told = WatchedProgress{std::string(stage), fraction};
    };
  std::thread worker([&] {
    try {
      work(task);
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    done = true;
    ended.notify_one();
  });

  bool goOn = true;
  for (bool finished = false; !finished;) {
    std::optional<WatchedProgress> seen;
    {
      std::unique_lock lock(mutex);
      ended.wait_for(lock, kBetweenLooks, [&] { return done; });
      finished = done;
      seen = std::exchange(told, std::nullopt);
    }
    if (goOn && !look(seen ? &*seen : nullptr)) {
      goOn = false;
      stop.request_stop();
    }
  }
  worker.join();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace clusterloom
