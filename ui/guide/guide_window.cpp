#include "ui/guide/guide_window.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolBar>
#include <QToolButton>
#include <QTreeWidget>
#include <functional>

#include "ui/guide/ego_picture.h"
#include "ui/guide/guide_pages.h"
#include "ui/guide/guide_view.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/form.h"

namespace clusterloom {

namespace {
constexpr int kPageRole = Qt::UserRole;         // a page's number
constexpr int kSectionRole = Qt::UserRole + 1;  // a section's number on it; −1: the page itself
constexpr int kOccurrenceRole = Qt::UserRole + 1;  // of a result: which one on its page
constexpr int kMostResults = 300;

int numberOf(const QString& name) {
  const auto& pages = guidePages();
  for (std::size_t i = 0; i < pages.size(); ++i) {
    if (pages[i].name == name) return int(i);
  }
  return -1;
}
}  // namespace

GuideWindow::GuideWindow(QWidget* parent)
    : QMainWindow(parent, Qt::Window),
      view_(new GuideView(this)),
      contents_(named("guideContents", new QTreeWidget(this), tr("Contents of the guide"))),
      search_(named("guideSearch", new QLineEdit(this), tr("Search the guide"))),
      results_(named("guideResults", new QListWidget(this), tr("Places found"))),
      note_(named("guideSearchNote", new QLabel(this))) {
  setObjectName(QStringLiteral("guideWindow"));
  const QSize size(fontScaled(1080), fontScaled(760));
  resize(parent != nullptr ? size.boundedTo(parent->window()->size()) : size);
  makeContents();
  makeToolBar();
  results_->setUniformItemSizes(true);
  results_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  results_->setTextElideMode(Qt::ElideRight);
  results_->hide();
  connect(results_, &QListWidget::currentItemChanged, this, &GuideWindow::showMatch);
  // A second click on the current place scrolls back to it.
  connect(results_, &QListWidget::itemClicked, this, &GuideWindow::showMatch);
  auto* left = new QSplitter(Qt::Vertical, this);
  left->addWidget(contents_);
  left->addWidget(results_);
  left->setSizes({320, 400});
  auto* splitter = new QSplitter(this);
  splitter->addWidget(left);
  splitter->addWidget(view_);
  splitter->setStretchFactor(1, 1);
  splitter->setSizes({fontScaled(250), fontScaled(830)});
  splitter->setCollapsible(1, false);
  setCentralWidget(splitter);
  connect(view_, &GuideView::sourceChanged, this, &GuideWindow::showPlace);
  connect(view_, &GuideView::pictureRequested, this, &GuideWindow::showPicture);
  showPage(QStringLiteral("index"));
  contents_->setFocus();
}

void GuideWindow::makeContents() {
  contents_->setHeaderHidden(true);
  contents_->setIndentation(14);
  contents_->setUniformRowHeights(true);
  const QSize row(0, contents_->fontMetrics().height() + 10);
  const auto& pages = guidePages();
  for (std::size_t i = 0; i < pages.size(); ++i) {
    auto* page = new QTreeWidgetItem(contents_, {pages[i].title});
    page->setSizeHint(0, row);
    page->setData(0, kPageRole, int(i));
    page->setData(0, kSectionRole, -1);
    for (int section = 0; section < pages[i].sections.size(); ++section) {
      auto* place = new QTreeWidgetItem(page, {pages[i].sections[section]});
      place->setSizeHint(0, row);
      place->setData(0, kPageRole, int(i));
      place->setData(0, kSectionRole, section);
    }
  }
  connect(contents_, &QTreeWidget::currentItemChanged, this, &GuideWindow::followContents);
  // A second click on a section one has scrolled away from goes there again.
  connect(contents_, &QTreeWidget::itemClicked, this, &GuideWindow::followContents);
}

void GuideWindow::makeToolBar() {
  auto* bar = new QToolBar(tr("Guide"), this);
  bar->setAccessibleName(bar->windowTitle());
  bar->setMovable(false);
  bar->setIconSize({fontScaled(20), fontScaled(20)});
  bar->setContextMenuPolicy(Qt::PreventContextMenu);
  addToolBar(bar);
  const auto add = [this, bar](const char* name, const QString& text, const QString& icon,
                               const QList<QKeySequence>& keys) {
    QAction* made = bar->addAction(themedIcon(icon), text);
    made->setObjectName(QLatin1String(name));
    made->setShortcuts(keys);
    made->setToolTip(tr("%1 (%2)").arg(text, keys.front().toString(QKeySequence::NativeText)));
    auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(made));
    button->setAccessibleName(text);
    button->setFocusPolicy(Qt::TabFocus);
    return made;
  };
  QAction* back = add("guideBack", tr("Back"), QStringLiteral("back"),
                      {QKeySequence(tr("Alt+Left")), QKeySequence(Qt::Key_Back)});
  QAction* forward = add("guideForward", tr("Forward"), QStringLiteral("forward"),
                         {QKeySequence(tr("Alt+Right")), QKeySequence(Qt::Key_Forward)});
  back->setEnabled(false);
  forward->setEnabled(false);
  connect(back, &QAction::triggered, view_, &QTextBrowser::backward);
  connect(forward, &QAction::triggered, view_, &QTextBrowser::forward);
  connect(view_, &QTextBrowser::backwardAvailable, back, &QAction::setEnabled);
  connect(view_, &QTextBrowser::forwardAvailable, forward, &QAction::setEnabled);

