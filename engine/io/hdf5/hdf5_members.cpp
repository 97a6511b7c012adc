#include "engine/io/hdf5/hdf5_objects.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <new>

#include "engine/core/number_text.h"

namespace clusterloom::hdf5 {
namespace {

// A bound for names that lead in circles.
constexpr std::size_t kMostNamesOfGroup = 1'000'000;

/// Names in a group while they are collected.
struct Names {
  struct Name {
    std::int64_t created = 0;
    std::string text;
    auto operator<=>(const Name&) const = default;
  };
  std::vector<Name> all;
  bool byCreation = false;
  std::string damage;  ///< found while they were collected
};

herr_t collectName(hid_t, const char* name, const H5L_info_t* link, void* into) noexcept {
  auto& names = *static_cast<Names*>(into);
  try {
    // As in an index whose nodes lead in a circle.
    if (names.all.size() == kMostNamesOfGroup) {
      names.damage = "more than " + groupedText(kMostNamesOfGroup) + " names";
      return 1;
    }
    names.all.push_back({names.byCreation ? link->corder : 0, name});
  } catch (const std::bad_alloc&) {
    names.damage = "out of memory";
    return -1;
  }
  return 0;
}

}  // namespace

std::vector<std::string> namesIn(hid_t group, std::string& damage) {
  Names names;
  const Handle creation(H5Gget_create_plist(group), &H5Pclose);
  unsigned order = 0;
  if (creation) H5Pget_link_creation_order(creation, &order);
  names.byCreation = (order & H5P_CRT_ORDER_INDEXED) != 0;
  // In the order of the file, and sorted here: for another one, libhdf5 makes a table of all names,
  // and frees entries of it that it has not set where a name cannot be read.
  if (H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, &collectName, &names) < 0 &&
      names.damage.empty())
    names.damage = lastError().empty() ? "no reason is known" : lastError();
  damage = std::move(names.damage);
  std::sort(names.all.begin(), names.all.end());
  std::vector<std::string> texts;
  for (Names::Name& name : names.all) texts.push_back(std::move(name.text));
  return texts;
}

Handle openMember(hid_t group, const std::string& name, std::string& damage) {
  damage.clear();
  H5L_info_t link{};
  if (H5Lget_info(group, name.c_str(), &link, H5P_DEFAULT) >= 0) {
    if (link.type != H5L_TYPE_HARD) return {};
    Handle object(H5Oopen(group, name.c_str(), H5P_DEFAULT), &H5Oclose);
    if (object) return object;
  }
  damage = name + ": " + lastError();
  return {};
}

}  // namespace clusterloom::hdf5
