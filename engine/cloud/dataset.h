#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/cloud/column_values.h"
#include "engine/cloud/point_cloud.h"

namespace clusterloom {

struct LasOrigin;

/// A column kept with the coordinates, for colouring and for exports. One value per
/// point.
struct Attribute {
  std::string name;
  ColumnValues values;
};

/// The origin of a data set, as recorded in the provenance of exports.
struct Source {
  std::string path;         ///< as given; empty for generated clouds
  std::string format;       ///< FileFormat::name (engine/io/format_table.h), or "generated"
  std::string hash;         ///< XXH3-128 of the file's bytes as "xxh3:" + 32 hex digits
  std::string description;  ///< for generated clouds: the call that reproduces it
  /// How the file was read, where the caller chose: names and words for provenance.
  std::vector<std::pair<std::string, std::string>> choices = {};
};

/// A column of a text file that was read in a way that people may not expect.
struct ColumnRemark {
  enum class Kind {
    FirstRowAsNames,   ///< the first row may be data: its line
    FirstRowAsData,    ///< the first row may name the columns: its line
    Thousands,         ///< has signs between thousands: the sign, a cell, its number
    PerhapsThousands,  ///< has what may be some: the same; no number where the cell is text
    TurnedToText,      ///< begins with numbers and is read as text: its number from 0 and name, a
                       ///< line, its cell
    Constant,          ///< a coordinate that is the same in all rows: its name, the number
  };
  Kind kind = Kind::Constant;
  /// The parts that the kind lists, in its order. Signs are words of read_words.h, cells in quotes.
  std::vector<std::string> parts;
  friend bool operator==(const ColumnRemark&, const ColumnRemark&) = default;
};

/// A cloud with everything that was read with it. Points are the input's rows in order, without the
/// rows skipped on request.
struct Dataset {
  PointCloud cloud;
  std::vector<Attribute> attributes;
  std::uint64_t linesBefore = 0;           ///< of a text, before its table: titles and the like
  std::uint64_t every = 1;                 ///< rows 0, every, 2 · every, … of the file were read
  std::uint64_t inputRows = 0;             ///< rows that were read, skipped ones included
  std::vector<std::uint64_t> skippedRows;  ///< ascending 0-based rows, of those read, that were
                                           ///< skipped
  /// The columns of the rows that were skipped, coordinates first; empty where they are not kept.
  /// Texts have their words in the attribute of that column.
  std::vector<ColumnValues> skippedValues;
  /// The types in which the file holds the coordinates; empty: float64.
  std::vector<Scalar> coordinateTypes;
  /// Names of coordinates that were rounded to the nearest doubles: those that the file holds as
  /// integers of 64 bits, with values of 2⁵³ or more, and those for which a text file has an
  /// integer that no double represents.
  std::vector<std::string> roundedCoordinates;
  /// Names of columns that were not taken as coordinates where the caller chose none: numbers
  /// (engine/io/guess_coordinates.h), and columns of a text file that begin without values.
  std::vector<std::string> leftOut;
  std::vector<ColumnRemark> remarks;
  /// Columns of the file of a kind that is not read, each with its kind in parentheses: exports
  /// lack them.
  std::vector<std::string> unreadColumns;
  Source source;
  std::shared_ptr<const LasOrigin> las;  ///< of data read from LAS (las_origin.h)
  /// Input column order, for CSV exports: index < dims is a coordinate, else attribute (index −
  /// dims).
  std::vector<std::size_t> columnOrder;
  /// Units of columns, by name, as the file gives them: for exports only, nothing is computed from
  /// them.
  std::map<std::string, std::string> units = {};
};

}  // namespace clusterloom
