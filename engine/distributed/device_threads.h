#pragma once

#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

#include "engine/core/result.h"

namespace clusterloom {

/// Runs body(i) for i = 0 … count − 1, each on its own thread, and waits for them. The body does
/// not throw. TooLarge where the system starts no more threads.
template <class Body>
Result<void> onThreads(std::size_t count, const Body& body) {
  std::vector<std::jthread> threads;
  try {
    for (std::size_t i = 0; i < count; ++i) threads.emplace_back([&body, i] { body(i); });
  } catch (const std::system_error&) {
    // Those that run are joined.
    return tooLarge("The system could not start another thread. Use fewer devices.");
  }
  return {};
}

}  // namespace clusterloom
