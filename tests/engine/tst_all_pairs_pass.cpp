// The passes over all pairs as blocks of threads do them on a GPU, with barriers, votes and shared
// memory: run on blocks of fibers, against plain loops.
#include <QtTest/QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "cloud_draws.h"
#include "engine/dbscan/all_pairs_pass.h"
#include "fibers/fiber_block.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

constexpr CandidateAccess kAccesses[] = {CandidateAccess::InOrder, CandidateAccess::Shifted,
                                         CandidateAccess::OwnBlock, CandidateAccess::SharedTiles};

const char* nameOf(CandidateAccess access) {
  return access == CandidateAccess::InOrder    ? "in order"
         : access == CandidateAccess::Shifted  ? "shifted"
         : access == CandidateAccess::OwnBlock ? "own block"
                                               : "shared tiles";
}

using Rows = std::vector<std::vector<std::uint32_t>>;

/// Counts, and may raise the stop word after `*stopAfter` neighbours.
struct CountWork {
  struct Hit {
    NeighbourCounter counter;
    std::uint64_t* left;
    std::uint32_t* stop;
    bool enough() const { return counter.enough(); }
    bool operator()(std::uint32_t candidate) {
      if (*left > 0 && --*left == 0) *stop = 1;
      return counter(candidate);
    }
  };
  std::uint32_t* counts;
  std::uint64_t* stopAfter;  ///< 0: never
  std::uint32_t* stop;
  bool wanted(std::uint32_t) const { return true; }
  Hit start(std::uint32_t p) const { return {{counts[p]}, stopAfter, stop}; }
  void finish(std::uint32_t p, const Hit& hit) const { counts[p] = hit.counter.count; }
};

/// Fills the rows of every point, or of those with an odd number.
struct ListWork {
  Rows* rows;
  std::vector<std::uint32_t>* filled;
  bool onlyOdd;
  bool wanted(std::uint32_t p) const { return !onlyOdd || p % 2 == 1; }
  RowFiller start(std::uint32_t p) const {
    return {(*rows)[p].data(), static_cast<std::uint32_t>((*rows)[p].size()), (*filled)[p]};
  }
  void finish(std::uint32_t p, const RowFiller& row) const { (*filled)[p] = row.filled; }
};

/// How a pass is cut up.
struct Cut {
  std::uint32_t threads = 32;  ///< of a block
  std::uint32_t slice = ~0U;   ///< candidates of a launch
  std::uint64_t schedule = 0;
  std::size_t sharedBytes = ~0U;  ///< of a block; as needed if not said
};

/// A cloud, and the pass over it.
struct Passes {
  std::vector<double> flat;
  AllPairs all;
  Rows neighbours;  ///< by plain loops

  Passes(const PointCloud& cloud, double eps, bool shortCircuit = false) {
    const auto n = static_cast<std::uint32_t>(cloud.size());
    for (const auto& column : cloud.columns) flat.insert(flat.end(), column.begin(), column.end());
    all = {.points = {flat.data(), n},
           .size = n,
           .dims = static_cast<std::uint32_t>(cloud.dims()),
           .squaredEps = eps * eps,
           .shortCircuit = shortCircuit};
    neighbours.resize(n);
    for (std::uint32_t p = 0; p < n; ++p)
      for (std::uint32_t q = 0; q < n; ++q) {
        double sum = 0;
        for (const auto& x : cloud.columns) sum += (x[p] - x[q]) * (x[p] - x[q]);
        if (sum <= all.squaredEps) neighbours[p].push_back(q);
      }
  }

  template <class Work>
  std::optional<WarpFault> run(CandidateAccess access, const Span32& rows, const Work& work,
                               const PassWords& words, const Cut& cut) const {
    const std::uint32_t blocks = (rows.end - rows.begin + cut.threads - 1) / cut.threads;
    const std::size_t needed = cut.threads * sharedBytesAThread(all.dims, access);
    for (std::uint32_t from = 0; from < all.size; from += std::min(cut.slice, all.size - from))
      for (std::uint32_t block = 0; block < blocks; ++block) {
        const Span32 steps{from, from + std::min(cut.slice, all.size - from)};
        const auto program = [&](FiberLane& lane) {
          switch (access) {
            case CandidateAccess::InOrder:
              return allPairsPass<CandidateAccess::InOrder>(lane, all, rows, steps, work, words);
            case CandidateAccess::Shifted:
              return allPairsPass<CandidateAccess::Shifted>(lane, all, rows, steps, work, words);
            case CandidateAccess::OwnBlock:
              return allPairsPass<CandidateAccess::OwnBlock>(lane, all, rows, steps, work, words);
            case CandidateAccess::SharedTiles:
              return allPairsPass<CandidateAccess::SharedTiles>(lane, all, rows, steps, work,
                                                                words);
          }
        };
        auto fault = runBlock(program, {.threads = cut.threads,
                                        .sharedBytes = std::min(cut.sharedBytes, needed),
                                        .block = block,
                                        .blocks = blocks,
                                        .schedule = cut.schedule});
        if (fault) return fault;
      }
    return {};
  }
};

