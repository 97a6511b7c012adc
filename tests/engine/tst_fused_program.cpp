// The lane functions of the GPU's fused DBSCAN, run one lane after the other on the CPU over a
// CPU-built grid: the logic that the kernels run, against brute force.
#include <QtTest/QtTest>

#include <functional>
#include <numeric>
#include <optional>

#include "agreement.h"
#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/cpu/brute_force.h"
#include "engine/dbscan/fused_program.h"
#include "engine/dbscan/labelling.h"
#include "engine/grid/grid_index.h"
#include "engine/grid/row_window.h"
#include "fibers/fiber_block.h"
#include "metric_agreement.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

struct Setting {
  int reach = 1;
  int indexed = 1;
  int bucketShift = 0;
  std::uint32_t heavyCapacity = 0;
  bool lastFirst = false;   ///< lanes in the opposite order
  std::uint32_t every = 8;  ///< of this many points, one is linked before the vote
  Metric metric = Metric::Euclidean;
  BlockShape shape{.threads = 64, .sharedBytes = fused::kHeavySharedBytes, .blocks = 2};
};

/// The launch of linkHeavy, on blocks of fibers; what went wrong.
template <int D, class Lane = FiberLane>
std::optional<WarpFault> linkHeavy(const FusedView& v, const fused::HeavyLinks& heavy,
                                   BlockShape shape,
                                   const std::function<Lane(const FiberLane&)>& laneOf) {
  for (shape.block = 0; shape.block < shape.blocks; ++shape.block) {
    auto fault = runBlock(
        [&](FiberLane& fiber) {
          Lane lane = laneOf(fiber);
          fused::linkHeavy<D>(lane, v, heavy);
        },
        shape);
    if (fault) return fault;
  }
  return {};
}

template <int D>
std::optional<WarpFault> linkHeavy(const FusedView& v, const fused::HeavyLinks& heavy,
                                   const BlockShape& shape) {
  return linkHeavy<D, FiberLane>(v, heavy, shape, [](const FiberLane& fiber) { return fiber; });
}

void failOn(const std::optional<WarpFault>& fault) {
  if (fault) qFatal("%s", fault->message.c_str());
}

/// Whether all cells are tight, by their points' bounding boxes.
std::vector<std::uint8_t> tightCells(const GridIndex& index, Metric metric, double squaredEps) {
  std::vector<std::uint8_t> tight(index.cells());
  for (std::size_t c = 0; c < index.cells(); ++c) {
    const auto extent = [&](std::size_t j) {
      const auto& x = index.ordered.columns[j];
      const auto [low, high] =
          std::minmax_element(x.begin() + index.cellStart[c], x.begin() + index.cellStart[c + 1]);
      return *high - *low;
    };
    tight[c] = squaredLength(metric, index.ordered.dims(), extent) <= squaredEps;
  }
  return tight;
}

std::vector<std::uint32_t> buckets(const GridIndex& index, int shift) {
  const std::uint64_t bound = index.geometry.stride[0] * index.geometry.extent[0];
  std::vector<std::uint32_t> first((bound >> shift) + 2);
  for (std::uint64_t b = 0; b < first.size(); ++b)
    first[b] = static_cast<std::uint32_t>(index.firstCellFrom(b << shift));
  return first;
}

