// Readers of files, as a data set and as a preview. What comes back must keep the guarantees of
// engine/io/read.h: equal sizes, finite coordinates, messages that name the file. Options are drawn
// from the last byte.
#include <cmath>

#include "engine/io/byte_source.h"
#include "engine/io/formats.h"
#include "engine/io/read_distances.h"
#include "harness.h"

namespace {

using namespace clusterloom;

void checkMessage(const Error& error, const std::string& name) {
  promise(error.message.starts_with(name + ": "), "a message names the file first");
  promise(error.message.size() > name.size() + 10, "a message says what is wrong");
  promise(error.kind != ErrorKind::Cancelled && error.kind != ErrorKind::Unavailable,
          "the kind of error fits");
}

void checkDataset(const Dataset& dataset) {
  const std::size_t points = dataset.cloud.size();
  promise(points > 0 && points <= kMaxPoints, "a cloud has points");
  promise(dataset.cloud.dims() >= 1 && dataset.cloud.dims() <= kMaxDims,
          "a cloud has 1 to 4,096 dimensions");
  promise(dataset.cloud.names.size() == dataset.cloud.dims(), "every dimension has a name");
  for (const auto& column : dataset.cloud.columns) {
    promise(column.size() == points, "columns are equally long");
    for (const double x : column) promise(std::isfinite(x), "coordinates are finite");
  }
  for (const Attribute& attribute : dataset.attributes) {
    promise(lengthOf(attribute.values) == points, "attributes are as long as the cloud");
    if (!isText(attribute.values)) continue;
    const auto& categories = std::get<Categories>(attribute.values);
    for (const std::int32_t code : categories.codes)
      promise(code >= 0 && static_cast<std::size_t>(code) < categories.words.size(),
              "codes have words");
  }
  promise(dataset.inputRows == points + dataset.skippedRows.size(),
          "every row is a point or skipped");
  for (std::size_t s = 0; s < dataset.skippedRows.size(); ++s)
    promise(dataset.skippedRows[s] < dataset.inputRows &&
                (s == 0 || dataset.skippedRows[s - 1] < dataset.skippedRows[s]),
            "skipped rows ascend");
  const std::size_t columns = dataset.cloud.dims() + dataset.attributes.size();
  promise(dataset.skippedValues.size() == (dataset.skippedRows.empty() ? 0 : columns),
          "the columns of skipped rows are all kept");
  for (const ColumnValues& values : dataset.skippedValues)
    promise(lengthOf(values) == dataset.skippedRows.size(),
            "the columns of skipped rows have a value a row");
  promise(dataset.columnOrder.size() == columns, "every column has its place");
  promise(dataset.source.hash.size() == 37, "the source has a hash");
}

void checkDistancesOf(const ByteSource& source) {
  const auto distances = readDistancesFrom(source);
  if (!distances) return checkMessage(distances.error(), source.name());
  promise(clusterloom::checkDistances(*distances).has_value(), "distances that are read are fine");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string name = fuzzedName;
  const auto source = memorySource(name, {reinterpret_cast<const char*>(bytes), size});
  const unsigned draw = size == 0 ? 0 : bytes[size - 1];
  ReadOptions options;
  options.memoryLimit = std::uint64_t{64} << 20;
  options.skipNonFinite = draw & 1;
  options.text.decimalSign = draw & 4   ? TextOptions::DecimalSign::Comma
                             : draw & 8 ? TextOptions::DecimalSign::Point
                                        : TextOptions::DecimalSign::Auto;
  options.text.thousands = TextOptions::Thousands(size % 6);
  if (draw & 16) options.keepOthers = false;
  if (draw & 32) options.coordinates = {"0"};
  if (draw & 64)
    options.text.header = draw & 128 ? TextOptions::Header::Yes : TextOptions::Header::No;

  checkDistancesOf(*source);
  PartialReads partial;
  partial.points = 16;
  partial.interval = {};
  partial.deliver = [](const PartialRead& read) {
    for (const auto& column : read.sample->columns)
      promise(column.size() == read.sample->size(), "columns of a sample are equally long");
  };
  const auto dataset = readDatasetFrom(*source, options, {}, draw & 2 ? partial : PartialReads{});
  if (dataset)
    checkDataset(*dataset);
  else
    checkMessage(dataset.error(), name);
  const auto preview = previewFrom(*source, options, 5);
  if (!preview) {
    // A preview shows every column, also one in which a word does no harm where it is not kept, and
    // in the type of the file, although a coordinate may be any number.
    const bool outOfType =
        preview.error().message.find(" is not a value of type ") != std::string::npos;
    promise(!dataset || !options.keepOthers || outOfType, "what can be read can be previewed");
    checkMessage(preview.error(), name);
    return 0;
  }
  promise(preview->rows.size() <= 5, "a preview is as short as asked for");
  if (dataset)
    promise(!preview->rowsExact || preview->rowEstimate == dataset->inputRows, "exact is exact");
  return 0;
}
