#include "ui/dialogs/help_dialogs.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>
#include <QtGlobal>

#include "engine/version.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/form.h"

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
  auto* layout = spaced(new QVBoxLayout(this), {20, 20, 20, 14}, 14);
  layout->addLayout(row);
  layout->addWidget(buttons);
}

ShortcutsDialog::ShortcutsDialog(const QList<QAction*>& actions, QWidget* parent)
    : QDialog(parent) {
  setObjectName(QStringLiteral("shortcutsDialog"));
  setWindowTitle(tr("Keyboard shortcuts"));
  const QSize size(fontScaled(560), fontScaled(620));
  resize(parent != nullptr ? size.boundedTo(parent->window()->size()) : size);
  auto* table = new QTableWidget(this);
  table->setAccessibleName(tr("Keyboard shortcuts"));
  table->setColumnCount(2);
  table->setHorizontalHeaderLabels({tr("Key"), tr("What it does")});
  table->verticalHeader()->hide();
  table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 8);
  table->horizontalHeader()->setStretchLastSection(true);
  table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setShowGrid(false);
  table->setAlternatingRowColors(true);
  table->setTabKeyNavigation(false);
  table->setColumnWidth(0, fontScaled(200));
  const auto add = [table](const QString& key, const QString& text) {
    const int row = table->rowCount();
    table->insertRow(row);
    table->setItem(row, 0, new QTableWidgetItem(key));
    table->setItem(row, 1, new QTableWidgetItem(text));
  };
  for (const QAction* action : actions) {
    if (action->shortcut().isEmpty()) continue;
    QString text = action->text();
    text.remove(QLatin1Char('&')).remove(QStringLiteral("…"));
    QStringList keys;
    for (const QKeySequence& key : action->shortcuts()) {
      // Qt gives some actions keys of old keyboards, such as F14, too.
      const int code = key[0].key();
      if (code <= Qt::Key_F12 || code > Qt::Key_F35) keys << key.toString(QKeySequence::NativeText);
    }
    add(keys.join(QStringLiteral(", ")), text);
  }
  add(tr("Arrows"), tr("View: rotate (pan in 2-D)"));
  add(tr("+ and −"), tr("View: zoom"));
  add(tr("Home"), tr("View: show everything"));
  add(tr("Escape"), tr("View: clear the selection"));
  add(tr("Shift+drag"), tr("View: select the points in a rectangle (with Ctrl: add them)"));
  add(tr("Ctrl+drag"), tr("View: move"));
  add(tr("Double click"), tr("View: rotate about the point (3-D)"));
  add(tr("Menu, Shift+F10"), tr("View: menu"));
  add(tr("Left, Right"), tr("ε slider: about 1 %"));
  add(tr("Page Up, Page Down"), tr("ε slider: large steps"));
  add(tr("Up, Down"), tr("ε box: about 1 %"));
  add(tr("Return"), tr("Clusters: zoom to the row; runs: use again; chart: show its values"));
  add(tr("Space"), tr("Clusters: check or uncheck to show or hide"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = spaced(new QVBoxLayout(this), {14, 14, 14, 12});
  layout->addWidget(table, 1);
  layout->addWidget(buttons);
}

}  // namespace clusterloom
