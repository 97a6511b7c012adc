#include "ui/session/session_state.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <array>
#include <limits>
#include <tuple>

#include "engine/io/output_set.h"
#include "engine/io/read_words.h"
#include "ui/session/files.h"
#include "ui/session/json_fields.h"
#include "ui/session/parameter_fields.h"

namespace clusterloom {

// --- what is kept of each struct (fields.h)

constexpr auto wordsOf(ColourMap /*map*/) {
  return std::array{"viridis", "cividis", "plasma", "magma", "grey", "blue-red"};
}
constexpr auto wordsOf(GridColouring /*colouring*/) { return std::array{"count", "workload"}; }

constexpr auto fieldsOf(const TextOptions* /*type*/) {
  return std::tuple{
      Field{"delimiter", &TextOptions::delimiter},
      Field{"header", &TextOptions::header},
      Field{"decimalSign", &TextOptions::decimalSign},
      Field{"comment", &TextOptions::comment},
      Field{"skipLines", &TextOptions::skipLines, Within{kDetectLines, kMostSkippedLines}},
      Field{"thousands", &TextOptions::thousands}};
}

constexpr auto fieldsOf(const ReadOptions* /*type*/) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  return std::tuple{
      Field{"dataset", &ReadOptions::dataset},
      Field{"coordinates", &ReadOptions::coordinates},
      Field{"keep", &ReadOptions::keep},
      Field{"keepOthers", &ReadOptions::keepOthers},
      Field{"skipNonFinite", &ReadOptions::skipNonFinite},
      Field{"every", &ReadOptions::every, Within{std::uint64_t{1}, kMostEvery}},
      Field{"memoryLimit", &ReadOptions::memoryLimit, Within{std::uint64_t{0}, kMost}},
      Field{"text", &ReadOptions::text}};
}

constexpr auto fieldsOf(const GeneratorSpec* /*type*/) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  return std::tuple{Field{"kind", &GeneratorSpec::kind},
                    Field{"points", &GeneratorSpec::points, Within{std::size_t{1}, kMaxPoints}},
                    Field{"dims", &GeneratorSpec::dims, Within{std::size_t{1}, kMaxDims}},
                    Field{"seed", &GeneratorSpec::seed, Within{std::uint64_t{0}, kMost}}};
}

constexpr auto fieldsOf(const DisplayState* /*type*/) {
  using D = DisplayState;
  return std::tuple{Field{"colourBy", &D::colourBy},
                    Field{"attribute", &D::attribute},
                    Field{"dimension", &D::dimension, Within{0, static_cast<int>(kMaxDims)}},
                    Field{"pca", &D::pca},
                    Field{"projection", &D::projection},
                    Field{"axes", &D::axes},
                    Field{"pointSize", &D::pointSize, Within{0.0, 100.0}},
                    Field{"opacity", &D::opacity, Within{0.02, 1.0}},
                    Field{"noise", &D::noise, Within{0.0, 1.0}},
                    Field{"colourMap", &D::colourMap},
                    Field{"range", &D::range},
                    Field{"background", &D::background},
                    Field{"axesShown", &D::axesShown},
                    Field{"orthographic", &D::orthographic},
                    Field{"scaleBar", &D::scaleBar},
                    Field{"lighting", &D::lighting},
                    Field{"densityBlended", &D::densityBlended},
                    Field{"gridShown", &D::gridShown},
                    Field{"gridColouring", &D::gridColouring},
                    Field{"patternArrows", &D::patternArrows},
                    Field{"hidden", &D::hidden},
                    Field{"flat", &D::flat}};
}

constexpr auto fieldsOf(const EngineChoice* /*type*/) {
  return std::tuple{Field{"backend", &EngineChoice::backend},
                    Field{"threads", &EngineChoice::threads, Within{0, 4096}},
                    Field{"device", &EngineChoice::device, Within{-1, 1023}},
                    Field{"ranks", &EngineChoice::ranks, Within{0, 1024}},
                    Field{"rankDevices", &EngineChoice::rankDevices}};
}

