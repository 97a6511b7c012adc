#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "engine/io/las/copc_tree.h"
#include "engine/io/las/las_layout.h"
#include "engine/io/las/laz_values.h"

/// COPC files, which the program itself does not write.
namespace clusterloom::testing {

inline constexpr int kLevels = 4;
inline constexpr std::size_t kHeader = 375;
inline constexpr std::size_t kInfoAt = kHeader + kLasVlrHeader;  // of the content
inline constexpr std::size_t kRecord = 30;                       // of point format 6
inline constexpr double kHalfSide = 2000;                        // of the cube that begins at 0
inline constexpr std::uint32_t kSeveralSizes = 0xffffffff;

template <class T>
void put(std::string& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

inline std::string record(const std::string& user, int id, const std::string& content,
                          bool extended) {
  std::string bytes(extended ? kLasEvlrHeader : kLasVlrHeader, '\0');
  std::copy(user.begin(), user.end(), bytes.begin() + 2);
  put(bytes, 18, static_cast<std::uint16_t>(id));
  if (extended)
    put(bytes, 20, static_cast<std::uint64_t>(content.size()));
  else
    put(bytes, 20, static_cast<std::uint16_t>(content.size()));
  return bytes + content;
}

struct Node {
  std::array<std::int32_t, 4> key{};  // level, x, y, z
  std::vector<std::array<std::int32_t, 3>> points;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

struct Entry {
  std::array<std::int32_t, 4> key{};
  std::uint64_t offset = 0;
  std::int32_t bytes = 0;
  std::int32_t points = 0;
};

inline std::string pageOf(const std::vector<Entry>& entries) {
  std::string page(32 * entries.size(), '\0');
  for (std::size_t e = 0; e < entries.size(); ++e) {
    for (std::size_t k = 0; k < 4; ++k) put(page, 32 * e + 4 * k, entries[e].key[k]);
    put(page, 32 * e + 16, entries[e].offset);
    put(page, 32 * e + 24, entries[e].bytes);
    put(page, 32 * e + 28, entries[e].points);
  }
  return page;
}

/// Nodes of four levels, of which the deeper ones come first in the file. The nodes of levels 2 and
/// 3 are in pages of their own, one for each node of level 2.
struct Copc {
  std::vector<Node> nodes;
  std::string bytes;
  std::size_t rootPage = 0;
  std::map<std::size_t, std::size_t> pages;  // of a node of level 2: place of its page

  explicit Copc(int pointsOfNode = 40) {
    std::mt19937_64 random(9);
    for (int level = kLevels - 1; level >= 0; --level)
      for (std::int32_t x = 0; x < 1 << level; ++x)
        for (std::int32_t y = 0; y < 1 << level; ++y) {
          Node node;
          node.key = {level, x, y, 0};
          const std::int32_t side = 8000 >> level;
          for (int p = 0; p < pointsOfNode + level; ++p)
            node.points.push_back({x * side + std::int32_t(random() % unsigned(side)),
                                   y * side + std::int32_t(random() % unsigned(side)),
                                   std::int32_t(random() % 1000)});
          nodes.push_back(node);
        }
    write();
  }

  void write() {
    const LazScheme scheme{6, kRecord, 3};
    std::string compression = lazRecord(scheme);
    put(compression, 12, kSeveralSizes);
    const std::string records = record("copc", 1, std::string(160, '\0'), false) +
                                record(kLazUser, kLazRecord, compression, false);
    const std::size_t first = kHeader + records.size();
    std::string chunks(8, '\0');
    std::string table(8, '\0');
    LazEncoder coder;
    const auto numbers = std::make_unique<LazIntegers<32, 2>>();
    std::int32_t lastPoints = 0;
    std::int32_t lastBytes = 0;
    std::uint64_t points = 0;
    for (Node& node : nodes) {
      const auto chunk = makeLazChunk(scheme);
      for (const auto& point : node.points) {
        std::string of(kRecord, '\0');
        for (std::size_t j = 0; j < 3; ++j) put(of, 4 * j, point[j]);
        put(of, 12, static_cast<std::uint16_t>(node.key[0]));
        of[14] = 0x11;
        chunk->add(reinterpret_cast<const std::uint8_t*>(of.data()));
      }
      const std::string coded = chunk->finish();
      node.offset = first + chunks.size();
      node.bytes = coded.size();
      chunks += coded;
      lastPoints =
          numbers->code(coder, lastPoints, 0, static_cast<std::int32_t>(node.points.size()));
      lastBytes = numbers->code(coder, lastBytes, 1, static_cast<std::int32_t>(coded.size()));
      points += node.points.size();
    }
    put(table, 4, static_cast<std::uint32_t>(nodes.size()));
    put(chunks, 0, static_cast<std::uint64_t>(first + chunks.size()));
    bytes = std::string(kHeader, '\0') + records + chunks + table + coder.finish();
    const std::size_t tree = bytes.size();
    std::string content = writePages(tree + kLasEvlrHeader);
    bytes += record("copc", kCopcTree, content, true);
    bytes.replace(0, 4, "LASF");
    put(bytes, 6, std::uint16_t{16});
    bytes[24] = 1;
    bytes[25] = 4;
    put(bytes, 94, static_cast<std::uint16_t>(kHeader));
    put(bytes, 96, static_cast<std::uint32_t>(first));
    put(bytes, 100, std::uint32_t{2});
    bytes[104] = static_cast<char>(0x80 | 6);
    put(bytes, 105, static_cast<std::uint16_t>(kRecord));
    for (std::size_t j = 0; j < 3; ++j) put(bytes, 131 + 8 * j, 0.5);
    put(bytes, 235, static_cast<std::uint64_t>(tree));
    put(bytes, 243, std::uint32_t{1});
    put(bytes, 247, points);
  }

  /// The pages, of which the first one begins at this place; the root follows those that it names.
  std::string writePages(std::size_t at) {
    std::string content;
    std::vector<Entry> root;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const Node& node = nodes[n];
      if (node.key[0] < 2) root.push_back(entryOf(node));
      if (node.key[0] != 2) continue;
      std::vector<Entry> below;
      for (const Node& child : nodes)
        if (child.key[0] == 3 && child.key[1] / 2 == node.key[1] && child.key[2] / 2 == node.key[2])
          below.push_back(entryOf(child));
      below.push_back(entryOf(node));
      below.push_back({{3, 0, 0, 7}, 0, 0, 0});  // no points
      const std::string page = pageOf(below);
      pages[n] = at + content.size();
      root.push_back({node.key, at + content.size(), static_cast<std::int32_t>(page.size()), -1});
      content += page;
    }
    rootPage = at + content.size();
    const std::string page = pageOf(root);
    // The cube of the root: its centre and half of its side.
    for (std::size_t a = 0; a < 4; ++a) put(bytes, kInfoAt + 8 * a, kHalfSide);
    put(bytes, kInfoAt + 40, static_cast<std::uint64_t>(rootPage));
    put(bytes, kInfoAt + 48, static_cast<std::uint64_t>(page.size()));
    return content + page;
  }

  static Entry entryOf(const Node& node) {
    return {node.key, node.offset, static_cast<std::int32_t>(node.bytes),
            static_cast<std::int32_t>(node.points.size())};
  }

  /// The points of the first levels in the order of the file, as rows of values.
  std::vector<std::array<double, 3>> upTo(int level) const {
    std::vector<std::array<double, 3>> found;
    for (const Node& node : nodes)
      if (node.key[0] <= level)
        for (const auto& point : node.points)
          found.push_back({point[0] * 0.5, point[1] * 0.5, point[2] * 0.5});
    return found;
  }
};

}  // namespace clusterloom::testing
