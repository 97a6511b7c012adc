#pragma once

#include <QCoreApplication>
#include <QString>
#include <array>
#include <cstdint>
#include <limits>
#include <tuple>

#include "ui/session/fields.h"
#include "ui/session/parameters.h"
#include "ui/words/numbers.h"

namespace clusterloom {

// The descriptions of the parameters (fields.h). Everything that treats all parameters alike
// follows from them: session files, equality, the names of undo steps, and how results differ.

/// How text names a parameter.
enum class Saying {
  Step,   ///< the name of an undo step that changes it; empty: the caller names the step
  Value,  ///< its value, where two results differ in it
};
struct StepTexts {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::Session)
};
struct DifferenceTexts {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::ResultWords)
};

inline constexpr Within<double> kEpsRange{std::numeric_limits<double>::min(),
                                          std::numeric_limits<double>::max()};
inline constexpr Within<std::int64_t> kMinPtsRange{1, std::numeric_limits<std::int64_t>::max()};

constexpr auto wordsOf(Scaling::Kind /*kind*/) {
  return std::array{"none", "unit", "zscore", "factors"};
}

constexpr auto fieldsOf(const DbscanParams* /*type*/) {
  return std::tuple{Field{"eps", &DbscanParams::eps, kEpsRange},
                    Field{"minPts", &DbscanParams::minPts, kMinPtsRange}};
}

constexpr auto fieldsOf(const ScalingChoice* /*type*/) {
  return std::tuple{Field{"kind", &ScalingChoice::kind}, Field{"factors", &ScalingChoice::factors}};
}

constexpr auto fieldsOf(const Refinement* /*type*/) {
  return std::tuple{Field{"points", &Refinement::points, Required{}},
                    Field{"", &Refinement::dbscan, Inlined{}}};
}

// The texts.

inline QString epsWords(const Parameters& /*before*/, const Parameters& now, Saying /*saying*/) {
  return StepTexts::tr("ε %1").arg(epsText(now.dbscan.eps));
}

inline QString minPtsWords(const Parameters& /*before*/, const Parameters& now, Saying /*saying*/) {
  return StepTexts::tr("minPts %1").arg(count(static_cast<std::uint64_t>(now.dbscan.minPts)));
}

inline QString keptWords(const Parameters& /*before*/, const Parameters& now, Saying saying) {
  if (saying == Saying::Step) return {};
  if (!now.kept) return DifferenceTexts::tr("all points");
  const std::size_t kept = now.kept->size();
  return counted(kept, "1 point kept",
                 DifferenceTexts::tr("%1 points kept", nullptr, pluralNumber(kept)));
}

inline QString keptRowWords(const Parameters& /*before*/, const Parameters& now, Saying saying) {
  if (saying == Saying::Step) return {};
  if (!now.keptRows)
    return now.kept ? DifferenceTexts::tr("only open rows")
                    : DifferenceTexts::tr("all rows of the file");
  const std::uint64_t kept = now.keptRows->count;
  return counted(kept, "1 row of the file kept",
                 DifferenceTexts::tr("%1 rows of the file kept", nullptr, pluralNumber(kept)));
}

inline QString refinementWords(const Parameters& /*before*/, const Parameters& now, Saying saying) {
  if (saying == Saying::Step)
    return now.refinements.empty() ? StepTexts::tr("Cluster all points alike")
                                   : StepTexts::tr("Cluster the selection on its own");
  return now.refinements.empty() ? DifferenceTexts::tr("nothing clustered on its own")
                                 : DifferenceTexts::tr("other points clustered on their own");
}

inline QString spaceWords(const Parameters& /*before*/, const Parameters& now, Saying saying) {
  if (saying == Saying::Step) return StepTexts::tr("Distances");
  if (now.space.sphere) return DifferenceTexts::tr("great-circle distances");
  if (!now.space.periods.empty()) return DifferenceTexts::tr("a periodic box");
  switch (now.space.metric) {
    case Metric::Euclidean: break;
    case Metric::Cosine: return DifferenceTexts::tr("cosine distances");
    case Metric::Manhattan: return DifferenceTexts::tr("Manhattan distances");
    case Metric::Chebyshev: return DifferenceTexts::tr("Chebyshev distances");
  }
  return DifferenceTexts::tr("Euclidean distances");
}

inline QString scalingWords(const Parameters& /*before*/, const Parameters& /*now*/,
                            Saying saying) {
  return saying == Saying::Step ? StepTexts::tr("Scaling") : DifferenceTexts::tr("another scaling");
}

inline QString weightWords(const Parameters& /*before*/, const Parameters& now, Saying saying) {
  const bool step = saying == Saying::Step;
  if (now.weights.isEmpty())
    return step ? StepTexts::tr("No weights") : DifferenceTexts::tr("no weights");
  return (step ? StepTexts::tr("Weights %1") : DifferenceTexts::tr("weights %1")).arg(now.weights);
}

inline QString strategyWords(const Parameters& before, const Parameters& now, Saying saying) {
  if (saying == Saying::Value) return DifferenceTexts::tr("another strategy");
  Strategy other = before.strategy;
  const int k = other.indexedDims = now.strategy.indexedDims;
  if (!(other == now.strategy)) return StepTexts::tr("Strategy");
  return k == 0 ? StepTexts::tr("Indexed dimensions automatic")
                : StepTexts::tr("%1 indexed dimensions").arg(k);
}

/// Whether a description is for a member of CloudChoice.
template <class Member>
inline constexpr bool kIsOfCloud = false;
template <class T>
inline constexpr bool kIsOfCloud<T CloudChoice::*> = true;

/// Where several parameters differ, a step of undo is named after the first of them.
constexpr auto fieldsOf(const Parameters* /*type*/) {
  using P = Parameters;
  constexpr auto eps = [](auto& p) -> decltype(auto) { return (p.dbscan.eps); };
  constexpr auto minPts = [](auto& p) -> decltype(auto) { return (p.dbscan.minPts); };
  return std::tuple{Field{"eps", eps, kEpsRange, &epsWords},
                    Field{"minPts", minPts, kMinPtsRange, &minPtsWords},
                    Field{"kept", &P::kept, AnyValue{}, &keptWords},
                    Field{"keptRows", &P::keptRows, AnyValue{}, &keptRowWords},
                    Field{"refinements", &P::refinements, AnyValue{}, &refinementWords},
                    Field{"space", &P::space, AnyValue{}, &spaceWords},
                    Field{"scaling", &P::scaling, AnyValue{}, &scalingWords},
                    Field{"weights", &P::weights, WrittenUnlessEmpty{}, &weightWords},
                    Field{"strategy", &P::strategy, AnyValue{}, &strategyWords}};
}

}  // namespace clusterloom
