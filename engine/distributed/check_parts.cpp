#include "engine/distributed/check_parts.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>

#include "engine/core/predicate.h"
#include "engine/version.h"

namespace clusterloom {
namespace {

// A number that differs when the ranks were not called alike (FNV-1a).
class Fingerprint {
 public:
  Fingerprint& add(std::string_view text) {
    for (const char c : text) step(static_cast<unsigned char>(c));
    step(0xff);
    return *this;
  }
  Fingerprint& add(std::uint64_t value) {
    for (int i = 0; i < 64; i += 8) step(static_cast<unsigned char>(value >> i));
    return *this;
  }
  std::uint64_t value() const { return value_; }

 private:
  void step(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001b3ULL; }
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

// BadInput on the ranks whose call differs from that of rank 0.
Result<void> checkAlike(Communicator& communicator, const PointCloud& part,
                        const DbscanParams& params, Metric metric, const Task& task) {
  struct Call {
    std::uint64_t program;
    std::uint64_t columns;
    std::uint64_t parameters;
  };
  Fingerprint columns;
  for (const std::string& name : part.names) columns.add(name);
  Call call{.program = Fingerprint().add(kVersion).add(__VERSION__).value(),
            .columns = columns.add(part.dims()).value(),
            .parameters = Fingerprint()
                              .add(std::bit_cast<std::uint64_t>(params.eps))
                              .add(std::uint64_t(params.minPts))
                              .add(std::uint64_t(metric))
                              .value()};
  const Call own = call;
  if (auto sent = communicator.broadcast(0, std::span(&call, 1), task); !sent) return sent;
  if (own.program != call.program)
    return badInput(std::string("This rank runs version ") + kVersion +
                    " of the program, built by another compiler or from other sources than that of "
                    "rank 0. Install the same build everywhere.");
  if (own.columns != call.columns)
    return badInput("This rank's part has " + std::to_string(part.dims()) +
                    " dimensions, or names of columns, that differ from those of rank 0. Give all "
                    "ranks the same file.");
  if (own.parameters != call.parameters)
    return badInput("This rank was called with another ε, minPts or metric than rank 0.");
  return communicator.barrier(task);
}

}  // namespace

Result<std::vector<std::uint64_t>> firstPointsOfRanks(Communicator& communicator,
                                                      std::uint64_t points, const Task& task) {
  const auto counts = communicator.allGather(points, task);
  if (!counts) return tl::unexpected(counts.error());
  std::vector<std::uint64_t> first(counts->size() + 1, 0);
  std::partial_sum(counts->begin(), counts->end(), first.begin() + 1);
  return first;
}

Result<void> checkParts(Communicator& communicator, const PointCloud& part,
                        const DbscanParams& params, const Task& task, const RowOfPoint& rowOf,
                        Metric metric) {
  if (auto squared = epsSquared(params.eps); !squared) return tl::unexpected(squared.error());
  if (params.minPts < 1)
    return badCall("minPts must be at least 1, not " + std::to_string(params.minPts) + ".");
  if (auto alike = checkAlike(communicator, part, params, metric, task); !alike) return alike;
  return validateParts(communicator, part, task, rowOf);
}

Result<void> validateParts(Communicator& communicator, const PointCloud& part, const Task& task,
                           const RowOfPoint& rowOf) {
  if (part.dims() == 0) return badInput("The cloud has no dimensions.");
  if (part.dims() > kMaxGridDims)
    return badInput(
        "The cloud has " + std::to_string(part.dims()) + " dimensions; at most " +
        std::to_string(kMaxGridDims) +
        " are possible for several ranks. Use one process, or choose fewer coordinate columns.");
  if (part.size() > kMaxPoints)
    return tooLarge("The part of this rank has " + std::to_string(part.size()) +
                    " points; at most " + std::to_string(kMaxPoints) +
                    " are possible. Use more ranks.");
  const auto first = firstPointsOfRanks(communicator, part.size(), task);
  if (!first) return tl::unexpected(first.error());
  if (first->back() == 0) return badInput("The cloud has no points.");
  std::vector<double> low(part.dims(), std::numeric_limits<double>::infinity());
  std::vector<double> high(part.dims(), -std::numeric_limits<double>::infinity());
  const auto nameOf = [&](std::size_t j) {
    return j < part.names.size() ? part.names[j] : std::to_string(j);
  };
  for (std::size_t j = 0; j < part.dims(); ++j) {
    const auto& column = part.columns[j];
    if (column.size() != part.size())
      return badInput("Dimension " + nameOf(j) + " has " + std::to_string(column.size()) +
                      " coordinates, the first has " + std::to_string(part.size()) + ".");
    bool finite = true;
    for (const double x : column) finite &= std::abs(x) <= std::numeric_limits<double>::max();
    if (!finite) {
      const auto bad =
          std::find_if(column.begin(), column.end(), [](double x) { return !std::isfinite(x); });
      const auto place = std::size_t(bad - column.begin());
      std::string point =
          pointText(rowOf ? place : place + (*first)[std::size_t(communicator.rank())], rowOf);
      point.front() = rowOf ? 'R' : 'P';  // it begins the message
      return badInput(point + " has a coordinate in dimension " + nameOf(j) +
                      " that is not a finite number. Skip such rows when reading.");
    }
  }
  if (part.size() > 0) {
    Bounds bounds = boundsOf(part);
    low = std::move(bounds.low);
    high = std::move(bounds.high);
  }
  const auto least = [](double a, double b) { return std::min(a, b); };
  const auto largest = [](double a, double b) { return std::max(a, b); };
  if (auto done = communicator.allReduce(std::span(low), least, task); !done) return done;
  if (auto done = communicator.allReduce(std::span(high), largest, task); !done) return done;
  for (std::size_t j = 0; j < part.dims(); ++j)
    if (!std::isfinite(high[j] - low[j]))
      return badInput("The range of dimension " + nameOf(j) +
                      " is too large for a double. Scale it by a factor, such as 0.1; the scalings "
                      "unit and zscore need the range.");
  return {};
}

}  // namespace clusterloom
