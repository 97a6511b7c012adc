#include <algorithm>
#include <cstdint>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/json_output.h"
#include "app/cli/outputs.h"
#include "app/cli/value_options.h"
#include "engine/cloud/generators.h"
#include "engine/core/stopwatch.h"
#include "engine/io/format_table.h"
#include "engine/io/write.h"

namespace clusterloom::cli {

namespace {

struct GenerateOptions {
  GeneratorSpec spec;
  std::string path;
  bool truth = false;
  bool json = false;
  const CLI::Option* points = nullptr;  ///< --points
  const CLI::Option* dims = nullptr;    ///< --dims
};

std::string footer() {
  std::string text = "\nKinds:\n";
  for (const GeneratorKind& kind : generatorKinds())
    text += "  " + kind.name + std::string(10 - std::min<std::size_t>(9, kind.name.size()), ' ') +
            kind.summary + '\n';
  return text + R"(
The synthetic data sets of the papers are kinds, too, with their dimensions and points: Expo2D2M is
exponential in 2 dimensions with 2 million points, Unif6D2M uniform in 6; Syn4D10M and SynExpo2D2M
are named as in another paper, where Syn is uniform. Syn16D2M to Syn64D2M of [Gowanlock 2019] are
exponential: Expo16D2M to Expo64D2M. --points makes fewer points of the same distribution.

The same kind, points, dimensions and seed give the same cloud, bit for bit, on every machine.

Examples:
  clusterloom-cli generate blobs --points 100000 --dims 3 --seed 7 blobs.npy
  clusterloom-cli generate expo --points 2000000 --dims 2 --seed 1 expo2d.npy
  clusterloom-cli generate Expo2D2M expo2d2m.npy
  clusterloom-cli generate moons --points 5000 --truth moons.csv)";
}

/// Without the truth column, all columns of the file are coordinates.
void dropTruth(Dataset& data) {
  data.attributes.clear();
  std::erase_if(data.columnOrder, [&](std::size_t column) { return column >= data.cloud.dims(); });
}

/// The kind that a data set of the papers is of, with its dimensions, and its points unless the
/// call says how many.
Result<GeneratorSpec> specOf(const GenerateOptions& options) {
  GeneratorSpec spec = options.spec;
  const auto paper = paperCloud(spec.kind);
  if (!paper) return spec;
  if (options.dims->count() > 0 && spec.dims != paper->dims)
    return badCall(spec.kind + " has " + std::to_string(paper->dims) + " dimensions, not " +
                   std::to_string(spec.dims) + "; leave --dims out.");
  spec.kind = paper->kind;
  spec.dims = paper->dims;
  if (options.points->count() == 0) spec.points = paper->points;
  return spec;
}

Result<void> runGenerate(GenerateOptions& options, const Task& task) {
  const Stopwatch total;
  const auto spec = specOf(options);
  if (!spec) return tl::unexpected(spec.error());
  options.spec = *spec;
  if (auto fine = checkOutputs({}, {{"OUT", options.path, writtenExtensions()}}); !fine)
    return fine;
  if (options.truth && writesLabelsOnly(options.path))
    return badCall("--truth adds a column, and " + extensionOf(options.path) +
                   " holds coordinates only. Choose another format, such as .csv.");
  auto data = generate(options.spec, task);
  if (!data) return tl::unexpected(data.error());
  if (!options.truth) dropTruth(*data);
  if (options.truth && data->attributes.empty())
    sayNote("clouds of kind " + options.spec.kind + " have no components; no truth is written");
  const Stopwatch writing;
  if (auto done = writeDataset(options.path, *data, task); !done) return done;
  if (options.json) {
    Json object;
    object["file"] = options.path;
    object["kind"] = options.spec.kind;
    object["points"] = options.spec.points;
    object["dims"] = options.spec.dims;
    object["seed"] = options.spec.seed;
    object["seconds"] = {{"write", writing.seconds()}, {"total", total.seconds()}};
    return printJson(object);
  }
  return printLine(summaryLine("written", options.path + ": " +
                                              countedText(options.spec.points, "point") + " in " +
                                              countedText(options.spec.dims, "dimension")));
}

}  // namespace

Command addGenerateCommand(CLI::App& program) {
  auto options = std::make_shared<GenerateOptions>();
  CLI::App* parser = program.add_subcommand("generate", "Generate a cloud");
  parser->footer(footer());
  parser->add_option("KIND", options->spec.kind, "The kind of cloud; see below")->required();
  addPathOption(
      *parser, "OUT", options->path,
      "Where to write it; the format follows the extension: " + listOf(writtenExtensions()) +
          ",\nwith " + packingExtensions() + " after it to compress the file (not .laz and .h5)")
      ->required();
  options->points = addIntegerOption(*parser, "--points", options->spec.points, 1,
                                     std::int64_t(kMaxPoints), "How many points (default: 10000)")
                        ->type_name("N");
  options->dims = addIntegerOption(*parser, "--dims", options->spec.dims, 1, std::int64_t(kMaxDims),
                                   "How many dimensions (default: 2)")
                      ->type_name("D");
  addSeedOption(*parser, "--seed", options->spec.seed, "Seed of the random numbers (default: 1)")
      ->type_name("S");
  parser->add_flag("--truth", options->truth,
                   "Add a column with the component that made each point, −1 for noise");
  parser->add_flag("--json", options->json, "Print one JSON object instead of the summary");
  return {parser, [options](const Task& task) { return runGenerate(*options, task); }};
}

}  // namespace clusterloom::cli
