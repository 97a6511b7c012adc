#include "ui/session/paper_strategies.h"

#include <QCoreApplication>

#include "engine/join/backend_kinds.h"

namespace clusterloom {

namespace {

struct PaperStrategyTexts {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::PaperStrategy)
};

}  // namespace

std::vector<PaperStrategy> paperStrategies() {
  const Strategy plain = gpuCalcGlobal();
  Strategy unicomp = plain;
  unicomp.pattern = AccessPattern::Unicomp;
  Strategy lidUnicomp = plain;
  lidUnicomp.pattern = AccessPattern::LidUnicomp;
  Strategy groups = plain;
  groups.threadsPerPoint = 8;
  Strategy sorted = plain;
  sorted.order = QueryOrder::SortByWorkload;
  Strategy queue = plain;
  queue.order = QueryOrder::WorkQueue;
  Strategy halfQueue = queue;
  halfQueue.pattern = AccessPattern::LidUnicomp;
  Strategy groupQueue = queue;
  groupQueue.threadsPerPoint = 8;
  Strategy all = halfQueue;
  all.threadsPerPoint = 8;
  Strategy tile = plain;
  tile.pattern = AccessPattern::Tile;
  tile.order = QueryOrder::Cell;
  return {
      {QStringLiteral("GPUCALCGLOBAL"),
       PaperStrategyTexts::tr(
           "One thread per query point, all adjacent cells, input order: the baseline."),
       plain},
      {QStringLiteral("UNICOMP"),
       PaperStrategyTexts::tr("Each pair of cells is compared once, by parity."), unicomp},
      {QStringLiteral("LID-UNICOMP"),
       PaperStrategyTexts::tr("Each pair of cells is compared once, by linear id."), lidUnicomp},
      {QStringLiteral("GPUCALCGLOBAL + k = 8"),
       PaperStrategyTexts::tr("Eight threads per query point, all adjacent cells, input order."),
       groups},
      {QStringLiteral("SORTBYWL"),
       PaperStrategyTexts::tr("Query points of each batch sorted by workload, largest first."),
       sorted},
      {QStringLiteral("WORKQUEUE"),
       PaperStrategyTexts::tr("All query points sorted by workload and drawn from a queue."),
       queue},
      {QStringLiteral("WORKQUEUE + LID-UNICOMP"),
       PaperStrategyTexts::tr("The queue and half of the comparisons."), halfQueue},
      {QStringLiteral("WORKQUEUE + k = 8"),
       PaperStrategyTexts::tr("The queue and eight threads per query point."), groupQueue},
      {QStringLiteral("WORKQUEUE + LID-UNICOMP + k = 8"),
       PaperStrategyTexts::tr(
           "The queue, half of the comparisons and eight threads per query point."),
       all},
      {PaperStrategyTexts::tr("tile"),
       PaperStrategyTexts::tr(
           "Query points of a cell share the rows of cells they read (not from the papers)."),
       tile},
  };
}

std::vector<PaperStrategy> otherJoins() {
  return {
      {PaperStrategyTexts::tr("R-tree"),
       PaperStrategyTexts::tr(
           "Every query point searches the box of side 2ε around it in a tree; on the CPU."),
       Strategy{.method = Method::RTree}},
      {PaperStrategyTexts::tr("Super-EGO"),
       PaperStrategyTexts::tr("The points are sorted by cells and halved into sequences, which are "
                              "joined with each other; on the CPU."),
       Strategy{.method = Method::SuperEgo}},
      {PaperStrategyTexts::tr("New-Super-EGO"),
       PaperStrategyTexts::tr(
           "Every query point is joined with the sequences of Super-EGO; on the CPU."),
       Strategy{.method = Method::NewSuperEgo}},
      {QStringLiteral("New-Super-EGO + WORKQUEUE"),
       PaperStrategyTexts::tr("The same in the order of workload: query points with the most "
                              "candidates first; on the CPU."),
       Strategy{.method = Method::NewSuperEgo, .order = QueryOrder::WorkQueue}},
  };
}

std::vector<PaperStrategy> sharedJoins() {
  const auto hybrid = QString::fromUtf8(kSharingBackend);
  Strategy paper;
  paper.pattern = AccessPattern::Full;
  paper.order = QueryOrder::WorkQueue;
  paper.reorder = paper.sortIdu = paper.shortCircuit = Toggle::Off;
  paper.cpuMethod = CpuMethod::NewSuperEgo;
  paper.division = Division::Dyn;
  Strategy byQueries = paper;
  byQueries.division = Division::Queries;
  Strategy byCandidates = paper;
  byCandidates.division = Division::Candidates;
  Strategy adaptive;
  adaptive.order = QueryOrder::WorkQueue;
  return {
      {QStringLiteral("HEGJoin-Dyn"),
       PaperStrategyTexts::tr(
           "CPU and GPU take batches from both ends of one queue until they meet."),
       paper, hybrid},
      {QStringLiteral("HEGJoin-SQ"),
       PaperStrategyTexts::tr("The GPU is given a fixed share of the queries beforehand."),
       byQueries, hybrid},
      {QStringLiteral("HEGJoin-SC"),
       PaperStrategyTexts::tr("The GPU is given a fixed share of the candidates beforehand."),
       byCandidates, hybrid},
      {PaperStrategyTexts::tr("adaptive"),
       PaperStrategyTexts::tr("One queue, and batches that become smaller so that both processors "
                              "end together (not from the papers)."),
       adaptive, hybrid},
  };
}

std::vector<PaperStrategy> comparableStrategies() {
  std::vector<PaperStrategy> all = paperStrategies();
  for (PaperStrategy& other : otherJoins()) all.push_back(std::move(other));
  for (PaperStrategy& shared : sharedJoins()) all.push_back(std::move(shared));
  return all;
}

}  // namespace clusterloom
