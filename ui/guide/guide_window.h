#pragma once

#include <QMainWindow>
#include <QPointer>

#include "ui/words/qt_classes.h"

namespace clusterloom {

class EgoPictureWindow;
class GuideView;

/// The user's guide in a separate window: contents at the left, the page at the right, back and
/// forward, and a search through all pages whose places are listed. Everything is compiled in;
/// nothing is fetched.
class GuideWindow : public QMainWindow {
  Q_OBJECT

 public:
  explicit GuideWindow(QWidget* parent = nullptr);

  /// Shows a page by its name ("exploring"); one that is not in the guide is ignored.
  void showPage(const QString& name);
  /// The name of the current page.
  const QString& page() const { return page_; }

  GuideView* view() const { return view_; }
  QTreeWidget* contents() const { return contents_; }
  QLineEdit* searchBox() const { return search_; }
  /// The places where the words of the search occur; hidden while there are none.
  QListWidget* searchResults() const { return results_; }
  /// How often the words of the search occur, or that they do not.
  QLabel* searchNote() const { return note_; }

 private:
  void makeContents();
  void makeToolBar();
  void followContents(const QTreeWidgetItem* item);
  void showPlace(const QUrl& url);
  void showPicture(const QString& name);
  void searchAsTyped();
  void searchOn(bool backward);
  void listMatches();
  void showMatch(const QListWidgetItem* item);
  void showCounts();

  GuideView* view_;
  QTreeWidget* contents_;
  QLineEdit* search_;
  QListWidget* results_;
  QLabel* note_;
  QString page_;
  QPointer<EgoPictureWindow> egoPicture_;  ///< while it is open
};

}  // namespace clusterloom