template <int D>
Clustering run(const PointCloud& cloud, const DbscanParams& params, const Setting& s) {
  std::vector<int> dims(static_cast<std::size_t>(s.indexed));
  std::iota(dims.begin(), dims.end(), 0);
  const GridIndex index =
      *buildGridIndex(cloud, {.eps = params.eps, .reach = s.reach, .dims = dims}, {});
  const RowWindow window = makeRowWindow(index.geometry);
  const std::vector<std::uint32_t> cellOf = index.cellOfPosition();
  const auto bucketFirst = buckets(index, s.bucketShift);
  const std::size_t n = cloud.size();
  std::vector<std::uint8_t> core(n, 0);
  std::vector<std::uint32_t> firstCore(index.cells(), FusedView::kNone);
  std::vector<std::uint32_t> parent(n);
  std::uint32_t largest = FusedView::kNone;
  std::vector<std::int32_t> labelOf(n, kNoise);
  auto tight = tightCells(index, s.metric, params.eps * params.eps);
  const bool allTight = std::all_of(tight.begin(), tight.end(), [](auto t) { return t != 0; });
  const std::uint32_t stop = 0;
  std::vector<fused::HeavyLink> links(s.heavyCapacity);
  std::uint32_t heavyCount = 0;

  FusedView v;
  for (std::size_t j = 0; j < cloud.dims(); ++j) v.columns[j] = index.ordered.columns[j].data();
  v.dims = static_cast<int>(cloud.dims());
  v.metric = s.metric;
  v.squaredEps = params.eps * params.eps;
  v.size = static_cast<std::uint32_t>(n);
  v.cellIds = index.cellIds.data();
  v.cellStart = index.cellStart.data();
  v.cells = static_cast<std::uint32_t>(index.cells());
  v.cellOf = cellOf.data();
  v.pointIds = index.pointIds.data();
  v.bucketFirst = bucketFirst.data();
  v.bucketShift = s.bucketShift;
  v.rowOffsets = window.offsets.data();
  v.rows = static_cast<std::uint32_t>(window.offsets.size());
  v.reach = static_cast<std::uint32_t>(window.reach);
  v.core = core.data();
  v.tight = allTight ? nullptr : tight.data();
  v.firstCore = firstCore.data();
  v.parent = parent.data();
  v.largest = &largest;
  v.labelOf = labelOf.data();
  v.stop = &stop;

  SerialLane lane;
  const auto inOrder = [&](std::size_t count, const auto& body) {
    for (std::size_t i = 0; i < count; ++i)
      body(static_cast<std::uint32_t>(s.lastFirst ? count - 1 - i : i));
  };
  const auto minPts = static_cast<std::uint32_t>(std::min<std::uint64_t>(params.minPts, n + 1));
  inOrder(n, [&](std::uint32_t p) {
    const std::uint32_t c = cellOf[p];
    const bool dense = index.cellStart[c + 1] - index.cellStart[c] >= minPts && v.isTight(c);
    const bool stops = s.lastFirst;  // either way of counting comes to the same
    const auto most = stops ? minPts : static_cast<std::uint32_t>(n) + 1;
    core[p] = dense || fused::neighboursUpTo<D>(lane, v, p, most) >= minPts;
  });
  inOrder(n, [&](std::uint32_t p) { fused::noteFirstCore(lane, v, p); });
  const fused::HeavyLinks heavy{links.data(), &heavyCount, s.heavyCapacity};
  const auto link = [&](const auto& isLinked) {
    std::vector<std::uint32_t> items;
    inOrder(fused::numberOfItems(v), [&](std::uint32_t i) {
      if (isLinked(i)) items.push_back(i);
    });
    inOrder(v.rows, [&](std::uint32_t row) {
      for (const std::uint32_t i : items)
        if (allTight)
          fused::linkCell<D>(lane, v, i, row, heavy);
        else
          fused::linkPoint<D>(lane, v, i, row);
    });
  };
  const auto drain = [&] {
    if (heavyCount > 0) failOn(linkHeavy<D>(v, heavy, s.shape));
    heavyCount = 0;
  };
  const auto flatten = [&] {
    inOrder(n, [&](std::uint32_t p) {
      if (core[p]) parent[p] = settledRoot(lane, v.parent, p);
    });
  };
  std::fill(parent.begin(), parent.end(), FusedView::kNone);
  const auto start = [&](const auto& parentOf) {
    inOrder(n, [&](std::uint32_t p) {
      if (core[p]) parent[p] = parentOf(p);
    });
  };
  if (allTight) {
    std::vector<std::uint32_t> runOf(v.cells);
    inOrder(v.cells, [&](std::uint32_t c) { runOf[c] = fused::runStartOfCell<D>(v, c); });
    for (std::size_t c = 1; c < v.cells; ++c) runOf[c] = std::max(runOf[c - 1], runOf[c]);
    start([&](std::uint32_t p) { return fused::firstOfRun(v, p, runOf.data()); });
    inOrder(v.cells, [&](std::uint32_t c) {
      for (const std::uint64_t stride : index.geometry.stride)
        fused::linkNext<D>(lane, v, c, stride, heavy);
    });
    drain();
  } else {
    start([&](std::uint32_t p) { return fused::coreBefore<D>(lane, v, p); });
    flatten();
    link([&](std::uint32_t i) { return i % s.every == 0; });
  }
  flatten();
  failOn(runBlock([&](FiberLane& fiber) { fused::voteLargest(fiber, v); },
                  {.threads = fused::kVotes, .sharedBytes = fused::kVoteSharedBytes}));
  link([&](std::uint32_t i) { return fused::isOutside(v, i); });
  drain();

  Clustering result;
  result.params = params;
  std::vector<std::uint32_t> roots(n);
  for (std::uint32_t p = 0; p < n; ++p) roots[p] = core[p] ? settledRoot(lane, v.parent, p) : p;
  const ClusterNumbers numbers = numberClusters(roots, core, index.pointIds);
  result.clusters = numbers.clusters;
  for (std::size_t p = 0; p < n; ++p)
    if (core[p]) labelOf[p] = numbers.ofSet[roots[p]];
  result.labels.resize(n);
  std::vector<std::uint8_t> coreByPoint(n);
  inOrder(n, [&](std::uint32_t p) {
    const std::uint32_t id = index.pointIds[p];
    coreByPoint[id] = core[p];
    result.labels[id] = core[p] ? labelOf[p] : fused::borderLabel<D>(lane, v, p);
  });
  fillRoles(result, coreByPoint);
  return result;
}

