#pragma once

#include <QStringList>
#include <QWidget>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "ui/charts/chart_output.h"
#include "ui/session/session.h"
#include "ui/view/chart_view.h"

namespace clusterloom {

/// The pages of the charts panel. Session files keep the number of the page in front: add new pages
/// at the end.
enum class ChartId {
  KDistance,
  Sweep,
  WarpLoad,
  Batches,
  Compare,
  Cost,
  Runs,
  Processors,
  Tree,
  Reachability,
  Ranks,
  Map,
  Plan,
  Clouds
};

/// The subject of a page: the clusters that are found, or the engine that finds them. The panel
/// shows the tabs of one group at a time.
enum class ChartGroup { Clusters, Engine };

/// One page of the charts panel: its charts, its controls, and its requests to the session. It
/// connects to the parts of the session that it shows.
class ChartPage : public QWidget {
  Q_OBJECT

 public:
  explicit ChartPage(Session& session, QWidget* parent = nullptr)
      : QWidget(parent), session_(session) {}
  /// False while the numbers on show are not those of the parameters as they are. Asked only where
  /// the page applies to the data.
  virtual bool isReady() const = 0;
  /// Whether the page has anything to show of data with this space and these weights.
  virtual bool applies() const;
  /// Called when the page comes to the front or leaves it: long computations run only while the
  /// page is active. The next page is called before the last one, so that work for both goes on.
  virtual void setActive(bool active) { (void)active; }
  /// The page's main chart; null when it has none.
  virtual ChartView* view() const { return nullptr; }
  /// Whether fields and buttons are shown beside the charts.
  void setControlsShown(bool shown);
  /// The visible parts of the page that can be saved and copied.
  std::vector<const ChartOutput*> outputs() const;

 protected:
  /// The value of `applies` for pages whose numbers are of counted neighbours.
  bool appliesToCounts() const;
  /// The value for pages whose numbers come from hierarchies.
  bool appliesToEveryEps() const;
  /// A row of fields and buttons, for the layout of the page.
  QWidget* controlsOf(QLayout* row);
  /// Adds an output that can be saved and copied to the page, with its context menu. The reference
  /// stays valid.
  ChartOutput& offer(ChartOutput output);

  Session& session_;

 private:
  std::deque<ChartOutput> outputs_;  ///< menus refer to them
  std::vector<QWidget*> controls_;
};

/// A row of the table of pages.
struct ChartPageKind {
  ChartId id;
  ChartGroup group;
  const char* name;  ///< of the option --chart
  const char* englishTitle;
  const char* englishToolTip;
  ChartPage* (*make)(Session& session);

  QString title() const;    ///< translated
  QString toolTip() const;  ///< translated
};

/// The table of pages, in the order of their tabs. The one place that lists them.
const std::vector<ChartPageKind>& chartPages();
/// The row of a page.
const ChartPageKind& chartPage(ChartId id);
/// The page with this name; nullopt for none.
std::optional<ChartId> chartFromName(const QString& name);
/// All names, in order.
QStringList chartNames();

/// Makes `widget` fill `page` without margins.
void fillPage(QWidget& page, QWidget& widget);

/// A page with a chart of type C, which its subclass lays out and fills.
template <class C>
class PageOfChart : public ChartPage {
 public:
  ChartView* view() const override { return view_.get(); }

 protected:
  PageOfChart(Session& session, const char* objectName, const QString& accessibleName)
      : ChartPage(session), view_(std::make_unique<ChartView>(chart_)) {
    view_->setObjectName(QLatin1String(objectName));
    view_->setAccessibleName(accessibleName);
  }
  C chart_;
  std::unique_ptr<ChartView> view_;  ///< after its chart, so that it is destroyed first
};

/// A page that is one chart of type C, filled by its subclass.
template <class C>
class OneChartPage : public PageOfChart<C> {
 protected:
  /// `id`: of the page, whose name and title the chart's files and menus take.
  OneChartPage(Session& session, ChartId id, const char* objectName, const QString& accessibleName,
               const QString& emptyText)
      : PageOfChart<C>(session, objectName, accessibleName) {
    chart_.setEmptyText(emptyText.toStdString());
    fillPage(*this, *view_);
    const ChartPageKind& kind = chartPage(id);
    output_ = &this->offer(outputOf(*view_, kind.title(), QLatin1String(kind.name)));
  }
  /// Adds a part of the chart that can be switched on and off.
  void addSwitch(const QString& text, std::function<bool()> isOn, std::function<void(bool)> set) {
    output_->switches.push_back({text, std::move(isOn), [this, change = std::move(set)](bool on) {
                                   change(on);
                                   view_->requestFrame();
                                 }});
  }
  using PageOfChart<C>::chart_;
  using PageOfChart<C>::view_;

 private:
  ChartOutput* output_ = nullptr;
};

/// Applies a drag in a chart whose axis is ε to the session.
void dragEps(Session& session, double eps, bool done);
/// The ε that such a chart marks: 0 while there is none yet.
double shownEps(const Session& session);

/// A page that is one chart with an axis for ε, which can be dragged.
template <class C>
class EpsChartPage : public OneChartPage<C> {
 protected:
  template <class... Names>
  EpsChartPage(Session& session, ChartId id, const Names&... names)
      : OneChartPage<C>(session, id, names...) {
    this->chart_.setOnDrag([&session](double eps, bool done) { dragEps(session, eps, done); });
    QObject::connect(&session, &Session::parametersChanged, this, [this] { showEps(); });
    showEps();
  }

 private:
  void showEps() {
    this->chart_.setEps(shownEps(this->session_));
    this->view_->requestFrame();
  }
};

}  // namespace clusterloom
