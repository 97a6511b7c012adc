#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QStatusBar>
#include <QTabBar>
#include <QTableView>
#include <cmath>

#include "engine/cpu/brute_force.h"
#include "engine/io/read.h"
#include "render/charts/k_distance_chart.h"
#include "render/paint/theme.h"
#include "ui/charts/chart_page.h"
#include "ui/charts/charts_panel.h"
#include "ui/lessons/lesson_player.h"
#include "ui/lessons/lesson_tasks.h"
#include "ui/models/cluster_table_model.h"
#include "ui/panels/clusters_panel.h"
#include "ui/panels/column_player_row.h"
#include "ui/panels/eps_slider.h"
#include "ui/panels/lessons_panel.h"
#include "ui/panels/parameters_panel.h"
#include "ui/panels/selection_panel.h"
#include "ui/panels/status_strip.h"
#include "ui/session/cluster_run.h"
#include "ui/session/comparison.h"
#include "ui/session/derived_results.h"
#include "ui/session/open_clouds.h"
#include "ui/session/replay.h"
#include "ui/session/result_words.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/view/cloud_view.h"
#include "ui/view/column_player.h"
#include "ui/window/main_window.h"
#include "ui/words/numbers.h"
#include "window_help.h"

/// What of a window contradicts its session, or other parts of it: each function gives the first
/// fault in words, nothing where all is well. What it finds is for texts in English.
class WindowFaults {
 public:
  WindowFaults(clusterloom::MainWindow& window, clusterloom::Session& session)
      : window_(window), session_(session) {}

  /// Of what is shown at once, also while something runs.
  QString now() const {
    for (const auto fault :
         {&WindowFaults::ofDialogs, &WindowFaults::ofParameters, &WindowFaults::ofDisplay,
          &WindowFaults::ofClouds, &WindowFaults::ofSelection})
      if (const QString found = (this->*fault)(); !found.isEmpty()) return found;
    return {};
  }

  /// Once nothing runs any more: panels, table, view, status and copied call are of one result,
  /// which plain loops confirm.
  QString atRest() const {
    if (!comesToRest()) {
      QStringList jobs;
      for (const clusterloom::JobInfo& job : session_.jobs().active()) jobs << job.title;
      const clusterloom::ClusterRun& run = session_.clusterRun();
      const clusterloom::CloudView& view = *window_.cloudView();
      return QStringLiteral(
                 "no rest: state %1, preview %2, dragging %3, view settled %4, shows the result "
                 "%5, "
                 "statistics %6, jobs %7")
          .arg(int(run.state()))
          .arg(bool(run.preview()))
          .arg(session_.isDragging())
          .arg(view.isSettled())
          .arg(view.shownResult() == run.result())
          .arg(bool(session_.derived().statistics()))
          .arg(jobs.join(", "));
    }
    if (const QString fault = now(); !fault.isEmpty()) return fault;
    if (const QString fault = ofData(); !fault.isEmpty()) return fault;
    if (const QString fault = ofLesson(); !fault.isEmpty()) return fault;
    const auto result = session_.clusterRun().result();
    if (!result) return {};
    if (const QString fault = ofLabels(*result); !fault.isEmpty()) return fault;
    if (const QString fault = ofTable(result->clustering); !fault.isEmpty()) return fault;
    return ofWords(*result);
  }

  /// Undo and redo lead back to where they started, by way of a state that is as good.
  QString ofUndo() const {
    if (const QString fault = atRest(); !fault.isEmpty()) return fault;
    if (!window_.action("undo")->isEnabled()) return {};
    clusterloom::Parameters before = session_.parameters();
    const bool awaited = session_.data().awaitsEps();
    const int step = session_.undoStack()->index();
    window_.action("undo")->trigger();
    if (const QString fault = atRest(); !fault.isEmpty()) return "after undo, " + fault;
    if (!window_.action("redo")->isEnabled()) return "redo is not offered after undo";
    window_.action("redo")->trigger();
    if (const QString fault = atRest(); !fault.isEmpty()) return "after redo, " + fault;
    if (session_.undoStack()->index() != step)
      return differ("undo and redo lead elsewhere", session_.undoStack()->index(), step);
    // An ε that was not known may be known by now.
    if (awaited) before.dbscan.eps = session_.parameters().dbscan.eps;
    return session_.parameters() == before
               ? QString()
               : "undo and redo lead elsewhere: " +
                     clusterloom::stepText(before, session_.parameters());
  }

