#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/core/rank_stats.h"
#include "render/charts/chart.h"

namespace clusterloom {

/// By how much the rank that computes longest exceeds the mean of all: longest/mean − 1. 0 for no
/// ranks.
double imbalanceOf(const std::vector<RankStats>& ranks);
/// One rank in a line: points, ghost points, bytes sent, busy, waiting, moving.
std::string rankWords(const std::vector<RankStats>& ranks, std::size_t rank);

/// What each rank of a divided DBSCAN does over time: one row a rank, in which its phases are bars
/// in colours of their own, of half the height where it sends and receives; time in which it waits
/// for other ranks is left grey. The imbalance is in words. A click or the arrow keys pick a rank.
class RankChart final : public Chart {
 public:
  /// −1: none.
  using PickFn = std::function<void(std::int64_t rank)>;

  RankChart();
  MakeTable table() const override;
  /// Ranks without spans empty the chart.
  void setRanks(std::vector<RankStats> ranks);
  /// Marks a rank; −1: none.
  void setMarked(std::int64_t rank);
  void setOnPick(PickFn onPick);

 private:
  struct Parts;
  Parts* parts_;
};

}  // namespace clusterloom
