#pragma once

#include <optional>

#include "render/charts/lane_chart.h"
#include "render/charts/multiprocessor_chart.h"
#include "render/charts/steps_histogram_chart.h"
#include "render/charts/warp_load_chart.h"
#include "ui/charts/chart_page.h"
#include "ui/session/session_parts.h"
#include "ui/words/qt_classes.h"

namespace clusterloom {

class ChartView;

/// The load lab: how every warp of a run is loaded, one of three ways to look at it, and the picked
/// warp lane by lane. Picking a bar picks the warp everywhere; keys go from warp to warp and from
/// step to step.
class LoadPanel : public ChartPage {
  Q_OBJECT

 public:
  enum Look { Warps, Multiprocessors, Histogram };

  explicit LoadPanel(Session& session, QWidget* parent = nullptr);
  ~LoadPanel() override;

  void setLook(Look look);
  ChartView* view(Look look) const;
  ChartView* view() const override { return view(Warps); }
  ChartView* lanesView() const { return lanesView_; }
  LaneChart& lanes() { return lanes_; }
  /// The line that sums the load up.
  QString summary() const;
  bool isReady() const override;
  void setActive(bool active) override;
  /// The step of the picked warp at which the lane chart's cursor is; −1: none.
  std::int64_t cursor() const { return lanes_.cursor(); }
  /// Puts the cursor there, near enough to tell single steps apart.
  void setCursor(std::int64_t step);

 Q_SIGNALS:
  void cursorMoved();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void makeFields();
  void showResult();
  void showState();
  void showPicked();
  void showLight();
  void pick(std::int64_t place);
  void makeMachine();
  /// The picked warp if the sample left it out, else −1.
  std::int64_t pickedOutside() const;
  /// Its figures, computed separately; nullopt while they are being computed.
  std::optional<WarpLoad> markedOutside() const;

  LoadLab& lab_;
  WarpLoadChart warps_;
  MultiprocessorChart multiprocessors_;
  StepsHistogramChart histogram_;
  LaneChart lanes_;
  ChartView* warpsView_;
  ChartView* multiprocessorsView_;
  ChartView* histogramView_;
  ChartView* lanesView_;
  QSplitter* splitter_;
  QStackedWidget* stack_;
  QComboBox* look_;
  QComboBox* strategy_;
  QComboBox* kernel_;
  QComboBox* machine_;
  QComboBox* weighting_;
  QPushButton* run_;
  QLabel* summary_;
  std::shared_ptr<const void> shown_;  ///< the result that the charts show
};

}  // namespace clusterloom
