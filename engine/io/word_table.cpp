#include "engine/io/word_table.h"

#include <xxhash.h>

#include <utility>

namespace clusterloom {
namespace {

std::size_t hashOf(std::string_view word) {
  return static_cast<std::size_t>(XXH3_64bits(word.data(), word.size()));
}

}  // namespace

std::int32_t WordTable::codeOf(std::string_view word) {
  if (2 * (words_.size() + 1) > slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hashOf(word) & mask;
  for (; slots_[slot] >= 0; slot = (slot + 1) & mask)
    if (words_[static_cast<std::size_t>(slots_[slot])] == word) return slots_[slot];
  const auto code = static_cast<std::int32_t>(words_.size());
  words_.emplace_back(word);
  slots_[slot] = code;
  // A short word lives inside its std::string.
  bytes_ += sizeof(std::string) + (word.size() > 15 ? word.size() + 17 : 0);
  return code;
}

void WordTable::grow() {
  std::vector<std::int32_t> slots(slots_.empty() ? 64 : 2 * slots_.size(), -1);
  const std::size_t mask = slots.size() - 1;
  for (std::size_t w = 0; w < words_.size(); ++w) {
    std::size_t slot = hashOf(words_[w]) & mask;
    while (slots[slot] >= 0) slot = (slot + 1) & mask;
    slots[slot] = static_cast<std::int32_t>(w);
  }
  slots_ = std::move(slots);
}

std::vector<std::string> WordTable::take() {
  slots_ = {};
  bytes_ = 0;
  return std::move(words_);
}

}  // namespace clusterloom
