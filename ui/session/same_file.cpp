#include "ui/session/same_file.h"

#include <algorithm>

#include "engine/io/output_set.h"

namespace clusterloom {

bool isSameFile(const QString& one, const QString& other) {
  return isSameFile(one.toStdString(), other.toStdString());
}

bool isOneOf(const QString& path, const QStringList& files) {
  return std::ranges::any_of(files, [&](const QString& file) { return isSameFile(path, file); });
}

}  // namespace clusterloom
