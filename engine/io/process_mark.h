#pragma once

#include <string>
#include <string_view>

namespace clusterloom {

/// The mark of this process in names of files and folders that nobody else may remove while it
/// runs: "MACHINE-PROCESS-", with a hash of the machine's name and the number of the process.
std::string processMark();

/// Whether `text` begins with the mark of a process of this machine that has ended. Machines and
/// containers may share a folder: whether a process of another one still runs cannot be known here.
bool beginsWithEndedProcess(std::string_view text);

}  // namespace clusterloom
