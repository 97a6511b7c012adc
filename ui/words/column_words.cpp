#include "ui/words/column_words.h"

#include <QByteArray>
#include <QCoreApplication>
#include <QSet>
#include <QStringList>
#include <utility>

namespace clusterloom {

namespace {

/// The words of the names, without unit and number, with blanks.
constexpr const char* kWords[] = {
    QT_TRANSLATE_NOOP("clusterloom::Columns", "activity"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "adjusted rand index with"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "backend"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "batch"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "batches"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "busy"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "bytes"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "candidates"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "cell search operations"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "cloud"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "clusters"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "coordinates read"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "distance calculations"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "division"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "end"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "eps"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "eps birth"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "eps end"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "fastest run"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "first query"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "from"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "gain"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "gain by comparisons"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "gain by lanes"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "gain by memory and rest"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "gain by searches"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "gain by tail"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "ghosts"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "gpu share of candidates"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "host"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "identical"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "imbalance"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "in use"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "index"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "index and join least"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "index and join median"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "index and join most"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "indexed dims"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "job"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "join"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "k"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "k distance"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "kernel end"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "label"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "lane"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "largest"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "largest cluster"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "largest cluster points"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "load"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "loop"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "min pts"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "modelled wee"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "multiprocessor"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "noise"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "noise points"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "noise share"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "options"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "pairs"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "parent"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "phase"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "point"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "points"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "position"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "predicted"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "predicted join end"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "processor"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "processors meet at query"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "queries"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "rank"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "ranks"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "reachability"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "replays"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "replicated"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "replicated fixed"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "replicated memory"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "replicated single"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "ring"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "ring imbalance"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "ring index"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "ring join"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "ring memory"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "ring move"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "ring transfer"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "runs"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "selectivity"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "bytes sent"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "stability"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "stability high"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "stability low"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "stage"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "start"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "step"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "steps"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "warps end"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "strategy"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "stream"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "taken as cluster"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "threads"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "times"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "to"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "total"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "transfer"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "transfer end"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "tree cluster"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "warp"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "warps"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "wee"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "wee error"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "weighted steps"),
    QT_TRANSLATE_NOOP("clusterloom::Columns", "when"),
};

const QSet<QByteArray>& known() {
  static const QSet<QByteArray> words = [] {
    QSet<QByteArray> all;
    for (const char* text : kWords) all.insert(text);
    return all;
  }();
  return words;
}

/// The parts of a name: listed words, and the rest.
struct Parts {
  QByteArray words;
  QString unit;  ///< empty: none
  QString rest;  ///< a number or a name, unchanged
};

Parts partsOf(std::string_view name) {
  struct Unit {
    const char* ending;
    const char* sign;
  };
  static constexpr Unit kUnits[] = {
      {"_percent", "%"}, {"_seconds", "s"}, {"_ms", "ms"}, {"_bytes", "bytes"}};
  static constexpr const char* kCounted[] = {"_weighted_steps", "_steps"};
  static const QByteArray kLane("lane_");
  static const QByteArray kWith("adjusted_rand_index_with_");
  const QByteArray text(name.data(), qsizetype(name.size()));
  if (QByteArray whole = QByteArray(text).replace('_', ' '); known().contains(whole))
    return {std::move(whole), {}, {}};
  for (const QByteArray& before : {kLane, kWith})
    if (text.startsWith(before))
      return {before.chopped(1).replace('_', ' '), {}, QString::fromUtf8(text.mid(before.size()))};
  for (const Unit& unit : kUnits)
    if (text.endsWith(unit.ending))
      return {text.chopped(qsizetype(qstrlen(unit.ending))).replace('_', ' '),
              QString::fromLatin1(unit.sign),
              {}};
  for (const char* unit : kCounted)
    if (text.endsWith(unit))
      return {text.chopped(qsizetype(qstrlen(unit))).replace('_', ' '),
              QCoreApplication::translate("clusterloom::Columns",
                                          QByteArray(unit + 1).replace('_', ' ').constData()),
              {}};
  return {QByteArray(text).replace('_', ' '), {}, {}};
}

}  // namespace

bool hasColumnWords(std::string_view name) { return known().contains(partsOf(name).words); }

QString columnWords(std::string_view name) {
  const Parts parts = partsOf(name);
  if (!known().contains(parts.words)) return QString::fromUtf8(name.data(), qsizetype(name.size()));
  QString text = QCoreApplication::translate("clusterloom::Columns", parts.words.constData());
  if (!parts.unit.isEmpty()) text += QStringLiteral(" [%1]").arg(parts.unit);
  if (!parts.rest.isEmpty()) text += QLatin1Char(' ') + parts.rest;
  return text;
}

}  // namespace clusterloom
