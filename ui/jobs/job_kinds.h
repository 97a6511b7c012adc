#pragma once

#include <algorithm>
#include <array>

namespace clusterloom {

/// The purpose of a job. A newer job of a kind makes older ones of the same kind stale and stops
/// them, except for Export, SaveSession, Retire and ClearLevels, whose jobs are done one after the
/// other. The kinds of a group share a worker thread, so that none waits behind a slower one of
/// another group.
enum class JobKind {
  // Data.
  Load,        ///< reading or generating a data set
  Scale,       ///< applying a scaling to the cloud
  Suggest,     ///< ε range and first ε of a cloud
  AddPoints,   ///< reading or scaling points that are added to the cloud
  OpenLabels,  ///< reading labels of the cloud from a file
  // Clustering.
  Cluster,           ///< the exact clustering
  ClusterSelection,  ///< clustering selected points on their own, to try parameters
  // Shown while dragging.
  Preview,       ///< the approximate clustering of a subsample
  StartBackend,  ///< making the backend, which the first preview and run wait for
  // Every ε.
  Hierarchy,     ///< the clusters of every ε
  ClusterTree,   ///< the condensed tree of the hierarchy
  Reachability,  ///< the reachability plot
  ParameterMap,  ///< clusters and noise over ε and minPts
  // Quick derivations.
  ClusterColours,    ///< colours of the clusters through the hierarchy
  LabelAdded,        ///< labelling the added points by the clusters
  Statistics,        ///< of the clusters
  SelectionSummary,  ///< figures of the selected points
  ColourValues,      ///< what the view colours by: density, a column, a dimension
  Grid,              ///< cells of the grid overlay
  CostOfK,           ///< predicted cost of each number of indexed dimensions
  WarpLight,         ///< one warp step by step, and its highlights in the cloud
  LessonFacts,       ///< the numbers in the text of a lesson
  DivisionModel,     ///< modelled time lines of the divisions
  Persistence,       ///< the range of ε over which each cluster persists
  FindHybrid,        ///< whether there is a GPU that can share joins with the CPU
  // Long work in the background.
  JoinForecast,    ///< pairs, memory and time of a join, from sampled queries
  KDistance,       ///< the k-distance plot
  Sweep,           ///< the ε sweep
  WarpLoad,        ///< the load of every warp
  DivisionTiming,  ///< queries that CPU and GPU share, and the speeds of both
  Compare,         ///< comparison of strategies
  CompareClouds,   ///< clusters of the clouds that are not on show, and how labels agree
  FoundAgain,      ///< how often clusters are found again in samples
  Validity,        ///< density-based validity of the clusters
  EpsStability,    ///< how stable the clusters of every ε are in samples
  Plan,            ///< what a join takes on several ranks
  // The view.
  Scene,          ///< what the view prepares for drawing (projections, geometry)
  Select,         ///< finding the points in an outline, and other points to select
  ImportPreview,  ///< first rows of a file for the import dialog
  Retire,         ///< destroying results that are too large to destroy on the owner's thread
  // Beside everything else.
  WholeFile,          ///< clustering all rows of a file block by block
  WholeFileForecast,  ///< what that will take
  LessonClaims,       ///< whether the claims of a lesson hold
  // All points of a file that is larger than memory, for drawing.
  FileLevels,  ///< storing them in levels of detail
  FileLabels,  ///< bringing labels of all rows into their order
  FileValues,  ///< the same of values by which they are coloured
  // Beside that.
  ClearLevels,    ///< removing what was stored
  FileSelection,  ///< finding the selected rows
  FileBox,        ///< the box of these
  KeepRows,       ///< finding the rows that take part
  // Files.
  Export,       ///< labelled points or the cluster table
  SaveSession,  ///< a session file the user asked for
  Autosave,     ///< the session file kept for recovery
};
inline constexpr int kJobKinds = static_cast<int>(JobKind::Autosave) + 1;

/// The first kind of each group.
inline constexpr std::array kJobGroups{
    JobKind::Load,           JobKind::Cluster,      JobKind::Preview, JobKind::Hierarchy,
    JobKind::ClusterColours, JobKind::JoinForecast, JobKind::Scene,   JobKind::WholeFile,
    JobKind::FileLevels,     JobKind::ClearLevels,  JobKind::Export};

/// The first kind of its group.
constexpr JobKind groupOf(JobKind kind) {
  return *(std::upper_bound(kJobGroups.begin(), kJobGroups.end(), kind) - 1);
}

/// Whether *Stop* stops jobs of this kind: all long ones. Scale and Hierarchy are not among them,
/// because stopping them ends more than the job.
constexpr bool isStoppedByHand(JobKind kind) {
  const JobKind group = groupOf(kind);
  return (group == JobKind::Load && kind != JobKind::Scale) || group == JobKind::Cluster ||
         group == JobKind::JoinForecast || group == JobKind::WholeFile ||
         group == JobKind::FileLevels || kind == JobKind::LabelAdded || kind == JobKind::Select ||
         kind == JobKind::FileSelection || kind == JobKind::FileBox || kind == JobKind::KeepRows ||
         kind == JobKind::Export;
}

/// Whether *Stop* ends jobs of this kind.
constexpr bool endsByStop(JobKind kind) {
  return isStoppedByHand(kind) || kind == JobKind::Scale || kind == JobKind::Hierarchy;
}

/// Whether such a job may take hours: it is stopped where nothing else is under way.
constexpr bool isStoppedLast(JobKind kind) {
  return kind == JobKind::WholeFile || groupOf(kind) == JobKind::FileLevels;
}

/// Whether such a job writes a file that a person asked for: it goes on when the data is closed,
/// and the window waits for it.
constexpr bool writesFile(JobKind kind) {
  return kind == JobKind::Export || kind == JobKind::SaveSession || kind == JobKind::WholeFile;
}

}  // namespace clusterloom
