#include "engine/io/hdf5/hdf5_cells.h"

#include <array>
#include <set>

#include "engine/core/number_text.h"
#include "engine/io/column_plan.h"
#include "engine/io/hdf5/hdf5_dataset.h"

namespace clusterloom::hdf5 {
namespace {

constexpr std::size_t kMostWords = 1'000'000;

/// The format of a sparse matrix, "csr" or "csc"; empty for other groups.
std::string sparseFormat(hid_t group) {
  const std::string kind = attributeText(group, "encoding-type");
  if (kind == "csr_matrix" || kind == "csc_matrix") return kind.substr(0, 3);
  return attributeText(group, "h5sparse_format");
}

/// Two whole numbers of an attribute; zeros where it is another one.
std::array<std::int64_t, 2> pairOf(hid_t group, const char* name) {
  std::array<std::int64_t, 2> pair{};
  if (H5Aexists(group, name) <= 0) return pair;
  const Handle attribute(H5Aopen(group, name, H5P_DEFAULT), &H5Aclose);
  if (!attribute) return pair;
  const Handle space = spaceHandle(H5Aget_space(attribute));
  const Handle type = typeHandle(H5Aget_type(attribute));
  if (!space || !type || H5Sget_simple_extent_npoints(space) != 2 ||
      H5Tget_class(type) != H5T_INTEGER || H5Aread(attribute, H5T_NATIVE_INT64, pair.data()) < 0)
    return {};
  return pair;
}

/// The object at a path, which need not exist.
Handle objectAt(hid_t place, const char* path) {
  if (H5Lexists(place, path, H5P_DEFAULT) <= 0) return {};
  return {H5Oopen(place, path, H5P_DEFAULT), &H5Oclose};
}

bool isGroup(hid_t object) { return H5Iget_type(object) == H5I_GROUP; }

/// Whether it is a dataset of one dimension and `values` values that can be read; describes them.
bool isList(hid_t object, std::uint64_t values, Column& column) {
  if (H5Iget_type(object) != H5I_DATASET || readsOtherFiles(object) ||
      shapeOf(object) != std::vector<hsize_t>{values})
    return false;
  const Handle type = typeHandle(H5Dget_type(object));
  return type && describeType(type, column);
}

/// The name of the dataset with the names of rows of a table of anndata.
std::string indexOf(hid_t group) {
  const std::string index = attributeText(group, "_index");
  return index.empty() ? "_index" : index;
}

/// The columns of /obs that have a value for each of the rows; `lost` gets the names of others.
Result<std::vector<Column>> cellColumns(const std::string& name, hid_t cells, std::uint64_t rows,
                                        std::vector<std::string>& lost) {
  std::string damage;
  const std::vector<std::string> names = namesIn(cells, damage);
  std::vector<Column> columns;
  for (const std::string& member : names) {
    const Handle object = openMember(cells, member, damage);
    if (!damage.empty()) break;
    const std::string path = "/obs/" + member;
    Column column;
    if (const auto list = categories(object, path); list && list->rows == rows) {
      columns.push_back(list->columns.front());
    } else if (isList(object, rows, column)) {
      nameColumn(object, path, column);
      columns.push_back(std::move(column));
    } else if (H5Iget_type(object) == H5I_DATASET ||
               attributeText(object, "encoding-type").starts_with("nullable")) {
      lost.push_back("obs." + member);
    }
  }
  if (!damage.empty())
    return badInput(name + ": names in the group /obs cannot be read (" + damage +
                    "), so columns may be missing. The file is damaged; copy it again.");
  return columns;
}

/// The columns of matrices with two or three columns below /obsm that have a value for each of the
/// rows: "umap_1" and "umap_2" of X_umap. Without those of the table that is read.
Result<std::vector<Column>> projectionColumns(hid_t file, const std::string& name,
                                              const std::string& table, std::uint64_t rows) {
  std::vector<Column> columns;
  const Handle group = objectAt(file, "obsm");
  if (!group || !isGroup(group)) return columns;
  std::string damage;
  for (const std::string& member : namesIn(group, damage)) {
    const Handle object = openMember(group, member, damage);
    if (!damage.empty()) break;
    const std::string path = "/obsm/" + member;
    if (path == table || H5Iget_type(object) != H5I_DATASET || readsOtherFiles(object)) continue;
    const std::vector<hsize_t> shape = shapeOf(object);
    const Handle type = typeHandle(H5Dget_type(object));
    Column column;
    if (shape.size() != 2 || shape[0] != rows || shape[1] < 2 || shape[1] > 3 || !type ||
        !describeType(type, column) || column.kind != Column::Kind::Number)
      continue;
    column.dataset = path;
    const std::string stem = member.starts_with("X_") ? member.substr(2) : member;
    for (; column.part < shape[1]; ++column.part) {
      column.name = stem + "_" + std::to_string(column.part + 1);
      columns.push_back(column);
    }
  }
  if (!damage.empty())
    return badInput(name + ": names in the group /obsm cannot be read (" + damage +
                    "), so columns may be missing. The file is damaged; copy it again.");
  return columns;
}

/// Names the columns of a matrix after the genes, where there are as many and names differ.
Result<void> nameGenes(hid_t file, const std::string& name, Table& table) {
  const Handle genes = objectAt(file, "var");
  Column texts;
  if (!genes || !isGroup(genes)) return {};
  const std::string path = "/var/" + indexOf(genes);
  const Handle index = objectAt(file, path.c_str());
  if (!index || !isList(index, table.columns.size(), texts)) return {};
  auto names = textsOf(file, name, path, kMaxColumns);
  if (!names) return tl::unexpected(names.error());
  if (std::set<std::string>(names->begin(), names->end()).size() != names->size()) return {};
  for (std::size_t c = 0; c < names->size(); ++c) table.columns[c].name = std::move((*names)[c]);
  return {};
}

}  // namespace

bool isSparse(hid_t group) { return !sparseFormat(group).empty(); }

TableOrReason sparseTable(hid_t group, const std::string& path) {
  if (sparseFormat(group) != "csr")
    return noneBecause(
        "stored by columns; stored by rows it could be read: adata.X = adata.X.tocsr()");
  std::array<std::int64_t, 2> shape = pairOf(group, "shape");
  if (shape[0] == 0) shape = pairOf(group, "h5sparse_shape");
  if (shape[0] < 1 || shape[1] < 1) return noneBecause("without a shape, or empty");
  if (std::uint64_t(shape[1]) > kMaxColumns)
    return noneBecause(groupedText(std::uint64_t(shape[1])) + " columns; at most " +
                       groupedText(kMaxColumns) + " are possible");
  const auto width = std::size_t(shape[1]);
  Table table;
  table.path = path;
  table.kind = Table::Kind::Sparse;
  table.matrix = true;
  table.rows = std::uint64_t(shape[0]);
  table.recordBytes = width * sizeof(double);
  for (std::size_t c = 0; c < width; ++c) {
    Column column;
    column.name = defaultColumnName(c, width);
    column.bytes = sizeof(double);
    column.offset = c * sizeof(double);
    table.columns.push_back(std::move(column));
  }
  return table;
}

std::optional<Table> categories(hid_t group, const std::string& path) {
  if (!isGroup(group) || attributeText(group, "encoding-type") != "categorical") return {};
  const Handle codes = objectAt(group, "codes");
  const Handle words = objectAt(group, "categories");
  const std::vector<hsize_t> shape = codes ? shapeOf(codes) : std::vector<hsize_t>{};
  Column number;
  if (shape.size() != 1 || !isList(codes, shape[0], number) ||
      number.kind != Column::Kind::Number || !words || H5Iget_type(words) != H5I_DATASET ||
      readsOtherFiles(words))
    return {};
  Table table;
  table.path = path;
  table.kind = Table::Kind::Columns;
  table.rows = shape[0];
  Column& column = table.columns.emplace_back();
  nameColumn(group, path, column);
  column.dataset = path + "/codes";
  column.kind = Column::Kind::Category;
  column.bytes = sizeof(std::int32_t);
  return table;
}

Result<void> readWords(hid_t file, const std::string& name, Table& table) {
  for (Column& column : table.columns) {
    if (column.kind != Column::Kind::Category) continue;
    const std::string group = column.dataset.substr(0, column.dataset.rfind('/'));
    auto words = textsOf(file, name, group + "/categories", kMostWords);
    if (!words) return tl::unexpected(words.error());
    column.words = std::move(*words);
  }
  return {};
}

Result<void> addCells(hid_t file, const std::string& name, Table& table) {
  const std::string path = table.path.starts_with('/') ? table.path : "/" + table.path;
  const bool isEmbedding = path.starts_with("/obsm/");
  const bool isMatrix = isEmbedding || path == "/X" || path.starts_with("/layers/");
  const Handle cells = objectAt(file, "obs");
  if (!isMatrix || !cells || !isGroup(cells)) return {};
  if (!isEmbedding)
    if (const auto named = nameGenes(file, name, table); !named) return named;
  auto columns = cellColumns(name, cells, table.rows, table.lost);
  if (!columns) return tl::unexpected(columns.error());
  auto projections = projectionColumns(file, name, path, table.rows);
  if (!projections) return tl::unexpected(projections.error());
  std::set<std::string> taken;
  for (const Column& column : table.columns) taken.insert(column.name);
  const auto add = [&](std::vector<Column>& others, const char* group) {
    for (Column& column : others) {
      if (table.columns.size() == kMaxColumns) break;
      if (taken.contains(column.name)) column.name = group + column.name;
      taken.insert(column.name);
      table.columns.push_back(std::move(column));
    }
  };
  add(*columns, "obs.");
  add(*projections, "obsm.");
  return {};
}

}  // namespace clusterloom::hdf5
