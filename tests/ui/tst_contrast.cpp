// Text is readable in both themes: a contrast of at least 4.5 (WCAG 2.2, 1.4.3), computed from the
// palette, the style sheets and the painted charts and scenes of the program itself. Disabled text
// is exempt there, and here. Graphics that carry a meaning have at least 3 (1.4.11).
#include <QApplication>
#include <QLabel>
#include <QPalette>
#include <QRegularExpression>
#include <QtTest>
#include <functional>
#include <optional>

#include "filled_charts.h"
#include "render/charts/plot_area.h"
#include "render/charts/table_picture.h"
#include "render/paint/text_font.h"
#include "render/scene/cell_highlights.h"
#include "render/scene/legend.h"
#include "render/scene/paint_axes.h"
#include "shown_window.h"
#include "tests/contrast.h"
#include "ui/theme/theme.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

Colour plain(const QColor& colour) {
  return {std::uint8_t(colour.red()), std::uint8_t(colour.green()), std::uint8_t(colour.blue())};
}

Colour over(Colour above, int alpha, Colour below) {
  const auto channel = [alpha](int p, int q) {
    return static_cast<std::uint8_t>(std::lround((p * alpha + q * (255 - alpha)) / 255.0));
  };
  return {channel(above.r, below.r), channel(above.g, below.g), channel(above.b, below.b)};
}

/// A painter that keeps the colour of every pixel below text, and the contrast of every text with
/// what it was painted on. Lines are left out: they are thinner than the strokes of letters.
class ContrastPainter : public Painter {
 public:
  struct Text {
    std::string words;
    double contrast;
  };

  ContrastPainter(int width, int height, Colour ground)
      : Painter(1),
        width_(width),
        height_(height),
        pixels_(std::size_t(width) * std::size_t(height), ground) {}

  const std::vector<Text>& texts() const { return texts_; }

  double leastStep() const override { return 1; }
  void line(double, double, double, double, Colour, double, int) override {}
  void polyline(const std::vector<float>&, Colour, double) override {}
  void rectangle(double x, double y, double width, double height, Colour colour,
                 int alpha) override {
    forEachPixel(x, y, width, height, [&](Colour& p) { p = over(colour, alpha, p); });
  }
  void bars(const std::vector<float>& edges, double floor, const std::vector<float>& tops,
            Colour colour, int alpha) override {
    for (std::size_t i = 0; i < tops.size(); ++i)
      rectangle(edges[i], floor, edges[i + 1] - edges[i], tops[i] - floor, colour, alpha);
  }
  void pixels(double x, double y, double width, double height, int columns, int rows,
              const std::vector<Colour>& colours) override {
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column)
        rectangle(x + width * column / columns, y + height * row / rows, width / columns,
                  height / rows, colours[std::size_t(row) * std::size_t(columns) + column], 255);
  }
  double widthOf(const std::string& words, double size, bool bold) override {
    return textWidth(words, size, bold);
  }

 protected:
  void drawText(const std::string& words, double x, double y, const TextStyle& style) override {
    double length = widthOf(words, style.size, style.bold);
    double high = 0.75 * style.size;
    double left = style.across == Across::Left    ? x
                  : style.across == Across::Right ? x - length
                                                  : x - length / 2;
    double low = style.along == Along::Bottom ? y
                 : style.along == Along::Top  ? y - high
                                              : y - high / 2;
    if (style.upwards) {
      std::swap(length, high);
      left = x - length / 2;
      low = y - high / 2;
    }
    double least = 21;
    forEachPixel(left, low, length, high,
                 [&](Colour& p) { least = std::min(least, contrast(style.colour, p)); });
    texts_.push_back({words, least});
  }

 private:
  void forEachPixel(double x, double y, double width, double height,
                    const std::function<void(Colour&)>& visit) {
    const auto within = [](double at, int most) {
      return std::clamp(int(std::lround(at)), 0, most);
    };
    for (int row = within(y, height_); row < within(y + height, height_); ++row)
      for (int column = within(x, width_); column < within(x + width, width_); ++column)
        visit(pixels_[std::size_t(row) * std::size_t(width_) + std::size_t(column)]);
  }

  int width_, height_;
  std::vector<Colour> pixels_;
  std::vector<Text> texts_;
};

