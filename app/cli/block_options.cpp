#include "app/cli/block_options.h"

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "app/cli/value_options.h"
#include "engine/core/memory_budget.h"

namespace clusterloom::cli {
namespace {

// "300M", "4G": bytes.
Result<std::uint64_t> readMemory(const std::string& text) {
  static constexpr std::string_view kUnits = "KMGT";
  std::string digits = text;
  int shift = 0;
  if (!digits.empty()) {
    const auto unit = kUnits.find(digits.back());
    if (unit != std::string_view::npos) {
      shift = 10 * (int(unit) + 1);
      digits.pop_back();
    }
  }
  constexpr std::int64_t kMost = std::int64_t{1} << 50;
  const auto number = readInteger("--memory", digits, 1, kMost);
  if (!number || shift == 0 || *number > kMost >> shift)
    return badCall("--memory takes a whole number with K, M, G or T (of 1024), such as 4G, not " +
                   quotedText(text) + ".");
  const auto bytes = std::uint64_t(*number) << shift;
  if (bytes < kLeastBlockMemory)
    return badCall("--memory must be at least " + memoryText(kLeastBlockMemory) + ".");
  return bytes;
}

}  // namespace

// Not /tmp, which may be in memory.
std::string scratchOf(const BlockCall& call) {
  if (!call.scratch.empty()) return call.scratch;
  const char* const named = std::getenv("TMPDIR");
  return named != nullptr && *named != '\0' ? named : "/var/tmp";
}

void addBlockOptions(CLI::App& parser, BlockCall& call) {
  constexpr const char* kGroup = "Large clouds";
  addValueOption(
      parser, "--memory", call.memory, readMemory,
      "Memory that the program may use, such as 4G. The points are processed in blocks, with\n"
      "temporary files on disk (default: all points are kept in memory)")
      ->type_name("SIZE")
      ->group(kGroup);
  addPathOption(parser, "--scratch", call.scratch,
                "Folder for the temporary files of --memory. They are removed at the end\n"
                "(default: TMPDIR if it is set, else /var/tmp)")
      ->type_name("DIR")
      ->group(kGroup);
}

Result<void> checkScratch(const BlockCall& call) {
  if (call.memory == 0)
    return call.scratch.empty() ? Result<void>() : badCall("--scratch needs --memory.");
  std::error_code error;
  if (const std::string folder = scratchOf(call); !std::filesystem::is_directory(folder, error))
    return badCall((call.scratch.empty() ? "TMPDIR " : "--scratch ") + quotedText(folder) +
                   ": there is no such folder.");
  return {};
}

}  // namespace clusterloom::cli