  auto* space = new QWidget(bar);
  space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  bar->addWidget(space);
  note_->setProperty("role", "muted");
  note_->setContentsMargins(0, 0, 8, 0);
  bar->addWidget(note_);
  search_->setPlaceholderText(tr("Search the guide"));
  search_->setToolTip(
      tr("Return: next place, Shift+Return: previous, Down: list of places, "
         "Escape: back to the page"));
  addClearButton(search_, tr("Clear the search"));
  search_->setFixedWidth(fontScaled(230));
  bar->addWidget(search_);
  styleOverflow(bar);
  connect(search_, &QLineEdit::textChanged, this, &GuideWindow::searchAsTyped);

  const auto hidden = [this](QWidget* of, const QList<QKeySequence>& keys,
                             std::function<void()> run) {
    auto* made = new QAction(of);
    made->setShortcuts(keys);
    made->setShortcutContext(of == this ? Qt::WindowShortcut : Qt::WidgetShortcut);
    connect(made, &QAction::triggered, this, [run = std::move(run)] { run(); });
    of->addAction(made);
  };
  hidden(this, QKeySequence::keyBindings(QKeySequence::Find), [this] {
    search_->setFocus(Qt::ShortcutFocusReason);
    search_->selectAll();
  });
  hidden(this, {QKeySequence(Qt::Key_F3)}, [this] { searchOn(false); });
  hidden(this, {QKeySequence(Qt::SHIFT | Qt::Key_F3)}, [this] { searchOn(true); });
  hidden(this, QKeySequence::keyBindings(QKeySequence::Close), [this] { close(); });
  hidden(search_, {QKeySequence(Qt::Key_Return), QKeySequence(Qt::Key_Enter)},
         [this] { searchOn(false); });
  hidden(search_,
         {QKeySequence(Qt::SHIFT | Qt::Key_Return), QKeySequence(Qt::SHIFT | Qt::Key_Enter)},
         [this] { searchOn(true); });
  hidden(search_, {QKeySequence(Qt::Key_Down)}, [this] {
    if (!results_->isVisible()) return;
    results_->setFocus(Qt::TabFocusReason);
    if (!results_->currentItem()) results_->setCurrentRow(0);
  });
  hidden(search_, {QKeySequence(Qt::Key_Escape)},
         [this] { view_->setFocus(Qt::ShortcutFocusReason); });
}

void GuideWindow::showPage(const QString& name) {
  if (numberOf(name) >= 0 && name != page()) view_->setSource(guideUrl(name));
}

void GuideWindow::showPicture(const QString& name) {
  if (name != QLatin1String("ego-join")) return;
  if (!egoPicture_) egoPicture_ = deletedOnClose(new EgoPictureWindow(this));
  egoPicture_->show();
  egoPicture_->raise();
  egoPicture_->activateWindow();
}

