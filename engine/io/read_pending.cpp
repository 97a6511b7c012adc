#include "engine/io/formats.h"
namespace clusterloom {
namespace {
tl::unexpected<Error> pending(const InputStream& in) {
  return fail(ErrorKind::BadInput, in.name() + ": this format is not read by this version.");
}
}  // namespace
Result<std::unique_ptr<TableFile>> openPly(InputStream& in) { return pending(in); }
Result<std::unique_ptr<TableFile>> openPcd(InputStream& in) { return pending(in); }
Result<std::unique_ptr<TableFile>> openLas(InputStream& in) { return pending(in); }
}  // namespace clusterloom
