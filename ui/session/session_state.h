#pragma once

#include <QByteArray>
#include <QString>
#include <optional>
#include <vector>

#include "engine/cloud/generators.h"
#include "engine/core/result.h"
#include "engine/io/read.h"
#include "ui/session/display_state.h"
#include "ui/session/engine_choice.h"
#include "ui/session/parameters.h"

namespace clusterloom {

/// The part of a session file for each cloud.
struct ShownCloud {
  QString dataPath;                     ///< absolute; empty for a sample or no data
  QString dataHash;                     ///< "xxh3:…" of the file when it was read
  ReadOptions read;                     ///< how it was read
  std::optional<GeneratorSpec> sample;  ///< set for a generated cloud
  DisplayState display;
  Selection selection;  ///< only `clusters` is kept
  QString addedPath;    ///< of the points added to the cloud, absolute; empty: none
  QString labelsPath;   ///< of opened labels that are on show, absolute; empty: none
  QByteArray view;      ///< the window's own (camera, docks); opaque here
};

/// A cloud that is open beside the one on show. Its parameters are those of the cloud on show,
/// except those that name points.
struct CloudState : ShownCloud {
  PointSet kept;                        ///< as in Parameters
  FileRowSelection keptRows;            ///< as in Parameters
  std::vector<Refinement> refinements;  ///< as in Parameters
};

/// Everything a session file keeps. Plain data; `Session` makes and takes it. The members are
/// described in session_state.cpp and parameter_fields.h.
struct SessionState : ShownCloud, EngineChoice {
  Parameters parameters;
  QString savedAs;  ///< in autosaves: the session file that the session belongs to, if any
  std::vector<CloudState> others;  ///< clouds that are open beside this one, in order
  int position = 0;                ///< of this one among them, 0 … others.size()
};

/// The part of a state that is not shared with the other clouds.
CloudState cloudOf(const SessionState& state);
/// Sets that part.
void setCloud(SessionState& state, const CloudState& cloud);

/// The version this program writes. Older ones are read; newer ones are refused with a message.
inline constexpr int kSessionVersion = 1;

/// The JSON text of a session file in `directory` (a relative path to the data is
/// written beside the absolute one, so that a folder can be moved).
QByteArray toJson(const SessionState& state, const QString& directory);

/// Reads what `toJson` wrote. The data is the file of the relative path from `directory`, or, where
/// there is none, of the absolute one. BadInput, naming what is wrong and where, for anything that
/// is not a session file.
Result<SessionState> sessionFromJson(const QByteArray& json, const QString& directory);

/// Writes atomically (engine/io/output_set.h). Io.
Result<void> saveSessionFile(const QString& path, const SessionState& state);
Result<SessionState> loadSessionFile(const QString& path);

}  // namespace clusterloom
