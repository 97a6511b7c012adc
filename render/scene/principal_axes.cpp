#include "render/scene/principal_axes.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>

#include "engine/cloud/stratified_sample.h"

namespace clusterloom {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t kMostPoints = 200000;
constexpr std::size_t kFewestPoints = 1000;
constexpr double kMostProducts = 1.6e10;  // of coordinates, for a covariance
constexpr std::size_t kRowsAtOnce = 256;  // between two looks at the task

/// Directions that are searched for at once: an eigenvalue may occur several times.
constexpr Index kBlock = 8;
constexpr Index kMostBasis = 320;  // vectors, before the search begins again with the best
constexpr Index kKept = 32;        // of them then
constexpr int kMostSteps = 600;
constexpr double kResidual = 1e-12;  // of the largest eigenvalue

/// Vectors without a direction in common with anything, the same on every machine.
MatrixXd startVectors(Index dims, Index count) {
  std::mt19937_64 random(20130207);
  MatrixXd vectors(dims, count);
  for (double& entry : vectors.reshaped())
    entry = static_cast<double>(random() >> 11) * 0x1p-52 - 1;
  return vectors;
}

/// An orthonormal basis of what the columns add to the span of `basis`; it may have no vectors.
MatrixXd orthonormal(MatrixXd columns, const MatrixXd& basis) {
  const double before = columns.norm();
  for (int pass = 0; pass < 2; ++pass)  // the second removes what rounding left
    columns -= (basis * (basis.transpose() * columns)).eval();
  if (!(columns.norm() > 1e-13 * before)) return MatrixXd(columns.rows(), 0);
  const Eigen::ColPivHouseholderQR<MatrixXd> factors(columns);
  const Index rank = std::min(factors.rank(), columns.rows() - basis.cols());
  MatrixXd added = factors.householderQ() * MatrixXd::Identity(columns.rows(), rank);
  added -= (basis * (basis.transpose() * added)).eval();
  return Eigen::HouseholderQR<MatrixXd>(added).householderQ() *
         MatrixXd::Identity(added.rows(), added.cols());
}

MatrixXd joined(const MatrixXd& left, const MatrixXd& right) {
  MatrixXd both(left.rows(), left.cols() + right.cols());
  both << left, right;
  return both;
}

struct Eigenpairs {
  MatrixXd vectors;  ///< by columns
  VectorXd values;   ///< descending
};

/// The eigenvectors of the largest eigenvalues of a symmetric matrix without negative ones: a block
/// Krylov method, whose subspace grows until they lie in it. A solver for all eigenvectors would
/// take minutes in 4,096 dimensions and could not be stopped.
Result<Eigenpairs> largestOf(const MatrixXd& matrix, Index wanted, const Task& task) {
  const Index dims = matrix.rows();
  MatrixXd basis = orthonormal(startVectors(dims, std::min(dims, kBlock)), MatrixXd(dims, 0));
  MatrixXd image = matrix * basis;
  Index grown = basis.cols();
  for (int step = 0;; ++step) {
    if (task.cancelled()) return cancelledError();
    const MatrixXd within = basis.transpose() * image;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver((within + within.transpose()) / 2);
    const Index found = basis.cols() > kMostBasis ? kKept : basis.cols();
    const MatrixXd best = solver.eigenvectors().rightCols(found).rowwise().reverse();
    const VectorXd values = solver.eigenvalues().tail(found).reverse();
    const MatrixXd pairs = basis * best.leftCols(wanted);
    const double rest =
        (image * best.leftCols(wanted) - pairs * values.head(wanted).asDiagonal()).norm();
    const MatrixXd added = orthonormal(image.rightCols(grown), basis);
    if (rest <= kResidual * values(0) || added.cols() == 0 || step == kMostSteps)
      return Eigenpairs{pairs, values.head(wanted)};
    if (found < basis.cols()) {
      basis = (basis * best).eval();
      image = (image * best).eval();
    }
    grown = added.cols();
    basis = joined(basis, added);
    image = joined(image, matrix * added);
  }
}

/// Coordinates of a sample less their centre, divided by the widest range: squares must not
/// overflow.
struct CentredSample {
  std::vector<std::uint32_t> ids;
  std::vector<double> centre;
  double widest = 0;
};

Result<CentredSample> centredSample(const PointCloud& cloud, const Task& task) {
  CentredSample sample;
  sample.ids = stratifiedSample(cloud.size(), principalSample(cloud.size(), cloud.dims()));
  sample.centre.resize(cloud.dims());
  for (std::size_t j = 0; j < cloud.dims(); ++j) {
    if (task.cancelled()) return cancelledError();
    const Coordinates& column = cloud.columns[j];
    double low = column[sample.ids.front()];
    double high = low;
    for (const std::uint32_t p : sample.ids) {
      low = std::min(low, column[p]);
      high = std::max(high, column[p]);
    }
    double sum = 0;  // of offsets from the lowest: keeps the digits of large coordinates
    for (const std::uint32_t p : sample.ids)
      sum += (column[p] - low) / static_cast<double>(sample.ids.size());
    sample.centre[j] = low + sum;
    sample.widest = std::max(sample.widest, high - low);
  }
  if (sample.widest <= 0) sample.widest = 1;
  return sample;
}

/// The covariance of the sample, but for a factor.
Result<MatrixXd> covarianceOf(const PointCloud& cloud, const CentredSample& sample,
                              const Task& task) {
  const auto dims = static_cast<Index>(cloud.dims());
  const std::size_t m = sample.ids.size();
  MatrixXd covariance = MatrixXd::Zero(dims, dims);
  MatrixXd rows(dims, static_cast<Index>(kRowsAtOnce));
  for (std::size_t begin = 0; begin < m; begin += kRowsAtOnce) {
    if (task.cancelled()) return cancelledError();
    task.report("finding principal axes", static_cast<double>(begin) / static_cast<double>(m));
    const std::size_t count = std::min(kRowsAtOnce, m - begin);
    for (std::size_t j = 0; j < cloud.dims(); ++j)
      for (std::size_t r = 0; r < count; ++r)
        rows(static_cast<Index>(j), static_cast<Index>(r)) =
            (cloud.columns[j][sample.ids[begin + r]] - sample.centre[j]) / sample.widest;
    covariance.selfadjointView<Eigen::Lower>().rankUpdate(rows.leftCols(static_cast<Index>(count)));
  }
  return MatrixXd(covariance.selfadjointView<Eigen::Lower>());
}

}  // namespace

