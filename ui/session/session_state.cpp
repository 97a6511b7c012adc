#include "ui/session/session_state.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "engine/core/number_text.h"
#include "engine/io/output_set.h"
#include "engine/join/strategy_options.h"
#include "ui/session/small_file.h"

namespace clusterloom {

namespace {

constexpr QLatin1String kWhat("clusterloom session");

struct SessionStateTexts {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::SessionState)
};

/// A word for each value of an enumeration, in the order of the values.
template <class E>
struct Words;
template <>
struct Words<ColourBy> {
  static constexpr const char* list[] = {"cluster",   "role",     "density", "attribute",
                                         "dimension", "workload", "warp",    "idle-lane-steps"};
};
template <>
struct Words<ColourMap> {
  static constexpr const char* list[] = {"viridis", "cividis", "plasma",
                                         "magma",   "grey",    "blue-red"};
};
template <>
struct Words<GridColouring> {
  static constexpr const char* list[] = {"count", "workload"};
};
template <>
struct Words<PatternArrows> {
  static constexpr const char* list[] = {"none", "full", "unicomp", "lid-unicomp"};
};
template <>
struct Words<Scaling::Kind> {
  static constexpr const char* list[] = {"none", "unit", "zscore", "factors"};
};
template <>
struct Words<TextOptions::Header> {
  static constexpr const char* list[] = {"auto", "yes", "no"};
};
template <>
struct Words<TextOptions::DecimalSign> {
  static constexpr const char* list[] = {"auto", "point", "comma"};
};
template <class E>
QString word(E value) {
  return QString::fromLatin1(Words<E>::list[static_cast<int>(value)]);
}

// 64-bit integers travel as text: JSON numbers are doubles to most readers.
QString numberText(std::uint64_t value) { return QString::number(value); }

QJsonArray toArray(const std::vector<std::string>& words) {
  QJsonArray array;
  for (const std::string& text : words) array.append(QString::fromStdString(text));
  return array;
}

template <class Numbers>
QJsonArray numbersToArray(const Numbers& numbers) {
  QJsonArray array;
  for (const auto number : numbers) array.append(number);
  return array;
}

/// Reads members of one JSON object. A member that is missing keeps its default (older versions
/// lack some); one of the wrong kind is an error, of which the first is kept.
class Reader {
 public:
  Reader(QJsonObject object, QString where, QString& error)
      : object_(std::move(object)), where_(std::move(where)), error_(error) {}

  Reader in(const char* name) const {
    const QJsonValue value = object_.value(QLatin1String(name));
    if (!value.isUndefined() && !value.isObject()) complain(name, "an object");
    return Reader(value.toObject(), path(name), error_);
  }
  bool has(const char* name) const { return object_.contains(QLatin1String(name)); }

