#include "ui/dialogs/import_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>
#include <QTableWidget>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <set>
#include <utility>

#include "engine/io/column_plan.h"
#include "ui/theme/theme.h"
#include "ui/view/announcer.h"
#include "ui/view/data_words.h"
#include "ui/widgets/form.h"
#include "ui/widgets/wrapping_row.h"

namespace clusterloom {

namespace {

constexpr int kPreviewRows = 50;
// Matrices of cells have tens of thousands of columns; at most kMostColumns are shown.
constexpr int kMostColumns = 256;
constexpr int kNameRole = Qt::UserRole;  // of an item of the tree: the name of the table

}  // namespace

ImportDialog::ImportDialog(JobQueue& jobs, const QString& path, const ReadOptions& options,
                           const std::optional<Preview>& preview, QWidget* parent)
    : QDialog(parent), jobs_(jobs), path_(path), initial_(options), dataset_(options.dataset) {
  setObjectName(QStringLiteral("importDialog"));
  setWindowTitle(tr("Import %1").arg(QFileInfo(path).fileName()));
  const QSize size(fontScaled(920), fontScaled(580));
  resize(parent != nullptr ? size.boundedTo(parent->window()->size()) : size);

  file_ = mutedLabel(this);
  file_->setTextFormat(Qt::PlainText);

  makeTextFields();
  makeTables();
  rows_ = mutedLabel(this);
  auto* allRow = makeRolesRow();
  auto* scalingRow = makeScalingRow();
  error_ = named("importError", errorLabel(this));
  error_->hide();
  ask_ = named("alwaysAsk", new QCheckBox(tr("Show this for &every text file"), this));
  ask_->setChecked(true);
  auto* buttons = dialogButtons(this, QDialogButtonBox::Open | QDialogButtonBox::Cancel);
  open_ = buttons->button(QDialogButtonBox::Open);
  open_->setDefault(true);
  auto* bottom = new QHBoxLayout;
  bottom->addWidget(ask_, 1);
  bottom->addWidget(buttons);

  auto* layout = spaced(new QVBoxLayout(this), {16, 14, 16, 14}, 10);
  layout->addWidget(file_);
  layout->addWidget(textFields_);
  auto* middle = new QSplitter(this);
  middle->setChildrenCollapsible(false);
  middle->addWidget(tree_);
  middle->addWidget(table_);
  middle->setStretchFactor(1, 1);
  middle->setSizes({fontScaled(310), fontScaled(580)});
  layout->addWidget(middle, 1);
  layout->addLayout(allRow);
  layout->addWidget(rows_);
  layout->addLayout(scalingRow);
  layout->addWidget(error_);
  layout->addLayout(bottom);

  delimiter_->setCurrentIndex(
      std::max(0, delimiter_->findData(QChar(QLatin1Char(options.text.delimiter)))));
  header_->setCurrentIndex(std::max(0, header_->findData(int(options.text.header))));
  decimalSign_->setCurrentIndex(std::max(0, decimalSign_->findData(int(options.text.decimalSign))));
  thousands_->setCurrentIndex(std::max(0, thousands_->findData(int(options.text.thousands))));
  comment_->setText(QString(QLatin1Char(options.text.comment)));
  skipLines_->setValue(int(options.text.skipLines));
  skipNonFinite_->setChecked(options.skipNonFinite);
  every_->setValue(int(std::min(options.every, kMostEvery)));

  connect(tree_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
    if (item != nullptr) chooseTable(item->data(0, kNameRole).toString());
  });
  connect(delimiter_, &QComboBox::currentIndexChanged, this, &ImportDialog::startPreview);
  connect(header_, &QComboBox::currentIndexChanged, this, &ImportDialog::startPreview);
  connect(decimalSign_, &QComboBox::currentIndexChanged, this, &ImportDialog::startPreview);
  connect(thousands_, &QComboBox::currentIndexChanged, this, &ImportDialog::startPreview);
  connect(comment_, &QLineEdit::textChanged, this, &ImportDialog::startPreview);
  connect(skipLines_, &QSpinBox::valueChanged, this, &ImportDialog::startPreview);
  connect(scaling_, &QComboBox::currentIndexChanged, this, [this] {
    factors_->setVisible(Scaling::Kind(scaling_->currentData().toInt()) == Scaling::Kind::Factors);
    check();
  });
  connect(factors_, &QLineEdit::textChanged, this, &ImportDialog::check);

