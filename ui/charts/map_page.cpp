#include <QComboBox>
#include <QCoreApplication>
#include <QVBoxLayout>

#include "render/charts/parameter_map_chart.h"
#include "ui/charts/chart_page.h"
#include "ui/charts/every_eps_words.h"
#include "ui/session/cluster_tree.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/widgets/form.h"
#include "ui/widgets/wrapping_row.h"

namespace clusterloom {

namespace {

/// Clusters, noise or the largest cluster over ε and minPts.
class MapPage final : public PageOfChart<ParameterMapChart> {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::MapPage)

 public:
  explicit MapPage(Session& session)
      : PageOfChart(session, "mapChart",
                    tr("Clusters, noise or largest cluster over ε and minPts; arrow keys and "
                       "Return, or a click, set both")),
        tree_(session.clusterTree()) {
    setObjectName(QStringLiteral("mapPage"));
    quantity_ = named("mapQuantity", panelCombo(this, tr("What the map shows")));
    quantity_->addItem(tr("clusters"), int(MapQuantity::Clusters));
    quantity_->addItem(tr("noise"), int(MapQuantity::Noise));
    quantity_->addItem(tr("largest cluster"), int(MapQuantity::Largest));
    connect(quantity_, &QComboBox::activated, this, [this] {
      chart_.setQuantity(MapQuantity(quantity_->currentData().toInt()));
      view_->requestFrame();
    });
    auto* row = new WrappingRow;
    row->addField(tr("Show"), quantity_);
    auto* layout = spaced(new QVBoxLayout(this), {0, 0, 0, 0}, 2);
    layout->addWidget(controlsOf(row));
    layout->addWidget(view_.get(), 1);
    offer(outputOf(*view_, tr("ε × minPts"), QStringLiteral("map")));

    chart_.setOnPick([this](double eps, std::int64_t minPts) {
      // Both are one step for undo.
      session_.setDragging(true);
      session_.setMinPts(minPts);
      session_.setEps(eps);
      session_.setDragging(false);
    });
    connect(&tree_, &ClusterTree::changed, this, &MapPage::showData);
    connect(&session_, &Session::parametersChanged, this, &MapPage::showMark);
    showData();
    showMark();
  }

  bool isReady() const override { return bool(tree_.map()); }
  bool applies() const override { return appliesToCounts(); }
  void setActive(bool active) override { tree_.setWanted(ClusterTree::Shown::Map, active); }

 private:
  void showData() {
    const QString text = emptyText(session_, everyEpsText(session_, tr("The map")));
    chart_.setEmptyText(text.toStdString());
    if (shown_ != tree_.map()) {
      shown_ = tree_.map();
      const auto cloud = session_.data().cloud();
      chart_.setData(shown_, cloud ? cloud->size() : 0);
    }
    view_->requestFrame();
  }

  void showMark() {
    chart_.setMarked(shownEps(session_), session_.parameters().dbscan.minPts);
    view_->requestFrame();
  }

  ClusterTree& tree_;
  QComboBox* quantity_;
  std::shared_ptr<const ParameterMap> shown_;
};

}  // namespace

ChartPage* makeMapPage(Session& session) { return new MapPage(session); }

}  // namespace clusterloom
