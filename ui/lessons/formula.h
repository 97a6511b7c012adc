#pragma once

#include <QString>
#include <QStringList>
#include <map>
#include <vector>

#include "engine/core/result.h"

namespace clusterloom {

/// How a number is written.
enum class NumberStyle { Percent, Count, Number };

/// A number that lessons can use.
struct Fact {
  QString name;
  NumberStyle style = NumberStyle::Number;
  QString meaning;            ///< one line, for the documentation of lesson files; English
  bool ofStrategy = true;     ///< it depends on the strategy
  bool ofPickedWarp = false;  ///< it is of the picked warp of the displayed strategy
  bool measured = false;      ///< measured by a GPU; missing where no GPU answers
};
const std::vector<Fact>& knownFacts();
/// Null for an unknown name.
const Fact* factNamed(const QString& name);

/// Facts by name, of one strategy.
using FactValues = std::map<QString, double>;
/// Facts by strategy; the empty name is the displayed strategy.
using FactTable = std::map<QString, FactValues>;

/// Arithmetic over facts: `wee`, `wee:SORTBYWL`, `cost:UNICOMP / cost`, `(wee + 0.1) * 2`.
/// Operators need spaces around them, because names of facts and strategies contain hyphens.
class Formula {
 public:
  /// BadInput for an invalid formula or an unknown fact.
  static Result<Formula> parse(const QString& text);

  /// NaN where a fact is missing from the table or a divisor is 0.
  double value(const FactTable& facts) const;
  /// The style of a single fact; Number for anything longer.
  NumberStyle style() const { return style_; }
  /// Strategies that are named, each once.
  QStringList strategies() const;
  /// Whether a part of it is of a kind, as &Fact::measured.
  bool uses(bool Fact::*kind) const;

 private:
  struct Term {
    enum class Kind { Number, Fact, Operator } kind = Kind::Number;
    double number = 0;
    QString fact;
    QString strategy;
    QChar op;
  };
  std::vector<Term> terms_;  ///< operands before their operator
  NumberStyle style_ = NumberStyle::Number;
};

/// Two formulas compared, as `wee:SORTBYWL > wee + 0.2`.
class Claim {
 public:
  static Result<Claim> parse(const QString& text);
  /// False where a side is not a number.
  bool holds(const FactTable& facts) const;
  /// Whether both sides are numbers.
  bool isKnown(const FactTable& facts) const;
  QString text() const { return text_; }
  QStringList strategies() const { return left_.strategies() + right_.strategies(); }
  bool uses(bool Fact::*kind) const { return left_.uses(kind) || right_.uses(kind); }
  const Formula& left() const { return left_; }
  const Formula& right() const { return right_; }

 private:
  QString text_;
  QString relation_;
  Formula left_;
  Formula right_;
};

}  // namespace clusterloom
