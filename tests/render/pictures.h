#pragma once

#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGReader.h>

#include <QtTest>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <tuple>

#include "render/gl/offscreen.h"
#include "render/paint/theme.h"

namespace clusterloom::testing {

/// Reads a PNG; empty when there is none.
inline Image readPng(const std::string& path) {
  Image image;
  if (!std::filesystem::exists(path)) return image;
  vtkNew<vtkPNGReader> reader;
  reader->SetFileName(path.c_str());
  reader->Update();
  vtkImageData* pixels = reader->GetOutput();
  int size[3];
  pixels->GetDimensions(size);
  const int channels = pixels->GetNumberOfScalarComponents();
  image.width = size[0];
  image.height = size[1];
  for (int y = size[1] - 1; y >= 0; --y)
    for (int x = 0; x < size[0]; ++x) {
      const auto* p = static_cast<const unsigned char*>(pixels->GetScalarPointer(x, y, 0));
      for (int c = 0; c < 3; ++c) image.rgba.push_back(p[channels >= 3 ? c : 0]);
      image.rgba.push_back(255);
    }
  return image;
}

inline int difference(const std::uint8_t* p, Colour c) {
  return std::max({std::abs(p[0] - c.r), std::abs(p[1] - c.g), std::abs(p[2] - c.b)});
}

/// Pixels within `tolerance` of a colour in every channel, in the part of the picture given.
inline int countColour(const Image& image, Colour colour, int tolerance = 6, int x0 = 0, int y0 = 0,
                       int x1 = 1 << 20, int y1 = 1 << 20) {
  int count = 0;
  for (int y = y0; y < std::min(y1, image.height); ++y)
    for (int x = x0; x < std::min(x1, image.width); ++x)
      count += difference(image.pixel(x, y), colour) <= tolerance ? 1 : 0;
  return count;
}

/// Pixels of two pictures of one size that differ by more than `tolerance` in a channel.
inline int countDifferences(const Image& p, const Image& q, int tolerance = 0) {
  int count = 0;
  for (std::size_t i = 0; i < p.rgba.size(); i += 4) {
    int most = 0;
    for (std::size_t c = 0; c < 3; ++c)
      most = std::max(most, std::abs(p.rgba[i + c] - q.rgba[i + c]));
    count += most > tolerance ? 1 : 0;
  }
  return count;
}

/// Number of different colours.
inline std::size_t coloursIn(const Image& image) {
  std::set<std::tuple<int, int, int>> seen;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4)
    seen.insert({image.rgba[i], image.rgba[i + 1], image.rgba[i + 2]});
  return seen.size();
}

/// Pixels of `image` with a colour that `other`, of the same size, has nowhere near: a channel is
/// outside of those of the nine pixels around it by more than `tolerance`. Edges that lie a pixel
/// beside, or are smooth in another way, have none.
inline int countForeign(const Image& image, const Image& other, int tolerance) {
  int count = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      int low[3] = {255, 255, 255};
      int high[3] = {0, 0, 0};
      for (int v = std::max(0, y - 1); v <= std::min(image.height - 1, y + 1); ++v)
        for (int u = std::max(0, x - 1); u <= std::min(image.width - 1, x + 1); ++u)
          for (int c = 0; c < 3; ++c) {
            low[c] = std::min<int>(low[c], other.pixel(u, v)[c]);
            high[c] = std::max<int>(high[c], other.pixel(u, v)[c]);
          }
      bool foreign = false;
      for (int c = 0; c < 3; ++c) {
        const int value = image.pixel(x, y)[c];
        foreign = foreign || value < low[c] - tolerance || value > high[c] + tolerance;
      }
      count += foreign ? 1 : 0;
    }
  return count;
}

/// How a picture differs from another one; empty when they show the same. Drivers and font
/// rasterisers draw edges differently, so at most 2 % of the pixels may differ by more than 40, and
/// at most 20 may have a colour that the other picture has nowhere near them.
inline std::string differenceOf(const Image& image, const Image& baseline) {
  constexpr int kTolerance = 40;
  constexpr double kMostDiffering = 0.02;
  constexpr int kMostForeign = 20;
  if (image.width != baseline.width || image.height != baseline.height) {
    return std::to_string(image.width) + " x " + std::to_string(image.height) + " pixels for " +
           std::to_string(baseline.width) + " x " + std::to_string(baseline.height);
  }
  const double part = static_cast<double>(countDifferences(image, baseline, kTolerance)) /
                      (static_cast<double>(image.width) * image.height);
  if (part > kMostDiffering) return std::to_string(100 * part) + " % of the pixels differ";
  const int foreign = std::max(countForeign(image, baseline, kTolerance),
                               countForeign(baseline, image, kTolerance));
  if (foreign > kMostForeign) return std::to_string(foreign) + " pixels have another colour";
  return "";
}

/// The same for the picture in `path`. With CLUSTERLOOM_UPDATE_BASELINES set, `path` is written
/// first.
inline std::string differenceFromFile(const Image& image, const std::string& path) {
  if (std::getenv("CLUSTERLOOM_UPDATE_BASELINES") != nullptr) {
    if (const auto written = writePng(path, image); !written) return written.error().message;
  }
  const Image baseline = readPng(path);
  if (baseline.width == 0) return "no baseline " + path;
  const std::string difference = differenceOf(image, baseline);
  return difference.empty() ? "" : path + ": " + difference;
}

/// Compares with tests/render/baselines/NAME.png; a picture that differs is left in the working
/// folder.
inline void compareWithBaseline(const Image& image, const std::string& name) {
  const std::string difference =
      differenceFromFile(image, std::string(CLUSTERLOOM_BASELINES) + "/" + name + ".png");
  if (!difference.empty()) QVERIFY(writePng(name + ".actual.png", image));
  QVERIFY2(difference.empty(), difference.c_str());
}

}  // namespace clusterloom::testing
