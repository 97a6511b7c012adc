#pragma once

#include <QString>

#include "ui/lessons/handout.h"

namespace clusterloom {

// Parts of a hand-out that pages, slides and PDF files have in common, as HTML that QTextDocument
// reads, too.

/// Texts of hand-outs, "Step 2 of 5: Dense regions"; not HTML.
QString handoutHeading(const Handout& handout, std::size_t step);
QString handoutAnswersTitle();
QString handoutQuestionTitle(int number);
QString handoutAnswerTitle(int number);
/// The answer, after the right choice where there are choices.
QString handoutAnswerText(const HandoutStep& step);
QString handoutMadeBy();

/// The paragraphs of a text.
QString handoutParagraphs(const QString& text);
/// The question of a step under its number from 1, with its choices or what is to be done.
QString handoutQuestion(const HandoutStep& step, int number);
/// Its answer.
QString handoutAnswer(const HandoutStep& step, int number);

}  // namespace clusterloom