/// The texts with too little contrast, one a line.
QString unreadable(const ContrastPainter& painter) {
  QString list;
  for (const auto& text : painter.texts())
    if (text.contrast < kTextContrast)
      list += QString("\"%1\" %2\n").arg(QString::fromStdString(text.words)).arg(text.contrast);
  return list;
}

/// A rule of a style sheet.
struct Rule {
  QString selector;  ///< one, without commas
  QMap<QString, QString> values;
};

QList<Rule> rulesOf(const QString& sheet) {
  QList<Rule> rules;
  static const QRegularExpression rule(QStringLiteral("([^{}]+)\\{([^{}]*)\\}"));
  for (auto found = rule.globalMatch(sheet); found.hasNext();) {
    const auto match = found.next();
    QMap<QString, QString> values;
    for (const QString& declaration : match.captured(2).split(';', Qt::SkipEmptyParts))
      values[declaration.section(':', 0, 0).trimmed()] = declaration.section(':', 1).trimmed();
    for (const QString& selector : match.captured(1).split(',', Qt::SkipEmptyParts))
      rules << Rule{selector.trimmed(), values};
  }
  return rules;
}

/// A colour of a style sheet; nothing for "transparent" and where there is none.
std::optional<QColor> colourIn(const QString& text) {
  static const QRegularExpression mixed(
      QStringLiteral("rgba\\((\\d+),\\s*(\\d+),\\s*(\\d+),\\s*(\\d+)\\)"));
  if (const auto m = mixed.match(text); m.hasMatch())
    return QColor(m.captured(1).toInt(), m.captured(2).toInt(), m.captured(3).toInt(),
                  m.captured(4).toInt());
  const QColor colour(text);
  if (text.isEmpty() || text == QLatin1String("transparent") || !colour.isValid()) return {};
  return colour;
}

/// Whether what a selector names has text: the parts of widgets that are shapes only have none.
bool hasText(const QString& selector) {
  const QString part = selector.section(QStringLiteral("::"), 1).section(':', 0, 0);
  static const QStringList withText{QString(), "item", "title", "tab", "section"};
  return withText.contains(part) && !selector.contains(QLatin1String(":disabled")) &&
         !selector.startsWith(QLatin1String("QSlider")) &&
         !selector.startsWith(QLatin1String("QSplitter"));
}

}  // namespace

class TestContrast : public QObject, ShownWindow {
  Q_OBJECT

  static void themes() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  static void useTheme(bool dark) {
    applyTheme(*qApp, dark ? ThemeChoice::Dark : ThemeChoice::Light);
    QCOMPARE(isDark(QApplication::palette()), dark);
  }
  static Background background(bool dark) { return dark ? Background::Dark : Background::Light; }

  int checked_ = 0;
  void check(const QColor& text, const QColor& ground, const QString& what,
             double least = kTextContrast) {
    ++checked_;
    const double found = contrast(plain(text), plain(ground));
    QVERIFY2(found >= least,
             qPrintable(
                 QString("%1: %2 on %3 has %4").arg(what, text.name(), ground.name()).arg(found)));
  }
  void readable(const ContrastPainter& painter) {
    QVERIFY(!painter.texts().empty());
    checked_ += int(painter.texts().size());
    QVERIFY2(unreadable(painter).isEmpty(), qPrintable(unreadable(painter)));
  }

 private Q_SLOTS:
  void init() { checked_ = 0; }
  void cleanup() {
    qInfo("%d pairs", checked_);
    closeWindow();
  }

