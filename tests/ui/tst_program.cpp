// The window program as a process: its command line and its exit statuses. Its pictures of itself
// are in tst_program_pictures.cpp.
#include <QImage>
#include <QtTest>

#include "engine/join/strategy_options.h"
#include "tests/test_program.h"
#include "window_process.h"

using namespace clusterloom;

class TestProgram : public QObject, WindowProcess {
  Q_OBJECT

 private Q_SLOTS:
  void helpAndVersionNeedNoDisplay() {
    const Ended help = run({"--help"});
    QCOMPARE(help.status, 0);
    for (const char* option : {"--eps", "--min-pts", "--screenshot", "--theme"}) {
      QVERIFY2(help.out.contains(QLatin1String(option)), option);
    }
    // Every option of the engine and of reading that clusterloom-cli has.
    for (const StrategyOption& option : strategyOptions())
      QCOMPARE(help.out.contains("--" + QString::fromStdString(option.name) + " "),
               option.use != OptionUse::Pairs);
    for (const char* option : {"--device", "--threads", "--backend", "--scale", "--columns",
                               "--skip-non-finite", "--delimiter", "--header", "--decimal-comma",
                               "--dataset", "--period", "--geographic", "--weights", "--devices"})
      QVERIFY2(help.out.contains(QLatin1String(option)), option);
    const Ended version = run({"--version"});
    QCOMPARE(version.status, 0);
    QVERIFY(version.out.startsWith("clusterloom "));
  }

  void wrongCallsEndWithTwoAndSayWhy_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("said");
    QTest::newRow("no number") << QStringList{"x.csv", "--eps", "far"} << "--eps";
    QTest::newRow("negative") << QStringList{"x.csv", "--eps", "-1"} << "--eps";
    QTest::newRow("infinite") << QStringList{"x.csv", "--eps", "inf"} << "--eps";
    QTest::newRow("minPts") << QStringList{"x.csv", "--min-pts", "0"} << "--min-pts";
    QTest::newRow("unknown") << QStringList{"--no-such-option"} << "no-such-option";
    QTest::newRow("streams") << QStringList{"x.csv", "--streams", "0"} << "1 to 32, or auto";
    QTest::newRow("delimiter") << QStringList{"x.csv", "--delimiter", "x"} << "--delimiter";
    QTest::newRow("device") << QStringList{"x.csv", "--device", "-1"} << "--device";
    QTest::newRow("misspelt") << QStringList{"--min-pt", "3"} << "--min-pts?";
    QTest::newRow("no columns") << QStringList{"x.csv", "--columns", ""} << "--columns";
    QTest::newRow("no picture") << QStringList{"--screenshot", ""} << "--screenshot";
    QTest::newRow("pattern") << QStringList{"x.csv", "--pattern", "zigzag"} << "--pattern";
    QTest::newRow("size") << QStringList{"--size", "12"} << "--size";
    QTest::newRow("period") << QStringList{"x.csv", "--period", "wide"} << "--period";
    QTest::newRow("geographic") << QStringList{"x.csv", "--geographic", "x,y"} << "--columns";
    QTest::newRow("devices") << QStringList{"x.csv", "--devices", "0,-1"} << "--devices";
    QTest::newRow("signs") << QStringList{"x.csv", "--decimal-comma", "--decimal-point"}
                           << "exclude each other";
    QTest::newRow("theme") << QStringList{"--theme", "pink"} << "--theme";
    QTest::newRow("arrows") << QStringList{"x.csv", "--arrows", "tile"} << "--arrows";
    QTest::newRow("cell") << QStringList{"x.csv", "--select-cell", "-1"} << "--select-cell";
    QTest::newRow("batch") << QStringList{"x.csv", "--batch-size", "0"} << "--batch-size";
    QTest::newRow("sample") << QStringList{"--sample", "cats"} << "blobs";
    QTest::newRow("both") << QStringList{"x.csv", "--sample", "blobs"} << "either";
    QTest::newRow("compare what") << QStringList{"--compare"} << "--compare";
    QTest::newRow("empty") << QStringList{"x.csv", "--eps", ""} << "''";
    QTest::newRow("underflow") << QStringList{"x.csv", "--eps", "1e-400"} << "underflows";
    QTest::newRow("overflow") << QStringList{"x.csv", "--min-pts", "18446744073709551619"}
                              << "--min-pts";
    QTest::newRow("base 16") << QStringList{"x.csv", "--threads", "0x4"} << "'0x4'";
    QTest::newRow("image size") << QStringList{"--screenshot", "x.png", "--image-size", "640"}
                                << "'640' is not of the form WxH";
    QTest::newRow("no screenshot") << QStringList{"--image-size", "640x480"} << "--screenshot";
    QTest::newRow("no session") << QStringList{"x.csv", "--save-on-close"} << "--save-on-close";
    QTest::newRow("factors") << QStringList{"x.csv", "--scale", "1,wide"} << "--scale";
  }
  void wrongCallsEndWithTwoAndSayWhy() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, said);
    const Ended ended = run(arguments);
    QCOMPARE(ended.status, 2);
    QVERIFY2(ended.err.contains(said), qPrintable(ended.err));
  }

  /// What can never show a result ends with 1 and says why.
  void noPictureWithoutAResult_data() {
    QTest::addColumn<QByteArray>("session");
    QTest::addColumn<QString>("said");
    const QByteArray begin = R"({"what": "clusterloom session", "version": 1, )";
    QTest::newRow("sample") << begin + R"("data": {"sample": {"kind": "cats"}}})"
                            << "cats";
    QTest::newRow("backend") << begin + R"("data": {"sample": {"kind": "blobs", "points": "100",
        "dims": "2"}}, "engine": {"backend": "abacus"}})"
                             << "abacus";
    QTest::newRow("columns") << begin + R"("data": {"path": "CLOUD",
        "read": {"coordinates": ["height"]}}})"
                             << "height";
    QTest::newRow("file") << begin + R"("data": {"path": "/missing.csv"}})"
                          << "missing.csv";
    QTest::newRow("nothing") << begin + R"("parameters": {}})"
                             << "";
  }
  void noPictureWithoutAResult() {
    QFETCH(QByteArray, session);
    QFETCH(QString, said);
    QFile cloud(directory_.filePath("cloud.csv"));
    QVERIFY(cloud.open(QIODevice::WriteOnly) && cloud.write("x,y\n1,2\n3,4\n") > 0);
    cloud.close();
    QFile file(directory_.filePath("hopeless.clusterloom"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(session.replace("CLOUD", cloud.fileName().toUtf8()));
    file.close();
    const Ended ended = run({file.fileName(), "--screenshot", directory_.filePath("none.png")});
    QCOMPARE(ended.status, 1);
    QVERIFY2(ended.err.contains("clusterloom: ") && ended.err.contains(said),
             qPrintable(ended.err));
  }

  void whatCannotBeReadIsNotPictured() {
    const QString out = directory_.filePath("none.png");
    const Ended ended = run({directory_.filePath("missing.csv"), "--screenshot", out});
    QCOMPARE(ended.status, 1);
    QVERIFY2(ended.err.contains("missing.csv"), qPrintable(ended.err));
    QVERIFY(!QFile::exists(out));
  }
};

GUILESS_TEST(TestProgram);

#include "tst_program.moc"
