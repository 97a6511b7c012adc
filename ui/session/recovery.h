#pragma once

#include <QLockFile>
#include <QString>
#include <memory>
#include <optional>

#include "ui/session/session_state.h"

namespace clusterloom {

/// The autosave of one running program: a session file with a lock that remains after a crash. A
/// file whose lock is stale belongs to a program that ended without closing; it can be restored.
class Recovery {
 public:
  /// `directory` is the folder of the autosaves; empty: "autosave" in AppLocalDataLocation.
  explicit Recovery(const QString& directory = {});
  /// Removes this program's autosave and lock.
  ~Recovery();

  /// Where this program autosaves; empty when the directory cannot be written.
  QString path() const { return path_; }

  /// The newest autosave that a crashed program left; nullopt when there is none.
  std::optional<QString> recoverable() const;
  /// Removes the autosave of a crashed program, and locks without an autosave. The autosaves of
  /// others, which nobody was asked about, stay.
  void discard(const QString& path);

 private:
  QString directory_;
  QString path_;
  std::unique_ptr<QLockFile> lock_;
};

}  // namespace clusterloom