  /// An export has the labels on show, an exported table the numbers of the table.
  QString ofExport(const QString& folder) const {
    using namespace clusterloom;
    if (const QString fault = atRest(); !fault.isEmpty()) return fault;
    const auto result = session_.clusterRun().result();
    const auto data = session_.data().dataset();
    if (!result || !data || !data->skippedRows.empty()) return {};
    const QString labelled = folder + "/labelled.csv";
    QString fault = exported(
        labelled, [&] { session_.files().exportLabelled(labelled, {}, false, ExportLoss::Allow); });
    if (!fault.isEmpty()) return fault;
    const std::vector<std::int32_t>& shown = result->clustering.labels;
    const auto labels = columnOf(labelled, "label");
    if (!labels) return "an export without labels";
    if (!std::equal(labels->begin(), labels->end(), shown.begin(), shown.end()))
      return "an export with other labels";
    if (result->clustering.clusters == 0) return {};
    const QString table = folder + "/clusters.csv";
    fault = exported(table, [&] { session_.files().exportClusterTable(table, false); });
    if (!fault.isEmpty()) return fault;
    const auto sizes = columnOf(table, "size");
    if (!sizes) return "an exported table without sizes";
    double points = 0;
    for (const double size : *sizes) points += size;
    const auto expected =
        std::count_if(shown.begin(), shown.end(), [](std::int32_t label) { return label >= 0; });
    const double noise = double(result->clustering.noiseCount);
    return points == double(expected) || points == double(expected) + noise
               ? QString()
               : differ("points of the exported table", points, expected);
  }

 private:
  static constexpr std::size_t kMostForLoops = 2000;

  static QString number(double value) { return QString::number(value, 'g', 17); }
  template <class A, class B>
  static QString differ(const char* what, const A& a, const B& b) {
    return QStringLiteral("%1: %2 and %3").arg(QLatin1String(what)).arg(a).arg(b);
  }

  QString ofDialogs() const {
    for (const QWidget* const top : QApplication::topLevelWidgets())
      if (top->isVisible() && qobject_cast<const QDialog*>(top) && top->windowTitle().isEmpty())
        return QStringLiteral("a dialog without a title: ") + top->metaObject()->className();
    return {};
  }

  QString ofParameters() const {
    using namespace clusterloom;
    const Parameters& of = session_.parameters();
    const ParametersPanel* const panel = window_.parameters();
    const SessionData& data = session_.data();
    if (data.cloud()) {
      if (!data.awaitsEps() && panel->eps()->value() != of.dbscan.eps)
        return differ("ε", number(panel->eps()->value()), number(of.dbscan.eps));
      if (panel->minPts()->value() != of.dbscan.minPts)
        return differ("minPts", panel->minPts()->value(), of.dbscan.minPts);
      const QVariant k = panel->indexedDims()->currentData();
      if (k.toInt() != of.strategy.indexedDims &&
          panel->indexedDims()->findData(of.strategy.indexedDims) >= 0)
        return differ("k", k.toInt(), of.strategy.indexedDims);
      if (const auto* chart = dynamic_cast<const KDistanceChart*>(
              &window_.charts()->view(ChartId::KDistance)->chart());
          chart != nullptr && !session_.isDragging() && chart->eps() != shownEps(session_))
        return differ("ε of the k-distance chart", number(chart->eps()),
                      number(shownEps(session_)));
    }
    if (panel->autoRun()->isChecked() != session_.clusterRun().autoRun())
      return "whether runs start by themselves";
    for (const bool undo : {true, false}) {
      const UndoStack& steps = *session_.undoStack();
      if (window_.action(undo ? "undo" : "redo")->isEnabled() &&
          !(undo ? steps.canUndo() : steps.canRedo()))
        return "undo or redo is offered without a step";
    }
    return {};
  }

