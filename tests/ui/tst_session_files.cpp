// Session files, and what of them the command line says.
#include <sys/stat.h>
#include <QCoreApplication>
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <limits>
#include <random>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/io/read.h"
#include "engine/io/write.h"
#include "session_folder.h"
#include "tests/test_program.h"
#include "ui/session/cluster_run.h"
#include "ui/session/command_line.h"
#include "ui/session/recovery.h"
#include "ui/session/session_files.h"
#include "ui/session/session_state.h"
#include "unusual_parameters.h"

using namespace clusterloom;

namespace {

bool same(const ReadOptions& a, const ReadOptions& b) {
  return a.text.delimiter == b.text.delimiter && a.text.header == b.text.header &&
         a.text.decimalSign == b.text.decimalSign && a.text.comment == b.text.comment &&
         a.text.skipLines == b.text.skipLines && a.text.thousands == b.text.thousands &&
         a.dataset == b.dataset && a.coordinates == b.coordinates && a.keep == b.keep &&
         a.keepOthers == b.keepOthers && a.skipNonFinite == b.skipNonFinite && a.every == b.every &&
         a.memoryLimit == b.memoryLimit;
}

/// Every field differs from its default.
SessionState unusualState() {
  SessionState state;
  state.dataPath = "/data/ä \"quoted\" cloud, part 1.csv";
  state.dataHash = "xxh3:0123456789abcdef0123456789abcdef";
  state.read.text = {';', TextOptions::Header::No,      TextOptions::DecimalSign::Comma, '%',
                     3,   TextOptions::Thousands::Blank};
  state.read.dataset = "/obsm/X_pca";
  state.read.coordinates = {"x", "höhe", "3"};
  state.read.keep = {"kind"};
  state.read.keepOthers = false;
  state.read.skipNonFinite = true;
  state.read.every = 1000;
  state.read.memoryLimit = std::numeric_limits<std::uint64_t>::max();
  state.parameters = unusualParameters();
  state.device = 2;
  state.backend = "cpu";
  state.threads = 3;
  state.ranks = 4;
  state.rankDevices = {0, 2};
  DisplayState& d = state.display;
  d.colourBy = ColourBy::Attribute;
  d.attribute = "Höhe";
  d.dimension = 2;
  d.pca = true;
  d.projection = {"umap 1", "Höhe"};
  d.axes = {2, 0, -1};
  d.pointSize = 4.5;
  d.opacity = 0.35;
  d.noise = 0.25;
  d.colourMap = ColourMap::BlueRed;
  d.range = ValueRange{-1e-3, 7.25};
  d.background = QColor("#102030");
  d.axesShown = false;
  d.orthographic = true;
  d.scaleBar = true;
  d.lighting = true;
  d.densityBlended = false;
  d.gridShown = true;
  d.gridColouring = GridColouring::Workload;
  d.patternArrows = PatternArrows::LidUnicomp;
  d.hidden = {-1, 4, 7};
  d.flat = true;
  state.selection.clusters = {0, 12};
  state.view = QByteArray("\0camera\xff", 8);
  state.savedAs = "/a folder/kept.clusterloom";
  state.addedPath = "/a folder/added é.csv";
  state.labelsPath = "/labels.npy";
  CloudState other = cloudOf(state);
  other.dataPath = "/data/other.npy";
  other.kept = nullptr;
  other.keptRows = nullptr;
  other.selection.clusters = {7};
  CloudState sample;
  sample.sample = GeneratorSpec{"moons", 500, 2, 3};
  state.others = {other, sample};
  state.position = 1;
  return state;
}

void compareClouds(const CloudState& a, const CloudState& b) {
  QCOMPARE(a.dataPath, b.dataPath);
  QCOMPARE(a.dataHash, b.dataHash);
  QVERIFY(same(a.read, b.read));
  QCOMPARE(a.sample.has_value(), b.sample.has_value());
  Parameters ofA;
  Parameters ofB;
  ofA.kept = a.kept;
  ofA.keptRows = a.keptRows;
  ofA.refinements = a.refinements;
  ofB.kept = b.kept;
  ofB.keptRows = b.keptRows;
  ofB.refinements = b.refinements;
  QVERIFY(ofA == ofB);
  QVERIFY(a.display == b.display);
  QCOMPARE(a.selection.clusters, b.selection.clusters);
  QCOMPARE(a.addedPath, b.addedPath);
  QCOMPARE(a.labelsPath, b.labelsPath);
  QCOMPARE(a.view, b.view);
}

void compare(const SessionState& a, const SessionState& b) {
  QCOMPARE(a.dataPath, b.dataPath);
  QCOMPARE(a.dataHash, b.dataHash);
  QVERIFY(same(a.read, b.read));
  QCOMPARE(a.sample.has_value(), b.sample.has_value());
  QVERIFY(a.parameters == b.parameters);
  QCOMPARE(a.backend, b.backend);
  QCOMPARE(a.threads, b.threads);
  QCOMPARE(a.device, b.device);
  QCOMPARE(a.ranks, b.ranks);
  QCOMPARE(a.rankDevices, b.rankDevices);
  QVERIFY(a.display == b.display);
  QCOMPARE(a.selection.clusters, b.selection.clusters);
  QCOMPARE(a.view, b.view);
  QCOMPARE(a.savedAs, b.savedAs);
  QCOMPARE(a.addedPath, b.addedPath);
  QCOMPARE(a.labelsPath, b.labelsPath);
  QCOMPARE(a.position, b.position);
  QCOMPARE(a.others.size(), b.others.size());
  for (std::size_t i = 0; i < a.others.size(); ++i) compareClouds(a.others[i], b.others[i]);
}

/// Where `now` does not say what `then` says; it may say more. Empty: nowhere.
QString missingIn(const QJsonValue& now, const QJsonValue& then, const QString& place) {
  if (then.isObject()) {
    const QJsonObject members = then.toObject();
    for (auto member = members.begin(); member != members.end(); ++member) {
      const QString missing =
          missingIn(now.toObject()[member.key()], member.value(), place + '/' + member.key());
      if (!missing.isEmpty()) return missing;
    }
    return now.isObject() ? QString() : place;
  }
  if (!then.isArray() || now.toArray().size() != then.toArray().size())
    return now == then ? QString() : place;
  for (qsizetype i = 0; i < then.toArray().size(); ++i) {
    const QString missing =
        missingIn(now.toArray()[i], then.toArray()[i], place + '/' + QString::number(i));
    if (!missing.isEmpty()) return missing;
  }
  return {};
}

}  // namespace

