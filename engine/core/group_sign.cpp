#include "engine/core/group_sign.h"

#include <utility>

namespace clusterloom {
namespace {

std::string& sign() {
  static std::string current = ",";
  return current;
}

}  // namespace

const std::string& groupSign() { return sign(); }

void setGroupSign(std::string wanted) { sign() = std::move(wanted); }

}  // namespace clusterloom
