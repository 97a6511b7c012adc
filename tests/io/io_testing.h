#pragma once

#include <QString>
#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "engine/dbscan/clustering.h"
#include "engine/io/byte_source.h"
#include "engine/io/formats.h"
#include "engine/io/read.h"

/// Shared by the tests of engine/io: reading from memory, and comparing results bit by bit.
namespace clusterloom::testing {

inline Result<Dataset> readBytes(const std::string& bytes, const ReadOptions& options = {},
                                 const std::string& name = "cloud.csv") {
  return readDatasetFrom(*memorySource(name, bytes), options, {});
}

/// Fixture of tests that write files: a folder, and paths in it.
class FileFolder {
 protected:
  std::string at(const std::string& name) const {
    return folder_.filePath(QString::fromStdString(name)).toStdString();
  }
  QTemporaryDir folder_;
};

/// The message of a failed result; "" where it did not fail.
template <class T>
std::string messageOf(const Result<T>& result) {
  return result ? "" : result.error().message;
}

inline bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// Equal bits: −0 is not 0, and NaN may be compared.
inline bool sameBits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

/// The numbers of an attribute of any type, as doubles.
inline std::vector<double> numbersOf(const Dataset& dataset, std::size_t attribute) {
  return *doublesOf(nullptr, dataset.attributes.at(attribute).values);
}

inline std::vector<std::string> wordsOf(const Dataset& dataset, std::size_t attribute) {
  const auto& categories = std::get<Categories>(dataset.attributes.at(attribute).values);
  std::vector<std::string> words;
  for (const std::int32_t code : categories.codes)
    words.push_back(categories.words.at(static_cast<std::size_t>(code)));
  return words;
}

/// Three clusters and noise in turn, with roles.
inline Clustering labelsFor(std::size_t points) {
  Clustering clustering;
  for (std::size_t i = 0; i < points; ++i) {
    clustering.labels.push_back(static_cast<std::int32_t>(i % 4) - 1);
    clustering.roles.push_back(i % 4 == 0 ? PointRole::Noise : PointRole::Core);
  }
  return clustering;
}

/// Doubles that are easily written or read wrongly.
inline std::vector<double> hardDoubles() {
  std::vector<double> hard{0.0,
                           -0.0,
                           0.1,
                           -0.1,
                           1.0 / 3,
                           5e-324,
                           -5e-324,
                           2.2250738585072009e-308,  // the largest denormal
                           2.2250738585072014e-308,
                           1e308,
                           -1e308,
                           1.7976931348623157e308,
                           9007199254740993.0,
                           9007199254740992.0,
                           123456789012345678.0,
                           5e-1,
                           1e21,
                           1e22,
                           1e23,
                           8.41e21,
                           4.4501363245856945e-308,
                           513149.62500000006,  // UTM metres
                           5403150.123456789,
                           1 + 0x1p-52,
                           1 - 0x1p-53};
  std::mt19937_64 random(20);
  while (hard.size() < 2000) {
    const double x = std::bit_cast<double>(random());
    if (x - x == 0) hard.push_back(x);  // finite
  }
  return hard;
}

/// Writes numbers as bytes, in either byte order, without the code under test.
class Bytes {
 public:
  explicit Bytes(bool bigEndian = false) : bigEndian_(bigEndian) {}
  template <class T>
  Bytes& add(T value) {
    std::array<char, sizeof(T)> raw;
    std::memcpy(raw.data(), &value, sizeof(T));
    if (bigEndian_)
      bytes_.append(raw.rbegin(), raw.rend());
    else
      bytes_.append(raw.begin(), raw.end());
    return *this;
  }
  Bytes& text(std::string_view text) {
    bytes_ += text;
    return *this;
  }
  Bytes& zeros(std::size_t count) {
    bytes_.append(count, '\0');
    return *this;
  }
  const std::string& str() const { return bytes_; }

 private:
  bool bigEndian_;
  std::string bytes_;
};

inline void writeFile(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  QVERIFY2(file.good(), path.c_str());
}

inline std::string readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Fails the test when the result failed, saying why.
#define REQUIRE_OK(result)                                                  \
  do {                                                                      \
    auto&& required_ = (result);                                            \
    QVERIFY2(required_.has_value(), testing::messageOf(required_).c_str()); \
  } while (false)
/// Fails the test unless the message holds the part; shows the message.
#define REQUIRE_PART(message, part)                                      \
  do {                                                                   \
    const std::string shown_ = (message);                                \
    QVERIFY2(testing::has(shown_, (part)),                               \
             ("\"" + shown_ + "\" lacks " + std::string(part)).c_str()); \
  } while (false)

}  // namespace clusterloom::testing
