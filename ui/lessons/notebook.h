#pragma once

#include <QByteArray>

#include "ui/lessons/handout.h"
#include "ui/lessons/lesson.h"

namespace clusterloom {

/// A Jupyter notebook (nbformat 4.5) with the text of a lesson and its computations by the Python
/// module clusterloom: each number is computed again and compared with that of the lesson, and a
/// cell fails where they differ. `handout` has all steps of the lesson. Questions are in their
/// steps, answers at the end.
QByteArray lessonNotebook(const Lesson& lesson, const Handout& handout);

}  // namespace clusterloom
