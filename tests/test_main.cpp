// The program of a folder of tests: tests_engine tst_grid [OPTION OF QT TEST…].
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "test_program.h"

namespace {

// In a function, because entries are made before main, in no order.
std::map<std::string, test_program::Run>& entries() {
  static std::map<std::string, test_program::Run> made;
  return made;
}

}  // namespace

test_program::Entry::Entry(const char* file, Run run) {
  const std::string name = std::filesystem::path(file).stem().string();
  if (entries().emplace(name, run).second) return;
  std::fprintf(stderr, "two tests are called %s\n", name.c_str());
  std::abort();
}

int main(int argc, char** argv) {
  const auto entry = argc > 1 ? entries().find(argv[1]) : entries().end();
  if (entry != entries().end()) return entry->second(argc - 1, argv + 1);
  std::fprintf(stderr, "usage: %s TEST [OPTION OF QT TEST...]\nThe tests:\n", argv[0]);
  for (const auto& [name, run] : entries()) std::fprintf(stderr, "  %s\n", name.c_str());
  return 2;
}
