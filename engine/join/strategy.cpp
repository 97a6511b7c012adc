#include "engine/join/strategy.h"

#include "engine/core/number_text.h"
#include "engine/join/strategy_words.h"

namespace clusterloom {
namespace {

template <class Table, class Enum>
std::string wordOf(const Table& table, Enum value) {
  for (const auto& entry : table)
    if (entry.value == value) return entry.word;
  return {};
}

template <class Table, class Enum>
bool valueOf(const Table& table, const std::string& text, Enum& value) {
  for (const auto& entry : table)
    if (text == entry.word) {
      value = entry.value;
      return true;
    }
  return false;
}

}  // namespace

std::string toText(Method method) { return wordOf(kMethods, method); }
std::string toText(AccessPattern pattern) { return wordOf(kPatterns, pattern); }
std::string toText(QueryOrder order) { return wordOf(kOrders, order); }
std::string toText(Toggle toggle) { return wordOf(kToggles, toggle); }
std::string toText(ResultRoute route) { return wordOf(kRoutes, route); }
std::string toText(CpuMethod method) { return wordOf(kCpuMethods, method); }
std::string toText(Deal deal) { return wordOf(kDeals, deal); }
std::string toText(Division division) { return wordOf(kDivisions, division); }
bool fromText(const std::string& text, Method& method) { return valueOf(kMethods, text, method); }
bool fromText(const std::string& text, AccessPattern& pattern) {
  return valueOf(kPatterns, text, pattern);
}
bool fromText(const std::string& text, QueryOrder& order) { return valueOf(kOrders, text, order); }
bool fromText(const std::string& text, Toggle& toggle) { return valueOf(kToggles, text, toggle); }
bool fromText(const std::string& text, ResultRoute& route) { return valueOf(kRoutes, text, route); }
bool fromText(const std::string& text, Deal& deal) { return valueOf(kDeals, text, deal); }

std::string describe(const Strategy& strategy) {
  if (strategy.method != Method::Grid)
    return toText(strategy.method) +
           (strategy.order == QueryOrder::WorkQueue ? ", work-queue order" : "") +
           (strategy.shortCircuit == Toggle::On ? ", SHORTC" : "") +
           (strategy.precision == Precision::Single ? ", 32-bit" : "");
  std::string text = toText(strategy.pattern) + ", " + toText(strategy.order) + " order";
  const auto option = [&text](const std::string& name, Toggle toggle) {
    if (toggle == Toggle::On) text += ", " + name;
    if (toggle == Toggle::Off) text += ", no " + name;
  };
  if (strategy.indexedDims > 0) text += ", k = " + std::to_string(strategy.indexedDims);
  if (strategy.threadsPerPoint > 1)
    text += ", " + std::to_string(strategy.threadsPerPoint) + " threads per point";
  option("REORDER", strategy.reorder);
  option("SORTIDU", strategy.sortIdu);
  option("SHORTC", strategy.shortCircuit);
  option("dense cells", strategy.denseCells);
  option("early stop", strategy.earlyStop);
  if (strategy.precision == Precision::Single) text += ", 32-bit";
  if (strategy.route == ResultRoute::KeyValueSort) text += ", pairs sorted by key";
  if (strategy.batchPairs > 0)
    text += ", batches of " + std::to_string(strategy.batchPairs) + " pairs";
  if (strategy.streams > 0) text += ", " + std::to_string(strategy.streams) + " streams";
  if (strategy.blockSize > 0) text += ", blocks of " + std::to_string(strategy.blockSize);
  if (strategy.division != Division::Adaptive) text += ", division " + toText(strategy.division);
  if (strategy.cpuMethod != CpuMethod::Grid) text += ", CPU by " + toText(strategy.cpuMethod);
  if (strategy.cpuBatch > 0)
    text += ", CPU batches of " + std::to_string(strategy.cpuBatch) + " queries";
  if (strategy.referenceEps > 0) text += ", reference ε " + roundTripText(strategy.referenceEps);
  return text;
}

}  // namespace clusterloom
