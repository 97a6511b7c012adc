#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "engine/core/result.h"
#include "ui/lessons/formula.h"

namespace clusterloom {

/// A text with numbers to be filled in: "WEE is {wee}", "{cost:UNICOMP / cost | percent} of the
/// cost". After the bar: percent, count or number; without it, as the fact is usually written.
class LessonText {
 public:
  /// BadInput for an unmatched brace, an unknown style and what Formula::parse refuses.
  static Result<LessonText> parse(const QString& text);

  bool isEmpty() const { return pieces_.empty(); }
  /// The text with its numbers; "…" for each that is not there yet.
  QString filled(const FactTable& facts) const;
  /// Strategies that are named, each once.
  QStringList strategies() const;
  /// Whether it has numbers of a kind, as &Fact::measured.
  bool uses(bool Fact::*kind) const;

 private:
  struct Piece {
    QString words;  ///< before the number
    bool hasNumber = false;
    Formula formula;
    NumberStyle style = NumberStyle::Number;
  };
  std::vector<Piece> pieces_;
};

}  // namespace clusterloom
