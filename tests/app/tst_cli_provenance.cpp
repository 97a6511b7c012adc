// The provenance of an output holds all that makes the same labels again: a call that is made of
// nothing else repeats the run.
#include <QtTest/QtTest>

#include "cli_process.h"
#include "oracle.h"
#include "tests/test_program.h"

class TestCliProvenance : public QObject, CliFolder {
  Q_OBJECT

 private slots:
  void initTestCase();
  void repeatsTheRun_data();
  void repeatsTheRun();

 private:
  /// The labels of a call, empty where it fails.
  QByteArray labelsOf(QStringList call, const QStringList& more = {}) const {
    const QString file = folder_.filePath("labels.npy");
    QFile::remove(file);
    call << "--labels"
         << "labels.npy";
    const CliRun run = runCli(call + more, folder_.path());
    return run.status == 0 ? oracle::readFile(file) : QByteArray();
  }
};

namespace {

/// The call that provenance describes.
QStringList callOf(const QJsonObject& lines) {
  const auto value = [&](const char* line) { return lines[QLatin1String(line)].toString(); };
  const bool hdbscan = value("method") == "HDBSCAN*";
  QStringList call{hdbscan ? "hdbscan" : "cluster", value("input")};
  const auto add = [&](const char* line, const char* option) {
    if (lines.contains(QLatin1String(line))) call << option << value(line);
  };
  const QString columns = value("coordinates").replace(", ", ",");
  const QString space = value("space");
  if (space.contains("great circles"))
    call << "--geographic" << columns;
  else
    call << "--columns" << columns;
  if (space.startsWith("periods ")) call << "--period" << space.mid(8);
  if (space.endsWith(" distances")) call << "--metric" << space.section(' ', 0, 0);
  if (value("decimal sign") == "comma") call << "--decimal-comma";
  if (value("decimal sign") == "point") call << "--decimal-point";
  if (value("skipped rows").toInt() > 0) call << "--skip-non-finite";
  if (value("allow single cluster") == "yes") call << "--allow-single-cluster";
  for (const auto& [line, option] :
       {std::pair{"scaling", "--scale"}, std::pair{"eps", "--eps"},
        std::pair{"min_pts", "--min-pts"}, std::pair{"one row read of every", "--every"},
        std::pair{"delimiter", "--delimiter"}, std::pair{"skip lines", "--skip-lines"},
        std::pair{"header", "--header"}, std::pair{"thousands", "--thousands"},
        std::pair{"weights", "--weights"}, std::pair{"by", "--by"}, std::pair{"ranks", "--ranks"},
        std::pair{"min cluster size", "--min-cluster-size"}, std::pair{"selection", "--select"},
        std::pair{"selection eps", "--selection-eps"},
        std::pair{"max cluster size", "--max-cluster-size"}})
    add(line, option);
  return call;
}

}  // namespace

/// Eight groups, each wider than the one before, with weights and a row without y.
void TestCliProvenance::initTestCase() {
  QByteArray cloud = "x,y,w,g\n";
  QByteArray odd = "a title\n";
  QByteArray places = "lon,lat\n";
  for (int i = 0; i < 240; ++i) {
    const int group = i / 30;
    const double x = 1 + 12 * group + (i * 37 % 31) * (group + 2) / 20.0;
    const double y = 1 + (i * 53 % 29) * (group % 3 + 1) / 6.0;
    const QByteArray first = QByteArray::number(x);
    cloud += first + ',' + (i == 100 ? "nan" : QByteArray::number(y)) + ',' +
             QByteArray::number(i * 7 % 5) + ',' + QByteArray::number(i % 3) + '\n';
    odd += QByteArray(first).replace('.', ',') + ';' + QByteArray::number(i % 5) + '\n';
    places += QByteArray::number(7 + x / 100) + ',' + QByteArray::number(47 + y / 100) + '\n';
  }
  QVERIFY(oracle::writeFile(folder_.filePath("cloud.csv"), cloud));
  QVERIFY(oracle::writeFile(folder_.filePath("odd.csv"), odd));
  QVERIFY(oracle::writeFile(folder_.filePath("places.csv"), places));
}

void TestCliProvenance::repeatsTheRun_data() {
  QTest::addColumn<QString>("call");
  QTest::addColumn<QString>("line");  // without which the labels are others, or none
  const auto row = [](const char* name, const char* line, const char* call) {
    QTest::newRow(name) << call << line;
  };
  const QString cloud = "cluster cloud.csv --columns x,y --skip-non-finite --eps 1.5 --min-pts 5";
  const auto of = [&](const char* name, const char* line, const char* more) {
    row(name, line, qPrintable(cloud + more));
  };
  of("ε", "eps", "");
  of("minPts", "min_pts", "");
  of("skipped rows", "skipped rows", "");
  of("coordinates", "coordinates", " --columns y,x --scale 1,3");
  of("scaling", "scaling", " --scale 3,1");
  of("z-score", "scaling", " --scale zscore --eps 0.2");
  of("a periodic box", "space", " --period 50,0");
  of("cosine", "space", " --metric cosine --eps 0.0001");
  of("Manhattan", "space", " --metric manhattan");
  of("Chebyshev", "space", " --metric chebyshev");
  of("rows in part", "one row read of every", " --every 2");
  of("weights", "weights", " --weights w --min-pts 12");
  of("groups", "by", " --by g");
  of("ranks", "", " --ranks 3");
  row("degrees", "space", "cluster places.csv --geographic lon,lat --eps 1500 --min-pts 3");
  row("text", "skip lines",
      "cluster odd.csv --skip-lines 21 --header no --delimiter semicolon --decimal-comma "
      "--thousands none --eps 2 --min-pts 3");
  row("a header", "header", "cluster odd.csv --skip-lines 21 --header yes --eps 2 --min-pts 3");
  row("a decimal sign", "",
      "cluster odd.csv --delimiter semicolon --columns 1 --decimal-point --skip-lines 1 "
      "--header no --eps 2 --min-pts 3");
  const QString tree =
      "hdbscan cloud.csv --columns x,y --skip-non-finite --min-pts 4 --min-cluster-size ";
  const auto ofTree = [&](const char* name, const char* line, const char* more) {
    row(name, line, qPrintable(tree + more));
  };
  ofTree("smallest cluster", "min cluster size", "9");
  ofTree("leaves", "selection", "5 --select leaves");
  ofTree("one cluster", "allow single cluster", "100 --allow-single-cluster");
  ofTree("selection ε", "selection eps", "5 --selection-eps 6");
  ofTree("largest cluster", "max cluster size", "5 --max-cluster-size 25");
}

void TestCliProvenance::repeatsTheRun() {
  QFETCH(const QString, call);
  QFETCH(const QString, line);
  QStringList arguments;  // of an option that is given twice the last one holds
  for (const QString& word : call.split(' ')) {
    const auto before = arguments.indexOf(word);
    if (word.startsWith("--") && before >= 0) arguments.remove(before, 2);
    arguments << word;
  }
  const QByteArray first = labelsOf(arguments, {"--provenance", "on"});
  QVERIFY(!first.isEmpty());
  QJsonObject lines =
      QJsonDocument::fromJson(oracle::readFile(folder_.filePath("labels.npy.provenance.json")))
          .object();
  QCOMPARE(labelsOf(callOf(lines)), first);
  if (line.isEmpty()) return;
  QVERIFY2(lines.contains(line), qPrintable(lines.keys().join(", ")));
  lines.remove(line);
  QVERIFY(labelsOf(callOf(lines)) != first);
}

GUILESS_TEST(TestCliProvenance);
#include "tst_cli_provenance.moc"
