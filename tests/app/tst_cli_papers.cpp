// The subcommand papers: all tables and figures are listed, those that can be made are, beside the
// published numbers; and clouds by the papers' names.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>

#include "cli_process.h"
#include "engine/cloud/paper_clouds.h"
#include "tests/test_program.h"

using namespace clusterloom;

class TestCliPapers : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  CliRun run(const QString& call) const { return runCli(call.split(' '), folder_.path()); }
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

  /// What can be made is made, small.
  void whatCanBeMadeIs() {
    int made = 0;
    for (const QJsonValue entry : list()) {
      if (!entry["made"].toBool()) continue;
      ++made;
      const QString id = entry["id"].toString();
      const QJsonObject table =
          run("papers " + id + " --points 2000 --sample-warps 20 --json").json();
      const QJsonArray numbers = table["numbers"].toArray();
      QVERIFY2(numbers.size() >= 6, qPrintable(id));
      const bool wee = table["quantity"].toString() == "wee";
      for (const QJsonValue number : numbers) {
        QCOMPARE(number["points"].toInt(), 2000);
        QVERIFY(number["published"].toDouble() > 0 && number["here"].toDouble() > 0);
        QVERIFY(!wee || number["here"].toDouble() <= 1);
      }
    }
    QCOMPARE(made, 4);
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
    const QJsonObject table = run("papers hegjoin-table-3 --points 100000 --json").json();
    const QJsonValue first = table["numbers"].toArray()[0];
    QCOMPARE(first["strategy"].toString(), QString("GPUCALCGLOBAL"));
    // The expected number: a point and its candidate are in the same or in adjacent cells of width
    // ε.
    const double q = std::exp(-40 * first["eps"].toDouble());
    const double share = (1 - q) * (1 + 2 * q) / (1 + q);
    const double expected = 1 + (100000 - 1) * share * share;
    QVERIFY2(std::abs(first["here"].toDouble() / expected - 1) < 0.02,
             qPrintable(QString::number(first["here"].toDouble())));
    QCOMPARE(first["published"].toDouble(), 51789286408.0 / 2e6);
    const CliRun text = run("papers lbjoin-table-4 --points 2000");
    QVERIFY2(text.out.contains("k=8") && text.out.contains("40.8 %"), text.out);
  }
};

GUILESS_TEST(TestCliPapers);
#include "tst_cli_papers.moc"
