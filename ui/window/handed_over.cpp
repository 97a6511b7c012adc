#include "ui/window/handed_over.h"

#include <QApplication>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include "ui/jobs/job_queue.h"
#include "ui/session/session_data.h"
#include "ui/window/main_window.h"
#include "ui/words/numbers.h"

namespace clusterloom {
namespace {

void bringToFront(MainWindow& window) {
  window.setWindowState(window.windowState() & ~Qt::WindowMinimized);
  window.show();
  window.raise();
  window.activateWindow();
  // Where the desktop does not let programs come to the front.
  QApplication::alert(&window);
}

bool isInUse(Session& session) {
  return session.data().dataset() || session.jobs().isActive(JobKind::Load);
}

}  // namespace

bool takeHandedOver(MainWindow& window, const QStringList& paths,
                    const std::function<void(const QStringList&)>& elsewhere) {
  if (QApplication::activeModalWidget() != nullptr) return false;
  // The look at a file before its import dialog, which another one would replace.
  if (window.session().jobs().isActive(JobKind::ImportPreview)) return false;
  bringToFront(window);
  if (!isInUse(window.session())) {
    window.openPaths(paths, MainWindow::Ask::IfText);
    return true;
  }
  QString name = QFileInfo(paths.front()).fileName();
  if (const std::uint64_t others = std::uint64_t(paths.size()) - 1; others > 0)
    name = MainWindow::tr("%1 and %2")
               .arg(name, counted(others, "1 other file",
                                  MainWindow::tr("%1 other files", nullptr, pluralNumber(others))));
  const QString text =
      MainWindow::tr("Open %1 here, in place of the open data, or in another window?").arg(name);
  auto* question = new QMessageBox(QMessageBox::Question, MainWindow::tr("Clusterloom"), text,
                                   QMessageBox::Cancel, &window);
  question->setAttribute(Qt::WA_DeleteOnClose);
  const auto* here = question->addButton(MainWindow::tr("Open &here"), QMessageBox::AcceptRole);
  QPushButton* other =
      question->addButton(MainWindow::tr("&Another window"), QMessageBox::AcceptRole);
  question->setDefaultButton(other);  // nothing that is open goes away
  QObject::connect(question, &QMessageBox::buttonClicked, &window,
                   [&window, paths, elsewhere, here, other](const QAbstractButton* button) {
                     if (button == here) window.openInstead(paths);
                     if (button == other) elsewhere(paths);
                   });
  question->open();
  return true;
}

}  // namespace clusterloom