/// All but the paths, which depend on the folder of the session file.
constexpr auto fieldsOf(const ShownCloud* /*type*/) {
  constexpr auto selected = [](auto& cloud) -> decltype(auto) {
    return (cloud.selection.clusters);
  };
  return std::tuple{Field{"display", &ShownCloud::display}, Field{"selectedClusters", selected},
                    Field{"view", &ShownCloud::view}};
}

/// The members that are not in a ShownCloud.
constexpr auto fieldsOf(const CloudState* /*type*/) {
  return std::tuple{Field{"kept", &CloudState::kept}, Field{"keptRows", &CloudState::keptRows},
                    Field{"refinements", &CloudState::refinements}};
}

namespace {

constexpr QLatin1String kWhat("clusterloom session");

struct SessionStateTexts {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::SessionState)
};

tl::unexpected<Error> notASession(const QString& why) {
  return badInput(
      SessionStateTexts::tr("This is not a Clusterloom session: %1.").arg(why).toStdString());
}

/// Absolute, and relative to the folder of the session file.
QJsonObject pathJson(const QString& path, const QString& directory) {
  return {{"path", path}, {"relativePath", QDir(directory).relativeFilePath(path)}};
}

/// The path that `pathJson` wrote. The relative one where there is a file: a session in a folder
/// that was moved or copied means the data of that folder.
Taken takePath(const QJsonValue& json, const QString& directory, QString& path) {
  if (!json.isObject()) return wanted("an object");
  QString relative;
  for (const auto& [name, text] : {std::pair{"path", &path}, std::pair{"relativePath", &relative}})
    if (const QJsonValue member = json[QLatin1String(name)]; !member.isUndefined())
      if (Taken fault = below(name, take(member, *text))) return fault;
  if (relative.isEmpty()) return {};
  const QString moved = QDir::cleanPath(QDir(directory).absoluteFilePath(relative));
  if (QFileInfo::exists(moved)) path = moved;
  return {};
}

QJsonObject dataJson(const ShownCloud& cloud, const QString& directory) {
  if (cloud.sample) return {{"sample", jsonOf(*cloud.sample)}};
  if (cloud.dataPath.isEmpty()) return {};
  QJsonObject data = pathJson(cloud.dataPath, directory);
  data["hash"] = cloud.dataHash;
  data["read"] = jsonOf(cloud.read);
  return data;
}

Taken takeData(const QJsonValue& json, const QString& directory, ShownCloud& cloud) {
  if (!json.isObject()) return wanted("an object");
  const QJsonValue sample = json["sample"];
  if (!sample.isUndefined()) return below("sample", take(sample, cloud.sample.emplace()));
  if (Taken fault = takePath(json, directory, cloud.dataPath)) return fault;
  if (const QJsonValue hash = json["hash"]; !hash.isUndefined())
    if (Taken fault = below("hash", take(hash, cloud.dataHash))) return fault;
  const QJsonValue read = json["read"];
  if (read.isUndefined()) return {};
  // The notation of earlier programs.
  if (read["text"]["decimalComma"].toBool())
    cloud.read.text.decimalSign = TextOptions::DecimalSign::Comma;
  return below("read", take(read, cloud.read));
}

/// The members of a ShownCloud.
void putShown(QJsonObject& object, const ShownCloud& cloud, const QString& directory) {
  object["data"] = dataJson(cloud, directory);
  put(object, cloud);
  if (!cloud.addedPath.isEmpty()) object["addedPoints"] = pathJson(cloud.addedPath, directory);
  if (!cloud.labelsPath.isEmpty()) object["labels"] = pathJson(cloud.labelsPath, directory);
}

Taken takeShown(const QJsonObject& object, const QString& directory, ShownCloud& cloud) {
  if (object.contains("data"))
    if (Taken fault = below("data", takeData(object["data"], directory, cloud))) return fault;
  for (const auto& [name, path] :
       {std::pair{"addedPoints", &cloud.addedPath}, std::pair{"labels", &cloud.labelsPath}})
    if (object.contains(QLatin1String(name)))
      if (Taken fault = below(name, takePath(object[QLatin1String(name)], directory, *path)))
        return fault;
  return takeFields(object, cloud);
}

