#pragma once

#include <QTextBrowser>
#include <QUrl>

namespace clusterloom {

/// Shows one page of the guide in the colours of the palette, including pictures, which fill the
/// width. Links lead to other pages; back and forward are QTextBrowser's.
class GuideView : public QTextBrowser {
  Q_OBJECT

 public:
  explicit GuideView(QWidget* parent = nullptr);

  /// Scrolls to the n-th heading of the second level, counted from 0.
  void scrollToSection(int section);
  /// Selects the next (or previous) place of `words`; letter case is ignored. @param fromStart
  /// search the whole page instead of from the selection on. @return whether there is one; the
  /// selection stays where there is none.
  bool findOnPage(const QString& words, bool backward, bool fromStart);

 Q_SIGNALS:
  /// A link to an interactive picture was followed: its name, as "ego-join".
  void pictureRequested(const QString& name);

 protected:
  QVariant loadResource(int type, const QUrl& url) override;
  void doSetSource(const QUrl& url, QTextDocument::ResourceType type) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  /// Speaks the link that Tab comes to.
  bool focusNextPrevChild(bool next) override;

 private:
  void dress();
  void dressBlocks();
  void dressTables();
  void layOut();
  int textWidth() const;

  QUrl shown_;
  bool dressing_ = false;
};

}  // namespace clusterloom