std::size_t principalSample(std::size_t points, std::size_t dims) {
  const auto d = static_cast<double>(std::max<std::size_t>(dims, 1));
  const auto affordable = static_cast<std::size_t>(kMostProducts / (d * d));
  return std::min(points, std::clamp(affordable, kFewestPoints, kMostPoints));
}

Result<PrincipalAxes> principalAxes(const PointCloud& cloud, std::size_t count, const Task& task) {
  auto sample = centredSample(cloud, task);
  if (!sample) return tl::unexpected(sample.error());
  const auto covariance = covarianceOf(cloud, *sample, task);
  if (!covariance) return tl::unexpected(covariance.error());
  const auto found = largestOf(*covariance, static_cast<Index>(count), task);
  if (!found) return tl::unexpected(found.error());
  PrincipalAxes axes;
  axes.centre = std::move(sample->centre);
  const double whole = std::max(covariance->trace(), std::numeric_limits<double>::min());
  for (std::size_t a = 0; a < count; ++a) {
    VectorXd direction = found->vectors.col(static_cast<Index>(a));
    Index largest = 0;
    direction.cwiseAbs().maxCoeff(&largest);
    if (direction(largest) < 0) direction = -direction;
    axes.directions[a].assign(direction.data(), direction.data() + direction.size());
    axes.explained[a] = std::clamp(found->values(static_cast<Index>(a)) / whole, 0.0, 1.0);
  }
  return axes;
}

}  // namespace clusterloom