  void read(const char* name, bool& value) const {
    const QJsonValue member = get(name);
    if (member.isUndefined()) return;
    if (!member.isBool()) return complain(name, "true or false");
    value = member.toBool();
  }
  void read(const char* name, QString& value) const {
    const QJsonValue member = get(name);
    if (member.isUndefined()) return;
    if (!member.isString()) return complain(name, "a text");
    value = member.toString();
  }
  void read(const char* name, std::string& value) const {
    QString text = QString::fromStdString(value);
    read(name, text);
    value = text.toStdString();
  }
  void read(const char* name, double& value, double low, double high) const {
    const QJsonValue member = get(name);
    if (member.isUndefined()) return;
    const double number = member.toDouble(std::numeric_limits<double>::quiet_NaN());
    if (!(number >= low && number <= high)) return complain(name, "a number in range");
    value = number;
  }
  /// A text or a whole number, as text. False where there is none.
  bool readText(const char* name, std::string& text) const {
    const QJsonValue member = get(name);
    if (member.isString()) text = member.toString().toStdString();
    if (member.isDouble()) text = roundTripText(member.toDouble());
    if (member.isDouble() && member.toInteger(-1) >= 0) text = std::to_string(member.toInteger());
    if (!member.isUndefined() && !member.isString() && !member.isDouble())
      complain(name, "a text or a number");
    return member.isString() || member.isDouble();
  }
  template <class Integer>
  void readInteger(const char* name, Integer& value, Integer low, Integer high) const {
    const QJsonValue member = get(name);
    if (member.isUndefined()) return;
    bool ok = false;
    if (member.isString()) {
      if constexpr (std::is_unsigned_v<Integer>) {
        const qulonglong number = member.toString().toULongLong(&ok);
        ok = ok && number >= low && number <= high;
        if (ok) value = static_cast<Integer>(number);
      } else {
        const qlonglong number = member.toString().toLongLong(&ok);
        ok = ok && number >= low && number <= high;
        if (ok) value = static_cast<Integer>(number);
      }
    } else if (member.isDouble()) {
      const double number = member.toDouble();
      ok = number == std::floor(number) && std::abs(number) < 9e15 &&
           number >= static_cast<double>(low) && number <= static_cast<double>(high);
      if (ok) value = static_cast<Integer>(number);
    }
    if (!ok) complain(name, "a whole number in range");
  }
  template <class E>
  void readWord(const char* name, E& value) const {
    if (!has(name)) return;
    QString text;
    read(name, text);
    int index = 0;
    for (const char* candidate : Words<E>::list) {
      if (text == QLatin1String(candidate)) {
        value = static_cast<E>(index);
        return;
      }
      ++index;
    }
    complain(name, "one of the words this version knows");
  }
  QJsonArray array(const char* name) const {
    const QJsonValue member = get(name);
    if (!member.isUndefined() && !member.isArray()) complain(name, "a list");
    return member.toArray();
  }
  std::vector<std::string> words(const char* name) const {
    std::vector<std::string> result;
    for (const QJsonValue value : array(name)) {
      if (!value.isString()) complain(name, "a list of texts");
      result.push_back(value.toString().toStdString());
    }
    return result;
  }
  template <class Number>
  std::vector<Number> numbers(const char* name) const {
    std::vector<Number> result;
    for (const QJsonValue value : array(name)) {
      const double number = value.toDouble(std::numeric_limits<double>::quiet_NaN());
      const bool fits = std::is_floating_point_v<Number>
                            ? std::isfinite(number)
                            : number == std::floor(number) && std::abs(number) < 2147483648.0;
      if (fits)
        result.push_back(static_cast<Number>(number));
      else
        complain(name, "a list of numbers");
    }
    return result;
  }
  void complain(const char* name, const char* expected) const {
    if (error_.isEmpty())
      error_ = QStringLiteral("“%1” should be %2").arg(path(name), QString::fromUtf8(expected));
  }

 private:
  QJsonValue get(const char* name) const { return object_.value(QLatin1String(name)); }
  QString path(const char* name) const {
    return where_.isEmpty() ? QString::fromLatin1(name)
                            : where_ + QLatin1Char('.') + QLatin1String(name);
  }

