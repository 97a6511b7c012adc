#include "ui/panels/clusters_panel.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <vector>

#include "render/paint/palette.h"
#include "ui/models/cluster_table_model.h"
#include "ui/session/cluster_checks.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/view/accessible_widgets.h"
#include "ui/widgets/form.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

constexpr double kDimmedOpacity = 0.4;
constexpr std::size_t kMostChecked = 1000;  // rows of which each is told to assistive technology
constexpr const char* kDimmed = "dimmed";  // property of the table: of a result that is not on show

bool isDimmed(const QStyleOptionViewItem& option) {
  return option.widget->property(kDimmed).toBool();
}

/// Space shows or hides the cluster of the current row, whichever of its cells is the current one.
/// Qt does so in the cell with the check box only, and the arrow keys begin in the first cell.
class ClusterTable : public QTableView {
 public:
  using QTableView::QTableView;

  /// A low window scrolls the table rather than the panel with the buttons below it.
  QSize sizeHint() const override { return {QTableView::sizeHint().width(), fontScaled(90)}; }

 protected:
  void keyPressEvent(QKeyEvent* event) override {
    const QModelIndex current = currentIndex();
    if (event->key() != Qt::Key_Space || event->modifiers() != Qt::NoModifier ||
        !current.isValid() || current.column() == ClusterTableModel::Label)
      return QTableView::keyPressEvent(event);
    const QModelIndex label = current.siblingAtColumn(ClusterTableModel::Label);
    const bool shown = label.data(Qt::CheckStateRole).toInt() == Qt::Checked;
    model()->setData(label, shown ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
  }
};

/// The rows, muted where the table is dimmed.
class RowDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (!isDimmed(*option)) return;
    const QColor muted = option->palette.color(QPalette::PlaceholderText);
    option->palette.setColor(QPalette::Text, muted);
    option->palette.setColor(QPalette::HighlightedText, muted);
  }
};

/// The colour of a cluster as a small rounded square, the same whether its row is selected or not.
class SwatchDelegate : public RowDelegate {
 public:
  using RowDelegate::RowDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    QStyleOptionViewItem plain = option;
    initStyleOption(&plain, index);
    plain.icon = {};
    plain.text.clear();
    plain.features &= ~QStyleOptionViewItem::HasDecoration;
    option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &plain, painter, option.widget);
    const auto colour = index.data(Qt::DecorationRole).value<QColor>();
    if (!colour.isValid()) return;
    const int side = std::min(14, option.rect.height() - 6);
    QRectF square(0, 0, side, side);
    square.moveCenter(QRectF(option.rect).center());
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(colour);
    if (isDimmed(plain)) painter->setOpacity(kDimmedOpacity);
    painter->drawRoundedRect(square, 3, 3);
    painter->restore();
  }
};

