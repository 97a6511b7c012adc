#include "engine/io/hdf5/hdf5_driver.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>

#include "engine/io/hdf5/hdf5_faults.h"

namespace clusterloom::hdf5 {
namespace {

/// The properties of a file for its driver. The library copies it byte by byte.
struct Properties {
  const ByteSource* source;
  /// Of the call of readFrom. Where the library fails to close a file, it keeps it, and another
  /// source may come to lie at the same address.
  std::uint64_t serial;
};

/// An open file: the driver's part behind the library's.
struct OpenFile : H5FD_t {
  const ByteSource* source = nullptr;
  Properties root{};                  ///< those it was opened with
  std::unique_ptr<ByteSource> other;  ///< of another path, as virtual datasets name them
  haddr_t allocated = 0;              ///< the end of the addresses in use, as the library keeps it
  NumberSizes sizes;                  ///< as the superblock that was read says
  ObjectHeaders headers;
};

const OpenFile& opened(const H5FD_t* file) { return *static_cast<const OpenFile*>(file); }

herr_t refused(H5E_minor_t minor, const char* why) {
  // Not __FILE__: packages do not hold the name of the folder in which they were built.
  H5Epush2(H5E_DEFAULT, "hdf5_driver.cpp", __func__, __LINE__, H5E_ERR_CLS, H5E_VFL, minor, "%s",
           why);
  return -1;
}

// The functions below are called by C, which no exception may cross.

H5FD_t* openFor(const char* name, unsigned flags, hid_t access, haddr_t) noexcept {
  try {
    const auto* const properties = static_cast<const Properties*>(H5Pget_driver_info(access));
    if (properties == nullptr || (flags & (H5F_ACC_RDWR | H5F_ACC_CREAT | H5F_ACC_TRUNC)) != 0) {
      refused(H5E_CANTOPENFILE, "files are only read");
      return nullptr;
    }
    auto file = std::make_unique<OpenFile>();
    file->root = *properties;
    file->source = properties->source;
    if (nameOf(*properties->source) != name) {
      auto other = clusterloom::openFile(name);
      if (!other) {
        refused(H5E_CANTOPENFILE, other.error().message.c_str());
        return nullptr;
      }
      file->other = std::move(*other);
      file->source = file->other.get();
    }
    return file.release();
  } catch (const std::bad_alloc&) {
    refused(H5E_CANTALLOC, "out of memory");
    return nullptr;
  }
}

herr_t closeFile(H5FD_t* file) noexcept {
  delete static_cast<OpenFile*>(file);
  return 0;
}

/// Equal (0) are those of one call of readFrom and one name: the library then opens the file once.
int compare(const H5FD_t* left, const H5FD_t* right) noexcept {
  const OpenFile& a = opened(left);
  const OpenFile& b = opened(right);
  if (a.root.serial != b.root.serial) return a.root.serial < b.root.serial ? -1 : 1;
  if (!a.other || !b.other) return int{a.other != nullptr} - int{b.other != nullptr};
  return a.other->name().compare(b.other->name());
}

/// Properties to open another file with, for virtual datasets; freed by the library.
void* propertiesOf(H5FD_t* file) noexcept {
  auto* const properties = static_cast<Properties*>(std::malloc(sizeof(Properties)));
  if (properties != nullptr) *properties = opened(file).root;
  return properties;
}

void* copyProperties(const void* from) noexcept {
  auto* const copy = static_cast<Properties*>(std::malloc(sizeof(Properties)));
  if (copy != nullptr) *copy = *static_cast<const Properties*>(from);
  return copy;
}

herr_t freeProperties(void* properties) noexcept {
  std::free(properties);
  return 0;
}

herr_t features(const H5FD_t*, unsigned long* flags) noexcept {
  // Not H5FD_FEAT_ACCUMULATE_METADATA: see readFrom. The sieve gathers small reads of values.
  *flags = H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t endOfAddresses(const H5FD_t* file, H5FD_mem_t) noexcept { return opened(file).allocated; }

herr_t setEndOfAddresses(H5FD_t* file, H5FD_mem_t, haddr_t address) noexcept {
  static_cast<OpenFile*>(file)->allocated = address;
  return 0;
}

haddr_t endOfFile(const H5FD_t* file, H5FD_mem_t) noexcept { return opened(file).source->size(); }

herr_t read(H5FD_t* file, H5FD_mem_t type, hid_t, haddr_t address, std::size_t size,
            void* into) noexcept {
  try {
    OpenFile& from = *static_cast<OpenFile*>(file);
    const ByteSource& source = *from.source;
    if (address > source.size() || size > source.size() - address)
      return refused(H5E_OVERFLOW, "an address is behind the end of the file");
    const std::span bytes(static_cast<char*>(into), size);
    const auto got = source.readAt(address, bytes);
    if (!got) return refused(H5E_READERROR, got.error().message.c_str());
    if (*got < size) return refused(H5E_READERROR, "the file became shorter while it was read");
    if (type == H5FD_MEM_SUPER) from.sizes = numberSizesIn(bytes, from.sizes);
    if (type == H5FD_MEM_OHDR)
      if (const char* fault = from.headers.faultIn(bytes, address - from.base_addr, from.sizes))
        return refused(H5E_BADVALUE, fault);
    // The library reads the global heap as raw data.
    const bool global = type == H5FD_MEM_DRAW || type == H5FD_MEM_GHEAP;
    if (type == H5FD_MEM_LHEAP || global) {
      const auto fault = global ? faultOfCollection(bytes, from.sizes, source, address)
                                : faultOfHeap(bytes, from.sizes, source, from.base_addr);
      if (!fault) return refused(H5E_READERROR, fault.error().message.c_str());
      if (*fault != nullptr) return refused(H5E_BADVALUE, *fault);
    }
    return 0;
  } catch (const std::bad_alloc&) {
    return refused(H5E_CANTALLOC, "out of memory");
  }
}

herr_t write(H5FD_t*, H5FD_mem_t, hid_t, haddr_t, std::size_t, const void*) noexcept {
  return refused(H5E_WRITEERROR, "files are only read");
}

/// Registers the driver with the library; negative: it did not take it.
hid_t registered() {
  H5FD_class_t driver{};
#ifdef H5FD_CLASS_VERSION  // from 1.13.2 on
  driver.version = H5FD_CLASS_VERSION;
  driver.value = H5_VFD_RESERVED;  // the first of those that are not of the library
#endif
  driver.name = "clusterloom";
  driver.maxaddr = HADDR_MAX;
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.fapl_size = sizeof(Properties);
  driver.fapl_get = &propertiesOf;
  driver.fapl_copy = &copyProperties;
  driver.fapl_free = &freeProperties;
  driver.open = &openFor;
  driver.close = &closeFile;
  driver.cmp = &compare;
  driver.query = &features;
  driver.get_eoa = &endOfAddresses;
  driver.set_eoa = &setEndOfAddresses;
  driver.get_eof = &endOfFile;
  driver.read = &read;
  driver.write = &write;
  for (H5FD_mem_t& list : driver.fl_map) list = H5FD_MEM_SUPER;
  return H5FDregister(&driver);
}

}  // namespace

std::string nameOf(const ByteSource& source) {
  const std::string path = source.filePath();
  return path.empty() ? "memory" : path;
}

Result<void> readFrom(const ByteSource& source, hid_t fileAccess) {
  // For the rest of the process, as those of the library.
  static const hid_t driver = registered();
  static std::atomic<std::uint64_t> calls{0};
  const Properties properties{&source, ++calls};
  if (driver < 0 || H5Pset_driver(fileAccess, driver, &properties) < 0)
    return badInput(source.name() + ": libhdf5 does not read it through Clusterloom (" +
                    lastError() + "). Build Clusterloom with a newer libhdf5.");
  return {};
}

}  // namespace clusterloom::hdf5
