#pragma once

#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "session_waits.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "visible_threads.h"

inline clusterloom::GeneratorSpec blobs(std::size_t points, std::size_t dims = 2,
                                        std::uint64_t seed = 7) {
  return {"blobs", points, dims, seed};
}

/// Fixture of tests of sessions without a window.
class SessionFolder {
 protected:
  VisibleThreads visibleThreads_;
  std::unique_ptr<QTemporaryDir> directory_;
  QString path(const QString& name) const { return directory_->filePath(name); }
  std::unique_ptr<clusterloom::Session> makeSession() const {
    return std::make_unique<clusterloom::Session>(nullptr, path("autosave"));
  }
  /// A session with a sample clustered; null (and a failed test) when it did not work.
  std::unique_ptr<clusterloom::Session> opened(const clusterloom::GeneratorSpec& spec) const {
    auto session = makeSession();
    session->data().openSample(spec);
    if (!waitForResult(*session)) return nullptr;
    return session;
  }
};
