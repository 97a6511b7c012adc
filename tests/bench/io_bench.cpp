// Speed and memory of reading and writing clouds: text and NPY, plain and compressed, from files in
// the page cache. Each step runs in a child process of its own, so that its peak memory is its own.
// Rows "only" are what the library behind a format takes for the same file.
//
//   io_bench [POINTS [DIMS [FOLDER]]]      defaults: 10,000,000 points, 3 dimensions, /dev/shm
//   io_bench FILE…                         reads these files, with all columns and the position
//   only
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#ifdef CLUSTERLOOM_HAS_HDF5
#include <hdf5.h>
#endif
#ifdef CLUSTERLOOM_HAS_FITS
#include <fitsio.h>
#endif

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "engine/io/read.h"
#include "engine/io/write.h"

namespace {

using namespace clusterloom;
using Clock = std::chrono::steady_clock;

/// Time of a step: elapsed, and of one core, which other load hardly affects.
struct Seconds {
  double wall = 0;
  double core = 0;
};

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double coreSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

Seconds timed(const std::function<void()>& work) {
  const auto start = Clock::now();
  const double core = coreSeconds();
  work();
  return {secondsSince(start), coreSeconds() - core};
}

/// Runs `work` in a child; gives what it returns, and the child's peak memory in bytes.
Seconds inChild(const std::function<Seconds()>& work, double& peakBytes) {
  int pipes[2];
  if (pipe(pipes) != 0) std::exit(1);
  const pid_t child = fork();
  if (child == 0) {
    const Seconds result = work();
    const ssize_t put = write(pipes[1], &result, sizeof result);
    _exit(put == sizeof result ? 0 : 1);
  }
  Seconds result;
  close(pipes[1]);
  const ssize_t got = read(pipes[0], &result, sizeof result);
  close(pipes[0]);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  if (status != 0 || got != sizeof result) {
    std::fprintf(stderr, "io_bench: a step failed\n");
    std::exit(1);
  }
  peakBytes = 1024.0 * static_cast<double>(usage.ru_maxrss);
  return result;
}

Dataset makeDataset(std::size_t points, std::size_t dims, bool fullDigits) {
  Dataset dataset;
  std::mt19937_64 random(7);
  for (std::size_t j = 0; j < dims; ++j) {
    auto& column = dataset.cloud.columns.emplace_back(points);
    for (double& x : column) {
      // 53 random bits give 16 or 17 digits; the other kind is what survey files look like.
      const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
      x = fullDigits ? 1000 * unit : static_cast<double>(static_cast<long>(1e9 * unit)) / 1e6;
    }
    dataset.cloud.names.push_back(std::string("x").append(std::to_string(j)));
  }
  dataset.inputRows = points;
  return dataset;
}

void check(const Result<void>& result) {
  if (result) return;
  std::fprintf(stderr, "io_bench: %s\n", result.error().message.c_str());
  _exit(1);
}

/// What zlib takes to unpack a file whose content is dropped.
void gunzipOnly(const std::string& path) {
  const gzFile file = ::gzopen(path.c_str(), "rb");
  ::gzbuffer(file, 1 << 18);
  std::vector<char> block(std::size_t{512} << 10);
  int got = 0;
  while ((got = ::gzread(file, block.data(), static_cast<unsigned>(block.size()))) > 0) {
  }
  if (got < 0 || ::gzclose(file) != Z_OK) _exit(1);
}

/// The same for libzstd.
void unzstdOnly(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> packed(::ZSTD_DStreamInSize());
  std::vector<char> block(std::size_t{512} << 10);
  ZSTD_DCtx* const context = ::ZSTD_createDCtx();
  while (file.read(packed.data(), static_cast<std::streamsize>(packed.size())) ||
         file.gcount() > 0) {
    ZSTD_inBuffer in{packed.data(), static_cast<std::size_t>(file.gcount()), 0};
    while (in.pos < in.size) {
      ZSTD_outBuffer out{block.data(), block.size(), 0};
      if (::ZSTD_isError(::ZSTD_decompressStream(context, &out, &in)) != 0) _exit(1);
    }
  }
  ::ZSTD_freeDCtx(context);
}

#ifdef CLUSTERLOOM_HAS_HDF5
/// Rows as a matrix, in one piece or in chunks packed by gzip.
void makeHdf5(const std::string& path, const Dataset& dataset, bool packed) {
  const std::array<hsize_t, 2> shape{dataset.cloud.size(), dataset.cloud.dims()};
  std::vector<double> rows(shape[0] * shape[1]);
  for (std::size_t j = 0; j < shape[1]; ++j)
    for (std::size_t i = 0; i < shape[0]; ++i) rows[i * shape[1] + j] = dataset.cloud.columns[j][i];
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(2, shape.data(), nullptr);
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  if (packed) {
    const std::array<hsize_t, 2> chunk{65536, shape[1]};
    H5Pset_chunk(creation, 2, chunk.data());
    H5Pset_deflate(creation, 4);
  }
  const hid_t set =
      H5Dcreate2(file, "points", H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  if (H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data()) < 0) _exit(1);
  H5Dclose(set);
  H5Pclose(creation);
  H5Sclose(space);
  H5Fclose(file);
}
void makePlainHdf5(const std::string& path, const Dataset& dataset) {
  makeHdf5(path, dataset, false);
}
void makePackedHdf5(const std::string& path, const Dataset& dataset) {
  makeHdf5(path, dataset, true);
}

/// What the library takes to read the matrix into memory in one call.
void hdf5Only(const std::string& path) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t set = H5Dopen2(file, "points", H5P_DEFAULT);
  const hid_t space = H5Dget_space(set);
  std::vector<double> rows(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  if (H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data()) < 0) _exit(1);
  H5Sclose(space);
  H5Dclose(set);
  H5Fclose(file);
}
#endif