  if (preview) {
    showPreview(*preview);
  } else {
    startPreview();
  }
  check();
}

ImportDialog::~ImportDialog() {
  // Only its own: another dialog may be open by now.
  if (jobs_.newest(JobKind::ImportPreview) == job_) jobs_.cancel(JobKind::ImportPreview);
}

ReadOptions ImportDialog::textOptions() const {
  ReadOptions options;
  options.memoryLimit = initial_.memoryLimit;
  options.dataset = dataset_;
  options.text.delimiter = char(delimiter_->currentData().toChar().toLatin1());
  options.text.header = TextOptions::Header(header_->currentData().toInt());
  options.text.decimalSign = TextOptions::DecimalSign(decimalSign_->currentData().toInt());
  options.text.thousands = TextOptions::Thousands(thousands_->currentData().toInt());
  options.text.comment =
      comment_->text().isEmpty() ? '\0' : char(comment_->text().at(0).toLatin1());
  options.text.skipLines = skipLines_->value();
  return options;
}

void ImportDialog::startPreview() {
  const std::string path = path_.toStdString();
  const ReadOptions options = textOptions();
  job_ = jobs_.start<Preview>(
      JobKind::ImportPreview, tr("Reading the first rows"),
      [path, options](const Task&) { return previewFile(path, options, kPreviewRows); },
      [this](Result<Preview> preview) {
        if (preview) {
          showPreview(*preview);
        } else {
          known_ = false;
          error_->setText(QString::fromStdString(preview.error().message));
        }
        check();
      });
}

void ImportDialog::chooseTable(const QString& name) {
  if (name.isEmpty() || name.toStdString() == dataset_) return;
  dataset_ = name.toStdString();
  startPreview();
}

void ImportDialog::showTables(const Preview& preview) {
  const QSignalBlocker block(tree_);
  tree_->clear();
  QHash<QString, QTreeWidgetItem*> items;
  for (const PreviewTable& table : preview.tables) {
    const QString name = QString::fromStdString(table.name);
    const qsizetype slash = name.lastIndexOf(QLatin1Char('/'));
    const QString parent = slash > 0 ? name.left(slash) : QStringLiteral("/");
    auto* item = name != parent && items.contains(parent) ? new QTreeWidgetItem(items.value(parent))
                                                          : new QTreeWidgetItem(tree_);
    items.insert(name, item);
    item->setText(0,
                  name == QLatin1String("/") ? QFileInfo(path_).fileName() : name.mid(slash + 1));
    item->setToolTip(0, name);
    item->setText(1, QString::fromStdString(table.says));
    item->setToolTip(1, QString::fromStdString(table.says));
    if (table.readable) {
      item->setData(0, kNameRole, name);
    } else {
      item->setFlags(item->flags() & ~Qt::ItemIsSelectable);
      for (const int column : {0, 1}) item->setForeground(column, themeColours(palette()).muted);
    }
    if (table.name == preview.dataset) tree_->setCurrentItem(item);
  }
  tree_->expandToDepth(1);
  for (QTreeWidgetItem* item = tree_->currentItem(); item != nullptr; item = item->parent())
    item->setExpanded(true);
  tree_->resizeColumnToContents(0);
  tree_->setColumnWidth(0, std::min(tree_->columnWidth(0), fontScaled(190)));
}

