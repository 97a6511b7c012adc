#include "app/cli/space_options.h"

#include <utility>

#include "app/cli/console.h"
#include "app/cli/value_options.h"
#include "engine/cloud/coordinate_order.h"
#include "engine/core/number_text.h"
#include "engine/dbscan/backend_in_space.h"
#include "engine/hierarchy/nearest_neighbours.h"
#include "engine/io/read_words.h"

namespace clusterloom::cli {

namespace {

constexpr const char* kCosineRange =
    ".\n"
    "For cosine, ε is between 0 and 2";

/// Adds --period. `rest`: what follows in its help.
CLI::Option* addPeriodOption(CLI::App& parser, Space& space, const std::string& rest) {
  return addTextOption(
             parser, "--period",
             [&space](const std::string& text) -> Result<void> {
               auto periods = parsePeriods(text);
               if (!periods) return badCall("--period: " + periods.error().message);
               space.periods = std::move(*periods);
               return {};
             },
             "Periodic box: the period of each dimension, such as 10,10,0, where 0 or - means "
             "none;\ndistances cross the faces of the box" +
                 rest)
      ->type_name("L1,L2,…");
}

CLI::Option* addMetricOption(CLI::App& parser, Space& space, bool* precomputed,
                             const std::string& rest) {
  const std::string given = precomputed == nullptr
                                ? ""
                                : ";\n"
                                  "precomputed: FILE is a sparse matrix of distances (.npz of "
                                  "SciPy); a pair that is not\n"
                                  "stored is farther apart than any ε";
  return addTextOption(
             parser, "--metric",
             [&space, precomputed](const std::string& text) -> Result<void> {
               if (text == "precomputed") {
                 if (precomputed == nullptr)
                   return badCall("--metric precomputed is for cluster and hdbscan.");
                 *precomputed = true;
                 return {};
               }
               const auto metric = parseMetric(text);
               if (!metric) return badCall("--metric: " + metric.error().message);
               space.metric = *metric;
               return {};
             },
             "How distances are measured: euclidean; cosine, 1 - cos of the angle between two "
             "points,\nfor embeddings; manhattan, the sum of the differences of all coordinates; "
             "or chebyshev,\nthe largest of them" +
                 given + rest)
      ->type_name("METRIC");
}

}  // namespace

void addMetric(CLI::App& parser, Space& space) {
  const OptionGroup group(parser, "Space");
  addMetricOption(parser, space, nullptr, kCosineRange);
}

void addMetricAndPeriod(CLI::App& parser, Space& space, const std::string& what,
                        bool* precomputed) {
  CLI::Option* metric = addMetricOption(parser, space, precomputed, "");
  addPeriodOption(parser, space, ".\n" + what + " is then at most " + std::to_string(kMaxNearest))
      ->excludes(metric);
}

Result<void> checkRows(const Space& space, const Dataset& data, const PointCloud& cloud) {
  if (!space.sphere && space.metric != Metric::Cosine) return {};
  auto fine = checkSpace(space, Scaling{}, cloud, FileRows(data));
  if (!fine) fine.error().message = data.source.path + ": " + fine.error().message;
  return fine;
}

void addSpaceOptions(CLI::App& parser, Space& space, InputOptions& input, bool* precomputed) {
  const OptionGroup group(parser, "Space");
  CLI::Option* metric = addMetricOption(parser, space, precomputed, kCosineRange);
  CLI::Option* period =
      addPeriodOption(parser, space, ". ε must be below half of each period")->excludes(metric);
  addTextOption(
      parser, "--geographic",
      [&space, &input,
       named = parser.get_option("--columns")](const std::string& text) -> Result<void> {
        space.sphere.emplace();
        input.geographicByNames = text == "auto";
        if (input.geographicByNames) return {};
        auto columns = parseColumnList(text);
        if (!columns) return tl::unexpected(columns.error());
        if (columns->size() != 2)
          return badCall(
              "--geographic takes two columns, longitude and latitude, such as lon,lat.");
        if (named->count() > 0)
          return badCall(
              "--geographic names the columns; leave --columns out, or give it as "
              "--geographic auto.");
        const std::string& first = columns->front();
        const std::string& second = columns->back();
        if (namesLatitudeFirst(first, second))
          return badCall("--geographic takes the longitude first, and " + first + "," + second +
                         " names the latitude first; write --geographic " + second + ',' + first +
                         ". If the file names the two wrongly, give their numbers.");
        input.read.coordinates = std::move(*columns);
        return {};
      },
      "The coordinates are longitude and latitude in degrees: the names or numbers of the two\n"
      "columns, longitude first; or auto, for the two coordinate columns of each file. With auto "
      "the\n"
      "latitude is the second column, or the first where their names begin with lat and lon (or "
      "lng).\n"
      "ε is then the length of a great circle in metres, on a sphere of radius 6371008.8 m")
      ->type_name("LON,LAT|auto")
      ->excludes(period)
      ->excludes(metric);
}

bool isForRanks(const Space& space) { return space.isEuclidean() || isTreeMetric(space.metric); }

Result<void> checkSpaceOfRanks(const Space& space, bool divided) {
  if (space.isEuclidean() || space.metric == Metric::Cosine || (divided && isForRanks(space)))
    return {};
  const std::string option = space.metric != Metric::Euclidean
                                 ? "--metric " + std::string(toText(space.metric))
                             : space.sphere ? "--geographic"
                                            : "--period";
  return badCall(option + " needs all points in one process, without mpirun.");
}

void addSpace(Json& object, const Space& space) {
  if (!space.periods.empty()) object["period"] = space.periods;
  if (space.metric != Metric::Euclidean) object["metric"] = toText(space.metric);
  if (space.sphere) object["sphere_radius"] = space.sphere->radius;
}

std::string spaceLine(const Space& space) {
  return space.isEuclidean() ? "" : summaryLine("space", describe(space)) + '\n';
}

}  // namespace clusterloom::cli
