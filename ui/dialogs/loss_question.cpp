#include "ui/dialogs/loss_question.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <utility>

#include "ui/view/data_words.h"
#include "ui/widgets/form.h"

namespace clusterloom {
namespace {

constexpr qsizetype kMostLosses = 8;  // named one by one

struct LossTexts {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::LossQuestion)
};

}  // namespace

QMessageBox* askForLoss(QWidget* parent, const QString& path, const QStringList& losses,
                        std::function<void()> anyway) {
  QStringList lines = losses.mid(0, kMostLosses);
  if (const int more = int(losses.size() - kMostLosses); more > 0)
    lines << counted(std::uint64_t(more), "1 more column",
                     LossTexts::tr("%1 more columns", nullptr, more));
  const QString text =
      LossTexts::tr("%1 cannot hold everything unchanged:").arg(QFileInfo(path).fileName()) +
      QStringLiteral("\n\n") + lines.join(QLatin1Char('\n'));
  auto* question =
      named("lossQuestion",
            deletedOnClose(new QMessageBox(QMessageBox::Warning, LossTexts::tr("Export"),
                                           cutForDisplay(text), QMessageBox::Cancel, parent)));
  question->setTextFormat(Qt::PlainText);  // names of columns
  const QAbstractButton* exports =
      question->addButton(LossTexts::tr("&Export with loss"), QMessageBox::AcceptRole);
  question->setDefaultButton(QMessageBox::Cancel);
  QObject::connect(question, &QMessageBox::buttonClicked, parent,
                   [exports, run = std::move(anyway)](const QAbstractButton* button) {
                     if (button == exports) run();
                   });
  question->open();
  return question;
}

}  // namespace clusterloom
