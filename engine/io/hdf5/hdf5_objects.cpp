#include "engine/io/hdf5/hdf5_objects.h"

#include <algorithm>
#include <set>

#include "engine/core/number_text.h"
#include "engine/io/column_plan.h"
#include "engine/io/formats.h"
#include "engine/io/hdf5/hdf5_cells.h"
#include "engine/io/hdf5/hdf5_driver.h"
#include "engine/io/hdf5/hdf5_lzf.h"

namespace clusterloom::hdf5 {
namespace {

// Bounds for files with very many names, or names that lead in circles.
constexpr std::size_t kMostNames = 20'000;
constexpr int kMostDepth = 32;
// Values of an array in a record that become columns.
constexpr hsize_t kMostArray = 1024;
constexpr int kMostNested = 8;  ///< records in records
// Longer records are those of damaged files.
constexpr std::size_t kMostRecordBytes = std::size_t{1} << 20;

std::mutex& libraryMutex() {
  static std::mutex mutex;
  return mutex;
}

herr_t keepDescription(unsigned, const H5E_error2_t* error, void* text) {
  // From the outermost function inwards: the last one knows best.
  if (error->desc != nullptr && *error->desc != '\0')
    *static_cast<std::string*>(text) = error->desc;
  return 0;
}

std::string typeText(hid_t type) {
  Column column;
  switch (H5Tget_class(type)) {
    case H5T_COMPOUND: return "records";
    case H5T_STRING: return "text";
    case H5T_INTEGER:
    case H5T_FLOAT:
    case H5T_ENUM:
      describeType(type, column);
      if (column.kind == Column::Kind::Number) return toText(column.type);
      return "float" + std::to_string(8 * column.bytes);
    default: return "of a type that is not read";
  }
}

std::string shapeText(const std::vector<hsize_t>& shape) {
  std::string text;
  for (const hsize_t size : shape) text += (text.empty() ? "" : " × ") + groupedText(size);
  return text.empty() ? "one value" : text;
}

/// Adds the members of a record, which begins where `outer` does in the records of a table; those
/// of records in it are named "outer.inner". The first that cannot be read is named in `unread`.
void addMembers(hid_t record, const Column& outer, int depth, Table& table) {
  const int members = H5Tget_nmembers(record);
  // The library does not check where members of damaged records are.
  const auto isInside = [&](const Column& column, std::size_t bytes) {
    return column.offset <= table.recordBytes && bytes <= table.recordBytes - column.offset;
  };
  for (int m = 0; m < members && table.columns.size() < kMaxColumns; ++m) {
    const auto number = unsigned(m);
    char* const name = H5Tget_member_name(record, number);
    if (name == nullptr) continue;
    Column column;
    column.name = outer.name + name;
    H5free_memory(name);
    column.offset = outer.offset + H5Tget_member_offset(record, number);
    const Handle type = typeHandle(H5Tget_member_type(record, number));
    const H5T_class_t kind = type ? H5Tget_class(type) : H5T_NO_CLASS;
    if (kind == H5T_COMPOUND && depth < kMostNested) {
      Column inner = column;
      inner.name += ".";
      addMembers(type, inner, depth + 1, table);
      continue;
    }
    const Handle base = kind == H5T_ARRAY ? typeHandle(H5Tget_super(type)) : Handle();
    bool readable = type && describeType(kind == H5T_ARRAY ? hid_t(base) : hid_t(type), column);
    // Other members cannot be taken out of a record as they are.
    readable = readable && (column.kind == Column::Kind::Number ||
                            (column.kind == Column::Kind::FixedText && kind != H5T_ARRAY));
    const std::size_t values = readable ? H5Tget_size(type) / column.bytes : 0;
    readable = readable && values <= kMostArray && isInside(column, values * column.bytes);
    if (!readable && table.unread.empty()) table.unread = column.name;
    for (std::size_t v = 0; readable && v < values; ++v) {
      table.columns.push_back(column);
      if (kind != H5T_ARRAY) break;
      table.columns.back().name += "_" + std::to_string(v);
      table.columns.back().offset += v * column.bytes;
    }
  }
}

std::string tooManyColumns(std::uint64_t columns) {
  return groupedText(columns) + " columns; at most " + groupedText(kMaxColumns) + " are possible";
}

/// The table of a dataset.
TableOrReason tableOf(hid_t dataset, const std::string& path) {
  const std::vector<hsize_t> shape = shapeOf(dataset);
  const Handle type = typeHandle(H5Dget_type(dataset));
  if (!type) return noneBecause("");
  if (readsOtherFiles(dataset))
    return noneBecause("its values lie in other files, which are not read or cannot be opened");
  const bool records = H5Tget_class(type) == H5T_COMPOUND;
  if (shape.empty() || shape.size() > 2 || (records && shape.size() != 1))
    return noneBecause(std::to_string(shape.size()) + " dimensions; a table has 1 or 2");
  if (shape.size() == 2 && H5Aexists(dataset, "MATLAB_class") > 0)
    return noneBecause(
        "a matrix that MATLAB stores by columns, so that its rows and columns would be exchanged; "
        "save it in MATLAB by writematrix(NAME, 'FILE.csv')");
  Table table;
  table.path = path;
  table.rows = shape[0];
  table.recordBytes = H5Tget_size(type);
  if (records && table.recordBytes > kMostRecordBytes)
    return noneBecause("its records are longer than 1 MiB");
  if (records) {
    addMembers(type, {}, 0, table);
  } else {
    Column column;
    if (!describeType(type, column)) return noneBecause("its values are neither numbers nor text");
    if (shape.size() == 1) {
      table.kind = Table::Kind::Columns;
      nameColumn(dataset, path, column);
      table.columns.push_back(column);
    } else if (column.kind == Column::Kind::VariableText ||
               column.kind == Column::Kind::FixedText) {
      return noneBecause("text in two dimensions");
    } else if (shape[1] > kMaxColumns) {
      return noneBecause(tooManyColumns(shape[1]));
    } else {
      table.matrix = true;
      if (column.kind == Column::Kind::Converted) column.bytes = sizeof(double);
      table.recordBytes = column.bytes * shape[1];
      for (std::size_t c = 0; c < shape[1]; ++c) {
        column.name = defaultColumnName(c, shape[1]);
        column.offset = c * column.bytes;
        table.columns.push_back(column);
      }
    }
  }
  if (table.columns.empty() || table.rows == 0)
    return noneBecause(table.rows == 0 ? "empty" : "no column that can be read");
  return table;
}

/// The datasets of one dimension in a group as columns, those of the length that most have.
std::optional<Table> tableOfColumns(const std::string& path, const std::vector<Table>& single) {
  std::map<std::uint64_t, std::size_t> lengths;
  for (const Table& one : single) ++lengths[one.rows];
  std::size_t most = 0;
  std::uint64_t rows = 0;
  for (const auto& [length, count] : lengths)
    if (count >= most) {
      most = count;
      rows = length;
    }
  if (most < 2) return std::nullopt;
  Table table;
  table.path = path;
  table.kind = Table::Kind::Columns;
  table.rows = rows;
  for (const Table& one : single)
    if (one.rows == rows) table.columns.push_back(one.columns.front());
  return table;
}

std::string rowsText(const Table& table) {
  return groupedText(table.rows) + " × " + groupedText(table.columns.size());
}

/// The group that holds the object of a path.
std::string groupOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

/// Walks through a file.
class Walk {
 public:
  explicit Walk(Content& content) : content_(content) {}

