#include <QCoreApplication>

#include "engine/dbscan/weighted_dbscan.h"
#include "render/charts/rank_chart.h"
#include "ui/charts/chart_page.h"
#include "ui/session/cluster_run.h"
#include "ui/session/session.h"

namespace clusterloom {

namespace {

/// The phases of each rank of the last divided run over time. A picked rank selects the points that
/// it owned, a picked point marks its owner.
class RanksPage final : public OneChartPage<RankChart> {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::RanksPage)

 public:
  explicit RanksPage(Session& session)
      : OneChartPage(session, ChartId::Ranks, "rankChart",
                     tr("Phases of each rank over time; arrow keys pick a rank"),
                     tr("Choose several ranks or GPUs in the engine panel: what each of them does "
                        "appears here")) {
    chart_.setOnPick([this](std::int64_t rank) { pick(rank); });
    connect(&session_.clusterRun(), &ClusterRun::resultChanged, this, &RanksPage::showData);
    connect(&session_, &Session::selectionChanged, this, &RanksPage::onSelection);
    showData();
  }

  bool isReady() const override { return session_.clusterRun().state() != RunState::Running; }

 private:
  void showData() {
    const auto result = session_.clusterRun().result();
    // A run that was not divided leaves the record of the last one that was, of this cloud.
    const bool divided = result && result->clustering.stats.owners;
    if (!divided && result && owners_ && result->cloud == cloud_.lock()) return;
    owners_ = divided ? result->clustering.stats.owners : nullptr;
    cloud_ = divided ? result->cloud : nullptr;
    picked_ = -1;
    points_ = nullptr;
    chart_.setRanks(divided ? result->clustering.stats.ranks : std::vector<RankStats>());
    showMarked();
  }

  void showMarked() {
    const std::int64_t point = session_.selection().point;
    std::int64_t marked = picked_;
    if (owners_ && marked < 0 && point >= 0 && std::size_t(point) < owners_->size() &&
        (*owners_)[std::size_t(point)] != kOwnedByNone)
      marked = (*owners_)[std::size_t(point)];
    chart_.setMarked(marked);
    view_->requestFrame();
  }

  void pick(std::int64_t rank) {
    if (rank < 0 || !owners_) {
      const bool selected = points_ && session_.selection().points == points_;
      picked_ = -1;
      points_ = nullptr;
      if (selected) session_.setSelectedPoints(nullptr);
      return showMarked();
    }
    session_.setPickedPoint(-1);
    picked_ = rank;
    points_ = nullptr;
    session_.jobs().start<PointSet>(
        JobKind::Select, tr("Points of a rank"),
        [owners = owners_, rank](const Task&) -> Result<PointSet> {
          auto points = std::make_shared<std::vector<std::uint32_t>>();
          for (std::size_t p = 0; p < owners->size(); ++p)
            if ((*owners)[p] == rank) points->push_back(std::uint32_t(p));
          return PointSet(std::move(points));
        },
        [this, owners = owners_, rank](Result<PointSet> points) {
          if (!points || (*points)->empty() || owners_ != owners || picked_ != rank) return;
          points_ = *points;
          session_.setSelectedPoints(*points);
        });
    showMarked();
  }

  void onSelection() {
    // Another selection, or none, is no longer that of the rank.
    if (points_ && session_.selection().points != points_) {
      picked_ = -1;
      points_ = nullptr;
    }
    if (session_.selection().point >= 0) picked_ = -1;
    showMarked();
  }

  std::shared_ptr<const std::vector<std::uint16_t>> owners_;  ///< of the run shown; null: none
  std::weak_ptr<const PointCloud> cloud_;                     ///< of that run
  std::int64_t picked_ = -1;
  PointSet points_;  ///< of the picked rank, once they are selected
};

}  // namespace

ChartPage* makeRanksPage(Session& session) { return new RanksPage(session); }

}  // namespace clusterloom
