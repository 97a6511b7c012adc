#include "engine/distributed/read_parts.h"

#include <algorithm>
#include <limits>

#include "engine/dbscan/clustering.h"
#include "engine/distributed/check_parts.h"
#include "engine/distributed/shared_file.h"
#include "engine/io/npy/npy_header.h"
#include "engine/io/read_part.h"
#include "engine/io/write.h"

namespace clusterloom {
namespace {

// Values that must be equal on all ranks.
struct FileSeen {
  std::uint64_t bytes = 0;
  std::uint64_t columns = 0;
};

std::uint64_t hashOf(const std::vector<std::string>& names) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
  for (const std::string& name : names)
    for (const char* c = name.c_str();; ++c) {
      hash = (hash ^ static_cast<unsigned char>(*c)) * 0x100000001b3ULL;
      if (*c == '\0') break;
    }
  return hash;
}

Result<void> checkSameFile(Communicator& communicator, const std::string& path,
                           const FilePart& part, const Task& task) {
  const FileSeen own{part.fileBytes(), hashOf(part.names())};
  FileSeen first = own;
  if (auto sent = communicator.broadcast(0, std::span(&first, 1), task); !sent) return sent;
  if (own.bytes != first.bytes)
    return badInput(path + ": has " + std::to_string(own.bytes) + " bytes here and " +
                    std::to_string(first.bytes) + " on rank 0. Give all ranks the same file.");
  if (own.columns != first.columns)
    return badInput(path +
                    ": has other columns here than on rank 0. Give all ranks the same file.");
  return communicator.barrier(task);
}

// Rank 0 reads all rows and sends each rank its own.
Result<RankPart> deal(Communicator& communicator, const std::string& path, ReadOptions options,
                      const std::vector<std::string>& names, const Task& task) {
  options.keepOthers = false;
  options.keep.clear();
  Dataset whole;
  if (communicator.rank() == 0) {
    auto read = readDataset(path, options, task);
    if (!read) return tl::unexpected(read.error());
    whole = std::move(*read);
  }
  std::uint64_t rows = whole.inputRows;
  if (auto sent = communicator.broadcast(0, std::span(&rows, 1), task); !sent)
    return tl::unexpected(sent.error());
  std::vector<std::uint64_t> skipped = std::move(whole.skippedRows);
  if (auto sent = communicator.broadcast(0, skipped, task); !sent)
    return tl::unexpected(sent.error());
  // Outputs of the parts depend on these, too.
  std::vector<Scalar> types = std::move(whole.coordinateTypes);
  if (auto sent = communicator.broadcast(0, types, task); !sent)
    return tl::unexpected(sent.error());
  std::vector<std::size_t> order = std::move(whole.columnOrder);
  if (auto sent = communicator.broadcast(0, order, task); !sent)
    return tl::unexpected(sent.error());

  const auto ranks = std::uint64_t(communicator.size());
  const auto self = std::uint64_t(communicator.rank());
  const auto rowOf = [&](std::uint64_t r) { return rows * r / ranks; };
  const auto skippedBefore = [&](std::uint64_t row) {
    return std::lower_bound(skipped.begin(), skipped.end(), row) - skipped.begin();
  };
  const auto pointOf = [&](std::uint64_t r) {
    return rowOf(r) - std::uint64_t(skippedBefore(rowOf(r)));
  };
  RankPart part;
  part.firstRow = rowOf(self);
  part.rowsOfAll = rows;
  part.skippedOfAll = skipped.size();
  part.data.inputRows = rowOf(self + 1) - rowOf(self);
  part.data.skippedRows.assign(skipped.begin() + skippedBefore(rowOf(self)),
                               skipped.begin() + skippedBefore(rowOf(self + 1)));
  part.data.cloud.names = names;
  part.data.coordinateTypes = std::move(types);
  part.data.columnOrder = std::move(order);
  part.data.roundedCoordinates = std::move(whole.roundedCoordinates);
  part.data.leftOut = std::move(whole.leftOut);
  part.data.linesBefore = whole.linesBefore;
  part.data.remarks = std::move(whole.remarks);
  for (std::size_t j = 0; j < names.size(); ++j) {
    auto& into = part.data.cloud.columns.emplace_back(pointOf(self + 1) - pointOf(self));
    std::vector<Outgoing> out;
    std::vector<Incoming> in;
    if (self == 0) {
      const std::span<const double> column(whole.cloud.columns[j]);
      std::copy_n(column.begin(), into.size(), into.begin());
      for (std::uint64_t r = 1; r < ranks; ++r)
        out.push_back(
            {int(r), std::as_bytes(column.subspan(pointOf(r), pointOf(r + 1) - pointOf(r)))});
    } else {
      in.push_back({0, std::as_writable_bytes(std::span(into))});
    }
    if (auto done = communicator.start(out, in)->wait(task); !done)
      return tl::unexpected(done.error());
    if (self == 0) whole.cloud.columns[j] = {};
  }
  for (std::size_t j = 0; j < names.size() && !skipped.empty(); ++j) {
    std::vector<double> values;
    if (self == 0) values = std::get<std::vector<double>>(std::move(whole.skippedValues[j]));
    if (auto sent = communicator.broadcast(0, values, task); !sent)
      return tl::unexpected(sent.error());
    part.data.skippedValues.emplace_back(
        std::vector<double>(values.begin() + skippedBefore(rowOf(self)),
                            values.begin() + skippedBefore(rowOf(self + 1))));
  }
  return part;
}

// What the values of one part say of a coordinate holds for all: that it was rounded, and that its
// type in the file does not hold it.
Result<void> shareTypes(Communicator& communicator, Dataset& part, const Task& task) {
  struct Coordinate {
    bool rounded;
    bool isDouble;
  };
  std::vector<Scalar>& types = part.coordinateTypes;
  types.resize(part.cloud.dims(), Scalar::Float64);
  std::vector<Coordinate> found;
  for (std::size_t j = 0; j < types.size(); ++j)
    found.push_back({std::ranges::count(part.roundedCoordinates, part.cloud.names[j]) > 0,
                     types[j] == Scalar::Float64});
  const auto any = [](Coordinate a, Coordinate b) {
    return Coordinate{a.rounded || b.rounded, a.isDouble || b.isDouble};
  };
  if (auto done = communicator.allReduce(std::span(found), any, task); !done) return done;
  part.roundedCoordinates.clear();
  for (std::size_t j = 0; j < types.size(); ++j) {
    if (found[j].isDouble) types[j] = Scalar::Float64;
    if (found[j].rounded) part.roundedCoordinates.push_back(part.cloud.names[j]);
  }
  return {};
}

struct Size {
  std::uint64_t rows = 0;
  std::uint64_t lines = 0;
};

// Continues sums rank after rank, in the order of the points, and gives all ranks the last ones.
template <class Continue>
Result<std::vector<double>> sumsInOrder(Communicator& communicator, std::size_t count,
                                        const Continue& continueSum, const Task& task) {
  std::vector<double> sums(count, 0.0);
  const int rank = communicator.rank();
  if (rank > 0)
    if (auto got = communicator.receive(rank - 1, std::span(sums), task); !got)
      return tl::unexpected(got.error());
  for (std::size_t j = 0; j < count; ++j) sums[j] = continueSum(j, sums[j]);
  if (rank + 1 < communicator.size())
    if (auto sent = communicator.send(rank + 1, std::span<const double>(sums), task); !sent)
      return tl::unexpected(sent.error());
  if (auto sent = communicator.broadcast(communicator.size() - 1, std::span(sums), task); !sent)
    return tl::unexpected(sent.error());
  return sums;
}

}  // namespace