void ImportDialog::showPreview(const Preview& preview) {
  const bool isText = preview.format == Format::Text;
  textFields_->setVisible(isText);
  ask_->setVisible(isText);
  tree_->setVisible(!preview.tables.empty());
  // The tree is unchanged while another table is chosen in it.
  if (!preview.tables.empty() && tree_->topLevelItemCount() == 0) showTables(preview);
  const bool sameTable = preview.dataset == preview_.dataset;
  dataset_ = preview.dataset;
  std::vector<ColumnRole> before;
  std::vector<bool> wasNumeric;
  if (known_ && sameTable && preview.columns.size() == preview_.columns.size()) {
    before = uses_;
    for (const PreviewColumn& column : preview_.columns) wasNumeric.push_back(column.numeric);
  }
  preview_ = preview;
  known_ = true;
  error_->clear();
  uses_ = firstRoles(before, wasNumeric);
  const int columns =
      isText ? int(preview.columns.size()) : std::min(int(preview.columns.size()), kMostColumns);
  table_->clear();
  roles_.clear();
  table_->setColumnCount(columns);
  table_->setRowCount(int(preview.rows.size()) + 1);
  QStringList titles;
  QStringList numbers{tr("use as")};
  for (int column = 0; column < columns; ++column) {
    const PreviewColumn& info = preview.columns[std::size_t(column)];
    const QString name = QString::fromStdString(info.name);
    titles << (info.unit.empty() ? name
                                 : tr("%1 [%2]").arg(name, QString::fromStdString(info.unit)));
    QComboBox* role = makeRoleBox(column);
    table_->setCellWidget(0, column, role);
    roles_.push_back(role);
  }
  fillRows(columns, numbers);
  table_->setHorizontalHeaderLabels(titles);
  table_->setVerticalHeaderLabels(numbers);
  table_->resizeColumnsToContents();
  for (int column = 0; column < columns; ++column) {
    table_->setColumnWidth(
        column, std::clamp(table_->columnWidth(column), fontScaled(118), fontScaled(260)));
  }
  table_->setRowHeight(0, std::max(30, table_->fontMetrics().height() + 14));
  orderTabs();

  showDetected(preview.text);
  file_->setText(
      tr("%1  ·  %2").arg(path_, numberLocale().formattedDataSize(qint64(preview.fileBytes))));
}

bool ImportDialog::offers(int column, ColumnRole role) const {
  const PreviewColumn& info = preview_.columns[std::size_t(column)];
  switch (role) {
    case ColumnRole::Coordinate: return info.numeric || info.valueless;
    case ColumnRole::Weight: return info.numeric && !shared_;
    case ColumnRole::Attribute:
    case ColumnRole::Ignore: return true;
  }
  return false;
}

std::vector<ImportDialog::ColumnRole> ImportDialog::firstRoles(
    const std::vector<ColumnRole>& before, const std::vector<bool>& wasNumeric) const {
  const auto& own = preview_.coordinates;
  const auto setOf = [](const std::vector<std::string>& words) {
    return std::set<std::string>(words.begin(), words.end());
  };
  const bool choices = !initial_.coordinates.empty() && preview_.dataset == initial_.dataset;
  const std::set<std::string> chosen = setOf(initial_.coordinates);
  const std::set<std::string> kept = setOf(initial_.keep);
  const std::vector<std::string> words = columnWords(preview_.columns);
  // More than a cloud can have are chosen one by one.
  const bool areTooMany = preview_.format != Format::Text && own.size() > kMaxDims;
  std::vector<ColumnRole> roles(preview_.columns.size(),
                                areTooMany ? ColumnRole::Ignore : ColumnRole::Attribute);
  if (!areTooMany)
    for (const std::size_t column : own) roles[column] = ColumnRole::Coordinate;
  for (int column = 0; column < int(roles.size()); ++column) {
    const PreviewColumn& info = preview_.columns[std::size_t(column)];
    ColumnRole& role = roles[std::size_t(column)];
    const auto isIn = [&](const std::set<std::string>& names) {
      return names.contains(info.name) || names.contains(words[std::size_t(column)]);
    };
    if (choices)
      role = isIn(chosen)                        ? ColumnRole::Coordinate
             : initial_.keepOthers || isIn(kept) ? ColumnRole::Attribute
                                                 : ColumnRole::Ignore;
    if (!shared_ && info.numeric && !weights_.isEmpty() &&
        QString::fromStdString(info.name) == weights_)
      role = ColumnRole::Weight;
    // The choice stays, unless the kind of the column has changed.
    if (!before.empty() && wasNumeric[std::size_t(column)] == info.numeric)
      role = before[std::size_t(column)];
    if (!offers(column, role)) role = ColumnRole::Attribute;
  }
  return roles;
}