/// The checks of all clusters together, and a button that starts long checks or stops running ones.
/// Hidden while checks are not wanted.
class ChecksRow : public QWidget {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::ChecksRow)

 public:
  explicit ChecksRow(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
    setObjectName(QStringLiteral("checksRow"));
    text_ = named("checksText", wrappedLabel(this));
    button_ = named("checksButton", new QPushButton(this));
    auto* row = spaced(new QHBoxLayout(this), {0, 0, 0, 0}, 6);
    row->addWidget(text_, 1);
    row->addWidget(button_);
    connect(button_, &QPushButton::clicked, this, [this] {
      if (stops_)
        session_.checks().stop();
      else
        session_.checks().run();
    });
    connect(&session.checks(), &ClusterChecks::changed, this, &ChecksRow::showState);
    connect(&session.derived(), &DerivedResults::statisticsChanged, this, &ChecksRow::showState);
    showState();
  }

 private:
  /// A text that is not broken into lines.
  static QString unbroken(QString text) { return text.replace(QLatin1Char(' '), QChar::Nbsp); }

  static QString valueText(const ClusterFigures& figures, Check check) {
    if (check == Check::FoundAgain)
      return std::isnan(figures.foundAgain->share())
                 ? tr("unknown")
                 : unbroken(percent(figures.foundAgain->share()));
    return std::isnan(figures.validity->index) ? tr("undefined: there must be two clusters")
                                               : fixed(figures.validity->index, 2);
  }

  /// The state of a check, as "0.83", "about 2 min" or "for Euclidean distances only".
  static QString checkText(const ClusterChecks& checks, Check check) {
    switch (checks.state(check)) {
      case CheckState::Ready: return valueText(checks.figures(), check);
      case CheckState::Refused: return checks.refusal(check);
      case CheckState::Asks: return unbroken(tr("about %1").arg(duration(checks.seconds(check))));
      case CheckState::Failed: return tr("failed");
      default: return QStringLiteral("…");
    }
  }

  void showState() {
    const ClusterChecks& checks = session_.checks();
    setVisible(checks.isWanted());
    if (!checks.isWanted()) return;
    bool runs = false;
    bool asks = false;
    bool none = false;
    for (const Check check : {Check::Validity, Check::FoundAgain}) {
      const CheckState state = checks.state(check);
      runs |= state == CheckState::Running;
      asks |= state == CheckState::Asks || state == CheckState::Failed;
      none |= state == CheckState::NoClusters;
    }
    text_->setText(
        none ? tr("There are no clusters to check")
             : tr("Validity: %1 · found again: %2")
                   .arg(checkText(checks, Check::Validity), checkText(checks, Check::FoundAgain)));
    text_->setToolTip(
        tr("Mean of all clusters, weighted by points. Validity (DBCV) is between −1 and 1; noise "
           "counts as 0. Found again: the share of random samples in which DBSCAN finds a cluster "
           "again. The values disappear when the clusters change; they are computed again "
           "automatically if that is quick."));
    stops_ = runs;
    button_->setVisible(runs || asks);
    button_->setText(runs ? tr("Stop") : tr("Compute"));
    const QString name = runs ? tr("Stop checking the clusters") : tr("Compute the missing checks");
    button_->setAccessibleName(name);
    button_->setToolTip(name);
  }

  Session& session_;
  QLabel* text_;
  QPushButton* button_;
  bool stops_ = false;  ///< what the button does
};

}  // namespace

