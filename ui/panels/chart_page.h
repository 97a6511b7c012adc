#pragma once

#include <QStringList>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "ui/view/chart_view.h"

namespace clusterloom {

class Session;

/// The pages of the charts panel, in the order of their tabs. Session files keep the number of the
/// page in front: add new pages at the end.
enum class ChartId { KDistance, Sweep, WarpLoad, Batches, Compare, Cost, Runs };

/// Data that is computed only while a page that shows it is in front.
enum class ChartData { Nothing, Sweep, WarpLoad };

/// One page of the charts panel. It connects to the parts of the session that it shows.
class ChartPage : public QWidget {
  Q_OBJECT

 public:
  using QWidget::QWidget;
  /// False while the numbers on show are not those of the parameters as they are.
  virtual bool isReady() const = 0;
  /// The page's main chart; null when it has none.
  virtual ChartView* view() const { return nullptr; }
};

/// A row of the table of pages.
struct ChartPageKind {
  ChartId id;
  const char* name;  ///< of the option --chart
  QString title;     ///< translated
  QString toolTip;   ///< translated
  ChartData needs;
  ChartPage* (*make)(Session& session);
};

/// The table of pages, in the order of ChartId. The one place that lists them.
const std::vector<ChartPageKind>& chartPages();
/// The page with this name; nullopt for none.
std::optional<ChartId> chartFromName(const QString& name);
/// All names, in order.
QStringList chartNames();

/// Makes `widget` fill `page` without margins.
void fillPage(QWidget& page, QWidget& widget);

/// A page that is one chart of type C, filled by its subclass.
template <class C>
class OneChartPage : public ChartPage {
 public:
  ChartView* view() const override { return view_.get(); }

 protected:
  OneChartPage(const char* objectName, const QString& accessibleName, const QString& emptyText)
      : view_(std::make_unique<ChartView>(chart_, this)) {
    chart_.setEmptyText(emptyText.toStdString());
    view_->setObjectName(QLatin1String(objectName));
    view_->setAccessibleName(accessibleName);
    fillPage(*this, *view_);
  }
  C chart_;
  std::unique_ptr<ChartView> view_;  ///< after the chart that it uses, so that it goes first
};

/// What a drag in a chart whose axis is ε does to the session.
void dragEps(Session& session, double eps, bool done);

// Factories, one per page file.
ChartPage* makeKDistancePage(Session& session);
ChartPage* makeSweepPage(Session& session);
ChartPage* makeBatchPage(Session& session);
ChartPage* makeCostPage(Session& session);
ChartPage* makeRunsPage(Session& session);

}  // namespace clusterloom
