#include "ui/session/parameters.h"

#include <QCoreApplication>
#include <QStringList>
#include <functional>

#include "ui/session/paper_strategies.h"
#include "ui/session/parameter_fields.h"

namespace clusterloom {

namespace {

struct StrategyPresetTexts {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::StrategyPreset)
};

}  // namespace

bool operator==(const CloudChoice& a, const CloudChoice& b) {
  return allFields<Parameters>([&](const auto& of) {
    if constexpr (kIsOfCloud<decltype(of.member)>)
      return sameValues(std::invoke(of.member, a), std::invoke(of.member, b));
    else
      return true;
  });
}

bool operator==(const Parameters& a, const Parameters& b) { return sameValues(a, b); }

QString stepText(const Parameters& before, const Parameters& after) {
  QString text;
  allFields<Parameters>([&](const auto& of) {
    if (sameValues(std::invoke(of.member, before), std::invoke(of.member, after))) return true;
    text = of.text(before, after, Saying::Step);
    return false;
  });
  return text;
}

QString differenceText(const Parameters& shown, const Parameters& other) {
  QStringList words;
  allFields<Parameters>([&](const auto& of) {
    if (!sameValues(std::invoke(of.member, shown), std::invoke(of.member, other)))
      words << of.text(other, shown, Saying::Value);
    return true;
  });
  return words.join(DifferenceTexts::tr(", "));
}

std::vector<StrategyPreset> strategyPresets() {
  Strategy plain;
  plain.pattern = AccessPattern::Full;
  plain.order = QueryOrder::Input;
  plain.reorder = plain.sortIdu = plain.shortCircuit = Toggle::Off;
  plain.denseCells = plain.earlyStop = Toggle::Off;
  Strategy unicomp = plain;
  unicomp.pattern = AccessPattern::Unicomp;
  Strategy lidUnicomp = plain;
  lidUnicomp.pattern = AccessPattern::LidUnicomp;
  lidUnicomp.order = QueryOrder::WorkQueue;
  Strategy highDims = plain;
  highDims.order = QueryOrder::Cell;
  highDims.reorder = highDims.sortIdu = highDims.shortCircuit = Toggle::On;
  std::vector<StrategyPreset> presets{
      {StrategyPresetTexts::tr("Fastest"),
       StrategyPresetTexts::tr("Tiles, dense cells and early stop; the engine decides the rest."),
       Strategy{}},
      {StrategyPresetTexts::tr("Plain grid"),
       StrategyPresetTexts::tr(
           "Every query point is compared with all adjacent cells, in input order: the baseline."),
       plain},
      {StrategyPresetTexts::tr("UNICOMP"),
       StrategyPresetTexts::tr("Each pair of cells is compared once, by parity."), unicomp},
      {StrategyPresetTexts::tr("LID-UNICOMP with work queue"),
       StrategyPresetTexts::tr(
           "Each pair of cells is compared once, by linear id; large workloads first."),
       lidUnicomp},
      {StrategyPresetTexts::tr("Many dimensions"),
       StrategyPresetTexts::tr(
           "REORDER, SORTIDU and SHORTC: for clouds of more dimensions than are indexed."),
       highDims},
  };
  for (const PaperStrategy& join : otherJoins())
    presets.push_back({join.name, join.summary, join.strategy});
  return presets;
}

}  // namespace clusterloom
