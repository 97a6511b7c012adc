// In place of the reader in builds without cfitsio.
#include "engine/io/formats.h"

namespace clusterloom {

Result<std::unique_ptr<TableFile>> openFits(InputStream& in, const ReadOptions& /*options*/) {
  return badInput(in.name() +
                  ": is a FITS file, but this program was built without cfitsio. Save the table as "
                  "CSV or NPY, or build the program with libcfitsio-dev.");
}

}  // namespace clusterloom
