#include "engine/shared_rates.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <ostream>

#include "engine/core/number_text.h"
#include "engine/io/output_set.h"

namespace clusterloom {
namespace {

constexpr const char* kRatesFirstLine = "clusterloom shared rates 1";
constexpr std::size_t kMostKinds = 400;
constexpr std::uintmax_t kMostRatesBytes = 1U << 20;

bool take(const std::string& text, double& value) {
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  return error == std::errc() && end == last && value >= 0 && value < 1e300;
}

}  // namespace

// Lines of kind, GPU and CPU, separated by tabs.
KnownRates readSharedRates(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) ||
      std::filesystem::file_size(path, error) > kMostRatesBytes || error)
    return {};
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || line != kRatesFirstLine) return {};
  KnownRates rates;
  while (std::getline(file, line)) {
    const std::size_t second = line.rfind('\t');
    const std::size_t first =
        second == std::string::npos || second == 0 ? second : line.rfind('\t', second - 1);
    if (first == std::string::npos || second == 0) return {};
    SideRates side;
    if (!take(line.substr(first + 1, second - first - 1), side.gpu) ||
        !take(line.substr(second + 1), side.cpu))
      return {};
    rates[line.substr(0, first)] = side;
  }
  return rates;
}

Result<void> keepSharedRates(const std::string& path, const KnownRates& rates) {
  std::error_code error;  // where it fails, writing says so
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  // Read again: other programs of this user keep their rates there too.
  KnownRates all = readSharedRates(path);
  for (const auto& [kind, side] : rates) all[kind] = side;
  if (all.size() > kMostKinds) all = rates;
  return writeAtomically(path, [&](std::ostream& out) -> Result<void> {
    out << kRatesFirstLine << '\n';
    for (const auto& [kind, side] : all)
      out << kind << '\t' << roundTripText(side.gpu) << '\t' << roundTripText(side.cpu) << '\n';
    return {};
  });
}

std::unique_ptr<RateMemory> sharedRatesIn(const std::string& path) {
  if (path.empty()) return std::make_unique<RateMemory>();
  return std::make_unique<RateMemory>(readSharedRates(path), [path](const KnownRates& learned) {
    const auto kept = keepSharedRates(path, learned);
    static_cast<void>(kept);  // a run is over when its rates are kept: nobody is left to tell
  });
}

}  // namespace clusterloom
