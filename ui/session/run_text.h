#pragma once

#include <QByteArray>
#include <QString>
#include <cstddef>
#include <cstdint>

namespace clusterloom {

/// Ascending numbers as text for files: the gaps before runs of successive numbers and the lengths
/// of these runs, each in 7 bits a byte, lowest first, the last byte below 128; all in base 64.
class RunText {
 public:
  /// Adds a run that lies behind those before.
  void add(std::uint64_t first, std::uint64_t length) {
    append(first - next_);
    append(length);
    next_ = first + length;
  }
  /// Bytes before base 64.
  std::size_t size() const { return std::size_t(bytes_.size()); }
  QString text() const { return QString::fromLatin1(bytes_.toBase64()); }

 private:
  void append(std::uint64_t number) {
    for (; number >= 128; number >>= 7) bytes_.append(static_cast<char>(128 | (number & 127)));
    bytes_.append(static_cast<char>(number));
  }

  QByteArray bytes_;
  std::uint64_t next_ = 0;
};

/// Calls run(first, length) for the runs of such a text; false for other texts, and for numbers of
/// `end` or more.
template <class Run>
bool forEachRun(const QString& text, std::uint64_t end, const Run& run) {
  const auto decoded =
      QByteArray::fromBase64Encoding(text.toLatin1(), QByteArray::AbortOnBase64DecodingErrors);
  if (!decoded) return false;
  std::uint64_t next = 0;
  std::uint64_t gap = 0;
  std::uint64_t number = 0;
  int bits = 0;
  bool isGap = true;
  for (const char byte : decoded.decoded) {
    const auto part = static_cast<unsigned char>(byte);
    number |= static_cast<std::uint64_t>(part & 127U) << bits;
    bits += 7;
    if (part >= 128) {
      if (bits > 28) return false;
      continue;
    }
    if (isGap) {
      gap = number;
    } else {
      if (number == 0 || next + gap + number > end) return false;
      run(next + gap, number);
      next += gap + number;
    }
    isGap = !isGap;
    number = 0;
    bits = 0;
  }
  return isGap && bits == 0;
}

}  // namespace clusterloom
