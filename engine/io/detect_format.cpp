#include "engine/io/formats.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "engine/io/format_table.h"

namespace clusterloom {
namespace {

constexpr std::size_t kBytesLookedAt = 4096;
constexpr std::string_view kCompoundFile("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8);
constexpr std::string_view kShapefile("\0\0\x27\x0a\0\0", 6);

/// Formats that are not supported, and what to do with them.
struct Foreign {
  std::string_view magic;
  std::string_view advice;
};
constexpr std::array<Foreign, 22> kForeign{{
    {"\x1f\x8b", "is compressed twice, inside with gzip. Unpack it once."},
    {"BZh", "is compressed with bzip2. Unpack it first: bunzip2 FILE"},
    {"\xfd"
     "7zXZ",
     "is compressed with xz. Unpack it first: unxz FILE"},
    {"7z\xbc\xaf", "is a 7z archive. Unpack it first: 7z x FILE"},
    {"\x28\xb5\x2f\xfd", "is compressed twice, inside with zstd. Unpack it once."},
    {"\x0e\x03\x13\x01", "is an HDF4 file. Convert it to HDF5: h4toh5 FILE"},
    {"PAR1",
     "is a Parquet file, which is not read. Save the table as HDF5 or CSV, for example in Python: "
     "pandas.read_parquet('FILE').to_csv('FILE.csv', index=False)"},
    {"ARROW1",
     "is a Feather or Arrow file, which is not read. Save the table as CSV, for example in Python: "
     "pandas.read_feather('FILE').to_csv('FILE.csv', index=False)"},
    {"FEA1",
     "is a Feather file, which is not read. Save the table as CSV, for example in Python: "
     "pandas.read_feather('FILE').to_csv('FILE.csv', index=False)"},
    {kCompoundFile,
     "is an Excel file from before 2007, which is not read. Save the sheet as CSV, for example in "
     "Python: pandas.read_excel('FILE').to_csv('FILE.csv', index=False)"},
    {kShapefile,
     "is a shapefile, which is not read. Save the points as CSV, for example in Python: "
     "geopandas.read_file('FILE').get_coordinates().to_csv('FILE.csv', index=False)"},
    {"SQLite format 3",
     "is an SQLite database, such as a GeoPackage, which is not read. Save the points as CSV, for "
     "example in Python: geopandas.read_file('FILE').get_coordinates().to_csv('FILE.csv', "
     "index=False)"},
    {"MATLAB 5.0",
     "is a MATLAB file of version 7 or before, which is not read. Save the points in MATLAB by "
     "writematrix(NAME, 'FILE.csv'), or in Python: numpy.save('FILE.npy', "
     "scipy.io.loadmat('FILE')['NAME'])"},
    {"\x80\x04\x95",
     "is a Python pickle, which is not read. Save the table in Python: pandas.read_pickle('FILE')"
     ".to_csv('FILE.csv', index=False)"},
    {"ASTM-E57",
     "is an E57 file, which is not read. Convert it to LAS, for example: pdal translate FILE.e57 "
     "FILE.las"},
    {"# vtk DataFile", "is a legacy VTK file. Save it as PLY or CSV."},
    {"<?xml", "is an XML file. Save the points as PLY or CSV."},
    {"<VTKFile", "is a VTK XML file. Save the points as PLY or CSV."},
    {"<!DOCTYPE html", "is a web page. Download the file itself."},
    {"<html", "is a web page. Download the file itself."},
    {"%PDF", "is a PDF document."},
    {"\x89PNG", "is a picture."},
}};

/// Of ZIP archives and JSON, by more than their first bytes; empty for other files.
std::string_view foreignContainer(std::string_view bytes) {
  const auto holds = [&](std::string_view part) { return bytes.find(part) != bytes.npos; };
  if (bytes.starts_with("PK\x03\x04")) {
    if (holds("xl/") || holds("[Content_Types].xml"))
      return "is an Excel file, which is not read. Save the sheet as CSV, for example in Python: "
             "pandas.read_excel('FILE').to_csv('FILE.csv', index=False)";
    return "is a ZIP archive. Unpack it.";
  }
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  const std::size_t second =
      first == bytes.npos ? bytes.npos : bytes.find_first_not_of(" \t\r\n", first + 1);
  if (second == bytes.npos) return {};
  const bool object = bytes[first] == '{' && bytes[second] == '"';
  const bool list = bytes[first] == '[' && (bytes[second] == '{' || bytes[second] == '[');
  if (!object && !list) return {};
  if (holds("\"FeatureCollection\""))
    return "is GeoJSON, which is not read. Save the points as CSV, for example in Python: "
           "geopandas.read_file('FILE').get_coordinates().to_csv('FILE.csv', index=False)";
  // A record a line.
  const std::size_t next = bytes.find("\n{");
  if (object && next != bytes.npos && bytes.substr(0, next).ends_with('}'))
    return "is JSON with one record per line, which is not read. Save the table as CSV, for "
           "example in Python: pandas.read_json('FILE', lines=True).to_csv('FILE.csv', "
           "index=False)";
  return "is JSON, which is not read. Save the table as CSV, for example in Python: "
         "pandas.read_json('FILE').to_csv('FILE.csv', index=False)";
}

/// Text has no NUL and next to no other control characters.
bool looksLikeText(std::string_view bytes) {
  const auto odd = std::count_if(bytes.begin(), bytes.end(), [](char c) {
    const auto u = static_cast<unsigned char>(c);
    return u < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != '\v';
  });
  return bytes.find('\0') == std::string_view::npos && std::size_t(odd) * 100 <= bytes.size();
}

}  // namespace

Result<Format> detectFormat(InputStream& in) {
  if (const auto filled = in.fill(kBytesLookedAt); !filled) return tl::unexpected(filled.error());
  if (in.available() == 0)
    return badInput(
        in.name() +
        (in.packing() == Packing::None ? ": the file is empty" : ": unpacks to nothing") +
        ". Check that it was written to the end.");
  const std::string_view bytes = in.view().substr(0, kBytesLookedAt);
  for (const FileFormat& known : fileFormats())
    if (known.format && known.detect != nullptr && known.detect(bytes)) return *known.format;
  for (const Foreign& foreign : kForeign)
    if (bytes.starts_with(foreign.magic))
      return badInput(in.name() + ": " + std::string(foreign.advice));

  if (const std::string_view advice = foreignContainer(bytes); !advice.empty())
    return badInput(in.name() + ": " + std::string(advice));

  const FileFormat* byName = formatOfExtension(in.name());
  if (byName != nullptr && byName->format && *byName->format != Format::Text)
    return *byName->format;
  // A byte order mark of UTF-16 gets its message from the text reader.
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF") || looksLikeText(bytes))
    return Format::Text;
  return badInput(in.name() + ": is a binary file of an unknown type. The formats that are read: " +
                  readTitles() + "; UTF-16 text must be saved as UTF-8.");
}

}  // namespace clusterloom
