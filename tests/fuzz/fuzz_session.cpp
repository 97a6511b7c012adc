// Session files: what is read of one can be written, and is then read again as it is.
#include "harness.h"
#include "ui/session/session_state.h"

using namespace clusterloom;

const char* const kFuzzedName = "fuzz.session";

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const QByteArray json(reinterpret_cast<const char*>(bytes), static_cast<qsizetype>(size));
  const auto folder = QStringLiteral("/no/such/folder");
  const auto state = sessionFromJson(json, folder);
  if (!state) {
    promise(state.error().kind == ErrorKind::BadInput, "the kind of error fits");
    promise(state.error().message.size() > 10, "a message says what is wrong");
    return 0;
  }
  const QByteArray written = toJson(*state, folder);
  const auto again = sessionFromJson(written, folder);
  promise(again.has_value(), "what is written can be read");
  promise(toJson(*again, folder) == written, "what is read again is the same");
  return 0;
}
