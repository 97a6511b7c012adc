#include "ui/dialogs/export_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/io/format_table.h"
#include "engine/io/packing/packing.h"
#include "ui/dialogs/picture_fields.h"
#include "ui/session/files.h"
#include "ui/theme/theme.h"
#include "ui/widgets/form.h"
#include "ui/words/engine_words.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

/// ".gz" or ".zst" at the end of a name; empty: neither.
QString packingSuffix(const QString& path) {
  const Packing packing = packingOfName(path.toStdString());
  return packing == Packing::None ? QString()
                                  : path.right(qsizetype(packingKindOf(packing).extension.size()));
}

}  // namespace

ExportDialog::ExportDialog(const QString& suggestedPath, int selectedClusters,
                           const QStringList& inputs, const QSize& view, QWidget* parent)
    : QDialog(parent), inputs_(inputs) {
  setObjectName(QStringLiteral("exportDialog"));
  setWindowTitle(tr("Export"));
  setMinimumWidth(fontScaled(520));
  what_ = named("exportWhat", panelCombo(this, tr("What to export")));
  what_->addItem(tr("All points with their labels"), int(ExportChoice::What::AllPoints));
  if (selectedClusters > 0) {
    what_->addItem(counted(std::uint64_t(selectedClusters), "Points of the selected cluster",
                           tr("Points of the %1 selected clusters", nullptr, selectedClusters)),
                   int(ExportChoice::What::SelectedClusters));
  }
  what_->addItem(tr("The table of all clusters"), int(ExportChoice::What::ClusterTable));
  what_->addItem(tr("A picture of the view"), int(ExportChoice::What::Picture));
  format_ = named("exportFormat", panelCombo(this, tr("Format")));
  path_ =
      named("exportPath", new QLineEdit(QDir::toNativeSeparators(suggestedPath), this), tr("File"));
  auto* browse = new QPushButton(tr("&Browse…"), this);
  auto* pathRow = new QHBoxLayout;
  pathRow->addWidget(path_, 1);
  pathRow->addWidget(browse);
  provenance_ =
      new QCheckBox(tr("Write &provenance: version, input and its hash, parameters"), this);
  provenance_->setObjectName(QStringLiteral("exportProvenance"));
  provenance_->setToolTip(
      tr("CSV and NPY files stay plain; their provenance goes into a file beside them, with "
         ".provenance.json added to the name"));
  picture_ = new PictureFields(view, this);
  hint_ = mutedLabel(this);
  auto* buttons = dialogButtons(this, QDialogButtonBox::Cancel);
  export_ = named("exportButton", buttons->addButton(tr("&Export"), QDialogButtonBox::AcceptRole));
  export_->setDefault(true);

  note_ = named("exportNote", errorLabel(this));
  setNote({});

  auto* form = spacedForm(new QFormLayout, 12, 9);
  form->addRow(tr("&What"), what_);
  form->addRow(tr("&Format"), format_);
  addRow(form, tr("F&ile"), pathRow, path_);
  form->addRow(QString(), provenance_);
  form->addRow(QString(), picture_);
  form->addRow(QString(), hint_);
  auto* layout = spaced(new QVBoxLayout(this), {16, 16, 16, 14}, 12);
  layout->addWidget(note_);
  layout->addLayout(form);
  layout->addStretch(1);
  layout->addWidget(buttons);

  connect(what_, &QComboBox::currentIndexChanged, this, &ExportDialog::showFormats);
  connect(format_, &QComboBox::currentIndexChanged, this, &ExportDialog::followFormat);
  connect(path_, &QLineEdit::textChanged, this, [this] {
    followName();
    check();
  });
  connect(picture_, &PictureFields::changed, this, &ExportDialog::check);
  connect(browse, &QPushButton::clicked, this, &ExportDialog::browse);
  showFormats();
}

void ExportDialog::setNote(const QString& note) {
  note_->setText(note);
  note_->setVisible(!note.isEmpty());
}

void ExportDialog::offerPoints(std::size_t kept, std::size_t whole, std::size_t selected) {
  if (selected > 0)
    what_->insertItem(1,
                      counted(selected, "The selected point, as a file of its own",
                              tr("The %1 selected points, as a file of their own", nullptr,
                                 pluralNumber(selected))),
                      int(ExportChoice::What::SelectedPoints));
  if (kept == whole) return;
  what_->setItemText(
      0, tr("All %1 rows; those of removed points are empty, with label −2").arg(count(whole)));
  what_->insertItem(
      1,
      counted(kept, "The point kept, as a file of its own",
              tr("The %1 points kept, as a file of their own", nullptr, pluralNumber(kept))),
      int(ExportChoice::What::KeptPoints));
}

void ExportDialog::offerRows(std::size_t selected, std::size_t kept, bool areLabelled) {
  if (kept > 0) {
    const int number = pluralNumber(kept);
    what_->insertItem(
        1,
        areLabelled
            ? counted(kept, "The row kept of the whole file, with its label",
                      tr("All %1 rows kept of the whole file, with their labels", nullptr, number))
            : counted(kept, "The row kept of the whole file, without a label",
                      tr("All %1 rows kept of the whole file, without labels", nullptr, number)),
        int(ExportChoice::What::KeptRows));
  }
  if (selected == 0) return;
  const int number = pluralNumber(selected);
  what_->insertItem(
      1,
      areLabelled
          ? counted(
                selected, "The selected row of the whole file, with its label",
                tr("All %1 selected rows of the whole file, with their labels", nullptr, number))
          : counted(selected, "The selected row of the whole file, without a label",
                    tr("All %1 selected rows of the whole file, without labels", nullptr, number)),
      int(ExportChoice::What::SelectedRows));
}

