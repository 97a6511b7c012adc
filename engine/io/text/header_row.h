#pragma once

#include <string>
#include <vector>

#include "engine/io/text/text_preamble.h"
#include "engine/io/text/text_records.h"

namespace clusterloom {

/// What the first row of a table is taken for.
struct FirstRow {
  bool names = false;
  bool doubtful = false;  ///< it may be the other, which a user is told
};

/// Whether all cells of the first row are quoted, numbers among them, and the numbers below these
/// are not: a program that quotes texts only has written names. `rows` are records as they stand.
bool quotesAboveNumbers(const std::vector<std::string>& rows, const TextDialect& dialect);

/// Whether the first row names the columns. It does where it has a word and no number, and where it
/// has `quoted` names (quotesAboveNumbers). Else it has numbers, and these must look like names,
/// too, and differ from each other:
/// - 0, 1, 2, … as pandas names the columns of an array: above numbers with decimals, or behind an
///   empty cell above an index, or before a word such as "cluster"; of five or more columns above
///   any numbers;
/// - other numbers that stand out of their columns (outside their range, or the only ones without
///   decimals), beside a word that names: one that is known, or above numbers, or above texts that
///   repeat, or an empty cell above an index.
/// A word that occurs below in its column is a value, so the row is data. Where signs remain that
/// the row is something else, it is doubtful.
FirstRow judgeFirstRow(const TextTable& rows, bool quoted, bool decimalComma);

}  // namespace clusterloom
