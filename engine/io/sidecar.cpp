#include "engine/io/sidecar.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>

#include "engine/io/format_table.h"

namespace clusterloom {
namespace {

constexpr std::uintmax_t kLargestSidecar = std::uintmax_t{1} << 20;

}  // namespace

bool isOwnSidecar(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_regular_file(fs::symlink_status(path, error)) ||
      fs::file_size(path, error) > kLargestSidecar || error)
    return false;
  std::ifstream file(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return false;
  const auto program = json.find("program");
  return program != json.end() && program->is_string() &&
         program->get_ref<const std::string&>().starts_with("Clusterloom");
}

std::string sidecarOf(const std::string& path) { return path + ".provenance.json"; }

bool hasSidecar(const std::string& path) {
  const FileFormat* format = formatOfExtension(extensionOf(path));
  return format != nullptr && format->provenanceBeside;
}

Result<void> prepareSidecar(OutputSet& outputs, const std::string& path,
                            const Provenance& provenance) {
  if (provenance.empty()) return {};
  nlohmann::ordered_json json;
  for (const auto& [name, value] : provenance) json[name] = value;
  return writeAtomically({outputs, sidecarOf(path)},
                         json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

}  // namespace clusterloom
