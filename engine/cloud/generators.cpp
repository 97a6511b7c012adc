#include "engine/cloud/generators.h"

#include <cmath>
#include <string_view>
#include <utility>

#include "engine/cloud/point_cloud.h"
#include "engine/cloud/point_makers.h"
#include "engine/core/memory_budget.h"
#include "engine/core/number_text.h"
#include "engine/core/within_memory.h"

namespace clusterloom {

namespace {

/// Points between two checks of the stop token.
constexpr std::size_t kStride = 4096;

std::string dimensionName(std::size_t j, std::size_t dims) {
  if (dims <= 3) return std::string(1, "xyz"[j]);
  return "x" + std::to_string(j);
}

const CloudRecipe* recipeFor(const std::string& kind) {
  for (const CloudRecipe& recipe : cloudRecipes())
    if (recipe.kind.name == kind) return &recipe;
  return nullptr;
}

std::string kindNames() {
  std::string names;
  for (const GeneratorKind& kind : generatorKinds()) {
    if (!names.empty()) names += ", ";
    names += kind.name;
  }
  return names;
}

Result<const CloudRecipe*> check(const GeneratorSpec& spec) {
  const CloudRecipe* recipe = recipeFor(spec.kind);
  if (recipe == nullptr)
    return badCall("There is no kind of cloud called " + spec.kind + "; choose one of " +
                   kindNames() + ".");
  const GeneratorKind& kind = recipe->kind;
  if (spec.points < 1 || spec.points > kMaxPoints)
    return badCall("A cloud has 1 to " + std::to_string(kMaxPoints) + " points, not " +
                   std::to_string(spec.points) + ".");
  if (spec.dims < kind.minDims || spec.dims > kind.maxDims)
    return badCall("A cloud of kind " + kind.name + " has " + std::to_string(kind.minDims) +
                   " to " + std::to_string(kind.maxDims) + " dimensions, not " +
                   std::to_string(spec.dims) + ".");
  const std::uint64_t bytes = std::uint64_t{spec.points} * (spec.dims + 1) * sizeof(double);
  if (bytes > availableMemory())
    return tooLarge("The cloud would take " + memoryText(bytes) + " of memory; " +
                    memoryText(availableMemory()) +
                    " are free. Ask for fewer points or dimensions.");
  return recipe;
}

Result<Dataset> fill(const GeneratorSpec& spec, const CloudRecipe& recipe, const Task& task) {
  Dataset data;
  std::vector<double> truth;
  data.cloud.columns.assign(spec.dims, std::vector<double>(spec.points));
  if (recipe.hasTruth) truth.resize(spec.points);

  const PointMaker make = recipe.makerFor(spec);
  std::vector<double> point(spec.dims);
  for (std::size_t i = 0; i < spec.points; ++i) {
    if (i % kStride == 0) {
      if (task.cancelled()) return cancelledError();
      task.report("generating", double(i) / double(spec.points));
    }
    RandomStream random(spec.seed, i);
    const int component = make(i, random, point);
    for (std::size_t j = 0; j < spec.dims; ++j) data.cloud.columns[j][i] = point[j];
    if (recipe.hasTruth) truth[i] = component;
  }
  task.report("generating", 1.0);

  for (std::size_t j = 0; j < spec.dims; ++j) {
    data.cloud.names.push_back(dimensionName(j, spec.dims));
    data.columnOrder.push_back(j);
  }
  if (recipe.hasTruth) {
    data.attributes.push_back({"truth", std::move(truth)});
    data.columnOrder.push_back(spec.dims);
  }
  data.inputRows = spec.points;
  data.source.format = "generated";
  data.source.description = "generate " + spec.kind + " --points " + std::to_string(spec.points) +
                            " --dims " + std::to_string(spec.dims) + " --seed " +
                            std::to_string(spec.seed);
  return data;
}

}  // namespace

const std::vector<GeneratorKind>& generatorKinds() {
  static const std::vector<GeneratorKind> kinds = [] {
    std::vector<GeneratorKind> all;
    for (const CloudRecipe& recipe : cloudRecipes()) all.push_back(recipe.kind);
    return all;
  }();
  return kinds;
}

Result<Dataset> generate(const GeneratorSpec& spec, const Task& task) {
  const Result<const CloudRecipe*> recipe = check(spec);
  if (!recipe) return tl::unexpected(recipe.error());
  return withinMemory(
      [&] { return fill(spec, **recipe, task); },
      "There is not enough memory for this cloud. Ask for fewer points or dimensions.");
}

std::optional<GeneratorSpec> paperCloud(const std::string& name) {
  static constexpr std::pair<std::string_view, const char*> kFamilies[] = {
      {"SynExpo", "expo"}, {"Expo", "expo"}, {"Unif", "unif"}, {"Syn", "unif"}};
  constexpr std::int64_t kMillion = 1'000'000;
  for (const auto& [family, kind] : kFamilies) {
    if (name.compare(0, family.size(), family) != 0) continue;
    const std::string rest = name.substr(family.size());
    const std::size_t d = rest.find('D');
    if (d == std::string::npos || rest.back() != 'M') return std::nullopt;
    const auto dims = readInteger("", rest.substr(0, d), 1, std::int64_t(kMaxDims));
    const auto millions = readInteger("", rest.substr(d + 1, rest.size() - d - 2), 1,
                                      std::int64_t(kMaxPoints) / kMillion);
    if (!dims || !millions) return std::nullopt;
    GeneratorSpec spec;
    spec.kind = kind;
    spec.dims = std::size_t(*dims);
    spec.points = std::size_t(*millions * kMillion);
    return spec;
  }
  return std::nullopt;
}

double epsOfSameSelectivity(double eps, std::size_t ofPoints, std::size_t points,
                            std::size_t dims) {
  return eps * std::pow(double(ofPoints) / double(points), 1 / double(dims));
}

}  // namespace clusterloom
