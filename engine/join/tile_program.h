#pragma once

#include <bit>
#include <cstdint>

#include "engine/core/lane.h"
#include "engine/core/squared_distance.h"
#include "engine/grid/cell_buckets.h"

// Counting by tiles on matrix units (ours). A warp takes up to 16·T query points of one row of
// cells and compares them with 8 candidates at a time: with coordinates relative to a point nearby,
// |q − c|² = |q|² + |c|² − 2 q·c, and the last two terms are one product of a 16 × 4K matrix of
// queries with a 4K × 8 matrix of candidates (a row of ones is multiplied by |c|²), on top of the
// constant of the query. Its error is bounded below; pairs that the bound cannot decide are decided
// by the canonical predicate.

namespace clusterloom {

/// Input of the tile program. Points are named by their position in cell order.
struct TileView {
  const double* ordered = nullptr;  ///< coordinate j of position p is ordered[j · size + p]
  std::size_t size = 0;
  int dims = 0;
  double squaredEps = 0;
  /// Half the width of the band around ε² in which the product decides nothing:
  /// `tileBand` (below).
  double band = 0;

  const std::uint64_t* cellIds = nullptr;
  const std::uint32_t* cellStart = nullptr;
  const std::uint32_t* cellOf = nullptr;
  const std::uint32_t* bucketFirst = nullptr;  ///< as FusedView
  int bucketShift = 0;
  const std::int64_t* rowOffsets = nullptr;  ///< as RowWindow, reach 1
  std::uint32_t rows = 0;

