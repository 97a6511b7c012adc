#pragma once

namespace clusterloom {

// The parts of a session, its jobs and its values, for headers that only name them.
class AddedPoints;
class BackendSlot;
class CloudComparison;
class ClusterChecks;
class ClusterRun;
class ClusterTree;
class Comparison;
class DerivedResults;
class DivisionLab;
class EpsStability;
class EveryEps;
class FileLevels;
class JobQueue;
class LoadLab;
class OpenClouds;
class OpenedLabels;
class Replay;
class SelectedPoints;
class Session;
class SessionData;
class SessionFiles;
class TreeColours;
class WholeFile;
struct ClusterResult;
struct ColourValues;
struct ComparedRun;
struct DisplayState;
struct ExactSweep;
struct FileRow;
struct GridCells;
struct HeldCloud;
struct LoadResult;
struct LoadedData;
struct Parameters;
struct ReadyCloud;
struct Selection;

}  // namespace clusterloom
