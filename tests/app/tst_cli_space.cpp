// clusterloom-cli with --period and --geographic: equal to plain loops.
#include <QtTest/QtTest>

#include <cmath>

#include "cli_process.h"
#include "oracle.h"
#include "tests/test_program.h"

namespace {

/// Coordinates are multiples of 1/4, and so are the periods: every sum is exact.
oracle::Rows quarters(std::size_t points, std::size_t dims, unsigned seed) {
  std::mt19937_64 draw(seed);
  oracle::Rows rows(points, std::vector<double>(dims));
  for (auto& row : rows)
    for (double& x : row) x = static_cast<double>(draw() % 160) / 4 - 15;
  return rows;
}

struct NearInBox {
  std::vector<double> periods;
  double eps;

  bool operator()(const std::vector<double>& a, const std::vector<double>& b) const {
    double sum = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
      const double d = periods[j] > 0 ? std::remainder(a[j] - b[j], periods[j]) : a[j] - b[j];
      sum += d * d;
    }
    return sum <= eps * eps;
  }
};

/// Radians between two points, by the haversine formula.
double angleBetween(const std::vector<double>& a, const std::vector<double>& b) {
  const double degree = std::acos(-1.0) / 180;
  const double u = std::sin((a[1] - b[1]) * degree / 2);
  const double v = std::sin((a[0] - b[0]) * degree / 2);
  const double h = u * u + std::cos(a[1] * degree) * std::cos(b[1] * degree) * v * v;
  return 2 * std::asin(std::sqrt(h));
}

}  // namespace

class TestCliSpace : public QObject, CliFolder {
  Q_OBJECT

  oracle::Rows box_ = quarters(400, 3, 1);
  oracle::Rows earth_;

  std::vector<std::int32_t> labelsIn(const char* name) const {
    return oracle::readNpy(path(name)).values<std::int32_t>();
  }

 private slots:
  void initTestCase() {
    std::mt19937_64 draw(2);
    for (int i = 0; i < 400; ++i) {
      const double lon = static_cast<double>(draw() % 1000000) / 1e6;
      const double lat = static_cast<double>(draw() % 1000000) / 1e6;
      if (i % 2 == 0)
        earth_.push_back({lon < 0.5 ? 179.5 + lon : lon - 180.5, lat});  // across the date line
      else
        earth_.push_back({360 * lon, 89.5 + lat / 2});
    }
    QVERIFY(oracle::writeFile(path("box.csv"), oracle::csvOf(box_)));
    QVERIFY(oracle::writeFile(path("earth.csv"), oracle::csvOf(earth_)));
  }

  void labelsInABox() {
    const auto near = oracle::neighboursWhere(box_, NearInBox{{20, 0, 8.25}, 3.25});
    for (const int minPts : {3, 6, 12}) {
      const CliRun done = runCli(
          words("cluster box.csv --period 20,-,8.25 --eps 3.25 --labels out.npy --json --min-pts")
              << QString::number(minPts),
          folder_.path());
      QCOMPARE(done.status, 0);
      const oracle::Labels expected = oracle::dbscan(near, std::size_t(minPts));
      QCOMPARE(labelsIn("out.npy"), expected.labels);
      const QJsonObject json = done.json();
      QCOMPARE(json["clusters"].toInt(), expected.clusters);
      QCOMPARE(json["core"].toInt(), expected.core);
      QCOMPARE(json["border"].toInt(), expected.border);
      QCOMPARE(json["period"].toArray(), (QJsonArray{20.0, 0.0, 8.25}));
    }
  }

