#include "ui/charts/every_eps_words.h"

#include <QCoreApplication>

#include "engine/core/memory_budget.h"
#include "ui/session/every_eps.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

struct EveryEpsTexts {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::EveryEpsWords)
};

}  // namespace

QString everyEpsText(const Session& session, const QString& what) {
  const EveryEps& every = session.everyEps();
  if (const auto cloud = session.data().cloud(); cloud && cloud->size() < 2)
    return EveryEpsTexts::tr("%1 needs two points or more").arg(what);
  switch (every.state()) {
    case EveryEps::State::Large:
      return EveryEpsTexts::tr("%1 needs %2 and about %3: press Prepare below minPts")
          .arg(what, QString::fromStdString(memoryText(every.forecast().bytes)),
               duration(every.forecast().seconds));
    case EveryEps::State::TooLarge:
      return EveryEpsTexts::
          tr("%1 needs %2 of memory, and %3 are free: use a smaller minPts or a part of the cloud")
              .arg(what, QString::fromStdString(memoryText(every.forecast().bytes)),
                   QString::fromStdString(memoryText(every.forecast().free)));
    case EveryEps::State::OtherSpace:
      return EveryEpsTexts::tr("%1 cannot be computed for longitude and latitude").arg(what);
    case EveryEps::State::Weighted:
      return EveryEpsTexts::tr("%1 can be computed for points without weights only").arg(what);
    case EveryEps::State::BeyondK:
      return EveryEpsTexts::tr("%1 can be computed for minPts up to %2").arg(what).arg(kMaxNearest);
    case EveryEps::State::Stopped:
    case EveryEps::State::Failed:
      return EveryEpsTexts::tr("%1 was not computed: press Prepare below minPts").arg(what);
    default: return EveryEpsTexts::tr("%1 appears here").arg(what);
  }
}

QString emptyText(const Session& session, const QString& text) {
  return session.data().space().isEuclidean()
             ? text
             : EveryEpsTexts::tr("Shown for Euclidean distances only");
}

QString emptyCountsText(const Session& session, const QString& text) {
  if (session.data().weights()) return EveryEpsTexts::tr("Shown for points without weights only");
  return session.data().hasKDistances() ? text : EveryEpsTexts::tr("Not for these distances");
}

}  // namespace clusterloom
