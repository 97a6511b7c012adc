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

/// The note beside a NPY file, which has no room for it. One that is there from an earlier export
/// would tell a lie, so it goes when there is none to write.
Result<void> writeSidecar(const std::string& path, const Provenance& provenance) {
  const std::string sidecar = path + ".provenance.json";
  if (provenance.empty()) {
    std::error_code ignored;
    std::filesystem::remove(sidecar, ignored);
    return {};
  }
  nlohmann::ordered_json json;
  for (const auto& [name, value] : provenance) json[name] = value;
  const std::string text =
      json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  return writeAtomically(sidecar, [&](std::ostream& out) -> Result<void> {
    out << text;
    return {};
  });
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

Result<void> writeLabelled(const std::string& path, const Dataset& dataset,
                           const Clustering& clustering, const WriteOptions& options,
                           const Task& task) {
  const auto target = targetOf(path);
  if (!target) return tl::unexpected(target.error());
  if (auto sizes = checkSizes(dataset, &clustering); !sizes) return sizes;
  const RowFilter filter(options.onlyClusters);
  auto written = writeAtomically(path, [&](std::ostream& out) -> Result<void> {
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
  if (written && *target == Target::Npy) return writeSidecar(path, options.provenance);
  return written;
}

Result<void> writeDataset(const std::string& path, const Dataset& dataset, const Task& task) {
  const auto target = targetOf(path);
  if (!target) return tl::unexpected(target.error());
  if (auto sizes = checkSizes(dataset, nullptr); !sizes) return sizes;
  const RowFilter filter({});
  auto written = writeAtomically(path, [&](std::ostream& out) -> Result<void> {
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
  if (written && *target == Target::Npy) return writeSidecar(path, {});
  return written;
}

}  // namespace clusterloom
