// In place of the reader in builds without the HDF5 library.
#include "engine/io/export_rows.h"
#include "engine/io/formats.h"

namespace clusterloom {

Result<std::unique_ptr<TableFile>> openHdf5(InputStream& in, const ReadOptions& /*options*/) {
  return badInput(in.name() +
                  ": is an HDF5 file, but this program was built without the HDF5 library. Save "
                  "the table as NPY or CSV, or build the program with libhdf5-dev.");
}

WriteByPath hdf5Writer() { return {}; }
std::vector<ExportColumn> hdf5Columns(const Dataset& /*dataset*/, const ExportPoints& /*points*/) {
  return {};
}
Losses hdf5Losses(const Dataset& /*dataset*/, const ExportPoints& /*points*/) { return {}; }

}  // namespace clusterloom
