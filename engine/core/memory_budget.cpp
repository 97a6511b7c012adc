#include "engine/core/memory_budget.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>

#include "engine/core/number_text.h"

namespace clusterloom {
namespace {

constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();

std::uint64_t numberIn(const char* path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  return file >> number ? number : kUnknown;  // "max" is not a number either
}

std::uint64_t memAvailable() {
  std::ifstream file("/proc/meminfo");
  std::string word;
  while (file >> word) {
    if (word != "MemAvailable:") continue;
    std::uint64_t kib = 0;
    return file >> kib ? kib * 1024 : kUnknown;
  }
  return kUnknown;
}

/// Bytes of files that the kernel keeps for the processes of the control group, and gives up first.
std::uint64_t cachedFiles() {
  std::ifstream file("/sys/fs/cgroup/memory.stat");
  std::uint64_t sum = 0;
  std::uint64_t bytes = 0;
  for (std::string word; file >> word >> bytes;)
    if (word == "inactive_file" || word == "active_file") sum += bytes;
  return sum;
}

}  // namespace

std::uint64_t freeAddressSpace() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnknown;
  const std::uint64_t pages = numberIn("/proc/self/statm");
  if (pages == kUnknown) return kUnknown;
  const std::uint64_t used = pages * std::uint64_t(::sysconf(_SC_PAGESIZE));
  return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

std::uint64_t availableMemory() {
  std::uint64_t available = memAvailable();
  const std::uint64_t limit = numberIn("/sys/fs/cgroup/memory.max");
  const std::uint64_t used = numberIn("/sys/fs/cgroup/memory.current");
  if (limit != kUnknown && used != kUnknown) {
    const std::uint64_t held = used - std::min(used, cachedFiles());
    available = std::min(available, limit > held ? limit - held : 0);
  }
  return std::min(available, freeAddressSpace());
}

std::string memoryText(std::uint64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " bytes";
  double value = double(bytes);
  const char* unit = "";
  for (const char* next : {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}) {
    if (value < 1024) break;
    value /= 1024;
    unit = next;
  }
  char digits[48];
  const auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed,
                                 value < 10 ? 1 : 0)
                       .ptr;
  return withSigns({digits, end}, Groups::None) + ' ' + unit;
}

Error outOfMemory() {
  return {.kind = ErrorKind::TooLarge,
          .message = "Not enough memory for this run. Use a smaller ε or a smaller cloud."};
}

Result<void> checkMemory(const std::string& name, std::uint64_t rows, std::uint64_t columns,
                         std::uint64_t bytes, std::uint64_t limit) {
  const bool machine = limit == 0;
  if (machine) limit = availableMemory();
  // Reading takes up to 1.5 times the data set (engine/io/read.h); a limit that the caller gives is
  // for the data set alone.
  const std::uint64_t needed = machine && bytes < kUnknown / 2 ? bytes + bytes / 2 : bytes;
  if (needed <= limit) return {};
  return tooLarge(name + ": " + std::to_string(rows) + " rows of " + std::to_string(columns) +
                  " columns need " + memoryText(needed) + " of memory; " + memoryText(limit) +
                  (machine ? " are free." : " are allowed.") +
                  " Take fewer columns, or a part of the file.");
}

Result<void> checkTableFits(std::uint64_t pairs, std::uint64_t bytes) {
  const std::uint64_t available = availableMemory();
  if (bytes <= available) return {};
  return tooLarge("The result would be " + std::to_string(pairs) + " pairs, " + memoryText(bytes) +
                  ", and " + memoryText(available) +
                  " are free. Use a smaller ε, or ask for counts only.");
}

}  // namespace clusterloom