Result<RankPart> readParts(Communicator& communicator, const std::string& path,
                           const ReadOptions& options, const Task& task) {
  const auto file = openFilePart(path, options, communicator.rank(), communicator.size(), task);
  if (!file) return tl::unexpected(file.error());
  if (auto same = checkSameFile(communicator, path, **file, task); !same)
    return tl::unexpected(same.error());
  std::vector<char> obstacle;
  for (const char c : (*file)->obstacle()) obstacle.push_back(c);
  const auto with = communicator.largest(obstacle.empty() ? -1 : communicator.rank(), task);
  if (!with) return tl::unexpected(with.error());
  if (*with >= 0 && communicator.size() > 1) {
    if (auto sent = communicator.broadcast(*with, obstacle, task); !sent)
      return tl::unexpected(sent.error());
    auto part = deal(communicator, path, options, (*file)->names(), task);
    if (!part) return part;
    if (auto shared = shareTypes(communicator, part->data, task); !shared)
      return tl::unexpected(shared.error());
    part->note = path + " " + std::string(obstacle.begin(), obstacle.end()) +
                 ", so rank 0 has read it and dealt the rows.";
    return part;
  }

  const auto sizes = communicator.allGather(Size{(*file)->rows(), (*file)->lines()}, task);
  if (!sizes) return tl::unexpected(sizes.error());
  Size before;
  RankPart part;
  for (int r = 0; r < communicator.size(); ++r) {
    const Size& size = (*sizes)[std::size_t(r)];
    part.rowsOfAll += size.rows;
    if (r >= communicator.rank()) continue;
    before.rows += size.rows;
    before.lines += size.lines;
  }
  if (part.rowsOfAll == 0)
    return badInput(path +
                    ": there are no data rows. Check that it is the right "
                    "file and was written to the end.");
  auto data = (*file)->read(before.rows, before.lines, task);
  if (!data) return tl::unexpected(data.error());
  part.data = std::move(*data);
  part.data.inputRows = (*file)->rows();
  part.firstRow = before.rows;
  const auto skipped = communicator.sum<std::uint64_t>(part.data.skippedRows.size(), task);
  if (!skipped) return tl::unexpected(skipped.error());
  part.skippedOfAll = *skipped;
  if (part.skippedOfAll == part.rowsOfAll)
    return badInput(path + ": no row is left: each of the " + std::to_string(part.rowsOfAll) +
                    " rows has a coordinate that is missing or not finite.");
  if (auto shared = shareTypes(communicator, part.data, task); !shared)
    return tl::unexpected(shared.error());
  return part;
}

