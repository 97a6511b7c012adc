#pragma once

#include <optional>
#include <string>
#include <utility>

#include "engine/io/hdf5/hdf5_objects.h"

namespace clusterloom::hdf5 {

/// Whether a group holds a sparse matrix, as anndata and h5sparse write it.
bool isSparse(hid_t group);

/// A table, or why an object is none that can be read.
using TableOrReason = tl::expected<Table, std::string>;
inline tl::unexpected<std::string> noneBecause(std::string reason) {
  return tl::unexpected(std::move(reason));
}

/// The table that a sparse matrix is, where it can be read by rows.
TableOrReason sparseTable(hid_t group, const std::string& path);

/// The column of a group of categories, as anndata writes it; nullopt for other groups. Its words
/// are not read yet.
std::optional<Table> categories(hid_t group, const std::string& path);

/// Reads the words of all categories of a table. BadInput.
Result<void> readWords(hid_t file, const std::string& name, Table& table);

/// In a file of cells (anndata's .h5ad) adds to a table of all cells what the file says of them:
/// the columns of /obs, categories as their words, the columns of projections, which are matrices
/// of two or three columns below /obsm, and the names of genes to the columns of a matrix of as
/// many. Other files and tables stay as they are. BadInput where these columns are
/// damaged.
Result<void> addCells(hid_t file, const std::string& name, Table& table);

}  // namespace clusterloom::hdf5
