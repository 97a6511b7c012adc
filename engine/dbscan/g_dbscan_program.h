#pragma once

#include <cstdint>

#include "engine/core/lane.h"
#include "engine/dbscan/clustering.h"

// G-DBSCAN's search of the neighbour graph [Frasson 2021, §2.3, §3.3]: breadth first from each core
// vertex that has no label yet, in the order of their numbers, one lane per vertex in every pass.
//
// This gives the labels of clustering.h: a cluster's lowest core vertex is the first of it to
// become a root, so clusters come in the order of their lowest core points; and a border vertex,
// which keeps the label it got first, has that of the lowest-numbered cluster with a core point
// within ε.

namespace clusterloom {

/// Input of the search: the graph and the state of the search. Plain pointers.
struct GraphView {
  std::uint32_t vertices = 0;
  std::uint32_t minPts = 0;                  ///< at most vertices + 1
  const std::uint32_t* degrees = nullptr;    ///< by vertex, itself included
  const std::uint64_t* firstEdge = nullptr;  ///< by vertex: its neighbours begin here in `edges`
  const std::uint32_t* edges = nullptr;

  std::uint8_t* visited = nullptr;   ///< by vertex; never cleared, for labels stay
  std::uint8_t* frontier = nullptr;  ///< vertices of this level
  std::uint8_t* next = nullptr;      ///< vertices of the next level; empty when a level starts
  std::uint32_t* loaded = nullptr;   ///< set when a vertex is put there
  std::int32_t* labels = nullptr;    ///< by vertex, kNoise at first
  std::uint32_t* nextRoot = nullptr;

  CLUSTERLOOM_LANE bool isCore(std::uint32_t v) const { return degrees[v] >= minPts; }
};

/// One level of one search: a vertex of the frontier leaves it and, if it is core, loads the
/// neighbours that no search has reached yet. They count as visited from then on and not, as in the
/// paper, from their own turn on: so two vertices of one level do not load each other, and the
/// number of levels does not depend on the order of the lanes.
template <class Lane>
CLUSTERLOOM_LANE void visitVertex(Lane& lane, const GraphView& g, std::uint32_t v) {
  if (g.frontier[v] == 0) return;
  g.frontier[v] = 0;
  if (!g.isCore(v)) return;
  bool any = false;
  const std::uint32_t* edges = g.edges + g.firstEdge[v];
  lane.enter(Loop::Candidate);
  for (std::uint32_t i = 0; i < g.degrees[v]; ++i) {
    lane.step(Loop::Candidate);
    const std::uint32_t q = edges[i];
    if (lane.load(&g.visited[q]) != 0) continue;
    lane.mark(Loop::Hit);
    lane.store(&g.visited[q], std::uint8_t{1});
    lane.store(&g.next[q], std::uint8_t{1});
    any = true;
  }
  lane.leave(Loop::Candidate);
  if (any) lane.store(g.loaded, std::uint32_t{1});
}

/// After a search: reached vertices without a label get the cluster's. The lowest remaining core
/// vertex becomes *nextRoot, which starts as the number of vertices.
template <class Lane>
CLUSTERLOOM_LANE void labelVertex(Lane& lane, const GraphView& g, std::uint32_t v,
                                  std::int32_t cluster) {
  if (g.labels[v] != kNoise) return;
  if (g.visited[v] != 0)
    g.labels[v] = cluster;
  else if (g.isCore(v) && v < lane.load(g.nextRoot))
    lane.least(g.nextRoot, v);
}

/// Cost of a search of the whole graph.
struct GraphSearch {
  std::int32_t clusters = 0;
  std::uint64_t levels = 0;
  /// Passes over all vertices: one per level, and one per cluster to label it.
  std::uint64_t passes() const { return levels + std::uint64_t(clusters); }
};

/// The control logic, over a machine that performs the passes:
///   uint32 firstRoot()           lowest core vertex, `vertices` if there is none
///   void   start(root)           makes root the frontier, and visited
///   bool   level()               one level; whether there is another
///   uint32 label(cluster)        labels what was reached; the next root, `vertices` if none is
///   left
template <class Machine>
GraphSearch searchGraph(Machine& machine, std::uint32_t vertices) {
  GraphSearch search;
  for (std::uint32_t root = machine.firstRoot(); root < vertices;
       root = machine.label(search.clusters++)) {
    machine.start(root);
    do {
      ++search.levels;
    } while (machine.level());
  }
  return search;
}

}  // namespace clusterloom
