#include "engine/io/write.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

#include "engine/io/export_rows.h"

namespace clusterloom {
namespace {

enum class Target { Csv, Npy, Ply, Vtp };

Result<Target> targetOf(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (extension == ".csv") return Target::Csv;
  if (extension == ".npy") return Target::Npy;
  if (extension == ".ply") return Target::Ply;
  if (extension == ".vtp") return Target::Vtp;
  return fail(ErrorKind::BadCall, path +
                                      ": the extension says the format to write; .csv, .npy, .ply "
                                      "and .vtp are known.");
}

/// Prepares the provenance beside a NPY file, which cannot hold it. That of an earlier export is
/// removed when there is none to write.
Result<void> prepareSidecar(OutputSet& outputs, const std::string& path,
                            const Provenance& provenance) {
  const std::string sidecar = path + ".provenance.json";
  if (provenance.empty()) {
    outputs.removeWithCommit(sidecar);
    return {};
  }
  nlohmann::ordered_json json;
  for (const auto& [name, value] : provenance) json[name] = value;
  return writeAtomically({outputs, sidecar},
                         json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

/// Prepares the file and its sidecar, and commits both where they are not part of a set.
Result<void> writeWithSidecar(const OutputTarget& target, Target format,
                              const Provenance& provenance, const FillFile& fill) {
  OutputSet own;
  OutputSet& outputs = target.set != nullptr ? *target.set : own;
  if (auto prepared = outputs.prepare(target.path, fill); !prepared) return prepared;
  if (format == Target::Npy)
    if (auto prepared = prepareSidecar(outputs, target.path, provenance); !prepared)
      return prepared;
  return target.set != nullptr ? Result<void>{} : own.commit();
}

}  // namespace

std::vector<std::int32_t> labelsPerInputRow(const Dataset& dataset, const Clustering& clustering) {
  std::vector<std::int32_t> labels;
  labels.reserve(clustering.labels.size() + dataset.skippedRows.size());
  auto skipped = dataset.skippedRows.begin();
  for (const std::int32_t label : clustering.labels) {
    for (; skipped != dataset.skippedRows.end() && *skipped == labels.size(); ++skipped)
      labels.push_back(kSkippedRow);
    labels.push_back(label);
  }
  labels.insert(labels.end(), static_cast<std::size_t>(dataset.skippedRows.end() - skipped),
                kSkippedRow);
  return labels;
}

Result<void> writeLabelled(const OutputTarget& output, const Dataset& dataset,
                           const Clustering& clustering, const WriteOptions& options,
                           const Task& task) {
  const auto target = targetOf(output.path);
  if (!target) return tl::unexpected(target.error());
  if (auto sizes = checkSizes(dataset, &clustering); !sizes) return sizes;
  const RowFilter filter(options.onlyClusters);
  return writeWithSidecar(
      output, *target, options.provenance, [&](std::ostream& out) -> Result<void> {
        switch (*target) {
          case Target::Csv:
            return writeCsv(out, dataset, &clustering, filter, options.provenance, task);
          case Target::Npy:
            return writeLabelsNpy(out, dataset, clustering, filter);
          case Target::Ply:
            return writePly(out, dataset, &clustering, filter, options.provenance, task);
          case Target::Vtp:
            return writeVtp(out, dataset, &clustering, filter, options.provenance, task);
        }
        return {};
      });
}

Result<void> writeDataset(const OutputTarget& output, const Dataset& dataset, const Task& task) {
  const auto target = targetOf(output.path);
  if (!target) return tl::unexpected(target.error());
  if (auto sizes = checkSizes(dataset, nullptr); !sizes) return sizes;
  const RowFilter filter({});
  return writeWithSidecar(output, *target, {}, [&](std::ostream& out) -> Result<void> {
    switch (*target) {
      case Target::Csv:
        return writeCsv(out, dataset, nullptr, filter, {}, task);
      case Target::Npy:
        return writeCoordinatesNpy(out, dataset, task);
      case Target::Ply:
        return writePly(out, dataset, nullptr, filter, {}, task);
      case Target::Vtp:
        return writeVtp(out, dataset, nullptr, filter, {}, task);
    }
    return {};
  });
}

}  // namespace clusterloom
