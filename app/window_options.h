#pragma once

#include <QSize>
#include <QString>
#include <QStringList>
#include <optional>

#include "engine/core/result.h"
#include "engine/io/image_size.h"
#include "ui/charts/chart_page.h"
#include "ui/session/engine_choice.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/theme/theme.h"
#include "ui/window/lesson_outputs.h"

namespace clusterloom {

/// The command line of the window.
struct WindowOptions {
  OpenRequest open;          ///< the parameters given, and the file or sample if there is one
  QString sessionFile;       ///< a session file instead of data
  bool newWindow = false;    ///< also where another window could open the file
  bool saveOnClose = false;  ///< the session, without a question
  /// The call names files and nothing else: an open window may take them.
  bool filesOnly = false;
  QStringList moreFiles;  ///< files after the first, for tabs beside it
  std::optional<ThemeChoice> theme;
  QString language;  ///< a code of languages() or "system"; empty: as chosen in the window
  EngineChoice engine;
  QString screenshot;  ///< where to save a picture of the window; empty: an ordinary start
  QSize size;          ///< of the window; invalid: as remembered
  std::optional<ImageSize> imageSize;  ///< pixels of the screenshot; nullopt: those of the window
  std::optional<ChartId> chart;        ///< in front
  ColourBy colourBy = ColourBy::Cluster;
  bool compare = false;   ///< run the ticked strategies of the compare chart
  bool lessons = false;   ///< also open the window for lessons
  QString handout;        ///< a lesson to write files of, without a window; empty: none
  LessonOutputs outputs;  ///< these files
  bool grid = false;
  PatternArrows arrows = PatternArrows::None;  ///< with the grid
  std::vector<std::int32_t> select;            ///< clusters to select
  std::int64_t selectWarp = -1;                ///< warp to select; −1: none
  std::int64_t selectCell = -1;                ///< the point whose cell to select; −1: none
  QString help;                                ///< print this and end (--help, --version)

  bool opensCloud() const { return open.sample || !open.path.isEmpty(); }
};

/// Reads the arguments (without the program's name). BadCall, with what is wrong and what to do,
/// when they make no sense.
Result<WindowOptions> parseWindowOptions(const QStringList& arguments);

}  // namespace clusterloom
