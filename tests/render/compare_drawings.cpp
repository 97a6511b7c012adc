// Draws a chart or a scene in several looks and compares each with baselines/KIND_LOOK.png:
//   compare_drawings KIND LOOK…
// The looks: light and dark; german, in the light; small, as in a narrow panel; twice, the same
// with two pixels of the device for each logical one, as on a screen of high resolution.
#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "drawn_charts.h"
#include "drawn_scenes.h"
#include "german_texts.h"
#include "pictures.h"

namespace clusterloom::testing {
namespace {

struct Look {
  Background background = Background::Light;
  bool small = false;
  int ratio = 1;
};

struct Size {
  int width;
  int height;
};

/// The window for a picture that has these sizes on a screen of low resolution.
std::unique_ptr<OffscreenWindow> windowOf(const Look& look, Size usual, Size small) {
  const Size size = look.small || look.ratio > 1 ? small : usual;
  auto window = OffscreenWindow::make(size.width * look.ratio, size.height * look.ratio);
  if (!window) qFatal("%s", window.error().message.c_str());
  return std::move(*window);
}

template <class ChartType>
Image chartIn(const Look& look) {
  const auto window = windowOf(look, {440, 220}, {300, 180});
  ChartType chart;
  chart.attach(window->window());
  chart.setBackground(look.background);
  chart.setPixelRatio(look.ratio);
  fill(chart);
  Image image = window->image();
  chart.detach();
  return image;
}

template <void (*draw)(CloudScene& scene)>
Image sceneIn(const Look& look) {
  const auto window = windowOf(look, {400, 300}, {240, 180});
  CloudScene scene;
  scene.attach(window->window());
  scene.setProgressive(false);
  scene.setBackground(look.background);
  scene.setPixelRatio(look.ratio);
  draw(scene);
  Image image = window->image();
  scene.detach();
  return image;
}

using Draw = Image (*)(const Look& look);
std::map<std::string, Draw> allDrawings() {
  std::map<std::string, Draw> all = {
      {"flat_scene", sceneIn<drawFlat>},   {"box_scene", sceneIn<drawBox>},
      {"grid_scene", sceneIn<drawGrid>},   {"selection_scene", sceneIn<drawSelection>},
      {"empty_scene", sceneIn<drawEmpty>},
  };
  forEachChart([&]<class ChartType>(const char* name) { all[name] = chartIn<ChartType>; });
  return all;
}

/// False for a look that there is not.
bool choose(const std::string& name, Look& look) {
  paintEnglish();
  if (name == "light") return true;
  if (name == "german")
    return paintGerman(CLUSTERLOOM_SOURCE_DIR "/resources/translations/clusterloom_de.ts");
  look.background = Background::Dark;
  look.small = name == "small";
  look.ratio = name == "twice" ? 2 : 1;
  return look.small || look.ratio > 1 || name == "dark";
}

}  // namespace
}  // namespace clusterloom::testing

int main(int count, char** arguments) {
  using namespace clusterloom;
  using namespace clusterloom::testing;
  const auto drawings = allDrawings();
  const auto drawing = count > 2 ? drawings.find(arguments[1]) : drawings.end();
  if (drawing == drawings.end()) return std::fprintf(stderr, "no such drawing\n"), 2;
  int failed = 0;
  for (int i = 2; i < count; ++i) {
    Look look;
    if (!choose(arguments[i], look)) return std::fprintf(stderr, "no look %s\n", arguments[i]), 2;
    const std::string name = drawing->first + "_" + arguments[i];
    const Image image = drawing->second(look);
    const std::string difference =
        differenceFromFile(image, std::string(CLUSTERLOOM_BASELINES "/") + name + ".png");
    if (difference.empty()) continue;
    failed = 1;
    std::fprintf(stderr, "%s\n", difference.c_str());
    if (const auto kept = writePng(name + ".actual.png", image); !kept)
      std::fprintf(stderr, "%s\n", kept.error().message.c_str());
  }
  return failed;
}
