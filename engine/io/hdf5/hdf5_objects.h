#pragma once

#define H5_USE_110_API  // the names of functions in every version from 1.10 on
#include <hdf5.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "engine/io/byte_source.h"
#include "engine/io/read.h"
#include "engine/io/scalar.h"

namespace clusterloom::hdf5 {

/// An identifier of the library that is closed at the end of its scope.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// Held while the library is called: not every build of it is made for several threads. Turns its
/// own messages on standard error off.
class Session {
 public:
  Session();

 private:
  std::lock_guard<std::mutex> lock_;
};

/// The library's message about its last error; empty: none.
std::string lastError();

/// Opens a file for reading. BadInput, Io.
Result<Handle> openForReading(const ByteSource& source);

/// A column of a table: values of one type at the same place of each record, or those of a dataset.
struct Column {
  enum class Kind {
    Number,
    Converted,  ///< read as doubles
    FixedText,
    VariableText,
    Category  ///< numbers of words, from 0; below 0: none
  };
  std::string name;
  std::string unit;     ///< the attribute "units" of the dataset; may be empty
  std::string dataset;  ///< whose values they are; empty: that of the table
  Kind kind = Kind::Number;
  Scalar type = Scalar::Float64;  ///< of Number
  bool bigEndian = false;
  std::size_t offset = 0;          ///< in a record
  std::size_t part = 0;            ///< of a separate dataset of two dimensions: which column
  std::size_t bytes = 0;           ///< of FixedText
  bool padded = false;             ///< FixedText is padded with blanks
  std::vector<std::string> words;  ///< of Category
};

/// A table that can be read as rows and columns.
struct Table {
  enum class Kind {
    Records,  ///< a dataset of two dimensions, or of records
    Columns,  ///< datasets of one dimension and the same length in a group, or one alone
    Sparse    ///< a group with a matrix by rows: "data", "indices" and "indptr" (CSR)
  };
  std::string path;
  Kind kind = Kind::Records;
  bool matrix = false;  ///< a dataset of two dimensions, or Sparse
  std::uint64_t rows = 0;
  std::size_t recordBytes = 0;
  std::vector<Column> columns;    ///< of the table, then those of datasets beside it
  std::vector<std::string> lost;  ///< members of a group that are no columns of it
  std::string unread;  ///< the first member of records that is not among the columns; may be empty
};

/// All names in the file, in their order, with what can be read.
struct Content {
  std::vector<PreviewTable> tables;
  std::string chosen;      ///< the one to read when none is named; empty: nothing can be read
  bool ambiguous = false;  ///< others could be meant as well
  std::map<std::string, std::string> damage;  ///< groups that lack names, and why

  /// BadInput where names are missing beside `chosen` or above it: others might have been meant.
  Result<void> checkChosen(const std::string& file) const;
};
Result<Content> contentOf(hid_t file, const std::string& name);

/// The table at a path. BadCall where there is none, BadInput where columns of a group are lost.
Result<Table> tableAt(hid_t file, const std::string& name, const std::string& path);

/// Whether the library would read values of a dataset from files that are not HDF5 (external
/// storage), directly or by way of virtual datasets of this file and others, which it opens by
/// itself, of any kind. Also true for objects that cannot be inspected.
bool readsOtherFiles(hid_t dataset);

/// Names of the objects in a group: in the order in which they came, where the group keeps it, else
/// in alphabetical order. Where some cannot be read, `damage` says why, and is empty else.
std::vector<std::string> namesIn(hid_t group, std::string& damage);

/// The object of a hard link in a group. nullopt where it cannot be opened, with the reason in
/// `damage`, and of other links, which are not followed.
Handle openMember(hid_t group, const std::string& name, std::string& damage);

inline Handle typeHandle(hid_t id) { return {id, &H5Tclose}; }
inline Handle spaceHandle(hid_t id) { return {id, &H5Sclose}; }

/// Sets how values of the type are read; false: they cannot be.
bool describeType(hid_t type, Column& column);

/// The sizes of a dataset; empty: one value, or none that can be read.
std::vector<hsize_t> shapeOf(hid_t dataset);

/// The text of an attribute of one string; empty where there is none.
std::string attributeText(hid_t object, const char* name);

/// Names a column after the dataset of one dimension that it is, with its unit.
void nameColumn(hid_t dataset, const std::string& path, Column& column);

}  // namespace clusterloom::hdf5
