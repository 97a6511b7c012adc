// The joins of EGO beside the grid and, if it is there, the Super-EGO of its author.
//
//   bench_ego times [OPTION…] [CLOUD…]       counts, seconds of index and join together
//   bench_ego candidates [CLOUD…]            candidates of New-Super-EGO beside those that
//                                            [Gallet 2020, table 3] prints; no distances
//
// CLOUD is expo:2 or unif:8, for example; without one expo and unif in 2, 3, 4, 6 and 8 dimensions.
// ε are those of [Gallet 2020]: five equal steps up to a largest one for each dimension. unif is in
// [0, 1] here, so that the same ε can be used, and since the rival takes no other coordinates.
//
//   --points N        2,000,000 (a multiple of 1,000)
//   --threads N       2
//   --steps 1,3,5     which of the five ε; all
//   --seconds S       no further ε of a cloud once a row took longer than that; 60
//   --rival COMMAND   with %d for the dimensions: the author's program, built as RESULTS.md tells
//   --file PATH       where the rival's input is written
//
// Threads of the rival and of ours take turns. Exit status 1 when numbers of pairs of ours differ.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "engine/backend.h"
#include "engine/cloud/generators.h"
#include "engine/core/stopwatch.h"
#include "engine/ego/new_super_ego.h"

using namespace clusterloom;