/// Counts and rows by each access against the plain loops; what differs.
QByteArray verdict(const PointCloud& cloud, double eps, const Cut& cut, bool shortCircuit) {
  const Passes passes(cloud, eps, shortCircuit);
  const auto n = static_cast<std::uint32_t>(cloud.size());
  for (const CandidateAccess access : kAccesses) {
    const QByteArray how = nameOf(access);
    std::uint32_t stop = 0;
    std::uint64_t never = 0;
    std::uint64_t calculations = 0;
    const PassWords words{&calculations, &stop};
    std::vector<std::uint32_t> counts(n, 0);
    auto fault = passes.run(access, {0, n}, CountWork{counts.data(), &never, &stop}, words, cut);
    if (fault) return how + ", counting: " + fault->message.c_str();
    for (std::uint32_t p = 0; p < n; ++p)
      if (counts[p] != passes.neighbours[p].size())
        return how + ": the count of point " + QByteArray::number(p) + " is wrong";
    if (calculations != std::uint64_t{n} * n) return how + ": distances are counted wrong";

    // Rows of some points only: those past the first third, of them every other.
    Rows rows(n);
    for (std::uint32_t p = 0; p < n; ++p) rows[p].assign(counts[p], ~0U);
    std::vector<std::uint32_t> filled(n, 0);
    calculations = 0;
    fault = passes.run(access, {n / 3, n}, ListWork{&rows, &filled, true}, words, cut);
    if (fault) return how + ", listing: " + fault->message.c_str();
    for (std::uint32_t p = 0; p < n; ++p) {
      const bool asked = p >= n / 3 && p % 2 == 1;
      if (filled[p] != (asked ? counts[p] : 0)) return how + ": a row is not filled as it should";
      if (!asked) continue;
      std::sort(rows[p].begin(), rows[p].end());
      if (rows[p] != passes.neighbours[p])
        return how + ": the row of point " + QByteArray::number(p) + " is wrong";
    }
    if (calculations > std::uint64_t{n} * (n - n / 3)) return how + ": too many distances";
  }
  return {};
}

/// The same with whole distances and with those that end early.
QByteArray verdict(const PointCloud& cloud, double eps, const Cut& cut) {
  const QByteArray whole = verdict(cloud, eps, cut, false);
  if (!whole.isEmpty()) return whole;
  const QByteArray early = verdict(cloud, eps, cut, true);
  return early.isEmpty() ? early : "ended early, " + early;
}

}  // namespace

class TestAllPairsPass : public QObject {
  Q_OBJECT