  void pairsInABox() {
    const CliRun done =
        run("join box.csv --period 20,0,8.25 --eps 3.25 --pairs pairs.npy --counts counts.npy");
    QCOMPARE(done.status, 0);
    QVERIFY(done.out.contains("space       periods 20,-,8.25\n"));
    const auto near = oracle::neighboursWhere(box_, NearInBox{{20, 0, 8.25}, 3.25});
    std::vector<std::int32_t> pairs;
    std::vector<std::uint32_t> counts;
    for (std::size_t p = 0; p < near.size(); ++p) {
      counts.push_back(static_cast<std::uint32_t>(near[p].size()));
      for (const std::int32_t q : near[p]) {
        pairs.push_back(static_cast<std::int32_t>(p));
        pairs.push_back(q);
      }
    }
    QCOMPARE(labelsIn("pairs.npy"), pairs);
    QCOMPARE(oracle::readNpy(path("counts.npy")).values<std::uint32_t>(), counts);
  }

  void periodsAreScaled() {
    QCOMPARE(run("cluster box.csv --period 20,-,8.25 --scale 2,2,-2 --eps 6.5 --min-pts 6 "
                 "--labels scaled.npy")
                 .status,
             0);
    const auto near = oracle::neighboursWhere(box_, NearInBox{{20, 0, 8.25}, 3.25});
    QCOMPARE(labelsIn("scaled.npy"), oracle::dbscan(near, 6).labels);
  }

  void ranksInOneProcess() {
    const auto near = oracle::neighboursWhere(box_, NearInBox{{20, 0, 8.25}, 3.25});
    const CliRun done = run(
        "cluster box.csv --period 20,-,8.25 --eps 3.25 --min-pts 6 --ranks 3 --labels ranks.npy");
    QCOMPARE(done.status, 0);
    QVERIFY(done.out.contains("\nranks       3"));
    QCOMPARE(labelsIn("ranks.npy"), oracle::dbscan(near, 6).labels);
  }

  void newPointsInABox() {
    QCOMPARE(
        run("cluster box.csv --period 20,-,8.25 --eps 3.25 --min-pts 6 --labels own.npy").status,
        0);
    QCOMPARE(run("label box.csv --from box.csv --period 20,-,8.25 --eps 3.25 --min-pts 6 --labels "
                 "new.npy")
                 .status,
             0);
    QCOMPARE(labelsIn("new.npy"), labelsIn("own.npy"));
  }

  void labelsOfCosineDistances() {
    const auto near = oracle::neighboursWhere(earth_, [](const auto& a, const auto& b) {
      const double product = a[0] * b[0] + a[1] * b[1];
      return 1 - product / (std::hypot(a[0], a[1]) * std::hypot(b[0], b[1])) <= 1e-5;
    });
    const oracle::Labels expected = oracle::dbscan(near, 4);
    QVERIFY(expected.clusters > 5);
    const CliRun done =
        run("cluster earth.csv --metric cosine --eps 1e-5 --min-pts 4 --labels out.npy "
            "--provenance on --json");
    QCOMPARE(done.status, 0);
    QCOMPARE(labelsIn("out.npy"), expected.labels);
    QVERIFY(done.out.contains("\"metric\":"));
    QVERIFY(run("cluster earth.csv --metric taxi --eps 1").err.contains("cosine, manhattan or"));
    QVERIFY(run("cluster earth.csv --metric cosine --period 1,1 --eps 1").status != 0);
    // Of unit vectors, as distances of the metric.
    QCOMPARE(run("knn earth.csv -k 4 --metric cosine --distances k.npy").status, 0);
    const auto distances = oracle::readNpy(path("k.npy")).values<double>();
    std::vector<double> all;
    for (const auto& b : earth_)
      all.push_back(1 - (earth_[0][0] * b[0] + earth_[0][1] * b[1]) /
                            (std::hypot(earth_[0][0], earth_[0][1]) * std::hypot(b[0], b[1])));
    std::sort(all.begin(), all.end());
    QVERIFY(std::abs(distances[3] - all[3]) < 1e-12);
    QCOMPARE(run("hierarchy earth.csv --min-pts 4 --metric cosine --labels-at 1e-5 --labels "
                 "all.npy")
                 .status,
             0);
    QCOMPARE(labelsIn("all.npy"), expected.labels);
    QVERIFY(oracle::writeFile(path("zero.csv"), "a,b\n1,1\n0,0\n"));
    for (const char* call : {"knn zero.csv -k 1", "hierarchy zero.csv --min-pts 1",
                             "hdbscan zero.csv --min-cluster-size 2"})
      QVERIFY2(run((std::string(call) + " --metric cosine").c_str()).err.contains("row 1"), call);
  }

