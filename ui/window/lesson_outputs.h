#pragma once

#include <QString>
#include <functional>

#include "engine/core/result.h"

class QObject;

namespace clusterloom {

/// Files that are made of a lesson; those without a name are not.
struct LessonOutputs {
  QString document;     ///< a hand-out, .html or .pdf
  bool slides = false;  ///< the hand-out has one step a page
  QString laneView;     ///< .html: the warp of a step, lane by lane
  int step = 0;         ///< of the lane view, from 1; 0: the first that picks a warp
  QString notebook;     ///< .ipynb
};

/// The file of a lesson that a call names: a file, or one that comes with the program by its number
/// or name ("3", "3-sorting-by-workload"), in this language. BadCall with the names that there are.
Result<QString> findLesson(const QString& word, const QString& language);

/// The language of a lesson file, by the folder that it lies in: "de" in a folder of this name;
/// empty where the folder names none.
QString languageOfLesson(const QString& path);

/// Plays the lesson in a window that is not on the screen, and writes the files, all or none of
/// them; returns at once. `done` gets errors as readLesson's; BadCall for another ending of a name,
/// and for a step that is not there or picks no warp; BadInput with the reason where the numbers of
/// a step cannot be computed; Unavailable where nothing can be drawn; Io.
void makeLessonOutputs(QObject* parent, const QString& lesson, const LessonOutputs& wanted,
                       std::function<void(Result<void>)> done);

}  // namespace clusterloom
