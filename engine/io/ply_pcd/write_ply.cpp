// PLY, binary little-endian: x y z, further dimensions and attributes by name, in their types,
// label and role last.
#include <string>

#include "engine/io/export_rows.h"
#include "engine/io/ply_pcd/point_rows.h"
#include "engine/io/scalar.h"

namespace clusterloom {
namespace {

const char* plyType(Scalar type) {
  switch (type) {
    case Scalar::Int8: return "char";
    case Scalar::Uint8: return "uchar";
    case Scalar::Int16: return "short";
    case Scalar::Uint16: return "ushort";
    case Scalar::Int32: return "int";
    case Scalar::Uint32: return "uint";
    case Scalar::Float32: return "float";
    case Scalar::Int64:
    case Scalar::Uint64:
    case Scalar::Float64: break;
  }
  return "double";
}

bool isWide(const ExportColumn& column) {
  return column.attribute != nullptr &&
         (column.type == Scalar::Int64 || column.type == Scalar::Uint64);
}

/// Whether T holds all chosen values of a column without a change.
template <class T>
bool allHeld(const ExportColumn& column, const ExportPoints& points) {
  return column.withValues([&](auto valueAt) {
    for (std::size_t row = 0; row < points.size(); ++row)
      if (!holdsExactly<T>(valueAt(points[row]))) return false;
    return true;
  });
}

/// The values of a column in another type.
template <class T>
AppendValue appenderAs(const ExportColumn& column) {
  return column.withValues([](auto valueAt) -> AppendValue {
    return [valueAt](std::string& row, std::size_t point) {
      appendBytes(row, static_cast<T>(valueAt(point)));
    };
  });
}

/// How a column is stored. PLY has no integers of 64 bits: they become smaller ones or doubles.
struct PlyColumn {
  std::string type;
  AppendValue append;
};
PlyColumn plyColumn(const ExportColumn& column, const ExportPoints& points) {
  if (isWide(column)) {
    if (allHeld<std::int32_t>(column, points)) return {"int", appenderAs<std::int32_t>(column)};
    if (allHeld<std::uint32_t>(column, points)) return {"uint", appenderAs<std::uint32_t>(column)};
  }
  if (sizeOf(column.type) == sizeof(double)) return {"double", appenderAs<double>(column)};
  return {plyType(column.type), valueAppender(column)};
}

const PointFormat& plyFormat() {
  static const PointFormat format{"PLY", "comment ", "properties", {}};
  return format;
}

}  // namespace

std::vector<ExportColumn> plyColumns(const Dataset& dataset, const ExportPoints& /*points*/) {
  return pointColumns(dataset, nullptr, {}, plyFormat()).columns;
}

Losses plyLosses(const Dataset& dataset, const ExportPoints& points) {
  Losses losses = wordLosses(dataset, plyFormat().title);
  for (const Attribute& attribute : dataset.attributes) {
    const ExportColumn column = attributeColumn(attribute, attribute.name);
    if (isWide(column) && !allHeld<double>(column, points))
      losses.push_back(
          {column.name, "PLY has no integers of 64 bits, so they would be rounded to doubles"});
  }
  return losses;
}

Result<void> writePly(std::ostream& out, const Dataset& dataset, const Clustering* clustering,
                      const RowFilter& filter, const Provenance& provenance, const Task& task) {
  const ExportPoints points(dataset, clustering, filter);
  const PointColumns found = pointColumns(dataset, clustering, provenance, plyFormat());
  std::vector<AppendValue> values;
  std::string properties;
  for (const ExportColumn& column : found.columns) {
    PlyColumn stored = plyColumn(column, points);
    values.push_back(std::move(stored.append));
    properties += "property " + stored.type + " " + column.name + "\n";
  }
  if (clustering != nullptr) properties += "property int label\n";
  if (clustering != nullptr && !clustering->roles.empty()) properties += "property uchar role\n";
  return writePointRows(out,
                        "ply\nformat binary_little_endian 1.0\n" + found.comments +
                            "element vertex " + std::to_string(points.size()) + "\n" + properties +
                            "end_header\n",
                        values, points, clustering, task);
}

}  // namespace clusterloom
