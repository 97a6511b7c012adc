#include "app/cli/engine_options.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "app/cli/value_options.h"
#include "engine/dbscan/sweep.h"

namespace clusterloom::cli {

namespace {

constexpr const char* kRunGroup = "Run";
constexpr const char* kStrategyGroup = "Strategy (every one gives the same answer)";

/// An option as its help and its error message name it.
struct Word {
  const char* name;
  const char* help;
  const char* choices;
  std::string standard;  ///< the default
};

/// Adds an option whose text `accept` turns into a value, or refuses by returning false.
CLI::Option* addWord(CLI::App& parser, const Word& word,
                     std::function<bool(const std::string&)> accept) {
  return parser
      .add_option_function<std::string>(
          word.name,
          [word, accept = std::move(accept)](const std::string& text) {
            if (!accept(text))
              throw CLI::ValidationError(word.name, "'" + text + "' is not one of " + word.choices);
          },
          std::string(word.help) + ":\n" + word.choices + " (default: " + word.standard + ")")
      ->type_name("WORD")
      ->group(kStrategyGroup);
}

CLI::Option* addToggle(CLI::App& parser, const char* name, const char* help, Toggle& target) {
  return addWord(parser, {name, help, "on, off, auto", "auto"},
                 [&target](const std::string& word) { return fromText(word, target); });
}

/// A whole number, or `automatic` for "auto"; false for anything else.
template <class Number>
bool numberOrAuto(const std::string& word, Number automatic, Number least, Number& target) {
  if (word == "auto") {
    target = automatic;
    return true;
  }
  const auto value = readUnsigned({}, word, std::uint64_t(least),
                                  std::uint64_t(std::numeric_limits<Number>::max()));
  if (!value) return false;
  target = static_cast<Number>(*value);
  return true;
}

}  // namespace

void addEngineOptions(CLI::App& parser, EngineOptions& options) {
  addTextOption(
      parser, "--scale",
      [&options](const std::string& text) -> Result<void> {
        const auto choice = parseScalingChoice(text);
        if (!choice) return fail(ErrorKind::BadCall, "--scale: " + choice.error().message);
        options.scaling = *choice;
        return {};
      },
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
  addIntegerOption(parser, "--threads", options.backendOptions.threads, 1, 4096,
                   "CPU threads (default: as many as the machine has)")
      ->type_name("N")
      ->group(kRunGroup);

  Strategy& strategy = options.strategy;
  addWord(parser,
          {"--method",
           "How pairs are found. The options below are the grid's; g-dbscan is for DBSCAN on a GPU",
           "grid, brute-force, g-dbscan, g-dbscan-no-transfer, g-dbscan-shifted, g-dbscan-shared",
           "grid"},
          [&strategy](const std::string& word) { return fromText(word, strategy.method); });
  addWord(parser,
          {"--index-dims", "How many dimensions the grid indexes",
           "1 to 8 but no more than the cloud has, auto", "auto"},
          [&strategy](const std::string& word) {
            return numberOrAuto(word, 0, 1, strategy.indexedDims);
          })
      ->type_name("K");
  addWord(parser,
          {"--pattern", "Which cells a query point compares with",
           "full, unicomp, lid-unicomp, tile", toText(strategy.pattern)},
          [&strategy](const std::string& word) { return fromText(word, strategy.pattern); });
  addWord(parser,
          {"--order", "Order in which query points are handed out",
           "input, bins, cell, sort-by-workload, work-queue", toText(strategy.order)},
          [&strategy](const std::string& word) { return fromText(word, strategy.order); });
  addWord(
      parser,
      {"--threads-per-point", "GPU threads that share a query point", "1, 2, 4, 8, 16, 32", "1"},
      [&strategy](const std::string& word) {
        return word != "auto" && numberOrAuto(word, 1, 1, strategy.threadsPerPoint);
      })
      ->type_name("K");
  addWord(
      parser,
      {"--precision", "Bits of the first distance; ties are always decided in 64", "64, 32", "64"},
      [&strategy](const std::string& word) {
        strategy.precision = word == "32" ? Precision::Single : Precision::Double;
        return word == "32" || word == "64";
      })
      ->type_name("BITS");
  addWord(parser, {"--batch-size", "Pairs a batch may give", "a whole number, auto", "auto"},
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

void addJoinStrategyOptions(CLI::App& parser, EngineOptions& options) {
  addWord(parser,
          {"--result-route", "How a GPU brings pairs to the host",
           "count-scan-fill, key-value-sort", "count-scan-fill"},
          [&options](const std::string& word) { return fromText(word, options.strategy.route); });
}

void addDbscanStrategyOptions(CLI::App& parser, EngineOptions& options) {
  addToggle(parser, "--dense-cells", "Take cells whose points are all neighbours as one set",
            options.strategy.denseCells);
  addToggle(parser, "--early-stop", "Stop counting neighbours at minPts",
            options.strategy.earlyStop);
}

void addEpsOptions(CLI::App& parser, EpsOptions& options) {
  CLI::Option* eps =
      addNumberOption(parser, "--eps", options.eps,
                      "ε, the radius within which points are neighbours, in the units of the data\n"
                      "(of the scaled data with --scale)")
          ->type_name("E");
  parser
      .add_option("--sweep-eps", options.sweep,
                  "Instead of --eps: run N values from A to B, geometrically spaced, and print\n"
                  "one JSON object each")
      ->type_name("A:B:N");
  options.given = [eps] { return eps->count() > 0; };
}

Result<std::vector<double>> epsValues(const EpsOptions& options) {
  if (options.given() && options.isSweep())
    return fail(ErrorKind::BadCall, "Give --eps or --sweep-eps, not both.");
  if (!options.isSweep()) {
    if (!options.given()) return fail(ErrorKind::BadCall, "Give --eps E, or --sweep-eps A:B:N.");
    return std::vector<double>{options.eps};
  }
  const std::string_view text = options.sweep;
  const std::size_t first = text.find(':');
  const std::size_t second = first == std::string::npos ? first : text.find(':', first + 1);
  if (second == std::string::npos)
    return fail(ErrorKind::BadCall,
                "--sweep-eps takes A:B:N, such as 0.1:10:20, and not " + quotedText(text) + ".");
  const auto low = readNumber("A of --sweep-eps A:B:N", text.substr(0, first));
  if (!low) return tl::unexpected(low.error());
  const auto high =
      readNumber("B of --sweep-eps A:B:N", text.substr(first + 1, second - first - 1));
  if (!high) return tl::unexpected(high.error());
  const auto count = readInteger("N of --sweep-eps A:B:N", text.substr(second + 1), 1, 2147483647);
  if (!count) return tl::unexpected(count.error());
  return geometricEps(*low, *high, static_cast<int>(*count));
}

Result<ScaledCloud> ScaledCloud::make(const ScalingChoice& choice, const PointCloud& original) {
  Result<Scaling> scaling = makeScaling(choice.kind, original, choice.factors);
  if (!scaling) return tl::unexpected(scaling.error());
  ScaledCloud scaled;
  scaled.original_ = &original;
  if (scaling->kind != Scaling::Kind::None)
    scaled.copy_ = std::make_unique<PointCloud>(applyScaling(original, *scaling));
  scaled.scaling_ = std::move(*scaling);
  return scaled;
}

}  // namespace clusterloom::cli