  QJsonObject object_;
  QString where_;
  QString& error_;
};

QJsonObject toJson(const ReadOptions& read) {
  return {{"dataset", QString::fromStdString(read.dataset)},
          {"coordinates", toArray(read.coordinates)},
          {"keep", toArray(read.keep)},
          {"keepOthers", read.keepOthers},
          {"skipNonFinite", read.skipNonFinite},
          {"every", numberText(read.every)},
          {"memoryLimit", numberText(read.memoryLimit)},
          {"text", QJsonObject{{"delimiter", read.text.delimiter == '\0'
                                                 ? QString()
                                                 : QString(QChar::fromLatin1(read.text.delimiter))},
                               {"header", word(read.text.header)},
                               {"decimalSign", word(read.text.decimalSign)},
                               {"comment", read.text.comment == '\0'
                                               ? QString()
                                               : QString(QChar::fromLatin1(read.text.comment))}}}};
}

void readCharacter(const Reader& from, const char* name, char& value) {
  QString text = QString(QChar::fromLatin1(value));
  if (!from.has(name)) return;
  from.read(name, text);
  if (text.size() > 1 || (text.size() == 1 && text[0].unicode() > 127))
    return from.complain(name, "one character");
  value = text.isEmpty() ? '\0' : text[0].toLatin1();
}

ReadOptions readOptionsFrom(const Reader& from) {
  ReadOptions read;
  QString dataset;  // earlier sessions have none
  if (from.has("dataset")) from.read("dataset", dataset);
  read.dataset = dataset.toStdString();
  read.coordinates = from.words("coordinates");
  read.keep = from.words("keep");
  from.read("keepOthers", read.keepOthers);
  from.read("skipNonFinite", read.skipNonFinite);
  from.readInteger<std::uint64_t>("every", read.every, 1, kMostEvery);
  from.readInteger<std::uint64_t>("memoryLimit", read.memoryLimit, 0,
                                  std::numeric_limits<std::uint64_t>::max());
  const Reader text = from.in("text");
  readCharacter(text, "delimiter", read.text.delimiter);
  readCharacter(text, "comment", read.text.comment);
  text.readWord("header", read.text.header);
  text.readWord("decimalSign", read.text.decimalSign);
  bool decimalComma = false;  // what earlier programs wrote
  text.read("decimalComma", decimalComma);
  if (decimalComma) read.text.decimalSign = TextOptions::DecimalSign::Comma;
  return read;
}

/// Words as text and numbers as numbers; 0 stands for "auto".
QJsonValue toJson(const StrategyOption& option, const Strategy& strategy) {
  const std::string text = option.get(strategy);
  if (!option.values.empty() && option.name != "threads-per-point")
    return QString::fromStdString(text);
  const std::uint64_t number = text == "auto" ? 0 : readUnsigned({}, text, 0).value_or(0);
  constexpr std::uint64_t kExact = std::uint64_t{1} << 53;
  return number < kExact ? QJsonValue(qint64(number)) : QJsonValue(numberText(number));
}

QJsonObject toJson(const Strategy& strategy) {
  QJsonObject object;
  for (const StrategyOption& option : strategyOptions())
    object[QString::fromStdString(option.key)] = toJson(option, strategy);
  return object;
}

Strategy strategyFrom(const Reader& from) {
  Strategy strategy;
  for (const StrategyOption& option : strategyOptions()) {
    std::string text;
    if (!from.readText(option.key.c_str(), text)) continue;
    if (option.automatic && text == "0") text = "auto";
    if (!setOption(strategy, option, text))
      from.complain(option.key.c_str(), requirementOf(option).c_str());
  }
  return strategy;
}

/// Ascending numbers as text: the gaps before runs of successive numbers and the lengths of these
/// runs, each in 7 bits a byte, lowest first, the last byte below 128; all in base 64.
QString pointsText(const std::vector<std::uint32_t>& points) {
  QByteArray bytes;
  const auto put = [&](std::uint32_t number) {
    for (; number >= 128; number >>= 7) bytes.append(static_cast<char>(128 | (number & 127)));
    bytes.append(static_cast<char>(number));
  };
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < points.size();) {
    std::size_t end = i + 1;
    while (end < points.size() && points[end] == points[end - 1] + 1) ++end;
    put(points[i] - next);
    put(static_cast<std::uint32_t>(end - i));
    next = points[end - 1] + 1;
    i = end;
  }
  return QString::fromLatin1(bytes.toBase64());
}

