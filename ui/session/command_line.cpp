#include "ui/session/command_line.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>

#include "ui/session/call_options.h"
#include "ui/session/whole_file.h"

namespace clusterloom {

QString shellQuoted(const QString& argument) {
  static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_@%+=:,./-]+$"));
  if (plain.match(argument).hasMatch()) return argument;
  QString quoted = argument;
  quoted.replace(QLatin1Char('\''), QStringLiteral("'\\''"));
  return QLatin1Char('\'') + quoted + QLatin1Char('\'');
}

namespace {

constexpr QLatin1String kProgram("clusterloom-cli");

/// The file that is clustered: for a generated cloud the one that `generateCall` writes.
QString fileOf(const SessionState& state) {
  const QString file =
      state.sample ? QString::fromStdString(state.sample->kind) + ".npy" : state.dataPath;
  return file.startsWith('-') ? "./" + file : file;
}

QString joined(const QStringList& words) {
  QStringList quoted;
  for (const QString& argument : words) quoted << shellQuoted(argument);
  return quoted.join(' ');
}

QString generateCall(const SessionState& state) {
  const GeneratorSpec& spec = *state.sample;
  return joined({kProgram, "generate", QString::fromStdString(spec.kind), "--points",
                 QString::number(spec.points), "--dims", QString::number(spec.dims), "--seed",
                 QString::number(spec.seed), fileOf(state)});
}

/// Whether `clusterloom-cli hdbscan` has that option, too, for the same.
bool isOfHdbscan(const CallOption& option) {
  if (option.part == CallOption::Part::Reading) return true;
  return option.name == "min-pts" || option.name == "scale" || option.name == "threads" ||
         option.name == "period" || option.name == "metric";
}

/// Every option that is not as by default; those of this machine on request. `taken`: of clusters
/// that HDBSCAN* takes.
QStringList clusterCall(const SessionState& state, const std::optional<HdbscanOptions>& taken,
                        bool ofMachine) {
  QStringList words{kProgram, taken ? "hdbscan" : "cluster", fileOf(state)};
  if (taken) {
    words << "--min-cluster-size" << QString::number(taken->minClusterSize);
    if (taken->selection != HdbscanOptions().selection)
      words << "--select" << toText(taken->selection);
    if (taken->allowSingleCluster) words << "--allow-single-cluster";
  }
  for (const CallOption& option : callOptions()) {
    if (taken && !isOfHdbscan(option)) continue;
    if (option.part == CallOption::Part::Reading && state.sample) continue;
    if (option.part == CallOption::Part::Machine && !ofMachine) continue;
    const auto value = option.text(state);
    if (!value) continue;
    const QString name = "--" + QString::fromStdString(option.name);
    const QString text = QString::fromStdString(*value);
    if (option.placeholder.empty())
      words << name;
    else if (text.startsWith('-'))  // it would be read as another option
      words << name + '=' + text;
    else
      words << name << text;
  }
  return words;
}

}  // namespace

QString commandLineOf(const SessionState& state, const std::optional<HdbscanOptions>& taken) {
  if (!state.sample && state.dataPath.isEmpty()) return {};
  return (state.sample ? generateCall(state) + " && " : QString()) +
         joined(clusterCall(state, taken, true));
}

QString batchScriptOf(const SessionState& state, const std::optional<HdbscanOptions>& taken) {
  if (!state.sample && state.dataPath.isEmpty()) return {};
  SessionState whole = state;
  whole.parameters.dbscan.minPts =
      minPtsOfAllRows(state.parameters.dbscan.minPts, state.read.every);
  std::optional<HdbscanOptions> clusters = taken;
  if (clusters)
    clusters->minClusterSize = std::uint32_t(std::min<std::uint64_t>(
        std::uint64_t(clusters->minClusterSize) * state.read.every, kMaxPoints));
  whole.read.every = 1;
  const QString labels = QFileInfo(fileOf(state)).completeBaseName() + "-labels.npy";
  // Boxes, spheres, cosine distances, weights and HDBSCAN* need all points in one process.
  const Space& space = state.parameters.space;
  const bool oneProcess = taken || !(space.isEuclidean() || isTreeMetric(space.metric)) ||
                          !state.parameters.weights.isEmpty();
  QStringList lines{
      "#!/bin/bash",
      "#SBATCH --job-name=clusterloom",
      oneProcess ? "# Threads and the time are a start: change them to what your cluster has."
                 : "# Ranks, threads of each and the time are a start: change them to what your "
                   "cluster has.",
      oneProcess ? "#SBATCH --ntasks=1" : "#SBATCH --ntasks=4",
      "#SBATCH --cpus-per-task=8",
      "#SBATCH --time=01:00:00",
      "set -euo pipefail",
      ""};
  if (state.read.every > 1)
    lines
        << QStringLiteral(
               "# The window shows one row of %1; this job clusters every row, with minPts for as "
               "many more points.")
               .arg(state.read.every);
  if (state.sample) lines << generateCall(state);
  lines << (oneProcess ? "" : "mpirun -n \"$SLURM_NTASKS\" --bind-to none ") +
               joined(clusterCall(whole, clusters, false)) + " \\"
        << "  --threads \"$SLURM_CPUS_PER_TASK\" --labels " + shellQuoted(labels)
        << QStringLiteral("# In the window: open %1, then File ▸ Open labels… of %2.")
               .arg(QFileInfo(fileOf(state)).fileName(), labels)
        << "";
  return lines.join('\n');
}

}  // namespace clusterloom
