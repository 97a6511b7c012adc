#include "ui/theme/icons.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QSvgRenderer>

// Q_INIT_RESOURCE must be named outside every namespace.
static void initialiseIconResources() { Q_INIT_RESOURCE(icons); }

namespace clusterloom {
namespace {

QByteArray svgNamed(const QString& name) {
  initialiseIcons();
  QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
  if (!file.open(QIODevice::ReadOnly)) {
    qWarning("there is no icon named %s", qPrintable(name));
    return {};
  }
  return file.readAll();
}

/// Draws an SVG, its black replaced by the palette's text colour when it is to be tinted.
class SvgIconEngine : public QIconEngine {
 public:
  SvgIconEngine(QByteArray svg, bool tinted) : svg_(std::move(svg)), tinted_(tinted) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    QByteArray svg = svg_;
    if (tinted_) {
      const QPalette palette = QGuiApplication::palette();
      const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
      const QColor colour = mode == QIcon::Selected
                                ? palette.color(group, QPalette::HighlightedText)
                                : palette.color(group, QPalette::ButtonText);
      svg.replace("#000", colour.name(QColor::HexRgb).toLatin1());
      painter->save();
      painter->setOpacity(painter->opacity() * colour.alphaF());
      QSvgRenderer(svg).render(painter, rect);
      painter->restore();
      return;
    }
    QSvgRenderer renderer(svg);
    renderer.setAspectRatioMode(Qt::KeepAspectRatio);
    renderer.render(painter, rect);
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap pixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paint(&painter, QRect(QPoint(), size), mode, state);
    return pixmap;
  }

  QIconEngine* clone() const override { return new SvgIconEngine(svg_, tinted_); }
  bool isNull() override { return svg_.isEmpty(); }

 private:
  QByteArray svg_;
  bool tinted_;
};

}  // namespace

void initialiseIcons() { initialiseIconResources(); }

QIcon themedIcon(const QString& name) { return QIcon(new SvgIconEngine(svgNamed(name), true)); }

QIcon colouredIcon(const QString& name) { return QIcon(new SvgIconEngine(svgNamed(name), false)); }

}  // namespace clusterloom
