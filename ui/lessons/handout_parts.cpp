#include "ui/lessons/handout_parts.h"

#include <QCoreApplication>

#include "engine/version.h"

namespace clusterloom {

namespace {

struct HandoutTexts {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::Handout)
};

}  // namespace

QString handoutHeading(const Handout& handout, std::size_t step) {
  return HandoutTexts::tr("Step %1 of %2: %3")
      .arg(step + 1)
      .arg(handout.steps.size())
      .arg(handout.steps[step].title);
}

QString handoutAnswersTitle() { return HandoutTexts::tr("Answers"); }

QString handoutQuestionTitle(int number) { return HandoutTexts::tr("Question %1.").arg(number); }
QString handoutAnswerTitle(int number) { return HandoutTexts::tr("Answer %1.").arg(number); }

QString handoutAnswerText(const HandoutStep& step) {
  if (step.rightChoice < 0) return step.answer;
  return HandoutTexts::tr("“%1”.").arg(step.choices[step.rightChoice]) + QLatin1Char(' ') +
         step.answer;
}

QString handoutMadeBy() {
  const QString made = HandoutTexts::tr(
      "Made with Clusterloom %1. Numbers and pictures are computed, except where a text says that "
      "something was measured.");
  return made.arg(QLatin1String(kVersion));
}

QString handoutParagraphs(const QString& text) {
  QString html;
  for (const QString& paragraph : text.split(QStringLiteral("\n\n"), Qt::SkipEmptyParts))
    html += QStringLiteral("<p>%1</p>\n").arg(paragraph.toHtmlEscaped());
  return html;
}

QString handoutQuestion(const HandoutStep& step, int number) {
  QString html =
      QStringLiteral("<div class=\"question\">\n<p><b>%1</b> %2</p>\n")
          .arg(handoutQuestionTitle(number).toHtmlEscaped(), step.question.toHtmlEscaped());
  if (!step.choices.isEmpty()) {
    html += QStringLiteral("<ul class=\"choices\">\n");
    for (const QString& choice : step.choices)
      html += QStringLiteral("<li>%1</li>\n").arg(choice.toHtmlEscaped());
    html += QStringLiteral("</ul>\n");
  }
  if (step.task == TaskKind::Number)
    html += QStringLiteral("<p>%1 ____________</p>\n")
                .arg(HandoutTexts::tr("Your answer:").toHtmlEscaped());
  if (step.task == TaskKind::Goal)
    html += QStringLiteral("<p><i>%1</i></p>\n")
                .arg(HandoutTexts::tr("Do this task in the lessons window.").toHtmlEscaped());
  return html + QStringLiteral("</div>\n");
}

QString handoutAnswer(const HandoutStep& step, int number) {
  const QString answer = handoutAnswerText(step);
  const qsizetype end = answer.indexOf(QStringLiteral("\n\n"));
  const QString first = end < 0 ? answer : answer.left(end);
  return QStringLiteral("<div class=\"answer\">\n<p><b>%1</b> %2</p>\n")
             .arg(handoutAnswerTitle(number).toHtmlEscaped(), first.toHtmlEscaped()) +
         (end < 0 ? QString() : handoutParagraphs(answer.mid(end))) + QStringLiteral("</div>\n");
}

}  // namespace clusterloom
