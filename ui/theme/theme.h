#pragma once

#include <QColor>
#include <QPalette>
#include <QString>

class QApplication;

namespace clusterloom {

/// What the user chose under View ▸ Theme. System follows the desktop's palette as it was when the
/// program started.
enum class ThemeChoice { System, Light, Dark };

/// The colours that QPalette has no role for.
struct ThemeColours {
  QColor canvas;      ///< behind the clouds and the charts
  QColor canvasText;  ///< axes and legends on the canvas
  QColor muted;       ///< secondary text
  QColor line;        ///< separators and frames
  QColor accent;
  QColor good;
  QColor warning;
  QColor warningFill;
  QColor error;
  QColor errorFill;
  QColor infoFill;
};

/// Whether a palette is a dark one.
bool isDark(const QPalette& palette);

/// The colours that go with a palette; widgets ask with their own palette whenever they paint.
const ThemeColours& themeColours(const QPalette& palette);

/// A length in pixels, chosen for text of the usual size (9 points at 96 dpi), for the font of the
/// application: what holds text grows with it.
int fontScaled(int pixels);

/// Gives the application style, palette and style sheet. Call before the first window and again
/// when the user chooses another theme.
void applyTheme(QApplication& application, ThemeChoice choice);

/// The settings' word for a choice and back ("system" for anything unknown).
QString toText(ThemeChoice choice);
ThemeChoice themeFromText(const QString& text);

}  // namespace clusterloom
