// Session files: what is read of one can be written, and is then read again as it is.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "harness.h"
#include "ui/session/session_state.h"

using namespace clusterloom;

const char* fuzzedName = "fuzz.session";

constexpr std::uint64_t kMostPoints = 10'000'000;

namespace {

/// How many points the lists in a value name. They take 4 bytes each, as they must.
std::uint64_t pointsOf(const QJsonValue& value) {
  if (value.isString()) return pointsIn(value.toString());
  std::uint64_t count = 0;
  for (const QJsonValue element : value.toArray()) count += pointsOf(element);
  for (const QJsonValue member : value.toObject()) count += pointsOf(member);
  return count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  // Qt warns of paths with zeros in them, which no file has.
  [[maybe_unused]] static const auto before =
      qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});
  const QByteArray json(reinterpret_cast<const char*>(bytes), static_cast<qsizetype>(size));
  const QJsonDocument document = QJsonDocument::fromJson(json);
  if (pointsOf(document.object()) > kMostPoints) return 0;
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
