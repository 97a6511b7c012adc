#include "engine/core/thread_check.h"

#include <pthread.h>

#include <cstddef>
#include <cstring>
#include <latch>
#include <string>
#include <vector>

namespace clusterloom {
namespace {

constexpr std::size_t kStackBytes = std::size_t{4} << 20;

void* waitForEnd(void* end) {
  static_cast<std::latch*>(end)->wait();
  return nullptr;
}

}  // namespace

Result<void> checkThreads(int threads) {
  if (threads <= 1) return {};
  const std::size_t more = std::size_t(threads) - 1;
  std::vector<pthread_t> started;
  std::latch end(1);
  pthread_attr_t attributes;
  int error = ::pthread_attr_init(&attributes);
  if (error == 0) {
    error = ::pthread_attr_setstacksize(&attributes, kStackBytes);
    started.reserve(more);
    while (error == 0 && started.size() < more) {
      pthread_t thread{};
      error = ::pthread_create(&thread, &attributes, &waitForEnd, &end);
      if (error == 0) started.push_back(thread);
    }
    ::pthread_attr_destroy(&attributes);
  }
  end.count_down();
  for (const pthread_t thread : started) ::pthread_join(thread, nullptr);
  if (error == 0) return {};
  const std::size_t possible = started.size() + 1;
  return tooLarge(std::to_string(threads) + " threads cannot be started (" + std::strerror(error) +
                  "); this process may have " + std::to_string(possible) +
                  " now. Use fewer threads (--threads), or raise the limits (ulimit -u, ulimit "
                  "-v).");
}

}  // namespace clusterloom