ClustersPanel::ClustersPanel(Session& session, QWidget* parent)
    : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("clustersPanel"));
  model_ = new ClusterTableModel(this);
  model_->setPalette([this](int index) {
    // The noise is drawn in a grey of its background: here that of the table.
    const Background ground =
        palette().color(QPalette::Base).lightness() < 128 ? Background::Dark : Background::Light;
    const auto colours = session_.clusterRun().colours();
    const bool other = colours && index >= 0 && std::size_t(index) < colours->size();
    const Colour colour =
        index < 0 ? noiseColour(ground)
                  : clusterColour(other ? (*colours)[std::size_t(index)] : index, ground);
    return QColor(colour.r, colour.g, colour.b);
  });
  proxy_ = new ClusterTableProxy(this);
  proxy_->setSourceModel(model_);

  makeFilter();
  auto* checks = new ChecksRow(session_, this);
  check_ = named("checkButton", new QToolButton(this), tr("Check the clusters"));
  check_->setText(tr("Check"));
  check_->setToolTip(tr(
      "Show how far each cluster can be trusted: whether it is denser inside than around it "
      "(validity), how often it is found again in samples, and over which range of ε it persists"));
  check_->setProperty("role", "corner");
  check_->setCheckable(true);
  zoom_ = iconButton(this, QStringLiteral("zoom"), tr("Zoom to the selected clusters"));
  hideOthers_ = iconButton(this, QStringLiteral("others"), tr("Hide all other clusters"));
  showAll_ = iconButton(this, QStringLiteral("eye"), tr("Show all clusters"));
  copy_ = iconButton(this, QStringLiteral("copy"), tr("Copy the selected rows"));
  summary_ = named("clustersSummary", mutedLabel(this));
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(2);
  buttons->addWidget(summary_, 1);
  for (QToolButton* button : {check_, zoom_, hideOthers_, showAll_, copy_})
    buttons->addWidget(button);

  makeTable();
  auto* layout = spaced(new QVBoxLayout(this), {8, 2, 8, 8}, 6);
  layout->addWidget(filter_);
  layout->addWidget(filterError_);
  layout->addWidget(checks);
  layout->addWidget(table_, 1);
  layout->addLayout(buttons);

  connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
    proxy_->setFilterText(text);
    showFiltered();
  });
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &ClustersPanel::takeSelection);
  // A double click or Return.
  connect(table_, &QTableView::activated, this, &ClustersPanel::zoomRequested);
  table_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(table_, &QTableView::customContextMenuRequested, this,
          [this](const QPoint& at) { Q_EMIT menuRequested(table_->viewport()->mapToGlobal(at)); });
  connect(proxy_, &QAbstractItemModel::headerDataChanged, this, &ClustersPanel::showFiltered);
  connect(check_, &QToolButton::toggled, this,
          [this](bool on) { session_.checks().setWanted(on); });
  connect(&session_.checks(), &ClusterChecks::changed, this, &ClustersPanel::showChecks);
  connect(zoom_, &QToolButton::clicked, this, &ClustersPanel::zoomRequested);
  connect(hideOthers_, &QToolButton::clicked, this, &ClustersPanel::hideOthersRequested);
  connect(showAll_, &QToolButton::clicked, this, &ClustersPanel::showAllRequested);
  connect(copy_, &QToolButton::clicked, this, &ClustersPanel::copySelection);
  connect(model_, &ClusterTableModel::hiddenToggled, this, [this](std::int32_t label, bool hidden) {
    DisplayState display = session_.display();
    if (hidden) {
      display.hidden.insert(label);
    } else {
      display.hidden.erase(label);
    }
    session_.setDisplay(display);
    sayChecked({label});
  });
  connect(&session_.clusterRun(), &ClusterRun::resultChanged, this, &ClustersPanel::showResult);
  connect(&session_.clusterRun(), &ClusterRun::previewChanged, this, &ClustersPanel::showPreview);
  connect(&session_.clusterRun(), &ClusterRun::coloursChanged, model_,
          &ClusterTableModel::repaintColours);
  connect(&session_.derived(), &DerivedResults::statisticsChanged, this,
          &ClustersPanel::showResult);
  connect(&session_, &Session::selectionChanged, this, &ClustersPanel::showSelection);
  connect(&session_, &Session::displayChanged, this, [this] {
    const std::set<std::int32_t> changed = model_->setHidden(session_.display().hidden);
    sayChecked(changed);
    showSummary();
  });
  showResult();
  showChecks();
}

void ClustersPanel::makeFilter() {
  filter_ = named("clusterFilter", new QLineEdit(this), tr("Filter of the clusters"));
  filter_->setPlaceholderText(tr("Filter: 3-7  size>100  density>=0.5"));
  addClearButton(filter_, tr("Clear the filter"));
  filter_->setToolTip(tr(
      "Labels (12, 3-7, noise) and conditions (size>100, core, border, density, nearest, distance, "
      "dimension names; after Check validity, found_percent, persistence), separated by blanks; "
      "all conditions must hold"));
  filter_->addAction(themedIcon(QStringLiteral("filter")), QLineEdit::LeadingPosition)
      ->setText(tr("Filter"));
  filterError_ = errorLabel(this);
  filterError_->hide();
}

void ClustersPanel::showFiltered() {
  filterError_->setText(proxy_->filterError());
  filterError_->setVisible(!proxy_->filterError().isEmpty());
  showSelection();  // rows that come back are not selected by themselves
}

