// The window program as a process: its command line, its exit statuses and its picture of itself.
#include <QImage>
#include <QProcess>
#include <QSet>
#include <QTemporaryDir>
#include <QtTest>

#include "engine/join/strategy_options.h"
#include "render/paint/theme.h"
#include "tests/test_program.h"
#include "window_help.h"

using namespace clusterloom;

class TestProgram : public QObject {
  Q_OBJECT

  QTemporaryDir directory_;

  struct Ended {
    int status = -1;
    QString out;
    QString err;
  };
  Ended run(const QStringList& arguments) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    // Settings, recent files and autosaves of the tests are separate.
    for (const char* home : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"}) {
      environment.insert(QString::fromLatin1(home), directory_.path());
    }
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(CLUSTERLOOM_WINDOW), arguments);
    if (!process.waitForFinished(60000)) {
      process.kill();
      process.waitForFinished();
      return {};
    }
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
  }

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
                               "--skip-non-finite", "--delimiter", "--header", "--decimal-comma"})
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

  /// With minPts above the number of points there are no k-distances to wait for.
  void itPicturesACloudOfNoise() {
    const QString out = directory_.filePath("noise.png");
    const Ended ended = run({"--sample", "moons:200", "--eps", "0.15", "--min-pts", "5000",
                             "--chart", "k-distance", "--screenshot", out});
    QVERIFY2(ended.status == 0, qPrintable(ended.err));
    QVERIFY(!QImage(out).isNull());
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

  void itPicturesItself() {
    const QString out = directory_.filePath("out.png");
    const Ended ended =
        run({"--sample", "moons:2000", "--eps", "0.15", "--min-pts", "5", "--size", "1000x700",
             "--theme", "dark", "--grid", "--chart", "cost", "--screenshot", out});
    QVERIFY2(ended.status == 0, qPrintable(ended.err));
    const QImage picture(out);
    QCOMPARE(picture.size(), QSize(1000, 700));
    // The two moons' colours and a dark ground.
    QSet<QRgb> colours;
    int dark = 0;
    for (int y = 0; y < picture.height(); ++y) {
      for (int x = 0; x < picture.width(); ++x) {
        colours.insert(picture.pixel(x, y));
        dark += qGray(picture.pixel(x, y)) < 60 ? 1 : 0;
      }
    }
    QVERIFY(colours.size() > 200);
    QVERIFY(dark > picture.width() * picture.height() / 2);
  }

  /// With --image-size the same window is drawn in more pixels, not a larger one.
  void itPicturesItselfInAnySize() {
    const auto picture = [this](const QStringList& options) {
      const QString out = directory_.filePath("sized.png");
      const Ended ended =
          run(QStringList{"--sample", "moons:2000", "--eps", "0.15", "--min-pts", "5", "--theme",
                          "light", "--chart", "cost", "--screenshot", out} +
              options);
      if (ended.status != 0) qWarning("%s", qPrintable(ended.err));
      return QImage(out);
    };
    const QImage plain = picture({"--size", "1000x700"});
    const QImage large = picture({"--size", "1000x700", "--image-size", "1700x1190"});
    QCOMPARE(large.size(), QSize(1700, 1190));
    const QImage reduced =
        large.scaled(plain.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    double difference = 0;
    double contrast = 0;  // of the plain picture with its neighbouring pixels
    for (int y = 0; y < plain.height(); ++y) {
      for (int x = 0; x + 8 < plain.width(); ++x) {
        difference += std::abs(qGray(plain.pixel(x, y)) - qGray(reduced.pixel(x, y)));
        contrast += std::abs(qGray(plain.pixel(x, y)) - qGray(plain.pixel(x + 8, y)));
      }
    }
    QVERIFY2(difference < 0.5 * contrast,
             qPrintable(QString("%1 of %2").arg(difference).arg(contrast)));
    // Other proportions than those of the window, and fewer pixels.
    QCOMPARE(picture({"--size", "1000x700", "--image-size", "1801x603"}).size(), QSize(1801, 603));
    QCOMPARE(picture({"--image-size", "777x513"}).size(), QSize(777, 513));
    QCOMPARE(picture({"--size", "200x200", "--image-size", "400x400"}).size(), QSize(400, 400));
  }

  void itRunsAComparisonForItsPicture() {
    const QStringList common{"--sample", "moons:2000", "--eps",    "0.15",    "--min-pts",
                             "5",        "--size",     "1100x760", "--theme", "light"};
    QImage pictures[2];
    for (const bool compared : {false, true}) {
      const QString out = directory_.filePath("compare.png");
      const Ended ended =
          run(common + (compared ? QStringList{"--compare"} : QStringList{"--chart", "compare"}) +
              QStringList{"--screenshot", out});
      QVERIFY2(ended.status == 0, qPrintable(ended.err));
      pictures[compared] = QImage(out);
    }
    // The right half of the charts: the warps of two strategies, busy parts solid blue.
    const auto blue = [](const QImage& picture) {
      int found = 0;
      for (int y = picture.height() - 200; y < picture.height() - 40; ++y) {
        for (int x = picture.width() / 2; x < picture.width(); ++x) {
          const QRgb pixel = picture.pixel(x, y);
          found += qBlue(pixel) > 150 && qRed(pixel) < 80 ? 1 : 0;
        }
      }
      return found;
    };
    QCOMPARE(blue(pictures[0]), 0);
    QVERIFY(blue(pictures[1]) > 2000);
  }

  /// A half pattern has fewer arrows than the full one, and without a cell there are none.
  void itPicturesTheArrowsOfACell() {
    QList<int> orange;
    for (const QStringList& options :
         {QStringList{"--grid"}, QStringList{"--arrows", "lid-unicomp", "--select-cell", "0"},
          QStringList{"--arrows", "full", "--select-cell", "0"}}) {
      const QString out = directory_.filePath("arrows.png");
      const Ended ended =
          run(QStringList{"--sample", "unif:200", "--eps", "25", "--min-pts", "3", "--size",
                          "1000x700", "--theme", "light", "--chart", "cost", "--screenshot", out} +
              options);
      QVERIFY2(ended.status == 0, qPrintable(ended.err));
      const QImage picture(out);
      const int third = picture.width() / 3;
      const Colour accent = themeOf(Background::Light).accent;
      orange << pixelsLike(picture.copy(third, 70, third, picture.height() / 2 - 70),
                           qRgb(accent.r, accent.g, accent.b), 30);
    }
    QCOMPARE(orange[0], 0);
    QVERIFY2(orange[1] > 150, qPrintable(QString::number(orange[1])));
    QVERIFY2(orange[2] > orange[1] + 50, qPrintable(QString::number(orange[2])));
  }

  void itPicturesTheWindowForLessons() {
    const QString out = directory_.filePath("lessons.png");
    const Ended ended = run({"--lessons", "--size", "1200x800", "--screenshot", out});
    QVERIFY2(ended.status == 0, qPrintable(ended.err));
    const QImage picture(out);
    QCOMPARE(picture.size(), QSize(1200, 800));
    // Cells of the first step's grid and bars of its warps: no empty window has as many colours.
    QSet<QRgb> colours;
    for (int y = 0; y < picture.height(); ++y) {
      for (int x = 0; x < picture.width(); ++x) colours.insert(picture.pixel(x, y));
    }
    QVERIFY2(colours.size() > 400, qPrintable(QString::number(colours.size())));
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
