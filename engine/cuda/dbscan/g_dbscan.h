#pragma once

#include "engine/core/result.h"
#include "engine/cuda/runtime/device.h"
#include "engine/dbscan/clustering.h"
#include "engine/join/join_input.h"
#include "engine/join/strategy.h"

namespace clusterloom {

/// G-DBSCAN [Frasson 2021]: degrees of all vertices, offsets, adjacency lists, then one
/// breadth-first search after the other over this graph. Every pass over the points compares all
/// pairs; every level of a search goes over all vertices.
///
/// The versions of [Frasson 2021, §4], by `strategy.method`: GDbscanPaper sends the frontier to the
/// host after each level and labels there; GDbscanNoTransfer keeps both on the device;
/// GDbscanShifted, GDbscanShared and GDbscanSharedTiles (ours) are the latter with other ways of
/// reading the candidates in the two passes over all pairs (see CandidateAccess). SHORTC as On ends
/// distances early [Frasson 2021, §3.1.1]; as Auto or Off they are added whole, as in the paper's
/// measurements. The labels are the same as everywhere (engine/dbscan/g_dbscan_program.h says why).
///
/// Memory: 4 bytes an edge, self loops included, each edge from both ends; known after the degrees.
/// The stats's note says how many edges there were, and how many passes were predicted
/// (leastPasses) and done.
///
/// TooLarge, with the number of edges, when they do not fit. Throws CudaFailure, CudaStopped. The
/// cloud satisfies `validate`, ε `epsSquared`, minPts ≥ 1.
Result<Clustering> gDbscanOnGpu(GpuRun& run, const JoinInput& input, const DbscanParams& params,
                                double squaredEps, const Strategy& strategy);

}  // namespace clusterloom