  /// How the cloud is shown: menus, boxes of the table, the dialog, the row that plays a column.
  QString ofDisplay() const {
    using namespace clusterloom;
    const DisplayState& display = session_.display();
    const auto percentOf = [](double share) { return int(std::lround(100 * share)); };
    if (const auto* noise = window_.findChild<QSlider*>("appearanceNoise");
        noise != nullptr && noise->value() != percentOf(display.noise))
      return differ("strength of noise", noise->value(), display.noise);
    if (const auto* opacity = window_.findChild<QSlider*>("appearanceOpacity");
        opacity != nullptr && opacity->value() != percentOf(display.opacity))
      return differ("opacity", opacity->value(), display.opacity);
    if (const auto* map = window_.findChild<QComboBox*>("appearanceMap");
        map != nullptr && map->currentData().toInt() != int(display.colourMap))
      return differ("colour map", map->currentData().toInt(), int(display.colourMap));
    if (window_.action("grid")->isChecked() != display.gridShown) return "whether the grid is on";
    if (window_.action("axes")->isChecked() != display.axesShown) return "whether axes are on";
    const ColumnPlayer& player = window_.cloudView()->player();
    if (window_.findChild<ColumnPlayerRow*>()->isHidden() == player.isOn())
      return "whether a column is played";
    const ClusterTableModel& table = tableModel();
    for (int row = 0; row < table.rowCount(); ++row) {
      const bool checked =
          table.index(row, ClusterTableModel::Label).data(Qt::CheckStateRole) == Qt::Checked;
      if (checked == (display.hidden.count(table.labelOfRow(row)) > 0))
        return differ("whether a cluster is hidden", row, checked);
    }
    return {};
  }

  QString ofClouds() const {
    const clusterloom::OpenClouds& clouds = session_.clouds();
    const auto* tabs = window_.findChild<QTabBar*>("cloudTabs");
    if (tabs->count() != clouds.count()) return differ("tabs", tabs->count(), clouds.count());
    // A cloud that is being closed stays in front until another one takes its place.
    return tabs->count() == 0 || session_.jobs().isActive(clusterloom::JobKind::Load) ||
                   tabs->currentIndex() == clouds.wanted()
               ? QString()
               : differ("the tab in front", tabs->currentIndex(), clouds.wanted());
  }

  QString ofSelection() const {
    using namespace clusterloom;
    const auto result = session_.clusterRun().result();
    if (!result) return {};
    for (const std::int32_t cluster : session_.selection().clusters)
      if (cluster < kNoise || cluster >= result->clustering.clusters)
        return differ("a selected cluster", cluster, result->clustering.clusters);
    if (result->clustering.labels.size() != result->cloud->size()) return "labels and points";
    // Rows that a filter hides cannot be selected.
    const QTableView* const table = window_.clusters()->table();
    std::set<std::int32_t> rows;
    std::set<std::int32_t> expected;
    for (int row = 0; row < table->model()->rowCount(); ++row) {
      const QModelIndex index = table->model()->index(row, ClusterTableModel::Label);
      const auto label = index.data(ClusterTableModel::ValueRole).toInt();
      if (table->selectionModel()->isSelected(index)) rows.insert(label);
      if (session_.selection().clusters.count(label) > 0) expected.insert(label);
    }
    if (rows != expected) return differ("selected rows", rows.size(), expected.size());
    return {};
  }

