#pragma once

#include <QByteArray>
#include <QSize>
#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "engine/core/result.h"
#include "ui/lessons/formula.h"
#include "ui/lessons/lesson_task.h"

namespace clusterloom {

struct WarpTrace;

/// A picture of a step: of the view in pixels, or of a chart as an SVG document.
struct HandoutPicture {
  QString words;     ///< what it shows
  QSize size;        ///< in logical pixels
  QByteArray bytes;  ///< of a PNG file or an SVG document
  bool isSvg = false;
};

/// The content of a step, with the numbers of its run filled in. Paragraphs of its texts are
/// separated by an empty line.
struct HandoutStep {
  QString title;
  QString text;
  QString question;  ///< empty: nothing is asked
  QString answer;
  std::optional<TaskKind> task;  ///< how the question is answered; nullopt: in thought only
  QStringList choices;           ///< of a choice
  int rightChoice = -1;          ///< the place of the right one
  std::vector<HandoutPicture> pictures;
  FactTable facts;                         ///< the numbers of the step
  std::shared_ptr<const WarpTrace> trace;  ///< of the picked warp; null: none is picked
};

/// A lesson as a hand-out: its steps with pictures, its questions, and the answers at the end.
struct Handout {
  QString title;
  QString summary;
  std::vector<HandoutStep> steps;
};

/// As one HTML page: pictures are part of it, and its content security policy keeps a browser from
/// loading anything. As slides, it shows one step at a time, which the arrow keys, Page Up and Page
/// Down change, and each answer on a slide after all steps.
QByteArray handoutHtml(const Handout& handout, bool slides);

/// The same as a PDF file: a step begins a page of A4 or, as slides, a page in the proportions of a
/// screen.
QByteArray handoutPdf(const Handout& handout, bool slides);

}  // namespace clusterloom
