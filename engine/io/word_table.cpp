#include "engine/io/dataset_builder.h"

#include <xxhash.h>

#include <iterator>
#include <utility>

namespace clusterloom {
namespace {

std::size_t hashOf(std::string_view word) {
  return std::size_t(XXH3_64bits(word.data(), word.size()));
}

}  // namespace

std::int32_t WordTable::codeOf(std::string_view word) {
  // Full to four fifths at most: short probes, and little memory beside the words.
  if (5 * (count_ + 1) > 4 * slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hashOf(word) & mask;
  for (; slots_[slot] >= 0; slot = (slot + 1) & mask)
    if (this->word(std::size_t(slots_[slot])) == word) return slots_[slot];
  if (count_ % kChunk == 0) chunks_.emplace_back();
  chunks_.back().emplace_back(word);
  const auto code = std::int32_t(count_++);
  slots_[slot] = code;
  // A short word is stored inside its std::string.
  bytes_ += sizeof(std::string) + (word.size() > 15 ? word.size() + 17 : 0);
  return code;
}

void WordTable::grow() {
  std::vector<std::int32_t> slots(slots_.empty() ? 64 : 2 * slots_.size(), -1);
  const std::size_t mask = slots.size() - 1;
  for (std::size_t code = 0; code < count_; ++code) {
    std::size_t slot = hashOf(word(code)) & mask;
    while (slots[slot] >= 0) slot = (slot + 1) & mask;
    slots[slot] = std::int32_t(code);
  }
  slots_ = std::move(slots);
}

std::vector<std::string> WordTable::take() {
  slots_ = {};
  bytes_ = 0;
  std::vector<std::string> words;
  words.reserve(count_);
  count_ = 0;
  for (auto& chunk : chunks_) {
    std::move(chunk.begin(), chunk.end(), std::back_inserter(words));
    chunk = {};  // frees its memory before the next one is copied
  }
  chunks_ = {};
  return words;
}

}  // namespace clusterloom