RowOfPoint rowsOfPart(const RankPart& part) {
  std::vector<std::uint64_t> skipped = part.data.skippedRows;
  for (std::uint64_t& row : skipped) row -= part.firstRow;
  return [first = part.firstRow, rows = FileRows(std::move(skipped))](std::size_t point) {
    return first + rows(point);
  };
}

Result<Scaling> scaleParts(Communicator& communicator, const ScalingChoice& choice,
                           PointCloud& part, const Task& task) {
  Result<Scaling> scaling = Scaling{};
  if (choice.kind == Scaling::Kind::Factors) {
    scaling = makeScaling(choice.kind, part, choice.factors);
  } else if (choice.kind != Scaling::Kind::None) {
    if (auto valid = validateParts(communicator, part, task); !valid)
      return tl::unexpected(valid.error());
    const std::size_t dims = part.dims();
    Bounds bounds;
    bounds.low.assign(dims, std::numeric_limits<double>::infinity());
    bounds.high.assign(dims, -std::numeric_limits<double>::infinity());
    if (part.size() > 0) bounds = boundsOf(part);
    if (auto done = communicator.allReduce(
            std::span(bounds.low), [](double a, double b) { return std::min(a, b); }, task);
        !done)
      return tl::unexpected(done.error());
    if (auto done = communicator.allReduce(
            std::span(bounds.high), [](double a, double b) { return std::max(a, b); }, task);
        !done)
      return tl::unexpected(done.error());
    std::vector<double> means;
    std::vector<double> variances;
    if (choice.kind == Scaling::Kind::ZScore) {
      const auto points = communicator.sum<std::uint64_t>(part.size(), task);
      if (!points) return tl::unexpected(points.error());
      const auto n = double(*points);
      auto sums = sumsInOrder(
          communicator, dims,
          [&](std::size_t j, double sum) {
            return addToMeanSum(sum, part.columns[j], bounds.low[j], bounds.high[j]);
          },
          task);
      if (!sums) return tl::unexpected(sums.error());
      means = std::move(*sums);
      for (double& mean : means) mean /= n;
      sums = sumsInOrder(
          communicator, dims,
          [&](std::size_t j, double sum) {
            return addToVarianceSum(sum, part.columns[j], bounds.low[j], bounds.high[j], means[j]);
          },
          task);
      if (!sums) return tl::unexpected(sums.error());
      variances = std::move(*sums);
      for (double& variance : variances) variance /= n;
    }
    scaling = makeScaling(bounds, part.names, means, variances);
  }
  if (!scaling || scaling->kind == Scaling::Kind::None) return scaling;
  for (std::size_t j = 0; j < part.dims(); ++j)
    for (double& x : part.columns[j]) x = (x - scaling->offset[j]) * scaling->factor[j];
  return scaling;
}

Result<void> writeLabelsOfParts(Communicator& communicator, OutputSet& outputs,
                                const std::string& path, const RankPart& part,
                                std::span<const std::int32_t> labels, const Task& task) {
  task.report("writing", 0);
  const std::string header = npyHeader("<i4", std::to_string(part.rowsOfAll) + ",");
  const auto rows = perInputRow(part.data, labels, kSkippedRow, part.firstRow);
  return writeSharedFile(communicator, outputs, path, header, std::as_bytes(std::span(rows)), task);
}

}  // namespace clusterloom