Clustering runFor(const PointCloud& cloud, const DbscanParams& params, const Setting& s,
                  bool fixedDims) {
  if (s.metric != Metric::Euclidean) return run<fused::kAnyMetric>(cloud, params, s);
  if (fixedDims && cloud.dims() == 1) return run<1>(cloud, params, s);
  if (fixedDims && cloud.dims() == 2) return run<2>(cloud, params, s);
  if (fixedDims && cloud.dims() == 3) return run<3>(cloud, params, s);
  return run<0>(cloud, params, s);
}

/// Grids may be vast: as the device does, buckets are kept few.
Setting withFewBuckets(Setting s, const PointCloud& cloud, double eps) {
  std::vector<int> dims(static_cast<std::size_t>(s.indexed));
  std::iota(dims.begin(), dims.end(), 0);
  const GridIndex probe = *buildGridIndex(cloud, {.eps = eps, .reach = s.reach, .dims = dims}, {});
  const std::uint64_t bound = probe.geometry.stride[0] * probe.geometry.extent[0];
  while ((bound >> s.bucketShift) > 5000) ++s.bucketShift;
  return s;
}

}  // namespace

class TestFusedProgram : public QObject {
  Q_OBJECT

 private slots:
  void agreesWithBruteForce();
  void agreesWithAllPairsByOtherMetrics();
  void populousCellsAreLinkedByBlocks();
  void heavyLinks_data();
  void heavyLinks();
  void heavyLinksHearOfAStop();
};

