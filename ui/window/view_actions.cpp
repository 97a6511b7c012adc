#include "ui/window/view_actions.h"

#include <QAction>
#include <QActionGroup>
#include <QMainWindow>
#include <QMenu>
#include <algorithm>
#include <set>

#include "ui/dialogs/appearance_dialog.h"
#include "ui/panels/column_player_row.h"
#include "ui/session/cluster_checks.h"
#include "ui/session/cluster_run.h"
#include "ui/session/colour_values.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/theme/icons.h"
#include "ui/view/cloud_view.h"
#include "ui/view/column_player.h"
#include "ui/widgets/form.h"
#include "ui/window/window_actions.h"

namespace clusterloom {

namespace {
constexpr double kPointSizeStep = 1;
constexpr double kLeastPointSize = 1;
constexpr double kMostPointSize = 12;
constexpr double kUsualPointSize = 3;

/// The size to step from where the view chooses it by itself.
double pointSizeOf(const DisplayState& display) {
  return display.pointSize > 0 ? display.pointSize : kUsualPointSize;
}
}  // namespace

ViewActions::ViewActions(WindowActions& actions, Session& session, CloudView& view)
    : QObject(&actions.window()),
      actions_(actions),
      session_(session),
      view_(view),
      menu_(actions.addMenu(tr("&View"))),
      colours_(new QActionGroup(this)) {
  addCameraActions();
  menu_->addSeparator();
  addColourActions();
  addVisibilityActions();
  menu_->addSeparator();
  addStyleActions();
}

void ViewActions::change(const Change& change) {
  DisplayState display = session_.display();
  change(display);
  session_.setDisplay(display);
  showDisplay();  // also where nothing changed: a check mark may have
}

void ViewActions::addSwitch(const char* name, const QString& text, const QString& icon,
                            const QString& key, const QString& toolTip, bool DisplayState::*shown) {
  QAction* made = actions_.add(menu_, name, text, icon, {QKeySequence(key)}, toolTip, {});
  made->setCheckable(true);
  connect(made, &QAction::triggered, this,
          [this, shown](bool on) { change([shown, on](DisplayState& d) { d.*shown = on; }); });
  marks_.emplace_back(made, [shown](const DisplayState& d) { return d.*shown; });
}

void ViewActions::addChoice(QMenu* menu, QActionGroup* group, const QString& text,
                            const Change& choose, std::function<bool(const DisplayState&)> is,
                            const QString& toolTip) {
  QAction* made = menu->addAction(text);
  made->setCheckable(true);
  if (!toolTip.isEmpty()) made->setToolTip(toolTip);
  group->addAction(made);
  connect(made, &QAction::triggered, this, [this, choose] { change(choose); });
  marks_.emplace_back(made, std::move(is));
}

void ViewActions::addCameraActions() {
  actions_.add(menu_, "fit", tr("&Fit"), QStringLiteral("fit"), {QKeySequence(tr("F"))},
               tr("Show everything"), [this] { view_.fit(); });
  actions_.add(menu_, "zoomToSelection", tr("&Zoom to selection"), QStringLiteral("zoom"),
               {QKeySequence(tr("Z"))}, tr("Zoom to the selected clusters or points"),
               [this] { view_.zoomToSelection(); });
  actions_.add(menu_, "turnAbout", tr("&Rotate about the picked point"), {},
               {QKeySequence(tr("C"))},
               tr("In 3-D: turn about the picked point (or double-click a point); Fit resets it"),
               [this] { view_.turnAboutPickedPoint(); });
  for (const bool flat : {true, false}) {
    QAction* made =
        actions_.add(menu_, flat ? "flat" : "space", flat ? tr("&2-D") : tr("&3-D"),
                     flat ? QStringLiteral("flat") : QStringLiteral("space"),
                     {QKeySequence(flat ? tr("2") : tr("3"))},
                     flat ? tr("Show two axes flat") : tr("Show three axes"),
                     [this, flat] { change([flat](DisplayState& d) { d.flat = flat; }); });
    made->setCheckable(true);
  }
  addSwitch("orthographic", tr("Orthographic"), {}, tr("O"),
            tr("In 3-D, draw equal lengths equally long at any distance"),
            &DisplayState::orthographic);
  QMenu* look = menu_->addMenu(tr("&Look from"));
  const struct {
    const char* name;
    QString text;
    ViewPreset preset;
    QString key;
  } looks[] = {{"front", tr("&Front"), ViewPreset::Front, tr("Ctrl+1")},
               {"back", tr("&Back"), ViewPreset::Back, tr("Ctrl+Shift+1")},
               {"right", tr("&Right"), ViewPreset::Right, tr("Ctrl+3")},
               {"left", tr("&Left"), ViewPreset::Left, tr("Ctrl+Shift+3")},
               {"top", tr("&Top"), ViewPreset::Top, tr("Ctrl+7")},
               {"bottom", tr("B&ottom"), ViewPreset::Bottom, tr("Ctrl+Shift+7")},
               {"corner", tr("&Corner"), ViewPreset::Corner, tr("Ctrl+5")}};
  for (const auto& from : looks) {
    actions_.add(look, from.name, from.text, {}, {QKeySequence(from.key)}, {},
                 [this, preset = from.preset] { view_.setViewPreset(preset); });
  }
}

void ViewActions::addColourActions() {
  colourMenu_ = menu_->addMenu(themedIcon(QStringLiteral("colour")), tr("&Colour by"));
  addSwitch("grid", tr("Gr&id"), QStringLiteral("grid"), tr("G"), tr("Show the cells of the grid"),
            &DisplayState::gridShown);
  QMenu* gridColour = menu_->addMenu(tr("C&olour cells by"));
  auto* colourings = new QActionGroup(this);
  for (const auto& [text, by] :
       {std::pair{tr("&Points"), GridColouring::Count},
        {tr("&Workload (candidates of a query point)"), GridColouring::Workload}})
    addChoice(
        gridColour, colourings, text, [by = by](DisplayState& d) { d.gridColouring = by; },
        [by = by](const DisplayState& d) { return d.gridColouring == by; });
  QMenu* arrows = menu_->addMenu(tr("Access pattern arro&ws"));
  auto* patterns = new QActionGroup(this);
  const QString arrowsTip =
      tr("Point at a cell: arrows show which cells it is compared with, numbers show how many");
  for (const auto& [text, which] : {std::pair{tr("&None"), PatternArrows::None},
                                    {tr("&Full"), PatternArrows::Full},
                                    {tr("&UNICOMP"), PatternArrows::Unicomp},
                                    {tr("&LID-UNICOMP"), PatternArrows::LidUnicomp}})
    addChoice(
        arrows, patterns, text,
        [which = which](DisplayState& d) {
          d.patternArrows = which;
          d.gridShown = d.gridShown || which != PatternArrows::None;
        },
        [which = which](const DisplayState& d) { return d.patternArrows == which; }, arrowsTip);
}

void ViewActions::addVisibilityActions() {
  actions_.add(menu_, "hideOthers", tr("&Hide others"), QStringLiteral("others"),
               {QKeySequence(tr("H"))}, tr("Show only the selected clusters"),
               [this] { hideOthers(); });
  actions_.add(menu_, "showAll", tr("&Show all"), QStringLiteral("eye"),
               {QKeySequence(tr("Shift+H"))}, tr("Show all clusters and noise"),
               [this] { showAll(); });
  QAction* check = actions_.add(
      menu_, "checkClusters", tr("Check the clusters"), {}, {},
      tr("Show in the table of clusters how far each can be trusted"),
      [this] { session_.checks().setWanted(actions_.find("checkClusters")->isChecked()); });
  check->setCheckable(true);
  connect(&session_.checks(), &ClusterChecks::changed, check,
          [this, check] { check->setChecked(session_.checks().isWanted()); });
  QAction* play = actions_.add(
      menu_, "playColumn", tr("Play a column"), {}, {QKeySequence(tr("P"))},
      tr("Step through the values of a column, such as a time: only the points in a window of "
         "values are drawn"),
      [this] {
        view_.player().setOn(actions_.find("playColumn")->isChecked());
        if (view_.player().isOn()) actions_.window().findChild<ColumnPlayerRow*>()->takeFocus();
      });
  play->setCheckable(true);
  connect(&view_.player(), &ColumnPlayer::changed, play,
          [this, play] { play->setChecked(view_.player().isOn()); });
}

void ViewActions::addStyleActions() {
  actions_.add(menu_, "biggerPoints", tr("&Bigger points"), {}, {QKeySequence(tr("]"))}, {},
               [this] {
                 change([](DisplayState& d) {
                   d.pointSize = std::min(kMostPointSize, pointSizeOf(d) + kPointSizeStep);
                 });
               });
  actions_.add(menu_, "smallerPoints", tr("S&maller points"), {}, {QKeySequence(tr("["))}, {},
               [this] {
                 change([](DisplayState& d) {
                   d.pointSize = std::max(kLeastPointSize, pointSizeOf(d) - kPointSizeStep);
                 });
               });
  actions_.add(menu_, "appearance", tr("Appeara&nce…"), {}, {QKeySequence(tr("Ctrl+Shift+A"))},
               tr("Size and opacity of points, colour map and its range"), [this] {
                 if (auto* open = actions_.window().findChild<AppearanceDialog*>())
                   return open->activateWindow();
                 deletedOnClose(new AppearanceDialog(session_, view_, &actions_.window()))->show();
               });
  addSwitch("axes", tr("&Axes"), {}, tr("A"), {}, &DisplayState::axesShown);
  addSwitch("densityBlended", tr("Blend by density"), {}, tr("D"),
            tr("In 2-D, show how densely points overlap: clusters are fainter where they are "
               "sparse"),
            &DisplayState::densityBlended);
  addSwitch("lighting", tr("Eye-dome lighting"), {}, tr("E"),
            tr("In 3-D, darken points behind others, so that the shape of a scan shows"),
            &DisplayState::lighting);
  addSwitch("scaleBar", tr("Scale bar"), {}, tr("B"),
            tr("A bar whose length is a round number, in 2-D and in orthographic views"),
            &DisplayState::scaleBar);
  QMenu* background = menu_->addMenu(tr("Bac&kground"));
  auto* backgrounds = new QActionGroup(this);
  for (const auto& [text, colour] : {std::pair{tr("Follow the &theme"), QColor()},
                                     {tr("&Light"), QColor(Qt::white)},
                                     {tr("&Dark"), QColor(Qt::black)}})
    addChoice(
        background, backgrounds, text,
        [colour = colour](DisplayState& d) { d.background = colour; },
        [colour = colour](const DisplayState& d) {
          return d.background == colour || (!colour.isValid() && !d.background.isValid());
        });
}

void ViewActions::rebuildColourMenu() {
  for (QAction* old : colours_->actions()) delete old;
  colourMenu_->clear();
  const auto add = [this](const QString& text, ColourBy by, const QVariant& which) {
    QAction* made = colourMenu_->addAction(text);
    made->setCheckable(true);
    made->setData(QVariantList{int(by), which});
    colours_->addAction(made);
    connect(made, &QAction::triggered, this, [this, by, which] {
      change([by, which](DisplayState& d) {
        d.colourBy = by;
        if (by == ColourBy::Attribute) d.attribute = which.toString();
        if (by == ColourBy::Dimension) d.dimension = which.toInt();
      });
    });
  };
  add(tr("&cluster"), ColourBy::Cluster, {});
  add(tr("&role (core, border, noise)"), ColourBy::Role, {});
  add(tr("&density"), ColourBy::Density, {});
  if (const auto data = session_.data().dataset(); data && hasTrueColours(*data))
    add(tr("&true colour"), ColourBy::TrueColour, {});
  colourMenu_->addSeparator();
  add(tr("&workload (candidates)"), ColourBy::Workload, {});
  add(tr("w&arp"), ColourBy::Warp, {});
  add(tr("&idle lane-steps caused"), ColourBy::IdleLaneSteps, {});
  if (const auto data = session_.data().dataset()) {
    if (!data->attributes.empty()) colourMenu_->addSeparator();
    for (const Attribute& attribute : data->attributes) {
      const QString name = QString::fromStdString(attribute.name);
      add(tr("column %1").arg(QString(name).replace(QLatin1Char('&'), QLatin1String("&&"))),
          ColourBy::Attribute, name);
    }
    colourMenu_->addSeparator();
    for (std::size_t j = 0; j < data->cloud.dims(); ++j) {
      const QString name = QString::fromStdString(data->cloud.names[j]);
      add(tr("dimension %1").arg(QString(name).replace(QLatin1Char('&'), QLatin1String("&&"))),
          ColourBy::Dimension, int(j));
    }
  }
  showDisplay();
}

void ViewActions::hideOthers() {
  const auto result = session_.clusterRun().result();
  const std::set<std::int32_t> shown = session_.selection().clusters;
  if (!result || shown.empty()) return;
  change([&](DisplayState& display) {
    display.hidden.clear();
    for (std::int32_t label = kNoise; label < result->clustering.clusters; ++label) {
      if (shown.count(label) == 0) display.hidden.insert(label);
    }
  });
}

void ViewActions::showAll() {
  change([](DisplayState& display) { display.hidden.clear(); });
}

void ViewActions::showMenuAt(const QPoint& position) {
  auto* menu = deletedOnClose(new QMenu(&actions_.window()));
  for (const char* name :
       {"fit", "zoomToSelection", "hideOthers", "showAll", "clearSelection", "keepSelection",
        "removeSelection", "clusterSelection", "turnAbout", "checkClusters"}) {
    menu->addAction(actions_.find(name));
  }
  const std::set<std::int32_t> selected = session_.selection().clusters;
  QAction* hide = menu->addAction(tr("Hi&de the selected"));
  hide->setEnabled(!selected.empty());
  connect(hide, &QAction::triggered, this, [this, selected] {
    change([&](DisplayState& d) { d.hidden.insert(selected.begin(), selected.end()); });
  });
  QAction* noise = menu->addAction(tr("Hide nois&e"));
  noise->setCheckable(true);
  noise->setChecked(session_.display().hidden.count(kNoise) > 0);
  connect(noise, &QAction::toggled, this, [this](bool hidden) {
    change([hidden](DisplayState& d) {
      if (hidden) {
        d.hidden.insert(kNoise);
      } else {
        d.hidden.erase(kNoise);
      }
    });
  });
  menu->addSeparator();
  menu->addMenu(colourMenu_);
  menu->addAction(actions_.find("grid"));
  menu->popup(position);
}

QAction* ViewActions::colour() const { return colours_->checkedAction(); }

void ViewActions::showDisplay() {
  const DisplayState& display = session_.display();
  const auto cloud = session_.data().cloud();
  const bool flat = display.flat || (cloud && cloud->dims() <= 2);
  actions_.find("flat")->setChecked(cloud && flat);
  actions_.find("space")->setChecked(cloud && !flat);
  actions_.find("showAll")->setEnabled(!display.hidden.empty());
  for (const auto& [mark, is] : marks_) mark->setChecked(is(display));
  for (QAction* colour : colours_->actions()) {
    const QVariantList what = colour->data().toList();
    const auto by = ColourBy(what.at(0).toInt());
    if (by == display.colourBy &&
        (by != ColourBy::Attribute || what.at(1).toString() == display.attribute) &&
        (by != ColourBy::Dimension || what.at(1).toInt() == display.dimension))
      colour->setChecked(true);
  }
}

}  // namespace clusterloom
