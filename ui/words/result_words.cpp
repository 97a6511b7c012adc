#include "ui/words/result_words.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStringList>

#include "engine/io/partial_read.h"
#include "render/charts/plot_area.h"
#include "ui/session/cluster_run.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

struct Texts {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::ResultWords)
};

/// What labels are that no run of DBSCAN made.
QString originText(const ClusterResult& result) {
  if (result.hdbscan)
    return Texts::tr("clusters of HDBSCAN* with at least %1 points")
        .arg(count(result.hdbscan->minClusterSize));
  return Texts::tr("labels of %1").arg(QFileInfo(result.labelsFile).fileName());
}

}  // namespace

QString partialText(const PartialRead& partial) {
  return Texts::tr("reading: %1 of about %2 points shown")
      .arg(count(partial.sample->size()), QString::fromStdString(withUnit(double(partial.rows))));
}

QString differenceText(const Parameters& shown, const Parameters& other) {
  QStringList words;
  if (shown.dbscan.eps != other.dbscan.eps)
    words << Texts::tr("ε %1").arg(epsText(shown.dbscan.eps));
  if (shown.dbscan.minPts != other.dbscan.minPts)
    words << Texts::tr("minPts %1").arg(count(static_cast<std::uint64_t>(shown.dbscan.minPts)));
  if (!samePoints(shown.kept, other.kept))
    words << (shown.kept ? counted(shown.kept->size(), Texts::tr("1 point kept"),
                                   Texts::tr("%1 points kept"))
                         : Texts::tr("all points"));
  Parameters alike = shown;
  alike.refinements = other.refinements;
  if (!(alike == shown))
    words << (shown.refinements.empty() ? Texts::tr("nothing clustered on its own")
                                        : Texts::tr("other points clustered on their own"));
  if (!(shown.scaling == other.scaling)) words << Texts::tr("another scaling");
  if (!(shown.space == other.space)) words << Texts::tr("other distances");
  if (shown.weights != other.weights)
    words << (shown.weights.isEmpty() ? Texts::tr("no weights")
                                      : Texts::tr("weights %1").arg(shown.weights));
  if (!(shown.strategy == other.strategy)) words << Texts::tr("another strategy");
  return words.join(Texts::tr(", "));
}

QString subsetText(const Parameters& parameters, std::size_t points) {
  QStringList words;
  if (parameters.kept)
    words << Texts::tr("%1 of %2 kept")
                 .arg(count(parameters.kept->size()),
                      counted(points, Texts::tr("1 point"), Texts::tr("%1 points")));
  for (const Refinement& refinement : parameters.refinements)
    words << Texts::tr("%1 clustered on their own with ε %2, minPts %3")
                 .arg(counted(refinement.points->size(), Texts::tr("1 point"),
                              Texts::tr("%1 points")),
                      epsText(refinement.dbscan.eps),
                      count(static_cast<std::uint64_t>(refinement.dbscan.minPts)));
  return words.join(Texts::tr("; "));
}

QString resultText(const ClusterRun& run, const Parameters& parameters) {
  QString state;
  switch (run.state()) {
    case RunState::NoCloud:
    case RunState::Current:
      return {};
    case RunState::Running:
      state = Texts::tr("running");
      break;
    case RunState::Stopped:
      state = Texts::tr("stopped");
      break;
    case RunState::Failed:
      state = Texts::tr("the run failed");
      break;
    case RunState::NotRun:
      state = Texts::tr("not run");
      break;
    case RunState::NeedsEps:
      return Texts::tr("no ε yet");
  }
  const auto result = run.result();
  if (result && !result->isOfRun()) {
    const QString labels = originText(*result);
    return run.state() == RunState::Running ? Texts::tr("%1; showing the %2").arg(state, labels)
                                            : labels;
  }
  if (!result)
    return run.state() == RunState::Running ? state : Texts::tr("%1; no result").arg(state);
  return Texts::tr("%1; showing the result of %2")
      .arg(state, differenceText(result->parameters, parameters));
}

QString outputText(const ClusterRun& run, const Parameters& parameters, bool takesResult) {
  const auto result = run.result();
  if (!result || run.isResultCurrent()) return {};
  if (!result->isOfRun()) {
    const QString labels = originText(*result);
    return takesResult
               ? Texts::tr("This writes the %1.").arg(labels)
               : Texts::tr("This holds the parameters, of which the %1 on show need not be.")
                     .arg(labels);
  }
  const QString shown = differenceText(result->parameters, parameters);
  const QString now = differenceText(parameters, result->parameters);
  return takesResult
             ? Texts::tr("This writes the result on show, that of %1. The parameters are now %2.")
                   .arg(shown, now)
             : Texts::tr(
                   "This holds the parameters as they are now, %1. The result on show is that "
                   "of %2.")
                   .arg(now, shown);
}

}  // namespace clusterloom
