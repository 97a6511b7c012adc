#include "fibers/shared_memory.h"

#include <string>

namespace clusterloom {
namespace {

using Access = SharedMemory::Access;

bool writes(Access how) { return how == Access::Write || how == Access::Store; }
bool plain(Access how) { return how == Access::Read || how == Access::Write; }
bool conflict(Access a, Access b) { return (writes(a) || writes(b)) && (plain(a) || plain(b)); }

const char* verb(Access how) {
  switch (how) {
    case Access::Read: return "reads";
    case Access::Write: return "writes";
    case Access::Load: return "loads";
    default: return "stores";
  }
}

std::string says(std::uint32_t thread, Access how, std::size_t byte) {
  return "thread " + std::to_string(thread) + " " + verb(how) + " byte " + std::to_string(byte) +
         " of the shared memory";
}

}  // namespace

SharedMemory::SharedMemory(std::size_t bytes)
    : bytes_(bytes, kGarbage), words_((bytes + kWord - 1) / kWord) {}

std::optional<WarpFault> SharedMemory::touch(std::uint32_t thread, Access how, std::size_t begin,
                                             std::size_t size) {
  if (begin > bytes_.size() || size > bytes_.size() - begin)
    return WarpFault{WarpFaultKind::SharedOutside,
                     says(thread, how, begin) + ", which has " + std::to_string(bytes_.size())};
  for (std::size_t word = begin / kWord; word * kWord < begin + size; ++word)
    if (auto fault = touchWord(thread, how, word)) return fault;
  return {};
}

std::optional<WarpFault> SharedMemory::touchWord(std::uint32_t thread, Access how,
                                                 std::size_t number) {
  Word& word = words_[number];
  const std::size_t byte = number * kWord;
  if (writes(how))
    word.written = true;
  else if (!word.written)
    return WarpFault{WarpFaultKind::SharedUnwritten,
                     says(thread, how, byte) + ", which was never written"};
  for (std::size_t way = 0; way < kWays; ++way) {
    const auto other = static_cast<Access>(way);
    const Mark& mark = word.marks[way];
    if (mark.phase != phase_ || !conflict(how, other)) continue;
    if (mark.thread != thread || mark.others)
      return WarpFault{
          WarpFaultKind::SharedRace,
          says(thread, how, byte) + ", " +
              (mark.thread != thread ? "thread " + std::to_string(mark.thread) : "another thread") +
              " " + verb(other) + " it, and no block barrier is between"};
  }
  Mark& mine = word.marks[static_cast<std::size_t>(how)];
  if (mine.phase != phase_)
    mine = {phase_, thread, false};
  else if (mine.thread != thread)
    mine.others = true;
  return {};
}

}  // namespace clusterloom
