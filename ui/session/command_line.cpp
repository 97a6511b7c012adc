#include "ui/session/command_line.h"

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

void addReading(QStringList& words, const ReadOptions& read) {
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
  const bool takesDevice =
      state.backend == "auto" || state.backend == "cuda" || state.backend == "hybrid";
  if (state.device >= 0 && takesDevice) words << "--device" << QString::number(state.device);

  QStringList quoted;
  for (const QString& argument : words) quoted << shellQuoted(argument);
  return generate + quoted.join(' ');
}

}  // namespace clusterloom
