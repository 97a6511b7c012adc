#include "app/cli/precomputed.h"

#include <algorithm>
#include <utility>

#include "app/cli/console.h"
#include "app/cli/ranks.h"
#include "engine/core/stopwatch.h"
#include "engine/io/read_distances.h"

namespace clusterloom::cli {

Result<DistancesInput> readDistancesOf(const CLI::App& parser,
                                       std::initializer_list<std::string_view> possible,
                                       const std::string& path, const Task& task) {
  if (isStartedOnRanks())
    return badCall("--metric precomputed needs all distances in one process, without mpirun.");
  for (const CLI::Option* option : parser.get_options()) {
    const std::string name = option->get_name();
    const bool known = name == "FILE" || name == "--metric" ||
                       std::find(possible.begin(), possible.end(), name) != possible.end();
    if (option->count() > 0 && !known)
      return badCall(name + " is not possible with --metric precomputed.");
  }
  const Stopwatch watch;
  auto distances = readDistances(path, task);
  if (!distances) return tl::unexpected(distances.error());
  return DistancesInput{path, std::move(*distances), watch.seconds()};
}

tl::unexpected<Error> labelsNeedPoints(const std::string& labels) {
  return badCall("--labels " + labels +
                 " needs coordinates; for given distances only the labels are written (.npy).");
}

std::string distancesLine(const SparseDistances& distances) {
  return summaryLine("points", groupedText(distances.points()) + " with " +
                                   groupedText(distances.values.size()) + " stored distances");
}

Json distancesHeader(const DistancesInput& input) {
  return {{"file", input.path},
          {"points", input.distances.points()},
          {"distances", input.distances.values.size()},
          {"metric", "precomputed"}};
}

}  // namespace clusterloom::cli
