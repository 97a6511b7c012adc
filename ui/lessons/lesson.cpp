#include "ui/lessons/lesson.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/io/output_set.h"
#include "engine/join/backend_kinds.h"
#include "engine/join/join_plan.h"
#include "engine/join/strategy_options.h"
#include "ui/session/files.h"
#include "ui/session/paper_strategies.h"
#include "ui/words/language.h"

// Q_INIT_RESOURCE must be named outside every namespace.
static void initialiseLessonResources() { Q_INIT_RESOURCE(lessons); }

namespace clusterloom {

namespace {

struct LessonTexts {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::Lesson)
};

constexpr QLatin1String kFormat("clusterloom lesson");
constexpr int kFormatVersion = 1;
constexpr std::size_t kMostPoints = 300000;  // modelled without sampling
constexpr int kMostLessonRanks = 64;

/// Members of one JSON object, in a place that messages name. The first thing that is wrong is
/// kept; an unknown member is an error too, because it is probably misspelt.
class Members {
 public:
  Members(QJsonObject object, QString place, std::optional<QString>& wrong)
      : object_(std::move(object)), place_(std::move(place)), wrong_(wrong) {}

  void complain(const QString& what) const {
    if (!wrong_) wrong_ = place_.isEmpty() ? what : LessonTexts::tr("%1: %2").arg(place_, what);
  }
  bool has(const QString& name) const { return object_.contains(name); }
  bool isText(const QString& name) const { return object_.value(name).isString(); }
  QString text(const QString& name, const QString& otherwise = {}) {
    const QJsonValue value = take(name);
    if (value.isUndefined()) return otherwise;
    if (!value.isString()) complain(LessonTexts::tr("“%1” must be a text").arg(name));
    return value.toString();
  }
  double number(const QString& name, double low, double high, double otherwise) {
    const QJsonValue value = take(name);
    if (value.isUndefined()) return otherwise;
    const double number = value.toDouble(std::nan(""));
    if (!(number >= low && number <= high)) {
      complain(LessonTexts::tr("“%1” must be a number from %2 to %3")
                   .arg(name, QString::number(low), QString::number(high)));
      return otherwise;
    }
    return number;
  }
  template <class Integer>
  Integer whole(const QString& name, double low, double high, Integer otherwise) {
    const double value = number(name, low, high, static_cast<double>(otherwise));
    if (value != std::floor(value))
      complain(LessonTexts::tr("“%1” must be a whole number").arg(name));
    return static_cast<Integer>(value);
  }
  bool flag(const QString& name, bool otherwise) {
    const QJsonValue value = take(name);
    if (value.isUndefined()) return otherwise;
    if (!value.isBool()) complain(LessonTexts::tr("“%1” must be true or false").arg(name));
    return value.toBool();
  }
  /// One of some words, by its place among them.
  template <class E>
  E word(const QString& name, const QStringList& words, E otherwise) {
    if (!has(name)) return otherwise;
    const qsizetype at = words.indexOf(text(name));
    if (at < 0)
      complain(
          LessonTexts::tr("“%1” must be one of %2").arg(name, words.join(QStringLiteral(", "))));
    return at < 0 ? otherwise : static_cast<E>(at);
  }
  /// The members of an object, or of one in the list of this name.
  Members under(const QString& name) { return under(name, object(name)); }
  Members under(const QString& name, const QJsonObject& object) const {
    return {object, place_.isEmpty() ? name : place_ + ", " + name, wrong_};
  }

