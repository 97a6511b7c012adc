#include "ui/lessons/notebook.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>

#include "engine/join/strategy.h"
#include "engine/join/strategy_options.h"
#include "engine/load/loop_weights.h"
#include "ui/lessons/handout_parts.h"

namespace clusterloom {

namespace {

struct NotebookTexts {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::Notebook)
};

/// A fact, and the Python expression that computes it.
struct Computed {
  const char* fact;
  const char* code;
};

/// Of `run`, the load of a strategy.
constexpr Computed kOfRun[] = {
    {"points", "len(X)"},
    {"warps", "run.all_warps"},
    {"batches", "len(np.unique(run.warps['batch']))"},
    {"candidates", "run.candidates"},
    {"pairs", "run.pairs"},
    {"distance-calculations", "run.distance_calculations"},
    {"wee", "run.wee"},
    {"unweighted-wee", "run.warps['lane_steps'].sum() / (32 * run.warps['steps'].sum())"},
    {"cost", "run.warps['steps'].sum(axis=0) @ run.weights"},
    {"idle", "(32 * run.warps['steps'] - run.warps['lane_steps']).sum(axis=0) @ run.weights"},
    {"longest-lane", "run.warps['longest_lane'].max()"},
    {"longest-warp", "(run.warps['steps'] @ run.weights).max()"},
    {"makespan", "run.makespan"},
    {"ideal-makespan", "run.ideal_makespan"},
    {"makespan-time", "1000 * run.makespan_seconds"}};

/// Of `warp`, the picked one of them.
constexpr Computed kOfWarp[] = {
    {"warp-steps", "warp['steps'].sum()"},
    {"warp-cost", "warp['steps'] @ run.weights"},
    {"warp-idle", "32 * warp['steps'].sum() - warp['lane_steps'].sum()"},
    {"warp-unweighted-wee", "warp['lane_steps'].sum() / (32 * warp['steps'].sum())"},
    {"warp-wee", "warp['lane_steps'] @ run.weights / (32 * warp['steps'] @ run.weights)"},
    {"warp-candidate-steps", "warp['steps'][2]"},
    {"warp-longest-lane", "warp['longest_lane']"},
    {"warp-shortest-lane", "warp['shortest_lane']"}};

/// Of `tree`, the clusters of every ε, with its `curve` and the `labels` at ε.
constexpr Computed kOfHierarchy[] = {
    {"clusters", "labels.max() + 1"},
    {"noise", "np.mean(labels < 0)"},
    {"noise-points", "np.sum(labels < 0)"},
    {"border-points", "np.sum(labels >= 0) - np.sum(tree.core_distances() <= eps)"},
    {"largest-cluster", "np.bincount(labels[labels >= 0], minlength=1).max() / len(X)"},
    {"most-clusters", "curve.clusters.max()"}};

/// Of the `labels` of DBSCAN, which are the same with any number of ranks.
constexpr Computed kOfLabels[] = {{"clusters", "labels.max() + 1"},
                                  {"noise", "np.mean(labels < 0)"}};

constexpr const char* kNotebookBegin = R"py(import clusterloom
import numpy as np


def compare(name, here, lesson):
    """Prints a number beside that of the lesson; an error where they differ."""
    print(f"{name}: {here:.6g} (%1: {lesson:.6g})")
    assert np.isclose(here, lesson, rtol=1e-9, atol=0), name)py";

QString digits(double value) { return QString::number(value, 'g', 17); }

QJsonArray linesOf(const QString& text) {
  QJsonArray lines;
  const QStringList parts = text.split(QLatin1Char('\n'));
  for (qsizetype i = 0; i < parts.size(); ++i)
    lines << (i + 1 < parts.size() ? parts[i] + QLatin1Char('\n') : parts[i]);
  return lines;
}

/// The cells of a notebook.
class Cells {
 public:
  void text(const QString& markdown) { add(QStringLiteral("markdown"), markdown, {}); }
  void code(const QString& python) {
    add(QStringLiteral("code"), python,
        {{"execution_count", QJsonValue::Null}, {"outputs", QJsonArray()}});
  }
  QJsonArray all() const { return cells_; }

 private:
  void add(const QString& type, const QString& source, QJsonObject cell) {
    cell["cell_type"] = type;
    cell["id"] = QStringLiteral("cell-%1").arg(cells_.size() + 1);
    cell["metadata"] = QJsonObject();
    cell["source"] = linesOf(source);
    cells_ << cell;
  }
  QJsonArray cells_;
};

/// Text in which no letter has a meaning in Markdown.
QString plain(const QString& text) {
  QString made;
  for (const QChar letter : text) {
    if (QStringLiteral("\\`*_<>#[]|$~").contains(letter)) made += QLatin1Char('\\');
    made += letter;
  }
  return made;
}

/// The strategy as the keyword of clusterloom.load, by its differences from GPUCALCGLOBAL.
QString strategyCode(const Strategy& strategy) {
  const Strategy usual = gpuCalcGlobal();
  QStringList entries;
  for (const StrategyOption& option : strategyOptions()) {
    if (option.use != OptionUse::Joins) continue;
    const std::string value = option.get(strategy);
    const bool indexed = option.name == "index-dims";  // load has another default
    if (!indexed && value == option.get(usual)) continue;
    entries << QStringLiteral("\"%1\": \"%2\"")
                   .arg(QString::fromStdString(option.name).replace('-', '_'),
                        QString::fromStdString(value));
  }
  return QStringLiteral("{%1}").arg(entries.join(QStringLiteral(", ")));
}

QString weightsCode(const SimtMachine& machine) {
  if (!machine.weights) return {};
  QStringList costs;
  for (const double cost : machine.weights->of) costs << digits(cost);
  return QStringLiteral("    weights=(%1),\n").arg(costs.join(QStringLiteral(", ")));
}

