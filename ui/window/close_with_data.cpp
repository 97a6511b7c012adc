#include "ui/window/close_with_data.h"

#include <QDialog>

#include "ui/session/session_data.h"

namespace clusterloom {

void closeWithData(QDialog& dialog, const SessionData& data) {
  QObject::connect(&data, &SessionData::dataAboutToChange, &dialog, &QDialog::reject);
  QObject::connect(&data, &SessionData::partialChanged, &dialog, [&data, &dialog] {
    if (data.partial()) dialog.reject();
  });
}

}  // namespace clusterloom