  /// Tile t holds positions [tileStart[t], tileStart[t + 1]), at most 16·T, of one row of cells and
  /// at most kTileSpan cells apart.
  const std::uint32_t* tileStart = nullptr;
  std::uint32_t* counts = nullptr;  ///< by position
  const std::uint32_t* stop = nullptr;
};

/// Cells along the fastest dimension that a tile may span.
inline constexpr std::uint32_t kTileSpan = 32;

/// The band for n dimensions and offsets of at most `radius` from a tile's origin, u = 2⁻⁵³.
///
/// Let q' = fl(q − o), c' = fl(c − o), all |q'_j|, |c'_j| ≤ R = radius. Each is off by at most uR,
/// so Σ(q' − c')² differs from the true squared distance by at most Σ(2·2R·2uR + 4u²R²) ≤ 9nuR².
/// The terms of the expanded sum have absolute values of at most 2R² (q'c' doubled), n·R² (|c|²,
/// itself off by at most (n + 1)u·nR²) and n·R² + ε² (the query's constant, off by (n + 2)u of it),
/// 4nR² + ε² together; adding n + 2 of them in any order, fused or not, is off by at most (n + 3)u
/// times that. The predicate's own sum is off by (n + 2)u·ε² near ε². With ε ≤ R all of it stays
/// below 16(n + 4)²uR²; twice that is taken.
CLUSTERLOOM_LANE double tileBand(int n, double radius) {
  return 32.0 * (n + 4) * (n + 4) * 0x1p-53 * radius * radius;
}

namespace tile {

inline constexpr std::uint32_t kAll = 0xffffffffU;
inline constexpr std::uint32_t kBetweenLooks = 1U << 14;  // candidates; then the stop word
inline constexpr double kFar = 1e300;                     // no pair: neither inside nor in the band

CLUSTERLOOM_LANE std::uint32_t highWord(double x) {
#ifdef __CUDA_ARCH__
  return std::uint32_t(__double2hiint(x));
#else
  return std::uint32_t(std::bit_cast<std::uint64_t>(x) >> 32);
#endif
}

/// The sum of a value over the four lanes of a quad.
template <class Lane>
CLUSTERLOOM_LANE double sumOfQuad(Lane& lane, double x) {
  x += lane.exchange(kAll, x, 1);
  x += lane.exchange(kAll, x, 2);
  return x;
}

/// d = a·b + c for a 16 × 4 matrix a, a 4 × 8 matrix b and 16 × 8 matrices c, d, spread over a warp
/// as its matrix units need them: lane 4i + j holds a[i][j], a[i + 8][j], b[j][i], and of c and d
/// the elements [i][2j], [i][2j + 1], [i + 8][2j], [i + 8][2j + 1]. By shuffles: for lanes that
/// have no such unit.
template <class Lane>
CLUSTERLOOM_LANE void multiplyByShuffles(Lane& lane, double (&d)[4], const double (&a)[2], double b,
                                         const double (&c)[4]) {
  const std::uint32_t i = lane.id() / 4;
  const std::uint32_t j = lane.id() % 4;
  double sum[4] = {c[0], c[1], c[2], c[3]};
  for (std::uint32_t k = 0; k < 4; ++k) {
    const double upper = lane.shuffle(kAll, a[0], 4 * i + k);
    const double lower = lane.shuffle(kAll, a[1], 4 * i + k);
    const double left = lane.shuffle(kAll, b, 4 * (2 * j) + k);
    const double right = lane.shuffle(kAll, b, 4 * (2 * j + 1) + k);
    sum[0] += upper * left;
    sum[1] += upper * right;
    sum[2] += lower * left;
    sum[3] += lower * right;
  }
  for (int e = 0; e < 4; ++e) d[e] = sum[e];
}

/// The canonical predicate.
CLUSTERLOOM_LANE_COLD bool isNeighbour(const TileView& v, std::size_t p, std::size_t q) {
  const auto difference = [&](int j) {
    return v.ordered[j * v.size + p] - v.ordered[j * v.size + q];
  };
  return squaredDistance(v.dims, difference) <= v.squaredEps;
}

/// Index of the lowest bit of x that is set; x is not 0.
CLUSTERLOOM_LANE std::uint32_t lowestBit(std::uint32_t x) {
#ifdef __CUDA_ARCH__
  return std::uint32_t(__ffs(int(x)) - 1);
#else
  return std::uint32_t(std::countr_zero(x));
#endif
}

/// Walks a tile's rows that hold candidates. Each lane looks one of 32 rows up; all lanes agree on
/// where they are.
template <class Lane>
struct RowWalk {
  const TileView& v;
  std::uint64_t lowId;      ///< of the tile's first cell
  std::uint64_t highId;     ///< of its last
  std::uint32_t begin = 0;  ///< the row's candidates are [begin, end)
  std::uint32_t end = 0;
  std::uint32_t nextBatch = 0;  ///< rows not looked up yet
  std::uint32_t filled = 0;     ///< of the rows looked up last, those to come that hold candidates
  std::uint32_t begins = 0;     ///< this lane's row
  std::uint32_t ends = 0;

  /// Goes to the next row; false when there is none, or after a stop.
  CLUSTERLOOM_LANE bool next(Lane& lane) {
    while (filled == 0) {
      if (nextBatch >= v.rows) return false;
      begins = ends = 0;
      if (nextBatch + lane.id() < v.rows) {
        const auto offset = std::uint64_t(v.rowOffsets[nextBatch + lane.id()]);
        begins = v.cellStart[firstCellFrom(v, lowId + offset - 1)];
        ends = v.cellStart[firstCellFrom(v, highId + offset + 2)];
      }
      nextBatch += 32;
      filled = lane.ballot(kAll, begins < ends);
      // One lane checks for all: they must not diverge here.
      if ((lane.ballot(kAll, lane.id() == 0 && lane.load(v.stop) != 0)) != 0) return false;
    }
    const std::uint32_t row = lowestBit(filled);
    filled &= filled - 1;
    begin = lane.shuffle(kAll, begins, row);
    end = lane.shuffle(kAll, ends, row);
    return true;
  }
};

/// Which components of a point are this lane's: 4f + j in fragment f. A coordinate, or the one that
/// meets |c|², or nothing.
template <int K>
struct Components {
  const double* column[K];
  double origin[K];
  int squareFragment;
  bool carriesSquare;

