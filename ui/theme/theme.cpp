#include "ui/theme/theme.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QFontInfo>
#include <QLineEdit>
#include <QPixmapCache>
#include <QPointer>
#include <QRegularExpression>
#include <QStyle>
#include <QStyleFactory>
#include <QWidget>
#include <algorithm>
#include <cmath>

#include "ui/theme/icons.h"

namespace clusterloom {
namespace {

struct Base {
  QColor window, base, alternate, button, text, muted, line, accent, onAccent, tooltip;
};

const Base kLight{0xf3f5f8, 0xffffff, 0xf7f9fb, 0xfbfcfe, 0x1b2430,
                  0x5c6979, 0xd3d9e1, 0x0b6bcb, 0xffffff, 0xffffff};
const Base kDark{0x1c2128, 0x15191f, 0x1a1f26, 0x272e37, 0xe3e8ee,
                 0x93a0b0, 0x343d49, 0x4aa3ff, 0x08121d, 0x2a323c};

QPalette paletteOf(const Base& base) {
  QPalette palette;
  palette.setColor(QPalette::Window, base.window);
  palette.setColor(QPalette::WindowText, base.text);
  palette.setColor(QPalette::Base, base.base);
  palette.setColor(QPalette::AlternateBase, base.alternate);
  palette.setColor(QPalette::Text, base.text);
  palette.setColor(QPalette::PlaceholderText, base.muted);
  palette.setColor(QPalette::Button, base.button);
  palette.setColor(QPalette::ButtonText, base.text);
  palette.setColor(QPalette::BrightText, base.onAccent);
  palette.setColor(QPalette::Highlight, base.accent);
  palette.setColor(QPalette::HighlightedText, base.onAccent);
  palette.setColor(QPalette::Link, base.accent);
  palette.setColor(QPalette::LinkVisited, base.accent);
  palette.setColor(QPalette::ToolTipBase, base.tooltip);
  palette.setColor(QPalette::ToolTipText, base.text);
  palette.setColor(QPalette::Light, base.button.lighter(110));
  palette.setColor(QPalette::Midlight, base.button);
  palette.setColor(QPalette::Mid, base.line);
  palette.setColor(QPalette::Dark, base.line.darker(120));
  palette.setColor(QPalette::Shadow, QColor(0, 0, 0, 90));
  QColor faded = base.muted;
  faded.setAlpha(130);
  for (const QPalette::ColorRole role :
       {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    palette.setColor(QPalette::Disabled, role, faded);
  }
  palette.setColor(QPalette::Disabled, QPalette::Highlight, base.line);
  palette.setColor(QPalette::Disabled, QPalette::HighlightedText, base.muted);
  return palette;
}

// Styles that a palette cannot describe: flat frames, headers, spacing.
constexpr char16_t kStyleSheet[] =
    uR"(
QToolTip { color: @text; background: @tooltip; border: 1px solid @line; padding: 4px 6px; }
QMainWindow::separator { background: @window; width: 5px; height: 5px; }
QMainWindow::separator:hover { background: @accent; }
QDockWidget { font-weight: 600; titlebar-close-icon: none; titlebar-normal-icon: url(:/icons/float-@mode.svg); }
QDockWidget::title { background: @window; padding: 7px 10px 5px 10px; text-align: left; }
QToolBar { background: @window; border: none; border-bottom: 1px solid @line; padding: 4px 6px; spacing: 2px; }
QToolBar::separator { background: @line; width: 1px; margin: 5px 6px; }
QToolBar QToolButton { border: 1px solid transparent; border-radius: 5px; padding: 4px 7px; }
QToolBar QToolButton:hover, QToolButton#flat:hover { background: @button; border-color: @line; }
QToolBar QToolButton:focus { border-color: @accent; }
QToolBar QToolButton:checked, QToolBar QToolButton:pressed { background: @checked; border-color: @accent; }
QToolBar QToolButton[popupMode="2"] { padding-right: 18px; }
QToolBar QToolButton#qt_toolbar_ext_button { padding: 0px; }
QToolButton::menu-indicator, QPushButton::menu-indicator { image: url(:/icons/arrow-down-@mode.svg); subcontrol-origin: padding; subcontrol-position: right center; width: 12px; height: 12px; right: 4px; }
QToolButton#saveChartButton::menu-indicator { image: none; }
QToolButton[role="corner"] { border: 1px solid transparent; border-radius: 5px; padding: 3px; }
QToolButton[role="corner"]:hover { background: @button; border-color: @line; }
QToolButton[role="corner"]:focus { border-color: @accent; }
QToolButton[role="corner"]:checked { background: @checked; border-color: @accent; }
QToolButton[role="corner"]:checked:focus { border: 2px solid @text; padding: 2px; }
QToolButton#sampleButton { background: @button; border: 1px solid @line; border-radius: 8px; padding: 8px 4px; }
QToolButton#sampleButton:hover, QToolButton#sampleButton:focus { border-color: @accent; background: @base; }
QToolButton#sampleButton:pressed { background: @checked; }
QMenuBar { background: @window; padding: 2px 4px; }
QMenuBar::item { padding: 4px 9px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: @button; }
QMenu { background: @button; border: 1px solid @line; padding: 4px; }
QMenu::item { padding: 5px 26px 5px 24px; border-radius: 4px; }
QMenu::item:selected { background: @accent; color: @onAccent; }
QMenu::item:disabled { color: @muted; }
QMenu::icon { padding-left: 6px; }
QMenu::separator { height: 1px; background: @line; margin: 4px 8px; }
QMenu::indicator { width: 14px; height: 14px; left: 6px; }
QStatusBar { background: @window; border-top: 1px solid @line; }
QStatusBar::item { border: none; }
QPushButton { background: @button; border: 1px solid @line; border-radius: 5px; padding: 5px 12px; }
QPushButton:hover { border-color: @accent; }
QPushButton:focus { border-color: @accent; }
QPushButton:pressed, QPushButton:checked { background: @checked; }
QPushButton:default { background: @accent; color: @onAccent; border-color: @accent; }
QPushButton:default:focus { border: 2px solid @text; padding: 4px 11px; }
QPushButton:disabled { color: @muted; border-color: @line; background: @window; }
QPushButton#stableEps { padding-right: 24px; }
QPushButton#recentButton { text-align: left; padding: 6px 10px; }
QToolButton#flat { border: 1px solid transparent; border-radius: 5px; padding: 3px; background: transparent; }
QToolButton#flat:focus { border-color: @accent; }
QToolButton#flat:checked { background: @checked; border-color: @accent; }
QLineEdit, QAbstractSpinBox, QComboBox { background: @base; border: 1px solid @line; border-radius: 5px; padding: 3px 6px; min-height: 18px; selection-background-color: @accent; selection-color: @onAccent; }
QAbstractSpinBox QLineEdit { border: none; padding: 0; background: transparent; }
QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus, QComboBox:on { border-color: @accent; }
QLineEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled { background: @window; color: @muted; }
QComboBox { padding-right: 20px; }
QComboBox::drop-down { border: none; width: 22px; }
QComboBox::down-arrow { image: url(:/icons/arrow-down-@mode.svg); width: 14px; height: 14px; }
QComboBox QAbstractItemView { background: @button; border: 1px solid @line; selection-background-color: @accent; selection-color: @onAccent; outline: none; padding: 3px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: none; background: transparent; width: 20px; }
QAbstractSpinBox::up-arrow { image: url(:/icons/arrow-up-@mode.svg); width: 12px; height: 12px; }
QAbstractSpinBox::down-arrow { image: url(:/icons/arrow-down-@mode.svg); width: 12px; height: 12px; }
QSlider:horizontal { min-height: 24px; }
QSlider::groove:horizontal { height: 4px; background: @line; border-radius: 2px; }
QSlider::sub-page:horizontal { background: @accent; border-radius: 2px; }
QSlider::handle:horizontal { width: 14px; height: 14px; margin: -6px 0; border-radius: 8px; background: @base; border: 2px solid @accent; }
QSlider::handle:horizontal:hover, QSlider::handle:horizontal:focus { background: @accent; }
QSlider::sub-page:horizontal:disabled { background: @line; }
QSlider::handle:horizontal:disabled { border-color: @line; }
QCheckBox { spacing: 7px; }
QCheckBox::indicator, QTableView::indicator, QListView::indicator { width: 14px; height: 14px; border: 1px solid @muted; border-radius: 4px; background: @base; }
QCheckBox::indicator:checked, QTableView::indicator:checked, QListView::indicator:checked { background: @accent; border-color: @accent; image: url(:/icons/check-@mode.svg); }
QCheckBox::indicator:focus { border: 2px solid @accent; }
QCheckBox::indicator:checked:focus { border: 2px solid @text; }
QListView::indicator { width: 12px; height: 12px; }
QScrollBar:vertical { background: transparent; width: 11px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 11px; margin: 0; }
QScrollBar::handle { background: @line; border-radius: 4px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 24px; }
QScrollBar::handle:horizontal { min-width: 24px; }
QScrollBar::handle:hover { background: @muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QLineEdit[wrong="true"], QAbstractSpinBox[wrong="true"] { border-color: @error; }
QAbstractScrollArea { border: 1px solid @line; border-radius: 5px; background: @base; }
QAbstractScrollArea:focus { border-color: @accent; }
QScrollArea { border: none; background: transparent; }
QTableView { outline: none; gridline-color: @line; alternate-background-color: @alternate; selection-background-color: @checked; selection-color: @text; }
QTreeView { outline: none; padding: 4px; selection-background-color: @checked; selection-color: @text; }
QHeaderView::section { background: @window; color: @muted; border: none; border-bottom: 1px solid @line; padding: 4px 6px; }
QTableView QTableCornerButton::section { background: @window; border: none; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QHeaderView { background: @window; border: none; }
QHeaderView::section:vertical { padding: 0px 8px; border: none; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QToolButton#sectionHeader { border: 1px solid transparent; border-radius: 5px; padding: 4px 6px; background: transparent; text-align: left; }
QToolButton#sectionHeader:hover { background: @button; }
QToolButton#sectionHeader:focus { border-color: @accent; }
QHeaderView::up-arrow { image: url(:/icons/arrow-up-@mode.svg); width: 12px; height: 12px; subcontrol-position: left center; }
QHeaderView::down-arrow { image: url(:/icons/arrow-down-@mode.svg); width: 12px; height: 12px; subcontrol-position: left center; }
QHeaderView::up-arrow:vertical, QHeaderView::down-arrow:vertical { width: 0px; height: 0px; image: none; }
QTabWidget::pane { border: none; border-top: 1px solid @line; }
QTabBar::tab { background: transparent; color: @muted; padding: 6px 13px; border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: @text; border-bottom-color: @accent; }
QTabBar::tab:hover { color: @text; }
QTabBar::tab:focus { color: @text; background: @checked; }
QProgressBar { background: @base; border: 1px solid @line; border-radius: 4px; height: 8px; text-align: center; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }
QLabel[role="muted"] { color: @muted; }
QLabel[role="title"] { font-size: @titlept; font-weight: 300; }
QLabel[role="heading"] { font-weight: 600; }
QLabel[role="error"] { color: @error; }
QLabel[role="value"] { font-weight: 600; }
QSplitter::handle { background: @line; }
)";

QString styleSheetOf(const Base& base) {
  QString sheet = QString::fromUtf16(kStyleSheet);
  const bool dark = base.window.lightnessF() < 0.5;
  const QColor checked = dark ? QColor(0x22, 0x3a, 0x55) : QColor(0xda, 0xea, 0xfb);
  const QColor error = dark ? QColor(0xff, 0x8a, 0x80) : QColor(0xb4, 0x23, 0x18);
  const std::pair<const char*, QColor> roles[] = {
      {"@tooltip", base.tooltip},     {"@window", base.window}, {"@base", base.base},
      {"@alternate", base.alternate}, {"@button", base.button}, {"@text", base.text},
      {"@muted", base.muted},         {"@line", base.line},     {"@accent", base.accent},
      {"@onAccent", base.onAccent},   {"@checked", checked},    {"@error", error}};
  // Boxes and arrows grow with the text; lines stay thin.
  static const QRegularExpression length(QStringLiteral("\\b(\\d+)px"));
  for (qsizetype at = 0;;) {
    const QRegularExpressionMatch found = length.match(sheet, at);
    if (!found.hasMatch()) break;
    const int pixels = found.captured(1).toInt();
    const QString scaled = QString::number(pixels <= 2 ? pixels : fontScaled(pixels));
    sheet.replace(found.capturedStart(1), found.capturedLength(1), scaled);
    at = found.capturedStart(1) + scaled.size() + 2;
  }
  sheet.replace(QLatin1String("@title"),
                QString::number(QApplication::font().pointSizeF() * 2.2, 'f', 1));
  sheet.replace(QLatin1String("@mode"), dark ? QLatin1String("dark") : QLatin1String("light"));
  for (const auto& [role, colour] : roles) {
    sheet.replace(QLatin1String(role), colour.name());
  }
  return sheet;
}

constexpr int kUsualPixels = 12;  // of the font, at 9 points and 96 dpi

const ThemeColours kLightColours{0xffffff, 0x5c6979, 0xd3d9e1, 0x0b6bcb, 0x1d7f4f,
                                 0x8a5300, 0xfff3d6, 0xb42318, 0xfdeceb, 0xe6f1fd};
const ThemeColours kDarkColours{0x10141a, 0x93a0b0, 0x343d49, 0x4aa3ff, 0x58c08a,
                                0xffc861, 0x3b2f14, 0xff8a80, 0x3f1d1d, 0x17304a};

/// Where the application has a style sheet, Qt tells a widget that gets a parent, and all that it
/// holds, that the style has changed. Widgets that were not polished yet have nothing to forget:
/// polishing looks their rules up. A window that is put together from the inside out would else
/// measure its labels and lists once for each level.
class StyleChangeFilter final : public QObject {
 public:
  using QObject::QObject;
  bool eventFilter(QObject* object, QEvent* event) override {
    return event->type() == QEvent::StyleChange && object->isWidgetType() &&
           !static_cast<QWidget*>(object)->testAttribute(Qt::WA_WState_Polished);
  }
};

}  // namespace

bool isDark(const QPalette& palette) { return palette.color(QPalette::Window).lightnessF() < 0.5; }

const ThemeColours& themeColours(const QPalette& palette) {
  return isDark(palette) ? kDarkColours : kLightColours;
}

double textScale(const QFont& font) {
  return std::max(1.0, double(QFontInfo(font).pixelSize()) / kUsualPixels);
}

void enlargeText(QWidget& widget, bool large) {
  const int pixels = std::max(QFontInfo(QApplication::font()).pixelSize(),
                              int(std::ceil(kPresentationScale * kUsualPixels)));
  // Fonts that are set do not reach the parts of a widget beside the application's style sheet.
  widget.setStyleSheet(large ? QStringLiteral("* { font-size: %1px; }").arg(pixels) : QString());
  // The fields within these keep the large font.
  if (!large)
    for (QLineEdit* field : widget.findChildren<QLineEdit*>())
      if (qobject_cast<QAbstractSpinBox*>(field->parentWidget()) ||
          qobject_cast<QComboBox*>(field->parentWidget()))
        field->setFont(field->parentWidget()->font());
}

int fontScaled(int pixels) { return qRound(pixels * textScale(QApplication::font())); }

void applyTheme(QApplication& application, ThemeChoice choice) {
  // The desktop's own palette, before ours replaces it.
  static const bool desktopIsDark = isDark(QApplication::palette());
  const bool dark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && desktopIsDark);
  const Base& base = dark ? kDark : kLight;
  const QPalette palette = paletteOf(base);
  const QString sheet = styleSheetOf(base);
  // Every window asks for its theme; setting the same again would style all widgets anew.
  if (application.styleSheet() == sheet && QApplication::palette() == palette) return;
  initialiseIcons();
  QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  QApplication::setPalette(palette);
  static QPointer<StyleChangeFilter> filter;
  if (!filter) {
    filter = new StyleChangeFilter(&application);
    application.installEventFilter(filter);
  }
  application.setStyleSheet(sheet);
  QPixmapCache::clear();
}

QString toText(ThemeChoice choice) {
  switch (choice) {
    case ThemeChoice::Light: return QStringLiteral("light");
    case ThemeChoice::Dark: return QStringLiteral("dark");
    case ThemeChoice::System: break;
  }
  return QStringLiteral("system");
}

ThemeChoice themeFromText(const QString& text) {
  if (text == QLatin1String("light")) return ThemeChoice::Light;
  if (text == QLatin1String("dark")) return ThemeChoice::Dark;
  return ThemeChoice::System;
}

}  // namespace clusterloom
