#include "engine/io/format_table.h"

#include <algorithm>
#include <utility>

#include "engine/core/lower_case.h"
#include "engine/core/translatable.h"
#include "engine/io/formats.h"
#include "engine/io/las/las_layout.h"
#include "engine/io/packing/packing.h"

namespace clusterloom {
namespace {

bool isNpy(std::string_view beginning) { return beginning.starts_with("\x93NUMPY"); }

/// A ZIP archive of which the first file is an array.
bool isNpz(std::string_view beginning) {
  constexpr std::size_t kHeader = 30;
  constexpr std::size_t kNameLength = 26;
  if (!beginning.starts_with("PK\x03\x04") || beginning.size() < kHeader) return false;
  const auto length = static_cast<unsigned char>(beginning[kNameLength]);
  return beginning.substr(kHeader, length).ends_with(".npy");
}

bool isPly(std::string_view beginning) {
  return beginning.starts_with("ply\n") || beginning.starts_with("ply\r");
}

bool isLas(std::string_view beginning) { return beginning.starts_with("LASF"); }

bool isLaz(std::string_view beginning) {
  constexpr std::size_t pointFormat = 104;
  return isLas(beginning) && beginning.size() > pointFormat &&
         (beginning[pointFormat] & kLazMarks) != 0;
}

/// The first record after the header of LAS 1.4 says that the chunks are those of an octree.
bool isCopc(std::string_view beginning) {
  constexpr std::size_t user = kLasHeader14 + 2;
  constexpr std::string_view copc("copc\0", 5);
  return isLaz(beginning) && beginning.size() > user && beginning.substr(user).starts_with(copc);
}

bool isHdf5(std::string_view beginning) {
  constexpr std::string_view kMagic("\x89HDF\r\n\x1a\n");
  // Other content may come first, as in MATLAB's files.
  for (const std::size_t at : {0, 512, 1024, 2048})
    if (beginning.size() > at && beginning.substr(at).starts_with(kMagic)) return true;
  return false;
}

bool isFits(std::string_view beginning) {
  return beginning.starts_with("SIMPLE  =") && beginning.size() > 10;
}

bool isPcd(std::string_view text) {
  if (text.starts_with("# .PCD")) return true;
  // Comments may come first.
  while (text.starts_with("#")) {
    const std::size_t newline = text.find('\n');
    if (newline == std::string_view::npos) return false;
    text.remove_prefix(newline + 1);
  }
  return text.starts_with("VERSION ") || text.starts_with("VERSION\t") ||
         (text.starts_with("FIELDS ") && text.find("\nDATA ") != std::string_view::npos);
}

Result<void> writeNpyRows(std::ostream& out, const Dataset& dataset, const Clustering* clustering,
                          const RowFilter& filter, const Provenance& /*provenance*/,
                          const Task& task) {
  return clustering != nullptr ? writeLabelsNpy(out, dataset, *clustering, filter, task)
                               : writeCoordinatesNpy(out, dataset, task);
}

/// Text, arrays and plain clouds of points.
std::vector<FileFormat> simpleFormats() {
  return {{.name = "csv",
           .title = "CSV",
           .help = "CSV or other delimited text",
           .extensions = {".csv", ".tsv", ".txt", ".dat", ".xyz", ".pts"},
           .format = Format::Text,
           .write = &writeCsv,
           .columns = &csvColumns,
           .exportTitle = translatable("CSV text"),
           .provenanceBeside = true},
          {.name = "npy",
           .title = "NPY",
           .help = "NPY",
           .extensions = {".npy"},
           .format = Format::Npy,
           .detect = &isNpy,
           .open = &openNpy,
           .write = &writeNpyRows,
           .exportTitle = translatable("NPY, labels only (one per row read)"),
           .labelsOnly = true,
           .provenanceBeside = true},
          {.name = "npz",
           .title = "NPZ",
           .help = "NPZ",
           .extensions = {".npz"},
           .format = Format::Npz,
           .detect = &isNpz,
           .open = &openNpz,
           .packable = false},
          {.name = "ply",
           .title = "PLY",
           .help = "PLY",
           .extensions = {".ply"},
           .format = Format::Ply,
           .detect = &isPly,
           .open = &openPly,
           .write = &writePly,
           .losses = &plyLosses,
           .columns = &plyColumns,
           .exportTitle = translatable("PLY point cloud"),
           .ofScanners = true},
          {.name = "pcd",
           .title = "PCD",
           .help = "PCD",
           .extensions = {".pcd"},
           .format = Format::Pcd,
           .detect = &isPcd,
           .open = &openPcd,
           .write = &writePcd,
           .losses = &pcdLosses,
           .columns = &pcdColumns,
           .exportTitle = translatable("PCD point cloud"),
           .ofScanners = true}};
}

/// LAS in its kinds, and files that hold several tables.
std::vector<FileFormat> largeFormats() {
  return {{.name = "copc",
           .title = "COPC",
           .help = "COPC",
           .extensions = {},
           .format = Format::Copc,
           .detect = &isCopc,
           .open = &openLas,
           .packable = false,
           .ofScanners = true},
          {.name = "laz",
           .title = "LAZ",
           .help = "LAZ",
           .extensions = {".laz"},
           .format = Format::Laz,
           .detect = &isLaz,
           .open = &openLas,
           .write = &writeLaz,
           .losses = &lasLosses,
           .columns = &lasColumns,
           .exportTitle = translatable("LAZ, compressed LAS"),
           .packable = false,
           .ofScanners = true},
          {.name = "las",
           .title = "LAS",
           .help = "LAS",
           .extensions = {".las"},
           .format = Format::Las,
           .detect = &isLas,
           .open = &openLas,
           .write = &writeLas,
           .losses = &lasLosses,
           .columns = &lasColumns,
           .exportTitle = translatable("LAS, with the label as extra bytes"),
           .ofScanners = true},
          {.name = "hdf5",
           .title = "HDF5",
           .help = "HDF5",
           .extensions = {".h5", ".hdf5", ".h5ad", ".hdf"},
           .format = Format::Hdf5,
           .detect = &isHdf5,
           .open = &openHdf5,
           .writeByPath = hdf5Writer(),
           .losses = &hdf5Losses,
           .columns = &hdf5Columns,
           .exportTitle =
               hdf5Writer().write != nullptr ? translatable("HDF5, one dataset per column") : "",
           .packable = false},
          {.name = "fits",
           .title = "FITS",
           .help = "FITS",
           .extensions = {".fits", ".fit", ".fts"},
           .format = Format::Fits,
           .detect = &isFits,
           .open = &openFits,
           .write = &writeFits,
           .losses = &fitsLosses,
           .columns = &fitsColumns,
           .exportTitle = translatable("FITS, a binary table")},
          {.name = "vtp",
           .title = "VTP",
           .help = "VTP",
           .extensions = {".vtp"},
           .write = &writeVtp,
           .losses = &vtpLosses,
           .columns = &vtpColumns,
           .exportTitle = translatable("VTP for ParaView")}};
}

std::vector<FileFormat> makeFormats() {
  std::vector<FileFormat> formats = simpleFormats();
  for (FileFormat& format : largeFormats()) formats.push_back(std::move(format));
  return formats;
}

}  // namespace

std::span<const FileFormat> fileFormats() {
  static const std::vector<FileFormat> formats = makeFormats();
  return formats;
}

const FileFormat& formatOf(Format format) {
  const auto formats = fileFormats();
  return *std::find_if(formats.begin(), formats.end(),
                       [&](const FileFormat& known) { return known.format == format; });
}

const FileFormat* formatOfName(std::string_view name) {
  const auto formats = fileFormats();
  const auto found = std::find_if(formats.begin(), formats.end(),
                                  [&](const FileFormat& known) { return known.name == name; });
  return found == formats.end() ? nullptr : &*found;
}

const FileFormat* formatOfExtension(std::string_view extensionOrPath) {
  const std::string lower =
      extensionOrPath.starts_with('.') ? lowerCase(extensionOrPath) : extensionOf(extensionOrPath);
  for (const FileFormat& format : fileFormats())
    if (std::find(format.extensions.begin(), format.extensions.end(), lower) !=
        format.extensions.end())
      return &format;
  return nullptr;
}

std::string extensionOf(std::string_view path) {
  // A name that only begins with a dot is a hidden file without an extension.
  const std::string_view name = withoutPacking(path.substr(path.rfind('/') + 1));
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? "" : lowerCase(name.substr(dot));
}

std::string packingExtensions() {
  std::string list;
  for (const PackingKind& kind : packingKinds())
    (list += list.empty() ? "" : " or ") += kind.extension;
  return list;
}

std::vector<std::string> writtenExtensions() {
  std::vector<std::string> extensions;
  for (const FileFormat& format : fileFormats())
    if (format.isWritten()) extensions.push_back(format.extensions.front());
  return extensions;
}

std::vector<std::string> readExtensions() {
  std::vector<std::string> extensions;
  for (const FileFormat& format : fileFormats())
    if (format.format)
      extensions.insert(extensions.end(), format.extensions.begin(), format.extensions.end());
  return extensions;
}

std::string readTitles() {
  std::string titles;
  for (const FileFormat& format : fileFormats())
    if (format.format) titles += (titles.empty() ? "" : ", ") + format.title;
  return titles;
}

}  // namespace clusterloom
