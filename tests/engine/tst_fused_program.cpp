// The lane functions of the GPU's fused DBSCAN, run one lane after the other on the CPU over a
// CPU-built grid: the logic that the kernels run, against brute force.
#include <QtTest/QtTest>

#include "agreement.h"
#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/cpu/brute_force.h"
#include "engine/dbscan/fused_program.h"
#include "engine/dbscan/labelling.h"
#include "engine/grid/grid_index.h"
#include "engine/grid/row_window.h"

using namespace clusterloom;

namespace {

struct Setting {
  int reach = 1;
  int indexed = 1;
  int bucketShift = 0;
  std::uint32_t heavyCapacity = 0;
  bool lastFirst = false;  ///< lanes in the opposite order
};

/// Whether all cells are tight, by their points' bounding boxes.
std::vector<std::uint8_t> tightCells(const GridIndex& index, double squaredEps) {
  std::vector<std::uint8_t> tight(index.cells());
  for (std::size_t c = 0; c < index.cells(); ++c) {
    double sum = 0;
    for (const auto& x : index.ordered.columns) {
      const auto [low, high] =
          std::minmax_element(x.begin() + index.cellStart[c], x.begin() + index.cellStart[c + 1]);
      sum += (*high - *low) * (*high - *low);
    }
    tight[c] = sum <= squaredEps;
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
  std::vector<std::int32_t> labelOf(n, kNoise);
  auto tight = tightCells(index, params.eps * params.eps);
  const bool allTight = std::all_of(tight.begin(), tight.end(), [](auto t) { return t != 0; });
  const std::uint32_t stop = 0;
  std::vector<fused::HeavyLink> links(s.heavyCapacity);
  std::uint32_t heavyCount = 0;

  FusedView v;
  for (std::size_t j = 0; j < cloud.dims(); ++j) v.columns[j] = index.ordered.columns[j].data();
  v.dims = static_cast<int>(cloud.dims());
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
  std::vector<std::uint32_t> runOf(n);
  inOrder(allTight ? v.cells : n, [&](std::uint32_t i) {
    runOf[i] = allTight ? fused::runStartOfCell<D>(v, i) : fused::runStartOfPoint<D>(v, i);
  });
  for (std::size_t i = 1; i < n; ++i) runOf[i] = std::max(runOf[i - 1], runOf[i]);
  inOrder(n, [&](std::uint32_t p) { fused::startSet(v, p, runOf.data()); });
  if (allTight) {
    const fused::HeavyLinks heavy{links.data(), &heavyCount, s.heavyCapacity};
    const auto drain = [&] {
      for (std::uint32_t i = 0; i < std::min(heavyCount, s.heavyCapacity); ++i)
        if (fused::anyPair<D>(lane, v, links[i].begin, links[i].end, links[i].cell))
          fused::unite(lane, v, firstCore[cellOf[links[i].begin]], firstCore[links[i].cell]);
      heavyCount = 0;
    };
    inOrder(v.cells, [&](std::uint32_t c) {
      for (const std::uint64_t stride : index.geometry.stride)
        fused::linkNext<D>(lane, v, c, stride, heavy);
    });
    drain();
    inOrder(v.cells, [&](std::uint32_t c) { fused::linkRows<D>(lane, v, c, heavy); });
    drain();
  } else {
    inOrder(n, [&](std::uint32_t p) { fused::linkPointOncePerRow<D>(lane, v, p); });
    inOrder(n, [&](std::uint32_t p) { fused::linkPoint<D>(lane, v, p); });
  }

  Clustering result;
  result.params = params;
  std::vector<std::uint32_t> roots(n);
  for (std::uint32_t p = 0; p < n; ++p) roots[p] = fused::find(lane, v, p);
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
  if (fixedDims && cloud.dims() == 1) return run<1>(cloud, params, s);
  if (fixedDims && cloud.dims() == 2) return run<2>(cloud, params, s);
  if (fixedDims && cloud.dims() == 3) return run<3>(cloud, params, s);
  return run<0>(cloud, params, s);
}

}  // namespace

class TestFusedProgram : public QObject {
  Q_OBJECT

 private slots:
  void agreesWithBruteForce();
  void populousCellsAreLinkedByBlocks();
};

void TestFusedProgram::agreesWithBruteForce() {
  bool ok = false;
  const int asked = qEnvironmentVariableIntValue("CLUSTERLOOM_DRAWS", &ok);
  const int count = ok ? asked : 600;
  for (int seed = 0; seed < count; ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed) + 77000);
    const std::string kind = draws::kKinds[random() % draws::kKinds.size()];
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
                    .lastFirst = random() % 2 == 0};
    Setting chosen = s;
    // Grids may be vast: as the device does, buckets are kept few.
    const GridIndex probe =
        *buildGridIndex(cloud,
                        {.eps = params.eps,
                         .reach = s.reach,
                         .dims =
                             [&] {
                               std::vector<int> all(static_cast<std::size_t>(indexed));
                               std::iota(all.begin(), all.end(), 0);
                               return all;
                             }()},
                        {});
    const std::uint64_t bound = probe.geometry.stride[0] * probe.geometry.extent[0];
    while ((bound >> chosen.bucketShift) > 5000) ++chosen.bucketShift;
    const Clustering found = runFor(cloud, params, chosen, random() % 4 != 0);
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
        cloud, apart, {.reach = 2, .indexed = 2, .bucketShift = 0, .heavyCapacity = capacity});
    QCOMPARE(QString::fromStdString(agreement::difference(found, *expected)), QString());
  }
}

QTEST_GUILESS_MAIN(TestFusedProgram)
#include "tst_fused_program.moc"
