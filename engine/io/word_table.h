#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clusterloom {

/// Gives each distinct word a number, in order of first appearance. Open addressing over the
/// words themselves, so that a column of many distinct words costs little beside the words.
class WordTable {
 public:
  std::int32_t codeOf(std::string_view word);
  /// Bytes the words and the table take, about.
  std::uint64_t bytes() const { return bytes_ + slots_.size() * sizeof(std::int32_t); }
  std::vector<std::string> take();

 private:
  void grow();

  std::vector<std::string> words_;
  std::vector<std::int32_t> slots_;  // −1: free
  std::uint64_t bytes_ = 0;
};

}  // namespace clusterloom
