#pragma once

#include <QWidget>
#include <array>
#include <vector>

#include "ui/charts/chart_page.h"
#include "ui/words/qt_classes.h"

namespace clusterloom {

class ComparePanel;
class LoadPanel;
class Session;

/// The charts below the view, in tabs, as chartPages() lists them: those of one group at a time.
/// The page in front is active while the panel is visible.
class ChartsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ChartsPanel(Session& session, QWidget* parent = nullptr);
  ~ChartsPanel() override;

  QTabWidget* tabs() const { return tabs_; }
  /// Brings a page to the front, and its group with it.
  void showTab(ChartId id);
  /// The page of the group that was in front last.
  void showGroup(ChartGroup group);
  ChartId current() const;
  ChartPage* page(ChartId id) const;
  /// The page's main chart; null when it has none.
  ChartView* view(ChartId id) const { return page(id)->view(); }
  LoadPanel* load() const;
  ComparePanel* compare() const;
  /// False while the chart in front has yet to get its numbers.
  bool isReady() const;
  /// Whether the pages show their fields and buttons, or their charts alone.
  void setControlsShown(bool shown);
  /// The button that saves and copies the chart in front.
  QToolButton* saveButton() const { return save_; }
  /// The button of an action of the window, which shows the chart in front alone.
  QToolButton* maximiseButton() const { return maximise_; }

 Q_SIGNALS:
  void groupShown(clusterloom::ChartGroup group);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void makeGroups();
  void makeCorner();
  void onTab();
  void scrollToTab();
  void activate(ChartPage* page);
  void showNote();
  void fillSaveMenu(QMenu& menu) const;

  Session& session_;
  QTabWidget* tabs_;
  std::array<QToolButton*, 2> groups_{};  ///< by ChartGroup
  std::array<ChartId, 2> front_{};        ///< of each group
  QToolButton* save_ = nullptr;
  QToolButton* maximise_ = nullptr;
  QLabel* note_;  ///< the parameters of the charts, where they differ from those of the view
  std::vector<ChartPage*> pages_;  ///< in the order of chartPages()
  ChartPage* active_ = nullptr;
};

}  // namespace clusterloom