#ifdef CLUSTERLOOM_HAS_FITS
void makeFits(const std::string& path, const Dataset& dataset) {
  fitsfile* file = nullptr;
  int status = 0;
  const auto dims = dataset.cloud.dims();
  std::vector<std::string> names;
  for (std::size_t j = 0; j < dims; ++j) names.push_back("x" + std::to_string(j));
  std::vector<char*> namePointers;
  for (std::string& name : names) namePointers.push_back(name.data());
  char type[] = "1D";
  std::vector<char*> types(dims, type);
  ::fits_create_diskfile(&file, path.c_str(), &status);
  ::fits_create_tbl(file, BINARY_TBL, 0, static_cast<int>(dims), namePointers.data(), types.data(),
                    nullptr, "CLOUD", &status);
  const auto rows = static_cast<LONGLONG>(dataset.cloud.size());
  constexpr LONGLONG block = 100'000;  // a table is written row by row: whole columns would be slow
  for (LONGLONG first = 0; first < rows; first += block)
    for (std::size_t j = 0; j < dims; ++j)
      ::fits_write_col(file, TDOUBLE, static_cast<int>(j) + 1, first + 1, 1,
                       std::min(block, rows - first),
                       const_cast<double*>(dataset.cloud.columns[j].data() + first), &status);
  ::fits_close_file(file, &status);
  if (status != 0) _exit(1);
}

/// What cfitsio takes to read the columns, in blocks of the size that it asks for.
void fitsOnly(const std::string& path) {
  fitsfile* file = nullptr;
  int status = 0;
  ::fits_open_diskfile(&file, path.c_str(), READONLY, &status);
  ::fits_movabs_hdu(file, 2, nullptr, &status);
  LONGLONG rows = 0;
  int columns = 0;
  long block = 0;
  ::fits_get_num_rowsll(file, &rows, &status);
  ::fits_get_num_cols(file, &columns, &status);
  ::fits_get_rowsize(file, &block, &status);
  std::vector<std::vector<double>> values(static_cast<std::size_t>(columns));
  for (auto& column : values) column.resize(static_cast<std::size_t>(rows));
  int any = 0;
  for (LONGLONG first = 0; first < rows; first += block)
    for (int c = 1; c <= columns; ++c)
      ::fits_read_col(file, TDOUBLE, c, first + 1, 1, std::min<LONGLONG>(block, rows - first),
                      nullptr, values[static_cast<std::size_t>(c - 1)].data() + first, &any,
                      &status);
  ::fits_close_file(file, &status);
  if (status != 0) _exit(1);
}
#endif

