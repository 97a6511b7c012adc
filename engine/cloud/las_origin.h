#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clusterloom {

/// The content of a LAS file besides its points, so that an export can write it again.
struct LasOrigin {
  /// A column that the file adds to those of its point format.
  struct Extra {
    std::string name;       ///< of the column in the data set
    std::uint8_t type = 0;  ///< the number of its type in the specification, 1 to 10
    bool scaled = false;    ///< value = stored · scale + offset
    double scale = 1;
    double offset = 0;
    std::string description;  ///< 32 bytes at most
    /// Of an array, or of bytes of unknown meaning: the number of its values, and which of them
    /// this is.
    std::size_t values = 1;
    std::size_t index = 0;
    std::string record = {};  ///< that describes it; empty for bytes that nothing describes
  };

  int minor = 4;  ///< of the version 1.x
  int pointFormat = 6;
  std::array<double, 3> scale{};  ///< coordinate = stored integer · scale + offset
  std::array<double, 3> offset{};
  std::uint16_t fileSource = 0;
  std::uint16_t encoding = 0;
  std::string guid;    ///< 16 bytes
  std::string system;  ///< 32 bytes
  std::uint16_t day = 0;
  std::uint16_t year = 0;
  std::uint32_t records = 0;  ///< variable length records in `recordBytes`
  std::string recordBytes;    ///< such as the coordinate system; those of extra bytes are left out
  std::vector<Extra> extras;
  /// Records after the points, such as a coordinate system or the packets of waveforms, and where
  /// the latter begin.
  std::uint32_t extendedRecords = 0;
  std::string extendedBytes;
  std::optional<std::uint64_t> waves;
  std::uint64_t largeBytes = 0;  ///< of such records that are too large to be kept
  /// Further bytes that are not kept: bytes of all records before the points, where they are too
  /// many, and bytes of each point that nothing describes.
  std::uint64_t skippedBytes = 0;
  std::size_t droppedBytes = 0;
};

}  // namespace clusterloom