  QJsonObject object(const QString& name) {
    const QJsonValue value = take(name);
    if (!value.isUndefined() && !value.isObject())
      complain(LessonTexts::tr("“%1” must be an object").arg(name));
    return value.toObject();
  }
  /// A text or a number, as text.
  QString word(const QString& name) {
    const QJsonValue value = take(name);
    if (value.isString()) return value.toString();
    const qint64 whole = value.toInteger(-1);
    if (whole >= 0) return QString::number(whole);
    return value.isDouble() ? QString::number(value.toDouble()) : QString();
  }
  QJsonArray array(const QString& name) {
    const QJsonValue value = take(name);
    if (!value.isUndefined() && !value.isArray())
      complain(LessonTexts::tr("“%1” must be a list").arg(name));
    return value.toArray();
  }
  void complainOfOthers() const {
    for (const QString& name : object_.keys())
      if (!asked_.contains(name)) complain(LessonTexts::tr("“%1” is not a known member").arg(name));
  }

 private:
  QJsonValue take(const QString& name) {
    asked_ << name;
    return object_.value(name);
  }
  QJsonObject object_;
  QString place_;
  std::optional<QString>& wrong_;
  QStringList asked_;
};

/// The engine's words of an enumeration, by fromText.
template <class E>
void readEngineWord(Members& members, const QString& name, E& value) {
  if (!members.has(name)) return;
  const QString word = members.text(name);
  if (!fromText(word.toStdString(), value))
    members.complain(LessonTexts::tr("“%1”: “%2” is not a known word").arg(name, word));
}

Strategy readStrategy(Members members) {
  Strategy strategy = paperStrategies().front().strategy;
  for (const StrategyOption& option : strategyOptions()) {
    const QString name = QString::fromStdString(option.name);
    if (option.use != OptionUse::Joins || !members.has(name)) continue;
    const QString word = members.word(name);
    if (!setOption(strategy, option, word.toStdString()))
      members.complain(LessonTexts::tr("“%1” must be %2, not “%3”")
                           .arg(name, QString::fromStdString(requirementOf(option)), word));
  }
  members.complainOfOthers();
  return strategy;
}

void readCloud(Members members, GeneratorSpec& cloud) {
  QStringList kinds;
  for (const GeneratorKind& kind : generatorKinds()) kinds << QString::fromStdString(kind.name);
  const QString kind = members.text("generator", QString::fromStdString(cloud.kind));
  const qsizetype at = kinds.indexOf(kind);
  if (at < 0)
    return members.complain(LessonTexts::tr("“generator” must be one of %1").arg(kinds.join(", ")));
  cloud.kind = kind.toStdString();
  cloud.points = members.whole("points", 1, kMostPoints, cloud.points);
  const GeneratorKind& made = generatorKinds()[std::size_t(at)];
  cloud.dims = std::clamp(cloud.dims, made.minDims, made.maxDims);
  cloud.dims = members.whole("dims", double(made.minDims), double(made.maxDims), cloud.dims);
  cloud.seed = members.whole("seed", 0, 9e15, cloud.seed);
  members.complainOfOthers();
}

/// One processor of a modelled time line: `lanes` is the name of its streams or threads. Its speeds
/// are those of one lane if `each`, else of all together.
SideModel readSide(Members members, const QString& lanes, bool each) {
  constexpr double kMostLanes = 1024;
  constexpr double kMostSpeed = 1e15;
  SideModel side;
  side.lanes = members.whole(lanes, 1, kMostLanes, 1);
  const double times = each ? side.lanes : 1;
  side.candidatesPerSecond = times * members.number("candidates-per-second", 0, kMostSpeed, 0);
  side.queriesPerSecond = times * members.number("queries-per-second", 0, kMostSpeed, 0);
  if (!(side.candidatesPerSecond > 0) && !(side.queriesPerSecond > 0))
    members.complain(
        LessonTexts::tr("“candidates-per-second” or “queries-per-second” must be above 0"));
  members.complainOfOthers();
  return side;
}

ModelledSides readSides(Members members) {
  ModelledSides sides;
  sides.gpu = readSide(members.under("gpu"), "streams", false);
  sides.cpu = readSide(members.under("cpu"), "threads", true);
  members.complainOfOthers();
  return sides;
}

/// A list of two numbers, the smaller first.
void readRange(Members& members, const QString& name, std::optional<ValueRange>& range) {
  if (!members.has(name)) return;
  const QJsonArray ends = members.array(name);
  const ValueRange read{ends.at(0).toDouble(), ends.at(1).toDouble()};
  if (ends.size() == 2 && ends.at(0).isDouble() && ends.at(1).isDouble() && read.low < read.high)
    range = read;
  else
    members.complain(
        LessonTexts::tr("“%1” must be a list of two numbers, the smaller first").arg(name));
}

/// The GPU that is modelled: its name, or its figures and the weights of its steps.
void readMachine(Members& members, SimtMachine& target) {
  const QString own = "machine";
  if (!members.has(own)) return;
  if (members.isText(own)) {
    if (const auto named = machineFromText(members.text(own).toStdString()))
      target = *named;
    else
      members.complain(QString::fromStdString(named.error().message));
    return;
  }
  Members machine = members.under(own);
  target.multiprocessors = machine.whole("multiprocessors", 1, 1024, target.multiprocessors);
  target.warpsPerMultiprocessor =
      machine.whole("warps-per-multiprocessor", 1, 1024, target.warpsPerMultiprocessor);
  target.streams = machine.whole("streams", 1, 64, target.streams);
  target.clockGHz = machine.number("clock", 0.001, 10, target.clockGHz);
  if (machine.has("weights")) {
    const auto weights = weightsFromText(machine.text("weights").toStdString());
    if (weights)
      target.weights = *weights;
    else
      machine.complain(QString::fromStdString(weights.error().message));
  }
  machine.complainOfOthers();
}

/// The settings of a step; missing members are those of `setup`.
void readSetup(Members& members, LessonSetup& setup) {
  if (members.has("cloud")) readCloud(members.under("cloud"), setup.cloud);
  setup.eps = members.number("eps", 1e-300, 1e150, setup.eps);
  setup.minPts = members.whole("min-pts", 1, 1e9, setup.minPts);
  readEngineWord(members, "kernel", setup.kernel);
  readMachine(members, setup.machine);
  if (members.has("sides")) setup.sides = readSides(members.under("sides"));
  setup.ranks = members.whole("ranks", 1, kMostLessonRanks, setup.ranks);
  setup.strategy = members.text("strategy", setup.strategy);
  static const QStringList charts = {"warps",       "multiprocessors", "histogram", "processors",
                                     "divisions",   "ranks",           "every-eps", "tree",
                                     "reachability"};
  static const QStringList warps = {"none", "first", "middle", "longest", "least-efficient"};
  setup.chart = members.word("chart", charts, setup.chart);
  setup.warp = members.word("warp", warps, setup.warp);
  setup.cursor = members.whole("cursor", 0, 65535, setup.cursor);
  static const std::pair<QString, ColourBy> colours[] = {
      {QStringLiteral("cluster"), ColourBy::Cluster},
      {QStringLiteral("workload"), ColourBy::Workload},
      {QStringLiteral("warp"), ColourBy::Warp},
      {QStringLiteral("idle-lane-steps"), ColourBy::IdleLaneSteps}};
  QStringList words;
  int colour = 0;
  for (const auto& [word, by] : colours) {
    if (by == setup.colourBy) colour = int(words.size());
    words << word;
  }
  setup.colourBy = colours[members.word("colour-by", words, colour)].second;
  readRange(members, "colour-range", setup.colourRange);
  setup.grid = members.flag("grid", setup.grid);
  static const QStringList arrows = {"none", "full", "unicomp", "lid-unicomp"};
  setup.arrows = members.word("arrows", arrows, setup.arrows);
}

/// The lines, from 1, on which the elements of the list "steps" begin in the text of a lesson, in
/// one pass. Qt's reader keeps no places.
std::vector<qsizetype> linesOfSteps(const QByteArray& json) {
  std::vector<qsizetype> lines;
  QByteArray name;  // the last text of the lesson's own level
  qsizetype line = 1;
  int depth = 0;
  bool among = false;    // in the list
  bool between = false;  // before an element of it
  for (qsizetype i = 0; i < json.size(); ++i) {
    const char at = json[i];
    // Commas separate the elements.
    if (among && depth == 2 && at == ',') {
      between = true;
    } else if (among && depth == 2 && between && !QByteArrayView(" \t\r\n").contains(at)) {
      between = false;
      lines.push_back(line);
    }
    if (at == '\n') {
      ++line;
    } else if (at == '"') {
      const qsizetype begin = i + 1;
      for (++i; i < json.size() && json[i] != '"'; ++i) i += json[i] == '\\' ? 1 : 0;
      if (depth == 1) name = json.mid(begin, i - begin);
    } else if (at == '{' || at == '[') {
      if (depth == 1 && at == '[' && name == "steps") {
        among = between = true;
        lines.clear();  // of two lists with this name Qt takes the last
      }
      ++depth;
    } else if (at == '}' || at == ']') {
      --depth;
      among = among && depth > 1;
    }
  }
  return lines;
}

/// A parsed value, or its parser's error.
template <class T>
T parsed(Result<T> result, const Members& members, const QString& name) {
  if (result) return std::move(*result);
  members.complain(
      LessonTexts::tr("“%1”: %2").arg(name, QString::fromStdString(result.error().message)));
  return {};
}

LessonText readText(Members& members, const QString& name) {
  return parsed(LessonText::parse(members.text(name)), members, name);
}

void checkStrategies(const Lesson& lesson, const LessonStep& step, const Members& members) {
  const auto& known = lesson.strategies;
  QStringList used = step.comparedStrategies();
  used << step.setup.strategy;
  if (step.solution) used << step.solution->strategy;
  for (const QString& name : used) {
    const auto found = known.find(name);
    if (found == known.end()) {
      QStringList names;
      for (const auto& [other, strategy] : known) names << other;
      return members.complain(LessonTexts::tr("there is no strategy “%1”; there are %2")
                                  .arg(name, names.join(QStringLiteral(", "))));
    }
    BackendLimits limits{.name = kDeviceBackend, .threadGroups = true};
    if (isOfBoth(step.setup.chart)) limits = {.name = kSharingBackend, .hybrid = true};
    const auto legal =
        checkStrategy(asJoin(found->second),
                      step.setup.kernel == LoadKernel::Pairs ? SinkKind::Pairs : SinkKind::Counts,
                      limits, step.setup.cloud.dims);
    if (!legal)
      return members.complain(LessonTexts::tr("strategy “%1”: %2")
                                  .arg(name, QString::fromStdString(legal.error().message)));
  }
}

/// The task of a step. `members` are those of the task, `step` is the step with its settings.
void readTask(Members members, LessonStep& step) {
  LessonTask task;
  const bool number = members.has("value");
  const bool choice = members.has("choices");
  const bool goal = members.has("goal");
  if (int(number) + int(choice) + int(goal) != 1)
    members.complain(
        LessonTexts::tr("a task must have exactly one of “value”, “choices” and “goal”"));
  if (number) {
    task.value = parsed(Formula::parse(members.text("value")), members, "value");
    task.within = members.number("within", 0, 1, 0.05);
  }
  const QJsonArray choices = members.array("choices");
  for (const QJsonValue each : choices) {
    Members one = members.under("choices", each.toObject());
    TaskChoice made;
    made.text = one.text("text");
    made.claim = parsed(Claim::parse(one.text("claim")), one, "claim");
    one.complainOfOthers();
    if (made.text.isEmpty()) one.complain(LessonTexts::tr("“text” is missing"));
    task.choices.push_back(std::move(made));
  }
  if (choice) task.kind = TaskKind::Choice;
  if (choice && choices.size() < 2)
    members.complain(LessonTexts::tr("“choices” must have two entries or more"));
  for (const QJsonValue claim : members.array("goal"))
    task.goal.push_back(parsed(Claim::parse(claim.toString()), members, "goal"));
  if (goal) {
    task.kind = TaskKind::Goal;
    if (task.goal.empty()) members.complain(LessonTexts::tr("“goal” must have at least one claim"));
    const QString own = "solution";
    if (!members.has(own)) members.complain(LessonTexts::tr("“solution” is missing"));
    Members solution = members.under(own);
    step.solution = step.setup;
    readSetup(solution, *step.solution);
    solution.complainOfOthers();
  }
  for (const QJsonValue hint : members.array("hints"))
    task.hints.push_back(parsed(LessonText::parse(hint.toString()), members, "hints"));
  if (task.hints.size() != 2) members.complain(LessonTexts::tr("“hints” must have two entries"));
  members.complainOfOthers();
  step.task = std::move(task);
}

/// Whether more than the text for a GPU has numbers that a GPU measures.
bool isMeasuredElsewhere(const LessonStep& step) {
  constexpr auto kMeasured = &Fact::measured;
  return step.text.uses(kMeasured) || step.question.uses(kMeasured) ||
         step.answer.uses(kMeasured) || (step.task && step.task->uses(kMeasured)) ||
         std::any_of(step.claims.begin(), step.claims.end(),
                     [](const Claim& claim) { return claim.uses(kMeasured); });
}

LessonStep readStep(const QJsonValue& value, const QString& place, const Lesson& lesson,
                    const LessonSetup& otherwise, std::optional<QString>& wrong) {
  LessonStep step;
  Members members(value.toObject(), place, wrong);
  if (!value.isObject()) {
    members.complain(LessonTexts::tr("a step must be an object"));
    return step;
  }
  step.setup = otherwise;
  step.title = members.text("title");
  step.text = readText(members, "text");
  step.live = readText(members, "live");
  step.question = readText(members, "question");
  step.answer = readText(members, "answer");
  for (const QJsonValue claim : members.array("claims"))
    step.claims.push_back(parsed(Claim::parse(claim.toString()), members, "claims"));
  readSetup(members, step.setup);
  if (members.has("task")) {
    readTask(members.under("task"), step);
    if (step.question.isEmpty())
      members.complain(LessonTexts::tr("a task needs “question” and “answer”"));
  }
  members.complainOfOthers();
  if (step.title.isEmpty()) members.complain(LessonTexts::tr("“title” is missing"));
  if (step.text.isEmpty()) members.complain(LessonTexts::tr("“text” is missing"));
  if (step.question.isEmpty() != step.answer.isEmpty())
    members.complain(LessonTexts::tr("“question” and “answer” must be given together"));
  if (isMeasuredElsewhere(step))
    members.complain(LessonTexts::tr("only “live” has numbers that a GPU measures"));
  if (!(step.setup.eps > 0)) members.complain(LessonTexts::tr("“eps” is missing"));
  if (isOfBoth(step.setup.chart) && !step.setup.sides)
    members.complain(LessonTexts::tr("“sides” (the speeds of both processors) is missing"));
  checkStrategies(lesson, step, members);
  return step;
}

}  // namespace

