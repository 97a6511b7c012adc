#include "engine/io/write.h"

#include "engine/core/lower_case.h"
#include "engine/core/profiler_range.h"
#include "engine/io/export_rows.h"
#include "engine/io/format_table.h"
#include "engine/io/numbers.h"
#include "engine/io/packing/packing.h"
#include "engine/io/sidecar.h"

namespace clusterloom {
namespace {

Result<const FileFormat*> targetOf(const std::string& path) {
  // Such a file would be an octree by its name and none by its content.
  if (lowerCase(path).ends_with(".copc.laz"))
    return badCall(path +
                   ": COPC is not written. Leave .copc out of the name for a "
                   "plain LAZ file, and convert it, for example: "
                   "untwine -i FILE.laz -o FILE.copc.laz");
  const FileFormat* format = formatOfExtension(extensionOf(path));
  if (format != nullptr && format->isWritten() && extensionOf(path) == format->extensions.front()) {
    if (const Packing packing = packingOfName(path); packing != Packing::None && !format->packable)
      return badCall(path + ": " + format->title + " cannot be compressed as a whole. Leave " +
                     std::string(packingKindOf(packing).extension) + " out of the name.");
    return format;
  }
  std::string known;
  for (const std::string& extension : writtenExtensions())
    known += (known.empty() ? "" : ", ") + extension;
  return badCall(path + ": the format follows the extension, which must be one of " + known +
                 ", with " + packingExtensions() + " after it to compress the file.");
}

}  // namespace

Result<void> checkFileName(const std::string& path) {
  const auto format = targetOf(path);
  return format ? Result<void>() : tl::unexpected(format.error());
}

Result<void> writeWithSidecar(const OutputTarget& target, const Provenance& provenance,
                              const FillFile& fill) {
  OutputSet own;
  OutputSet& outputs = target.set != nullptr ? *target.set : own;
  if (auto prepared = outputs.prepare(target.path, fill); !prepared) return prepared;
  if (auto prepared = prepareSidecar(outputs, target.path, provenance); !prepared) return prepared;
  return target.set != nullptr ? Result<void>{} : own.commit();
}

std::vector<std::int32_t> labelsPerInputRow(const Dataset& dataset, const Clustering& clustering) {
  return perInputRow(dataset, clustering.labels, kSkippedRow);
}

namespace {

Result<void> writeAs(const FileFormat& format, const OutputTarget& output, const Dataset& dataset,
                     const Clustering* clustering, const RowFilter& filter,
                     const Provenance& provenance, const Task& task) {
  const ProfilerRange profiled("writing");
  if (format.writeByPath.write != nullptr) {
    OutputSet own;
    OutputSet& outputs = output.set != nullptr ? *output.set : own;
    auto prepared = outputs.prepareShared(
        output.path, format.writeByPath.spaceFor(dataset, clustering),
        [&](const std::string& temporary) {
          auto written =
              format.writeByPath.write(temporary, dataset, clustering, filter, provenance, task);
          if (!written && written.error().kind == ErrorKind::Io)
            written.error().message = output.path + ": " + written.error().message;
          return written;
        });
    return prepared && output.set == nullptr ? own.commit() : prepared;
  }
  const FillFile fill = [&](std::ostream& out) {
    auto written = format.write(out, dataset, clustering, filter, provenance, task);
    if (!written && written.error().kind == ErrorKind::BadCall)
      written.error().message = output.path + ": " + written.error().message;
    return written;
  };
  return format.provenanceBeside ? writeWithSidecar(output, provenance, fill)
                                 : writeAtomically(output, fill);
}

}  // namespace

std::vector<std::string> lossesOf(const std::string& path, const Dataset& dataset,
                                  const Clustering* clustering,
                                  const std::vector<std::int32_t>& onlyClusters) {
  std::vector<std::string> sentences;
  const auto format = targetOf(path);
  if (!format || (*format)->losses == nullptr) return sentences;
  const ExportPoints points(dataset, clustering, RowFilter(onlyClusters));
  for (const Loss& loss : (*format)->losses(dataset, points))
    sentences.push_back(
        (loss.column.empty() ? "" : "Column " + quotedForMessage(loss.column) + ": ") + loss.what +
        ".");
  return sentences;
}

std::vector<RenamedColumn> renamedIn(const std::string& path, const Dataset& dataset,
                                     const Clustering* clustering,
                                     const std::vector<std::int32_t>& onlyClusters) {
  const auto format = targetOf(path);
  if (!format || (*format)->columns == nullptr) return {};
  const ExportPoints points(dataset, clustering, RowFilter(onlyClusters));
  std::vector<RenamedColumn> renamed;
  for (const ExportColumn& column : (*format)->columns(dataset, points))
    if (column.name != column.inData) renamed.push_back({column.inData, column.name});
  return renamed;
}

Result<void> checkLosses(const std::string& path, const std::vector<std::string>& losses) {
  if (losses.empty()) return {};
  const std::size_t more = losses.size() - 1;
  return badCall(path + ": " + losses.front() +
                 (more == 0   ? ""
                  : more == 1 ? " One more loss."
                              : " " + std::to_string(more) + " more losses.") +
                 " Choose another format, such as CSV or HDF5, or allow the "
                 "loss (--allow-loss of clusterloom-cli).");
}

Result<void> writeLabelled(const OutputTarget& output, const Dataset& dataset,
                           const Clustering& clustering, const WriteOptions& options,
                           const Task& task) {
  const auto format = targetOf(output.path);
  if (!format) return tl::unexpected(format.error());
  if (auto sizes = checkSizes(dataset, &clustering); !sizes) return sizes;
  if (!options.allowLoss)
    if (auto kept = checkLosses(output.path,
                                lossesOf(output.path, dataset, &clustering, options.onlyClusters));
        !kept)
      return kept;
  const RowFilter filter(options.onlyClusters);
  return writeAs(**format, output, dataset, &clustering, filter, options.provenance, task);
}

Result<void> writeDataset(const OutputTarget& output, const Dataset& dataset, const Task& task,
                          const Provenance& provenance) {
  const auto format = targetOf(output.path);
  if (!format) return tl::unexpected(format.error());
  if (auto sizes = checkSizes(dataset, nullptr); !sizes) return sizes;
  const RowFilter filter({});
  return writeAs(**format, output, dataset, nullptr, filter, provenance, task);
}

}  // namespace clusterloom
