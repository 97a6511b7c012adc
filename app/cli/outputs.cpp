#include "app/cli/outputs.h"

#include <algorithm>
#include <filesystem>

#include "app/cli/console.h"
#include "app/cli/ranks.h"
#include "engine/distributed/communicator.h"
#include "engine/distributed/mpi_communicator.h"
#include "engine/io/format_table.h"
#include "engine/io/numbers.h"
#include "engine/io/output_set.h"
#include "engine/io/packing/packing.h"
#include "engine/io/sidecar.h"
#include "engine/io/write.h"

namespace clusterloom::cli {

namespace fs = std::filesystem;

namespace {

/// Which machine lacks something, where each rank may have another one; else empty.
std::string ofThisRank() {
  if (!isStartedOnRanks()) return {};
  return " on " + hostName() + " (rank " + std::to_string(startedRank()) + ")";
}

Result<void> checkOne(const Output& output) {
  const std::string extension = extensionOf(output.path);
  const bool known = std::find(output.extensions.begin(), output.extensions.end(), extension) !=
                     output.extensions.end();
  if (!output.extensions.empty() &&
      (!known || (packingOfName(output.path) != Packing::None && !output.compressible)))
    return badCall(
        output.option + " " + output.path +
        ": the format follows the extension, which must be one of " + listOf(output.extensions) +
        (output.compressible ? ", with " + packingExtensions() + " after it to compress the file."
                             : "."));
  if (const FileFormat* format = formatOfExtension(extension); format && format->isWritten())
    if (const auto fine = checkFileName(output.path); !fine)
      return badCall(output.option + " " + fine.error().message);
  std::error_code error;
  const fs::path folder = fs::path(output.path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, error))
    return badCall(output.option + " " + output.path + ": there is no folder " + folder.string() +
                   ofThisRank() + ".");
  if (fs::is_directory(output.path, error))
    return badCall(output.option + " " + output.path + " is a folder, not a file.");
  // Dangling links are refused here already, and files that this user may not replace.
  if (const auto resolved = resolvedOutput(output.path); !resolved)
    return badCall(output.option + " " + resolved.error().message);
  if (const auto target = replaceableOutput(output.path); !target)
    return tl::unexpected(Error{target.error().kind, output.option + " " + target.error().message});
  return {};
}

/// A file that the call writes, and the option that asks for it.
struct WrittenFile {
  std::string option;
  std::string path;
};

std::vector<WrittenFile> filesOf(const std::vector<Output>& outputs) {
  std::vector<WrittenFile> files;
  for (const Output& output : outputs) {
    if (output.path.empty()) continue;
    files.push_back({output.option, output.path});
    if (output.provenance && hasSidecar(output.path))
      files.push_back({"--provenance of " + output.option, sidecarOf(output.path)});
  }
  return files;
}

Result<void> checkDistinct(const std::vector<std::string>& inputs,
                           const std::vector<WrittenFile>& files) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (const std::string& input : inputs)
      if (!input.empty() && isSameFile(input, files[i].path))
        return badCall(files[i].option + " " + files[i].path + " would overwrite the input.");
    for (std::size_t j = 0; j < i; ++j)
      if (isSameFile(files[i].path, files[j].path))
        return badCall(files[j].option + " and " + files[i].option + " both write " +
                       files[i].path + ".");
  }
  return {};
}

/// Refuses provenance where no output is written that could carry it.
Result<void> checkProvenance(const std::vector<Output>& outputs) {
  std::string options;
  bool wanted = false;
  for (const Output& output : outputs) {
    if (!output.path.empty()) return {};
    wanted |= output.provenance;
    options += (options.empty() ? "" : ", ") + output.option;
  }
  if (!wanted) return {};
  return badCall("--provenance needs " + std::string(outputs.size() > 1 ? "one of " : "") +
                 options + '.');
}

}  // namespace

std::string listOf(const std::vector<std::string>& extensions) {
  std::string text;
  for (const std::string& extension : extensions) text += (text.empty() ? "" : " ") + extension;
  return text;
}

bool writesLabelsOnly(const std::string& path) {
  const FileFormat* format = formatOfExtension(extensionOf(path));
  return format != nullptr && format->labelsOnly;
}

std::string labelledFormats() {
  std::vector<std::string> withCoordinates;
  std::vector<std::string> labelsOnly;
  for (const std::string& extension : writtenExtensions())
    (formatOfExtension(extension)->labelsOnly ? labelsOnly : withCoordinates).push_back(extension);
  return listOf(withCoordinates) + " with their coordinates, " + listOf(labelsOnly) +
         " labels only\n(int32, one per row of the input); with " + packingExtensions() +
         " after it, such as .csv.gz, compressed (not .laz and .h5)";
}

CLI::Option* addAllowLossOption(CLI::App& parser, bool& allowLoss) {
  return parser.add_flag(
      "--allow-loss", allowLoss,
      "Where the format of --labels cannot hold a column exactly, write it as closely as\n"
      "possible and say what is lost (default: refuse such columns)");
}

Result<void> checkAllowLoss(bool allowLoss, const std::string& labels) {
  if (allowLoss && labels.empty()) return badCall("--allow-loss needs --labels.");
  return {};
}

namespace {

std::string renamedText(const std::vector<RenamedColumn>& renamed) {
  constexpr std::size_t kShown = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(renamed.size(), kShown); ++i)
    text += (i == 0 ? "" : "; ") + std::string("column ") + quotedForMessage(renamed[i].column) +
            " is written as " + quotedForMessage(renamed[i].written);
  return renamed.size() > kShown ? text + "; … (" + std::to_string(renamed.size()) + " in all)"
                                 : text;
}

}  // namespace

Result<void> checkLossesBefore(const std::string& path, const Dataset& data, bool allowLoss) {
  if (path.empty()) return {};
  const auto losses = lossesOf(path, data);
  if (!allowLoss)
    if (auto kept = checkLosses(path, losses); !kept) return kept;
  for (const std::string& loss : losses) sayNote(path + ": " + loss);
  if (const auto renamed = renamedIn(path, data); !renamed.empty())
    sayNote(path + ": " + renamedText(renamed));
  return {};
}

CLI::Option* addProvenanceOption(CLI::App& parser, bool& provenance) {
  return parser
      .add_option_function<std::string>(
          "--provenance",
          [&provenance](const std::string& word) {
            if (word != "on" && word != "off")
              throw CLI::ValidationError("--provenance", "'" + word + "' is neither on nor off");
            provenance = word == "on";
          },
          "on: write the program version, the hash of the input and all parameters into each "
          "output\n"
          "(for CSV and NPY into OUT.provenance.json beside it); off (default): do not write them")
      ->type_name("on|off");
}

Result<void> checkOutputs(const std::vector<std::string>& inputs,
                          const std::vector<Output>& outputs) {
  if (auto fine = checkProvenance(outputs); !fine) return fine;
  for (const Output& output : outputs) {
    if (output.path.empty()) continue;
    if (Result<void> fine = checkOne(output); !fine) return fine;
  }
  return checkDistinct(inputs, filesOf(outputs));
}

}  // namespace clusterloom::cli
