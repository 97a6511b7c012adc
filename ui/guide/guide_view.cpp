#include "ui/guide/guide_view.h"

#include <QAbstractTextDocumentLayout>
#include <QEvent>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QPixmap>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextTable>
#include <algorithm>
#include <vector>

#include "ui/guide/guide_pages.h"
#include "ui/theme/theme.h"
#include "ui/view/announcer.h"

namespace clusterloom {

namespace {

constexpr int kWidestText = 820;  // logical pixels: longer lines are hard to follow
constexpr int kSideMargin = 26;
constexpr double kLineHeight = 135;  // percent
constexpr double kHeadingSizes[] = {1.7, 1.3, 1.1};

bool isCode(const QTextBlockFormat& format) {
  return format.hasProperty(QTextFormat::BlockCodeFence) ||
         format.hasProperty(QTextFormat::BlockCodeLanguage);
}

/// Behind code and the heads of tables. Of the application: the style sheet gives scroll areas the
/// colour of their page as window colour.
QColor fillColour() { return QGuiApplication::palette().color(QPalette::Window); }

/// The pieces of a document that are pictures.
template <typename Use>
void forEachPicture(QTextDocument& document, Use use) {
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    for (auto it = block.begin(); !it.atEnd(); ++it) {
      const QTextFragment fragment = it.fragment();
      if (fragment.charFormat().isImageFormat()) use(fragment);
    }
  }
}

/// All changes while it lives are one: the document is laid out once, at its end, instead of after
/// each of a thousand changes.
class OneChange {
 public:
  explicit OneChange(QTextDocument& document) : cursor_(&document) { cursor_.beginEditBlock(); }
  ~OneChange() { cursor_.endEditBlock(); }
  OneChange(const OneChange&) = delete;
  OneChange& operator=(const OneChange&) = delete;

 private:
  QTextCursor cursor_;
};

}  // namespace

GuideView::GuideView(QWidget* parent) : QTextBrowser(parent) {
  setObjectName(QStringLiteral("guideView"));
  setAccessibleName(tr("Page of the guide"));
  setOpenExternalLinks(false);
  setTextInteractionFlags(Qt::TextBrowserInteraction | Qt::TextSelectableByKeyboard);
  // source() still names the page before.
  connect(this, &QTextBrowser::sourceChanged, this, [this](const QUrl& url) {
    shown_ = url;
    dress();
  });
}

void GuideView::scrollToSection(int section) {
  for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
    if (block.blockFormat().headingLevel() != 2 || section-- > 0) continue;
    setTextCursor(QTextCursor(block));
    const QRectF place = document()->documentLayout()->blockBoundingRect(block);
    verticalScrollBar()->setValue(int(place.top()) - 8);
    return;
  }
}

bool GuideView::findOnPage(const QString& words, bool backward, bool fromStart) {
  if (words.isEmpty()) return false;
  const QTextDocument::FindFlags flags =
      backward ? QTextDocument::FindBackward : QTextDocument::FindFlags();
  QTextCursor from = textCursor();
  if (fromStart) from.movePosition(backward ? QTextCursor::End : QTextCursor::Start);
  const QTextCursor found = document()->find(words, from, flags);
  if (found.isNull()) return false;
  setTextCursor(found);
  ensureCursorVisible();
  return true;
}

QVariant GuideView::loadResource(int type, const QUrl& url) {
  // The pages as they were read: in the language of the window.
  if (const QString name = guidePageName(url); type == QTextDocument::MarkdownResource)
    for (const GuidePage& page : guidePages())
      if (page.name == name) return page.markdown;
  return QTextBrowser::loadResource(type, url);
}

void GuideView::doSetSource(const QUrl& url, QTextDocument::ResourceType type) {
  const QString picture = interactivePictureName(url);
  if (!picture.isEmpty()) {
    Q_EMIT pictureRequested(picture);
    return;
  }
  {
    const OneChange change(*document());  // Qt reads a page in hundreds of changes
    QTextBrowser::doSetSource(url, type);
  }
  // Its place is known only now.
  if (url.hasFragment()) scrollToAnchor(url.fragment());
}

void GuideView::changeEvent(QEvent* event) {
  QTextBrowser::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) dress();
}

bool GuideView::focusNextPrevChild(bool next) {
  if (!QTextBrowser::focusNextPrevChild(next)) return false;
  // The browser selects a link to show that it has the keyboard.
  const QTextCursor link = textCursor();
  if (hasFocus() && link.hasSelection())
    Announcer::ofApplication().say(*this, Announcer::Topic::Picked,
                                   tr("%1, link").arg(link.selectedText()));
  return true;
}

void GuideView::resizeEvent(QResizeEvent* event) {
  QTextBrowser::resizeEvent(event);
  layOut();
}

// Markdown has no formats: they are applied after reading, in the colours of the palette, and again
// when the theme changes.
void GuideView::dress() {
  if (dressing_ || document()->isEmpty()) return;
  const QScopedValueRollback<bool> guard(dressing_, true);
  QFont font = this->font();
  font.setPointSizeF(font.pointSizeF() * 1.08);
  document()->setDefaultFont(font);
  document()->setUndoRedoEnabled(false);
  const OneChange change(*document());
  dressBlocks();
  dressTables();
  layOut();
}