  /// The place of a lesson, and the controls of a task.
  QString ofLesson() const {
    using namespace clusterloom;
    const auto* player = session_.findChild<LessonPlayer*>();
    if (player == nullptr || player->lesson() == nullptr) return {};
    const auto steps = int(player->lesson()->steps.size());
    const auto text = [this](const char* name) {
      return window_.findChild<QLabel*>(QLatin1String(name))->text();
    };
    const QString place = QStringLiteral("Step %1 of %2").arg(player->stepNumber() + 1).arg(steps);
    if (text("lessonPlace") != place) return differ("place", text("lessonPlace"), place);
    if (window_.findChild<QComboBox*>("lessonList")->currentData().toString() !=
        player->lesson()->path)
      return "another lesson is in the list";
    const auto shows = [this](const char* name) {
      return !window_.findChild<QWidget*>(QLatin1String(name))->isHidden();
    };
    if (player->areFactsCurrent() && shows("lessonRestore") == player->objections().isEmpty())
      return "whether a step can be restored: " + player->objections().join(", ");
    if (shows("lessonAnswer") == player->step().question.isEmpty()) return "whether it asks";
    const auto& task = player->step().task;
    if (task && shows("taskNumber") != (task->kind == TaskKind::Number))
      return "the field for a number";
    if (task && shows("taskChoices") != (task->kind == TaskKind::Choice)) return "the choices";
    return {};
  }