  void labelsOfManhattanAndChebyshev() {
    for (const bool sum : {true, false}) {
      const auto length = [&](const auto& a, const auto& b) {
        double distance = 0;
        for (std::size_t j = 0; j < a.size(); ++j) {
          const double d = std::abs(a[j] - b[j]);
          distance = sum ? distance + d : std::max(distance, d);
        }
        return distance;
      };
      const double eps = sum ? 4.5 : 2.75;
      const auto near = oracle::neighboursWhere(
          box_, [&](const auto& a, const auto& b) { return length(a, b) <= eps; });
      const oracle::Labels expected = oracle::dbscan(near, 6);
      QVERIFY(expected.clusters > 0);
      const std::string metric = sum ? " --metric manhattan" : " --metric chebyshev";
      const std::string call = metric + " --eps " + (sum ? "4.5" : "2.75") + " --min-pts 6 --json";
      const CliRun done = run(("cluster box.csv --labels out.npy" + call).c_str());
      QVERIFY2(done.status == 0, done.err);
      QCOMPARE(labelsIn("out.npy"), expected.labels);
      QCOMPARE(done.json()["metric"].toString(), QString(sum ? "manhattan" : "chebyshev"));
      QCOMPARE(run(("label box.csv --from box.csv --labels new.npy" + call).c_str()).status, 0);
      QCOMPARE(labelsIn("new.npy"), expected.labels);
      QCOMPARE(run(("hierarchy box.csv --min-pts 6 --labels all.npy --labels-at " +
                    std::string(sum ? "4.5" : "2.75") + metric)
                       .c_str())
                   .status,
               0);
      QCOMPARE(labelsIn("all.npy"), expected.labels);
      const CliRun counted =
          run(("join box.csv --json" + metric + " --eps " + (sum ? "4.5" : "2.75")).c_str());
      std::size_t pairs = 0;
      for (const auto& of : near) pairs += of.size();
      QCOMPARE(counted.json()["pairs"].toDouble(), double(pairs));
      QCOMPARE(run(("knn box.csv -k 3 --distances k.npy" + metric).c_str()).status, 0);
      std::vector<double> all;
      for (const auto& b : box_) all.push_back(length(box_[0], b));
      std::sort(all.begin(), all.end());
      QCOMPARE(oracle::readNpy(path("k.npy")).values<double>()[2], all[2]);
      QCOMPARE(run(("hdbscan box.csv --min-cluster-size 5 --json" + metric).c_str())
                   .json()["metric"]
                   .toString(),
               QString(sum ? "manhattan" : "chebyshev"));
      // Ranks divide the points, those of labels alone from file to file.
      for (const char* out : {"ranks.npy", "ranks.csv"}) {
        const CliRun ranks =
            run((std::string("cluster box.csv --ranks 3 --labels ") + out + call).c_str());
        QVERIFY2(ranks.status == 0, ranks.err);
        QCOMPARE(ranks.json()["metric"].toString(), QString(sum ? "manhattan" : "chebyshev"));
        QCOMPARE(ranks.json()["clusters"].toInt(), expected.clusters);
        QCOMPARE(ranks.json()["border"].toInt(), expected.border);
      }
      QCOMPARE(labelsIn("ranks.npy"), expected.labels);
      QVERIFY(run(("cluster box.csv --pattern full" + call).c_str())
                  .err.contains("take no access pattern"));
      QVERIFY(run(("knn box.csv -k 3 --period 9,9,9" + metric).c_str()).status != 0);
    }
  }

