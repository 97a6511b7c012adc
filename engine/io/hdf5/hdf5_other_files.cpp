#include "engine/io/hdf5/hdf5_objects.h"

#include <cstdlib>
#include <set>
#include <string>

namespace clusterloom::hdf5 {
namespace {

/// A text of the library, which gives its length first.
template <class Get>
std::string textBy(const Get& get) {
  const ssize_t length = get(nullptr, 0);
  std::string text(length > 0 ? std::size_t(length) : 0, '\0');
  if (length > 0) get(text.data(), text.size() + 1);
  return text;
}

class OtherFiles {
 public:
  bool hold(hid_t dataset, int depth = 0) {
    constexpr int deepest = 16;
    const Handle creation(H5Dget_create_plist(dataset), &H5Pclose);
    if (!creation || H5Pget_external_count(creation) != 0 || depth > deepest) return true;
    if (H5Pget_layout(creation) != H5D_VIRTUAL) return false;
    std::size_t sources = 0;
    if (H5Pget_virtual_count(creation, &sources) < 0) return true;
    const std::string own =
        textBy([&](char* text, std::size_t size) { return H5Fget_name(dataset, text, size); });
    for (std::size_t i = 0; i < sources; ++i) {
      const std::string file = textBy([&](char* text, std::size_t size) {
        return H5Pget_virtual_filename(creation, i, text, size);
      });
      const std::string path = textBy([&](char* text, std::size_t size) {
        return H5Pget_virtual_dsetname(creation, i, text, size);
      });
      const std::string source = own + '\n' + file + '\n' + path;
      if (harmless_.count(source) > 0) continue;
      if (holdSource(dataset, own, file, "/" + path, depth + 1)) return true;
      harmless_.insert(source);
    }
    return false;
  }

 private:
  bool holdSource(hid_t dataset, const std::string& own, const std::string& file,
                  const std::string& path, int depth) {
    // A pattern stands for any number of names.
    if (file.find('%') != std::string::npos || path.find('%') != std::string::npos) return true;
    if (file == ".") {
      const Handle source(H5Dopen2(dataset, path.c_str(), H5P_DEFAULT), &H5Dclose);
      return !source || hold(source, depth);
    }
    // The library looks in these folders first.
    if (std::getenv("HDF5_VDS_PREFIX") != nullptr) return true;
    const Handle ownFile(H5Iget_file_id(dataset), &H5Fclose);
    const Handle access(ownFile ? H5Fget_access_plist(ownFile) : -1, &H5Pclose);
    // As the library opens it: one file cannot be open in two ways.
    if (!access || H5Pset_fclose_degree(access, H5F_CLOSE_WEAK) < 0) return true;
    const std::string name = file.starts_with('/') ? file.substr(file.rfind('/') + 1) : file;
    const std::string beside = own.substr(0, own.rfind('/') + 1) + name;
    bool found = false;
    // Which of them it takes depends on its version.
    for (const std::string& place : std::set<std::string>{file, beside, name}) {
      const Handle other(H5Fopen(place.c_str(), H5F_ACC_RDONLY, access), &H5Fclose);
      const Handle source(other ? H5Dopen2(other, path.c_str(), H5P_DEFAULT) : -1, &H5Dclose);
      if (!source) continue;
      if (hold(source, depth)) return true;
      found = true;
    }
    return !found;
  }

  std::set<std::string> harmless_;  ///< sources that are known
};

}  // namespace

bool readsOtherFiles(hid_t dataset) { return OtherFiles().hold(dataset); }

}  // namespace clusterloom::hdf5
