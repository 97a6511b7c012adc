#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/json_output.h"
#include "app/cli/value_options.h"
#include "engine/dbscan/clustering.h"
#include "engine/dbscan/label_agreement.h"
#include "engine/io/read_labels.h"

namespace clusterloom::cli {

namespace {

struct CompareOptions {
  std::string path;
  std::string other;
  bool json = false;
};

constexpr const char* kCompareFooter = R"(
FILE and OTHER hold labels of the same rows: one column of numbers, or one called "label". The
adjusted Rand index is 1 where both divide the points alike and about 0 where they agree no more
than chance does; noise counts as a cluster of its own, as in scikit-learn. Rows that were skipped
(−2) in either file are left out.

Examples:
  clusterloom-cli compare before.npy after.npy
  clusterloom-cli compare labelled.csv truth.csv --json)";

constexpr std::size_t kRowsPerLook = 1 << 16;

/// Takes out the rows that have no label in one of the files. Returns how many there are.
/// Cancelled when stopped.
Result<std::uint64_t> removeSkipped(std::vector<std::int32_t>& a, std::vector<std::int32_t>& b,
                                    const Task& task) {
  std::size_t kept = 0;
  for (std::size_t row = 0; row < a.size(); ++row) {
    if (row % kRowsPerLook == 0 && task.cancelled()) return cancelledError();
    if (a[row] == kSkippedRow || b[row] == kSkippedRow) continue;
    a[kept] = a[row];
    b[kept] = b[row];
    ++kept;
  }
  const std::uint64_t skipped = a.size() - kept;
  a.resize(kept);
  b.resize(kept);
  return skipped;
}

Json describe(const std::string& path, const LabelFigures& figures) {
  return {{"file", path},
          {"clusters", figures.clusters},
          {"noise", figures.noise},
          {"largest_cluster", figures.largest}};
}

std::string lineOf(const LabelFigures& figures) {
  std::ostringstream text;
  text << countedText(figures.clusters, "cluster") << ", " << groupedText(figures.noise)
       << " noise, largest cluster " << groupedText(figures.largest);
  return text.str();
}

Result<void> runCompare(const CompareOptions& options, const Task& task) {
  auto a = readLabelRows(options.path, task);
  if (!a) return tl::unexpected(a.error());
  auto b = readLabelRows(options.other, task);
  if (!b) return tl::unexpected(b.error());
  if (a->size() != b->size())
    return badInput(options.other + ": has " + groupedText(b->size()) + " labels, but " +
                    options.path + " has " + groupedText(a->size()) +
                    ". Only labels of the same rows can be compared.");
  const auto skipped = removeSkipped(*a, *b, task);
  if (!skipped) return tl::unexpected(skipped.error());
  if (a->empty())
    return badInput("No row has a label in both " + options.path + " and " + options.other + ".");
  const auto agreement = compareLabels(*a, *b, task);
  if (!agreement) return tl::unexpected(agreement.error());

  if (options.json) {
    Json object;
    object["points"] = agreement->points;
    object["skipped"] = *skipped;
    object["adjusted_rand_index"] = agreement->adjustedRandIndex();
    object["pairs"] = agreement->pairs;
    object["pairs_together"] = agreement->together;
    object["pairs_together_in_file"] = agreement->togetherA;
    object["pairs_together_in_other"] = agreement->togetherB;
    object["file"] = describe(options.path, agreement->a);
    object["other"] = describe(options.other, agreement->b);
    return printJson(object);
  }
  std::ostringstream text;
  text << summaryLine("points", groupedText(agreement->points));
  if (*skipped > 0) text << '\n' << summaryLine("skipped", countedText(*skipped, "row"));
  text << '\n'
       << summaryLine("file", options.path + ": " + lineOf(agreement->a)) << '\n'
       << summaryLine("other", options.other + ": " + lineOf(agreement->b)) << '\n'
       << summaryLine("agreement",
                      "adjusted Rand index " + shortNumber(agreement->adjustedRandIndex()));
  return printLine(text.str());
}

}  // namespace

Command addCompareCommand(CLI::App& program) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* parser = program.add_subcommand("compare", "Compare two files of labels");
  parser->footer(kCompareFooter);
  addPathOption(*parser, "FILE", options->path, "The labels of a cloud")->required();
  addPathOption(*parser, "OTHER", options->other, "Other labels of the same rows")->required();
  parser->add_flag("--json", options->json, "Print one JSON object instead of the summary");
  return {parser, [options](const Task& task) { return runCompare(*options, task); }};
}

}  // namespace clusterloom::cli
