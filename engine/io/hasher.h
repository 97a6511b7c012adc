#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace clusterloom {

/// XXH3-128 of a stream of bytes: identifies an input file in provenance and sessions.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;

  void add(const char* bytes, std::size_t count);
  /// "xxh3:" and 32 hex digits, in xxHash's canonical (big-endian) order.
  std::string text() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace clusterloom