/// Null where `text` is not from pointsText or names no points.
PointSet pointsFrom(const QString& text) {
  const auto decoded =
      QByteArray::fromBase64Encoding(text.toLatin1(), QByteArray::AbortOnBase64DecodingErrors);
  if (!decoded) return nullptr;
  std::vector<std::uint32_t> points;
  std::uint64_t next = 0;
  std::uint64_t gap = 0;
  std::uint64_t number = 0;
  int bits = 0;
  bool isGap = true;
  for (const char byte : decoded.decoded) {
    const auto part = static_cast<unsigned char>(byte);
    number |= static_cast<std::uint64_t>(part & 127U) << bits;
    bits += 7;
    if (part >= 128) {
      if (bits > 28) return nullptr;
      continue;
    }
    if (isGap) {
      gap = number;
    } else {
      if (number == 0 || next + gap + number > kMaxPoints) return nullptr;
      for (std::uint64_t i = 0; i < number; ++i)
        points.push_back(static_cast<std::uint32_t>(next + gap + i));
      next += gap + number;
    }
    isGap = !isGap;
    number = 0;
    bits = 0;
  }
  if (!isGap || bits != 0 || points.empty()) return nullptr;
  return std::make_shared<const std::vector<std::uint32_t>>(std::move(points));
}

PointSet pointsFrom(const Reader& from, const char* name) {
  QString text;
  from.read(name, text);
  PointSet points = pointsFrom(text);
  if (!points) from.complain(name, "a list of points");
  return points;
}

QJsonArray toJson(const std::vector<Refinement>& refinements) {
  QJsonArray array;
  for (const Refinement& refinement : refinements)
    array.append(
        QJsonObject{{"points", pointsText(*refinement.points)},
                    {"eps", refinement.dbscan.eps},
                    {"minPts", numberText(static_cast<std::uint64_t>(refinement.dbscan.minPts))}});
  return array;
}

void readDbscan(const Reader& from, DbscanParams& params) {
  from.read("eps", params.eps, std::numeric_limits<double>::min(),
            std::numeric_limits<double>::max());
  from.readInteger<std::int64_t>("minPts", params.minPts, 1,
                                 std::numeric_limits<std::int64_t>::max());
}

QJsonObject toJson(const DisplayState& d) {
  QJsonObject object{{"colourBy", word(d.colourBy)},
                     {"attribute", d.attribute},
                     {"dimension", d.dimension},
                     {"pca", d.pca},
                     {"axes", numbersToArray(d.axes)},
                     {"pointSize", d.pointSize},
                     {"opacity", d.opacity},
                     {"colourMap", word(d.colourMap)},
                     {"background", d.background.isValid() ? d.background.name() : QString()},
                     {"axesShown", d.axesShown},
                     {"gridShown", d.gridShown},
                     {"gridColouring", word(d.gridColouring)},
                     {"patternArrows", word(d.patternArrows)},
                     {"hidden", numbersToArray(d.hidden)},
                     {"flat", d.flat}};
  if (d.range) object["range"] = QJsonArray{d.range->low, d.range->high};
  return object;
}

DisplayState displayFrom(const Reader& from) {
  DisplayState d;
  from.readWord("colourBy", d.colourBy);
  from.read("attribute", d.attribute);
  from.readInteger("dimension", d.dimension, 0, static_cast<int>(kMaxDims));
  from.read("pca", d.pca);
  if (from.has("axes")) {
    const std::vector<int> axes = from.numbers<int>("axes");
    if (axes.size() == d.axes.size())
      std::copy(axes.begin(), axes.end(), d.axes.begin());
    else
      from.complain("axes", "a list of three numbers");
  }
  from.read("pointSize", d.pointSize, 0, 100);
  from.read("opacity", d.opacity, 0.02, 1);
  from.readWord("colourMap", d.colourMap);
  if (from.has("range")) {
    const std::vector<double> range = from.numbers<double>("range");
    if (range.size() == 2 && range[0] < range[1])
      d.range = ValueRange{range[0], range[1]};
    else
      from.complain("range", "a list of two ascending numbers");
  }
  QString background;
  from.read("background", background);
  if (!background.isEmpty()) {
    d.background = QColor(background);
    if (!d.background.isValid()) from.complain("background", "a colour such as #202020");
  }
  from.read("axesShown", d.axesShown);
  from.read("gridShown", d.gridShown);
  from.readWord("gridColouring", d.gridColouring);
  from.readWord("patternArrows", d.patternArrows);
  const auto hidden = from.numbers<std::int32_t>("hidden");
  d.hidden.insert(hidden.begin(), hidden.end());
  from.read("flat", d.flat);
  return d;
}

