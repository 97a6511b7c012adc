#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/io/kept_words.h"
#include "engine/io/scalar.h"

namespace clusterloom {

/// Bytes a point takes at least, by point format 0 to 10; extra bytes may follow.
inline constexpr std::array<std::size_t, 11> kLasRecordBytes{20, 28, 26, 34, 57, 63,
                                                             30, 36, 38, 59, 67};
/// Bytes of the header of LAS 1.2, 1.3 and 1.4.
inline constexpr std::size_t kLasHeader12 = 227;
inline constexpr std::size_t kLasHeader13 = 235;
inline constexpr std::size_t kLasHeader14 = 375;
/// Bytes before the content of a variable length record, and of the description of a column of
/// extra bytes in one.
inline constexpr std::size_t kLasVlrHeader = 54;
inline constexpr std::size_t kLasExtraRecord = 192;
/// The same of a record after the points; where headers say where such records are, from LAS 1.3
/// and from 1.4 on.
inline constexpr std::size_t kLasEvlrHeader = 60;
inline constexpr std::size_t kLasWavesAt = 227;
inline constexpr std::size_t kLasEvlrsAt = 235;
/// The most such columns: the length of a record has 16 bits.
inline constexpr std::size_t kLasMostExtras = 65535 / kLasExtraRecord;

/// Records of our own: what made the file, and the words of a text column, whose values are numbers
/// in the points. A column with many words has several of the latter.
inline constexpr const char* kLasOwnUser = "Clusterloom";
inline constexpr std::uint16_t kLasWordsRecord = 2;
/// The content of such records: lines with the name of the column and its words, in order.
std::string lasWords(const std::string& column, const std::vector<std::string>& words);
/// The words of all such columns; those of a damaged one are left out.
KeptWords readLasWords(std::string_view content);

/// Bits beside the number of the point format where the points are compressed; the higher one is
/// written.
inline constexpr int kLazMarks = 0xC0;
inline constexpr int kLazMark = 0x80;

/// A value of a point record, whole or some bits of a byte.
struct LasField {
  std::string name;
  Scalar type = Scalar::Uint8;
  std::size_t offset = 0;
  unsigned shift = 0;
  unsigned bits = 0;  ///< 0: the whole value

  /// The largest value of a field of some bits.
  unsigned mask() const { return (1U << bits) - 1; }
};

/// The values of a point format after x, y and z, intensity and classification first. Names follow
/// laspy. [ASPRS LAS 1.4 R15, tables 7 to 17]
std::vector<LasField> lasFields(int pointFormat);

/// The type of a column of extra bytes by its number, 1 to 10, and the other way round.
Scalar lasExtraType(std::uint8_t number);
std::uint8_t lasExtraNumber(Scalar type);

}  // namespace clusterloom