QString loadCode(const LessonSetup& setup, const Strategy& strategy) {
  return QStringLiteral(
             "run = clusterloom.load(\n    X,\n    eps,\n    backend=\"cpu\",\n"
             "    kernel=\"%1\",\n    machine=\"%2\",\n%3    strategy=%4,\n)\n")
      .arg(QString::fromStdString(toText(setup.kernel)),
           QString::fromStdString(toText(setup.machine)), weightsCode(setup.machine),
           strategyCode(ofOneProcessor(asJoin(strategy))));
}

/// A comparison for each number that is there.
template <std::size_t n>
QString comparisons(const Computed (&computed)[n], const FactValues& facts) {
  QString code;
  for (const Computed& one : computed) {
    const auto found = facts.find(QLatin1String(one.fact));
    if (found != facts.end() && std::isfinite(found->second))
      code += QStringLiteral("compare(\"%1\", %2, %3)\n")
                  .arg(QLatin1String(one.fact), QLatin1String(one.code), digits(found->second));
  }
  return code;
}

QString cloudCode(const LessonSetup& setup) {
  return QStringLiteral("X = clusterloom.generate(\"%1\", %2, %3, seed=%4)\neps = %5\n")
      .arg(QString::fromStdString(setup.cloud.kind))
      .arg(setup.cloud.points)
      .arg(setup.cloud.dims)
      .arg(setup.cloud.seed)
      .arg(digits(setup.eps));
}

FactValues valuesOf(const FactTable& facts, const QString& strategy) {
  const auto found = facts.find(strategy);
  return found == facts.end() ? FactValues() : found->second;
}

QString stepCode(const Lesson& lesson, const LessonStep& step, const FactTable& facts) {
  const FactValues shown = valuesOf(facts, {});
  QString code = cloudCode(step.setup);
  // The strategy on show comes last, so that `run` is its load in the cells that a reader adds.
  for (const QString& name : step.comparedStrategies())
    code += QStringLiteral("\nprint(\"%1\")\n").arg(name) +
            loadCode(step.setup, lesson.strategies.at(name)) +
            comparisons(kOfRun, valuesOf(facts, name));
  code += QStringLiteral("\nprint(\"%1\")\n").arg(step.setup.strategy) +
          loadCode(step.setup, lesson.strategies.at(step.setup.strategy)) +
          comparisons(kOfRun, shown);
  if (const auto warp = shown.find(QStringLiteral("warp")); warp != shown.end())
    code += QStringLiteral("warp = run.warps[run.warps[\"number\"] == %1][0]\n")
                .arg(digits(warp->second)) +
            comparisons(kOfWarp, shown);
  if (step.setup.chart == LessonChart::Ranks)
    code +=
        QStringLiteral("\nlabels = clusterloom.DBSCAN(eps=eps, min_samples=%1).fit(X).labels_\n")
            .arg(step.setup.minPts) +
        comparisons(kOfLabels, shown);
  if (isOfEveryEps(step.setup.chart))
    code += QStringLiteral(
                "\ntree = clusterloom.Hierarchy(X, min_samples=%1)\ncurve = tree.curve()\n"
                "labels = tree.labels(eps)\n")
                .arg(step.setup.minPts) +
            comparisons(kOfHierarchy, shown);
  return code.trimmed();
}

QString askedText(const HandoutStep& step, int number) {
  QString text =
      QStringLiteral("\n\n**%1** %2").arg(handoutQuestionTitle(number), plain(step.question));
  for (const QString& choice : step.choices) text += QStringLiteral("\n\n- ") + plain(choice);
  return text;
}

}  // namespace

QByteArray lessonNotebook(const Lesson& lesson, const Handout& handout) {
  Cells cells;
  cells.text(QStringLiteral("# %1\n\n%2\n\n%3")
                 .arg(plain(handout.title), plain(handout.summary),
                      plain(NotebookTexts::tr(
                          "The computations of the lesson by the Python module clusterloom. Each "
                          "number stands beside that of the lesson; a cell fails where they "
                          "differ."))));
  cells.code(QString::fromUtf8(kNotebookBegin).arg(NotebookTexts::tr("lesson")));
  int question = 0;
  QString answers = QStringLiteral("## %1").arg(handoutAnswersTitle());
  for (std::size_t i = 0; i < handout.steps.size(); ++i) {
    const HandoutStep& drawn = handout.steps[i];
    const LessonStep& step = lesson.steps[i];
    QString text =
        QStringLiteral("## %1\n\n%2").arg(plain(handoutHeading(handout, i)), plain(drawn.text));
    if (isOfBoth(step.setup.chart))
      text += QStringLiteral("\n\n") +
              plain(NotebookTexts::tr("The module does not divide joins between CPU and GPU by a "
                                      "model: the cell computes the load of the GPU alone."));
    if (!drawn.question.isEmpty()) {
      text += askedText(drawn, ++question);
      answers += QStringLiteral("\n\n**%1** %2")
                     .arg(handoutAnswerTitle(question), plain(handoutAnswerText(drawn)));
    }
    cells.text(text);
    cells.code(stepCode(lesson, step, drawn.facts));
  }
  if (question > 0) cells.text(answers);
  return QJsonDocument(
             QJsonObject{
                 {"cells", cells.all()},
                 {"metadata", QJsonObject{{"kernelspec", QJsonObject{{"display_name", "Python 3"},
                                                                     {"language", "python"},
                                                                     {"name", "python3"}}},
                                          {"language_info", QJsonObject{{"name", "python"}}}}},
                 {"nbformat", 4},
                 {"nbformat_minor", 5}})
      .toJson();
}

}  // namespace clusterloom