QComboBox* ImportDialog::makeRoleBox(int column) {
  const QString name = QString::fromStdString(preview_.columns[std::size_t(column)].name);
  QComboBox* box = panelCombo(table_, tr("%1, use as").arg(name));
  // On X11 and Wayland the name of a box is its text; this is read after it.
  box->setAccessibleDescription(box->accessibleName());
  for (const auto& [role, text] : {std::pair(ColumnRole::Coordinate, tr("coordinate")),
                                   std::pair(ColumnRole::Weight, tr("weight")),
                                   std::pair(ColumnRole::Attribute, tr("attribute")),
                                   std::pair(ColumnRole::Ignore, tr("ignore"))})
    if (offers(column, role)) box->addItem(text, int(role));
  box->setCurrentIndex(box->findData(int(columnRole(column))));
  connect(box, &QComboBox::currentIndexChanged, this, [this, box, column] {
    uses_[std::size_t(column)] = ColumnRole(box->currentData().toInt());
    check();
  });
  return box;
}

void ImportDialog::fillRows(int columns, QStringList& numbers) {
  for (int row = 0; row < int(preview_.rows.size()); ++row) {
    const auto& cells = preview_.rows[std::size_t(row)];
    const bool ragged = cells.size() != preview_.columns.size();
    numbers << (ragged ? tr("⚠ %1") : tr("%1")).arg(count(std::uint64_t(row)));
    for (int column = 0; column < columns; ++column) {
      if (!ragged && column >= int(cells.size())) break;
      QString text = column < int(cells.size()) ? QString::fromStdString(cells[std::size_t(column)])
                                                : tr("missing");
      if (ragged && column == columns - 1 && int(cells.size()) > columns) {
        for (std::size_t extra = std::size_t(columns); extra < cells.size(); ++extra)
          text += QStringLiteral(" | ") + QString::fromStdString(cells[extra]);
      }
      auto* item = new QTableWidgetItem(text);
      if (ragged) {
        item->setForeground(themeColours(palette()).error);
        item->setBackground(themeColours(palette()).errorFill);
        item->setToolTip(raggedText(row));
      }
      if (preview_.columns[std::size_t(column)].numeric) {
        item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      }
      table_->setItem(row + 1, column, item);
    }
  }
}

void ImportDialog::showDetected(const TextOptions& text) {
  QString found;
  switch (text.delimiter) {
    case ',': found = tr("comma"); break;
    case ';': found = tr("semicolon"); break;
    case '\t': found = tr("tab"); break;
    case ' ': found = tr("blanks"); break;
    case '|': found = tr("bar"); break;
    default: break;
  }
  delimiter_->setItemText(0, found.isEmpty() ? tr("detect") : tr("detected: %1").arg(found));
  header_->setItemText(0, text.header == TextOptions::Header::Yes  ? tr("detected: a header")
                          : text.header == TextOptions::Header::No ? tr("detected: no header")
                                                                   : tr("detect"));
  decimalSign_->setItemText(0, text.decimalSign == TextOptions::DecimalSign::Comma
                                   ? tr("detected: comma")
                                   : tr("detected: point"));
  // Without the example, as the box says it.
  const int sign = thousands_->findData(int(text.thousands));
  thousands_->setItemText(
      0, tr("detected: %1").arg(thousands_->itemText(sign).section(QStringLiteral("  "), 0, 0)));
  skipLines_->setSpecialValueText(text.skipLines > 0
                                      ? tr("detected: %1").arg(count(std::uint64_t(text.skipLines)))
                                      : tr("detect"));
}

