#include "ui/window/unsaved_work.h"

#include <QAbstractButton>
#include <QFileInfo>
#include <QMessageBox>
#include <utility>

#include "ui/session/added_points.h"
#include "ui/session/open_clouds.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"

namespace clusterloom {

UnsavedWork::UnsavedWork(Session& session, QWidget* window, std::function<void()> save)
    : QObject(window), session_(session), window_(window), save_(std::move(save)) {
  connect(&session_.files(), &SessionFiles::sessionSaved, this, [this] {
    // Also what has changed since it was asked.
    if (const auto next = std::exchange(next_, {})) before(next);
  });
  connect(&session_.jobs(), &JobQueue::failed, this, [this](const Failure& failure) {
    if (failure.job == JobKind::SaveSession) next_ = {};
  });
}

bool UnsavedWork::exists() const {
  const SessionFiles& files = session_.files();
  const Parameters& parameters = session_.parameters();
  return files.isModified() &&
         (!files.sessionPath().isEmpty() || session_.clouds().count() > 1 ||
          session_.addedPoints().dataset() || parameters.kept || !parameters.refinements.empty());
}

QString UnsavedWork::questionText(bool canSave) const {
  const QString path = session_.files().sessionPath();
  if (path.isEmpty())
    return canSave ? tr("The open data are not saved as a session. Save them?")
                   : tr("The open data are not saved as a session, and cannot be saved before an ε "
                        "is known. Discard them?");
  const QString name = QFileInfo(path).fileName();
  return canSave ? tr("Save the changes to the session %1?").arg(name)
                 : tr("The changes to the session %1 are not saved, and cannot be before an ε is "
                      "known. Discard them?")
                       .arg(name);
}

void UnsavedWork::before(std::function<void()> next) {
  next_ = {};
  if (!exists()) return next();
  // A session without its ε would be another one.
  const bool canSave = !session_.data().awaitsEps();
  auto* question = new QMessageBox(QMessageBox::Question, tr("Clusterloom"), questionText(canSave),
                                   (canSave ? QMessageBox::Save : QMessageBox::NoButton) |
                                       QMessageBox::Discard | QMessageBox::Cancel,
                                   window_);
  question->setAttribute(Qt::WA_DeleteOnClose);
  connect(question, &QMessageBox::buttonClicked, this,
          [this, question, next = std::move(next)](QAbstractButton* button) {
            const auto answer = question->standardButton(button);
            if (answer == QMessageBox::Discard) return next();
            if (answer != QMessageBox::Save) return;
            next_ = next;
            save_();
          });
  question->open();
}

}  // namespace clusterloom
