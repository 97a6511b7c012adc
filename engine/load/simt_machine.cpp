#include "engine/load/simt_machine.h"

#include <algorithm>
#include <queue>
#include <utility>

#include "engine/core/lower_case.h"
#include "engine/core/number_text.h"

namespace clusterloom {

namespace {

constexpr int kMostOfAll = 1024;  // multiprocessors, and warps of each
constexpr int kMostStreams = 64;
constexpr double kLeastClock = 0.001;  // GHz
constexpr double kMostClock = 10;
constexpr int kIssuedPerCycle = 4;  // warp schedulers of a multiprocessor

std::vector<std::string> partsOf(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

const SimtMachine* presetOf(const SimtMachine& machine) {
  for (const SimtMachine& known : knownMachines())
    if (known.name == machine.name && known.multiprocessors == machine.multiprocessors &&
        known.warpsPerMultiprocessor == machine.warpsPerMultiprocessor &&
        known.clockGHz == machine.clockGHz)
      return &known;
  return nullptr;
}

/// A preset by its name, or a machine by its figures; nullopt for another text.
std::optional<SimtMachine> withoutClock(const std::string& text) {
  for (const SimtMachine& known : knownMachines())
    if (lowerCase(known.name) == lowerCase(text)) return known;
  const std::vector<std::string> parts = partsOf(text, 'x');
  std::vector<int> figures;
  if (parts.size() == 2 || parts.size() == 3)
    for (const std::string& part : parts)
      if (const auto read =
              readInteger("", part, 1, figures.size() < 2 ? kMostOfAll : kMostStreams))
        figures.push_back(int(*read));
  if (figures.empty() || figures.size() != parts.size()) return std::nullopt;
  SimtMachine machine;
  machine.multiprocessors = figures[0];
  machine.warpsPerMultiprocessor = figures[1];
  if (figures.size() == 3) machine.streams = figures[2];
  return machine;
}

}  // namespace

double SimtMachine::seconds(double weightedSteps) const {
  const double cycles = std::max(1.0, double(warpsPerMultiprocessor) / kIssuedPerCycle);
  return weightedSteps * cycles / (clockGHz * 1e9);
}

const std::vector<SimtMachine>& knownMachines() {
  // Multiprocessors: NVIDIA's white papers "H100 Tensor Core GPU Architecture" (132 of the SXM5
  // board, 114 of the PCIe board) and "A100 Tensor Core GPU Architecture" (108); the H200 has the
  // processor of the H100 SXM5. The Titan X of the papers has 3584 cores [Gowanlock 2018, table 3],
  // so it is of the Pascal generation, with 128 cores in each of 28 multiprocessors. Warps: CUDA
  // C++ Programming Guide, "Technical Specifications per Compute Capability": 64 in 6.1, 8.0, 9.0.
  // Clocks are the boost clocks of the boards.
  static const std::vector<SimtMachine> machines = {
      {132, 64, 3, "H200", std::nullopt, 1.98},       {132, 64, 3, "H100", std::nullopt, 1.98},
      {114, 64, 3, "H100-PCIe", std::nullopt, 1.755}, {108, 64, 3, "A100", std::nullopt, 1.41},
      {28, 64, 3, "Titan-X", std::nullopt, 1.531},    {4, 4, 3, "tiny", std::nullopt, 1},
  };
  return machines;
}

std::string nameOf(const SimtMachine& machine) {
  const SimtMachine* preset = presetOf(machine);
  return preset ? preset->name : "GPU";
}

Result<SimtMachine> machineFromText(const std::string& text) {
  const std::vector<std::string> parts = partsOf(text, '@');
  auto machine = withoutClock(parts.front());
  if (parts.size() == 2 && machine) {
    const auto clock = readNumber("", parts.back());
    if (clock && *clock >= kLeastClock && *clock <= kMostClock)
      machine->clockGHz = *clock;
    else
      machine.reset();
  }
  if (machine && parts.size() <= 2) return *machine;
  std::string names;
  for (const SimtMachine& known : knownMachines()) names += known.name + ", ";
  return badCall("There is no model of the GPU '" + text + "'. Give one of " + names +
                 "or multiprocessors x warps of each, as in 8x4 (at most 1024 of both), and x "
                 "streams (at most 64) where there are not 3; @ and a clock in GHz (0.001 to 10) "
                 "may follow, as in 8x4@1.5.");
}

std::string toText(const SimtMachine& machine) {
  const SimtMachine* preset = presetOf(machine);
  if (preset && preset->streams == machine.streams) return preset->name;
  std::string text = std::to_string(machine.multiprocessors) + "x" +
                     std::to_string(machine.warpsPerMultiprocessor);
  if (machine.streams != SimtMachine{}.streams) text += "x" + std::to_string(machine.streams);
  if (machine.clockGHz != SimtMachine{}.clockGHz) text += "@" + roundTripText(machine.clockGHz);
  return text;
}

Result<std::optional<LoopWeights>> weightsFromText(const std::string& text) {
  if (text == "fitted") return std::optional<LoopWeights>();
  if (text == "unit") return std::optional(LoopWeights{});
  const std::vector<std::string> parts = partsOf(text, ',');
  LoopWeights weights;
  double sum = 0;
  bool read = parts.size() == kLoops;
  for (std::size_t loop = 0; loop < kLoops && read; ++loop) {
    const auto weight = readNumber("", parts[loop]);
    read = weight && *weight >= 0 && *weight <= 1e6;
    if (read) sum += weights.of[loop] = *weight;
  }
  if (!read || !(sum > 0))
    return badCall("'" + text +
                   "' is not a list of weights. Give fitted, unit, or the cost of a "
                   "step of cell, search, candidate and hit: four numbers "
                   "from 0 to a million, not all 0, as in 0,1.2,16,8.");
  return std::optional(weights);
}

std::vector<WarpRun> scheduleWarps(std::span<const double> durations,
                                   std::span<const std::uint32_t> batchBegin,
                                   const SimtMachine& machine) {
  using Free = std::pair<double, std::uint32_t>;  // since when, and which slot; ties by slot
  std::vector<Free> slots(std::size_t(machine.warpSlots()));
  for (std::uint32_t s = 0; s < slots.size(); ++s) slots[s] = {0.0, s};
  std::priority_queue<Free, std::vector<Free>, std::greater<>> free(std::greater<>(),
                                                                    std::move(slots));
  std::vector<WarpRun> runs(durations.size());
  const std::size_t batches = batchBegin.size() - 1;
  const auto streams = std::size_t(machine.streams);
  std::vector<double> batchEnd(batches, 0.0);
  for (std::size_t b = 0; b < batches; ++b) {
    const double released = b < streams ? 0.0 : batchEnd[b - streams];
    batchEnd[b] = released;
    for (std::uint32_t w = batchBegin[b]; w < batchBegin[b + 1]; ++w) {
      const auto [since, slot] = free.top();
      free.pop();
      const double start = std::max(since, released);
      runs[w] = {start, start + durations[w], slot};
      batchEnd[b] = std::max(batchEnd[b], runs[w].end);
      free.push({runs[w].end, slot});
    }
  }
  return runs;
}

}  // namespace clusterloom