  void thePalette_data() { themes(); }
  void thePalette() {
    QFETCH(bool, dark);
    useTheme(dark);
    const QPalette palette = QApplication::palette();
    using Role = QPalette::ColorRole;
    const std::vector<std::pair<Role, std::vector<Role>>> pairs{
        {Role::WindowText, {Role::Window, Role::Base, Role::AlternateBase, Role::Button}},
        {Role::Text, {Role::Base, Role::AlternateBase, Role::Window}},
        {Role::PlaceholderText, {Role::Base, Role::Window}},
        {Role::ButtonText, {Role::Button, Role::Window}},
        {Role::HighlightedText, {Role::Highlight}},
        {Role::BrightText, {Role::Highlight}},
        {Role::ToolTipText, {Role::ToolTipBase}},
        // Links of the guide are also in tables and, as code, on the colour of the window.
        {Role::Link, {Role::Window, Role::Base, Role::AlternateBase}},
        {Role::LinkVisited, {Role::Window, Role::Base, Role::AlternateBase}}};
    for (const auto group : {QPalette::Active, QPalette::Inactive})
      for (const auto& [text, grounds] : pairs)
        for (const Role ground : grounds)
          check(palette.color(group, text), palette.color(group, ground),
                QString("palette role %1 on %2").arg(int(text)).arg(int(ground)));
  }

  /// The colours that the palette has no role for, on what they are painted on.
  void theOtherColours_data() { themes(); }
  void theOtherColours() {
    QFETCH(bool, dark);
    useTheme(dark);
    const QPalette palette = QApplication::palette();
    const ThemeColours& c = themeColours(palette);
    const QColor text = palette.color(QPalette::WindowText);
    for (const QColor& fill : {c.infoFill, c.warningFill, c.errorFill})
      check(text, fill, "a message");
    check(c.error, c.errorFill, "a cell that cannot be read");
    for (const QColor& ground : {c.canvas, palette.color(QPalette::Window),
                                 palette.color(QPalette::Base), palette.color(QPalette::Button)}) {
      check(c.muted, ground, "secondary text");
      check(text, ground, "text");
    }
    // Marks: the edge of a message, the suggested ε, the frame of what has the focus.
    check(c.warning, c.warningFill, "edge of a warning", kGraphicsContrast);
    check(c.error, c.errorFill, "edge of an error", kGraphicsContrast);
    check(c.accent, c.infoFill, "edge of a message", kGraphicsContrast);
    for (const QColor& ground : {palette.color(QPalette::Window), palette.color(QPalette::Base)}) {
      check(c.good, ground, "mark of the suggestion", kGraphicsContrast);
      check(c.accent, ground, "frame of the focus", kGraphicsContrast);
      check(c.muted, ground, "frame of a box to tick", kGraphicsContrast);
    }
  }

  /// Every rule of the style sheets that colours text or what is behind text.
  void theStyleSheets_data() { themes(); }
  void theStyleSheets() {
    QFETCH(bool, dark);
    useTheme(dark);
    QVERIFY(showWindow({1200, 800}, [dark](MainWindow& window) {
      window.setTheme(dark ? ThemeChoice::Dark : ThemeChoice::Light);
    }));
    QVERIFY(openSquares());
    const QPalette palette = QApplication::palette();
    const QColor text = palette.color(QPalette::WindowText);
    const QList<QColor> surfaces{
        palette.color(QPalette::Window),        palette.color(QPalette::Base),
        palette.color(QPalette::AlternateBase), palette.color(QPalette::Button),
        palette.color(QPalette::ToolTipBase),   themeColours(palette).canvas};
    QStringList sheets{qApp->styleSheet()};
    for (const QWidget* widget : window_->findChildren<QWidget*>())
      if (!widget->styleSheet().isEmpty()) sheets << widget->styleSheet();
    QVERIFY(sheets.size() > 2);  // the texts over the view have their own
    for (const Rule& rule : rulesOf(sheets.join('\n'))) {
      if (!hasText(rule.selector)) continue;
      const auto colour = colourIn(rule.values["color"]);
      const auto ground = colourIn(rule.values["background"]);
      if (ground && ground->alpha() < 255) {
        // Over anything: points of any colour may be below.
        for (const Colour below : {Colour{0, 0, 0}, Colour{255, 255, 255}}) {
          const Colour mixed = over(plain(*ground), ground->alpha(), below);
          check(colour.value_or(text), QColor(mixed.r, mixed.g, mixed.b), rule.selector);
        }
      } else if (ground) {
        check(colour.value_or(text), *ground, rule.selector);
      } else if (colour) {
        for (const QColor& surface : surfaces) check(*colour, surface, rule.selector);
      }
      if (const auto selection = colourIn(rule.values["selection-background-color"]))
        check(colourIn(rule.values["selection-color"]).value_or(text), *selection, rule.selector);
    }
    QVERIFY(checked_ > 60);
  }