void TestFusedProgram::agreesWithBruteForce() {
  bool ok = false;
  const int asked = qEnvironmentVariableIntValue("CLUSTERLOOM_DRAWS", &ok);
  const int count = ok ? asked : 600;
  for (int seed = 0; seed < count; ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed) + 77000);
    const std::string kind = draws::kAllKinds[random() % draws::kAllKinds.size()];
    const std::size_t dims = random() % 8 == 0 ? 4 + random() % 20 : 1 + random() % 4;
    const std::size_t n = 1 + random() % (random() % 10 == 0 ? 900 : 150);
    const PointCloud cloud = draws::draw(random, kind, n, dims);
    const DbscanParams params{.eps = draws::drawEps(random, cloud),
                              .minPts = static_cast<std::int64_t>(1 + random() % 9)};
    const auto expected = bruteForceDbscan(cloud, params, {});
    QVERIFY(expected);
    const int most = static_cast<int>(std::min<std::size_t>(dims, 8));
    // Windows of 5^(k − 1) rows are for few dimensions.
    const int indexed = 1 + static_cast<int>(random() % static_cast<unsigned>(std::min(most, 5)));
    const Setting s{.reach = indexed <= 3 ? 1 + static_cast<int>(random() % 2) : 1,
                    .indexed = indexed,
                    .bucketShift = 0,
                    .heavyCapacity = random() % 2 ? 64U : 1U,
                    .lastFirst = random() % 2 == 0,
                    .every = static_cast<std::uint32_t>(1 + random() % 8),
                    .shape = {.threads = static_cast<std::uint32_t>(1 + random() % 100),
                              .sharedBytes = fused::kHeavySharedBytes,
                              .blocks = static_cast<std::uint32_t>(1 + random() % 3),
                              .schedule = random() % 3}};
    const Clustering found =
        runFor(cloud, params, withFewBuckets(s, cloud, params.eps), random() % 4 != 0);
    const std::string what = agreement::difference(found, *expected);
    QVERIFY2(what.empty(), qPrintable(QString("seed %1, %2, n %3, d %4, k %5, reach %6: %7")
                                          .arg(seed)
                                          .arg(QString::fromStdString(kind))
                                          .arg(n)
                                          .arg(dims)
                                          .arg(indexed)
                                          .arg(s.reach)
                                          .arg(QString::fromStdString(what))));
  }
}

void TestFusedProgram::agreesWithAllPairsByOtherMetrics() {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const metricAgreement::Drawn of = metricAgreement::drawn(seed, 200);
    const AllPairsAnswer expected = metricAgreement::answerOf(of);
    const auto most = static_cast<int>(std::min<std::size_t>(of.cloud.dims(), 4));
    for (int indexed = 1; indexed <= most; ++indexed)
      for (const int reach : {1, 2}) {
        const Setting s{.reach = reach,
                        .indexed = indexed,
                        .bucketShift = 0,
                        .heavyCapacity = 64,
                        .lastFirst = seed % 2 == 0,
                        .metric = of.metric};
        const Clustering found =
            runFor(of.cloud, {of.eps, of.minPts}, withFewBuckets(s, of.cloud, of.eps), false);
        QVERIFY2(found.labels == expected.labels && found.clusters == expected.clusters,
                 qPrintable(QString("seed %1, k %2, reach %3").arg(seed).arg(indexed).arg(reach)));
        for (std::size_t p = 0; p < of.cloud.size(); ++p)
          QCOMPARE(found.roles[p] == PointRole::Core, bool(expected.core[p]));
      }
  }
}

void TestFusedProgram::populousCellsAreLinkedByBlocks() {
  // Two tight cells of many points whose only pair within ε are not their first points.
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 1500; ++i) rows.push_back({0.001 * (i % 100) / 100, 0.0});
  for (int i = 0; i < 1500; ++i) rows.push_back({1.2 + 0.001 * (i % 100) / 100, 0.0});
  const DbscanParams apart{.eps = 1.0, .minPts = 3};
  rows.push_back({0.2005, 0.0});  // with the first cell's points, a bridge to the second's
  const PointCloud cloud = draws::fromRows(rows);
  const auto expected = bruteForceDbscan(cloud, apart, {});
  QVERIFY(expected);
  QCOMPARE(expected->clusters, 1);
  for (const std::uint32_t capacity : {0U, 1U, 2U, 64U}) {
    const Clustering found = run<2>(
        cloud, apart,
        {.reach = 2,
         .indexed = 2,
         .bucketShift = 0,
         .heavyCapacity = capacity,
         .shape = {
             .threads = 256, .sharedBytes = fused::kHeavySharedBytes, .blocks = 1 + capacity % 3}});
    QCOMPARE(QString::fromStdString(agreement::difference(found, *expected)), QString());
  }
}