tl::unexpected<Error> notASession(const QString& why) {
  return fail(
      ErrorKind::BadInput,
      SessionStateTexts::tr("This is not a Clusterloom session: %1.").arg(why).toStdString());
}

/// Absolute, and relative to the folder of the session file.
void putPath(QJsonObject& object, const QString& path, const QString& directory) {
  object["path"] = path;
  object["relativePath"] = QDir(directory).relativeFilePath(path);
}

/// The path that `putPath` wrote; the relative one where the absolute one is gone.
QString pathFrom(const Reader& object, const QString& directory) {
  QString path, relative;
  object.read("path", path);
  object.read("relativePath", relative);
  if (relative.isEmpty() || QFileInfo::exists(path)) return path;
  const QString moved = QDir::cleanPath(QDir(directory).absoluteFilePath(relative));
  return QFileInfo::exists(moved) ? moved : path;
}

QJsonObject dataToJson(const CloudState& cloud, const QString& directory) {
  QJsonObject data;
  if (cloud.sample) {
    data["sample"] = QJsonObject{{"kind", QString::fromStdString(cloud.sample->kind)},
                                 {"points", numberText(cloud.sample->points)},
                                 {"dims", numberText(cloud.sample->dims)},
                                 {"seed", numberText(cloud.sample->seed)}};
  } else if (!cloud.dataPath.isEmpty()) {
    putPath(data, cloud.dataPath, directory);
    data["hash"] = cloud.dataHash;
    data["read"] = toJson(cloud.read);
  }
  return data;
}

void readData(const Reader& data, const QString& directory, CloudState& cloud) {
  if (data.has("sample")) {
    const Reader sample = data.in("sample");
    GeneratorSpec spec;
    sample.read("kind", spec.kind);
    sample.readInteger<std::size_t>("points", spec.points, 1, kMaxPoints);
    sample.readInteger<std::size_t>("dims", spec.dims, 1, kMaxDims);
    sample.readInteger<std::uint64_t>("seed", spec.seed, 0,
                                      std::numeric_limits<std::uint64_t>::max());
    cloud.sample = spec;
  } else {
    cloud.dataPath = pathFrom(data, directory);
    data.read("hash", cloud.dataHash);
    cloud.read = readOptionsFrom(data.in("read"));
  }
}

/// Writes the members display, selectedClusters, view, addedPoints and labels.
void putShown(QJsonObject& object, const CloudState& cloud, const QString& directory) {
  object["display"] = toJson(cloud.display);
  object["selectedClusters"] = numbersToArray(cloud.selection.clusters);
  object["view"] = QString::fromLatin1(cloud.view.toBase64());
  const auto put = [&](const char* name, const QString& path) {
    if (path.isEmpty()) return;
    QJsonObject member;
    putPath(member, path, directory);
    object[QLatin1String(name)] = member;
  };
  put("addedPoints", cloud.addedPath);
  put("labels", cloud.labelsPath);
}

void readShown(const Reader& from, const QString& directory, CloudState& cloud) {
  cloud.display = displayFrom(from.in("display"));
  const auto selected = from.numbers<std::int32_t>("selectedClusters");
  cloud.selection.clusters.insert(selected.begin(), selected.end());
  if (from.has("addedPoints")) cloud.addedPath = pathFrom(from.in("addedPoints"), directory);
  if (from.has("labels")) cloud.labelsPath = pathFrom(from.in("labels"), directory);
  QString view;
  from.read("view", view);
  cloud.view = QByteArray::fromBase64(view.toLatin1());
}

/// Writes the members kept and refinements.
void putPoints(QJsonObject& object, const PointSet& kept,
               const std::vector<Refinement>& refinements) {
  object["refinements"] = toJson(refinements);
  if (kept) object["kept"] = pointsText(*kept);
}

