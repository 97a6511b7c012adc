#pragma once

#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cloud/dataset.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"
#include "engine/io/export_rows.h"
#include "engine/io/read.h"
#include "engine/io/write.h"

namespace clusterloom {

class InputStream;
class TableFile;

/// One type of file, with all that the program knows of it. Detection, readers, writers, dialogs,
/// help and provenance use this table.
struct FileFormat {
  std::string name;   ///< "npy"; in provenance, and of the folder of its fuzzing corpus
  std::string title;  ///< "NPY"; for display
  std::string help;   ///< a description for help text
  /// With the dot, in lower case; the first is written. A variant known by content only has none.
  std::vector<std::string> extensions;

  std::optional<Format> format = {};  ///< how the readers name it; nothing: it is not read
  /// Whether a file that begins so is of this type; null for text, the remaining type.
  bool (*detect)(std::string_view beginning) = nullptr;
  /// Opens a file whose header describes its rows; null for text.
  Result<std::unique_ptr<TableFile>> (*open)(InputStream& in, const ReadOptions& options) = nullptr;

  /// Writes the rows that the filter takes, with labels where there is a clustering; null: it is
  /// not written.
  Result<void> (*write)(std::ostream& out, const Dataset& dataset, const Clustering* clustering,
                        const RowFilter& filter, const Provenance& provenance,
                        const Task& task) = nullptr;
  /// The same for a format whose library writes files by name.
  WriteByPath writeByPath = {};
  bool isWritten() const { return write != nullptr || writeByPath.write != nullptr; }
  /// The losses of the chosen points; null: it holds everything.
  Losses (*losses)(const Dataset& dataset, const ExportPoints& points) = nullptr;
  /// The columns of the chosen points, with the names that they get; null: it has no names.
  std::vector<ExportColumn> (*columns)(const Dataset& dataset,
                                       const ExportPoints& points) = nullptr;
  std::string exportTitle = {};   ///< of labelled points, in the window, before translation
  bool labelsOnly = false;        ///< labelled points are written without coordinates
  bool provenanceBeside = false;  ///< provenance is a file FILE.provenance.json
  bool packable = true;           ///< may be compressed as a whole (packing.h)
  bool ofScanners = false;        ///< its points mostly lie on surfaces
};

/// All types of files, in the order in which they are listed.
std::span<const FileFormat> fileFormats();

/// The type that the readers call so.
const FileFormat& formatOf(Format format);
/// The type of that name; null: none.
const FileFormat* formatOfName(std::string_view name);

/// The type of that extension, which starts with a dot and may be in capitals, or of the extension
/// of a path; null: none.
const FileFormat* formatOfExtension(std::string_view extensionOrPath);

/// The extension of a path in lower case, with its dot; empty where there is none. That of a
/// compression (packing.h) does not count: ".csv" for "cloud.csv.gz".
std::string extensionOf(std::string_view path);

/// ".gz or .zst": the extensions that may follow every one of them.
std::string packingExtensions();
/// ".csv", ".npy", …: the extensions of written formats.
std::vector<std::string> writtenExtensions();
/// ".csv", ".tsv", …: the extensions of read formats.
std::vector<std::string> readExtensions();
/// "CSV, NPY, PLY, PCD, LAS, …": the titles of read formats.
std::string readTitles();

}  // namespace clusterloom