  void group(hid_t group, const std::string& path, int depth) {
    const std::size_t own = content_.tables.size();
    content_.tables.push_back({path.empty() ? "/" : path, "", true, false});
    std::vector<Table> single;
    bool isCut = false;
    if (depth < kMostDepth) {
      std::string damage;
      for (const std::string& name : namesIn(group, damage)) {
        isCut = content_.tables.size() >= kMostNames;
        if (isCut) break;
        object(group, path + "/" + name, name, depth, single);
      }
      if (!damage.empty()) content_.damage[content_.tables[own].name] = damage;
    } else if (H5G_info_t members{}; H5Gget_info(group, &members) >= 0 && members.nlinks > 0) {
      content_.tables[own].says = "groups nested deeper than " + std::to_string(kMostDepth) +
                                  " are not searched; choose a table in them by its path";
    }
    PreviewTable& entry = content_.tables[own];
    if (isSparse(group)) {
      const auto table = sparseTable(group, entry.name);
      entry.readable = table.has_value();
      entry.says = table ? rowsText(*table) + ", sparse" : "a sparse matrix, " + table.error();
      if (table) wide_.push_back(entry.name);
      // Its parts are no columns of anything.
      for (const Table& one : single) {
        std::erase(singles_, one.path);
        for (std::size_t t = own + 1; t < content_.tables.size(); ++t)
          if (content_.tables[t].name == one.path) content_.tables[t].isColumn = true;
      }
    } else if (const auto table = tableOfColumns(entry.name, single)) {
      entry.readable = true;
      entry.says = rowsText(*table) + (isCut ? " columns or more" : " columns");
      // A single dataset of the group would not be the whole table.
      for (const Table& one : single) std::erase(singles_, one.path);
      for (std::size_t t = own + 1; t < content_.tables.size(); ++t)
        for (const Table& one : single)
          if (content_.tables[t].name == one.path) content_.tables[t].isColumn = true;
      wide_.push_back(entry.name);
    }
  }

