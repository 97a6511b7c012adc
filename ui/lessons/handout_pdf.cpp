#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgRenderer>
#include <QTextDocument>
#include <QUrl>

#include "ui/lessons/handout.h"
#include "ui/lessons/handout_parts.h"

namespace clusterloom {

namespace {

constexpr int kChartPixels = 3;  // of a picture per logical pixel: about 290 dots per inch
// Lengths in logical pixels, 96 per inch.
constexpr int kPdfResolution = 96;
constexpr QSizeF kSlideSize(312, 176);  // mm
constexpr int kSlideMargin = 40;
constexpr int kSlideTop = 96;     // of what is below the title
constexpr int kSlideWords = 500;  // beside pictures
constexpr int kSlideGap = 24;
constexpr const char* kPdfStyle = "p { line-height: 125% } h1, h2 { color: #0f5d94 }";

QFont pdfFont(double points) {
  QFont font(QStringLiteral("Noto Sans"));
  font.setPointSizeF(points);
  return font;
}

/// Choices as lines with boxes: QTextDocument has no other marks of lists than dots and numbers.
QString boxed(QString question) {
  return question.replace(QStringLiteral("<ul class=\"choices\">"), QString())
      .replace(QStringLiteral("</ul>"), QString())
      .replace(QStringLiteral("<li>"), QStringLiteral("<p>\u2610 "))
      .replace(QStringLiteral("</li>"), QStringLiteral("</p>"));
}

QImage imageOf(const HandoutPicture& picture) {
  if (!picture.isSvg) return QImage::fromData(picture.bytes, "PNG");
  QSvgRenderer renderer(picture.bytes);
  QImage image(kChartPixels * picture.size, QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  renderer.render(&painter);
  return image;
}

/// Adds the picture to the document; HTML that shows it in this width.
QString placed(QTextDocument& document, const HandoutPicture& picture, int width) {
  const QString name = QStringLiteral("picture:%1").arg(quintptr(&picture));
  document.addResource(QTextDocument::ImageResource, QUrl(name), imageOf(picture));
  return QStringLiteral(
             "<p style=\"line-height: 100%\"><img src=\"%1\" width=\"%2\" height=\"%3\"><br>"
             "<small>%4</small></p>\n")
      .arg(name)
      .arg(width)
      .arg(width * picture.size.height() / picture.size.width())
      .arg(picture.words.toHtmlEscaped());
}

QString heading(const QString& text, bool onNewPage) {
  return QStringLiteral("<h2%1>%2</h2>\n")
      .arg(onNewPage ? QStringLiteral(" style=\"page-break-before: always\"") : QString(),
           text.toHtmlEscaped());
}

/// The steps, each on a separate page, then the answers.
QString pagesOf(const Handout& handout, QTextDocument& document) {
  QString html = QStringLiteral("<h1>%1</h1>\n<p>%2</p>\n")
                     .arg(handout.title.toHtmlEscaped(), handout.summary.toHtmlEscaped());
  QString answers;
  int question = 0;
  for (std::size_t i = 0; i < handout.steps.size(); ++i) {
    const HandoutStep& step = handout.steps[i];
    html += heading(handoutHeading(handout, i), i > 0) + handoutParagraphs(step.text);
    const bool many = step.pictures.size() > 2;
    for (const HandoutPicture& picture : step.pictures) {
      const int width = picture.isSvg ? (many ? 430 : 540) : (many ? 290 : 390);
      html += placed(document, picture, width);
    }
    if (step.question.isEmpty()) continue;
    html += boxed(handoutQuestion(step, ++question));
    answers += handoutAnswer(step, question);
  }
  return html + heading(handoutAnswersTitle(), true) + answers +
         QStringLiteral("<p><small>%1</small></p>\n").arg(handoutMadeBy().toHtmlEscaped());
}

/// Paints slides, each on a separate page.
class SlidePainter {
 public:
  explicit SlidePainter(QPdfWriter& writer) : writer_(writer), painter_(&writer) {}

  void add(const QString& title, const QString& words,
           const std::vector<HandoutPicture>& pictures = {}) {
    if (++number_ > 1) writer_.newPage();
    const QRectF all(0, 0, writer_.width(), writer_.height());
    const QRectF below = all.adjusted(kSlideMargin, kSlideTop, -kSlideMargin, -kSlideMargin);
    painter_.setPen(QColor(0x0f, 0x5d, 0x94));
    QFont font = pdfFont(22);
    font.setBold(true);
    painter_.setFont(font);
    painter_.drawText(QRectF(below.left(), 0, below.width(), kSlideTop), Qt::AlignVCenter, title);
    painter_.setPen(Qt::gray);
    painter_.setFont(pdfFont(9));
    painter_.drawText(QRectF(below.left(), below.bottom(), below.width(), kSlideMargin),
                      Qt::AlignRight | Qt::AlignVCenter, QString::number(number_));
    QRectF left = below;
    if (!pictures.empty()) left.setWidth(kSlideWords);
    paintWords(words, left);
    paintPictures(pictures, below.adjusted(kSlideWords + kSlideGap, 0, 0, 0));
  }

 private:
  /// In the largest letters that fit.
  void paintWords(const QString& words, const QRectF& place) {
    QTextDocument document;
    document.documentLayout()->setPaintDevice(&writer_);
    document.setDocumentMargin(0);
    document.setDefaultStyleSheet(QLatin1String(kPdfStyle));
    document.setTextWidth(place.width());
    for (double points = 16; points >= 7; points -= 0.5) {
      document.setDefaultFont(pdfFont(points));
      document.setHtml(words);
      if (document.size().height() <= place.height()) break;
    }
    painter_.save();
    painter_.translate(place.topLeft());
    document.drawContents(&painter_);
    painter_.restore();
  }

  /// Below each other, as large as they fit.
  void paintPictures(const std::vector<HandoutPicture>& pictures, const QRectF& place) {
    const auto count = double(pictures.size());
    const double height = (place.height() - kSlideGap * (count - 1)) / count;
    double top = place.top();
    for (const HandoutPicture& picture : pictures) {
      const QSizeF size = QSizeF(picture.size).scaled(place.width(), height, Qt::KeepAspectRatio);
      const QRectF target(QPointF(place.left() + (place.width() - size.width()) / 2, top), size);
      if (picture.isSvg)
        QSvgRenderer(picture.bytes).render(&painter_, target);
      else
        painter_.drawImage(target, imageOf(picture));
      top += height + kSlideGap;
    }
  }

  QPdfWriter& writer_;
  QPainter painter_;
  int number_ = 0;
};

void paintSlides(const Handout& handout, QPdfWriter& writer) {
  SlidePainter slides(writer);
  slides.add(handout.title,
             QStringLiteral("<p>%1</p><p><small>%2</small></p>")
                 .arg(handout.summary.toHtmlEscaped(), handoutMadeBy().toHtmlEscaped()));
  int question = 0;
  for (std::size_t i = 0; i < handout.steps.size(); ++i) {
    const HandoutStep& step = handout.steps[i];
    QString words = handoutParagraphs(step.text);
    if (!step.question.isEmpty()) words += boxed(handoutQuestion(step, ++question));
    slides.add(handoutHeading(handout, i), words, step.pictures);
  }
  question = 0;
  for (const HandoutStep& step : handout.steps) {
    if (step.question.isEmpty()) continue;
    ++question;
    slides.add(handoutAnswersTitle(),
               boxed(handoutQuestion(step, question)) + handoutAnswer(step, question));
  }
}

}  // namespace

QByteArray handoutPdf(const Handout& handout, bool slides) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setPageSize(slides ? QPageSize(kSlideSize, QPageSize::Millimeter)
                            : QPageSize(QPageSize::A4));
  writer.setPageMargins(QMarginsF());
  writer.setTitle(handout.title);
  writer.setCreator(handoutMadeBy());
  if (slides) {
    writer.setResolution(kPdfResolution);
    paintSlides(handout, writer);
    return bytes;
  }
  QTextDocument document;
  document.setDefaultFont(pdfFont(10));
  document.setDefaultStyleSheet(QLatin1String(kPdfStyle));
  document.setHtml(pagesOf(handout, document));
  document.print(&writer);
  return bytes;
}

}  // namespace clusterloom
