#include "engine/io/hdf5/hdf5_objects.h"

#include <algorithm>

#include "engine/io/column_plan.h"

namespace clusterloom::hdf5 {
namespace {

// Longer numbers are those of damaged files.
constexpr std::size_t kMostNumberBytes = 64;

}  // namespace

bool describeType(hid_t type, Column& column) {
  const H5T_class_t kind = H5Tget_class(type);
  column.bytes = H5Tget_size(type);
  column.bigEndian = false;
  if (kind == H5T_ENUM) {  // bool of h5py, and categories
    const Handle base = typeHandle(H5Tget_super(type));
    return base && H5Tget_size(base) == H5Tget_size(type) && describeType(base, column);
  }
  if (kind == H5T_INTEGER || kind == H5T_FLOAT) {
    if (column.bytes > kMostNumberBytes) return false;
    column.bigEndian = H5Tget_order(type) == H5T_ORDER_BE;
    column.kind = Column::Kind::Converted;
    if (H5Tget_precision(type) != 8 * column.bytes) return true;
    if (kind == H5T_INTEGER) {
      if (const auto scalar = scalarOf(H5Tget_sign(type) == H5T_SGN_2 ? 'I' : 'U', column.bytes)) {
        column.kind = Column::Kind::Number;
        column.type = *scalar;
      }
      return true;
    }
    for (const auto& [ieee, scalar] :
         {std::pair{H5T_IEEE_F32LE, Scalar::Float32}, std::pair{H5T_IEEE_F32BE, Scalar::Float32},
          std::pair{H5T_IEEE_F64LE, Scalar::Float64}, std::pair{H5T_IEEE_F64BE, Scalar::Float64}})
      if (H5Tequal(type, ieee) > 0) {
        column.kind = Column::Kind::Number;
        column.type = scalar;
      }
    return true;
  }
  if (kind == H5T_STRING) {
    column.kind =
        H5Tis_variable_str(type) > 0 ? Column::Kind::VariableText : Column::Kind::FixedText;
    column.padded = H5Tget_strpad(type) == H5T_STR_SPACEPAD;
    return column.bytes > 0 && column.bytes <= kMaxTextBytes;
  }
  return false;
}

std::vector<hsize_t> shapeOf(hid_t dataset) {
  const Handle space = spaceHandle(H5Dget_space(dataset));
  const int rank = space ? H5Sget_simple_extent_ndims(space) : 0;
  if (rank <= 0) return {};
  std::vector<hsize_t> shape(static_cast<std::size_t>(rank));
  H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  return shape;
}

std::string attributeText(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return {};
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), &H5Aclose);
  if (!attribute) return {};
  const Handle type = typeHandle(H5Aget_type(attribute));
  const Handle space = spaceHandle(H5Aget_space(attribute));
  if (!type || !space || H5Tget_class(type) != H5T_STRING ||
      H5Sget_simple_extent_npoints(space) != 1)
    return {};
  std::string text;
  if (H5Tis_variable_str(type) > 0) {
    char* value = nullptr;
    const Handle memory = typeHandle(H5Tcopy(H5T_C_S1));
    H5Tset_size(memory, H5T_VARIABLE);
    H5Tset_cset(memory, H5Tget_cset(type));
    if (H5Aread(attribute, memory, &value) >= 0 && value != nullptr) text = value;
    if (value != nullptr) H5free_memory(value);
  } else {
    text.resize(std::min<std::size_t>(H5Tget_size(type), 4096));
    if (H5Tget_size(type) != text.size() || H5Aread(attribute, type, text.data()) < 0) return {};
    text.resize(std::min(text.size(), text.find('\0')));
  }
  return text;
}

void nameColumn(hid_t dataset, const std::string& path, Column& column) {
  column.name = path.substr(path.rfind('/') + 1);
  column.dataset = path;
  column.unit = attributeText(dataset, "units");
  if (column.unit.empty()) column.unit = attributeText(dataset, "unit");
}

}  // namespace clusterloom::hdf5