  /// Chooses the table when none is named.
  void choose() {
    const std::vector<std::string>& most = wide_.empty() ? singles_ : wide_;
    content_.ambiguous = most.size() > 1;
    if (!most.empty()) content_.chosen = most.front();
    // Others of its group may be columns beside it.
    if (const auto lost = notOpened_.find(groupOf(content_.chosen));
        wide_.empty() && !most.empty() && lost != notOpened_.end())
      content_.damage.insert(*lost);
    // In a file of cells users want the embeddings.
    for (const std::string& path : wide_)
      if (path.starts_with("/obsm/")) {
        content_.chosen = path;
        break;
      }
  }

 private:
  void object(hid_t group, const std::string& path, const std::string& name, int depth,
              std::vector<Table>& single) {
    std::string damage;
    const Handle object = openMember(group, name, damage);
    if (!object && damage.empty()) return;
    H5O_info_t info{};
    if (!object || H5Oget_info(object, &info) < 0) {
      if (object) damage = name + ": " + lastError();
      notOpened_.emplace(groupOf(path), damage);
      const std::string reason = damage.substr(name.size() + 2);
      content_.tables.push_back({path, "cannot be opened: " + reason, false, false});
      return;
    }
    // Indexes of PyTables.
    if (name.starts_with("_i_")) return;
    if (const auto column = categories(object, path)) {
      content_.tables.push_back({path, groupedText(column->rows) + ", categories", false, false});
      single.push_back(*column);
      return;
    }
    if (info.type == H5O_TYPE_GROUP) {
      // A group may be reached by several ways, its own members among them.
      if (visited_.insert(info.addr).second) this->group(object, path, depth + 1);
      return;
    }
    if (info.type != H5O_TYPE_DATASET) return;
    const Handle type = typeHandle(H5Dget_type(object));
    PreviewTable entry{path, "", false, false};
    if (const auto table = tableOf(object, path)) {
      entry.readable = true;
      entry.says = shapeText(shapeOf(object)) + ", " + typeText(type);
      if (table->kind == Table::Kind::Columns) {
        single.push_back(*table);
        if (table->columns[0].kind == Column::Kind::Number ||
            table->columns[0].kind == Column::Kind::Converted)
          singles_.push_back(path);
        else
          entry.readable = false;
      } else {
        wide_.push_back(path);
      }
    } else {
      entry.says = shapeText(shapeOf(object)) + ", " + table.error();
    }
    content_.tables.push_back(std::move(entry));
  }

  Content& content_;
  std::set<haddr_t> visited_;
  std::vector<std::string> wide_;                 ///< tables of several columns
  std::vector<std::string> singles_;              ///< datasets of one dimension
  std::map<std::string, std::string> notOpened_;  ///< a name in a group, and why
};

tl::unexpected<Error> noTable(const std::string& file, const std::string& path,
                              const std::string& why) {
  return badCall(file + ": " + quotedPath(path) + " is not a table that can be read" +
                 (why.empty() ? "" : " (" + why + ")") + ". `info FILE` lists the tables.");
}

tl::unexpected<Error> damagedGroup(const std::string& file, const std::string& path,
                                   const std::string& why) {
  return badInput(file + ": names in the group " + quotedPath(path) + " cannot be read (" + why +
                  "), so columns may be missing. The file is damaged; copy it again, or choose "
                  "a dataset in it that is whole: --dataset NAME.");
}

}  // namespace

Session::Session() : lock_(libraryMutex()) {
  // Objects that cannot be closed, because the disk is full, the library tries to close again at
  // the end of the process, and crashes.
  [[maybe_unused]] static const bool isPrepared = [] {
    H5dont_atexit();
    registerLzf();
    return true;
  }();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

std::string lastError() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, &keepDescription, &text);
  return text;
}

