#include "ui/dialogs/about_dialog.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <QtGlobal>

#include "engine/version.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace clusterloom {

AboutDialog::AboutDialog(const QString& backend, QWidget* parent) : QDialog(parent) {
  setObjectName(QStringLiteral("aboutDialog"));
  setWindowTitle(tr("About Clusterloom"));
  auto* icon = new QLabel(this);
  icon->setPixmap(
      colouredIcon(QStringLiteral("clusterloom")).pixmap(QSize(80, 80), devicePixelRatioF()));
  auto* text = new QLabel(this);
  text->setTextFormat(Qt::RichText);
  text->setWordWrap(true);
  text->setMinimumWidth(fontScaled(360));
  text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  text->setText(
      tr("<h2>Clusterloom %1</h2><p>Explore density-based clusters in point clouds: exact DBSCAN "
         "while ε is dragged, the grid that found the clusters, and what it cost.</p><p>Joins run "
         "on: %2</p><p>Made with Qt %3 and VTK. BSD-3-Clause licence.</p>")
          .arg(QString::fromLatin1(kVersion), backend.toHtmlEscaped(),
               QString::fromLatin1(qVersion())));
  auto* row = new QHBoxLayout;
  row->setSpacing(18);
  row->addWidget(icon, 0, Qt::AlignTop);
  row->addWidget(text, 1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  buttons->button(QDialogButtonBox::Close)->setDefault(true);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(20, 20, 20, 14);
  layout->setSpacing(14);
  layout->addLayout(row);
  layout->addWidget(buttons);
}

}  // namespace clusterloom
