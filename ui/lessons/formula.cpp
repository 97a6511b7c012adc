#include "ui/lessons/formula.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>

namespace clusterloom {

namespace {

struct FormulaTexts {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::Formula)
};

tl::unexpected<Error> bad(const QString& message) { return badInput(message.toStdString()); }

/// Words and parentheses; a parenthesis needs no space beside it.
QStringList tokensOf(QString text) {
  text.replace(QLatin1Char('('), QStringLiteral(" ( "));
  text.replace(QLatin1Char(')'), QStringLiteral(" ) "));
  return text.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

bool isOperator(const QString& token) {
  return token.size() == 1 && QStringLiteral("+-*/").contains(token);
}

int precedence(const QString& token) { return token == "*" || token == "/" ? 2 : 1; }

}  // namespace

const std::vector<Fact>& knownFacts() {
  using enum NumberStyle;
  static const std::vector<Fact> facts = {
      {"points", Count, "points of the cloud", false},
      {"eps", Number, "ε", false},
      {"min-pts", Count, "minPts", false},
      {"candidates", Count, "candidates of all query points under the full pattern", false},
      {"pairs", Count, "ordered pairs within ε, each point with itself included", false},
      {"wee", Percent, "warp execution efficiency of the whole run, steps weighted by their cost"},
      {"unweighted-wee", Percent, "the same, every step counting 1"},
      {"warps", Count, "warps of all batches"},
      {"batches", Count, "batches"},
      {"threads-per-point", Count, "threads per query point"},
      {"distance-calculations", Count, "computed distances"},
      {"cost", Count, "weighted steps of all warps together"},
      {"idle", Count, "weighted idle lane-steps of all warps together"},
      {"heavy-idle", Percent,
       QStringLiteral("share of the weighted idle lane-steps caused by the tenth of the query "
                      "points with the largest workloads")},
      {"largest-workload", Count, "most candidates of a query point"},
      {"smallest-workload", Count, "fewest candidates of a query point"},
      {"mean-workload", Number, "mean candidates of a query point"},
      {"longest-lane", Count, "most candidates that one lane examines"},
      {"longest-warp", Count, "weighted steps of the warp with most of them"},
      {"makespan", Count, "modelled end of the last warp, in weighted steps"},
      {"ideal-makespan", Count, "the same if all slots ended at the same time"},
      {"makespan-time", Number, "`makespan` in milliseconds, at the clock of the GPU"},
      {"measured-wee", Percent, "`wee` by the steps that the warps took", true, false, true},
      {"measured-time", Number, "milliseconds until the last warp ended", true, false, true},
      {"measured-step-time", Number,
       "nanoseconds that a warp took for a weighted step, in the mean", true, false, true},
      {"measured-registers", Count, "registers of a thread of the kernel", true, false, true},
      {"measured-occupancy", Percent,
       "warps of the kernel that fit onto a multiprocessor at once, as a share of the most", true,
       false, true},
      {"imbalance", Percent,
       "difference between the times at which CPU and GPU end, divided by the longer"},
      {"shared-time", Count, "milliseconds until both CPU and GPU have ended"},
      {"gpu-time", Count, "milliseconds until the GPU has ended"},
      {"cpu-time", Count, "milliseconds until the CPU has ended"},
      {"gpu-queries", Percent, "share of the query points that the GPU does"},
      {"gpu-candidates", Percent, "share of the candidates that the GPU examines"},
      {"meeting", Count, "query points before the place where both met"},
      {"shared-batches", Count, "batches of CPU and GPU together"},
      {"longest-cpu-batch", Number, "milliseconds of the longest batch of a CPU thread"},
      {"reversed-time", Count, "`shared-time` if the GPU began with the smallest workloads"},
      {"gpu-alone", Count, "milliseconds that the GPU alone would take", false},
      {"cpu-alone", Count, "milliseconds that all CPU threads alone would take", false},
      {"speed-share", Percent, "the GPU's share of the speed of both, each alone", false},
      {"cpu-threads", Count, "CPU threads", false},
      {"gpu-streams", Count, "GPU streams", false},
      {"gpu-query-cost", Count,
       "what a query point costs the GPU beside its candidates, in candidates", false},
      {"cpu-query-cost", Count, "the same for a CPU thread", false},
      {"ranks", Count, "ranks between which the cloud is divided", false},
      {"smallest-block", Count, "fewest points that a rank owns", false},
      {"largest-block", Count, "most points that a rank owns", false},
      {"ghosts", Count, "points of other ranks that the ranks hold together", false},
      {"twice-ghosts", Count, "the same with twice as many ranks", false},
      {"split-clusters", Count, "clusters with points of several ranks", false},
      {"other-labels", Count, "points with another label than in a run that is not divided", false},
      {"clusters", Count, "clusters at ε", false},
      {"noise", Percent, "share of noise at ε", false},
      {"noise-points", Count, "points that are noise at ε", false},
      {"border-points", Count, "border points at ε", false},
      {"bars-above", Count, "bars of the reachability plot above the line of ε", false},
      {"largest-cluster", Percent, "share of the points in the largest cluster at ε", false},
      {"range-from", Number, "ε from which on there are as many clusters", false},
      {"range-to", Number, "ε up to which there are as many clusters", false},
      {"clusters-below", Count, "clusters just below that range", false},
      {"clusters-above", Count, "clusters at the end of that range", false},
      {"most-clusters", Count, "most clusters of any ε", false},
      {"stable-clusters", Count, "clusters in the widest range without a change", false},
      {"stable-from", Number, "ε at which the widest range begins", false},
      {"stable-to", Number, "ε at which the widest range ends", false},
      {"tree-clusters", Count, "clusters of the condensed tree, all points left out", false},
      {"hdbscan-clusters", Count, "clusters that HDBSCAN* takes", false},
      {"hdbscan-noise", Percent, "share of noise of HDBSCAN*", false},
      {"densest-birth", Number, "smallest ε at which a taken cluster ends", false},
      {"sparsest-birth", Number, "largest ε at which a taken cluster ends", false},
      {"warp", Count, "number of the picked warp", true, true},
      {"warp-wee", Percent,
       "warp execution efficiency of the picked warp, steps weighted by their cost", true, true},
      {"warp-unweighted-wee", Percent, "the same, every step counting 1", true, true},
      {"warp-steps", Count, "steps of the picked warp, summed over its loops", true, true},
      {"warp-cost", Count, "weighted steps of the picked warp", true, true},
      {"warp-idle", Count, "idle lane-steps of the picked warp", true, true},
      {"warp-candidate-steps", Count,
       "steps of the picked warp in which any lane examines a candidate", true, true},
      {"warp-longest-lane", Count, "most candidates of a lane of the picked warp", true, true},
      {"warp-shortest-lane", Count, "fewest candidates of a lane of the picked warp", true, true},
  };
  return facts;
}

const Fact* factNamed(const QString& name) {
  const auto& facts = knownFacts();
  const auto found =
      std::find_if(facts.begin(), facts.end(), [&](const Fact& fact) { return fact.name == name; });
  return found == facts.end() ? nullptr : &*found;
}

Result<Formula> Formula::parse(const QString& text) {
  Formula formula;
  QStringList waiting;  // operators and parentheses without their right side so far (Dijkstra)
  bool operandNext = true;
  const auto take = [&](const QString& op) {
    Term term;
    term.kind = Term::Kind::Operator;
    term.op = op.front();
    formula.terms_.push_back(term);
  };
  for (const QString& token : tokensOf(text)) {
    if (token == "(") {
      if (!operandNext) return bad(FormulaTexts::tr("“%1”: an operator is missing").arg(text));
      waiting << token;
    } else if (token == ")") {
      while (!waiting.isEmpty() && waiting.back() != "(") take(waiting.takeLast());
      if (operandNext || waiting.isEmpty())
        return bad(FormulaTexts::tr("“%1”: a parenthesis is out of place").arg(text));
      waiting.removeLast();
    } else if (isOperator(token)) {
      if (operandNext) return bad(FormulaTexts::tr("“%1”: a number is missing").arg(text));
      while (!waiting.isEmpty() && waiting.back() != "(" &&
             precedence(waiting.back()) >= precedence(token))
        take(waiting.takeLast());
      waiting << token;
      operandNext = true;
    } else {
      if (!operandNext) return bad(FormulaTexts::tr("“%1”: an operator is missing").arg(text));
      operandNext = false;
      Term term;
      bool isNumber = false;
      term.number = token.toDouble(&isNumber);
      if (!isNumber) {
        term.kind = Term::Kind::Fact;
        term.fact = token.section(QLatin1Char(':'), 0, 0);
        term.strategy = token.section(QLatin1Char(':'), 1);
        const Fact* fact = factNamed(term.fact);
        if (!fact) return bad(FormulaTexts::tr("“%1” is not a known number").arg(term.fact));
        if (!term.strategy.isEmpty() && (!fact->ofStrategy || fact->ofPickedWarp))
          return bad(FormulaTexts::tr("“%1” is the same for every strategy, or of the picked warp; "
                                      "it takes no strategy")
                         .arg(term.fact));
        formula.style_ = fact->style;
      } else if (!std::isfinite(term.number)) {
        return bad(FormulaTexts::tr("“%1” is not a known number").arg(token));
      }
      formula.terms_.push_back(term);
    }
  }
  if (operandNext) return bad(FormulaTexts::tr("“%1”: a number is missing").arg(text));
  while (!waiting.isEmpty()) {
    if (waiting.back() == "(")
      return bad(FormulaTexts::tr("“%1”: a parenthesis is not closed").arg(text));
    take(waiting.takeLast());
  }
  if (formula.terms_.size() > 1) formula.style_ = NumberStyle::Number;
  return formula;
}

double Formula::value(const FactTable& facts) const {
  constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> stack;
  for (const Term& term : terms_) {
    if (term.kind == Term::Kind::Number) {
      stack.push_back(term.number);
    } else if (term.kind == Term::Kind::Fact) {
      const auto values = facts.find(term.strategy);
      if (values == facts.end()) return kMissing;
      const auto found = values->second.find(term.fact);
      if (found == values->second.end()) return kMissing;
      stack.push_back(found->second);
    } else {
      const double right = stack.back();
      stack.pop_back();
      double& left = stack.back();
      switch (term.op.unicode()) {
        case '+': left += right; break;
        case '-': left -= right; break;
        case '*': left *= right; break;
        default: left = right == 0 ? kMissing : left / right;
      }
    }
  }
  return stack.empty() ? kMissing : stack.back();
}

QStringList Formula::strategies() const {
  QStringList names;
  for (const Term& term : terms_)
    if (!term.strategy.isEmpty()) names << term.strategy;
  names.removeDuplicates();
  return names;
}

bool Formula::uses(bool Fact::*kind) const {
  return std::any_of(terms_.begin(), terms_.end(), [kind](const Term& term) {
    return term.kind == Term::Kind::Fact && factNamed(term.fact)->*kind;
  });
}

Result<Claim> Claim::parse(const QString& text) {
  Claim claim;
  claim.text_ = text.simplified();
  const QStringList words = claim.text_.split(QLatin1Char(' '));
  qsizetype at = -1;
  for (qsizetype i = 0; i < words.size(); ++i)
    if (QStringList{"<", "<=", "=", ">=", ">"}.contains(words[i])) {
      if (at >= 0) return bad(FormulaTexts::tr("“%1” compares more than once").arg(text));
      at = i;
    }
  if (at < 0) return bad(FormulaTexts::tr("“%1” has no comparison: use < <= = >= >").arg(text));
  claim.relation_ = words[at];
  auto left = Formula::parse(words.mid(0, at).join(QLatin1Char(' ')));
  if (!left) return tl::unexpected(left.error());
  auto right = Formula::parse(words.mid(at + 1).join(QLatin1Char(' ')));
  if (!right) return tl::unexpected(right.error());
  claim.left_ = std::move(*left);
  claim.right_ = std::move(*right);
  return claim;
}

bool Claim::isKnown(const FactTable& facts) const {
  return !std::isnan(left_.value(facts)) && !std::isnan(right_.value(facts));
}

bool Claim::holds(const FactTable& facts) const {
  const double left = left_.value(facts);
  const double right = right_.value(facts);
  if (std::isnan(left) || std::isnan(right)) return false;
  if (relation_ == "<") return left < right;
  if (relation_ == "<=") return left <= right;
  if (relation_ == ">") return left > right;
  if (relation_ == ">=") return left >= right;
  return left == right;
}

}  // namespace clusterloom
