#include "app/cli/engine_options.h"

#include <charconv>
#include <functional>

#include "engine/dbscan/sweep.h"

namespace clusterloom::cli {

namespace {

constexpr const char* kRunGroup = "Run";
constexpr const char* kStrategyGroup = "Strategy (every one gives the same answer)";

/// Adds an option whose text `accept` turns into a value, or refuses by returning false.
CLI::Option* addWord(CLI::App& parser, const std::string& name, const std::string& choices,
                     const std::string& help, std::function<bool(const std::string&)> accept) {
  return parser
      .add_option_function<std::string>(
          name,
          [name, choices, accept = std::move(accept)](const std::string& word) {
            if (!accept(word))
              throw CLI::ValidationError(name, "'" + word + "' is none of " + choices);
          },
          help + "\n" + choices)
      ->type_name("WORD")
      ->group(kStrategyGroup);
}

CLI::Option* addToggle(CLI::App& parser, const std::string& name, const std::string& help,
                       Toggle& target) {
  return addWord(parser, name, "on, off or auto (default: auto)", help,
                 [&target](const std::string& word) { return fromText(word, target); });
}

/// A whole number, or `automatic` for "auto"; false for anything else.
template <class Number>
bool numberOrAuto(const std::string& word, Number automatic, Number lowest, Number& target) {
  if (word == "auto") {
    target = automatic;
    return true;
  }
  Number value{};
  const char* last = word.data() + word.size();
  const auto [end, error] = std::from_chars(word.data(), last, value);
  if (error != std::errc() || end != last || value < lowest) return false;
  target = value;
  return true;
}

bool numberAt(const std::string& text, std::size_t from, std::size_t to, double& value) {
  const char* last = text.data() + to;
  const auto [end, error] = std::from_chars(text.data() + from, last, value);
  return error == std::errc() && end == last;
}

}  // namespace

void addEngineOptions(CLI::App& parser, EngineOptions& options) {
  parser
      .add_option("--scale", options.scale,
                  "Change of units before ε applies: none, unit (each dimension to [0, 1]),\n"
                  "zscore, or one factor a dimension such as 1,1,0.5 (default: none).\n"
                  "Outputs keep the original units")
      ->type_name("SCALING")
      ->group(kRunGroup);
  parser
      .add_option("--backend", options.backend,
                  "Where the joins run: auto, cpu, cuda, simt or hybrid (default: auto)")
      ->type_name("NAME")
      ->group(kRunGroup);
  parser
      .add_option("--threads", options.backendOptions.threads,
                  "CPU threads (default: as many as the machine has)")
      ->type_name("N")
      ->check(CLI::Range(1, 4096))
      ->group(kRunGroup);

  Strategy& strategy = options.strategy;
  addWord(parser, "--index-dims", "1 … min(dimensions, 8) or auto (default: auto)",
          "How many dimensions the grid indexes",
          [&strategy](const std::string& word) {
            return numberOrAuto(word, 0, 1, strategy.indexedDims);
          })
      ->type_name("K");
  addWord(parser, "--pattern", "full, unicomp, lid-unicomp or tile (default: tile)",
          "Which cells a query point compares with",
          [&strategy](const std::string& word) { return fromText(word, strategy.pattern); });
  addWord(parser, "--order", "input, bins, cell, sort-by-workload or work-queue (default: cell)",
          "Order in which query points are handed out",
          [&strategy](const std::string& word) { return fromText(word, strategy.order); });
  addWord(parser, "--threads-per-point", "1, 2, 4, 8, 16 or 32 (default: 1; more needs a GPU)",
          "GPU threads that share a query point",
          [&strategy](const std::string& word) {
            return word != "auto" && numberOrAuto(word, 1, 1, strategy.threadsPerPoint);
          })
      ->type_name("K");
  addWord(parser, "--precision", "64 or 32 (default: 64)",
          "Bits of the first distance; ties are always decided in 64",
          [&strategy](const std::string& word) {
            strategy.precision = word == "32" ? Precision::Single : Precision::Double;
            return word == "32" || word == "64";
          })
      ->type_name("BITS");
  addWord(parser, "--batch-size", "a number of pairs, or auto (default: auto)",
          "Pairs a batch may give",
          [&strategy](const std::string& word) {
            return numberOrAuto<std::uint64_t>(word, 0, 1, strategy.batchPairs);
          })
      ->type_name("PAIRS");
  addToggle(parser, "--reorder", "Index the dimensions of highest variance first",
            strategy.reorder);
  addToggle(parser, "--sort-idu", "Sort each cell by a dimension that is not indexed",
            strategy.sortIdu);
  addToggle(parser, "--short-circuit", "Stop a distance once its partial sum passes ε²",
            strategy.shortCircuit);
}

void addDbscanStrategyOptions(CLI::App& parser, EngineOptions& options) {
  addToggle(parser, "--dense-cells", "Take cells whose points are all neighbours as one set",
            options.strategy.denseCells);
  addToggle(parser, "--early-stop", "Stop counting neighbours at minPts",
            options.strategy.earlyStop);
}

void addEpsOptions(CLI::App& parser, EpsOptions& options) {
  CLI::Option_group* group = parser.add_option_group("Radius", "One of the two is required");
  group
      ->add_option("--eps", options.eps,
                   "ε, the radius within which points are neighbours, in the (scaled) units of "
                   "the data")
      ->type_name("E");
  group
      ->add_option("--sweep-eps", options.sweep,
                   "Run N values from A to B, geometrically spaced; prints one JSON object each")
      ->type_name("A:B:N");
  group->require_option(1);
}

Result<std::vector<double>> epsValues(const EpsOptions& options) {
  if (!options.isSweep()) return std::vector<double>{options.eps};
  const std::string& text = options.sweep;
  const std::size_t first = text.find(':');
  const std::size_t second = first == std::string::npos ? first : text.find(':', first + 1);
  double low = 0;
  double high = 0;
  int count = 0;
  if (second == std::string::npos || !numberAt(text, 0, first, low) ||
      !numberAt(text, first + 1, second, high) ||
      !numberOrAuto(text.substr(second + 1), -1, 1, count) || count < 1)
    return fail(ErrorKind::BadCall,
                "--sweep-eps takes A:B:N, such as 0.1:10:20, and not '" + text + "'.");
  return geometricEps(low, high, count);
}

Result<ScaledCloud> ScaledCloud::make(const std::string& scale, const PointCloud& original) {
  Result<Scaling> scaling = parseScaling(scale, original);
  if (!scaling) return tl::unexpected(scaling.error());
  ScaledCloud scaled;
  scaled.original_ = &original;
  if (scaling->kind != Scaling::Kind::None)
    scaled.copy_ = std::make_unique<PointCloud>(applyScaling(original, *scaling));
  scaled.scaling_ = std::move(*scaling);
  return scaled;
}

}  // namespace clusterloom::cli
