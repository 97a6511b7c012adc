#include "ui/session/eps_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <cmath>

#include "engine/hierarchy/stable_partition.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

struct EpsTexts {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::EpsWords)
};

QString rangeText(const EpsAdvice& advice) {
  const QString low = significant(advice.from, 4);
  const QString high = significant(advice.to, 4);
  if (advice.from > 0 && std::isfinite(advice.to))
    return EpsTexts::tr("%1 from ε %2 to %3").arg(countedClusters(advice.clusters), low, high);
  if (advice.from > 0)
    return EpsTexts::tr("%1 from ε %2 on").arg(countedClusters(advice.clusters), low);
  if (std::isfinite(advice.to))
    return EpsTexts::tr("%1 below ε %2").arg(countedClusters(advice.clusters), high);
  return EpsTexts::tr("%1 at every ε").arg(countedClusters(advice.clusters));
}

QString flagText(EpsFlag flag, const EpsAdvice& advice) {
  switch (flag) {
    case EpsFlag::AllNoise:
      if (!(advice.from > 0) && std::isinf(advice.to))
        return EpsTexts::tr("minPts is too large: all points are noise at every ε.");
      return EpsTexts::tr("ε is too small: all points are noise.");
    case EpsFlag::MostlyNoise: return EpsTexts::tr("More than half of the points are noise.");
    case EpsFlag::OneCluster:
      return EpsTexts::tr("ε is large: nearly all points are in one cluster.");
    case EpsFlag::Unstable:
      return EpsTexts::tr(
          "Unstable: a change of ε by less than 5 % changes the number of larger clusters.");
  }
  return {};
}

}  // namespace

QString adviceText(const EpsAdvice& advice, std::uint64_t points) {
  QStringList sentences;
  QString range = rangeText(advice);
  if (advice.from > 0) range += EpsTexts::tr("; %1 below").arg(count(advice.below));
  if (std::isfinite(advice.to)) range += EpsTexts::tr("; %1 above").arg(count(advice.above));
  sentences << range + QLatin1Char('.');
  for (const EpsFlag flag : advice.flags) sentences << flagText(flag, advice);
  if (advice.flags.empty())
    sentences << (advice.numberChangesNearby
                      ? EpsTexts::tr("Stable except for clusters below half a percent; %1 noise.")
                      : EpsTexts::tr("Stable; %1 noise."))
                     .arg(percent(double(advice.noise) /
                                  double(std::max<std::uint64_t>(points, 1))));
  return sentences.join(QLatin1Char(' '));
}

QString choiceText(const EpsChoice& choice, std::uint64_t points) {
  const QString noise = percent(double(choice.noise) / double(std::max<std::uint64_t>(points, 1)));
  if (std::isinf(choice.plateau.to))
    return EpsTexts::tr("ε %1: %2 at every larger ε, %3 noise")
        .arg(epsText(choice.eps), countedClusters(choice.plateau.clusters), noise);
  return EpsTexts::tr("ε %1: %2 from %3 to %4, %5 noise")
      .arg(epsText(choice.eps), countedClusters(choice.plateau.clusters),
           significant(choice.plateau.from, 3), significant(choice.plateau.to, 3), noise);
}

QString reasonText(const Suggestion& suggestion) {
  if (suggestion.isBelowKnee) return EpsTexts::tr("below the knee, which joins nearly all");
  if (!suggestion.stable) return {};
  const QString larger = count(suggestion.stable->clusters);
  return suggestion.isExact ? EpsTexts::tr("most stable: %1 larger clusters, ε %2 to %3")
                                  .arg(larger, significant(suggestion.stable->from, 3),
                                       significant(suggestion.stable->to, 3))
         : suggestion.isUnwrapped
             ? EpsTexts::tr("without the period: about %1 larger clusters").arg(larger)
             : EpsTexts::tr("most stable: about %1 larger clusters").arg(larger);
}

QString reasonTip(const Suggestion& suggestion, std::uint64_t points) {
  if (suggestion.isBelowKnee)
    return EpsTexts::tr("At the knee of the k-distances nearly all points are in one cluster");
  if (!suggestion.stable) return {};
  const QString larger = count(suggestion.stable->clusters);
  const std::size_t least = leastSizeWithMeaning(points, suggestion.minPts);
  return suggestion.isExact
             ? EpsTexts::tr(
                   "From ε %1 to %2 there are %3 clusters with %4 core points or more. No other "
                   "number of clusters lasts over a wider range of ε")
                   .arg(significant(suggestion.stable->from, 3),
                        significant(suggestion.stable->to, 3), larger, count(least))
             : (suggestion.isUnwrapped
                    ? EpsTexts::tr("Estimated without distances across the faces of the box: about "
                                   "%1 clusters with %2 core points or more. No other number of "
                                   "clusters lasts over a wider range of ε")
                : suggestion.isOfSample
                    ? EpsTexts::tr("Estimated from a part of the points: about %1 clusters with %2 "
                                   "core points or more. No other number of clusters lasts over a "
                                   "wider range of ε")
                    : EpsTexts::tr("Estimated: about %1 clusters with %2 core points or more. No "
                                   "other number of clusters lasts over a wider range of ε"))
                   .arg(larger, count(least));
}

}  // namespace clusterloom
