#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/io/io_testing.h"

/// NumPy's archives of arrays and SciPy's sparse matrices, made by the description of ZIP.
namespace clusterloom::testing {

struct ArchiveFile {
  std::string name;
  std::string content;
  bool deflated = false;
};

inline std::string deflated(const std::string& content) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// `wide`: sizes and offsets in ZIP64's fields.
inline std::string archive(const std::vector<ArchiveFile>& files, bool wide = false,
                           const std::string& comment = "") {
  constexpr std::uint32_t elsewhere = 0xffffffff;
  std::string bytes;
  std::string directory;
  for (const ArchiveFile& file : files) {
    const std::string packed = file.deflated ? deflated(file.content) : file.content;
    const auto* const content = reinterpret_cast<const Bytef*>(file.content.data());
    const auto checksum =
        static_cast<std::uint32_t>(crc32(0, content, static_cast<uInt>(file.content.size())));
    Bytes extra;
    if (wide)
      extra.add(std::uint16_t{1})
          .add(std::uint16_t{24})
          .add(static_cast<std::uint64_t>(file.content.size()))
          .add(static_cast<std::uint64_t>(packed.size()))
          .add(static_cast<std::uint64_t>(bytes.size()));
    const auto size = [&](std::size_t value) {
      return wide ? elsewhere : static_cast<std::uint32_t>(value);
    };
    Bytes common;
    common.add(std::uint16_t{45})
        .add(std::uint16_t{0})
        .add(static_cast<std::uint16_t>(file.deflated ? 8 : 0))
        .add(std::uint32_t{0})
        .add(checksum)
        .add(size(packed.size()))
        .add(size(file.content.size()))
        .add(static_cast<std::uint16_t>(file.name.size()))
        .add(static_cast<std::uint16_t>(extra.str().size()));
    Bytes entry;
    entry.text(std::string("PK\x01\x02", 4)).add(std::uint16_t{45}).text(common.str());
    entry.add(std::uint16_t{0}).add(std::uint16_t{0}).add(std::uint16_t{0}).add(std::uint32_t{0});
    entry.add(size(bytes.size())).text(file.name).text(extra.str());
    directory += entry.str();
    bytes += std::string("PK\x03\x04", 4) + common.str() + file.name + extra.str() + packed;
  }
  const std::size_t at = bytes.size();
  bytes += directory;
  if (wide) {
    const std::size_t end = bytes.size();
    Bytes record;
    record.text(std::string("PK\x06\x06", 4)).add(std::uint64_t{44}).add(std::uint32_t{45});
    record.add(std::uint32_t{0}).add(std::uint32_t{0});
    record.add(static_cast<std::uint64_t>(files.size()))
        .add(static_cast<std::uint64_t>(files.size()))
        .add(static_cast<std::uint64_t>(directory.size()))
        .add(static_cast<std::uint64_t>(at));
    record.text(std::string("PK\x06\x07", 4)).add(std::uint32_t{0});
    record.add(static_cast<std::uint64_t>(end)).add(std::uint32_t{1});
    bytes += record.str();
  }
  Bytes end;
  end.text(std::string("PK\x05\x06", 4)).add(std::uint32_t{0});
  end.add(static_cast<std::uint16_t>(files.size())).add(static_cast<std::uint16_t>(files.size()));
  end.add(static_cast<std::uint32_t>(directory.size()));
  end.add(wide ? elsewhere : static_cast<std::uint32_t>(at));
  end.add(static_cast<std::uint16_t>(comment.size())).text(comment);
  return bytes + end.str();
}

/// An array of numbers in C order; `shape` as "3," or "3, 2".
template <class T>
std::string npyOf(const std::string& descr, const std::string& shape,
                  const std::vector<T>& values) {
  const std::string header =
      "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + shape + "), }\n";
  Bytes bytes;
  bytes.text("\x93NUMPY").add('\1').add('\0').add(static_cast<std::uint16_t>(header.size()));
  bytes.text(header);
  for (const T value : values) bytes.add(value);
  return bytes.str();
}

/// A sparse matrix by rows.
struct SparseRowsOf {
  std::vector<std::int64_t> starts;
  std::vector<std::int64_t> ids;
  std::vector<double> values;

  std::size_t rows() const { return starts.size() - 1; }
};

/// How it is written.
struct SparseFormat {
  std::string format = "csr";
  bool deflated = true;
  bool narrow = false;        ///< indices of 32 bits, values as float32
  std::int64_t columns = -1;  ///< as many as rows
};

/// What scipy.sparse.save_npz writes.
inline std::string sparseNpz(const SparseRowsOf& matrix, const SparseFormat& how = {}) {
  const auto count = [](std::size_t size) { return std::to_string(size) + ","; };
  const auto indices = [&](const std::vector<std::int64_t>& values) {
    return how.narrow ? npyOf("<i4", count(values.size()),
                              std::vector<std::int32_t>(values.begin(), values.end()))
                      : npyOf("<i8", count(values.size()), values);
  };
  const auto rows = static_cast<std::int64_t>(matrix.rows());
  const std::string values =
      how.narrow ? npyOf("<f4", count(matrix.values.size()),
                         std::vector<float>(matrix.values.begin(), matrix.values.end()))
                 : npyOf("<f8", count(matrix.values.size()), matrix.values);
  const std::vector<char> format(how.format.begin(), how.format.end());
  return archive(
      {{"indices.npy", indices(matrix.ids), how.deflated},
       {"indptr.npy", indices(matrix.starts), how.deflated},
       {"format.npy", npyOf("|S" + std::to_string(format.size()), "", format), how.deflated},
       {"shape.npy",
        npyOf("<i8", "2,", std::vector<std::int64_t>{rows, how.columns < 0 ? rows : how.columns}),
        how.deflated},
       {"data.npy", values, how.deflated}});
}

}  // namespace clusterloom::testing