void ClustersPanel::makeTable() {
  table_ = named("clusterTable", new ClusterTable(this), tr("Clusters"));
  table_->setModel(proxy_);
  styleTable(table_);
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->setSortingEnabled(true);
  table_->setWordWrap(false);
  table_->setMinimumHeight(60);
  table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
  table_->horizontalHeader()->setMinimumSectionSize(26);
  table_->setItemDelegate(new RowDelegate(table_));
  table_->setItemDelegateForColumn(ClusterTableModel::Colour, new SwatchDelegate(table_));
  table_->sortByColumn(ClusterTableModel::Label, Qt::AscendingOrder);
}

void ClustersPanel::showResult() {
  QStringList names;
  if (const auto dataset = session_.data().dataset()) {
    for (const std::string& name : dataset->cloud.names) names << QString::fromStdString(name);
  }
  {
    // Removing rows clears the table's selection; that of the session must stay.
    linking_ = true;
    model_->setResult(session_.clusterRun().result(), session_.derived().statistics(), names);
    model_->setHidden(session_.display().hidden);
    linking_ = false;
  }
  table_->setColumnWidth(ClusterTableModel::Colour, fontScaled(30));
  const int noise = table_->fontMetrics().horizontalAdvance(ClusterTableModel::tr("noise"));
  table_->setColumnWidth(ClusterTableModel::Label,
                         std::max(fontScaled(64), noise + fontScaled(31)));
  // For any number of points, and no wider: the last one must not end under the scroll bar.
  const auto result = session_.clusterRun().result();
  const QString most = count(result ? result->clustering.labels.size() : 0);
  const int digits = table_->fontMetrics().horizontalAdvance(most) + fontScaled(16);
  for (const int column :
       {ClusterTableModel::Size, ClusterTableModel::Core, ClusterTableModel::Border})
    table_->setColumnWidth(column, digits);
  for (int column = ClusterTableModel::Validity; column <= ClusterTableModel::Persistence; ++column)
    table_->setColumnWidth(column, fontScaled(60));
  widenToTitles(table_);
  showSelection();
  showSummary();
}

/// The columns of the checks are there while they are wanted, also before there are values: a table
/// that changes with each ε could not be read.
void ClustersPanel::showChecks() {
  const ClusterChecks& checks = session_.checks();
  std::set<int> columns;
  if (checks.isWanted()) {
    columns = {ClusterTableModel::Validity, ClusterTableModel::FoundAgain};
    if (checks.hasPersistence()) columns.insert(ClusterTableModel::Persistence);
  }
  model_->setFigures(checks.figures(), columns);
  for (int column = ClusterTableModel::Validity; column <= ClusterTableModel::Persistence; ++column)
    table_->setColumnHidden(column, !model_->shows(column));
  widenToTitles(table_);
  const QSignalBlocker block(check_);
  check_->setChecked(checks.isWanted());
}

/// While the view shows a preview, the table is still that of the last result, and says so.
void ClustersPanel::showPreview() {
  table_->setProperty(kDimmed, bool(session_.clusterRun().preview()));
  table_->viewport()->update();
  showSummary();
}

void ClustersPanel::showSelection() {
  if (linking_) return;
  linking_ = true;
  QModelIndex first;
  std::vector<int> rows;
  for (const std::int32_t label : session_.selection().clusters) {
    const int row = model_->rowOfLabel(label);
    if (row < 0) continue;
    const QModelIndex index = proxy_->mapFromSource(model_->index(row, ClusterTableModel::Label));
    if (!index.isValid()) continue;
    if (!first.isValid()) first = index;
    rows.push_back(index.row());
  }
  // Rows beside each other are one range: Qt compares each range with all others.
  std::sort(rows.begin(), rows.end());
  QItemSelection selection;
  for (std::size_t from = 0, to = 0; from < rows.size(); from = to) {
    for (to = from + 1; to < rows.size() && rows[to] == rows[to - 1] + 1;) ++to;
    selection.select(proxy_->index(rows[from], 0),
                     proxy_->index(rows[to - 1], proxy_->columnCount() - 1));
  }
  table_->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
  if (first.isValid()) {
    table_->selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
    table_->scrollTo(first);
  }
  linking_ = false;
  showSummary();
}