QStringList LessonStep::comparedStrategies() const {
  QStringList names =
      text.strategies() + live.strategies() + question.strategies() + answer.strategies();
  for (const Claim& claim : claims) names += claim.strategies();
  if (task) names += task->strategies();
  names.removeDuplicates();
  return names;
}

Result<Lesson> lessonFromJson(const QByteArray& json, const QString& path) {
  const auto bad = [&](const QString& what) {
    return badInput(
        LessonTexts::tr("%1: %2").arg(QDir::toNativeSeparators(path), what).toStdString());
  };
  QJsonParseError broken;
  const QJsonDocument document = QJsonDocument::fromJson(json, &broken);
  if (broken.error != QJsonParseError::NoError) {
    const qsizetype line = json.left(broken.offset).count('\n') + 1;
    const bool unended = broken.error == QJsonParseError::UnterminatedObject ||
                         broken.error == QJsonParseError::UnterminatedArray;
    return bad(LessonTexts::tr("line %1: %2")
                   .arg(line)
                   .arg(unended
                            ? LessonTexts::tr("a comma or a bracket is missing here or just before")
                            : broken.errorString()));
  }
  std::optional<QString> wrong;
  Members members(document.object(), {}, wrong);
  if (members.text("format") != kFormat)
    return bad(LessonTexts::tr("this is not a lesson; a lesson begins with \"format\": \"%1\"")
                   .arg(kFormat));
  if (const int version = members.whole("version", 1, 1000, kFormatVersion);
      version > kFormatVersion)
    return bad(LessonTexts::tr("version %1 is newer than this program").arg(version));

  Lesson lesson;
  lesson.path = path;
  lesson.title = members.text("title");
  lesson.summary = members.text("summary");
  if (lesson.title.isEmpty()) members.complain(LessonTexts::tr("“title” is missing"));
  if (const QString next = members.text("next"); !next.isEmpty())
    lesson.next = QDir::cleanPath(QFileInfo(path).dir().filePath(next));
  for (const PaperStrategy& paper : paperStrategies())
    if (!paper.name.contains(QLatin1Char(' '))) lesson.strategies[paper.name] = paper.strategy;
  for (const PaperStrategy& shared : sharedJoins())
    lesson.strategies[shared.name] = shared.strategy;
  const QJsonObject own = members.object("strategies");
  for (auto at = own.begin(); at != own.end(); ++at) {
    Members strategy(at.value().toObject(), LessonTexts::tr("strategy “%1”").arg(at.key()), wrong);
    static const QRegularExpression kNotInName(QStringLiteral("[\\s\"'\\\\\\p{C}]"));
    if (!at.value().isObject() || at.key().contains(kNotInName) || at.key().isEmpty())
      strategy.complain(LessonTexts::tr(
          "a strategy is an object under a name without spaces, quotation marks and backslashes"));
    lesson.strategies[at.key()] = readStrategy(strategy);
  }
  LessonSetup setup;
  readSetup(members, setup);
  const QJsonArray steps = members.array("steps");
  members.complainOfOthers();
  if (steps.isEmpty()) members.complain(LessonTexts::tr("“steps” is missing or empty"));
  const std::vector<qsizetype> lines = linesOfSteps(json);
  for (qsizetype i = 0; i < steps.size() && !wrong; ++i) {
    const qsizetype line = std::size_t(i) < lines.size() ? lines[std::size_t(i)] : 1;
    lesson.steps.push_back(readStep(
        steps[i], LessonTexts::tr("step %1 (line %2)").arg(i + 1).arg(line), lesson, setup, wrong));
  }
  if (wrong) return bad(*wrong);
  return lesson;
}

Result<Lesson> readLesson(const QString& path) {
  const auto bytes = readSmallFile(path);
  if (!bytes) return tl::unexpected(bytes.error());
  return lessonFromJson(*bytes, path);
}

Result<void> copyLesson(const QString& from, const QString& to) {
  const auto text = readSmallFile(from);
  if (!text) return tl::unexpected(text.error());
  return writeAtomically(to.toStdString(),
                         std::string_view(text->constData(), std::size_t(text->size())));
}

QStringList shippedLessons() {
  initialiseLessonResources();
  QStringList paths;
  const QDir folder(QStringLiteral(":/lessons"));
  QStringList names = folder.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name);
  // 10 comes after 9, not after 1.
  std::stable_sort(names.begin(), names.end(), [](const QString& a, const QString& b) {
    return a.section(QLatin1Char('-'), 0, 0).toInt() < b.section(QLatin1Char('-'), 0, 0).toInt();
  });
  for (const QString& name : names) paths << translatedFile(folder.path(), name);
  return paths;
}

}  // namespace clusterloom
