#include "ui/session/result_words.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStringList>

#include "engine/dbscan/join_forecast.h"
#include "engine/io/partial_read.h"
#include "render/charts/plot_area.h"
#include "ui/session/cluster_run.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

struct ResultTexts {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::ResultWords)
};

/// The origin of labels that no run of DBSCAN made.
QString originText(const ClusterResult& result) {
  if (result.hdbscan)
    return ResultTexts::tr("clusters of HDBSCAN* with at least %1 points")
        .arg(count(result.hdbscan->minClusterSize));
  return ResultTexts::tr("labels of %1").arg(QFileInfo(result.labelsFile).fileName());
}

}  // namespace

QString partialText(const PartialRead& partial) {
  return ResultTexts::tr("reading: %1 of about %2 points shown")
      .arg(count(partial.sample->size()), QString::fromStdString(withUnit(double(partial.rows))));
}

QString forecastText(const JoinForecast& join) {
  const QString time = duration(join.seconds);
  return ResultTexts::tr("A join at ε %1\nTime of counting: %2 ± %3\nPairs: %4\nMemory: %5")
      .arg(epsText(join.eps),
           join.isMost ? ResultTexts::tr("at most about %1").arg(time)
                       : ResultTexts::tr("about %1").arg(time),
           duration(join.secondsError), QString::fromStdString(pairsText(join)),
           QString::fromStdString(resultsText(join)));
}

QString subsetText(const Parameters& parameters, std::size_t points) {
  QStringList words;
  if (parameters.kept)
    words << ResultTexts::tr("%1 of %2 kept")
                 .arg(count(parameters.kept->size()), countedPoints(points));
  for (const Refinement& refinement : parameters.refinements)
    words << ResultTexts::tr("%1 clustered on their own with ε %2, minPts %3")
                 .arg(countedPoints(refinement.points->size()), epsText(refinement.dbscan.eps),
                      count(static_cast<std::uint64_t>(refinement.dbscan.minPts)));
  return words.join(ResultTexts::tr("; "));
}

QString resultText(const ClusterRun& run, const Parameters& parameters) {
  QString state;
  switch (run.state()) {
    case RunState::NoCloud:
    case RunState::Current: return {};
    case RunState::Running: state = ResultTexts::tr("running"); break;
    case RunState::Stopped: state = ResultTexts::tr("stopped"); break;
    case RunState::Failed: state = ResultTexts::tr("the run failed"); break;
    case RunState::NotRun: state = ResultTexts::tr("not run"); break;
    case RunState::NeedsEps: return ResultTexts::tr("no ε yet");
  }
  const auto result = run.result();
  if (result && !result->isOfRun()) {
    const QString labels = originText(*result);
    return run.state() == RunState::Running
               ? ResultTexts::tr("%1; showing the %2").arg(state, labels)
               : labels;
  }
  if (!result)
    return run.state() == RunState::Running ? state : ResultTexts::tr("%1; no result").arg(state);
  return ResultTexts::tr("%1; showing the result of %2")
      .arg(state, differenceText(result->parameters, parameters));
}

QString outputText(const ClusterRun& run, const Parameters& parameters, bool takesResult) {
  const auto result = run.result();
  if (!result || run.isResultCurrent()) return {};
  if (!result->isOfRun()) {
    const QString labels = originText(*result);
    return takesResult ? ResultTexts::tr("This writes the %1.").arg(labels)
                       : ResultTexts::tr(
                             "This holds the parameters. The displayed %1 may belong to others.")
                             .arg(labels);
  }
  const QString shown = differenceText(result->parameters, parameters);
  const QString now = differenceText(parameters, result->parameters);
  return takesResult
             ? ResultTexts::tr("This writes the displayed result (%1). The parameters are now %2.")
                   .arg(shown, now)
             : ResultTexts::tr(
                   "This holds the current parameters (%1). The displayed result belongs to %2.")
                   .arg(now, shown);
}

}  // namespace clusterloom