 private slots:
  void agreesWithPlainLoops_data() {
    QTest::addColumn<QString>("kind");
    for (const std::string& kind : draws::kKinds)
      QTest::newRow(kind.c_str()) << QString::fromStdString(kind);
  }
  void agreesWithPlainLoops() {
    QFETCH(QString, kind);
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      std::mt19937_64 random(seed * 977 + kind.size());
      const std::size_t dims = seed % 4 == 3 ? 7 + random() % 84 : 1 + random() % 6;
      const std::size_t n = 1 + random() % (dims > 6 ? 50 : 130);
      const PointCloud cloud = draws::draw(random, kind.toStdString(), n, dims);
      const Cut cut{.threads = static_cast<std::uint32_t>(32 * (1 + random() % 4)),
                    .slice = static_cast<std::uint32_t>(20 + random() % 130),
                    .schedule = random() % 2 * seed};
      const QByteArray wrong = verdict(cloud, draws::drawEps(random, cloud), cut);
      QVERIFY2(wrong.isEmpty(), wrong + " with seed " + QByteArray::number(seed));
    }
  }

  void blocksOfAnySize_data() {
    QTest::addColumn<quint32>("threads");
    QTest::addColumn<int>("points");
    // Fewer points than threads, tiles that end half-way, and exactly full ones.
    for (const quint32 threads : {32U, 64U, 96U, 256U, 1024U})
      for (const int points : {1, 31, 64, 97, 200})
        QTest::addRow("%u threads, %d points", threads, points) << threads << points;
  }
  void blocksOfAnySize() {
    QFETCH(quint32, threads);
    QFETCH(int, points);
    std::mt19937_64 random(static_cast<std::uint64_t>(points));
    const PointCloud cloud = draws::draw(random, "lattice", static_cast<std::size_t>(points), 2);
    QCOMPARE(verdict(cloud, 1.0, {.threads = threads}), QByteArray());
  }

  void duplicates() {
    const PointCloud cloud = draws::fromRows(std::vector<std::vector<double>>(100, {2.5, -1.0}));
    QCOMPARE(verdict(cloud, 0.1, {.threads = 64}), QByteArray());
  }

  void manyDimensions_data() {
    QTest::addColumn<int>("dims");
    for (const int dims : {1, 2, 3, 8, 9, 31, 64, 90}) QTest::addRow("%d dimensions", dims) << dims;
  }
  void manyDimensions() {
    QFETCH(int, dims);
    std::mt19937_64 random(static_cast<std::uint64_t>(dims));
    const PointCloud cloud = draws::draw(random, "lattice", 40, static_cast<std::size_t>(dims));
    for (const double eps : {1.0, std::sqrt(dims)})
      QCOMPARE(verdict(cloud, eps, {.threads = 32, .slice = 33}), QByteArray());
  }

  // A stop that comes in the middle: every access leaves before the end, without a fault, and what
  // was counted until then is a part of all neighbours.
  void aStopIsHeardOf_data() {
    QTest::addColumn<int>("access");
    for (const CandidateAccess access : kAccesses)
      QTest::newRow(nameOf(access)) << static_cast<int>(access);
  }
  void aStopIsHeardOf() {
    QFETCH(int, access);
    const auto how = static_cast<CandidateAccess>(access);
    const auto n = static_cast<std::uint32_t>(3 * kCandidatesPerLook);
    std::vector<std::vector<double>> rows;
    for (std::uint32_t i = 0; i < n; ++i) rows.push_back({i * 1e-6});
    const Passes passes(draws::fromRows(rows), 1.0);  // all are neighbours
    for (const std::uint64_t schedule : {0U, 5U}) {
      std::uint32_t stop = 0;
      // Half-way through what one block of 64 does.
      std::uint64_t left = 64ULL * n / 2;
      std::uint64_t calculations = 0;
      std::vector<std::uint32_t> counts(n, 0);
      const auto fault = passes.run(how, {0, 64}, CountWork{counts.data(), &left, &stop},
                                    {&calculations, &stop}, {.threads = 64, .schedule = schedule});
      QVERIFY2(!fault, fault ? fault->message.c_str() : "");
      QCOMPARE(stop, 1U);
      QCOMPARE(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}), calculations);
      QVERIFY(calculations >= 64ULL * n / 2);
      // A thread finishes the tile, or the candidates up to its next check, at most.
      const std::uint64_t more = how == CandidateAccess::SharedTiles ? 2 * 64 : kCandidatesPerLook;
      QVERIFY(calculations <= 64 * (n / 2 + more));
      QVERIFY(calculations < 64ULL * n);
      for (std::uint32_t p = 64; p < n; ++p) QCOMPARE(counts[p], 0U);
      // A pass that begins when the stop was raised does nothing.
      calculations = 0;
      QVERIFY(!passes.run(how, {0, 64}, CountWork{counts.data(), &left, &stop},
                          {&calculations, &stop}, {.threads = 64}));
      QCOMPARE(calculations, std::uint64_t{0});
    }
  }

  // What the launch must guarantee, and what happens when it does not.
  void faultsOfALaunchAreFound_data() {
    QTest::addColumn<quint32>("threads");
    QTest::addColumn<quint64>("missing");
    QTest::addColumn<int>("kind");
    QTest::newRow("a warp that is not whole")
        << 48U << quint64(0) << static_cast<int>(WarpFaultKind::LaneLeft);
    QTest::newRow("a word too little of shared memory")
        << 64U << quint64(8) << static_cast<int>(WarpFaultKind::SharedOutside);
    QTest::newRow("no room for the tile")
        << 64U << quint64(64 * 2 * 8) << static_cast<int>(WarpFaultKind::SharedOutside);
  }
  void faultsOfALaunchAreFound() {
    QFETCH(quint32, threads);
    QFETCH(quint64, missing);
    QFETCH(int, kind);
    std::mt19937_64 random(3);
    const Passes passes(draws::draw(random, "uniform", 200, 2), 0.3);
    std::uint32_t stop = 0;
    std::uint64_t never = 0;
    std::uint64_t calculations = 0;
    std::vector<std::uint32_t> counts(200, 0);
    const std::size_t needed = threads * sharedBytesAThread(2, CandidateAccess::SharedTiles);
    const auto fault =
        passes.run(CandidateAccess::SharedTiles, {0, 200}, CountWork{counts.data(), &never, &stop},
                   {&calculations, &stop}, {.threads = threads, .sharedBytes = needed - missing});
    QVERIFY(fault.has_value());
    QVERIFY2(static_cast<int>(fault->kind) == kind, fault->message.c_str());
  }
};

APPLESS_TEST(TestAllPairsPass);
#include "tst_all_pairs_pass.moc"