void ClustersPanel::takeSelection() {
  if (linking_) return;
  std::set<std::int32_t> clusters;
  for (const QItemSelectionRange& range : table_->selectionModel()->selection()) {
    for (int row = range.top(); row <= range.bottom(); ++row) {
      clusters.insert(model_->labelOfRow(proxy_->mapToSource(proxy_->index(row, 0)).row()));
    }
  }
  linking_ = true;
  session_.setSelectedClusters(clusters);
  linking_ = false;
  showSummary();
}

void ClustersPanel::showSummary() {
  // The noise is a row but no cluster: it is named, not counted.
  const int all = model_->clusterRows();
  const int noiseRow = model_->rowOfLabel(kNoise);
  const bool noiseShown =
      noiseRow >= 0 && proxy_->mapFromSource(model_->index(noiseRow, 0)).isValid();
  const int shown = proxy_->rowCount() - (noiseShown ? 1 : 0);
  const auto& selection = session_.selection().clusters;
  const bool noiseSelected = selection.count(kNoise) > 0;
  const int selected = int(selection.size()) - (noiseSelected ? 1 : 0);
  const auto& hiddenLabels = session_.display().hidden;
  const bool noiseHidden = hiddenLabels.count(kNoise) > 0;
  const int hidden = int(hiddenLabels.size()) - (noiseHidden ? 1 : 0);
  QString text;
  if (selected > 0 && noiseSelected) {
    text = tr("%1 and noise selected").arg(count(std::uint64_t(selected)));
  } else if (noiseSelected) {
    text = tr("noise selected");
  } else if (selected > 0) {
    text = tr("%1 selected").arg(count(std::uint64_t(selected)));
  } else if (shown != all) {
    text = tr("%1 of %2").arg(count(std::uint64_t(shown)), count(std::uint64_t(all)));
  } else if (all > 0) {
    text = countedClusters(std::uint64_t(all));
  }
  if (hidden > 0 && noiseHidden) {
    text += tr(" · %1 and noise hidden").arg(count(std::uint64_t(hidden)));
  } else if (noiseHidden) {
    text += tr(" · noise hidden");
  } else if (hidden > 0) {
    text += tr(" · %1 hidden").arg(count(std::uint64_t(hidden)));
  }
  if (const auto result = session_.clusterRun().result(); result && result->parameters.kept)
    text += tr(" · among %1 kept").arg(countedPoints(result->clustering.labels.size()));
  if (session_.clusterRun().preview() && all > 0)
    text = tr("of the last run; a preview is on screen");
  summary_->setText(text);
  zoom_->setEnabled(!selection.empty());
  hideOthers_->setEnabled(!selection.empty());
  copy_->setEnabled(model_->rowCount() > 0);
  showAll_->setEnabled(!hiddenLabels.empty());
}

void ClustersPanel::sayChecked(const std::set<std::int32_t>& labels) {
  if (!isAccessibilityUsed() || labels.size() > kMostChecked) return;
  QAccessibleInterface* const interface = QAccessible::queryAccessibleInterface(table_);
  if (interface == nullptr || interface->tableInterface() == nullptr) return;
  QAccessible::State change;
  change.checked = true;
  for (const std::int32_t label : labels) {
    const QModelIndex row =
        proxy_->mapFromSource(model_->index(model_->rowOfLabel(label), ClusterTableModel::Label));
    if (!row.isValid()) continue;
    QAccessibleInterface* const cell = interface->tableInterface()->cellAt(row.row(), row.column());
    if (cell == nullptr) continue;
    QAccessibleStateChangeEvent event(cell, change);
    QAccessible::updateAccessibility(&event);
  }
}

void ClustersPanel::copySelection() {
  QModelIndexList rows = table_->selectionModel()->selectedRows();
  if (rows.isEmpty())
    for (int row = 0; row < proxy_->rowCount(); ++row) rows << proxy_->index(row, 0);
  QApplication::clipboard()->setText(selectionAsTsv(*proxy_, rows));
}

}  // namespace clusterloom
