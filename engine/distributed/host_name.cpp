#include "engine/distributed/host_name.h"

#include <unistd.h>

#include <array>

namespace clusterloom {

std::string hostName() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "this machine";
  return name.data();
}

}  // namespace clusterloom