void ExportDialog::offerAddedPoints(std::size_t added) {
  if (added == 0) return;
  what_->insertItem(
      1,
      counted(added, "The added point with its label",
              tr("The %1 added points with their labels", nullptr, pluralNumber(added))),
      int(ExportChoice::What::AddedPoints));
}

void ExportDialog::showFormats() {
  const auto what = ExportChoice::What(what_->currentData().toInt());
  const QString before = format_->currentData().toString();
  format_->clear();
  if (what == ExportChoice::What::Picture) {
    format_->addItem(tr("PNG image"), QStringLiteral("png"));
  } else {
    // A table of clusters is text.
    for (const FileFormat& format : fileFormats()) {
      if (!format.isWritten()) continue;
      if (what == ExportChoice::What::ClusterTable && format.format != Format::Text) continue;
      format_->addItem(engineText(format.exportTitle),
                       QString::fromStdString(format.extensions.front().substr(1)));
    }
  }
  format_->setCurrentIndex(std::max(0, format_->findData(before)));
  provenance_->setVisible(what != ExportChoice::What::Picture);
  picture_->setVisible(what == ExportChoice::What::Picture);
  followFormat();
}

void ExportDialog::followFormat() {
  const QString suffix = format_->currentData().toString();
  if (suffix.isEmpty()) return;
  QString path = path_->text();
  const QString packing = packingSuffix(path);
  path.chop(packing.size());
  const QString old = QFileInfo(path).suffix();
  QStringList known{QStringLiteral("png")};
  for (const std::string& extension : writtenExtensions())
    known << QString::fromStdString(extension.substr(1));
  if (known.contains(old, Qt::CaseInsensitive)) path.chop(old.size() + 1);
  path_->setText(path + QLatin1Char('.') + suffix +
                 (suffix == QLatin1String("png") ? QString() : packing));
  check();
}

QString ExportDialog::suffixOfName() const {
  QString path = path_->text().trimmed();
  if (format_->currentData().toString() != QLatin1String("png"))
    path.chop(packingSuffix(path).size());
  return QFileInfo(path).suffix().toLower();
}

void ExportDialog::followName() {
  const int named = format_->findData(suffixOfName());
  if (named < 0) return;
  // Without followFormat, which would write the name that is being typed.
  const QSignalBlocker block(format_);
  format_->setCurrentIndex(named);
}

bool ExportDialog::nameFits() const { return suffixOfName() == format_->currentData().toString(); }

void ExportDialog::check() {
  const QString target = QDir::fromNativeSeparators(path_->text().trimmed());
  const QFileInfo file(target);
  QString hint;
  bool good = true;
  if (target.isEmpty() || file.isDir()) {
    hint = tr("Give the name of a file.");
    good = false;
  } else if (!file.absoluteDir().exists()) {
    hint = tr("There is no folder %1.").arg(QDir::toNativeSeparators(file.absolutePath()));
    good = false;
  } else if (!nameFits()) {
    const QString suffix = format_->currentData().toString();
    hint = suffix == QLatin1String("png")
               ? tr("The name must end in .%1.").arg(suffix)
               : tr("The name must end in .%1, or in .%1.gz or .%1.zst for a compressed file.")
                     .arg(suffix);
    good = false;
  } else if (isOneOf(target, inputs_)) {
    hint = tr("This file is open. Choose another name; an input is never overwritten.");
    good = false;
  } else if (file.exists()) {
    hint = tr("This file exists and will be replaced once the new one is complete.");
  }
  if (what_->currentData().toInt() == int(ExportChoice::What::Picture) && !picture_->fits())
    good = false;  // the fields say why
  hint_->setText(hint);
  export_->setEnabled(good);
}

void ExportDialog::browse() {
  auto* dialog = deletedOnClose(new QFileDialog(this, tr("Export to"), path_->text()));
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setOption(QFileDialog::DontConfirmOverwrite);  // the hint says so
  const QString suffix = format_->currentData().toString();
  dialog->setDefaultSuffix(suffix);
  dialog->setNameFilter(suffix == QLatin1String("png")
                            ? QStringLiteral("*.png")
                            : QStringLiteral("*.%1 *.%1.gz *.%1.zst").arg(suffix));
  connect(dialog, &QFileDialog::fileSelected, this,
          [this](const QString& path) { path_->setText(QDir::toNativeSeparators(path)); });
  dialog->open();
}

ExportChoice ExportDialog::choice() const {
  ExportChoice choice;
  choice.what = ExportChoice::What(what_->currentData().toInt());
  choice.path = QFileInfo(QDir::fromNativeSeparators(path_->text().trimmed())).absoluteFilePath();
  choice.provenance = provenance_->isChecked();
  choice.picture = picture_->chosen();
  return choice;
}

void ExportDialog::setWhat(ExportChoice::What what) {
  what_->setCurrentIndex(std::max(0, what_->findData(int(what))));
}

void ExportDialog::setPath(const QString& path) {
  setFormat(QFileInfo(path.chopped(packingSuffix(path).size())).suffix());
  path_->setText(path);
}

void ExportDialog::setFormat(const QString& extension) {
  const int format = format_->findData(extension.toLower());
  if (format >= 0) format_->setCurrentIndex(format);
}

}  // namespace clusterloom
