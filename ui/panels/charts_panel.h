#pragma once

#include <QWidget>
#include <vector>

#include "ui/panels/chart_page.h"

class QLabel;
class QMenu;
class QTabWidget;
class QToolButton;

namespace clusterloom {

class ComparePanel;
class LoadPanel;
class Session;

/// The charts below the view, in tabs, as chartPages() lists them. What a chart needs is computed
/// only while it is in front.
class ChartsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ChartsPanel(Session& session, QWidget* parent = nullptr);

  QTabWidget* tabs() const { return tabs_; }
  void showTab(ChartId id);
  ChartId current() const;
  ChartPage* page(ChartId id) const;
  /// The page's main chart; null when it has none.
  ChartView* view(ChartId id) const { return page(id)->view(); }
  LoadPanel* load() const;
  ComparePanel* compare() const;
  /// False while the chart in front has yet to get its numbers.
  bool isReady() const;
  /// The button that saves and copies what is in front.
  QToolButton* saveButton() const { return save_; }

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void updateWanted();
  void showNote();
  void fillSaveMenu(QMenu& menu) const;

  Session& session_;
  QTabWidget* tabs_;
  QToolButton* save_;
  QLabel* note_;  ///< what the charts are computed for, where that is not what the view shows
  std::vector<ChartPage*> pages_;  ///< by ChartId
};

}  // namespace clusterloom
