#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QTreeWidget>

#include "ui/dialogs/import_dialog.h"
#include "ui/theme/theme.h"
#include "ui/widgets/form.h"
#include "ui/widgets/wrapping_row.h"

// The fields and tables of the dialog, before a preview fills them.

namespace clusterloom {

void ImportDialog::makeTextFields() {
  delimiter_ = named("delimiter", panelCombo(this, tr("Delimiter")));
  delimiter_->setMinimumContentsLength(14);
  delimiter_->addItem(tr("detect"), QChar(u'\0'));
  delimiter_->addItem(tr("comma  ,"), QChar(u','));
  delimiter_->addItem(tr("semicolon  ;"), QChar(u';'));
  delimiter_->addItem(tr("tab"), QChar(u'\t'));
  delimiter_->addItem(tr("blanks"), QChar(u' '));
  delimiter_->addItem(tr("bar  |"), QChar(u'|'));
  header_ = named("header", panelCombo(this, tr("Header line")));
  header_->setMinimumContentsLength(15);
  header_->addItem(tr("detect"), int(TextOptions::Header::Auto));
  header_->addItem(tr("first line holds names"), int(TextOptions::Header::Yes));
  header_->addItem(tr("no header"), int(TextOptions::Header::No));
  decimalSign_ = named("decimalSign", panelCombo(this, tr("Decimal sign")));
  decimalSign_->setMinimumContentsLength(12);
  decimalSign_->addItem(tr("detect"), int(TextOptions::DecimalSign::Auto));
  decimalSign_->addItem(tr("point  1.5"), int(TextOptions::DecimalSign::Point));
  decimalSign_->addItem(tr("comma  1,5"), int(TextOptions::DecimalSign::Comma));
  thousands_ = named("thousands", panelCombo(this, tr("Thousands separator")));
  thousands_->setMinimumContentsLength(16);
  thousands_->addItem(tr("detect"), int(TextOptions::Thousands::Auto));
  thousands_->addItem(tr("no sign"), int(TextOptions::Thousands::None));
  thousands_->addItem(tr("comma  1,234"), int(TextOptions::Thousands::Comma));
  thousands_->addItem(tr("point  1.234"), int(TextOptions::Thousands::Point));
  thousands_->addItem(tr("blank  1 234"), int(TextOptions::Thousands::Blank));
  thousands_->addItem(tr("apostrophe  1'234"), int(TextOptions::Thousands::Apostrophe));
  comment_ = named("comment", new QLineEdit(this), tr("Comment character"));
  comment_->setMaxLength(1);
  comment_->setFixedWidth(fontScaled(40));
  comment_->setToolTip(tr("Lines that start with this character are skipped"));
  skipLines_ = named("skipLines", new QSpinBox(this), tr("Lines to skip"));
  skipLines_->setRange(int(kDetectLines), int(kMostSkippedLines));
  skipLines_->setSpecialValueText(tr("detect"));  // of the least value
  skipLines_->setToolTip(tr("Lines before the table, such as a title or a count of points"));

  textFields_ = new QWidget(this);
  auto* textRow = new WrappingRow(textFields_);
  textRow->setContentsMargins(0, 0, 0, 0);
  textRow->addField(tr("&Delimiter"), delimiter_);
  textRow->addField(tr("&Header"), header_);
  textRow->addField(tr("De&cimals"), decimalSign_);
  textRow->addField(tr("Tho&usands"), thousands_);
  textRow->addField(tr("Co&mments"), comment_);
  textRow->addField(tr("S&kip lines"), skipLines_);
}

void ImportDialog::makeTables() {
  table_ = named("previewTable", new QTableWidget(this),
                 tr("First rows; the first line chooses the role of each column"));
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionMode(QAbstractItemView::NoSelection);
  table_->setTabKeyNavigation(false);
  table_->setFocusPolicy(Qt::StrongFocus);
  table_->setShowGrid(false);
  table_->setAlternatingRowColors(true);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 8);
  table_->verticalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
  tree_ = named("tableTree", new QTreeWidget(this), tr("Tables of the file"));
  tree_->setColumnCount(2);
  tree_->setHeaderLabels({tr("table"), tr("holds")});
  tree_->setAlternatingRowColors(true);
  tree_->hide();
}

WrappingRow* ImportDialog::makeRolesRow() {
  auto* allRow = new WrappingRow;
  allRow->addWidget(new QLabel(tr("All columns:"), this));
  const struct {
    const char* name;
    QString text, says;
    ColumnRole role;
  } all[] = {{"allCoordinates", tr("coo&rdinates"),
              tr("Use every column of numbers as a coordinate"), ColumnRole::Coordinate},
             {"allAttributes", tr("a&ttributes"), tr("Keep every column for colours and exports"),
              ColumnRole::Attribute},
             {"allIgnored", tr("&ignore"), tr("Read none; then choose the columns to read"),
              ColumnRole::Ignore}};
  for (const auto& choice : all) {
    auto* button = new QPushButton(choice.text, this);
    button->setObjectName(QLatin1String(choice.name));
    button->setToolTip(choice.says);
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, this, [this, role = choice.role] { setAllRoles(role); });
    allRow->addWidget(button);
  }
  return allRow;
}

WrappingRow* ImportDialog::makeScalingRow() {
  scaling_ = named("importScaling", panelCombo(this, tr("Scaling")));
  scaling_->addItem(tr("none"), int(Scaling::Kind::None));
  scaling_->addItem(tr("unit range"), int(Scaling::Kind::Unit));
  scaling_->addItem(tr("z-score"), int(Scaling::Kind::ZScore));
  scaling_->addItem(tr("factors"), int(Scaling::Kind::Factors));
  factors_ = named("importFactors", new QLineEdit(this), tr("Factors, one per coordinate"));
  factors_->setPlaceholderText(tr("one number per coordinate: 1, 1, 0.5"));
  factors_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  factors_->hide();
  skipNonFinite_ = named(
      "skipNonFinite", new QCheckBox(tr("&Skip rows whose coordinates are NaN or infinite"), this));
  every_ = named("importEvery", new QSpinBox(this), tr("Rows"));
  ignoreStrayWheel(every_);
  every_->setRange(1, int(kMostEvery));
  every_->setSpecialValueText(tr("all"));
  every_->setPrefix(tr("1 of "));
  every_->setToolTip(tr("Reads rows 0, N, 2N, … of a file that is too large for the memory"));
  auto* scalingRow = new WrappingRow;
  scalingRow->addField(tr("Sca&ling"), scaling_);
  scalingRow->addWidget(factors_);
  scalingRow->addField(tr("Ro&ws"), every_);
  scalingRow->addWidget(skipNonFinite_);
  return scalingRow;
}

}  // namespace clusterloom
