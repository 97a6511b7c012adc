#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clusterloom {

/// Gives each distinct word a number, in order of first appearance. Open addressing over the
/// words themselves, which are kept in chunks that never move, so that a column of many distinct
/// words costs little beside the words.
class WordTable {
 public:
  std::int32_t codeOf(std::string_view word);
  /// Bytes the words and the table take, about.
  std::uint64_t bytes() const { return bytes_ + slots_.size() * sizeof(std::int32_t); }
  std::vector<std::string> take();
  const std::string& word(std::int32_t code) const { return word(std::size_t(code)); }

 private:
  static constexpr std::size_t kChunk = 65536;

  const std::string& word(std::size_t code) const { return chunks_[code / kChunk][code % kChunk]; }
  void grow();

  std::vector<std::vector<std::string>> chunks_;
  std::size_t count_ = 0;
  std::vector<std::int32_t> slots_;  // −1: free
  std::uint64_t bytes_ = 0;
};

}  // namespace clusterloom