void GuideView::dressBlocks() {
  const QColor codeFill = fillColour();
  const QColor link = palette().color(QPalette::Link);
  const QString mono = QFontDatabase::systemFont(QFontDatabase::FixedFont).family();
  const double size = document()->defaultFont().pointSizeF();
  for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
    QTextCursor cursor(block);
    QTextBlockFormat format = block.blockFormat();
    const bool code = isCode(format);
    const int level = format.headingLevel();
    const bool inTable = cursor.currentTable() != nullptr;
    if (code) {
      format.setBackground(codeFill);
      format.setTopMargin(0);
      format.setBottomMargin(isCode(block.next().blockFormat()) ? 0 : 12);
      format.setLeftMargin(0);
    } else if (level > 0) {
      format.setTopMargin(level == 1 ? 10 : 20);
      format.setBottomMargin(level == 1 ? 10 : 6);
    } else if (!inTable) {
      format.setLineHeight(kLineHeight, QTextBlockFormat::ProportionalHeight);
      format.setTopMargin(0);
      format.setBottomMargin(block.textList() ? 4 : 10);
    }
    // The line of a picture has the height of the picture.
    for (auto it = block.begin(); !it.atEnd(); ++it) {
      if (it.fragment().charFormat().isImageFormat()) {
        format.setLineHeight(100, QTextBlockFormat::SingleHeight);
        format.setTopMargin(8);
        format.setBottomMargin(8);
      }
    }
    cursor.setBlockFormat(format);
    if (level > 0 || code) {
      QTextCharFormat letters;
      if (code) {
        letters.setFontFamilies({mono});
        letters.setFontPointSize(size * 0.92);
        letters.setBackground(codeFill);
      } else {
        letters.setFontPointSize(size * kHeadingSizes[std::min(level, 3) - 1]);
        letters.setFontWeight(level == 1 ? QFont::Light : QFont::DemiBold);
      }
      cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
      cursor.mergeCharFormat(letters);
      continue;
    }
    // The fragments first: changing one makes the iterator stale.
    std::vector<std::pair<QTextCursor, QTextCharFormat>> changes;
    for (auto it = block.begin(); !it.atEnd(); ++it) {
      const QTextFragment fragment = it.fragment();
      const QTextCharFormat is = fragment.charFormat();
      QTextCharFormat letters;
      if (is.isAnchor()) letters.setForeground(link);
      if (is.fontFixedPitch()) {
        letters.setFontFamilies({mono});
        letters.setFontPointSize(size * 0.95);
        letters.setBackground(codeFill);
      }
      if (letters.isEmpty()) continue;
      QTextCursor over(document());
      over.setPosition(fragment.position());
      over.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
      changes.emplace_back(over, letters);
    }
    for (auto& [over, letters] : changes) over.mergeCharFormat(letters);
  }
}

void GuideView::dressTables() {
  const ThemeColours& colours = themeColours(palette());
  for (QTextFrame* frame : document()->rootFrame()->childFrames()) {
    auto* table = qobject_cast<QTextTable*>(frame);
    if (!table) continue;
    QTextTableFormat format = table->format();
    format.setBorder(1);
    format.setBorderCollapse(true);
    format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    format.setBorderBrush(colours.line);
    format.setCellPadding(5);
    format.setCellSpacing(0);
    format.setTopMargin(4);
    format.setBottomMargin(14);
    format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
    table->setFormat(format);
    for (int column = 0; column < table->columns(); ++column) {
      QTextTableCell cell = table->cellAt(0, column);
      QTextCharFormat head = cell.format();
      head.setBackground(fillColour());
      cell.setFormat(head);
    }
  }
}

int GuideView::textWidth() const {
  return std::clamp(viewport()->width() - 2 * kSideMargin, 200, kWidestText);
}

void GuideView::layOut() {
  if (document()->isEmpty()) return;
  const int width = textWidth();
  const OneChange change(*document());
  QTextFrameFormat page = document()->rootFrame()->frameFormat();
  page.setLeftMargin(kSideMargin);
  page.setRightMargin(std::max(kSideMargin, viewport()->width() - width - kSideMargin));
  page.setTopMargin(14);
  page.setBottomMargin(30);
  document()->rootFrame()->setFrameFormat(page);
  const bool dark = isDark(palette());
  std::vector<std::pair<QTextCursor, QTextImageFormat>> changes;
  forEachPicture(*document(), [&](const QTextFragment& fragment) {
    QTextImageFormat format = fragment.charFormat().toImageFormat();
    const QUrl url = shown_.resolved(QUrl(format.name()));
    QPixmap picture(guidePicture(url, dark));
    if (picture.isNull()) return;
    // Scaled here, as smoothly as Qt can and for this screen; the document would take the nearest
    // pixels.
    const double ratio = devicePixelRatioF();
    const QSize room(std::min(width, picture.width()), picture.height());
    const QSize size = picture.size().scaled(room, Qt::KeepAspectRatio);
    picture = picture.scaled(size * ratio, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    picture.setDevicePixelRatio(ratio);
    document()->addResource(QTextDocument::ImageResource, QUrl(format.name()), picture);
    document()->addResource(QTextDocument::ImageResource, url, picture);
    format.setWidth(size.width());
    format.setHeight(size.height());
    QTextCursor over(document());
    over.setPosition(fragment.position());
    over.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
    changes.emplace_back(over, format);
  });
  for (auto& [over, format] : changes) over.setCharFormat(format);
}

}  // namespace clusterloom