  void labelsOfLongitudeAndLatitude() {
    const auto near = oracle::neighboursWhere(earth_, [](const auto& a, const auto& b) {
      return angleBetween(a, b) * 6371008.8 <= 5000;
    });
    const CliRun done =
        run("cluster earth.csv --geographic c0,c1 --eps 5000 --min-pts 4 --labels out.npy "
            "--provenance on --json");
    QCOMPARE(done.status, 0);
    const oracle::Labels expected = oracle::dbscan(near, 4);
    QVERIFY(expected.clusters > 5);
    QCOMPARE(run("cluster earth.csv --columns c0,c1 --geographic auto --eps 5000 --min-pts 4 "
                 "--labels auto.npy")
                 .status,
             0);
    QCOMPARE(labelsIn("auto.npy"), expected.labels);
    QCOMPARE(labelsIn("out.npy"), expected.labels);
    QCOMPARE(done.json()["sphere_radius"].toDouble(), 6371008.8);
    QCOMPARE(done.json()["eps"].toDouble(), 5000.0);
    QVERIFY(oracle::readFile(path("out.npy.provenance.json"))
                .contains("great circles on a sphere of radius 6371008.8 m"));
  }

  /// The names of each file say the order of its columns.
  void filesOfTwoOrders() {
    oracle::Rows turned;
    for (const auto& row : earth_) turned.push_back({row[1], row[0]});
    const auto named = [](const char* names, const oracle::Rows& rows) {
      QByteArray text = oracle::csvOf(rows);
      return names + text.mid(text.indexOf('\n'));
    };
    QVERIFY(oracle::writeFile(path("lonlat.csv"), named("lon,lat", earth_)));
    QVERIFY(oracle::writeFile(path("latlon.csv"), named("Lat,Lng", turned)));
    QVERIFY(oracle::writeFile(path("turned.csv"), named("c0,c1", turned)));
    const char* const options = " --geographic auto --eps 5000 --min-pts 4 --labels ";
    QVERIFY(run((std::string("cluster earth.csv") + options + "own.npy").c_str()).status == 0);
    const auto expected = labelsIn("own.npy");
    // In memory, and in blocks.
    for (const char* how : {"", " --memory 1G"}) {
      for (const char* files :
           {"label lonlat.csv --from latlon.csv", "label latlon.csv --from lonlat.csv",
            "label latlon.csv --from latlon.csv", "label earth.csv --from latlon.csv",
            "label latlon.csv --from turned.csv", "cluster latlon.csv", "cluster lonlat.csv"}) {
        const CliRun done = run((std::string(files) + options + "new.npy" + how).c_str());
        QVERIFY2(done.status == 0, done.err);
        QVERIFY2(labelsIn("new.npy") == expected, files);
      }
    }
    const CliRun own = run("join lonlat.csv --geographic auto --eps 5000 --json");
    QVERIFY(own.json()["pairs"].toDouble() > 400);
    for (const char* how : {"", " --memory 1G"}) {
      const CliRun both = run((std::string("join lonlat.csv --with latlon.csv --geographic auto "
                                           "--eps 5000 --json") +
                               how)
                                  .c_str());
      QVERIFY2(both.status == 0, both.err);
      QCOMPARE(both.json()["pairs"], own.json()["pairs"]);
    }
  }

