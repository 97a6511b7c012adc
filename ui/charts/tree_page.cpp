#include <QComboBox>
#include <QCoreApplication>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

#include "render/charts/tree_chart.h"
#include "ui/charts/chart_page.h"
#include "ui/charts/every_eps_words.h"
#include "ui/session/cluster_run.h"
#include "ui/session/cluster_tree.h"
#include "ui/session/every_eps.h"
#include "ui/session/session.h"
#include "ui/widgets/form.h"
#include "ui/widgets/wrapping_row.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

/// The condensed tree and the clusters that HDBSCAN* takes of it.
class TreePage final : public PageOfChart<TreeChart> {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::TreePage)

 public:
  explicit TreePage(Session& session)
      : PageOfChart(session, "treeChart",
                    tr("The condensed tree: clusters over ε; arrow keys or a click select the "
                       "points of one")),
        tree_(session.clusterTree()) {
    setObjectName(QStringLiteral("treePage"));
    auto* layout = spaced(new QVBoxLayout(this), {0, 0, 0, 0}, 2);
    layout->addWidget(controlsOf(makeControls()));
    layout->addWidget(view_.get(), 1);
    offer(outputOf(*view_, tr("Tree"), QStringLiteral("tree")));

    chart_.setOnPick([this](std::int32_t cluster) { tree_.select(cluster); });
    chart_.setOnDrag([this](double eps, bool done) { dragEps(session_, eps, done); });
    connect(&tree_, &ClusterTree::changed, this, &TreePage::showAll);
    connect(&tree_, &ClusterTree::selectedChanged, this, &TreePage::showSelected);
    connect(&session_, &Session::parametersChanged, this, &TreePage::showParameters);
    for (const auto signal : {&ClusterRun::resultChanged, &ClusterRun::coloursChanged})
      connect(&session_.clusterRun(), signal, this, [this] {
        showColours();
        view_->requestFrame();
      });
    showAll();
    showParameters();
  }

  bool isReady() const override { return bool(tree_.tree()); }
  bool applies() const override { return appliesToEveryEps(); }
  void setActive(bool active) override {
    session_.everyEps().setWanted(active);
    tree_.setWanted(ClusterTree::Shown::Tree, active);
  }

 private:
  QLayout* makeControls() {
    size_ =
        named("minClusterSize", panelNumber(new QSpinBox(this), 2, std::numeric_limits<int>::max()),
              tr("Smallest cluster"));
    size_->setLocale(numberLocale());
    size_->setGroupSeparatorShown(true);
    size_->setToolTip(tr("Parts with fewer points than this are no clusters of their own"));
    connect(size_, &QSpinBox::valueChanged, this,
            [this](int size) { tree_.setMinClusterSize(static_cast<std::uint32_t>(size)); });
    selection_ = named("clusterSelection", panelCombo(this, tr("Which clusters are taken")));
    selection_->addItem(tr("most stable"), int(ClusterSelection::ExcessOfMass));
    selection_->setItemData(0,
                            tr("Excess of mass: the clusters that persist over the widest "
                               "ranges of density"),
                            Qt::ToolTipRole);
    selection_->addItem(tr("leaves"), int(ClusterSelection::Leaves));
    selection_->setItemData(1, tr("The clusters that do not split further"), Qt::ToolTipRole);
    connect(selection_, &QComboBox::activated, this,
            [this] { tree_.setSelection(ClusterSelection(selection_->currentData().toInt())); });
    show_ = named("showTaken", new QPushButton(tr("Show these clusters"), this));
    show_->setToolTip(
        tr("Shows the clusters of HDBSCAN* in the cloud and in the table instead of the clusters "
           "at ε; Run goes back"));
    connect(show_, &QPushButton::clicked, this, [this] { tree_.showTaken(); });
    auto* row = new WrappingRow;
    row->addField(tr("Smallest cluster"), size_);
    row->addField(tr("Take"), selection_);
    row->addWidget(show_);
    return row;
  }

  void showAll() {
    const HdbscanOptions options = tree_.options();
    const QSignalBlocker block(size_);
    const auto size =
        int(std::min<std::uint32_t>(options.minClusterSize, std::numeric_limits<int>::max()));
    // A number that is being typed stays.
    if (!size_->hasFocus() || size_->value() != size) size_->setValue(size);
    selection_->setCurrentIndex(selection_->findData(int(options.selection)));
    show_->setEnabled(bool(tree_.tree()));
    chart_.setEmptyText(everyEpsText(session_, tr("The tree")).toStdString());
    if (shown_ != tree_.tree()) {
      shown_ = tree_.tree();
      chart_.setData(shown_);
    }
    showColours();
    showSelected();
  }

  /// A taken cluster has the colour that its densest point has in the cloud.
  void showColours() {
    const auto result = session_.clusterRun().result();
    std::vector<std::int32_t> colours;
    if (shown_ && result && result->clustering.labels.size() == shown_->flat.labels.size()) {
      const auto ofClusters = session_.clusterRun().colours();
      for (const std::uint32_t point : shown_->flat.densest) {
        const std::int32_t label = std::max(result->clustering.labels[point], kNoise);
        colours.push_back(label >= 0 && ofClusters ? (*ofClusters)[std::size_t(label)] : label);
      }
    }
    chart_.setColours(std::move(colours));
  }

  void showSelected() {
    chart_.setMarked(tree_.selected());
    view_->requestFrame();
  }

  void showParameters() {
    chart_.setEps(shownEps(session_));
    showAll();
  }

  ClusterTree& tree_;
  QSpinBox* size_;
  QComboBox* selection_;
  QPushButton* show_;
  std::shared_ptr<const TreePicture> shown_;
};

}  // namespace

ChartPage* makeTreePage(Session& session) { return new TreePage(session); }

}  // namespace clusterloom
