#include "engine/io/file_cache.h"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "engine/core/memory_budget.h"
#include "engine/io/disk_space.h"

namespace clusterloom {
namespace {

namespace fs = std::filesystem;

struct KeptFile {
  fs::path path;
  std::uint64_t bytes = 0;
  fs::file_time_type used;
};

/// The least recently used first.
std::vector<KeptFile> keptFiles(const std::string& folder, const std::string& ending) {
  std::vector<KeptFile> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() != ending) continue;
    std::error_code gone;
    KeptFile file{entry->path(), entry->file_size(gone), {}};
    if (!gone) file.used = entry->last_write_time(gone);
    if (!gone) files.push_back(std::move(file));
  }
  std::ranges::sort(files, {}, &KeptFile::used);
  return files;
}

std::uint64_t bytesOf(const std::vector<KeptFile>& files) {
  std::uint64_t bytes = 0;
  for (const KeptFile& file : files) bytes += file.bytes;
  return bytes;
}

Result<void> removed(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  if (error) return ioError(file.string() + ": cannot be removed (" + error.message() + ").");
  return {};
}

}  // namespace

FileCache::FileCache(std::string folder, std::string ending, std::uint64_t limit)
    : folder_(std::move(folder)), ending_(std::move(ending)), limit_(limit) {}

std::string FileCache::fileOf(const std::string& name) const {
  return folder_ + '/' + name + ending_;
}

bool FileCache::use(const std::string& name) const {
  std::error_code error;
  fs::last_write_time(fileOf(name), fs::file_time_type::clock::now(), error);
  return !error;
}

std::uint64_t FileCache::bytes() const { return bytesOf(keptFiles(folder_, ending_)); }

Result<void> FileCache::makeRoom(std::uint64_t bytes) const {
  if (bytes > limit_)
    return tooLarge("A file of " + memoryText(bytes) + " is not kept in " + folder_ +
                    ", which may hold " + memoryText(limit_) + ".");
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) return ioError(folder_ + ": cannot be made (" + error.message() + ").");
  const std::vector<KeptFile> files = keptFiles(folder_, ending_);
  std::uint64_t held = bytesOf(files);
  std::uint64_t freed = 0;
  auto end = files.begin();
  for (; end != files.end() && held + bytes > limit_; ++end) {
    held -= end->bytes;
    freed += end->bytes;
  }
  if (bytes > 0)
    if (auto enough = checkDiskSpace(folder_, bytes, freed); !enough) return enough;
  for (auto file = files.begin(); file != end; ++file)
    if (auto done = removed(file->path); !done) return done;
  return {};
}

Result<void> FileCache::remove(const std::string& name) const { return removed(fileOf(name)); }

Result<void> FileCache::clear() const {
  for (const KeptFile& file : keptFiles(folder_, ending_))
    if (auto done = removed(file.path); !done) return done;
  return {};
}

}  // namespace clusterloom
