#include "app/cli/console.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <iostream>

#include "engine/core/utf8_text.h"

namespace clusterloom::cli {

namespace {

constexpr const char* kProgram = "clusterloom-cli: ";
/// Column in which the text of a summary starts.
constexpr std::size_t kNameWidth = 12;

std::atomic<bool> muted = false;

bool errorIsTerminal() {
  static const bool terminal = isatty(STDERR_FILENO) == 1;
  return terminal && !muted;
}

}  // namespace

void muteConsole() { muted = true; }
void unmuteConsole() { muted = false; }

void sayError(const std::string& message) {
  if (muted) return;
  clearProgress();
  std::cerr << kProgram << asUtf8(message) << std::endl;
}

void endInterrupted() {
  sayError(kInterruptedMessage);
  _exit(kInterrupted);
}

void sayNote(const std::string& message) {
  if (muted) return;
  clearProgress();
  std::cerr << kProgram << "note: " << asUtf8(message) << std::endl;
}

Result<void> printLine(const std::string& text) { return printText(text + '\n'); }

Result<void> printText(const std::string& text) {
  if (muted) return {};
  clearProgress();
  std::cout << asUtf8(text) << std::flush;
  if (!std::cout) return ioError("standard output could not be written");
  return {};
}

ProgressFn progressOnTerminal() {
  if (!errorIsTerminal()) return {};
  using Clock = std::chrono::steady_clock;
  static constexpr auto kPause = std::chrono::milliseconds(100);
  return [last = Clock::time_point{}](std::string_view stage, double fraction) mutable {
    const Clock::time_point now = Clock::now();
    if (now - last < kPause) return;
    last = now;
    std::fprintf(stderr, "\r\033[K%.*s %3.0f %%", int(stage.size()), stage.data(), 100 * fraction);
  };
}

ProgressFn progressInLines() {
  using Clock = std::chrono::steady_clock;
  static constexpr auto kPause = std::chrono::seconds(1);
  return [last = Clock::time_point{}, said = std::string()](std::string_view stage,
                                                            double fraction) mutable {
    const Clock::time_point now = Clock::now();
    if (muted || (last != Clock::time_point{} && now - last < kPause)) return;
    char percent[16];
    std::snprintf(percent, sizeof percent, " %.0f %%\n", 100 * fraction);
    std::string line = kProgram + std::string(stage) + percent;
    if (line == said) return;
    last = now;
    said = std::move(line);
    std::fputs(said.c_str(), stderr);
  };
}

void clearProgress() {
  if (errorIsTerminal()) std::fputs("\r\033[K", stderr);
}

std::string shortNumber(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
}

std::string duration(double seconds) {
  char text[40];
  if (seconds < 0.99995)  // else "1000.0 ms"
    std::snprintf(text, sizeof text, "%.1f ms", seconds * 1e3);
  else
    std::snprintf(text, sizeof text, "%.2f s", seconds);
  return text;
}

std::string summaryLine(const std::string& name, const std::string& text) {
  // ε is one column wide but two bytes long.
  std::size_t columns = 0;
  for (const char c : name) columns += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  std::string line = name;
  line.append(columns < kNameWidth ? kNameWidth - columns : 1, ' ');
  return line + text;
}

}  // namespace clusterloom::cli
