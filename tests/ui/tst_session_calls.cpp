// The options that copied calls write and the window reads.
#include <QTest>
#include <set>

#include "tests/test_program.h"
#include "ui/session/call_options.h"
#include "ui/session/command_line.h"
#include "unusual_parameters.h"

using namespace clusterloom;

namespace {

/// Every option of a file that has a value differs from its default.
SessionState unusualCall() {
  SessionState state;
  state.dataPath = "/d/c.csv";
  state.read.dataset = "/obsm/X_pca";
  state.read.coordinates = {"x", "3"};
  state.read.skipNonFinite = true;
  state.read.every = 7;
  state.read.text = {';', TextOptions::Header::No,      TextOptions::DecimalSign::Comma, '#',
                     2,   TextOptions::Thousands::Blank};
  // The first ones as the tests below name them.
  Parameters& p = state.parameters = unusualParameters();
  p.dbscan = {0.1 + 0.2, 12};
  p.scaling = {Scaling::Kind::Factors, {-0.5, 1.0 / 3}};
  p.space = {.periods = {10, 0}, .sphere = {}, .metric = Metric::Manhattan};
  p.space.sphere.emplace();
  p.weights = "-w";
  state.backend = "cuda";
  state.threads = 3;
  state.ranks = 4;
  state.rankDevices = {0, 2};
  return state;
}

}  // namespace

class TestSessionCalls : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void whatIsWrittenReadsBack() {
    // What excludes what the first one has.
    SessionState other = unusualCall();
    other.rankDevices = {};
    other.device = 3;
    other.read.text.decimalSign = TextOptions::DecimalSign::Point;
    std::set<std::string> written;
    for (const SessionState& state : {unusualCall(), other}) {
      OpenRequest open;
      EngineChoice engine;
      for (const CallOption& option : callOptions()) {
        const auto text = option.text(state);
        if (!text) continue;
        written.insert(option.name);
        const auto read = option.read(*text, open, engine);
        QVERIFY2(read, read ? "" : read.error().message.c_str());
      }
      const EngineChoice& expected = state;
      QVERIFY(engine == expected);
      QCOMPARE(open.eps, std::optional(state.parameters.dbscan.eps));
      QCOMPARE(open.minPts, std::optional(state.parameters.dbscan.minPts));
      QVERIFY(open.run);
      Parameters back;
      static_cast<CloudChoice&>(back) = open;
      static_cast<RunOptions&>(back) = *open.run;
      // Calls have no option for these.
      back.dbscan = state.parameters.dbscan;
      back.kept = state.parameters.kept;
      back.keptRows = state.parameters.keptRows;
      back.refinements = state.parameters.refinements;
      QVERIFY(back == state.parameters);
      QCOMPARE(open.read.dataset, state.read.dataset);
      QCOMPARE(open.read.coordinates, state.read.coordinates);
      QVERIFY(open.read.skipNonFinite);
      QCOMPARE(open.read.every, state.read.every);
      QCOMPARE(open.read.text.delimiter, ';');
      QCOMPARE(open.read.text.skipLines, std::int64_t{2});
      QVERIFY(open.read.text.header == TextOptions::Header::No);
      QVERIFY(open.read.text.thousands == TextOptions::Thousands::Blank);
      QVERIFY(open.read.text.decimalSign == state.read.text.decimalSign);
    }
    for (const CallOption& option : callOptions())
      QVERIFY2(written.count(option.name) == 1, option.name.c_str());
  }

  /// A value that looks like an option is written in one word with its name, and no other is.
  void valuesThatLookLikeOptions() {
    SessionState state;
    state.dataPath = "/d/c.csv";
    state.parameters.dbscan = {0.5, 4};
    state.parameters.scaling.kind = Scaling::Kind::Unit;
    state.parameters.weights = "-w";
    QCOMPARE(commandLineOf(state), QString("clusterloom-cli cluster /d/c.csv --eps 0.5 --min-pts 4 "
                                           "--scale unit --weights=-w"));
    state.parameters.scaling = {Scaling::Kind::Factors, {-0.5, 2}};
    state.parameters.weights = "w";
    QCOMPARE(commandLineOf(state), QString("clusterloom-cli cluster /d/c.csv --eps 0.5 --min-pts 4 "
                                           "--scale=-0.5,2 --weights w"));
  }

  /// With what its command has of the options, and no others.
  void clustersOfHdbscanHaveTheirCall() {
    SessionState state = unusualCall();
    state.read.coordinates = {};
    state.read.text = {};
    state.read.dataset.clear();
    HdbscanOptions taken;
    taken.minClusterSize = 25;
    const QString call = "clusterloom-cli hdbscan /d/c.csv --min-cluster-size 25 ";
    const QString rest =
        "--min-pts 12 --skip-non-finite --every 7 "
        "--scale=-0.5,0.3333333333333333 --period 10,- --metric manhattan";
    QCOMPARE(commandLineOf(state, taken), call + rest + " --threads 3");
    taken.selection = ClusterSelection::Leaves;
    taken.allowSingleCluster = true;
    QCOMPARE(commandLineOf(state, taken),
             call + "--select leaves --allow-single-cluster " + rest + " --threads 3");
    const QString script = batchScriptOf(state, taken);
    QVERIFY2(script.contains("\nclusterloom-cli hdbscan /d/c.csv ") &&
                 script.contains("--ntasks=1") && !script.contains("mpirun"),
             qPrintable(script));
    // Of all rows seven times as many points are near each other as of one of seven.
    QVERIFY2(script.contains(" --min-pts 78 ") &&
                 script.contains(
                     QStringLiteral(" --min-cluster-size %1 ").arg(7 * taken.minClusterSize)),
             qPrintable(script));
  }

  void defaultsAreNotWritten() {
    std::vector<std::string> written;
    for (const CallOption& option : callOptions())
      if (option.text(SessionState())) written.push_back(option.name);
    QCOMPARE(written, (std::vector<std::string>{"eps", "min-pts"}));
  }

  void wrongValuesAreRefusedByName_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("said");
    QTest::newRow("eps") << "eps"
                         << "0"
                         << "--eps";
    QTest::newRow("period") << "period"
                            << "1,wide"
                            << "--period";
    QTest::newRow("metric") << "metric"
                            << "taxi"
                            << "--metric";
    QTest::newRow("geographic") << "geographic"
                                << "lon,lat"
                                << "--columns";
    QTest::newRow("devices") << "devices"
                             << "0,x"
                             << "--devices";
    QTest::newRow("scale") << "scale"
                           << "wide"
                           << "--scale";
  }
  void wrongValuesAreRefusedByName() {
    QFETCH(QString, name);
    QFETCH(QString, value);
    QFETCH(QString, said);
    for (const CallOption& option : callOptions()) {
      if (option.name != name.toStdString()) continue;
      OpenRequest open;
      EngineChoice engine;
      const auto read = option.read(value.toStdString(), open, engine);
      QVERIFY(!read);
      QVERIFY2(read.error().message.find(said.toStdString()) != std::string::npos,
               read.error().message.c_str());
      return;
    }
    QFAIL("no such option");
  }
};

APPLESS_TEST(TestSessionCalls);
#include "tst_session_calls.moc"
