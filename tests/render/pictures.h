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

/// How a picture differs from the one in `path`; empty when at most 2 % of the pixels differ by
/// more than 40 (other drivers and font rasterisers draw edges differently). With
/// CLUSTERLOOM_UPDATE_BASELINES set, `path` is written first.
inline std::string differenceFromFile(const Image& image, const std::string& path,
                                      double allowed = 0.02) {
  if (std::getenv("CLUSTERLOOM_UPDATE_BASELINES") != nullptr) {
    if (const auto written = writePng(path, image); !written) return written.error().message;
  }
  const Image baseline = readPng(path);
  if (baseline.width == 0) return "no baseline " + path;
  if (image.width != baseline.width || image.height != baseline.height) {
    return std::to_string(image.width) + " x " + std::to_string(image.height) + " pixels for " +
           std::to_string(baseline.width) + " x " + std::to_string(baseline.height);
  }
  const double part = static_cast<double>(countDifferences(image, baseline, 40)) /
                      (static_cast<double>(image.width) * image.height);
  return part <= allowed ? "" : std::to_string(100 * part) + " % of the pixels differ from " + path;
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
