#include "app/cli/papers/paper_tables.h"

#include <algorithm>
#include <utility>

namespace clusterloom::cli {

std::vector<Paper> papers() { return {gpuSj(), lbJoin(), hegJoin(), gpuJoin(), gDbscan()}; }

std::vector<PaperValue> valuesOf(const std::vector<const char*>& strategies,
                                 const std::vector<PaperRow>& rows) {
  std::vector<PaperValue> values;
  for (const PaperRow& row : rows)
    for (std::size_t s = 0; s < strategies.size(); ++s)
      values.push_back({row.dataset, row.eps, strategies[s],
                        s < row.published.size() ? row.published[s] : kInFigureOnly});
  return values;
}

std::optional<GeneratorSpec> cloudNamed(const std::string& name) {
  if (name == "Blobs10D") return GeneratorSpec{.kind = "blobs", .points = 200'000, .dims = 10};
  if (name == "Blobs20D") return GeneratorSpec{.kind = "blobs", .points = 400'000, .dims = 20};
  return paperCloud(name);
}

Strategy strategyNamed(const std::string& name) {
  using Change = void (*)(Strategy&);
  static constexpr std::pair<const char*, Change> kParts[] = {
      {"UNICOMP", [](Strategy& s) { s.pattern = AccessPattern::Unicomp; }},
      {"LID-UNICOMP", [](Strategy& s) { s.pattern = AccessPattern::LidUnicomp; }},
      {"SORTBYWL", [](Strategy& s) { s.order = QueryOrder::SortByWorkload; }},
      {"WORKQUEUE", [](Strategy& s) { s.order = QueryOrder::WorkQueue; }},
      {"k=8", [](Strategy& s) { s.threadsPerPoint = 8; }},
      {"REORDER", [](Strategy& s) { s.reorder = Toggle::On; }},
      {"SORTIDU", [](Strategy& s) { s.sortIdu = Toggle::On; }},
      {"SHORTC", [](Strategy& s) { s.shortCircuit = Toggle::On; }},
      {"1 stream", [](Strategy& s) { s.streams = 1; }},
      {"32 bits", [](Strategy& s) { s.precision = Precision::Single; }},
      {"R-tree", [](Strategy& s) { s = {.method = Method::RTree}; }},
      {"New-Super-EGO", [](Strategy& s) { s = {.method = Method::NewSuperEgo}; }},
      {"paper", [](Strategy& s) { s = {.method = Method::GDbscanPaper}; }},
      {"no transfer", [](Strategy& s) { s = {.method = Method::GDbscanNoTransfer}; }},
      {"shifted access", [](Strategy& s) { s = {.method = Method::GDbscanShifted}; }},
      {"shared memory", [](Strategy& s) { s = {.method = Method::GDbscanShared}; }},
      {"HEGJoin-Dyn", [](Strategy& s) { s.division = Division::Dyn; }},
      {"HEGJoin-SQ", [](Strategy& s) { s.division = Division::Queries; }},
      {"HEGJoin-SC", [](Strategy& s) { s.division = Division::Candidates; }},
  };
  Strategy strategy = gpuCalcGlobal();
  for (std::size_t from = 0; from <= name.size();) {
    const std::size_t to = std::min(name.find(" + ", from), name.size());
    for (const auto& [part, change] : kParts)
      if (name.compare(from, to - from, part) == 0) change(strategy);
    from = to + 3;
  }
  return strategy;
}

}  // namespace clusterloom::cli