QJsonArray othersJson(const std::vector<CloudState>& others, const QString& directory) {
  QJsonArray array;
  for (const CloudState& other : others) {
    QJsonObject object;
    putShown(object, other, directory);
    put(object, other);
    array.append(object);
  }
  return array;
}

Taken takeOthers(const QJsonValue& json, const QString& directory,
                 std::vector<CloudState>& others) {
  if (!json.isArray()) return wanted("a list");
  for (const QJsonValue element : json.toArray()) {
    CloudState& other = others.emplace_back();
    if (Taken fault = takeShown(element.toObject(), directory, other)) return fault;
    if (Taken fault = takeFields(element.toObject(), other)) return fault;
    if (!other.sample && other.dataPath.isEmpty())
      return below("data", wanted("a file or a sample"));
  }
  return {};
}

/// Everything but what says which file this is.
Taken takeSession(const QJsonObject& root, const QString& directory, SessionState& state) {
  if (Taken fault = takeShown(root, directory, state)) return fault;
  EngineChoice& engine = state;
  const auto member = [&root](const char* name, const auto& takeIt) -> Taken {
    const QJsonValue json = root.value(QLatin1String(name));
    return json.isUndefined() ? Taken() : below(name, takeIt(json));
  };
  const auto plain = [](auto& value) {
    return [&value](const QJsonValue& json) { return take(json, value); };
  };
  if (Taken fault = member("parameters", plain(state.parameters))) return fault;
  if (Taken fault = member("engine", plain(engine))) return fault;
  if (Taken fault = member("savedAs", plain(state.savedAs))) return fault;
  if (Taken fault = member("otherClouds", [&](const QJsonValue& json) {
        return takeOthers(json, directory, state.others);
      }))
    return fault;
  return member("position", [&state](const QJsonValue& json) {
    return take(json, state.position, Within{0, static_cast<int>(state.others.size())});
  });
}

}  // namespace

CloudState cloudOf(const SessionState& state) {
  return {static_cast<const ShownCloud&>(state), state.parameters.kept, state.parameters.keptRows,
          state.parameters.refinements};
}

void setCloud(SessionState& state, const CloudState& cloud) {
  static_cast<ShownCloud&>(state) = cloud;
  state.parameters.kept = cloud.kept;
  state.parameters.keptRows = cloud.keptRows;
  state.parameters.refinements = cloud.refinements;
}

QByteArray toJson(const SessionState& state, const QString& directory) {
  QJsonObject root{{"what", QString(kWhat)},
                   {"version", kSessionVersion},
                   {"writtenBy", QStringLiteral("Clusterloom " CLUSTERLOOM_VERSION)},
                   {"parameters", jsonOf(state.parameters)},
                   {"engine", jsonOf(static_cast<const EngineChoice&>(state))}};
  putShown(root, state, directory);
  if (!state.others.empty()) {
    root["otherClouds"] = othersJson(state.others, directory);
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
  const QJsonObject root = document.object();
  if (root["what"].toString() != kWhat)
    return notASession(SessionStateTexts::tr("it lacks the line “what: clusterloom session”"));
  int version = 0;
  if (take(root["version"], version, Within{1, std::numeric_limits<int>::max()}))
    return notASession(SessionStateTexts::tr("it has no version"));
  if (version > kSessionVersion)
    return badInput(
        SessionStateTexts::tr("The session was written by a newer Clusterloom (format %1; this "
                              "program knows up to %2). Update the program to open it.")
            .arg(version)
            .arg(kSessionVersion)
            .toStdString());
  SessionState state;
  if (const Taken fault = takeSession(root, directory, state))
    return badInput(SessionStateTexts::tr("The session is damaged: %1.")
                        .arg(QStringLiteral("“%1” should be %2").arg(fault->where, fault->expected))
                        .toStdString());
  return state;
}

Result<void> saveSessionFile(const QString& path, const SessionState& state) {
  const QByteArray json = toJson(state, QFileInfo(path).absolutePath());
  if (json.size() > kMostSmallFile)
    return tooLarge(
        SessionStateTexts::tr("%1: the session would be larger than 64 MiB, because it keeps too "
                              "many separate points. Export the kept points as a file and open "
                              "that file instead.")
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
