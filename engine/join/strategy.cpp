#include "engine/join/strategy.h"

#include <array>

#include "engine/core/number_text.h"
#include "engine/core/translatable.h"
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

Strategy asJoin(Strategy strategy) {
  strategy.denseCells = strategy.earlyStop = Toggle::Auto;
  return strategy;
}

Strategy ofOneProcessor(Strategy strategy) {
  const Strategy standard;
  strategy.division = standard.division;
  strategy.cpuMethod = standard.cpuMethod;
  strategy.cpuBatch = standard.cpuBatch;
  strategy.referenceEps = standard.referenceEps;
  return strategy;
}

std::string toText(Method method) { return wordOf(kMethods, method); }
std::string toText(AccessPattern pattern) { return wordOf(kPatterns, pattern); }
std::string toText(QueryOrder order) { return wordOf(kOrders, order); }
std::string toText(Toggle toggle) { return wordOf(kToggles, toggle); }
std::string toText(ResultRoute route) { return wordOf(kRoutes, route); }
std::string toText(CpuMethod method) { return wordOf(kCpuMethods, method); }
std::string toText(Deal deal) { return wordOf(kDeals, deal); }
std::string toText(Division division) { return wordOf(kDivisions, division); }
bool fromText(const std::string& text, AccessPattern& pattern) {
  return valueOf(kPatterns, text, pattern);
}
bool fromText(const std::string& text, QueryOrder& order) { return valueOf(kOrders, text, order); }
bool fromText(const std::string& text, Deal& deal) { return valueOf(kDeals, text, deal); }

std::string describe(const Strategy& strategy) {
  // In the order of QueryOrder.
  constexpr std::array orders{translatable("input order"), translatable("bins order"),
                              translatable("cell order"), translatable("sort-by-workload order"),
                              translatable("work-queue order")};
  const std::string order = orders[std::size_t(strategy.order)];
  if (strategy.method != Method::Grid)
    return toText(strategy.method) + (strategy.order == QueryOrder::WorkQueue ? ", " + order : "") +
           (strategy.shortCircuit == Toggle::On ? ", SHORTC" : "") +
           (strategy.precision == Precision::Single ? ", 32-bit" : "");
  std::string text = toText(strategy.pattern) + ", " + order;
  const auto add = [&text](const char* phrase) { text += std::string(", ") + phrase; };
  const auto number = [&text](const char* phrase, const std::string& value) {
    text += ", " + withValue(phrase, value);
  };
  const auto option = [&add](const char* on, const char* off, Toggle toggle) {
    if (toggle != Toggle::Auto) add(toggle == Toggle::On ? on : off);
  };
  if (strategy.indexedDims > 0) number("k = %1", std::to_string(strategy.indexedDims));
  if (strategy.threadsPerPoint > 1)
    number(translatable("%1 threads per point"), std::to_string(strategy.threadsPerPoint));
  option(translatable("REORDER"), translatable("no REORDER"), strategy.reorder);
  option(translatable("SORTIDU"), translatable("no SORTIDU"), strategy.sortIdu);
  option(translatable("SHORTC"), translatable("no SHORTC"), strategy.shortCircuit);
  option(translatable("dense cells"), translatable("no dense cells"), strategy.denseCells);
  option(translatable("early stop"), translatable("no early stop"), strategy.earlyStop);
  if (strategy.precision == Precision::Single) add(translatable("32-bit"));
  if (strategy.route == ResultRoute::KeyValueSort) add(translatable("pairs sorted by key"));
  if (strategy.batchPairs > 0)
    number(translatable("batches of %1 pairs"), std::to_string(strategy.batchPairs));
  if (strategy.streams > 0) number(translatable("%1 streams"), std::to_string(strategy.streams));
  if (strategy.blockSize > 0)
    number(translatable("blocks of %1"), std::to_string(strategy.blockSize));
  if (strategy.division != Division::Adaptive) text += ", division " + toText(strategy.division);
  if (strategy.cpuMethod != CpuMethod::Grid) text += ", CPU by " + toText(strategy.cpuMethod);
  if (strategy.cpuBatch > 0)
    number(translatable("CPU batches of %1 queries"), std::to_string(strategy.cpuBatch));
  if (strategy.referenceEps > 0)
    number(translatable("reference ε %1"), roundTripText(strategy.referenceEps));
  return text;
}

}  // namespace clusterloom
