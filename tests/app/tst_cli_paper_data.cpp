// The calls of the guide for the real data sets of the papers, on made-up rows in their layouts:
// the points and dimensions that are read are those of the page.
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

#include "cli_process.h"
#include "tests/paper_files.h"
#include "tests/test_program.h"

class TestCliPaperData : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void everyCallReadsItsColumns() {
    const QTemporaryDir folder;
    writePaperFiles(folder.path());
    QFile page(CLUSTERLOOM_SOURCE_DIR "/resources/guide/paper-data.md");
    QVERIFY(page.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(page.readAll());
    const QRegularExpression call("^clusterloom-cli ((?:join|load) (\\S+) .*)$",
                                  QRegularExpression::MultilineOption);
    QMap<QString, int> seen;
    for (auto at = call.globalMatch(text); at.hasNext();) {
      const QRegularExpressionMatch found = at.next();
      const QString file = found.captured(2);
      const CliRun run = runCli((found.captured(1) + " --json").split(' '), folder.path());
      QVERIFY2(run.status == 0, run.err);
      const QJsonObject result = run.json();
      // "1:32" is 32 columns, "0,1" is two.
      const QString columns =
          QRegularExpression("--columns (\\S+)").match(found.captured(1)).captured(1);
      const QStringList ends = columns.split(':');
      const int dims =
          ends.size() == 2 ? ends[1].toInt() - ends[0].toInt() + 1 : int(columns.count(',')) + 1;
      QCOMPARE(result["dims"].toInt(), dims);
      QCOMPARE(result["points"].toInt(), found.captured(1).contains("--every 55") ? 3 : 120);
      // The dimensions of the table of features.
      const QString table = QString("| %1 |").arg(dims);
      if (dims > 3) QVERIFY2(text.contains(table), qPrintable(table));
      ++seen[file];
    }
    QCOMPARE(seen.size(), 9);
  }

  /// The first column of features is no coordinate: a class of SUSY, a year of the songs.
  void theFirstColumnIsLeftOut() {
    const QTemporaryDir folder;
    writePaperFiles(folder.path());
    for (const char* file : {"SUSY.csv", "YearPredictionMSD.txt", "ColorHistogram.asc"}) {
      const CliRun run = runCli({"info", file, "--columns", "0:1"}, folder.path());
      QVERIFY2(run.status == 0, run.err);
      QVERIFY2(run.out.contains("2 dimensions"), run.out);
    }
  }
};

GUILESS_TEST(TestCliPaperData);
#include "tst_cli_paper_data.moc"
