#include "ui/lessons/handout.h"

#include "ui/lessons/handout_parts.h"
#include "ui/words/language.h"

namespace clusterloom {

namespace {

/// Nothing is loaded from elsewhere: a browser refuses what this does not name.
constexpr const char* kPolicy =
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

constexpr const char* kStyle = R"(
body { font: 16px/1.5 "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; color: #20262e;
  background: #ffffff; max-width: 47rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.7rem; line-height: 1.2; } h2 { font-size: 1.25rem; margin-top: 2.2rem; }
img { display: block; max-width: 100%; height: auto; border: 1px solid #e0e4ea; }
.pictures div { margin: 1rem 0; } .pictures p { margin: .2rem 0; font-size: .85rem; color: #626b77; }
.question { border-left: 4px solid #1478be; padding: .1rem 1rem; background: #f4f6f9; }
.choices { list-style: none; padding: 0; } .choices li::before { content: "\2610  "; }
.made { font-size: .85rem; color: #626b77; margin-top: 2.5rem; }
@media print { .step, .question, .pictures div { break-inside: avoid; }
  .answers { break-before: page; } }
)";

constexpr const char* kSlideStyle = R"(
body { max-width: none; padding: 0; margin: 0; font-size: clamp(18px, 1.55vw, 30px); line-height: 1.4; }
.step { box-sizing: border-box; min-height: 100vh; padding: 2.5vh 3vw 6vh; }
h1, h2 { font-size: 1.6em; margin: 0 0 .5em; color: #0f5d94; }
.columns { display: flex; gap: 3vw; align-items: flex-start; }
.words { flex: 5; } .pictures { flex: 6; } .pictures:empty { display: none; }
.words p:first-child { margin-top: 0; }
.pictures div { margin: 0 0 1vh; } .pictures p { margin: 0; }
.pictures img { width: 100%; height: 37vh; object-fit: contain; border: none; }
.pictures div:only-child img { height: 78vh; } .pictures.three img { height: 24vh; }
.answer { margin-top: 1em; }
.place { position: fixed; right: 2vw; bottom: 1.2vh; font-size: .7em; color: #626b77; }
.playing .step { display: none; } .playing .step.shown { display: block; }
@media print { @page { size: 297mm 167mm; margin: 0; } .step, .playing .step { display: block;
  break-after: page; break-inside: auto; min-height: 0; padding: 2.5vh 3vw 1vh; }
  body { font-size: 12pt; } .pictures img { height: 33vh; } .pictures.three img { height: 21vh; }
  .pictures div:only-child img { height: 72vh; } .place { display: none; } }
)";

constexpr const char* kSlideScript = R"(
(function () {
  var slides = document.querySelectorAll('.step'), place = document.querySelector('.place');
  var at = Math.min(Math.max(parseInt(location.hash.slice(1), 10) || 1, 1), slides.length) - 1;
  function show(next) {
    at = Math.min(Math.max(next, 0), slides.length - 1);
    for (var i = 0; i < slides.length; ++i) slides[i].classList.toggle('shown', i === at);
    place.textContent = (at + 1) + ' / ' + slides.length;
    history.replaceState(null, '', '#' + (at + 1));
    window.scrollTo(0, 0);
  }
  document.body.classList.add('playing');
  document.addEventListener('keydown', function (event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    var next = { ArrowRight: at + 1, PageDown: at + 1, ' ': at + 1, Enter: at + 1, ArrowLeft: at - 1,
      PageUp: at - 1, Backspace: at - 1, Home: 0, End: slides.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    show(next);
  });
  window.addEventListener('hashchange', function () {
    show((parseInt(location.hash.slice(1), 10) || 1) - 1);
  });
  show(at);
})();
)";

QString embedded(const HandoutPicture& picture) {
  return QStringLiteral("data:%1;base64,%2")
      .arg(picture.isSvg ? QStringLiteral("image/svg+xml") : QStringLiteral("image/png"),
           QString::fromLatin1(picture.bytes.toBase64()));
}

QString picturesHtml(const HandoutStep& step) {
  QString html = QStringLiteral("<div class=\"pictures%1\">")
                     .arg(step.pictures.size() > 2 ? QStringLiteral(" three") : QString());
  for (const HandoutPicture& picture : step.pictures)
    html += QStringLiteral(
                "<div><img src=\"%1\" width=\"%2\" height=\"%3\" alt=\"%4\"><p>%4</p></div>\n")
                .arg(embedded(picture))
                .arg(picture.size.width())
                .arg(picture.size.height())
                .arg(picture.words.toHtmlEscaped());
  return html + QStringLiteral("</div>\n");
}

QString documentHtml(const Handout& handout, const QString& style, const QString& body,
                     const QString& script) {
  return QStringLiteral(
             "<!DOCTYPE html>\n<html lang=\"%1\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"%2\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<title>%3</title>\n<style>%4</style>\n</head>\n<body>\n")
             .arg(language(), QLatin1String(kPolicy), handout.title.toHtmlEscaped(), style) +
         body + script + QStringLiteral("</body>\n</html>\n");
}

QString pageBody(const Handout& handout) {
  QString html = QStringLiteral("<h1>%1</h1>\n<p>%2</p>\n")
                     .arg(handout.title.toHtmlEscaped(), handout.summary.toHtmlEscaped());
  int question = 0;
  for (std::size_t i = 0; i < handout.steps.size(); ++i) {
    const HandoutStep& step = handout.steps[i];
    html += QStringLiteral("<section class=\"step\">\n<h2>%1</h2>\n")
                .arg(handoutHeading(handout, i).toHtmlEscaped()) +
            handoutParagraphs(step.text) + picturesHtml(step);
    if (!step.question.isEmpty()) html += handoutQuestion(step, ++question);
    html += QStringLiteral("</section>\n");
  }
  html += QStringLiteral("<section class=\"answers\">\n<h2>%1</h2>\n")
              .arg(handoutAnswersTitle().toHtmlEscaped());
  question = 0;
  for (const HandoutStep& step : handout.steps)
    if (!step.question.isEmpty()) html += handoutAnswer(step, ++question);
  return html + QStringLiteral("</section>\n<p class=\"made\">%1</p>\n")
                    .arg(handoutMadeBy().toHtmlEscaped());
}

QString slide(const QString& title, const QString& words, const QString& pictures) {
  return QStringLiteral(
             "<section class=\"step\">\n<h2>%1</h2>\n<div class=\"columns\">\n"
             "<div class=\"words\">\n")
             .arg(title.toHtmlEscaped()) +
         words + QStringLiteral("</div>\n") + pictures + QStringLiteral("</div>\n</section>\n");
}

QString slidesBody(const Handout& handout) {
  QString html = slide(handout.title,
                       QStringLiteral("<p>%1</p>\n<p class=\"made\">%2</p>\n")
                           .arg(handout.summary.toHtmlEscaped(), handoutMadeBy().toHtmlEscaped()),
                       {});
  QString answers;
  int question = 0;
  for (std::size_t i = 0; i < handout.steps.size(); ++i) {
    const HandoutStep& step = handout.steps[i];
    QString words = handoutParagraphs(step.text);
    if (!step.question.isEmpty()) {
      words += handoutQuestion(step, ++question);
      answers += slide(handoutAnswersTitle(),
                       handoutQuestion(step, question) + handoutAnswer(step, question), {});
    }
    html += slide(handoutHeading(handout, i), words, picturesHtml(step));
  }
  return html + answers + QStringLiteral("<div class=\"place\"></div>\n");
}

}  // namespace

QByteArray handoutHtml(const Handout& handout, bool slides) {
  const QString style = QLatin1String(kStyle) + QLatin1String(slides ? kSlideStyle : "");
  const QString script =
      slides ? QStringLiteral("<script>%1</script>\n").arg(QLatin1String(kSlideScript)) : QString();
  return documentHtml(handout, style, slides ? slidesBody(handout) : pageBody(handout), script)
      .toUtf8();
}

}  // namespace clusterloom
