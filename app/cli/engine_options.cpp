#include "app/cli/engine_options.h"

#include <tbb/info.h>
#include <unistd.h>

#include <cstdlib>

#include "app/cli/value_options.h"
#include "engine/core/number_text.h"
#include "engine/core/predicate.h"
#include "engine/dbscan/sweep.h"
#include "engine/io/numbers.h"
#include "engine/join/strategy_options.h"

namespace clusterloom::cli {

namespace {

constexpr const char* kRunGroup = "Run";
constexpr const char* kStrategyGroup = "Strategy (every one gives the same result)";

/// Adds the options of one use from the table, with the values of `strategy` as defaults.
void addStrategyOptions(CLI::App& parser, Strategy& strategy, OptionUse use) {
  for (const StrategyOption& option : strategyOptions()) {
    if (option.use != use) continue;
    addTextOption(
        parser, "--" + option.name,
        [&option, &strategy](const std::string& text) { return setOption(strategy, option, text); },
        option.help + ":\n" + choicesOf(option) + " (default: " + option.get(strategy) + ")")
        ->type_name(option.placeholder)
        ->group(kStrategyGroup);
  }
}

}  // namespace

void addScalingOption(CLI::App& parser, ScalingChoice& scaling) {
  addTextOption(
      parser, "--scale",
      [&scaling](const std::string& text) -> Result<void> {
        const auto choice = parseScalingChoice(text);
        if (!choice) return badCall("--scale: " + choice.error().message);
        scaling = *choice;
        return {};
      },
      "Change of units before ε applies: none, unit (each dimension to [0, 1]),\n"
      "zscore, or one factor per dimension such as 1,1,0.5 (default: none).\n"
      "Outputs keep the original units")
      ->type_name("SCALING")
      ->group(kRunGroup);
}

void addThreadsOption(CLI::App& parser, int& threads) {
  threads = threadsOfTask();
  addIntegerOption(
      parser, "--threads", threads, 1, BackendOptions::kMostThreads,
      "CPU threads (default: all that the process may use; in a Slurm job at most its\n"
      "--cpus-per-task)")
      ->type_name("N")
      ->group(kRunGroup);
}

void addProcessorOptions(CLI::App& parser, HierarchyProcessor& processor, int& threads) {
  parser
      .add_option(
          "--backend", processor.backend,
          "Where the result is computed: auto (for large clouds on a GPU, if there is one),\n"
          "cpu or cuda (default: auto)")
      ->type_name("NAME")
      ->group(kRunGroup);
  addThreadsOption(parser, threads);
  addIntegerOption(
      parser, "--device", processor.device, 0, 1023,
      "Number of the GPU, from 0, for the backends auto and cuda (default: the first that answers)")
      ->type_name("N")
      ->group(kRunGroup);
}

void addEngineOptions(CLI::App& parser, EngineOptions& options, const std::string& backends) {
  addScalingOption(parser, options.scaling);
  parser.add_option("--backend", options.backend, backends + "\n(default: auto)")
      ->type_name("NAME")
      ->group(kRunGroup);
  addThreadsOption(parser, options.backendOptions.threads);
  addIntegerOption(parser, "--device", options.backendOptions.device, 0, 1023,
                   "Number of the GPU, from 0, for the backends auto, cuda and hybrid (default: "
                   "the first that answers)")
      ->type_name("N")
      ->group(kRunGroup);
  addStrategyOptions(parser, options.strategy, OptionUse::Joins);
}

void addJoinStrategyOptions(CLI::App& parser, EngineOptions& options) {
  addStrategyOptions(parser, options.strategy, OptionUse::Pairs);
}

namespace {

constexpr const char* kDevicesGroup = "Several GPUs";

CLI::Option* addDevices(CLI::App& parser, BackendOptions& backend, const char* help) {
  return addTextOption(
             parser, "--devices",
             [&backend](const std::string& text) -> Result<void> {
               backend.allDevices = text == "all";
               backend.devices.clear();
               if (backend.allDevices) return {};
               auto numbers = readIntegers("--devices", text, 0, 1023);
               if (!numbers) return tl::unexpected(numbers.error());
               backend.devices.assign(numbers->begin(), numbers->end());
               return {};
             },
             help)
      ->type_name("LIST")
      ->group(kDevicesGroup);
}

}  // namespace

void addRankDevices(CLI::App& parser, EngineOptions& options) {
  addDevices(parser, options.backendOptions,
             "GPUs that divide the cloud: a list such as 0,1, or all. Each gets one rank in this\n"
             "process; with --ranks the ranks are spread evenly over these GPUs");
}

void addDeviceOptions(CLI::App& parser, EngineOptions& options) {
  const OptionGroup group(parser, kDevicesGroup);
  BackendOptions& backend = options.backendOptions;
  CLI::Option* devices = addDevices(
      parser, backend,
      "GPUs that share the join: a list such as 0,1, or all. Each holds the whole cloud");
  addIntegerOption(
      parser, "--query-sets", backend.querySets, 1, 1 << 20,
      "How many sets the query points are divided into (default: chosen by the program; 8\n"
      "for each GPU with --deal fixed or single)")
      ->type_name("M")
      ->needs(devices);
  addTextOption(
      parser, "--deal",
      [&backend](const std::string& text) -> Result<void> {
        if (fromText(text, backend.deal)) return {};
        return badCall("--deal takes fixed, single or queue, not " + quotedText(text) + ".");
      },
      "Which GPU gets which query set: fixed (set i goes to GPU i mod g; query points are sorted\n"
      "by workload and dealt to the sets in runs of up to 32), single (the same, but dealt one by\n"
      "one in the order of the input, as in the paper) or queue (a free GPU takes the next set)\n"
      "(default: queue)")
      ->type_name("WORD")
      ->needs(devices);
}

void addDbscanStrategyOptions(CLI::App& parser, EngineOptions& options) {
  addStrategyOptions(parser, options.strategy, OptionUse::Dbscan);
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

namespace {

Result<std::vector<double>> readEpsValues(const EpsOptions& options) {
  if (options.given() && options.isSweep()) return badCall("Give --eps or --sweep-eps, not both.");
  if (!options.isSweep()) {
    if (!options.given()) return badCall("Give --eps E, or --sweep-eps A:B:N.");
    return std::vector<double>{options.eps};
  }
  const std::string_view text = options.sweep;
  const std::size_t first = text.find(':');
  const std::size_t second = first == std::string::npos ? first : text.find(':', first + 1);
  if (second == std::string::npos)
    return badCall("--sweep-eps takes A:B:N, such as 0.1:10:20, not " + quotedText(text) + ".");
  const auto low = readNumber("A of --sweep-eps A:B:N", text.substr(0, first));
  if (!low) return tl::unexpected(low.error());
  const auto high =
      readNumber("B of --sweep-eps A:B:N", text.substr(first + 1, second - first - 1));
  if (!high) return tl::unexpected(high.error());
  const auto count =
      readInteger("N of --sweep-eps A:B:N", text.substr(second + 1), 1, kMostSweepSteps);
  if (!count) return tl::unexpected(count.error());
  auto values = geometricEps(*low, *high, int(*count));
  if (!values)
    return badCall("--sweep-eps " + quotedText(text) + ": " + values.error().message + ".");
  return values;
}

}  // namespace

Result<std::vector<double>> epsValues(const EpsOptions& options) {
  auto values = readEpsValues(options);  // ascending
  if (values && !(values->front() > 0))
    return badCall("ε must be a positive, finite number, not " +
                   clusterloom::numberText(values->front()));
  return values;
}

Result<void> checkSquares(const std::vector<double>& eps, const Space& space) {
  // These compare chords, for which they take any ε.
  if (space.sphere || space.metric == Metric::Cosine) return {};
  for (const double value : {eps.front(), eps.back()})
    if (auto fine = epsSquared(value); !fine) return tl::unexpected(fine.error());
  return {};
}

Result<ScaledCloud> ScaledCloud::make(const ScalingChoice& choice, const PointCloud& original,
                                      const PointCloud& scaledBy) {
  Result<Scaling> scaling = makeScaling(choice.kind, scaledBy, choice.factors);
  if (!scaling) return tl::unexpected(scaling.error());
  ScaledCloud scaled;
  scaled.original_ = &original;
  if (scaling->kind != Scaling::Kind::None)
    scaled.copy_ = std::make_unique<PointCloud>(applyScaling(original, *scaling));
  scaled.scaling_ = std::move(*scaling);
  return scaled;
}

int threadsOfTask() {
  const char* const text = std::getenv("SLURM_CPUS_PER_TASK");
  const int threads = text != nullptr ? std::atoi(text) : 0;
  return threads > 0 && threads < tbb::info::default_concurrency() ? threads : 0;
}

std::string boundText(int threads) {
  const int processors = tbb::info::default_concurrency();
  const long all = ::sysconf(_SC_NPROCESSORS_ONLN);
  if (threads <= processors || processors >= all) return {};
  return "--threads " + std::to_string(threads) + ": this process is bound to " +
         std::to_string(processors) + " of " + std::to_string(all) +
         " processors, so that its threads wait for each other. Give srun --cpus-per-task, or "
         "mpirun --bind-to none.";
}

}  // namespace clusterloom::cli
