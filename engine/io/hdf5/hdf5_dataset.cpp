#include "engine/io/hdf5/hdf5_dataset.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/core/number_text.h"
#include "engine/io/hdf5/hdf5_lzf.h"

namespace clusterloom::hdf5 {
namespace {

// Chunks of a band of rows are kept unpacked up to this size, so that each is unpacked once.
constexpr std::size_t kMostCache = std::size_t{256} << 20;

/// Whether a dataset that is stored in one piece has as many bytes as its shape needs, or none yet,
/// and chunks packed by LZF unpack to as many as they hold. The library does not check it and reads
/// behind the end of a damaged one.
bool isComplete(hid_t dataset, hid_t space) {
  const Handle creation(H5Dget_create_plist(dataset), &H5Pclose);
  const Handle type = typeHandle(H5Dget_type(dataset));
  if (!creation || !type) return false;
  const H5D_layout_t layout = H5Pget_layout(creation);
  const std::size_t bytes = H5Tget_size(type);
  if (layout == H5D_CHUNKED) {
    std::array<hsize_t, H5S_MAX_RANK> chunk{};
    const int rank = H5Pget_chunk(creation, H5S_MAX_RANK, chunk.data());
    std::uint64_t size = bytes;
    for (int j = 0; j < rank; ++j) size *= chunk[std::size_t(j)];
    const auto unpacked = unpackedByLzf(creation);
    return !unpacked || *unpacked == size;
  }
  if (layout != H5D_CONTIGUOUS && layout != H5D_COMPACT) return true;
  const std::uint64_t stored = H5Dget_storage_size(dataset);
  const hssize_t values = H5Sget_simple_extent_npoints(space);
  if (stored == 0 && layout == H5D_CONTIGUOUS) return true;
  return values >= 0 && bytes > 0 && std::uint64_t(values) <= stored / bytes;
}

/// The filters of a dataset that are not installed, as "lzo (number 305)".
std::string missingFilters(hid_t dataset) {
  const Handle creation(H5Dget_create_plist(dataset), &H5Pclose);
  std::string text;
  for (int i = 0; creation && i < H5Pget_nfilters(creation); ++i) {
    std::array<char, 64> name{};
    unsigned flags = 0;
    std::size_t parameters = 0;
    const H5Z_filter_t filter = H5Pget_filter2(creation, unsigned(i), &flags, &parameters, nullptr,
                                               name.size() - 1, name.data(), nullptr);
    if (filter < 0 || H5Zfilter_avail(filter) > 0) continue;
    if (!text.empty()) text += ", ";
    text += name[0] != '\0' ? name.data() + (" (number " + std::to_string(filter) + ")")
                            : "number " + std::to_string(filter);
  }
  return text;
}

/// Values cannot be read from a row on, for what the library said before another call.
tl::unexpected<Error> readFailed(const std::string& file, const std::string& dataset,
                                 std::uint64_t row, const std::string& why) {
  return badInput(file + ": " + dataset + " cannot be read from row " + std::to_string(row) +
                  " on (" + (why.empty() ? "it is not whole" : why) +
                  "). It is damaged; copy it again.");
}

}  // namespace

Result<OpenDataset> OpenDataset::open(hid_t file, const std::string& name, const std::string& path,
                                      std::size_t rowBytes) {
  OpenDataset opened;
  opened.file = name;
  opened.path = path;
  const Handle access(H5Pcreate(H5P_DATASET_ACCESS), &H5Pclose);
  {
    const Handle first(H5Dopen2(file, path.c_str(), H5P_DEFAULT), &H5Dclose);
    if (!first) return readFailed(name, path, 0, lastError());
    const Handle creation(H5Dget_create_plist(first), &H5Pclose);
    std::array<hsize_t, 2> chunk{1, 1};
    if (creation && H5Pget_layout(creation) == H5D_CHUNKED &&
        H5Pget_chunk(creation, 2, chunk.data()) > 0) {
      constexpr std::size_t slots = 12'421;  // a prime number well above the chunks of a band
      const std::size_t band = std::min<std::uint64_t>(kMostCache, 2 * chunk[0] * rowBytes);
      H5Pset_chunk_cache(access, slots, std::max(band, std::size_t{1} << 20), 1);
    }
  }
  opened.id = Handle(H5Dopen2(file, path.c_str(), access), &H5Dclose);
  if (!opened.id) return readFailed(name, path, 0, lastError());
  opened.space = Handle(H5Dget_space(opened.id), &H5Sclose);
  std::array<hsize_t, 2> shape{1, 1};
  const int rank = opened.space ? H5Sget_simple_extent_ndims(opened.space) : 0;
  if (rank < 1 || rank > 2) return readFailed(name, path, 0, lastError());
  H5Sget_simple_extent_dims(opened.space, shape.data(), nullptr);
  if (!isComplete(opened.id, opened.space)) return readFailed(name, path, 0, lastError());
  opened.rank = std::size_t(rank);
  opened.rows = shape[0];
  opened.width = opened.rank == 2 ? shape[1] : 1;
  return opened;
}

Result<void> OpenDataset::read(std::uint64_t first, std::size_t count, std::size_t low,
                               std::size_t columns, hid_t type, void* into) const {
  const std::array<hsize_t, 2> start{first, low};
  const std::array<hsize_t, 2> size{count, columns};
  if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr) < 0)
    return readFailed(file, path, first, lastError());
  const Handle memory(H5Screate_simple(int(rank), size.data(), nullptr), &H5Sclose);
  if (memory && H5Dread(id, type, memory, space, H5P_DEFAULT, into) >= 0) return {};
  const std::string why = lastError();  // the next call forgets it
  const std::string filters = missingFilters(id);
  if (filters.empty()) return readFailed(file, path, first, why);
  return badInput(file + ": " + path + " cannot be read from row " + std::to_string(first) +
                  " on: it is compressed by a filter that is not installed, " + filters +
                  ". Repack it where that filter is: h5repack -f GZIP=4 FILE NEW");
}