void readPoints(const Reader& from, const QString& where, QString& error, PointSet& kept,
                std::vector<Refinement>& refinements) {
  if (from.has("kept")) kept = pointsFrom(from, "kept");
  for (const QJsonValue value : from.array("refinements")) {
    const Reader one(value.toObject(), where, error);
    Refinement refinement;
    refinement.points = pointsFrom(one, "points");
    readDbscan(one, refinement.dbscan);
    refinements.push_back(std::move(refinement));
  }
}

QJsonObject toJson(const CloudState& cloud, const QString& directory) {
  QJsonObject object{{"data", dataToJson(cloud, directory)}};
  putPoints(object, cloud.kept, cloud.refinements);
  putShown(object, cloud, directory);
  return object;
}

CloudState cloudFrom(const Reader& from, const QString& directory, QString& error) {
  CloudState cloud;
  readData(from.in("data"), directory, cloud);
  readPoints(from, QStringLiteral("otherClouds.refinements"), error, cloud.kept, cloud.refinements);
  readShown(from, directory, cloud);
  if (!cloud.sample && cloud.dataPath.isEmpty()) from.complain("data", "a file or a sample");
  return cloud;
}

}  // namespace

CloudState cloudOf(const SessionState& state) {
  return {.dataPath = state.dataPath,
          .dataHash = state.dataHash,
          .read = state.read,
          .sample = state.sample,
          .kept = state.parameters.kept,
          .refinements = state.parameters.refinements,
          .display = state.display,
          .selection = state.selection,
          .addedPath = state.addedPath,
          .labelsPath = state.labelsPath,
          .view = state.view};
}

void setCloud(SessionState& state, const CloudState& cloud) {
  state.dataPath = cloud.dataPath;
  state.dataHash = cloud.dataHash;
  state.read = cloud.read;
  state.sample = cloud.sample;
  state.parameters.kept = cloud.kept;
  state.parameters.refinements = cloud.refinements;
  state.display = cloud.display;
  state.selection = cloud.selection;
  state.addedPath = cloud.addedPath;
  state.labelsPath = cloud.labelsPath;
  state.view = cloud.view;
}

QByteArray toJson(const SessionState& state, const QString& directory) {
  const CloudState cloud = cloudOf(state);
  const Parameters& p = state.parameters;
  QJsonObject parameters{{"eps", p.dbscan.eps},
                         {"minPts", numberText(static_cast<std::uint64_t>(p.dbscan.minPts))},
                         {"strategy", toJson(p.strategy)},
                         {"scaling", QJsonObject{{"kind", word(p.scaling.kind)},
                                                 {"factors", numbersToArray(p.scaling.factors)}}}};
  putPoints(parameters, p.kept, p.refinements);
  if (!p.space.isEuclidean())
    parameters["space"] =
        QJsonObject{{"periods", numbersToArray(p.space.periods)},
                    {"geographic", p.space.sphere.has_value()},
                    {"latitudeFirst", p.space.sphere && p.space.sphere->latitudeFirst}};
  if (!p.weights.isEmpty()) parameters["weights"] = p.weights;
  QJsonObject root{{"what", QString(kWhat)},
                   {"version", kSessionVersion},
                   {"writtenBy", QStringLiteral("Clusterloom " CLUSTERLOOM_VERSION)},
                   {"data", dataToJson(cloud, directory)},
                   {"parameters", parameters},
                   {"engine", QJsonObject{{"backend", state.backend},
                                          {"threads", state.threads},
                                          {"device", state.device},
                                          {"ranks", state.ranks},
                                          {"rankDevices", numbersToArray(state.rankDevices)}}}};
  putShown(root, cloud, directory);
  if (!state.others.empty()) {
    QJsonArray others;
    for (const CloudState& other : state.others) others.append(toJson(other, directory));
    root["otherClouds"] = others;
    root["position"] = state.position;
  }
  if (!state.savedAs.isEmpty()) root["savedAs"] = state.savedAs;
  return QJsonDocument(root).toJson();
}