namespace {

/// Cells of some points each, as linkHeavy sees them, and links between them drawn at random.
struct Links {
  std::vector<std::vector<double>> columns;
  std::vector<std::uint32_t> cellStart{0}, cellOf, firstCore, parent;
  std::vector<std::uint8_t> core;
  std::vector<fused::HeavyLink> links;
  std::uint32_t count = 0;
  std::uint32_t stop = 0;
  std::uint32_t largest = FusedView::kNone;
  FusedView v;

  Links(std::mt19937_64& random, std::size_t dims) {
    const auto upTo = [&](std::uint32_t most) {
      return static_cast<std::uint32_t>(random() % (most + 1));
    };
    columns.resize(dims);
    const std::uint32_t cells = 2 + upTo(8);
    for (std::uint32_t c = 0; c < cells; ++c) {
      const std::uint32_t points = 1 + upTo(upTo(3) == 0 ? 700 : 60);
      const std::uint32_t begin = cellStart.back();
      firstCore.push_back(FusedView::kNone);
      for (std::uint32_t p = begin; p < begin + points; ++p) {
        for (auto& x : columns) x.push_back(c * 1.2 + 0.25 * upTo(3));
        cellOf.push_back(c);
        core.push_back(upTo(5) != 0 || p + 1 == begin + points);  // some core point in each
        if (core.back() != 0 && firstCore.back() == FusedView::kNone) firstCore.back() = p;
      }
      cellStart.push_back(begin + points);
    }
    parent.resize(cellOf.size());
    std::iota(parent.begin(), parent.end(), 0U);
    for (std::uint32_t i = 0; i < 12; ++i) {
      const std::uint32_t b = upTo(cells - 1);
      if (upTo(5) == 0) {
        links.push_back({0, 0, b});  // a slot that says nothing
        continue;
      }
      const std::uint32_t a = upTo(cells - 1);
      const std::uint32_t begin = firstCore[a] + upTo(cellStart[a + 1] - firstCore[a] - 1);
      links.push_back({begin, begin + 1 + upTo(cellStart[a + 1] - begin - 1), b});
    }
    count = static_cast<std::uint32_t>(links.size());
    for (std::size_t j = 0; j < dims; ++j) v.columns[j] = columns[j].data();
    v.dims = static_cast<int>(dims);
    v.squaredEps = 1;
    v.size = static_cast<std::uint32_t>(cellOf.size());
    v.cellStart = cellStart.data();
    v.cellOf = cellOf.data();
    v.firstCore = firstCore.data();
    v.parent = parent.data();
    v.largest = &largest;
    v.core = core.data();
    v.stop = &stop;
  }

