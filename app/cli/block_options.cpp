#include "app/cli/block_options.h"

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "app/cli/console.h"
#include "app/cli/engine_run.h"
#include "app/cli/ranks.h"
#include "app/cli/value_options.h"
#include "engine/core/memory_budget.h"

namespace clusterloom::cli {
namespace {

// "300M", "4G": bytes.
Result<std::uint64_t> readMemory(const std::string& text) {
  static constexpr std::string_view kUnits = "KMGT";
  std::string digits = text;
  int shift = 0;
  if (!digits.empty()) {
    const auto unit = kUnits.find(digits.back());
    if (unit != std::string_view::npos) {
      shift = 10 * (int(unit) + 1);
      digits.pop_back();
    }
  }
  constexpr std::int64_t kMost = std::int64_t{1} << 50;
  const auto number = readInteger("--memory", digits, 1, kMost);
  if (!number || shift == 0 || *number > kMost >> shift)
    return badCall("--memory takes a whole number with K, M, G or T (of 1024), such as 4G, not " +
                   quotedText(text) + ".");
  const auto bytes = std::uint64_t(*number) << shift;
  if (bytes < kLeastBlockMemory)
    return badCall("--memory must be at least " + memoryText(kLeastBlockMemory) + ".");
  return bytes;
}

// Not /tmp, which may be in memory.
std::string scratchOf(const BlockCall& call) {
  if (!call.scratch.empty()) return call.scratch;
  const char* const named = std::getenv("TMPDIR");
  return named != nullptr && *named != '\0' ? named : "/var/tmp";
}

void sayOf(const BlockRows& rows, const std::string& path) {
  sayOfSkippedRows(path, rows.skipped, rows.rows);
  sayOfColumns(rows.columns, path);
}

}  // namespace

void addBlockOptions(CLI::App& parser, BlockCall& call) {
  constexpr const char* kGroup = "Large clouds";
  addValueOption(
      parser, "--memory", call.memory, readMemory,
      "Memory that the program may use, such as 4G. The points are processed in blocks, with\n"
      "temporary files on disk (default: all points are kept in memory)")
      ->type_name("SIZE")
      ->group(kGroup);
  addPathOption(parser, "--scratch", call.scratch,
                "Folder for the temporary files of --memory. They are removed at the end\n"
                "(default: TMPDIR if it is set, else /var/tmp)")
      ->type_name("DIR")
      ->group(kGroup);
}

Result<void> checkScratch(const BlockCall& call) {
  if (call.memory == 0)
    return call.scratch.empty() ? Result<void>() : badCall("--scratch needs --memory.");
  std::error_code error;
  if (const std::string folder = scratchOf(call); !std::filesystem::is_directory(folder, error))
    return badCall((call.scratch.empty() ? "TMPDIR " : "--scratch ") + quotedText(folder) +
                   ": there is no such folder.");
  return {};
}

tl::unexpected<Error> needsMemory(const std::string& what) {
  return badCall(what + " all points in memory; leave --memory out.");
}

Result<void> checkBlockCall(const EpsOptions& eps, const InputOptions& input,
                            const EngineOptions& engine) {
  if (isStartedOnRanks())
    return badCall(
        "--memory is for a call without mpirun, where one process has all points. Leave --memory "
        "out.");
  if (asksForRanks(engine)) return needsMemory("--ranks and --devices divide");
  if (eps.isSweep()) return needsMemory("--sweep-eps needs");
  if (input.read.every > 1) return badCall("--memory reads every row; leave --every out.");
  const auto scaling = engine.scaling.kind;
  if (scaling != Scaling::Kind::None && scaling != Scaling::Kind::Factors)
    return needsMemory("--scale unit and zscore need");
  return {};
}

Result<BlockRun> runInBlocks(
    const BlockCall& call, const InputOptions& input, const EngineOptions& engine,
    const std::function<Result<BlockRun>(const Backend&, const BlockOptions&, OutputSet&)>& run) {
  const auto backend = makeBackend(engine.backend, engine.backendOptions);
  if (!backend) return tl::unexpected(backend.error());
  BlockOptions blocks;
  blocks.memory = call.memory;
  blocks.scratch = scratchOf(call);
  blocks.threads = engine.backendOptions.threads;
  blocks.scaling = engine.scaling;
  blocks.space = engine.space;
  blocks.geographicByNames = input.geographicByNames;
  blocks.planned = [&](const BlockPlan& plan) {
    sayNote(countedText(plan.points, "point") + " in " + countedText(plan.blocks, "block") +
            "; up to " + memoryText(plan.scratchBytes) + " will be written to " + blocks.scratch +
            ", where " + memoryText(plan.freeBytes) + " are free");
  };
  OutputSet outputs;
  auto found = run(**backend, blocks, outputs);
  if (!found) return found;
  if (auto done = outputs.commit(); !done) return tl::unexpected(done.error());
  const auto sayOfFile = [&](const BlockRows& rows, const std::string& path) {
    sayOfOrder(engine.space, input, path, rows.columns.cloud.names);
    sayOf(rows, path);
  };
  // With two files FILE has the queries.
  if (input.other.empty()) {
    sayOfFile(found->cloud, input.path);
  } else {
    sayOfFile(found->queries, input.path);
    sayOfFile(found->cloud, input.other);
  }
  return found;
}

Json describeRows(const std::string& path, const BlockRows& rows) {
  return {{"file", path},
          {"points", rows.points()},
          {"dims", rows.columns.cloud.names.size()},
          {"skipped", rows.skipped}};
}

void addBlocks(Json& object, const BlockRun& run, const Stopwatch& total) {
  object["blocks"] = {{"count", run.plan.blocks},
                      {"largest", run.plan.largest},
                      {"halo", run.halo},
                      {"scratch_bytes", run.plan.scratchBytes}};
  object["seconds"] = {{"count", run.countSeconds},
                       {"scatter", run.scatterSeconds},
                       {"cluster", run.blockSeconds},
                       {"merge", run.mergeSeconds},
                       {"total", total.seconds()}};
}

std::string blockLines(const BlockRun& run, const Stopwatch& total, const std::string& doing) {
  return engineLine(run.stats) + '\n' +
         summaryLine("blocks", groupedText(run.plan.blocks) + "; " +
                                   countedText(run.halo, "point") + " near borders read twice") +
         '\n' +
         summaryLine("time", duration(total.seconds()) + " (counting " +
                                 duration(run.countSeconds) + ", dividing " +
                                 duration(run.scatterSeconds) + ", " + doing + ' ' +
                                 duration(run.blockSeconds) + ", results " +
                                 duration(run.mergeSeconds) + ")");
}

}  // namespace clusterloom::cli