/// From top to bottom, whenever there are other boxes of roles.
void ImportDialog::orderTabs() {
  QList<QWidget*> order{delimiter_, header_, decimalSign_, thousands_, comment_, skipLines_, tree_};
  for (QComboBox* role : roles_) order << role;
  order << table_;
  for (const char* all : {"allCoordinates", "allAttributes", "allIgnored"})
    order << findChild<QPushButton*>(QLatin1String(all));
  order << QList<QWidget*>{scaling_, factors_, every_, skipNonFinite_, ask_};
  // The style decides which of Open and Cancel is left.
  const QLayout* buttons = findChild<QDialogButtonBox*>()->layout();
  for (int i = 0; i < buttons->count(); ++i)
    if (QWidget* button = buttons->itemAt(i)->widget()) order << button;
  for (qsizetype i = 1; i < order.size(); ++i) setTabOrder(order[i - 1], order[i]);
}

void ImportDialog::setAlwaysAsk(bool ask) { ask_->setChecked(ask); }

bool ImportDialog::alwaysAsk() const { return ask_->isChecked(); }

void ImportDialog::setColumnRole(int column, ColumnRole role) {
  takeRole(column, role);
  check();
}

void ImportDialog::setAllRoles(ColumnRole role) {
  for (int column = 0; column < int(uses_.size()); ++column) takeRole(column, role);
  check();  // once for all
}

void ImportDialog::takeRole(int column, ColumnRole role) {
  if (!offers(column, role)) return;
  uses_.at(std::size_t(column)) = role;
  if (column >= int(roles_.size())) return;
  QComboBox* box = roles_[std::size_t(column)];
  const QSignalBlocker block(box);
  box->setCurrentIndex(box->findData(int(role)));
}

int ImportDialog::columnsOf(ColumnRole role) const { return int(std::ranges::count(uses_, role)); }

void ImportDialog::setWeights(const QString& column) {
  weights_ = column;
  if (column.isEmpty() || !known_) return;
  for (int i = 0; i < int(uses_.size()); ++i)
    if (QString::fromStdString(preview_.columns[std::size_t(i)].name) == column)
      setColumnRole(i, ColumnRole::Weight);
}

void ImportDialog::shareParameters() {
  shared_ = true;
  scaling_->setEnabled(false);
  scaling_->setToolTip(tr("All open clouds have the same scaling, which is set in the data panel"));
  if (known_) showPreview(Preview(preview_));
  check();
}

std::optional<std::vector<double>> ImportDialog::factors() const {
  std::vector<double> values;
  for (const QString& word : plainList(factors_->text()).split(QLatin1Char(','))) {
    const auto value = typedNumber(word);
    if (!value || *value == 0) return std::nullopt;
    values.push_back(*value);
  }
  if (int(values.size()) != coordinates()) return std::nullopt;
  return values;
}

QString ImportDialog::raggedText(int row) const {
  const std::size_t cells = preview_.rows[std::size_t(row)].size();
  return tr("Data row %1 has %2, the first line has %3. Correct the line, or choose the right "
            "delimiter.")
      .arg(count(std::uint64_t(row)),
           counted(cells, "1 column", tr("%1 columns", nullptr, pluralNumber(cells))),
           count(preview_.columns.size()));
}

QString ImportDialog::raggedRow() const {
  for (std::size_t row = 0; row < preview_.rows.size(); ++row)
    if (preview_.rows[row].size() != preview_.columns.size()) return raggedText(int(row));
  return {};
}

bool ImportDialog::weightIsAmbiguous() const {
  const std::string weight = request().weights.toStdString();
  if (weight.empty()) return false;
  int named = 0;
  for (int column = 0; column < int(uses_.size()); ++column) {
    const ColumnRole role = columnRole(column);
    const bool kept = role == ColumnRole::Attribute || role == ColumnRole::Weight;
    if (kept && preview_.columns[std::size_t(column)].name == weight) ++named;
  }
  return named > 1;
}