namespace {

struct Cloud {
  std::string kind;
  std::size_t dims;
};

struct Options {
  std::size_t points = 2'000'000;
  int threads = 2;
  std::vector<int> steps{1, 2, 3, 4, 5};
  double seconds = 60;
  std::string rival;
  std::string file = "ego-points.bin";
  std::vector<Cloud> clouds;
};

/// The largest ε of a cloud of 2 M points.
double largestEps(std::size_t dims) {
  switch (dims) {
    case 2: return 0.002;
    case 3: return 0.005;
    case 4: return 0.01;
    default: return 0.015;
  }
}

PointCloud makeCloud(const Cloud& which, std::size_t points) {
  PointCloud cloud = std::move(
      generate({.kind = which.kind, .points = points, .dims = which.dims, .seed = 42})->cloud);
  if (which.kind == "unif")
    for (std::vector<double>& column : cloud.columns)
      for (double& x : column) x /= 100;
  return cloud;
}

struct Row {
  double seconds = 0;
  std::uint64_t pairs = 0;
  std::uint64_t candidates = 0;
};

Row ours(const Backend& backend, const PointCloud& cloud, double eps, const Strategy& strategy) {
  const Stopwatch watch;
  const auto found = backend.count(cloud, eps, strategy, {});
  if (!found) {
    std::printf("%s\n", found.error().message.c_str());
    std::exit(1);
  }
  return {watch.seconds(), found->pairs, found->candidates};
}

/// The program's last line of numbers is: ε, seconds of the sort, of the join, of both, pairs but
/// those of points with themselves, and more.
Row rivalRow(const Options& options, const Cloud& which, double eps) {
  char program[512];
  std::snprintf(program, sizeof program, options.rival.c_str(), static_cast<int>(which.dims));
  std::ostringstream call;
  call << "EGO_DATA=" << options.file << ' ' << program << ' ' << eps << ' '
       << options.points / 1000 << ' ' << options.points / 1000 << " 2 " << options.threads;
  FILE* pipe = popen(call.str().c_str(), "r");
  if (pipe == nullptr) return {};
  Row row;
  char line[1024];
  while (std::fgets(line, sizeof line, pipe) != nullptr) {
    double printedEps = 0, sort = 0, join = 0, both = 0;
    unsigned long long pairs = 0;
    if (std::sscanf(line, "%lf %lf %lf %lf %llu", &printedEps, &sort, &join, &both, &pairs) == 5)
      row = {both, pairs + options.points, 0};
  }
  pclose(pipe);
  return row;
}

void writeForRival(const Options& options, const PointCloud& cloud) {
  FILE* file = std::fopen(options.file.c_str(), "wb");
  if (file == nullptr) {
    std::perror(options.file.c_str());
    std::exit(1);
  }
  for (std::size_t p = 0; p < cloud.size(); ++p)
    for (const std::vector<double>& column : cloud.columns) {
      const auto x = static_cast<float>(column[p]);
      std::fwrite(&x, sizeof x, 1, file);
    }
  std::fclose(file);
}

bool timesOf(const Options& options, const Backend& backend, const Cloud& which) {
  const PointCloud cloud = makeCloud(which, options.points);
  if (!options.rival.empty()) writeForRival(options, cloud);
  bool same = true;
  for (const int step : options.steps) {
    const double eps = largestEps(which.dims) * step / 5;
    const Stopwatch watch;
    const Row super = ours(backend, cloud, eps, {.method = Method::SuperEgo});
    const Row single =
        ours(backend, cloud, eps, {.method = Method::SuperEgo, .precision = Precision::Single});
    const Row newSuper = ours(backend, cloud, eps, {.method = Method::NewSuperEgo});
    const Row byWorkload =
        ours(backend, cloud, eps, {.method = Method::NewSuperEgo, .order = QueryOrder::WorkQueue});
    const Row grid = ours(backend, cloud, eps, {});
    same = same && super.pairs == grid.pairs && single.pairs == grid.pairs &&
           newSuper.pairs == grid.pairs && byWorkload.pairs == grid.pairs;
    std::printf("| %s %zu-D | %g | %.4g | %.4g | %.3f | %.3f | %.3f | %.3f | %.3f |",
                which.kind.c_str(), which.dims, eps,
                static_cast<double>(grid.pairs) / static_cast<double>(options.points) - 1,
                static_cast<double>(super.candidates), super.seconds, single.seconds,
                newSuper.seconds, byWorkload.seconds, grid.seconds);
    if (!options.rival.empty()) {
      const Row rival = rivalRow(options, which, eps);
      std::printf(" %.3f | %.3f | %.3f |", rival.seconds, super.seconds / rival.seconds,
                  grid.seconds / rival.seconds);
    }
    std::printf("%s\n", same ? "" : " DIFFERENT PAIRS");
    std::fflush(stdout);
    if (watch.seconds() > options.seconds) break;
  }
  return same;
}

int times(const Options& options) {
  const auto backend = makeBackend("cpu", {.threads = options.threads});
  if (!backend) return 1;
  std::printf("%s; %zu points; seconds of index and join\n\n", (*backend)->describe().c_str(),
              options.points);
  std::printf(
      "| cloud | ε | S | candidates | Super-EGO | 32 bits | New-Super-EGO | by workload | "
      "grid |%s\n",
      options.rival.empty() ? "" : " rival | Super-EGO / rival | grid / rival |");
  std::printf("|---|---|---|---|---|---|---|---|---|%s\n",
              options.rival.empty() ? "" : "---|---|---|");
  bool same = true;
  for (const Cloud& cloud : options.clouds) same = timesOf(options, **backend, cloud) && same;
  return same ? 0 : 1;
}

struct Published {
  std::size_t dims;
  std::size_t points;
  double eps;
  std::uint64_t candidates;
};
constexpr Published kPublished[] = {
    {2, 2'000'000, 0.002, 50'121'273'123},  {2, 10'000'000, 0.0004, 54'645'837'741},
    {4, 2'000'000, 0.01, 177'787'029'288},  {4, 10'000'000, 0.004, 216'050'585'244},
    {8, 2'000'000, 0.015, 108'430'322'625}, {8, 10'000'000, 0.012, 374'000'045'202}};

int candidates(const Options& options) {
  std::printf("| cloud | ε | published | ours | ours / published | seconds |\n");
  std::printf("|---|---|---|---|---|---|\n");
  for (const Published& c : kPublished) {
    if (std::ranges::none_of(options.clouds, [&](const Cloud& which) {
          return which.kind == "expo" && which.dims == c.dims;
        }))
      continue;
    const PointCloud cloud = makeCloud({"expo", c.dims}, c.points);
    JoinPlan plan;
    plan.squaredEps = c.eps * c.eps;
    const Stopwatch watch;
    const auto ego = *prepareEgoCloud(cloud, c.eps, plan, false, {});
    const auto work = *runNewSuperEgo(*ego, {}, "candidates", {}, [&] {
      return [&](std::uint32_t query) {
        std::uint64_t examined = 0;
        visitShortSequencesOf(ego->index, query,
                              [&](const EgoSequence& part, int) { examined += part.size(); });
        return examined;
      };
    });
    std::printf("| expo %zu-D, %zu M | %g | %llu | %llu | %.3f | %.1f |\n", c.dims,
                c.points / 1'000'000, c.eps, static_cast<unsigned long long>(c.candidates),
                static_cast<unsigned long long>(work.candidates),
                static_cast<double>(work.candidates) / static_cast<double>(c.candidates),
                watch.seconds());
    std::fflush(stdout);
  }
  return 0;
}

std::vector<std::string> partsOf(const std::string& text, char between) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, between);) parts.push_back(part);
  return parts;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  const std::string command = argc > 1 ? argv[1] : "";
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--points") {
      options.points = static_cast<std::size_t>(std::atoll(argv[++i]));
    } else if (word == "--threads") {
      options.threads = std::atoi(argv[++i]);
    } else if (word == "--seconds") {
      options.seconds = std::atof(argv[++i]);
    } else if (word == "--rival") {
      options.rival = argv[++i];
    } else if (word == "--file") {
      options.file = argv[++i];
    } else if (word == "--steps") {
      options.steps.clear();
      for (const std::string& step : partsOf(argv[++i], ','))
        options.steps.push_back(std::atoi(step.c_str()));
    } else if (const auto parts = partsOf(word, ':'); parts.size() == 2) {
      options.clouds.push_back({parts[0], static_cast<std::size_t>(std::atoll(parts[1].c_str()))});
    }
  }
  if (options.clouds.empty())
    for (const char* kind : {"expo", "unif"})
      for (const std::size_t dims : {2, 3, 4, 6, 8}) options.clouds.push_back({kind, dims});
  if (command == "times") return times(options);
  if (command == "candidates") return candidates(options);
  std::fprintf(stderr, "bench_ego times|candidates [OPTION…] [CLOUD…]\n");
  return 2;
}
