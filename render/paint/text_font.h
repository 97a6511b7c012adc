#pragma once

#include <string>

class vtkTextProperty;

namespace clusterloom {

/// Chooses the font of everything painted: DejaVu Sans or another with Greek letters where one is
/// installed, because VTK's own has no ε.
void chooseFont(vtkTextProperty& text, bool bold);

/// The width of a text in this font, in the unit of `size`. Needs no renderer.
double textWidth(const std::string& words, double size, bool bold);

}  // namespace clusterloom
