// Lesson files.
#include "harness.h"
#include "ui/lessons/lesson.h"

using namespace clusterloom;

const char* fuzzedName = "fuzz.lesson";

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const QByteArray json(reinterpret_cast<const char*>(bytes), static_cast<qsizetype>(size));
  const auto lesson = lessonFromJson(json, QStringLiteral("a.json"));
  if (lesson) {
    promise(!lesson->steps.empty(), "a lesson has steps");
    return 0;
  }
  const Error& error = lesson.error();
  promise(error.kind == ErrorKind::BadInput, "the kind of error fits");
  promise(error.message.find("a.json") != std::string::npos, "a message names the file");
  promise(error.message.size() > 20, "a message says what is wrong");
  return 0;
}
