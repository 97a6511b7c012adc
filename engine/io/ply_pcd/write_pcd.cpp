// PCD, binary: x y z, further dimensions and attributes by name, in their types, label and role
// last.
#include <string>

#include "engine/io/export_rows.h"
#include "engine/io/ply_pcd/point_rows.h"
#include "engine/io/scalar.h"

namespace clusterloom {
namespace {

PointFormat pcdFormat(const Dataset& dataset) {
  // "_" is padding, and "rgb" in 32 bits of a float a colour.
  PointFormat format{"PCD", "# ", "fields", {"_"}};
  for (const Attribute& attribute : dataset.attributes)
    if (typeOf(attribute.values) == Scalar::Float32 &&
        (attribute.name == "rgb" || attribute.name == "rgba"))
      format.taken.push_back(attribute.name);
  return format;
}

/// The lines of the header that describe the fields.
struct PcdLines {
  std::string names = "FIELDS";
  std::string sizes = "SIZE";
  std::string types = "TYPE";
  std::string counts = "COUNT";

  void add(const std::string& name, Scalar type) {
    names += " " + name;
    sizes += " " + std::to_string(sizeOf(type));
    types += std::string(" ") + kindOf(type);
    counts += " 1";
  }
  std::string text() const { return names + "\n" + sizes + "\n" + types + "\n" + counts + "\n"; }
};

}  // namespace

std::vector<ExportColumn> pcdColumns(const Dataset& dataset, const ExportPoints& /*points*/) {
  return pointColumns(dataset, nullptr, {}, pcdFormat(dataset)).columns;
}

Losses pcdLosses(const Dataset& dataset, const ExportPoints& /*points*/) {
  return wordLosses(dataset, "PCD");
}

Result<void> writePcd(std::ostream& out, const Dataset& dataset, const Clustering* clustering,
                      const RowFilter& filter, const Provenance& provenance, const Task& task) {
  const ExportPoints points(dataset, clustering, filter);
  const PointColumns found = pointColumns(dataset, clustering, provenance, pcdFormat(dataset));
  std::vector<AppendValue> values;
  PcdLines lines;
  for (const ExportColumn& column : found.columns) {
    lines.add(column.name, column.type);
    values.push_back(valueAppender(column));
  }
  if (clustering != nullptr) lines.add("label", Scalar::Int32);
  if (clustering != nullptr && !clustering->roles.empty()) lines.add("role", Scalar::Uint8);
  const std::string number = std::to_string(points.size());
  return writePointRows(out,
                        "# .PCD v0.7 - Point Cloud Data file format\n" + found.comments +
                            "VERSION 0.7\n" + lines.text() + "WIDTH " + number +
                            "\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS " + number +
                            "\nDATA binary\n",
                        values, points, clustering, task);
}

}  // namespace clusterloom
