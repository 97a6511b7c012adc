#include "ui/dialogs/save_dialog.h"

#include <QCoreApplication>
#include <QFileDialog>

namespace clusterloom {

namespace {

struct Texts {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::SaveDialog)
};

}  // namespace

void askWhereToSave(QWidget* parent, SaveKind kind, std::function<void(const QString& path)> save) {
  struct Kind {
    QString title, filter, suffix;
  };
  const Kind kinds[] = {
      {Texts::tr("Save the table"), Texts::tr("Tables (*.csv)"), QStringLiteral("csv")},
      {Texts::tr("Save the picture"), Texts::tr("Pictures (*.png)"), QStringLiteral("png")},
      {Texts::tr("Save a copy of the lesson"), Texts::tr("Lessons (*.json)"),
       QStringLiteral("json")}};
  const Kind& is = kinds[std::size_t(kind)];
  auto* dialog = new QFileDialog(parent, is.title, {}, is.filter);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(is.suffix);
  QObject::connect(dialog, &QFileDialog::fileSelected, parent, std::move(save));
  dialog->open();
}

}  // namespace clusterloom
