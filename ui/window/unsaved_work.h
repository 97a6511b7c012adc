#pragma once

#include <QObject>
#include <functional>

class QWidget;

namespace clusterloom {

class Session;

/// Asks before something takes the place of work that only the open session has: changes that its
/// file lacks or, where it has no file, several clouds, added points, points that were kept or
/// removed, or selections clustered on their own.
class UnsavedWork : public QObject {
  Q_OBJECT

 public:
  /// `save` saves the session or asks where to; SessionFiles::sessionSaved follows if it succeeds.
  UnsavedWork(Session& session, QWidget* window, std::function<void()> save);

  /// Whether there is such work.
  bool exists() const;
  /// Calls `next` at once where there is none, else when the user has saved it or gives it up.
  void before(std::function<void()> next);
  /// The user does not save after all: the waiting action is dropped.
  void cancel() { next_ = {}; }

 private:
  QString questionText(bool canSave) const;

  Session& session_;
  QWidget* window_;
  std::function<void()> save_;
  std::function<void()> next_;  ///< waits until the session is saved
};

}  // namespace clusterloom
