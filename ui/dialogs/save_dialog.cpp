#include "ui/dialogs/save_dialog.h"

#include <QFileDialog>

namespace clusterloom {

void askWhereToSave(QWidget* parent, const SaveKind& kind,
                    std::function<void(const QString& path)> save) {
  auto* dialog = new QFileDialog(parent, kind.title, {}, kind.filter);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(kind.suffix);
  QObject::connect(dialog, &QFileDialog::fileSelected, parent, std::move(save));
  dialog->open();
}

}  // namespace clusterloom
