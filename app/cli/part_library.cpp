#include "app/cli/part_library.h"

#include <dlfcn.h>

namespace clusterloom::cli {

std::filesystem::path programFolder() {
  std::error_code unknown;
  return std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
}

Result<void*> loadPart(const PartLibrary& part) {
  std::error_code unknown;
  const auto folder = programFolder();
  const auto built = folder / part.name;
  const auto installed = folder.parent_path() / "lib/clusterloom" / part.name;
  const bool isBuilt = std::filesystem::exists(built, unknown);
  if (!isBuilt && !std::filesystem::exists(installed, unknown))
    return unavailable(part.purpose + " needs " + part.name + ", which is neither in " +
                       built.parent_path().string() + " nor in " +
                       installed.parent_path().string() + ". " + part.howBuilt);
  void* library = dlopen((isBuilt ? built : installed).c_str(),
                         RTLD_NOW | (part.global ? RTLD_GLOBAL : RTLD_LOCAL));
  void* symbol = library == nullptr ? nullptr : dlsym(library, part.symbol);
  if (symbol == nullptr)
    return unavailable(part.purpose + " needs a library that cannot be loaded: " + dlerror());
  return reinterpret_cast<void* (*)()>(symbol)();
}

}  // namespace clusterloom::cli
