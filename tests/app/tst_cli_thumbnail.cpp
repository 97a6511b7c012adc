// clusterloom-cli thumbnail, called as file managers call it.
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QtTest>

#include "cli_process.h"
#include "oracle.h"
#include "tests/io/copc_file.h"
#include "tests/test_program.h"

class TestCliThumbnail : public QObject, CliFolder {
  Q_OBJECT

  /// The line Exec of clusterloom.thumbnailer with its fields filled in, without the program.
  static QStringList execLine(const QString& in, const QString& out, int size) {
    QFile file(QStringLiteral(CLUSTERLOOM_SOURCE_DIR "/packaging/clusterloom.thumbnailer"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    for (const QByteArray& line : file.readAll().split('\n')) {
      if (!line.startsWith("Exec=")) continue;
      QStringList arguments = words(line.mid(5).constData());
      if (arguments.takeFirst() != "clusterloom-cli") return {};
      for (QString& argument : arguments) {
        if (argument == "%i") argument = in;
        if (argument == "%o") argument = out;
        if (argument == "%s") argument = QString::number(size);
      }
      return arguments;
    }
    return {};
  }

  /// Width and height of a PNG: numbers at fixed places.
  static QSize sizeOf(const QByteArray& png) {
    if (!png.startsWith("\x89PNG\r\n\x1a\n") || png.size() < 24) return {};
    const auto number = [&](int at) {
      int value = 0;
      for (int i = 0; i < 4; ++i) value = value * 256 + static_cast<unsigned char>(png[at + i]);
      return value;
    };
    return {number(16), number(20)};
  }

 private slots:
#ifdef CLUSTERLOOM_HAS_PICTURES
  void drawsSquaresOfTheSizeWanted_data();
  void drawsSquaresOfTheSizeWanted();
  void drawsWhatCannotBeClustered_data();
  void drawsWhatCannotBeClustered();
  void endsInTimeOnHugeFiles();
  void takesTheUpperLevelsOfCopc();
  void saysWhyThereIsNone();
#else
  void needsPictures();
#endif
};

#ifdef CLUSTERLOOM_HAS_PICTURES
void TestCliThumbnail::drawsSquaresOfTheSizeWanted_data() {
  QTest::addColumn<QString>("cloud");
  QTest::addColumn<int>("size");
  const QString samples = QStringLiteral(CLUSTERLOOM_SOURCE_DIR "/resources/samples/");
  QTest::newRow("flat, usual") << samples + "shapes-2d.csv" << 128;
  QTest::newRow("flat, large") << samples + "shapes-2d.csv" << 512;
  QTest::newRow("space") << samples + "shapes-3d.csv" << 256;
}

void TestCliThumbnail::drawsSquaresOfTheSizeWanted() {
  QFETCH(QString, cloud);
  QFETCH(int, size);
  // File managers name no extension.
  const QString out = path("thumbnail of a cloud");
  const CliRun done = runCli(execLine(cloud, out, size), folder_.path());
  QVERIFY2(done.status == 0, done.err);
  const QByteArray png = oracle::readFile(out);
  QCOMPARE(sizeOf(png), QSize(size, size));
  QVERIFY(png.size() > 1500);  // a blank one is smaller
  QCOMPARE(done.out, QByteArray());
}

void TestCliThumbnail::drawsWhatCannotBeClustered_data() {
  QTest::addColumn<QByteArray>("rows");
  QTest::newRow("one point") << QByteArray("x,y\n1,2\n");
  QTest::newRow("equal points") << "x,y\n" + QByteArray("1,2\n").repeated(100);
  QTest::newRow("one dimension") << QByteArray("x\n1\n2\n3\n4\n5\n");
  QTest::newRow("not finite") << QByteArray("x,y\n1,2\nnan,3\n2,inf\n2,3\n3,4\n5,5\n");
}

void TestCliThumbnail::drawsWhatCannotBeClustered() {
  QFETCH(QByteArray, rows);
  QVERIFY(oracle::writeFile(path("few.csv"), rows));
  const CliRun done = runCli(execLine(path("few.csv"), path("few.png"), 64), folder_.path());
  QVERIFY2(done.status == 0, done.err);
  QCOMPARE(sizeOf(oracle::readFile(path("few.png"))), QSize(64, 64));
}

/// 64 GB of zeros that take no space on the disk and cannot be read in the time.
void TestCliThumbnail::endsInTimeOnHugeFiles() {
  QByteArray header = "{'descr': '<f8', 'fortran_order': False, 'shape': (4000000000, 2), }";
  header = header.leftJustified(117, ' ') + '\n';
  QVERIFY(oracle::writeFile(path("huge.npy"),
                            QByteArray("\x93NUMPY\x01\x00", 8) + char(118) + char(0) + header));
  QFile file(path("huge.npy"));
  QVERIFY(file.open(QIODevice::ReadWrite));
  if (!file.resize(128 + qint64(64'000'000'000))) QSKIP("the disk has no sparse files");
  file.close();
  QElapsedTimer timer;
  timer.start();
  const CliRun done =
      runCli(execLine(path("huge.npy"), path("huge.png"), 64) + QStringList{"--seconds", "4"},
             folder_.path());
  // On a busy machine the second half of the time may be too short to draw.
  if (done.status == 0) {
    QCOMPARE(sizeOf(oracle::readFile(path("huge.png"))), QSize(64, 64));
  } else {
    QCOMPARE(done.status, 1);
    QVERIFY2(done.lastErrorLine().contains("4 s"), done.err);
    QVERIFY(!QFile::exists(path("huge.png")));
  }
  QVERIFY2(timer.elapsed() < 50000, qPrintable(QString::number(timer.elapsed())));
}

/// The deepest level of the file is damaged, which only who reads it notices.
void TestCliThumbnail::takesTheUpperLevelsOfCopc() {
  clusterloom::testing::Copc file(2000);
  const auto& deep = file.nodes[1];  // of the first one a preview shows a row
  file.bytes.replace(deep.offset + 30, deep.bytes - 30, deep.bytes - 30, '\xff');
  QVERIFY(oracle::writeFile(path("scan.copc.laz"), QByteArray::fromStdString(file.bytes)));
  const CliRun whole =
      runCli({"cluster", path("scan.copc.laz"), "--eps", "1", "--min-pts", "5"}, folder_.path());
  QVERIFY2(whole.status != 0 && whole.err.contains("damaged"), whole.err);
  const CliRun done = runCli(execLine(path("scan.copc.laz"), path("scan.png"), 64), folder_.path());
  QVERIFY2(done.status == 0, done.err);
  QCOMPARE(sizeOf(oracle::readFile(path("scan.png"))), QSize(64, 64));
}

void TestCliThumbnail::saysWhyThereIsNone() {
  QVERIFY(oracle::writeFile(path("no.csv"), "these are words\nand more of them\n"));
  const QStringList before = QDir(folder_.path()).entryList(QDir::AllEntries | QDir::Hidden);
  const CliRun noCloud = runCli(execLine(path("no.csv"), path("no.png"), 64), folder_.path());
  QCOMPARE(noCloud.status, 1);
  QVERIFY2(noCloud.lastErrorLine().contains("no.csv"), noCloud.err);
  const CliRun itself = runCli(execLine(path("no.csv"), path("no.csv"), 64), folder_.path());
  QCOMPARE(itself.status, 2);
  for (const char* name : {"no.jpg", "no.SVG", "other.npy", "no.png.gz"}) {
    const CliRun other = runCli(execLine(path("no.csv"), path(name), 64), folder_.path());
    QCOMPARE(other.status, 2);
    QVERIFY2(other.lastErrorLine().contains("a thumbnail is a PNG"), other.err);
  }
  const CliRun tiny = runCli(execLine(path("no.csv"), path("no.png"), 2), folder_.path());
  QCOMPARE(tiny.status, 2);
  QCOMPARE(QDir(folder_.path()).entryList(QDir::AllEntries | QDir::Hidden), before);
}
#else
void TestCliThumbnail::needsPictures() {
  QVERIFY(oracle::writeFile(path("few.csv"), "x,y\n1,2\n"));
  const CliRun done = runCli(execLine(path("few.csv"), path("few.png"), 64), folder_.path());
  QCOMPARE(done.status, 2);
  QVERIFY(!QFile::exists(path("few.png")));
}
#endif

GUILESS_TEST(TestCliThumbnail);
#include "tst_cli_thumbnail.moc"