Result<SessionState> sessionFromJson(const QByteArray& json, const QString& directory) {
  QJsonParseError parseError;
  const QJsonDocument document = QJsonDocument::fromJson(json, &parseError);
  if (parseError.error != QJsonParseError::NoError)
    return notASession(SessionStateTexts::tr("%1 at byte %2")
                           .arg(parseError.errorString())
                           .arg(parseError.offset));
  if (!document.isObject() || document.object().value("what").toString() != kWhat)
    return notASession(SessionStateTexts::tr("it lacks the line “what: clusterloom session”"));

  QString error;
  const Reader root(document.object(), {}, error);
  int version = 0;
  root.readInteger("version", version, 1, std::numeric_limits<int>::max());
  if (version > kSessionVersion)
    return fail(
        ErrorKind::BadInput,
        SessionStateTexts::tr("The session was written by a newer Clusterloom (format %1; this "
                              "program knows up to %2). Update the program to open it.")
            .arg(version)
            .arg(kSessionVersion)
            .toStdString());
  if (version < 1) return notASession(SessionStateTexts::tr("it has no version"));

  SessionState state;
  CloudState cloud;
  readData(root.in("data"), directory, cloud);
  readShown(root, directory, cloud);

  const Reader parameters = root.in("parameters");
  readDbscan(parameters, state.parameters.dbscan);
  readPoints(parameters, QStringLiteral("parameters.refinements"), error, cloud.kept,
             cloud.refinements);
  setCloud(state, cloud);
  state.parameters.strategy = strategyFrom(parameters.in("strategy"));
  const Reader scaling = parameters.in("scaling");
  scaling.readWord("kind", state.parameters.scaling.kind);
  state.parameters.scaling.factors = scaling.numbers<double>("factors");

  if (parameters.has("space")) {
    const Reader space = parameters.in("space");
    state.parameters.space.periods = space.numbers<double>("periods");
    bool geographic = false;
    space.read("geographic", geographic);
    if (geographic) state.parameters.space.sphere.emplace();
    if (geographic) space.read("latitudeFirst", state.parameters.space.sphere->latitudeFirst);
  }

  parameters.read("weights", state.parameters.weights);

  const Reader engine = root.in("engine");
  engine.read("backend", state.backend);
  engine.readInteger("threads", state.threads, 0, 4096);
  engine.readInteger("device", state.device, -1, 1023);
  engine.readInteger("ranks", state.ranks, 0, 1024);
  state.rankDevices = engine.numbers<int>("rankDevices");
  root.read("savedAs", state.savedAs);
  const QJsonArray others = root.array("otherClouds");
  for (const QJsonValue value : others) {
    const Reader other(value.toObject(), QStringLiteral("otherClouds"), error);
    state.others.push_back(cloudFrom(other, directory, error));
  }
  root.readInteger<int>("position", state.position, 0, static_cast<int>(state.others.size()));

  if (!error.isEmpty())
    return fail(ErrorKind::BadInput,
                SessionStateTexts::tr("The session is damaged: %1.").arg(error).toStdString());
  return state;
}

Result<void> saveSessionFile(const QString& path, const SessionState& state) {
  const QByteArray json = toJson(state, QFileInfo(path).absolutePath());
  if (json.size() > kMostSmallFile)
    return fail(
        ErrorKind::TooLarge,
        SessionStateTexts::tr("%1: the session keeps so many separate points that it would be "
                              "larger than 64 MiB. Export the kept points as a file and open that "
                              "instead.")
            .arg(QDir::toNativeSeparators(path))
            .toStdString());
  return writeAtomically(path.toStdString(),
                         std::string_view(json.constData(), std::size_t(json.size())));
}

Result<SessionState> loadSessionFile(const QString& path) {
  const auto bytes = readSmallFile(path);
  if (!bytes) return tl::unexpected(bytes.error());
  auto state = sessionFromJson(*bytes, QFileInfo(path).absolutePath());
  if (!state) {
    Error error = state.error();
    error.message = path.toStdString() + ": " + error.message;
    return tl::unexpected<Error>(error);
  }
  return state;
}

}  // namespace clusterloom
