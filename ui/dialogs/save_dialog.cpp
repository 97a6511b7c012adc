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
  const bool picture = kind == SaveKind::Png;
  auto* dialog =
      new QFileDialog(parent, picture ? Texts::tr("Save the picture") : Texts::tr("Save the table"),
                      {}, picture ? Texts::tr("Pictures (*.png)") : Texts::tr("Tables (*.csv)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(picture ? QStringLiteral("png") : QStringLiteral("csv"));
  QObject::connect(dialog, &QFileDialog::fileSelected, parent, std::move(save));
  dialog->open();
}

}  // namespace clusterloom