  bool comesToRest() const {
    // What plays does not rest.
    session_.replay().pause();
    window_.cloudView()->player().pause();
    const auto rests = [&] {
      const clusterloom::ClusterRun& run = session_.clusterRun();
      return run.state() != clusterloom::RunState::Running && !run.preview() &&
             !session_.isDragging() && session_.jobs().active().empty() &&
             (!run.result() || (window_.cloudView()->isSettled() &&
                                window_.cloudView()->shownResult() == run.result() &&
                                session_.derived().statistics()));
    };
    // Strategies that are timed with many pairs take minutes.
    if (waitUntil(rests, 20'000)) return true;
    session_.comparison().cancel();
    return waitUntil(rests, 120'000);
  }

  /// The name of the data, the number of points, and the words of the status for a screen reader.
  QString ofData() const {
    using namespace clusterloom;
    const QString status = window_.status()->summary();
    if (window_.statusBar()->accessibleName() != status)
      return differ("words of the status", window_.statusBar()->accessibleName(), status);
    const auto cloud = session_.data().cloud();
    if (!cloud) return {};
    const QString points =
        session_.data().kept() ? count(cloud->size()) + " of " : countedPoints(cloud->size());
    if (!status.contains(points)) return differ("points", status, points);
    const bool isLesson = window_.findChild<LessonsPanel*>() != nullptr;
    if (!isLesson && session_.files().sessionPath().isEmpty() &&
        !window_.windowTitle().startsWith(session_.data().dataName()))
      return differ("title", window_.windowTitle(), session_.data().dataName());
    const auto* key = window_.cloudView()->findChild<QLabel*>("colourKey");
    const auto values = session_.derived().colourValues();
    const bool ofWords = session_.display().colourBy == ColourBy::Attribute && values &&
                         !values->words.empty() && session_.clusterRun().result();
    if (ofWords &&
        (key->isHidden() ||
         !key->text().contains(QString::fromStdString(values->words.front()).toHtmlEscaped())))
      return differ("key of colours", key->text(), values->words.size());
    const PointSet& selected = session_.selection().points;
    const QString words = window_.findChild<SelectionPanel*>()->pointsText();
    if (selected && !words.contains(count(selected->size())))
      return differ("selected points", words, selected->size());
    return {};
  }

  /// Against the definition of DBSCAN.
  QString ofLabels(const clusterloom::ClusterResult& result) const {
    using namespace clusterloom;
    const Clustering& found = result.clustering;
    const Parameters& of = result.parameters;
    if (session_.clusterRun().state() == RunState::Current && result.isOfRun() &&
        !(of == session_.parameters()))
      return "a current result of other parameters";
    const auto noise = std::count(found.labels.begin(), found.labels.end(), kNoise);
    if (std::uint64_t(noise) != found.noiseCount) return differ("noise", noise, found.noiseCount);
    const bool plain = result.isOfRun() && of.space.isEuclidean() && of.weights.isEmpty() &&
                       of.refinements.empty() && result.cloud->size() <= kMostForLoops;
    if (!plain) return {};
    const auto right = bruteForceDbscan(*result.cloud, of.dbscan);
    if (!right) return QString::fromStdString(right.error().message);
    return right->labels == found.labels && right->clusters == found.clusters
               ? QString()
               : differ("clusters", found.clusters, right->clusters);
  }

  const clusterloom::ClusterTableModel& tableModel() const {
    const auto& proxy =
        dynamic_cast<const QAbstractProxyModel&>(*window_.clusters()->table()->model());
    return dynamic_cast<const clusterloom::ClusterTableModel&>(*proxy.sourceModel());
  }

  QString ofTable(const clusterloom::Clustering& found) const {
    using namespace clusterloom;
    const ClusterTableModel& table = tableModel();
    if (table.clusterRows() != found.clusters)
      return differ("rows of the table", table.clusterRows(), found.clusters);
    double points = 0;
    for (int row = 0; row < table.rowCount(); ++row)
      points += table.number(row, ClusterTableModel::Size);
    const auto labelled = std::count_if(found.labels.begin(), found.labels.end(),
                                        [](std::int32_t label) { return label >= kNoise; });
    return points == double(labelled) ? QString() : differ("points of the table", points, labelled);
  }

  QString ofWords(const clusterloom::ClusterResult& result) const {
    using namespace clusterloom;
    const Clustering& found = result.clustering;
    const QString status = window_.status()->summary();
    const QString clusters = counted(std::uint64_t(found.clusters), "1 cluster", "%1 clusters");
    const QString noise =
        percent(double(found.noiseCount) / double(result.cloud->size())) + " noise";
    if (!status.contains(clusters) || !status.contains(noise))
      return differ("status", status, clusters + ", " + noise);
    // The words of the panel of clusters, where they are of all.
    const auto* summary = window_.findChild<QLabel*>("clustersSummary");
    const bool ofAll = session_.selection().clusters.empty() && session_.display().hidden.empty() &&
                       window_.clusters()->table()->model()->rowCount() == tableModel().rowCount();
    if (ofAll && found.clusters > 0 && !summary->text().startsWith(clusters))
      return differ("words of the table", summary->text(), clusters);
    if (session_.clusterRun().state() != RunState::Current || !result.isOfRun()) return {};
    const QString call = session_.files().commandLine();
    static const QRegularExpression pattern("--eps (\\S+) --min-pts (\\d+)");
    const QRegularExpressionMatch match = pattern.match(call);
    const DbscanParams& of = session_.parameters().dbscan;
    return match.captured(1).toDouble() == of.eps && match.captured(2).toLongLong() == of.minPts
               ? QString()
               : differ("copied call", call, number(of.eps));
  }

  /// Waits until `write` has written a file.
  template <class Write>
  QString exported(const QString& file, Write write) const {
    QFile::remove(file);
    QSignalSpy wrote(&session_.files(), &clusterloom::SessionFiles::exported);
    QSignalSpy failed(&session_.jobs(), &clusterloom::JobQueue::failed);
    write();
    if (!waitUntil([&] { return wrote.count() + failed.count() > 0; })) return "no export came";
    return wrote.isEmpty()
               ? QString::fromStdString(failed[0][0].value<clusterloom::Failure>().error.message)
               : QString();
  }

  /// A column of a table with numbers; null where it lacks that.
  static std::shared_ptr<const std::vector<double>> columnOf(const QString& file,
                                                             const std::string& name) {
    using namespace clusterloom;
    ReadOptions options;
    options.coordinates = {"0"};
    const auto read = readDataset(file.toStdString(), options);
    if (!read) return nullptr;
    if (!read->cloud.names.empty() && read->cloud.names.front() == name)
      return std::make_shared<std::vector<double>>(read->cloud.columns.front());
    for (const Attribute& column : read->attributes)
      if (column.name == name) return doublesOf(nullptr, column.values);
    return nullptr;
  }

  clusterloom::MainWindow& window_;
  clusterloom::Session& session_;
};
