#pragma once

#include <QWidget>
#include <cstdint>
#include <set>

#include "ui/words/qt_classes.h"

namespace clusterloom {

class ClusterTableModel;
class ClusterTableProxy;
class Session;

/// The table of clusters, linked both ways with the view: rows selected here are highlighted there,
/// points picked there select their cluster's row here.
class ClustersPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ClustersPanel(Session& session, QWidget* parent = nullptr);

  QTableView* table() const { return table_; }
  QLineEdit* filter() const { return filter_; }

 public Q_SLOTS:
  void copySelection();

 Q_SIGNALS:
  /// Show the selected clusters in the whole view.
  void zoomRequested();
  void hideOthersRequested();
  void showAllRequested();
  /// A context menu is wanted, at a global position, for what is selected.
  void menuRequested(const QPoint& position);

 private:
  void makeFilter();
  void makeTable();
  void showFiltered();
  void showResult();
  void showPreview();
  void showChecks();
  void showSelection();
  void takeSelection();
  void showSummary();
  /// Tells assistive technology that the boxes of these labels changed.
  void sayChecked(const std::set<std::int32_t>& labels);

  Session& session_;
  ClusterTableModel* model_;
  ClusterTableProxy* proxy_;
  QLineEdit* filter_;
  QLabel* filterError_;
  QTableView* table_;
  QLabel* summary_;
  QToolButton* check_;
  QToolButton* zoom_;
  QToolButton* hideOthers_;
  QToolButton* showAll_;
  QToolButton* copy_;
  bool linking_ = false;
};

}  // namespace clusterloom