  fused::HeavyLinks heavy() { return {links.data(), &count, count}; }
  /// The sets: of each the lowest position.
  std::vector<std::uint32_t> sets() const {
    SerialLane lane;
    std::vector<std::uint32_t> lowestOf(v.size, FusedView::kNone);
    std::vector<std::uint32_t> sets(v.size);
    for (std::uint32_t p = 0; p < v.size; ++p) {
      std::uint32_t& lowest = lowestOf[settledRoot(lane, v.parent, p)];
      sets[p] = lowest = std::min(lowest, p);
    }
    return sets;
  }
  /// The sets by plain loops: of each the lowest position.
  std::vector<std::uint32_t> expected() const {
    std::vector<std::uint32_t> set(v.size);
    std::iota(set.begin(), set.end(), 0U);
    const auto near = [&](std::uint32_t p, std::uint32_t q) {
      double sum = 0;
      for (const auto& x : columns) sum += (x[p] - x[q]) * (x[p] - x[q]);
      return core[p] != 0 && core[q] != 0 && sum <= 1;
    };
    for (const fused::HeavyLink& link : links) {
      bool linked = false;
      for (std::uint32_t p = link.begin; p < link.end; ++p)
        for (std::uint32_t q = cellStart[link.cell]; q < cellStart[link.cell + 1]; ++q)
          linked = linked || near(p, q);
      if (!linked) continue;
      const std::uint32_t a = set[firstCore[cellOf[link.begin]]];
      const std::uint32_t b = set[firstCore[link.cell]];
      for (std::uint32_t& of : set)
        if (of == std::max(a, b)) of = std::min(a, b);
    }
    return set;
  }
};

/// Raises the stop word at its `left`-th load.
struct StoppingLane : FiberLane {
  int* left;
  std::uint32_t* stop;
  StoppingLane(const FiberLane& fiber, int* loads, std::uint32_t* word)
      : FiberLane(fiber), left(loads), stop(word) {}
  template <class At>
  auto load(At at) const {
    if (--*left == 0) *stop = 1;
    return FiberLane::load(at);
  }
};

}  // namespace

void TestFusedProgram::heavyLinks_data() {
  QTest::addColumn<quint32>("threads");
  for (const quint32 threads : {1U, 31U, 32U, 100U, 256U})
    QTest::addRow("%u threads", threads) << threads;
}

void TestFusedProgram::heavyLinks() {
  QFETCH(quint32, threads);
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    std::mt19937_64 random(seed * 31 + threads);
    Links links(random, 1 + seed % 4);
    const std::vector<std::uint32_t> expected = links.expected();
    const BlockShape shape{.threads = threads,
                           .sharedBytes = fused::kHeavySharedBytes,
                           .blocks = static_cast<std::uint32_t>(1 + seed % 5),
                           .schedule = seed % 3};
    const auto fault = seed % 4 == 1   ? linkHeavy<2>(links.v, links.heavy(), shape)
                       : seed % 4 == 2 ? linkHeavy<3>(links.v, links.heavy(), shape)
                                       : linkHeavy<0>(links.v, links.heavy(), shape);
    QVERIFY2(!fault, fault ? fault->message.c_str() : "");
    QCOMPARE(links.sets(), expected);
  }
}

// However late the stop comes, blocks leave without a fault and what they have made one set is one.
void TestFusedProgram::heavyLinksHearOfAStop() {
  int cutShort = 0;
  for (const int loads : {1, 2, 5, 20, 60, 150, 400, 1000})
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      std::mt19937_64 random(seed);
      Links links(random, 2);
      const std::vector<std::uint32_t> expected = links.expected();
      int left = loads;
      const auto fault = linkHeavy<2, StoppingLane>(
          links.v, links.heavy(),
          {.threads = 64, .sharedBytes = fused::kHeavySharedBytes, .blocks = 2},
          [&](const FiberLane& fiber) { return StoppingLane(fiber, &left, &links.stop); });
      QVERIFY2(!fault, fault ? fault->message.c_str() : "");
      const std::vector<std::uint32_t> found = links.sets();
      for (std::uint32_t p = 0; p < links.v.size; ++p) QCOMPARE(expected[found[p]], expected[p]);
      if (loads == 1)
        for (std::uint32_t p = 0; p < links.v.size; ++p) QCOMPARE(found[p], p);
      cutShort += found != expected;
    }
  QVERIFY(cutShort > 10);
}

GUILESS_TEST(TestFusedProgram);
#include "tst_fused_program.moc"