void reclaim(hid_t type, std::size_t count, void* values) {
  const hsize_t size = count;
  const Handle space = spaceHandle(H5Screate_simple(1, &size, nullptr));
  H5Dvlen_reclaim(type, space, H5P_DEFAULT, values);
}

std::string_view textOf(const char* bytes, const Column& column) {
  std::string_view text(bytes, column.bytes);
  text = text.substr(0, text.find('\0'));
  if (column.padded) text = text.substr(0, text.find_last_not_of(' ') + 1);
  return text;
}

Result<std::vector<std::string>> textsOf(hid_t file, const std::string& name,
                                         const std::string& path, std::size_t most) {
  const auto opened = OpenDataset::open(file, name, path, sizeof(double));
  if (!opened) return tl::unexpected(opened.error());
  const Handle stored = typeHandle(H5Dget_type(opened->id));
  Column column;
  if (opened->rank != 1 || opened->rows > most || !stored || !describeType(stored, column))
    return badInput(name + ": " + path + " is not a list of at most " + groupedText(most) +
                    " texts.");
  const auto count = std::size_t(opened->rows);
  const bool variable = column.kind == Column::Kind::VariableText;
  const bool text = variable || column.kind == Column::Kind::FixedText;
  const Handle memory = typeHandle(H5Tcopy(text ? hid_t(stored) : H5T_NATIVE_DOUBLE));
  const std::size_t bytes = H5Tget_size(memory);
  std::vector<std::string> texts;
  // In small blocks: a damaged file may say that texts are long.
  constexpr std::size_t kPerBlock = 256;
  std::vector<char> block(std::min(count, kPerBlock) * bytes);
  for (std::size_t first = 0; first < count; first += kPerBlock) {
    const std::size_t here = std::min(kPerBlock, count - first);
    std::fill(block.begin(), block.end(), '\0');
    if (auto done = opened->read(first, here, 0, 1, memory, block.data()); !done)
      return tl::unexpected(done.error());
    for (std::size_t i = 0; i < here; ++i) {
      const char* const value = block.data() + i * bytes;
      if (variable) {
        const char* pointed = nullptr;
        std::memcpy(&pointed, value, sizeof pointed);
        texts.emplace_back(pointed != nullptr ? pointed : "");
      } else if (text) {
        texts.emplace_back(textOf(value, column));
      } else {
        double number = 0;
        std::memcpy(&number, value, sizeof number);
        texts.push_back(roundTripText(number));
      }
    }
    if (variable) reclaim(memory, here, block.data());
  }
  return texts;
}

}  // namespace clusterloom::hdf5
