#pragma once

#include <QSize>
#include <QString>
#include <functional>
#include <string>
#include <vector>

#include "render/charts/data_table.h"
#include "render/charts/table_picture.h"
#include "ui/dialogs/chart_picture_dialog.h"
#include "ui/words/qt_classes.h"

namespace clusterloom {

class ChartView;
class Session;

/// A chart or a table of the charts panel, as something that can be saved and copied: as a picture
/// and as the numbers in it.
struct ChartOutput {
  QWidget* widget = nullptr;  ///< shows it; its context menu is that of the output
  QString title;              ///< for menus
  QString fileName;           ///< proposed, without extension
  std::function<bool()> isEmpty;
  std::function<QSize()> size;  ///< of the picture, in logical pixels
  bool sizeIsFree = true;       ///< the picture can have another size
  std::function<std::string(QSize size, Background background)> svg;  ///< empty: has no picture
  std::function<MakeTable()> table;
  std::function<void()> showAll = {};  ///< undoes a zoom; empty where there is none
  std::function<bool()> isZoomed = {};
  /// Parts of the chart that can be switched on and off, as checkable entries of its menu.
  struct Switch {
    QString text;
    std::function<bool()> isOn;
    std::function<void(bool on)> set;
  };
  std::vector<Switch> switches = {};
};

/// The output of a chart.
ChartOutput outputOf(ChartView& view, const QString& title, const QString& fileName);

/// The cells of a view as they are displayed, without hidden columns.
ShownTable shownTable(const QTableView& view);
/// The output of a table: its picture shows the cells of the view, `table` gives the exact numbers.
ChartOutput outputOfTable(QTableView& view, const QString& title, const QString& fileName,
                          std::function<MakeTable()> table);

/// Writes a PNG, SVG or CSV file by the extension of `path`, atomically, as a job of the session;
/// errors are reported by the session. The options are those of pictures.
void saveOutput(Session& session, const ChartOutput& output, const QString& path,
                const PictureOptions& options);
/// Asks for a file, for pictures also for their options, and saves.
void askToSave(Session& session, const ChartOutput& output);
/// The same for the numbers only.
void askToSaveTable(Session& session, const ChartOutput& output);
/// To the clipboard: a picture (pixels and SVG), or the numbers with tabs and as CSV.
void copyPicture(const ChartOutput& output);
void copyData(Session& session, const ChartOutput& output);

/// Adds the actions for an output to a menu, which the output must outlive.
void fillMenu(QMenu& menu, Session& session, const ChartOutput& output);

}  // namespace clusterloom
