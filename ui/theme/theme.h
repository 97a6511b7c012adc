#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>

class QApplication;
class QWidget;

namespace clusterloom {

/// The user's choice under View ▸ Theme. System uses the desktop's palette at the start of the
/// program.
enum class ThemeChoice { System, Light, Dark };

/// The colours that QPalette has no role for.
struct ThemeColours {
  QColor canvas;  ///< behind the clouds and the charts
  QColor muted;   ///< secondary text
  QColor line;    ///< separators and frames
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

/// How much larger points, text and charts are in a presentation: the smallest text of a chart, 10
/// pixels, becomes 18.
inline constexpr double kPresentationScale = 1.8;

/// How much larger a font is than the usual one; 1 for smaller fonts, too.
double textScale(const QFont& font);

/// Makes the text in a widget kPresentationScale times as large as usual text, where it is not
/// larger already, or as large as before again.
void enlargeText(QWidget& widget, bool large);

/// A length in pixels, chosen for text of the usual size (9 points at 96 dpi), for the font of the
/// application: widgets with text grow with it.
int fontScaled(int pixels);

/// Gives the application style, palette and style sheet. Call before the first window and again
/// when the user chooses another theme.
void applyTheme(QApplication& application, ThemeChoice choice);

/// The settings' word for a choice and back ("system" for anything unknown).
QString toText(ThemeChoice choice);
ThemeChoice themeFromText(const QString& text);

}  // namespace clusterloom