class TestSessionFiles : public QObject, SessionFolder {
  Q_OBJECT

  /// A small file of points on disk.
  QString writeCloud(const QString& name, std::uint64_t seed = 1) const {
    const auto dataset = generate({"blobs", 1200, 2, seed});
    return writeDataset(path(name).toStdString(), *dataset) ? path(name) : QString();
  }

 private Q_SLOTS:
  /// A device or a FIFO may never end; a file beyond 64 MiB is not a session.
  void specialAndLargeFilesAreRefused() {
    QTemporaryDir folder;
    const QString fifo = folder.filePath("fifo.clusterloom");
    QCOMPARE(::mkfifo(QFile::encodeName(fifo).constData(), 0600), 0);
    const QString large = folder.filePath("large.clusterloom");
    QFile file(large);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.resize((qint64(64) << 20) + 1));
    file.close();
    const auto message = [](const QString& path) {
      const auto state = loadSessionFile(path);
      return state ? QString() : QString::fromStdString(state.error().message);
    };
    for (const QString& path : {fifo, QString("/dev/zero"), folder.path()})
      QVERIFY2(message(path).startsWith(path + ": is not a regular file"),
               qPrintable(message(path)));
    QVERIFY2(message(large).startsWith(large + ": is larger than 64 MiB"),
             qPrintable(message(large)));
    QVERIFY(message(folder.filePath("missing")).startsWith(folder.filePath("missing") + ": "));
  }

  /// Files that earlier programs wrote open, and are written again as they are.
  void filesOfEarlierProgramsKeepTheirMeaning() {
    QFile file(CLUSTERLOOM_TEST_DATA "/sessions/format_1.clusterloom");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray json = file.readAll();
    const auto state = sessionFromJson(json, "/data");
    QVERIFY2(state, state ? "" : state.error().message.c_str());
    SessionState expected = unusualState();
    // The file was written before these had unusual values there; the last ones are of later
    // programs.
    Strategy& strategy = expected.parameters.strategy;
    strategy.division = Strategy().division;
    strategy.cpuMethod = Strategy().cpuMethod;
    strategy.cpuBatch = Strategy().cpuBatch;
    strategy.referenceEps = Strategy().referenceEps;
    expected.parameters.keptRows = nullptr;
    const auto withoutLater = [](DisplayState& display) {
      display.projection = DisplayState().projection;
      display.noise = DisplayState().noise;
      display.orthographic = DisplayState().orthographic;
      display.scaleBar = DisplayState().scaleBar;
      display.lighting = DisplayState().lighting;
      display.densityBlended = DisplayState().densityBlended;
    };
    const auto readAsThen = [](TextOptions& text) {
      text.skipLines = kDetectLines;
      text.thousands = TextOptions::Thousands::Auto;
    };
    withoutLater(expected.display);
    readAsThen(expected.read.text);
    for (CloudState& other : expected.others) {
      withoutLater(other.display);
      readAsThen(other.read.text);
    }
    compare(*state, expected);
    // It is written again with what later programs add.
    QJsonObject then = QJsonDocument::fromJson(json).object();
    then.remove("writtenBy");
    QCOMPARE(missingIn(QJsonDocument::fromJson(toJson(*state, "/data")).object(), then, ""),
             QString());
  }

  /// Session files of earlier programs hold "decimalComma".
  void decimalCommaOfEarlierSessions() {
    SessionState state = unusualState();
    QByteArray json = toJson(state, "/data");
    QVERIFY(json.contains("\"decimalSign\": \"comma\""));
    json.replace("\"decimalSign\": \"comma\"", "\"decimalComma\": true");
    QCOMPARE(sessionFromJson(json, "/data")->read.text.decimalSign,
             TextOptions::DecimalSign::Comma);
    json.replace("\"decimalComma\": true", "\"decimalComma\": false");
    QCOMPARE(sessionFromJson(json, "/data")->read.text.decimalSign, TextOptions::DecimalSign::Auto);
  }

  /// Equality, and with it session files, knows every parameter by its description.
  void everyParameterIsDescribed() {
    Parameters unusual = unusualParameters();
    constexpr auto members = std::tuple_size_v<decltype(membersOf(unusual))>;
    const auto counted = [&]<std::size_t... I>(std::index_sequence<I...>) {
      std::array<Parameters, members> with;  // one unusual member each
      ((std::get<I>(membersOf(with[I])) = std::get<I>(membersOf(unusual))), ...);
      return std::vector<bool>{!(with[I] == Parameters())...};
    }
    (std::make_index_sequence<members>());
    QCOMPARE(counted, std::vector<bool>(members, true));
  }

  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName("clusterloom-tests");
    QCoreApplication::setApplicationName("tst_session_files");
  }
  void init() { directory_ = std::make_unique<QTemporaryDir>(); }

  void jsonRoundTrip() {
    const SessionState state = unusualState();
    const auto again = sessionFromJson(toJson(state, "/data"), "/data");
    QVERIFY2(again, again ? "" : again.error().message.c_str());
    compare(state, *again);

    SessionState sample;
    sample.sample = GeneratorSpec{"rings", 12345, 2, std::numeric_limits<std::uint64_t>::max()};
    const auto sampleAgain = sessionFromJson(toJson(sample, "/"), "/");
    QVERIFY(sampleAgain && sampleAgain->sample);
    QCOMPARE(sampleAgain->sample->kind, std::string("rings"));
    QCOMPARE(sampleAgain->sample->points, std::size_t(12345));
    QCOMPARE(sampleAgain->sample->seed, std::numeric_limits<std::uint64_t>::max());
    compare(sample, *sampleAgain);

    const auto empty = sessionFromJson(toJson({}, "/"), "/");
    QVERIFY(empty);
    compare({}, *empty);
  }

  void protectedSessionsAndLinksAreKept() {
    const QString path = directory_->filePath("kept.clusterloom");
    QVERIFY(saveSessionFile(path, unusualState()));
    QVERIFY(QFile::link("kept.clusterloom", directory_->filePath("link.clusterloom")));
    QVERIFY(saveSessionFile(directory_->filePath("link.clusterloom"), unusualState()));
    QVERIFY(QFileInfo(directory_->filePath("link.clusterloom")).isSymLink());
    QVERIFY(QFile::setPermissions(path, QFileDevice::ReadOwner));
    const auto refused = saveSessionFile(path, unusualState());
    QVERIFY(!refused);
    QVERIFY(QString::fromStdString(refused.error().message).contains("write-protected"));
    QVERIFY(loadSessionFile(path));
  }

  void everyEpsSurvivesBitForBit() {
    std::mt19937_64 random(11);
    for (int i = 0; i < 2000; ++i) {
      SessionState state;
      state.parameters.dbscan.eps =
          std::ldexp(1 + std::ldexp(double(random() >> 12), -52), int(random() % 900) - 450);
      const auto again = sessionFromJson(toJson(state, "/"), "/");
      QVERIFY(again);
      QCOMPARE(again->parameters.dbscan.eps, state.parameters.dbscan.eps);
    }
  }

  void dataMovesWithItsFolder() {
    QVERIFY(QDir(directory_->path()).mkpath("old/data"));
    QVERIFY(!writeCloud("old/data/cloud.csv").isEmpty());
    SessionState state;
    state.dataPath = path("old/data/cloud.csv");
    QVERIFY(saveSessionFile(path("old/s.json"), state));
    QVERIFY(QDir(directory_->path()).rename("old", "new"));
    const auto moved = loadSessionFile(path("new/s.json"));
    QVERIFY(moved);
    QCOMPARE(moved->dataPath, path("new/data/cloud.csv"));
    // A copy of the folder means its own data as well.
    QVERIFY(QDir(directory_->path()).mkpath("old/data"));
    QVERIFY(!writeCloud("old/data/cloud.csv").isEmpty());
    QCOMPARE(loadSessionFile(path("new/s.json"))->dataPath, path("new/data/cloud.csv"));
    // The session alone means the data where it was.
    QVERIFY(QDir(directory_->path()).mkpath("alone/here"));
    QVERIFY(QFile::copy(path("new/s.json"), path("alone/here/s.json")));
    QCOMPARE(loadSessionFile(path("alone/here/s.json"))->dataPath, path("old/data/cloud.csv"));
  }

  void damagedFilesAreRefusedWithAMessage() {
    const QByteArray good = toJson(unusualState(), "/data");
    const auto message = [](const QByteArray& json) {
      const auto state = sessionFromJson(json, "/data");
      return state ? QString() : QString::fromStdString(state.error().message);
    };
    QCOMPARE(message(good), QString());
    QVERIFY(!message("").isEmpty());
    QVERIFY(!message("[]").isEmpty());
    QVERIFY(!message("{}").isEmpty());
    QVERIFY(!message("\x89PNG").isEmpty());
    // Cut off anywhere.
    for (qsizetype size = 0; size + 2 < good.size(); size += 7)
      QVERIFY2(!message(good.left(size)).isEmpty(), qPrintable(QString::number(size)));
    // A value of the wrong kind or out of range is named.
    const auto with = [&](const QString& group, const QString& name, const QJsonValue& value) {
      QJsonObject root = QJsonDocument::fromJson(good).object();
      if (group.isEmpty()) {
        root[name] = value;
      } else {
        QJsonObject object = root[group].toObject();
        object[name] = value;
        root[group] = object;
      }
      return message(QJsonDocument(root).toJson());
    };
    QVERIFY(with("parameters", "eps", "wide").contains("parameters.eps"));
    QVERIFY(with("parameters", "eps", 0).contains("parameters.eps"));
    QVERIFY(with("parameters", "eps", -1).contains("parameters.eps"));
    QVERIFY(with("parameters", "minPts", 0).contains("parameters.minPts"));
    QVERIFY(with("parameters", "minPts", 2.5).contains("parameters.minPts"));
    QVERIFY(with("parameters", "minPts", "99999999999999999999").contains("parameters.minPts"));
    QVERIFY(with("parameters", "strategy", QJsonObject{{"pattern", "zigzag"}})
                .contains("parameters.strategy.pattern"));
    QVERIFY(with("parameters", "strategy", QJsonObject{{"referenceEps", -0.5}})
                .contains("parameters.strategy.referenceEps"));
    QVERIFY(with("parameters", "strategy", 3).contains("parameters.strategy"));
    QVERIFY(with("display", "axes", QJsonArray{1, 2}).contains("display.axes"));
    QVERIFY(with("display", "axes", QJsonArray{1, 2, "z"}).contains("display.axes"));
    QVERIFY(with("display", "background", "no colour").contains("display.background"));
    QVERIFY(with("display", "hidden", QJsonArray{1e300}).contains("display.hidden"));
    QVERIFY(with("engine", "threads", -1).contains("engine.threads"));
    QVERIFY(with("data", "read", QJsonObject{{"text", QJsonObject{{"comment", "##"}}}})
                .contains("data.read.text.comment"));
    QVERIFY(with("", "selectedClusters", "all").contains("selectedClusters"));
    QVERIFY(with("", "version", 999).contains("newer"));
    QVERIFY(!with("", "version", 0).isEmpty());
    QVERIFY(!with("", "version", QJsonValue()).isEmpty());
    QVERIFY(!with("", "what", "shopping list").isEmpty());
  }

  void flippedBytesNeverDoHarm() {
    const QByteArray good = toJson(unusualState(), "/data");
    std::mt19937 random(5);
    int refused = 0;
    for (int i = 0; i < 3000; ++i) {
      QByteArray bad = good;
      for (int flips = 1 + i % 4; flips > 0; --flips)
        bad[qsizetype(random() % unsigned(bad.size()))] = char(random());
      const auto state = sessionFromJson(bad, "/data");
      refused += !state;
      if (!state) continue;
      QVERIFY(state->parameters.dbscan.eps > 0);
      QVERIFY(state->parameters.dbscan.minPts >= 1);
    }
    QVERIFY(refused > 1000);
  }

  void savingIsAtomic() {
    SessionState state;
    QVERIFY(!saveSessionFile(path("no/such/place.json"), state));
    QCOMPARE(saveSessionFile(path("no/such/place.json"), state).error().kind, ErrorKind::Io);
    QVERIFY(saveSessionFile(path("s.json"), state));
    QCOMPARE(QDir(directory_->path()).entryList(QDir::Files), QStringList{"s.json"});
    QCOMPARE(loadSessionFile(path("missing.json")).error().kind, ErrorKind::Io);
    QVERIFY(!loadSessionFile(directory_->path()));
  }

  void aSessionComesBackAsItWas() {
    const QString cloud = writeCloud("cloud.csv");
    Parameters parameters;
    std::vector<std::int32_t> labels;
    {
      Session session(nullptr, path("autosave"));
      QSignalSpy saved(&session.files(), &SessionFiles::sessionSaved);
      session.data().openFile(cloud);
      QVERIFY(waitForResult(session));
      session.setScaling({Scaling::Kind::ZScore, {}});
      QVERIFY(waitForResult(session));
      session.setMinPts(9);
      session.setEps(session.parameters().dbscan.eps * 1.1);
      DisplayState display = session.display();
      display.colourBy = ColourBy::Role;
      display.pointSize = 5;
      display.hidden = {kNoise};
      session.setDisplay(display);
      QVERIFY(waitForResult(session));
      session.setSelectedClusters({0});
      session.files().setViewState("camera");
      QVERIFY(session.files().isModified());
      session.files().saveSession(path("s.clusterloom"));
      QVERIFY(waitUntil([&] { return saved.count() == 1; }));
      QVERIFY(!session.files().isModified());
      QCOMPARE(session.files().sessionPath(), path("s.clusterloom"));
      parameters = session.parameters();
      labels = session.clusterRun().result()->clustering.labels;
    }
    Session session(nullptr, path("autosave"));
    QSignalSpy opened(&session.files(), &SessionFiles::sessionOpened);
    QSignalSpy warned(&session.jobs(), &JobQueue::warned);
    QSignalSpy view(&session.files(), &SessionFiles::viewStateRestored);
    session.files().openSession(path("s.clusterloom"));
    QVERIFY(waitForResult(session));
    QVERIFY(waitUntilIdle(session));
    QCOMPARE(opened.count(), 1);
    QCOMPARE(warned.count(), 0);
    QCOMPARE(view[0][0].toByteArray(), QByteArray("camera"));
    QVERIFY(session.parameters() == parameters);
    QCOMPARE(session.clusterRun().result()->clustering.labels, labels);
    QCOMPARE(session.display().colourBy, ColourBy::Role);
    QCOMPARE(session.display().pointSize, 5.0);
    QCOMPARE(session.display().hidden, std::set<std::int32_t>{kNoise});
    QCOMPARE(session.selection().clusters, std::set<std::int32_t>{0});
    QVERIFY(!session.files().isModified());
    QCOMPARE(session.undoStack()->count(), 0);
    session.setEps(session.parameters().dbscan.eps * 2);
    QVERIFY(session.files().isModified());
  }

  void thousandsAreSaid() {
    QFile file(path("groups.csv"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("x;y\n1,234.5;2\n2,345.5;3\n");
    file.close();
    Session session(nullptr, path("autosave"));
    QSignalSpy warned(&session.jobs(), &JobQueue::warned);
    session.data().openFile(file.fileName());
    QVERIFY(waitForResult(session));
    QCOMPARE(warned.count(), 1);
    QVERIFY(warned[0][0].toString().contains(
        "groups.csv: a comma is taken as the thousands separator"));
  }

  void changedDataIsSaid() {
    const QString cloud = writeCloud("cloud.csv", 1);
    {
      Session session(nullptr, path("autosave"));
      QSignalSpy saved(&session.files(), &SessionFiles::sessionSaved);
      session.data().openFile(cloud);
      QVERIFY(waitForResult(session));
      session.files().saveSession(path("s.json"));
      QVERIFY(waitUntil([&] { return saved.count() == 1; }));
    }
    QVERIFY(!writeCloud("cloud.csv", 2).isEmpty());
    Session session(nullptr, path("autosave"));
    QSignalSpy warned(&session.jobs(), &JobQueue::warned);
    QSignalSpy failed(&session.jobs(), &JobQueue::failed);
    session.files().openSession(path("s.json"));
    QVERIFY(waitForResult(session));
    QCOMPARE(warned.count(), 1);
    QVERIFY(warned[0][0].toString().contains("cloud.csv"));
    QVERIFY(QFile::remove(cloud));
    session.files().openSession(path("s.json"));
    QVERIFY(waitUntil([&] { return failed.count() == 1; }));
    QVERIFY(
        QString::fromStdString(failed[0][0].value<Failure>().error.message).contains("cloud.csv"));
    QVERIFY(session.clusterRun().result());  // what was there stays
    QFile bad(path("bad.json"));
    QVERIFY(bad.open(QIODevice::WriteOnly));
    bad.write("{\"what\": \"clusterloom session\"");
    bad.close();
    session.files().openSession(path("bad.json"));
    QVERIFY(waitUntil([&] { return failed.count() == 2; }));
    QCOMPARE(failed[1][0].value<Failure>().path, path("bad.json"));
  }

  void commandLineNamesWhatIsNotDefault() {
    SessionState state;
    QCOMPARE(commandLineOf(state), QString());
    state.dataPath = "/d/c.csv";
    state.parameters.dbscan = {0.1, 4};
    QCOMPARE(commandLineOf(state),
             QString("clusterloom-cli cluster /d/c.csv --eps 0.1 --min-pts 4"));
    const QString full = commandLineOf(unusualState());
    for (const char* part : {"--eps 0.30000000000000004",
                             "--min-pts 9223372036854775807",
                             "--columns 'x,höhe,3'",
                             "--skip-non-finite",
                             "--delimiter semicolon",
                             "--header no",
                             "--decimal-comma",
                             "--scale 1e-300,-2.5,0.3333333333333333",
                             "--index-dims 3",
                             "--pattern lid-unicomp",
                             "--order work-queue",
                             "--threads-per-point 8",
                             "--reorder on",
                             "--sort-idu off",
                             "--short-circuit on",
                             "--dense-cells off",
                             "--early-stop off",
                             "--precision 32",
                             "--batch-size 100000000000000000",
                             "--backend cpu",
                             "--threads 3",
                             "'/data/ä \"quoted\" cloud, part 1.csv'"})
      QVERIFY2(full.contains(QString::fromUtf8(part)), qPrintable(full + "\nlacks " + part));
  }
};

GUILESS_TEST(TestSessionFiles);
#include "tst_session_files.moc"
