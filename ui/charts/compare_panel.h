#pragma once

#include <vector>

#include "render/charts/gain_chart.h"
#include "render/charts/response_chart.h"
#include "render/charts/table_picture.h"
#include "render/charts/warp_load_chart.h"
#include "ui/charts/chart_page.h"
#include "ui/session/paper_strategies.h"
#include "ui/session/session_parts.h"
#include "ui/widgets/grouped_header.h"
#include "ui/words/qt_classes.h"

namespace clusterloom {

class ChartView;

/// Strategies beside each other: their choice, a table of their figures, and beside it the warps of
/// two of them on the same axis, or what each gains over the first, split into causes.
class ComparePanel : public ChartPage {
  Q_OBJECT

 public:
  /// The columns of the table. The answer comes first, so that narrow windows show it.
  enum Column {
    Name,
    Identical,
    Time,  ///< Time to Imbalance: of the runs
    Spread,
    Speedup,
    Imbalance,  ///< visible when a shared join was compared
    Wee,        ///< Wee to Causes: of warps, which a GPU has
    Steps,
    WarpTime,  ///< the makespan of the warps
    Gain,
    Causes,  ///< of the gain
    Distances,
    Ratio,
    Pairs,
    Columns
  };

  explicit ComparePanel(Session& session, QWidget* parent = nullptr);
  ~ComparePanel() override;

  QTableWidget* table() const { return table_; }
  const GroupedHeader& header() const { return *header_; }
  /// Runs the ticked strategies, as the button does.
  void compare() { start(false); }
  /// False while a comparison is under way.
  bool isReady() const override;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* makeChoice();
  QWidget* makeTable();
  QWidget* makePages();
  /// The warps of two strategies, each with its choice.
  QWidget* makeSides();
  void connectParts();
  void offerOutputs();
  void showRuns();
  void showTable();
  /// `first`: the first that succeeded, with which `run` is compared.
  void showRun(int row, const ComparedRun& run, const ComparedRun& first);
  /// The columns of its warps.
  void showWarps(int row, const ComparedRun& run);
  void showNote();
  /// On which GPU the warps are, and whether they are modelled.
  QString ofWarps() const;
  /// Says above the columns on which processor the runs and the warps are.
  void showGroups();
  /// The displayed table, with those headings.
  ShownTable shown() const;
  /// The first run that succeeded; null: none did.
  const ComparedRun* firstDone() const;
  /// Whether CPU and GPU did one of the runs together.
  bool hasSharedRuns() const;
  /// Offers shared joins, or says why they are not possible here.
  void showHybrid();
  void showCharts();
  void showGains();
  void start(bool overEps);
  PaperStrategy engineStrategy() const;
  void keepEngineStrategy();
  void dropKept();
  /// The table with the two charts below it, and its size.
  QSize pictureSize() const;
  std::string picture(QSize size, Background background);

  Comparison& comparison_;
  WarpLoadChart charts_[2];
  ChartView* views_[2];
  QComboBox* sides_[2];
  QString chosen_[2];                ///< by hand; empty: the first two
  QListWidget* list_;                ///< the papers', the engine's, then kept strategies
  std::vector<PaperStrategy> kept_;  ///< strategies of the engine panel, added to the list
  QPushButton* keep_;
  QTableWidget* table_;
  GroupedHeader* header_;
  ResponseChart response_;
  ChartView* responseView_;
  GainChart gains_;
  ChartView* gainsView_;
  QStackedWidget* besideTable_;  ///< the warps of two strategies, or the causes of the gains
  QStackedWidget* pages_;        ///< the table with its charts, or the response times
  QPushButton* run_;
  QPushButton* sweep_;
  QComboBox* timed_;
  QPushButton* showsCauses_;
  QComboBox* repeats_;
  QLabel* note_;
};

}  // namespace clusterloom