  CLUSTERLOOM_LANE Components(const TileView& v, std::uint32_t j, std::uint32_t originPoint)
      : squareFragment(v.dims / 4), carriesSquare(int(j) == v.dims % 4) {
    CLUSTERLOOM_UNROLL
    for (int f = 0; f < K; ++f) {
      const int c = 4 * f + int(j);
      column[f] = c < v.dims ? v.ordered + std::size_t(c) * v.size : nullptr;
      origin[f] = c < v.dims ? column[f][originPoint] : 0.0;
    }
  }
  CLUSTERLOOM_LANE void read(double (&raw)[K], std::uint32_t p, bool there) const {
    CLUSTERLOOM_UNROLL
    for (int f = 0; f < K; ++f) raw[f] = there && column[f] != nullptr ? column[f][p] : origin[f];
  }
  /// A candidate's column of the matrix, from its coordinates.
  template <class Lane>
  CLUSTERLOOM_LANE void prepare(Lane& lane, double (&candidate)[K], const double (&raw)[K],
                                bool there) const {
    double square = 0;
    CLUSTERLOOM_UNROLL
    for (int f = 0; f < K; ++f) {
      candidate[f] = raw[f] - origin[f];
      square += candidate[f] * candidate[f];
    }
    square = sumOfQuad(lane, square);
    CLUSTERLOOM_UNROLL
    for (int f = 0; f < K; ++f) {
      if (carriesSquare && f == squareFragment) candidate[f] = there ? square : kFar;
    }
  }
};

/// Counts the neighbours of the query points of one tile, self included. All 32 lanes of a warp
/// call it together. K: fragments of 4 components, 4K > dims.
template <int K, int T, class Lane>
CLUSTERLOOM_LANE void countTile(Lane& lane, const TileView& v, std::uint32_t tile) {
  const std::uint32_t first = v.tileStart[tile];
  const std::uint32_t end = v.tileStart[tile + 1];
  // The result of a shuffle stays in its own registers, as the matrix units need. Values that the
  // compiler can see through are computed again, or copied, for each use.
  const auto settled = [&](auto x) { return lane.shuffle(kAll, x, lane.id()); };
  const std::uint32_t i = settled(lane.id() / 4);
  const std::uint32_t j = settled(lane.id() % 4);
  const double inside = v.squaredEps - v.band;
  const std::uint32_t bandWord = highWord(2.0 * v.band) + 1;
  const Components<K> components(v, j, first);

  double query[T][K][2];
  double constant[T][4];
  std::uint32_t found[T][2];
  CLUSTERLOOM_UNROLL
  for (int t = 0; t < T; ++t) {
    CLUSTERLOOM_UNROLL
    for (int h = 0; h < 2; ++h) {
      const std::uint32_t p = first + 16 * t + 8 * h + i;
      double x[K];
      components.read(x, p, p < end);
      double square = 0;
      CLUSTERLOOM_UNROLL
      for (int f = 0; f < K; ++f) {
        x[f] -= components.origin[f];
        square += x[f] * x[f];
        const bool meetsSquare = components.carriesSquare && f == components.squareFragment;
        query[t][f][h] = settled(meetsSquare ? 1.0 : -2.0 * x[f]);
      }
      square = sumOfQuad(lane, square);
      constant[t][2 * h] = settled(p < end ? square - inside : kFar);
      constant[t][2 * h + 1] = settled(p < end ? square - inside : kFar);
      found[t][h] = 0;
    }
  }
  const std::uint32_t bandWordAgain = settled(bandWord);

  RowWalk<Lane> walk{v, v.cellIds[v.cellOf[first]], v.cellIds[v.cellOf[end - 1]]};
  // While a row is worked on, the first eight of the next are read. While a group of eight is
  // compared, the one after it is read and, in few dimensions where rows are long, prepared: the
  // loop has only rare branches, so that these steps overlap. In many dimensions rows are short,
  // and what is prepared in vain at their ends would cost more.
  constexpr bool kAhead = K == 1;
  double ahead[K];
  bool more = walk.next(lane);
  components.read(ahead, walk.begin + i, more && walk.begin + i < walk.end);
  while (more) {
    const std::uint32_t rowBegin = walk.begin;
    const std::uint32_t rowEnd = walk.end;
    double raw[K];
    double candidate[K];
    CLUSTERLOOM_UNROLL
    for (int f = 0; f < K; ++f) raw[f] = ahead[f];
    more = walk.next(lane);
    components.read(ahead, walk.begin + i, more && walk.begin + i < walk.end);
    if constexpr (kAhead) {
      components.prepare(lane, candidate, raw, rowBegin + i < rowEnd);
      components.read(raw, rowBegin + 8 + i, rowBegin + 8 + i < rowEnd);
    }
    // Rows may hold millions: between pieces of one the stop word is checked. All lanes check
    // together, because they must not diverge here.
    for (std::uint32_t piece = rowBegin; piece < rowEnd; piece += kBetweenLooks) {
      if (piece > rowBegin && lane.ballot(kAll, lane.id() == 0 && lane.load(v.stop) != 0) != 0)
        return;
      const std::uint32_t pieceEnd =
          rowEnd - piece < kBetweenLooks ? rowEnd : piece + kBetweenLooks;
      for (std::uint32_t at = piece; at < pieceEnd; at += 8) {
        if constexpr (!kAhead) {
          components.prepare(lane, candidate, raw, at + i < rowEnd);
          components.read(raw, at + 8 + i, at + 8 + i < rowEnd);
        }
        double excess[T][4];
        CLUSTERLOOM_UNROLL
        for (int t = 0; t < T; ++t) {
          lane.multiply(excess[t], query[t][0], candidate[0], constant[t]);
          CLUSTERLOOM_UNROLL
          for (int f = 1; f < K; ++f)
            lane.multiply(excess[t], query[t][f], candidate[f], excess[t]);
        }
        if constexpr (kAhead) {
          components.prepare(lane, candidate, raw, at + 8 + i < rowEnd);
          components.read(raw, at + 16 + i, at + 16 + i < rowEnd);
        }

        bool undecided = false;
        CLUSTERLOOM_UNROLL
        for (int t = 0; t < T; ++t) {
          CLUSTERLOOM_UNROLL
          for (int e = 0; e < 4; ++e) {
            const std::uint32_t word = highWord(excess[t][e]);
            found[t][e / 2] += word >> 31;  // below the band: inside
            undecided = undecided || word < bandWord;
          }
        }
        if (undecided) {
          CLUSTERLOOM_UNROLL
          for (int t = 0; t < T; ++t) {
            CLUSTERLOOM_UNROLL
            for (int e = 0; e < 4; ++e) {
              const std::uint32_t p = first + 16 * t + 8 * (e / 2) + i;
              const std::uint32_t q = at + 2 * j + e % 2;
              if (highWord(excess[t][e]) < bandWordAgain && p < end && q < rowEnd)
                found[t][e / 2] += isNeighbour(v, p, q);
            }
          }
        }
      }
    }
  }

  CLUSTERLOOM_UNROLL
  for (int t = 0; t < T; ++t) {
    CLUSTERLOOM_UNROLL
    for (int h = 0; h < 2; ++h) {
      std::uint32_t sum = found[t][h];
      sum += lane.exchange(kAll, sum, 1);
      sum += lane.exchange(kAll, sum, 2);
      const std::uint32_t p = first + 16 * t + 8 * h + i;
      if (j == 0 && p < end) v.counts[p] = sum;
    }
  }
}

}  // namespace tile
}  // namespace clusterloom