void GuideWindow::followContents(const QTreeWidgetItem* item) {
  if (!item) return;
  showPage(guidePages()[item->data(0, kPageRole).toUInt()].name);
  const int section = item->data(0, kSectionRole).toInt();
  if (section >= 0) {
    view_->scrollToSection(section);
  } else {
    view_->moveCursor(QTextCursor::Start);
  }
}

void GuideWindow::showPlace(const QUrl& url) {
  const int number = numberOf(guidePageName(url));
  if (number < 0) return;
  page_ = guidePages()[std::size_t(number)].name;
  setWindowTitle(tr("%1 — Clusterloom guide").arg(guidePages()[std::size_t(number)].title));
  QTreeWidgetItem* item = contents_->topLevelItem(number);
  const QTreeWidgetItem* current = contents_->currentItem();
  const bool there =
      current && (current == item || current->parent() == item);  // a section of it stays current
  if (!there) {
    const QSignalBlocker quiet(contents_);
    contents_->setCurrentItem(item);
  }
  for (int i = 0; i < contents_->topLevelItemCount(); ++i) {
    contents_->topLevelItem(i)->setExpanded(i == number);
  }
  showCounts();
}

void GuideWindow::searchAsTyped() {
  // The words grow from where they were found; other pages wait for Return or a click in the list.
  QTextCursor from = view_->textCursor();
  from.setPosition(from.selectionStart());
  view_->setTextCursor(from);
  if (!view_->findOnPage(search_->text(), false, false))
    view_->findOnPage(search_->text(), false, true);
  listMatches();
  showCounts();
}

void GuideWindow::listMatches() {
  const QSignalBlocker quiet(results_);
  results_->clear();
  // One letter is on every line: no list is better than thousands of places.
  const QString words = search_->text();
  const auto matches =
      words.size() > 1 ? findInGuide(words, kMostResults) : std::vector<GuideMatch>{};
  for (const GuideMatch& match : matches) {
    const QString& title = guidePages()[std::size_t(match.page)].title;
    auto* item = new QListWidgetItem(title + QLatin1Char('\n') + match.context, results_);
    item->setSizeHint(QSize(0, 2 * results_->fontMetrics().lineSpacing() + 10));
    item->setData(kPageRole, match.page);
    item->setData(kOccurrenceRole, match.occurrence);
    item->setToolTip(tr("%1: %2").arg(title, match.context));
    item->setData(Qt::AccessibleTextRole, item->toolTip());
  }
  results_->setVisible(!matches.empty());
}

void GuideWindow::showMatch(const QListWidgetItem* item) {
  if (!item) return;
  showPage(guidePages()[item->data(kPageRole).toUInt()].name);
  const int occurrence = item->data(kOccurrenceRole).toInt();
  for (int i = 0; i <= occurrence; ++i) view_->findOnPage(search_->text(), false, i == 0);
}

void GuideWindow::searchOn(bool backward) {
  const QString words = search_->text();
  if (words.isEmpty() || view_->findOnPage(words, backward, false)) return;
  // The next page that has the words, round and back to this one.
  const auto& pages = guidePages();
  const int count = int(pages.size());
  const int here = numberOf(page());
  for (int away = 1; away <= count; ++away) {
    const int number = (here + (backward ? count - away : away)) % count;
    if (!pages[std::size_t(number)].text.contains(words, Qt::CaseInsensitive)) continue;
    showPage(pages[std::size_t(number)].name);
    if (view_->findOnPage(words, backward, true)) return;
  }
}

void GuideWindow::showCounts() {
  const QString words = search_->text();
  if (words.isEmpty()) {
    note_->clear();
    return;
  }
  int here = 0, everywhere = 0;
  for (const GuidePage& of : guidePages()) {
    const int times = int(of.text.count(words, Qt::CaseInsensitive));
    everywhere += times;
    if (of.name == page()) here = times;
  }
  note_->setText(everywhere > 0 ? tr("%1 on this page, %2 in the guide").arg(here).arg(everywhere)
                                : tr("not in the guide"));
}

}  // namespace clusterloom
