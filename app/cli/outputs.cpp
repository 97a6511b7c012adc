#include "app/cli/outputs.h"

#include <algorithm>
#include <filesystem>

#include "engine/io/format_table.h"
#include "engine/io/output_set.h"
#include "engine/io/packing.h"

namespace clusterloom::cli {

namespace fs = std::filesystem;

namespace {

Result<void> checkOne(const std::vector<std::string>& inputs, const Output& output) {
  const std::string extension = extensionOf(output.path);
  const bool known = std::find(output.extensions.begin(), output.extensions.end(), extension) !=
                     output.extensions.end();
  if (!output.extensions.empty() &&
      (!known || (packingOfName(output.path) != Packing::None && !output.compressible)))
    return fail(ErrorKind::BadCall,
                output.option + " " + output.path +
                    ": the format follows the extension, which must be one of " +
                    listOf(output.extensions) +
                    (output.compressible
                         ? ", with " + packingExtensions() + " after it to compress the file."
                         : "."));
  std::error_code error;
  const fs::path folder = fs::path(output.path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, error))
    return fail(ErrorKind::BadCall, output.option + " " + output.path + ": there is no folder " +
                                        folder.string() + ".");
  // Dangling links are refused here already.
  if (const auto resolved = resolvedOutput(output.path); !resolved)
    return fail(ErrorKind::BadCall, output.option + " " + resolved.error().message);
  if (fs::is_directory(output.path, error))
    return fail(ErrorKind::BadCall,
                output.option + " " + output.path + " is a folder, not a file.");
  for (const std::string& input : inputs)
    if (!input.empty() && isSameFile(input, output.path))
      return fail(ErrorKind::BadCall,
                  output.option + " " + output.path + " would overwrite the input.");
  return {};
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
         " after it, such as .csv.gz, compressed";
}

CLI::Option* addProvenanceOption(CLI::App& parser, bool& provenance) {
  return parser
      .add_option_function<std::string>(
          "--provenance",
          [&provenance](const std::string& word) {
            if (word != "on" && word != "off")
              throw CLI::ValidationError("--provenance", "'" + word + "' is none of on and off");
            provenance = word == "on";
          },
          "on: outputs carry program version, input hash and all parameters (CSV and NPY in\n"
          "OUT.provenance.json); off (default): they do not")
      ->type_name("on|off");
}

Result<void> checkOutputs(const std::vector<std::string>& inputs,
                          const std::vector<Output>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].path.empty()) continue;
    if (Result<void> fine = checkOne(inputs, outputs[i]); !fine) return fine;
    for (std::size_t j = 0; j < i; ++j)
      if (!outputs[j].path.empty() && isSameFile(outputs[i].path, outputs[j].path))
        return fail(ErrorKind::BadCall, outputs[j].option + " and " + outputs[i].option +
                                            " both write " + outputs[i].path + ".");
  }
  return {};
}

}  // namespace clusterloom::cli