void ImportDialog::check() {
  QString problem;
  if (!known_) {
    problem = error_->text();
  } else if (const QString ragged = raggedRow(); !ragged.isEmpty()) {
    problem = ragged;
  } else if (coordinates() == 0) {
    problem = tr("Choose at least one column as a coordinate.");
  } else if (columnsOf(ColumnRole::Weight) > 1) {
    problem = tr("Only one column can be the weight.");
  } else if (weightIsAmbiguous()) {
    problem = tr("Another column has the same name as the weight. Set it to “ignore”.");
  } else if (coordinates() > int(kMaxDims)) {
    problem = tr("At most %1 columns can be coordinates. Choose fewer, or reduce them first, in "
                 "Python: %2")
                  .arg(count(kMaxDims),
                       QStringLiteral("sklearn.decomposition.PCA(256).fit_transform(X)"));
  } else if (Scaling::Kind(scaling_->currentData().toInt()) == Scaling::Kind::Factors &&
             !factors()) {
    problem =
        counted(std::uint64_t(coordinates()), "Give one factor other than 0.",
                tr("Give %1 factors other than 0, separated by commas.", nullptr, coordinates()));
  }
  const QString shown = cutForDisplay(problem);
  if (shown != error_->text() || !known_)
    Announcer::ofApplication().say(*this, Announcer::Topic::Form, shown);
  error_->setText(shown);
  error_->setVisible(!problem.isEmpty());
  open_->setEnabled(known_ && problem.isEmpty());
  if (known_) {
    QString rows = countedRows(preview_.rowEstimate);
    if (!preview_.rowsExact) rows = tr("about %1").arg(rows);
    if (!preview_.rowsExact || preview_.rowEstimate > preview_.rows.size())
      rows = tr("%1, the first %2 shown").arg(rows, count(preview_.rows.size()));
    if (int(preview_.columns.size()) > int(roles_.size()))
      rows = tr("%1; the first %2 of %3 columns (“All columns” sets the others, too)")
                 .arg(rows, count(roles_.size()), count(preview_.columns.size()));
    QString text = tr("%1. The cloud will have %2.")
                       .arg(rows, countedDimensions(std::uint64_t(coordinates())));
    if (columnsOf(ColumnRole::Weight) == 1) text += tr(" minPts will be a sum of the weights.");
    rows_->setText(text);
  }
}

void ImportDialog::keyPressEvent(QKeyEvent* event) {
  const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  // Qt does nothing where the default button is disabled, and says nothing.
  if (isReturn && !open_->isEnabled())
    Announcer::ofApplication().say(*this, Announcer::Topic::Error, error_->text());
  QDialog::keyPressEvent(event);
}

OpenRequest ImportDialog::request() const {
  OpenRequest request;
  request.path = path_;
  request.read = textOptions();
  request.read.skipNonFinite = skipNonFinite_->isChecked();
  request.read.every = std::uint64_t(every_->value());
  request.read.keepOthers = false;
  const std::vector<std::string> words = columnWords(preview_.columns);
  for (int column = 0; column < int(uses_.size()); ++column) {
    const std::string& word = words[std::size_t(column)];
    if (columnRole(column) == ColumnRole::Coordinate) request.read.coordinates.push_back(word);
    if (columnRole(column) == ColumnRole::Attribute || columnRole(column) == ColumnRole::Weight)
      request.read.keep.push_back(word);
    if (columnRole(column) == ColumnRole::Weight)
      request.weights = QString::fromStdString(preview_.columns[std::size_t(column)].name);
  }
  ScalingChoice scaling;
  scaling.kind = Scaling::Kind(scaling_->currentData().toInt());
  if (scaling.kind == Scaling::Kind::Factors)
    scaling.factors = factors().value_or(std::vector<double>{});
  request.scaling = scaling;
  return request;
}

}  // namespace clusterloom
