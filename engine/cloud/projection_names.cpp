#include "engine/cloud/projection_names.h"

#include <algorithm>
#include <array>

#include "engine/core/lower_case.h"

namespace clusterloom {
namespace {

constexpr std::array<std::string_view, 7> kProjections{"umap",  "tsne",   "t-sne", "t_sne",
                                                       "phate", "pacmap", "trimap"};

/// The name without its number, or its last letter where none is there: "umap_" of "umap_2" and of
/// "umap_x".
std::string stemOf(std::string_view name) {
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t end = name.size();
  while (end > 0 && isDigit(name[end - 1])) --end;
  if (end == name.size() && end > 0) --end;
  return lowerCase(name.substr(0, end));
}

}  // namespace

bool isProjectionName(std::string_view name) {
  const std::string lower = lowerCase(name);
  return std::any_of(kProjections.begin(), kProjections.end(),
                     [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

std::vector<std::string> proposedProjection(std::span<const std::string> names) {
  if (names.size() < 2) return {};
  for (const std::string& first : names) {
    if (!isProjectionName(first)) continue;
    std::vector<std::string> alike;
    for (const std::string& name : names)
      if (stemOf(name) == stemOf(first) && alike.size() < 3) alike.push_back(name);
    if (alike.size() > 1) return alike;
  }
  return {names[0], names[1]};
}

}  // namespace clusterloom
