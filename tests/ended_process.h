#pragma once

#include <string>

#include "engine/io/process_mark.h"

namespace clusterloom {

/// A mark (engine/io/process_mark.h) of a process of this machine that has ended: its number is
/// above the highest of a process.
inline std::string markOfEndedProcess() {
  const std::string mark = processMark();
  return mark.substr(0, mark.find('-') + 1) + "99999999-";
}

/// The same of a process of another machine.
inline std::string markOnAnotherMachine() {
  std::string mark = markOfEndedProcess();
  mark.front() = mark.front() == '0' ? '1' : '0';
  return mark;
}

}  // namespace clusterloom
