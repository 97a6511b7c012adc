#include "ui/session/command_line.h"

#include <QRegularExpression>
#include <QStringList>

#include "engine/core/number_text.h"

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

void addReading(QStringList& words, const ReadOptions& read) {
  QStringList columns;
  for (const std::string& column : read.coordinates) columns << QString::fromStdString(column);
  if (!columns.isEmpty()) words << "--columns" << columns.join(',');
  if (read.skipNonFinite) words << "--skip-non-finite";
  const TextOptions& text = read.text;
  if (text.delimiter != '\0') {
    words << "--delimiter"
          << (text.delimiter == ','    ? "comma"
              : text.delimiter == ';'  ? "semicolon"
              : text.delimiter == '\t' ? "tab"
                                       : "space");
  }
  if (text.header != TextOptions::Header::Auto)
    words << "--header" << (text.header == TextOptions::Header::Yes ? "yes" : "no");
  if (text.decimalComma) words << "--decimal-comma";
}

void addStrategy(QStringList& words, const Strategy& strategy) {
  const Strategy standard;
  if (strategy.indexedDims > 0) words << "--index-dims" << QString::number(strategy.indexedDims);
  if (strategy.precision != standard.precision)
    words << "--precision"
          << "32";
  if (strategy.method != standard.method) words << "--method" << fromWord(toText(strategy.method));
  if (strategy.pattern != standard.pattern)
    words << "--pattern" << fromWord(toText(strategy.pattern));
  if (strategy.order != standard.order) words << "--order" << fromWord(toText(strategy.order));
  if (strategy.threadsPerPoint != standard.threadsPerPoint)
    words << "--threads-per-point" << QString::number(strategy.threadsPerPoint);
  if (strategy.reorder != standard.reorder)
    words << "--reorder" << fromWord(toText(strategy.reorder));
  if (strategy.sortIdu != standard.sortIdu)
    words << "--sort-idu" << fromWord(toText(strategy.sortIdu));
  if (strategy.shortCircuit != standard.shortCircuit)
    words << "--short-circuit" << fromWord(toText(strategy.shortCircuit));
  if (strategy.denseCells != standard.denseCells)
    words << "--dense-cells" << fromWord(toText(strategy.denseCells));
  if (strategy.earlyStop != standard.earlyStop)
    words << "--early-stop" << fromWord(toText(strategy.earlyStop));
  if (strategy.batchPairs != 0) words << "--batch-size" << QString::number(strategy.batchPairs);
}

}  // namespace

QString shellQuoted(const QString& argument) {
  static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_@%+=:,./-]+$"));
  if (plain.match(argument).hasMatch()) return argument;
  QString quoted = argument;
  quoted.replace(QLatin1Char('\''), QStringLiteral("'\\''"));
  return QLatin1Char('\'') + quoted + QLatin1Char('\'');
}

QString commandLineOf(const SessionState& state) {
  if (!state.sample && state.dataPath.isEmpty()) return {};
  const QString program = QStringLiteral("clusterloom-cli");

  QString generate;
  QString file = state.dataPath;
  if (state.sample) {
    const GeneratorSpec& spec = *state.sample;
    file = QString::fromStdString(spec.kind) + ".npy";
    generate = QStringList{program,
                           "generate",
                           shellQuoted(QString::fromStdString(spec.kind)),
                           "--points",
                           QString::number(spec.points),
                           "--dims",
                           QString::number(spec.dims),
                           "--seed",
                           QString::number(spec.seed),
                           shellQuoted(file)}
                   .join(' ') +
               " && ";
  }

  QStringList words{program, "cluster", file.startsWith('-') ? "./" + file : file};
  words << "--eps" << shortest(state.parameters.dbscan.eps);
  words << "--min-pts" << QString::number(state.parameters.dbscan.minPts);
  if (!state.sample) addReading(words, state.read);
  addScaling(words, state.parameters.scaling);
  addStrategy(words, state.parameters.strategy);
  if (state.backend != QStringLiteral("auto")) words << "--backend" << state.backend;
  if (state.threads > 0) words << "--threads" << QString::number(state.threads);

  QStringList quoted;
  for (const QString& argument : words) quoted << shellQuoted(argument);
  return generate + quoted.join(' ');
}

}  // namespace clusterloom
