#include "engine/io/process_mark.h"

#include <unistd.h>
#include <xxhash.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace clusterloom {
namespace {

std::string machineMark() {
  std::array<char, 256> name{};
  (void)::gethostname(name.data(), name.size() - 1);  // then the empty name
  const std::uint64_t hash = XXH3_64bits(name.data(), std::strlen(name.data()));
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%08x-", unsigned(hash & 0xffffffffU));
  return text.data();
}

}  // namespace

std::string processMark() { return machineMark() + std::to_string(::getpid()) + '-'; }

bool beginsWithEndedProcess(std::string_view text) {
  const std::string machine = machineMark();
  if (!text.starts_with(machine)) return false;
  text.remove_prefix(machine.size());
  pid_t process = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, wrong] = std::from_chars(text.data(), end, process);
  if (wrong != std::errc() || stop == end || *stop != '-' || process <= 0) return false;
  return ::kill(process, 0) != 0 && errno != EPERM;
}

}  // namespace clusterloom