  /// Titles, numbers, legends and tags of every chart, with and without data.
  void theCharts_data() { themes(); }
  void theCharts() {
    QFETCH(bool, dark);
    useTheme(dark);
    const auto paint = [&](ChartView& view) {
      for (const QSize size : {QSize(760, 300), QSize(420, 160)}) {
        ContrastPainter painter(size.width(), size.height(), themeOf(background(dark)).ground);
        view.chart().paintInto(painter, size.width(), size.height(), background(dark));
        QVERIFY2(unreadable(painter).isEmpty(),
                 qPrintable(view.objectName() + ": " + unreadable(painter)));
        if (!view.chart().isEmpty()) QVERIFY(!painter.texts().empty());
        checked_ += int(painter.texts().size());
      }
    };
    QVERIFY(showWindow({1400, 900}));
    for (auto* view : window_->charts()->findChildren<ChartView*>()) paint(*view);
    QVERIFY(openSquares());
    const QStringList missing = visitFilledCharts(*session_, *window_, paint);
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(' ')));
  }

  /// What a scene writes over the points: on its background and on patches of their own.
  void theScenes_data() { themes(); }
  void theScenes() {
    QFETCH(bool, dark);
    const Theme& theme = themeOf(background(dark));
    for (const Colour ground : {theme.ground, theme.groundLow}) {
      ContrastPainter painter(400, 300, ground);
      AxesLayout axes;
      axes.texts = {{.words = "12.5", .x = 200, .y = 20},
                    {.words = "x", .x = 200, .y = 60, .title = true}};
      paintAxesOver(painter, axes, theme);
      readable(painter);
    }
    // Points of any colour are below the patches.
    for (const Colour below : {Colour{0, 0, 0}, Colour{255, 255, 255}, theme.series[0]}) {
      ContrastPainter painter(400, 300, below);
      paintLegend(painter, {"density", {0, 10, false, ColourMap::Viridis}}, {10, 10, 120, 210},
                  theme);
      paintCaption(painter, {"a caption", "and its detail"}, theme, 140, 300);
      CellHighlights highlights;
      highlights.cells.axes = 2;
      for (int axis = 0; axis < 2; ++axis) {
        highlights.cells.low[std::size_t(axis)] = {0, 1};
        highlights.cells.high[std::size_t(axis)] = {1, 2};
      }
      highlights.cells.count = {1, 2};
      highlights.own = 1;
      highlights.numbers = {17, 18};
      DisplaySpace space;
      space.axes = 2;
      ViewTransform view{{0.4, 0, 0, 0, 0, 0.4, 0, 0, 0, 0, 0.4, 0, 0, 0, 0, 1}, 400, 300, true};
      paintHighlights(painter, highlights, space, view, theme);
      PlotArea area;
      area.layOut(400, 300, 1, false);
      for (const Colour colour : {theme.text, theme.accent})
        paintTag(painter, area, "ε 0.5", 200, 100, Across::Left, Along::Bottom, colour, theme);
      readable(painter);
    }
    ContrastPainter painter(300, 100, theme.ground);
    paintTable(painter, {{{"cluster", "points"}, {{"0", "12"}}}, {true, true}}, theme);
    readable(painter);
  }
};

WINDOW_TEST(TestContrast, std::nullopt);
#include "tst_contrast.moc"