void readBench(const std::string& what, const std::string& path, std::size_t points,
               std::size_t dims, const std::function<void()>& read) {
  constexpr int runs = 5;
  std::vector<double> wall;
  std::vector<double> core;
  double peak = 0;
  for (int run = 0; run < runs; ++run) {
    double childPeak = 0;
    const Seconds seconds = inChild([&] { return timed(read); }, childPeak);
    wall.push_back(seconds.wall);
    core.push_back(seconds.core);
    peak = std::max(peak, childPeak);
  }
  std::sort(wall.begin(), wall.end());
  std::sort(core.begin(), core.end());
  const double megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  const double data = 8.0 * static_cast<double>(points * dims);
  std::printf(
      "read  %-20s %8.1f MB  wall %6.3f s (best %.3f) %7.1f MB/s  core %6.3f s %7.1f MB/s  peak "
      "%.2f x data set\n",
      what.c_str(), megabytes, wall[runs / 2], wall.front(), megabytes / wall[runs / 2],
      core[runs / 2], megabytes / core[runs / 2], peak / data);
}

/// Points per second of one core, of a file that is there.
void readFile(const std::string& path, bool everything) {
  ReadOptions options;
  options.keepOthers = everything;
  std::size_t points = 0;
  std::vector<Seconds> runs;
  for (int run = 0; run < 5; ++run) {
    runs.push_back(timed([&] {
      const auto dataset = readDataset(path, options);
      if (!dataset) {
        std::fprintf(stderr, "io_bench: %s\n", dataset.error().message.c_str());
        std::exit(1);
      }
      points = dataset->cloud.size();
    }));
  }
  const auto middle = [&](auto of) {
    std::sort(runs.begin(), runs.end(),
              [&](const Seconds& a, const Seconds& b) { return of(a) < of(b); });
    return of(runs[runs.size() / 2]);
  };
  const double core = middle([](const Seconds& s) { return s.core; });
  const double wall = middle([](const Seconds& s) { return s.wall; });
  std::printf("read  %-20s %-14s wall %6.3f s  core %6.3f s  %.2f million points a core second\n",
              path.c_str(), everything ? "all columns" : "position only", wall, core,
              static_cast<double>(points) / core / 1e6);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::filesystem::is_regular_file(argv[1])) {
    for (int a = 1; a < argc; ++a)
      for (const bool everything : {true, false}) readFile(argv[a], everything);
    return 0;
  }
  const std::size_t points = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
  const std::size_t dims = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 3;
  const std::string folder = argc > 3 ? argv[3] : "/dev/shm";
  if (points == 0 || dims == 0 || argc > 4) {
    std::fprintf(stderr, "io_bench [POINTS [DIMS [FOLDER]]]\n");
    return 2;
  }
  const std::string stem = folder + "/clusterloom-io-bench-" + std::to_string(getpid());
  struct Step {
    const char* suffix;
    bool fullDigits;
    void (*libraryOnly)(const std::string& path) = nullptr;
    void (*make)(const std::string& path, const Dataset& dataset) = nullptr;
  };
  const std::vector<Step> steps{
#ifdef CLUSTERLOOM_HAS_HDF5
      Step{".h5", true, &hdf5Only, &makePlainHdf5},
      Step{"-chunks-gzip.h5", false, &hdf5Only, &makePackedHdf5},
#endif
#ifdef CLUSTERLOOM_HAS_FITS
      Step{".fits", true, &fitsOnly, &makeFits},
#endif
      Step{"-6-decimals.csv", false},
      Step{"-6-decimals.csv.gz", false, &gunzipOnly},
      Step{"-6-decimals.csv.zst", false, &unzstdOnly},
      Step{"-17-digits.csv", true},
      Step{".npy", true},
      Step{".npy.gz", true, &gunzipOnly},
      Step{".npy.zst", true, &unzstdOnly}};
  for (const Step& step : steps) {
    const std::string path = stem + step.suffix;
    double peak = 0;
    const Seconds seconds = inChild(
        [&] {
          const Dataset dataset = makeDataset(points, dims, step.fullDigits);
          if (step.make != nullptr) return timed([&] { step.make(path, dataset); });
          return timed([&] { check(writeDataset(path, dataset)); });
        },
        peak);
    const double megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
    std::printf(
        "write %-20s %8.1f MB  wall %6.3f s                %7.1f MB/s  core %6.3f s %7.1f MB/s\n",
        step.suffix + 1, megabytes, seconds.wall, megabytes / seconds.wall, seconds.core,
        megabytes / seconds.core);
    readBench(step.suffix + 1, path, points, dims, [&] {
      const auto dataset = readDataset(path);
      if (!dataset || dataset->cloud.size() != points) _exit(1);
    });
    if (step.libraryOnly != nullptr)
      readBench("only", path, points, dims, [&] { step.libraryOnly(path); });
    std::filesystem::remove(path);
  }
  return 0;
}