  /// Numbers are taken as they are given, and said to be against the names.
  void numbersAgainstNames() {
    const QByteArray rows = oracle::csvOf(earth_);
    QVERIFY(oracle::writeFile(path("wrong.csv"), "lat,lon" + rows.mid(rows.indexOf('\n'))));
    const char* const options = " --eps 5000 --min-pts 4 --labels n.npy";
    const CliRun done = run((std::string("cluster wrong.csv --geographic 0,1") + options).c_str());
    QCOMPARE(done.status, 0);
    QVERIFY2(done.err.contains("the longitude is column lat and the latitude column lon"),
             done.err);
    const auto labels = labelsIn("n.npy");
    const CliRun blocks =
        run((std::string("cluster wrong.csv --geographic 0,1 --memory 1G") + options).c_str());
    QVERIFY2(blocks.status == 0 && blocks.err.contains("the longitude is column lat"), blocks.err);
    QCOMPARE(labelsIn("n.npy"), labels);
    // Of both files of a call.
    for (const char* how : {"", " --memory 1G"}) {
      const CliRun two =
          run((std::string("join earth.csv --with wrong.csv --geographic 0,1 --eps 5000") + how)
                  .c_str());
      QVERIFY2(two.status == 0 && two.err.contains("wrong.csv: the longitude is column lat"),
               two.err);
    }
    QVERIFY(oracle::writeFile(path("right.csv"), "lon,lat" + rows.mid(rows.indexOf('\n'))));
    const CliRun turned =
        run((std::string("label right.csv --from wrong.csv --geographic 0,1 --memory 1G") + options)
                .c_str());
    QVERIFY2(turned.status == 1 && turned.err.contains("different orders"), turned.err);
    const CliRun plain = run((std::string("cluster earth.csv --geographic 0,1") + options).c_str());
    QVERIFY2(plain.status == 0 && plain.err.isEmpty(), plain.err);
    QCOMPARE(labelsIn("n.npy"), labels);
  }

  void refusals_data() {
    QTest::addColumn<QString>("call");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* call, const char* message) {
      QTest::newRow(call) << QString::fromUtf8(call) << QString::fromUtf8(message);
    };
    row("cluster box.csv --period 20,20 --eps 1 --min-pts 3", "3 are needed, 2 given");
    row("cluster box.csv --period 20,20,2 --eps 1 --min-pts 3", "less than half of each period");
    row("cluster box.csv --period 0,0,0 --eps 1 --min-pts 3", "other than 0");
    row("cluster box.csv --period 1,x,1 --eps 1 --min-pts 3", "--period: A period needs a number");
    row("cluster box.csv --period 9,-9,9 --eps 1 --min-pts 3", "must not be negative");
    row("cluster earth.csv --geographic c0 --eps 1 --min-pts 3", "two columns");
    row("cluster earth.csv --geographic c1,c0 --eps 1 --min-pts 3", "latitude of row");
    row("cluster earth.csv --geographic Lat,lon --eps 1 --min-pts 3",
        "the longitude first, and Lat,lon names the latitude first; write --geographic lon,Lat");
    row("cluster earth.csv --geographic y,x --eps 1 --min-pts 3", "write --geographic x,y");
    row("cluster earth.csv --geographic c0,c1 --scale unit --eps 1 --min-pts 3", "not scaled");
    row("cluster earth.csv --geographic c0,c1 --period 1,1 --eps 1 --min-pts 3", "excludes");
    row("cluster earth.csv --geographic c0,c1 --columns c0 --eps 1 --min-pts 3",
        "leave --columns out");
    row("join earth.csv --geographic c0,c1 --eps 1 --histogram h.csv", "no histogram");
    row("join box.csv --period 9,9,9 --eps 1 --pattern unicomp", "points and images");
    row("knn box.csv -k 3 --geographic c0,c1", "it is one of: cluster, join, label");
    row("hierarchy box.csv --min-pts 3 --geographic c0,c1", "it is one of: cluster, join, label");
  }
  void refusals() {
    QFETCH(QString, call);
    QFETCH(QString, message);
    const CliRun done = runCli(call.split(' '), folder_.path());
    QCOMPARE(done.status, 2 - int(message.startsWith("latitude")));
    QVERIFY2(done.lastErrorLine().contains(message.toUtf8()), done.err);
    QVERIFY(done.out.isEmpty());
  }
};

GUILESS_TEST(TestCliSpace);
#include "tst_cli_space.moc"
