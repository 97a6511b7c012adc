#include "ui/session/command_line.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QStringList>

#include "engine/core/number_text.h"
#include "engine/io/read_words.h"
#include "engine/join/strategy_options.h"

namespace clusterloom {

namespace {

QString shortest(double value) { return QString::fromStdString(roundTripText(value)); }

QString fromWord(const std::string& text) { return QString::fromStdString(text); }

void addScaling(QStringList& words, const ScalingChoice& scaling) {
  switch (scaling.kind) {
    case Scaling::Kind::None:
      return;
    case Scaling::Kind::Unit:
      words << "--scale"
            << "unit";
      return;
    case Scaling::Kind::ZScore:
      words << "--scale"
            << "zscore";
      return;
    case Scaling::Kind::Factors: {
      QStringList factors;
      for (const double factor : scaling.factors) factors << shortest(factor);
      // Joined with '=': a first factor below zero must not look like an option.
      words << "--scale=" + factors.join(',');
      return;
    }
  }
}

void addSpace(QStringList& words, const Space& space) {
  if (!space.periods.empty())
    words << "--period" << QString::fromStdString(periodsText(space.periods));
  if (space.sphere)
    words << "--geographic"
          << "auto";
}

void addReading(QStringList& words, const ReadOptions& read) {
  if (!read.dataset.empty()) words << "--dataset" << QString::fromStdString(read.dataset);
  QStringList columns;
  for (const std::string& column : read.coordinates) columns << QString::fromStdString(column);
  if (!columns.isEmpty()) words << "--columns" << columns.join(',');
  if (read.skipNonFinite) words << "--skip-non-finite";
  if (read.every > 1) words << "--every" << QString::number(read.every);
  const TextOptions& text = read.text;
  if (text.delimiter != '\0') words << "--delimiter" << fromWord(delimiterText(text.delimiter));
  if (text.header != TextOptions::Header::Auto)
    words << "--header" << fromWord(toText(text.header));
  if (text.decimalSign != TextOptions::DecimalSign::Auto)
    words << (text.decimalSign == TextOptions::DecimalSign::Comma ? "--decimal-comma"
                                                                  : "--decimal-point");
}

void addStrategy(QStringList& words, const Strategy& strategy) {
  const Strategy standard;
  for (const StrategyOption& option : strategyOptions()) {
    if (option.use == OptionUse::Pairs || option.get(strategy) == option.get(standard)) continue;
    words << fromWord("--" + option.name) << fromWord(option.get(strategy));
  }
}

}  // namespace

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

/// What has an influence on the labels, and how they are found.
QStringList clusterCall(const SessionState& state, const ReadOptions& read) {
  QStringList words{kProgram, "cluster", fileOf(state)};
  words << "--eps" << shortest(state.parameters.dbscan.eps);
  words << "--min-pts" << QString::number(state.parameters.dbscan.minPts);
  if (!state.sample) addReading(words, read);
  addScaling(words, state.parameters.scaling);
  addSpace(words, state.parameters.space);
  // Joined with '=': a name may begin like an option.
  if (!state.parameters.weights.isEmpty()) words << "--weights=" + state.parameters.weights;
  addStrategy(words, state.parameters.strategy);
  if (state.backend != QStringLiteral("auto")) words << "--backend" << state.backend;
  return words;
}

}  // namespace

QString commandLineOf(const SessionState& state) {
  if (!state.sample && state.dataPath.isEmpty()) return {};
  QStringList words = clusterCall(state, state.read);
  if (state.threads > 0) words << "--threads" << QString::number(state.threads);
  const bool takesDevice =
      state.backend == "auto" || state.backend == "cuda" || state.backend == "hybrid";
  const bool takesDevices =
      (state.backend == "auto" || state.backend == "cuda") && !state.rankDevices.empty();
  if (state.device >= 0 && takesDevice && !takesDevices)
    words << "--device" << QString::number(state.device);
  if (state.ranks > 0) words << "--ranks" << QString::number(state.ranks);
  if (takesDevices) {
    QStringList devices;
    for (const int device : state.rankDevices) devices << QString::number(device);
    words << "--devices" << devices.join(',');
  }
  return (state.sample ? generateCall(state) + " && " : QString()) + joined(words);
}

QString batchScriptOf(const SessionState& state) {
  if (!state.sample && state.dataPath.isEmpty()) return {};
  ReadOptions read = state.read;
  read.every = 1;
  const QString labels = QFileInfo(fileOf(state)).completeBaseName() + "-labels.npy";
  // Other distances than Euclidean ones, and weights, need all points in one process.
  const bool oneProcess =
      !state.parameters.space.isEuclidean() || !state.parameters.weights.isEmpty();
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
    lines << QStringLiteral("# The window shows one row of %1; this job clusters every row.")
                 .arg(state.read.every);
  if (state.sample) lines << generateCall(state);
  lines << (oneProcess ? "" : "mpirun -n \"$SLURM_NTASKS\" --bind-to none ") +
               joined(clusterCall(state, read)) + " \\"
        << "  --threads \"$SLURM_CPUS_PER_TASK\" --labels " + shellQuoted(labels)
        << QStringLiteral("# In the window: open %1, then File ▸ Open labels… of %2.")
               .arg(QFileInfo(fileOf(state)).fileName(), labels)
        << "";
  return lines.join('\n');
}

}  // namespace clusterloom
