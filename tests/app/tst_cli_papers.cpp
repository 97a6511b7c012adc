// The subcommand papers: all tables and figures are listed, those that can be made are, beside the
// published numbers; and clouds by the papers' names.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>
#include <QtTest>
#include <cmath>
#include <tuple>
#include <utility>

#include "cli_process.h"
#include "engine/cloud/generators.h"
#include "tests/test_program.h"

using namespace clusterloom;

class TestCliPapers : public QObject, CliFolder {
  Q_OBJECT

  QByteArray contents(const QString& name) const {
    QFile file(folder_.filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  QJsonArray list() const { return QJsonDocument::fromJson(run("papers --json").out).array(); }

 private Q_SLOTS:
  void names() {
    const auto expo = paperCloud("Expo4D10M");
    QVERIFY(expo);
    QCOMPARE(expo->kind, std::string("expo"));
    QCOMPARE(expo->dims, std::size_t(4));
    QCOMPARE(expo->points, std::size_t(10'000'000));
    QCOMPARE(paperCloud("Syn6D2M")->kind, std::string("unif"));
    QCOMPARE(paperCloud("SynExpo6D2M")->kind, std::string("expo"));
    for (const char* wrong : {"", "expo", "Expo", "Expo2D", "Expo2D2", "ExpoD2M", "Expo2DM",
                              "Expo2D2K", "Expo0D2M", "Expo2D0M", "SW2DA", "Expo2D99999999M"})
      QVERIFY2(!paperCloud(wrong), wrong);
    // A quarter of the points in two dimensions: twice the ε.
    QCOMPARE(epsOfSameSelectivity(0.002, 4000, 1000, 2), 0.004);
  }

  void cloudsAreMadeByTheirNames() {
    const QJsonObject made = run("generate Expo3D2M --points 500 --json named.npy").json();
    QCOMPARE(made["kind"].toString(), QString("expo"));
    QCOMPARE(made["dims"].toInt(), 3);
    QCOMPARE(made["points"].toInt(), 500);
    QCOMPARE(run("generate expo --points 500 --dims 3 plain.npy").status, 0);
    QVERIFY(!contents("plain.npy").isEmpty());
    QVERIFY(contents("named.npy") == contents("plain.npy"));
  }

  /// Every entry has an id of its own, and says why it is not made where it is not.
  void allAreListed() {
    const QJsonArray all = list();
    QVERIFY(all.size() > 20);
    QSet<QString> ids;
    QSet<QString> papers;
    for (const QJsonValue entry : all) {
      ids << entry["id"].toString();
      papers << entry["paper"].toString();
      QCOMPARE(entry["made"].toBool(), entry["why_not"].isUndefined());
    }
    QCOMPARE(ids.size(), all.size());
    QCOMPARE(papers.size(), 5);
    const CliRun text = run("papers");
    for (const QString& id : ids) QVERIFY2(text.out.contains(id.toUtf8()), qPrintable(id));
  }

  /// All tables and figures of results, whether they can be made or not.
  void everyTableAndFigureIsThere() {
    const QStringList needed = {
        "lbjoin-table 3-6",   "lbjoin-figure 9-13",   "gpu-sj-table 4-6",
        "gpu-sj-figure 1-17", "hegjoin-table 3-5",    "hegjoin-figure 7-13",
        "gpu-join-table 2-3", "gpu-join-figure 5-12", "g-dbscan-table 1-8",
    };
    QSet<QString> listed;
    // "gpu-sj-figures-7-8" is two of them, "gpu-join-figure-9-times" is the ninth.
    const QRegularExpression id("^(.*-(?:table|figure))s?-(\\d+)(?:-(\\d+))?(?:-times)?$");
    for (const QJsonValue entry : list()) {
      const auto match = id.match(entry["id"].toString());
      if (!match.hasMatch()) continue;
      const int first = match.captured(2).toInt();
      const int last = match.captured(3).isEmpty() ? first : match.captured(3).toInt();
      for (int number = first; number <= last; ++number)
        listed << QString("%1 %2").arg(match.captured(1)).arg(number);
    }
    for (const QString& range : needed) {
      const QString kind = range.section(' ', 0, 0);
      const QStringList ends = range.section(' ', 1).split('-');
      for (int number = ends[0].toInt(); number <= ends[1].toInt(); ++number)
        QVERIFY2(listed.contains(QString("%1 %2").arg(kind).arg(number)),
                 qPrintable(QString("%1 %2").arg(kind).arg(number)));
    }
  }

  /// The numbers of one data set.
  void oneDataSet() {
    const CliRun one = run("papers hegjoin-figure-10 --dataset Expo8D2M --points 1000 --json");
    QVERIFY2(one.status == 0, one.err);
    const QJsonArray numbers = QJsonDocument::fromJson(one.out).object()["numbers"].toArray();
    QCOMPARE(numbers.size(), 5);
    for (const QJsonValue number : numbers) QCOMPARE(number["dataset"].toString(), "Expo8D2M");
    const CliRun none = run("papers lbjoin-table-3 --dataset Expo8D2M");
    QCOMPARE(none.status, 2);
    QVERIFY2(none.err.contains("lbjoin-table-3 does not have numbers of a data set 'Expo8D2M'"),
             none.err);
    QVERIFY(run("papers table-3 --dataset Expo8D2M").err.contains("There is no table"));
  }

  /// What can be made is made, small.
  void whatCanBeMadeIs() {
    QSet<QString> expected;
    for (const QJsonValue entry : list())
      if (entry["made"].toBool()) expected << entry["id"].toString();
    QCOMPARE(expected.size(), 45);
    const CliRun all = run("papers all --points 2000 --sample-warps 20 --json");
    QVERIFY2(all.status == 0, all.err);
    QSet<QString> shares{"wee", "imbalance", "occupancy"};
    const QSet<QString> ofGpus{"host_share", "transfer_share", "modelled_over_measured",
                               "occupancy", "registers"};
    for (const QByteArray& line : all.out.trimmed().split('\n')) {
      const QJsonObject table = QJsonDocument::fromJson(line).object();
      const QString id = table["id"].toString();
      QVERIFY2(expected.remove(id), qPrintable(id));
      const QJsonArray numbers = table["numbers"].toArray();
      QVERIFY2(!numbers.isEmpty(), qPrintable(id));
      for (const QJsonValue number : numbers) {
        QCOMPARE(number["points"].toInt(), 2000);
        if (number["here"].isNull()) {
          // Only what needs a GPU, or more threads, is missing, and says so.
          const QString why = number["missing"].toString();
          if (id == "gpu-sj-figure-5" && why.contains("--threads")) continue;
          QVERIFY2(number["strategy"].toString().startsWith("HEGJoin") ||
                       ofGpus.contains(table["quantity"].toString()) || id == "hegjoin-figure-13" ||
                       id.startsWith("g-dbscan"),
                   qPrintable(id));
          QVERIFY2(why.contains("hybrid") || why.contains("No GPU"), qPrintable(why));
          continue;
        }
        const double here = number["here"].toDouble(-1);
        QVERIFY2(here >= 0, qPrintable(id));
        const QString quantity = table["quantity"].toString();
        QVERIFY(quantity != "seconds" || !number["measured_on"].toString().isEmpty());
        QVERIFY(number["published"].isNull() || number["published"].toDouble() >= 0);
        QVERIFY2(here <= 1 || !shares.contains(table["quantity"].toString()), qPrintable(id));
      }
    }
    QVERIFY2(expected.isEmpty(), qPrintable(expected.values().join(' ')));
  }

  /// The numbers of a real data set are those of its file, at the ε of the paper.
  void realDataAreReadFromAFile() {
    QCOMPARE(run("generate unif --points 500 --dims 3 real.npy").status, 0);
    const QString file = " --file real.npy --columns 0,1 --dataset SW2DA --json";
    const QJsonArray numbers = run("papers lbjoin-table-6" + file).json()["numbers"].toArray();
    QCOMPARE(numbers.size(), 3);
    for (const QJsonValue number : numbers) {
      QCOMPARE(number["dataset"].toString(), QString("SW2DA"));
      QCOMPARE(number["points"].toInt(), 500);
      QCOMPARE(number["eps"].toDouble(), 1.2);
      QVERIFY(number["here"].toDouble() > 0 && number["here"].toDouble() <= 1);
    }
    QCOMPARE(numbers[0]["published"].toDouble(), 0.552);
    const QJsonArray scaled = run("papers gpu-sj-figure-6 --scale unit" + file + " --every 2")
                                  .json()["numbers"]
                                  .toArray();
    QCOMPARE(scaled.size(), 3);
    QCOMPARE(scaled[0]["points"].toInt(), 250);

    const CliRun all = run("papers all" + file);
    QVERIFY2(all.status == 0, all.err);
    QSet<QString> made;
    for (const QByteArray& line : all.out.trimmed().split('\n'))
      made << QJsonDocument::fromJson(line).object()["id"].toString();
    QCOMPARE(made, QSet<QString>({"gpu-sj-figure-5", "gpu-sj-figure-6", "gpu-sj-table-5-occupancy",
                                  "gpu-sj-figure-12", "gpu-sj-figures-14-17", "gpu-sj-table-6",
                                  "gpu-sj-table-6-real", "lbjoin-figure-12", "lbjoin-table-6",
                                  "hegjoin-table-2", "hegjoin-figure-7-b", "hegjoin-table-3",
                                  "hegjoin-figures-8-9", "hegjoin-figure-11", "hegjoin-table-4",
                                  "hegjoin-figure-12", "hegjoin-table-5"}));
    // The list says which files make what is not made without.
    QVERIFY(run("papers").out.contains("made from a --file of Gaia, SW2DA, SW2DB, SW3DA, SW3DB"));
  }

  /// Figure 1 b of [Gowanlock 2018]: one cloud in 6-D at growing ε.
  void timesOverEps() {
    const QJsonArray numbers = numbersOf("gpu-sj-figure-1-b", 2000);
    QCOMPARE(numbers.size(), 5);
    double before = 0;
    for (const QJsonValue number : numbers) {
      QCOMPARE(number["dataset"].toString(), "Syn6D2M");
      QVERIFY(number["eps"].toDouble() > before);
      before = number["eps"].toDouble();
      QVERIFY(number["here"].toDouble() > 0);
      QVERIFY(number["measured_on"].toString().contains("1 thread"));
    }
  }

  /// Figure 4 of [Gowanlock 2018] without LINEARCOORD, which the list says.
  void patternsThatAreThere() {
    const QJsonArray numbers = numbersOf("gpu-sj-figure-4", 2000);
    QCOMPARE(numbers.size(), 10);
    for (int i = 0; i < numbers.size(); ++i) {
      QCOMPARE(numbers[i]["strategy"].toString(),
               QString(i % 2 == 0 ? "GPUCALCGLOBAL" : "UNICOMP"));
      QVERIFY(numbers[i]["here"].toDouble() > 0);
    }
    QVERIFY(run("papers").out.contains("LINEARCOORD is not part of this program\n"));
  }

  /// Figure 5 of [Gowanlock 2018] goes to as many threads as are asked for.
  void speedUpOverThreads() {
    const QString call = "papers gpu-sj-figure-5 --points 3000 --dataset Expo6D2M --threads ";
    const QJsonArray numbers = run(call + "2 --json").json()["numbers"].toArray();
    QCOMPARE(numbers.size(), 5);
    for (const int at : {0, 1, 2, 3, 4}) {
      QCOMPARE(numbers[at]["threads"].toInt(), 1 << at);
      QVERIFY(numbers[at]["published"].isNull());
      QCOMPARE(numbers[at]["here"].isNull(), at > 1);
    }
    QCOMPARE(numbers[0]["here"].toDouble(), 1.0);
    QVERIFY(numbers[1]["here"].toDouble() > 0);
    QVERIFY(numbers[1]["measured_on"].toString().contains("2 threads"));
    QVERIFY2(run(call + "1").out.contains("-: This process has 1 thread; --threads asks for more."),
             "the reason");
    QCOMPARE(run(call + "0").status, 2);
  }

  /// A kernel's theoretical occupancy is of a GPU; the paper's table 4 has another one.
  void occupancy() {
    const QJsonObject table = run("papers gpu-sj-table-4-occupancy --points 5000 --json").json();
    QVERIFY(table["title"].toString().contains("achieved, as a profiler measures it"));
    const QJsonArray numbers = table["numbers"].toArray();
    QCOMPARE(numbers.size(), 5);
    QCOMPARE(numbers[0]["published"].toDouble(), 0.578);
    QCOMPARE(numbers[4]["b_s"].toDouble(), 9e8);
    for (const QJsonArray& all : {numbers, numbersOf("gpu-sj-table-5-occupancy", 5000)})
      for (const QJsonValue number : all)
        if (number["here"].isNull())
          QVERIFY(number["missing"].toString().startsWith("No GPU answers here"));
        else
          QVERIFY(number["here"].toDouble() > 0 && number["here"].toDouble() <= 1);
  }

  /// [Frasson 2021]: times and profiles of each version and kernel, on blobs of as many points.
  void gDbscan() {
    const CliRun listed = run("papers");
    QVERIFY(listed.out.contains("the paper does not describe its data"));
    QVERIFY(listed.out.contains("all columns but these three need a profiler"));
    const QJsonArray times = numbersOf("g-dbscan-speed-ups", 1000);
    QCOMPARE(times.size(), 8);
    QCOMPARE(times[0]["dataset"].toString(), QString("Blobs10D"));
    QCOMPARE(times[0]["published"].toDouble(), 9.570);
    QCOMPARE(times[7]["strategy"].toString(), QString("shared memory"));
    QCOMPARE(times[7]["published"].toDouble(), 64.539);
    QList<QJsonArray> all{times};
    for (const auto& [id, first, third] : {std::tuple{"g-dbscan-tables-1-8", 4.391949376, 53568e-9},
                                           {"g-dbscan-tables-1-8-registers", 32.0, 16.0},
                                           {"g-dbscan-tables-1-8-occupancy", 1.0, 1.0}}) {
      all << numbersOf(id, 1000);
      QCOMPARE(all.last().size(), 8);
      for (int row = 0; row < 8; ++row) QCOMPARE(all.last().at(row)["table"].toInt(), row + 1);
      QCOMPARE(all.last().at(0)["published"].toDouble(), first);
      QCOMPARE(all.last().at(2)["published"].toDouble(), third);
    }
    for (const QJsonArray& numbers : all)
      for (const QJsonValue number : numbers)
        if (number["here"].isNull())
          QCOMPARE(number["missing"].toString(), "No GPU answers here, and G-DBSCAN needs a GPU.");
        else
          QVERIFY(number["here"].toDouble() > 0);
  }

  /// Figures 5 and 6 of [Gowanlock 2019], of which the list says the files.
  void figuresOfManyDimensions() {
    QCOMPARE(run("generate expo --points 300 --dims 9 many.npy").status, 0);
    const auto of = [&](const QString& id, const QString& dataset) {
      return run("papers " + id + " --file many.npy --dataset " + dataset + " --json")
          .json()["numbers"]
          .toArray();
    };
    const QJsonArray plain = of("gpu-join-figure-5", "CoocTexture");
    QCOMPARE(plain.size(), 2);
    QCOMPARE(plain[1]["eps"].toDouble(), 0.2);
    const QJsonArray overK = of("gpu-join-figure-6", "SuSy");
    QCOMPARE(overK.size(), 16);
    for (int i = 0; i < 16; ++i) {
      QCOMPARE(overK[i]["k"].toInt(), 1 + i % 8);
      QCOMPARE(overK[i]["strategy"].toString().startsWith("REORDER"), i >= 8);
    }
    for (const QJsonArray& numbers : {plain, overK})
      for (const QJsonValue number : numbers) QVERIFY(number["here"].toDouble() > 0);
    const CliRun refused = run("papers gpu-join-figure-6");
    QCOMPARE(refused.status, 2);
    QVERIFY2(refused.err.contains("made from a --file of Songs, SuSy"), refused.err);
  }

  /// Table 6 of [Gowanlock 2018] from a file: one of the six batch sizes, where a GPU has batches.
  void bestBatchSizes() {
    QCOMPARE(run("generate unif --points 500 --dims 2 batches.npy").status, 0);
    const QString file = " --file batches.npy --dataset SW2DA --json";
    const QSet<double> sizes{2.5e7, 5e7, 7.5e7, 1e8, 1.25e8, 1.5e8};
    for (const auto& [id, third] :
         {std::pair{"gpu-sj-table-6", 1e8}, {"gpu-sj-table-6-real", 7.5e7}}) {
      const QJsonArray numbers = run(QString("papers ") + id + file).json()["numbers"].toArray();
      QCOMPARE(numbers.size(), 5);
      QCOMPARE(numbers[2]["published"].toDouble(), third);
      QCOMPARE(numbers[4]["eps"].toDouble(), 1.5);
      for (const QJsonValue number : numbers) {
        if (!number["here"].isNull()) {
          QVERIFY(sizes.contains(number["here"].toDouble()));
          continue;
        }
        // So few pairs are as many batches of either size, from which no model follows.
        const QString why = number["missing"].toString();
        QVERIFY2(why.startsWith("No GPU answers here") || why.contains("Both runs have"),
                 qPrintable(why));
      }
    }
  }

  /// What [Gallet 2020] prints about SW2DA in tables 3 and 4; figure 11 has times by both.
  void publishedNumbersOfRealData() {
    QCOMPARE(run("generate unif --points 500 --dims 2 published.npy").status, 0);
    const auto numbersOf = [&](const QString& id) {
      return run("papers " + id + " --file published.npy --dataset SW2DA --json")
          .json()["numbers"]
          .toArray();
    };
    const QJsonArray neighbours = numbersOf("hegjoin-table-2");
    QCOMPARE(neighbours.size(), 1);
    QCOMPARE(neighbours.at(0)["published"].toInt(), 5818);
    const QJsonArray candidates = numbersOf("hegjoin-table-3");
    QCOMPARE(candidates.size(), 2);
    QCOMPARE(std::round(candidates.at(0)["published"].toDouble() * 1864620), 28441701752.0);
    QCOMPARE(std::round(candidates.at(1)["published"].toDouble() * 1864620), 27786778388.0);
    const QJsonArray throughput = numbersOf("hegjoin-table-4");
    QCOMPARE(throughput.size(), 1);
    QCOMPARE(throughput.at(0)["published"].toDouble(), 0.79);
    const double here = throughput.at(0)["here"].toDouble();
    QVERIFY2(here > 0 && here <= 1, qPrintable(QString::number(here)));
    const QJsonArray seconds = numbersOf("hegjoin-figure-11");
    QCOMPARE(seconds.size(), 5);
    // New-Super-EGO over Super-EGO, both on a CPU.
    const QJsonArray ego = numbersOf("hegjoin-figure-7-b");
    QCOMPARE(ego.size(), 1);
    QVERIFY(ego.at(0)["here"].toDouble() > 0);
    QVERIFY(ego.at(0)["measured_on"].toString().startsWith("CPU"));
    // At three ε of figures 8 and 9, from times at the middle one.
    const QJsonArray model = numbersOf("hegjoin-figures-8-9");
    QCOMPARE(model.size(), 12);
    for (const int at : {0, 4, 8}) QCOMPARE(model.at(at)["eps"].toDouble(), 0.3 + 0.15 * at);
    QCOMPARE(std::round(seconds.at(0)["published"].toDouble() * 100), 2776.0);
    QCOMPARE(std::round(seconds.at(1)["published"].toDouble() * 100), 813.0);
    for (const int division : {2, 3, 4}) QVERIFY(seconds.at(division)["published"].isNull());
  }

  /// With the options of other commands, once for all tables.
  void theFileIsReadAsByOtherCommands() {
    QFile file(folder_.filePath("odd.txt"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("positions\nlat;lon\nnan;1,5\n");
    for (int i = 0; i < 300; ++i)
      file.write(QByteArray::number(i % 17) + ",5;" + QByteArray::number(i % 23) + ",25\n");
    file.close();
    const QString data = " --file odd.txt --dataset SW2DA --json";
    const CliRun refused = run("papers lbjoin-table-6" + data);
    QCOMPARE(refused.status, 1);
    QVERIFY2(refused.err.contains("--skip-non-finite skips them"), refused.err);
    const CliRun all = run("papers all" + data +
                           " --skip-non-finite --skip-lines 1 --delimiter semicolon --header yes "
                           "--decimal-comma --thousands none");
    QVERIFY2(all.status == 0, all.err);
    QVERIFY(all.out.count('\n') > 1);
    for (const QByteArray& table : all.out.trimmed().split('\n'))
      for (const QJsonValue number : QJsonDocument::fromJson(table).object()["numbers"].toArray())
        QCOMPARE(number["points"].toInt(), 300);
    QCOMPARE(all.err.count("is not finite and was skipped"), 1);  // said where the file is read
    QCOMPARE(run("generate unif --points 50 --dims 2 binary.npy").status, 0);
    const CliRun binary =
        run("papers lbjoin-table-6 --file binary.npy --dataset SW2DA --delimiter comma");
    QCOMPARE(binary.status, 2);
    QVERIFY2(binary.err.contains("--delimiter is for text files; binary.npy is npy."), binary.err);
  }

  /// Figures that are about averages have those of the data sets that can be made.
  void averagesAreOfTheNumbers() {
    const QString call = "papers lbjoin-figure-13 --points 2000 --sample-warps 20";
    const QJsonObject table = run(call + " --json").json();
    double sum = 0;
    for (const QJsonValue number : table["numbers"].toArray()) sum += number["here"].toDouble();
    const QJsonObject averages = table["averages"].toObject();
    QCOMPARE(averages.size(), 1);
    const QString strategy = table["numbers"].toArray().at(0)["strategy"].toString();
    QCOMPARE(averages[strategy].toDouble(), sum / 4);
    QVERIFY(run(call).out.contains("average, " + strategy.toUtf8() + ": "));
    QVERIFY(!run("papers hegjoin-table-3 --points 2000 --json").json().contains("averages"));
  }

  QJsonArray numbersOf(const QString& id, int points) const {
    return run(QString("papers %1 --points %2 --json").arg(id).arg(points))
        .json()["numbers"]
        .toArray();
  }

  /// Numbers that hardly depend on the size of the cloud are near the published ones.
  void sizesDoNotMatterEverywhere() {
    // The batch size becomes smaller with the cloud, so the batches are as many.
    for (const QJsonValue number : numbersOf("gpu-sj-table-4", 100000))
      QVERIFY2(std::abs(number["here"].toDouble() - number["published"].toDouble()) <= 1,
               qPrintable(QString::number(number["here"].toDouble())));
    // In two dimensions, where ε is small against the extent.
    const QJsonArray neighbours = numbersOf("hegjoin-table-2", 20000);
    for (const int smallest : {0, 2}) {
      QVERIFY(neighbours[smallest]["dataset"].toString().startsWith("Expo2D"));
      const double ratio =
          neighbours[smallest]["here"].toDouble() / neighbours[smallest]["published"].toDouble();
      QVERIFY2(ratio > 0.8 && ratio < 1.05, qPrintable(QString::number(ratio)));
    }
    // Sorting by workload gains, and a queue more.
    const QJsonArray sorted = numbersOf("lbjoin-figure-11", 20000);
    QVERIFY(sorted[0]["here"].toDouble() > 1.1);
    QVERIFY(sorted[1]["here"].toDouble() > 1.1);
  }

  /// Each of the optimizations reads fewer coordinates; one GPU more is never slower.
  void savingsAreSavings() {
    const QJsonArray read = numbersOf("gpu-join-figure-9", 3000);
    for (int i = 0; i + 2 < read.size(); i += 3) {
      QCOMPARE(read[i + 2]["strategy"].toString(), QString("REORDER + SORTIDU + SHORTC"));
      QVERIFY(read[i + 2]["here"].toDouble() < read[i + 1]["here"].toDouble());
      QVERIFY(read[i]["published"].isNull());
    }
    double before = 1;
    for (const QJsonValue number : numbersOf("gpu-join-figure-11", 3000)) {
      QVERIFY(number["here"].toDouble() >= before);
      QVERIFY(number["here"].toDouble() <= number["GPUs"].toDouble());
      before = number["here"].toDouble();
    }
    // The queue leaves less imbalance than the worst fixed share.
    const QJsonArray divisions = numbersOf("hegjoin-figure-12", 20000);
    QVERIFY(divisions[0]["here"].toDouble() < divisions[1]["here"].toDouble());
  }

  /// In two dimensions small clouds already give about the published numbers: the model itself is
  /// compared at full size in engine/load/README.md.
  void smallCloudsComeNear() {
    const QJsonArray wee = run("papers lbjoin-table-5 --points 100000 --sample-warps 200 --json")
                               .json()["numbers"]
                               .toArray();
    int near = 0;
    for (const QJsonValue number : wee)
      if (number["dataset"].toString() == "Expo2D2M" ||
          number["dataset"].toString() == "Unif2D2M") {
        ++near;
        QVERIFY2(std::abs(number["here"].toDouble() - number["published"].toDouble()) < 0.15,
                 qPrintable(QString("%1 %2")
                                .arg(number["strategy"].toString())
                                .arg(number["here"].toDouble())));
      }
    QCOMPARE(near, 6);
    const QJsonObject table = run("papers hegjoin-table-3 --points 20000 --json").json();
    const QJsonValue first = table["numbers"].toArray()[0];
    QCOMPARE(first["strategy"].toString(), QString("GPUCALCGLOBAL"));
    // The expected number: a point and its candidate are in the same or in adjacent cells of width
    // ε.
    const double q = std::exp(-40 * first["eps"].toDouble());
    const double share = (1 - q) * (1 + 2 * q) / (1 + q);
    const double expected = 1 + (20000 - 1) * share * share;
    QVERIFY2(std::abs(first["here"].toDouble() / expected - 1) < 0.05,
             qPrintable(QString::number(first["here"].toDouble())));
    QCOMPARE(first["published"].toDouble(), 51789286408.0 / 2e6);
    const CliRun text = run("papers lbjoin-table-4 --points 2000");
    QVERIFY2(text.out.contains("k=8") && text.out.contains("40.8 %"), text.out);
  }
};

GUILESS_TEST(TestCliPapers);
#include "tst_cli_papers.moc"