Result<Handle> openForReading(const ByteSource& source) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose);
  // A group or dataset that is still open must not keep the file open.
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  if (const auto set = readFrom(source, access); !set) return tl::unexpected(set.error());
  Handle file(H5Fopen(nameOf(source).c_str(), H5F_ACC_RDONLY, access), &H5Fclose);
  if (!file)
    return badInput(source.name() + ": cannot be opened as HDF5 (" + lastError() +
                    "). It was cut short or is damaged; copy it again.");
  return file;
}

Result<void> Content::checkChosen(const std::string& file) const {
  if (damage.empty()) return {};
  if (chosen.empty()) return damagedGroup(file, damage.begin()->first, damage.begin()->second);
  for (std::string path = chosen;; path = groupOf(path)) {
    if (const auto found = damage.find(path); found != damage.end())
      return damagedGroup(file, found->first, found->second);
    if (path == "/") return {};
  }
}

Result<Content> contentOf(hid_t file, const std::string& name) {
  Content content;
  const Handle root(H5Gopen2(file, "/", H5P_DEFAULT), &H5Gclose);
  if (!root)
    return badInput(name + ": its root group cannot be opened (" + lastError() +
                    "). The file is damaged; copy it again.");
  Walk walk(content);
  walk.group(root, "", 0);
  walk.choose();
  return content;
}

namespace {

Result<Table> tableAlone(hid_t file, const std::string& name, const std::string& path) {
  const Handle object(H5Oopen(file, path.c_str(), H5P_DEFAULT), &H5Oclose);
  if (!object) {
    const std::string why = lastError();
    if (H5Lexists(file, path.c_str(), H5P_DEFAULT) <= 0)
      return noTable(name, path, "there is no such name");
    return badInput(name + ": " + quotedPath(path) + " cannot be opened (" + why +
                    "). It is damaged, or of a newer version of HDF5; copy "
                    "it again, or write it for earlier versions.");
  }
  if (H5Iget_type(object) == H5I_DATASET) {
    auto table = tableOf(object, path);
    if (!table) return noTable(name, path, table.error());
    return *table;
  }
  if (H5Iget_type(object) != H5I_GROUP) return noTable(name, path, "a type");
  if (isSparse(object)) {
    auto table = sparseTable(object, path);
    if (!table) return noTable(name, path, "a sparse matrix, " + table.error());
    return *table;
  }
  std::vector<Table> single;
  std::vector<std::string> names;  // of these
  std::vector<std::string> lost;
  std::string damage;
  const std::vector<std::string> members = namesIn(object, damage);
  if (!damage.empty()) return damagedGroup(name, path, damage);
  for (const std::string& member : members) {
    const Handle column = openMember(object, member, damage);
    if (!damage.empty()) return damagedGroup(name, path, damage);
    if (!column) continue;
    const std::string inside = (path == "/" ? "" : path) + "/" + member;
    auto one = categories(column, inside);
    if (!one && H5Iget_type(column) == H5I_DATASET)
      if (auto dataset = tableOf(column, inside)) one = std::move(*dataset);
    if (one && one->kind == Table::Kind::Columns) {
      single.push_back(std::move(*one));
      names.push_back(member);
    } else if (H5Iget_type(column) == H5I_DATASET) {
      lost.push_back(member);
    }
  }
  auto table = tableOfColumns(path, single);
  if (!table) return noTable(name, path, "a group without two columns of the same length");
  for (std::size_t i = 0; i < single.size(); ++i)
    if (single[i].rows != table->rows) lost.push_back(names[i] + " (of another length)");
  table->lost = std::move(lost);
  if (table->columns.size() > kMaxColumns)
    return noTable(name, path, tooManyColumns(table->columns.size()));
  return *table;
}

}  // namespace

Result<Table> tableAt(hid_t file, const std::string& name, const std::string& path) {
  auto table = tableAlone(file, name, path);
  if (!table) return table;
  auto done = addCells(file, name, *table);
  if (done) done = readWords(file, name, *table);
  if (!done) return tl::unexpected(done.error());
  return table;
}

}  // namespace clusterloom::hdf5
