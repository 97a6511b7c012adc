#include "render/paint/theme.h"

namespace clusterloom {

const Theme& themeOf(Background background) {
  static const Theme dark{{23, 27, 34},    {14, 16, 21},
                          {222, 227, 234}, {139, 148, 160},
                          {112, 121, 134}, {46, 53, 63},
                          {255, 176, 32},  {{86, 180, 233}, {230, 159, 0}, {204, 121, 167}}};
  static const Theme light{{255, 255, 255}, {244, 246, 249},
                           {32, 38, 46},    {98, 107, 119},
                           {126, 135, 147}, {224, 228, 234},
                           {178, 72, 0},    {{20, 120, 190}, {196, 125, 0}, {176, 74, 130}}};
  return background == Background::Dark ? dark : light;
}

}  // namespace clusterloom
