#include "ui/lessons/lesson_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

struct LessonTextTexts {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::LessonText)
};

tl::unexpected<Error> badText(const QString& message) { return badInput(message.toStdString()); }

/// Three significant digits are what a text needs ("2.31", "0.0125"); whole numbers stay whole.
QString written(double value, NumberStyle style) {
  if (!std::isfinite(value)) return QStringLiteral("…");
  switch (style) {
    case NumberStyle::Percent: return percent(value);
    case NumberStyle::Count: return fixed(value, 0);
    case NumberStyle::Number: break;
  }
  if (value == std::round(value) || std::abs(value) >= 1000) return fixed(value, 0);
  return significant(value, 3);
}

}  // namespace

Result<LessonText> LessonText::parse(const QString& text) {
  LessonText parsed;
  qsizetype at = 0;
  while (at < text.size()) {
    const qsizetype open = text.indexOf(QLatin1Char('{'), at);
    const qsizetype close = text.indexOf(QLatin1Char('}'), at);
    if (open < 0) {
      if (close >= 0) return badText(LessonTextTexts::tr("a } without its {"));
      parsed.pieces_.emplace_back().words = text.mid(at);
      break;
    }
    if (close < open)
      return badText(close < 0 ? LessonTextTexts::tr("a { without its }")
                               : LessonTextTexts::tr("a } without its {"));
    const QString inside = text.mid(open + 1, close - open - 1);
    auto formula = Formula::parse(inside.section(QLatin1Char('|'), 0, 0));
    if (!formula) return tl::unexpected(formula.error());
    Piece piece;
    piece.words = text.mid(at, open - at);
    piece.hasNumber = true;
    piece.formula = std::move(*formula);
    piece.style = piece.formula.style();
    if (inside.contains(QLatin1Char('|'))) {
      const QString style = inside.section(QLatin1Char('|'), 1).trimmed();
      if (style == "percent")
        piece.style = NumberStyle::Percent;
      else if (style == "count")
        piece.style = NumberStyle::Count;
      else if (style == "number")
        piece.style = NumberStyle::Number;
      else
        return badText(LessonTextTexts::tr("{%1}: only percent, count or number can follow the bar")
                           .arg(inside.trimmed()));
    }
    parsed.pieces_.push_back(std::move(piece));
    at = close + 1;
  }
  return parsed;
}

QString LessonText::filled(const FactTable& facts) const {
  QString text;
  for (const Piece& piece : pieces_) {
    text += piece.words;
    if (piece.hasNumber) text += written(piece.formula.value(facts), piece.style);
  }
  return text;
}

bool LessonText::uses(bool Fact::*kind) const {
  return std::any_of(pieces_.begin(), pieces_.end(), [kind](const Piece& piece) {
    return piece.hasNumber && piece.formula.uses(kind);
  });
}

QStringList LessonText::strategies() const {
  QStringList names;
  for (const Piece& piece : pieces_)
    if (piece.hasNumber) names += piece.formula.strategies();
  names.removeDuplicates();
  return names;
}

}  // namespace clusterloom
