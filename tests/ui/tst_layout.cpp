// Nothing is cut off: in small windows, in many dimensions, with text of twice the usual size.
#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QScrollArea>
#include <QSlider>
#include <QTableWidget>
#include <QToolBar>
#include <QtTest>

#include "shown_window.h"
#include "ui/charts/charts_panel.h"
#include "ui/dialogs/export_dialog.h"
#include "ui/dialogs/import_dialog.h"
#include "ui/guide/guide_window.h"
#include "ui/panels/engine_panel.h"
#include "ui/panels/status_strip.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/every_eps.h"
#include "ui/session/session_data.h"
#include "ui/theme/theme.h"
#include "ui/view/cloud_view.h"
#include "ui/view/column_player.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/form.h"
#include "ui/window/lesson_window.h"
#include "ui/words/language.h"

using namespace clusterloom;

namespace {

QString described(const QWidget* widget) {
  QString text;
  if (const auto* label = qobject_cast<const QLabel*>(widget)) text = label->text();
  if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) text = button->text();
  return QString("%1 %2 “%3”, %4 × %5")
      .arg(widget->metaObject()->className(), widget->objectName(), text.left(40))
      .arg(widget->width())
      .arg(widget->height());
}

/// What of this widget's text is not to be seen; empty: nothing.
QString cutOff(const QWidget* widget) {
  const auto* label = qobject_cast<const QLabel*>(widget);
  const bool ends = dynamic_cast<const ElidedLabel*>(widget) != nullptr;  // in "…", by intention
  if (label != nullptr && !label->text().isEmpty() && !ends) {
    if (label->wordWrap()) {
      if (label->heightForWidth(label->width()) > label->height())
        return described(widget) + " is too low";
    } else if (label->sizeHint().width() > label->width() ||
               label->sizeHint().height() > label->height()) {
      return described(widget) + " is too small";
    }
  }
  const auto* button = qobject_cast<const QAbstractButton*>(widget);
  const bool elides = widget->objectName() == "recentButton";
  if (button != nullptr && !elides &&
      (button->minimumSizeHint().width() > button->width() ||
       button->minimumSizeHint().height() > button->height()))
    return described(widget) + " is too small";
  const auto* slider = qobject_cast<const QSlider*>(widget);
  if (slider != nullptr && slider->minimumSizeHint().height() > slider->height())
    return described(widget) + " is too low";
  // Within its parent, unless that scrolls.
  const QWidget* parent = widget->parentWidget();
  const bool scrolls = qobject_cast<const QAbstractScrollArea*>(parent->parentWidget()) != nullptr;
  const bool holdsText = label != nullptr || button != nullptr ||
                         qobject_cast<const QComboBox*>(widget) != nullptr ||
                         qobject_cast<const QLineEdit*>(widget) != nullptr;
  if (holdsText && !scrolls && !parent->rect().contains(widget->geometry()))
    return described(widget) + " is not within its parent";
  return {};
}

QStringList cutOffIn(QWidget* window) {
  QStringList found;
  for (const QWidget* widget : window->findChildren<QWidget*>()) {
    if (!widget->isVisibleTo(window) || widget->window() != window) continue;
    // The parts of Qt's own composite widgets are Qt's.
    const QByteArray parent = widget->parentWidget()->metaObject()->className();
    if (parent == "QLineEdit" || parent == "QTabBar" || parent == "QToolBar" ||
        parent == "QDockWidget" || parent == "QMenuBar" || parent.startsWith("QTable"))
      continue;
    const QString what = cutOff(widget);
    if (!what.isEmpty()) found << what;
  }
  for (const auto* header : window->findChildren<QHeaderView*>()) {
    if (!header->isVisibleTo(window) || header->orientation() != Qt::Horizontal) continue;
    for (int section = 0; section < header->count(); ++section)
      if (header->sectionSizeHint(section) > header->sectionSize(section) &&
          !header->isSectionHidden(section))
        found << QString("column “%1” of %2 is too narrow")
                     .arg(header->model()->headerData(section, Qt::Horizontal).toString(),
                          header->parent()->objectName());
  }
  for (const auto* area : window->findChildren<QScrollArea*>()) {
    if (!area->isVisibleTo(window) || area->widget() == nullptr) continue;
    const QSize content = area->widget()->size();
    if (area->verticalScrollBarPolicy() == Qt::ScrollBarAlwaysOff &&
        content.height() > area->viewport()->height())
      found << described(area->widget()) + " is higher than what scrolls it";
    if (area->horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff &&
        content.width() > area->viewport()->width())
      found << described(area->widget()) + " is wider than what scrolls it";
  }
  const auto docks = window->findChildren<QDockWidget*>();
  for (const QDockWidget* one : docks)
    for (const QDockWidget* other : docks)
      if (one < other && one->isVisibleTo(window) && other->isVisibleTo(window) &&
          one->geometry().intersects(other->geometry()))
        found << QString("%1 and %2 overlap").arg(one->objectName(), other->objectName());
  return found;
}

}  // namespace

class TestLayout : public QObject, ShownWindow {
  Q_OBJECT

  QFont usual_;

  void setText(double factor) {
    QFont font = usual_;
    font.setPointSizeF(usual_.pointSizeF() * factor);
    QApplication::setFont(font);
    applyTheme(*qApp, ThemeChoice::Light);
  }
  /// What makes a window larger than it was asked to be.
  static QString leastSizes(const QMainWindow& window) {
    QString text;
    const auto add = [&](const QString& name, const QSize& size) {
      text += QString("\n%1: %2 × %3").arg(name).arg(size.width()).arg(size.height());
    };
    add("window", window.size());
    for (const auto* dock : window.findChildren<QDockWidget*>())
      if (dock->isVisible()) add(dock->objectName(), dock->minimumSizeHint());
    for (const auto* page : window.findChildren<ChartPage*>())
      add(page->metaObject()->className(), page->minimumSizeHint());
    add("view", window.centralWidget()->minimumSizeHint());
    add("status", window.findChild<StatusStrip*>()->minimumSizeHint());
    return text;
  }
  static void check(QWidget* window, const QString& what) {
    QStringList found;
    // What jobs have computed may still change the layout.
    waitUntil([&] { return (found = cutOffIn(window)).isEmpty(); });
    shot(window, qPrintable("layout-" + what));
    QVERIFY2(found.isEmpty(), qPrintable(what + ":\n" + found.join('\n')));
  }

  /// A window of this size, and text of so many times the usual one, in a language.
  static void addRow(const char* name, double text, const QSize& size, const Language& language) {
    QTest::newRow(qPrintable(name + (", " + language.name))) << text << size << language.code;
  }

 private Q_SLOTS:
  void initTestCase() { usual_ = QApplication::font(); }
  void cleanup() {
    closeWindow();
    setText(1);
    setLanguage("en");
  }

  /// What does not fit into a box ends in dots.
  void longEntriesEndInDots() {
    QWidget parent;
    const QString entry = "a long entry that does not fit into the box";
    QComboBox* box = panelCombo(&parent, "box");
    QComboBox* shortened = panelCombo(&parent, "box");
    for (QComboBox* each : {box, shortened}) {
      each->addItem(entry);
      each->setFixedSize(160, each->sizeHint().height());
    }
    const QImage picture = box->grab().toImage();
    bool found = false;
    for (int width = 20; width < 160 && !found; ++width) {
      const QString text = box->fontMetrics().elidedText(entry, Qt::ElideRight, width);
      shortened->setItemText(0, text);
      found =
          text.endsWith(QChar(0x2026)) && text.size() > 5 && shortened->grab().toImage() == picture;
    }
    QVERIFY(found);
  }

  void nothingIsCutOff_data() {
    QTest::addColumn<double>("text");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<QString>("language");
    // German is about a third longer than English.
    for (const Language& language : languages()) {
      addRow("1024 × 700", 1.0, {1024, 700}, language);
      addRow("text of 200 %", 2.0, {1900, 1000}, language);
    }
  }

  /// In 90 dimensions, every chart in front, the engine panel open.
  void nothingIsCutOff() {
    QFETCH(double, text);
    QFETCH(QSize, size);
    QFETCH(QString, language);
    setLanguage(language);
    setText(text);
    const QString name = (text == 1 ? "small-" : "large-text-") + language;
    QVERIFY(showWindow(size));
    check(window_.get(), name + "-start");
    OpenRequest request;
    request.sample = GeneratorSpec{"blobs", 2000, 90, 1};
    window_->openRequest(request);
    QVERIFY(waitUntilSettled(*window_));
    window_->engine()->setExpanded(true);
    session_->setPickedPoint(3);
    QVERIFY2(window_->size() == size, qPrintable(leastSizes(*window_)));
    for (const ChartPageKind& chart : chartPages()) {
      window_->charts()->showTab(chart.id);
      check(window_.get(), name + "-" + chart.name);
      QVERIFY2(window_->size() == size, qPrintable(leastSizes(*window_)));
    }

    session_->setSelectedClusters({0});
    for (const char* action :
         {"export", "shortcuts", "about", "savePicture", "appearance", "clusterSelection"}) {
      window_->action(action)->trigger();
      const auto dialogs = window_->findChildren<QDialog*>();
      QVERIFY2(dialogs.size() == 1, action);
      check(dialogs.front(), name + "-" + action);
      if (auto* exporting = qobject_cast<ExportDialog*>(dialogs.front())) {
        exporting->setWhat(ExportChoice::What::Picture);
        check(exporting, name + "-export-picture");
      }
      dialogs.front()->close();
      QVERIFY(waitUntil([&] { return !window_->findChild<QDialog*>(); }));
    }
    window_->action("guide")->trigger();
    auto* guide = window_->findChild<GuideWindow*>();
    QVERIFY(guide);
    check(guide, name + "-guide");
    guide->close();
    QFile file(directory_->filePath("wide.csv"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    for (int row = 0; row < 3; ++row) {
      QByteArray line;
      for (int column = 0; column < 90; ++column) line += QByteArray::number(row + column) + ",";
      line.chop(1);
      file.write(line + "\n");
    }
    file.close();
    window_->showImportDialog(file.fileName(), {});
    auto* import = window_->findChild<ImportDialog*>();
    QVERIFY(import && waitUntil([&] {
              return import->findChild<QTableWidget*>("previewTable")->columnCount() == 90;
            }));
    check(import, name + "-import");
    QVERIFY(import->width() <= size.width() && import->height() <= size.height());
  }

  /// What is there only with weights, and while a column is played.
  void weightsAndAPlayedColumnFitToo_data() {
    nothingIsCutOff_data();
    for (const Language& language : languages())
      if (language.code != "en") addRow("1360 × 860", 1.0, {1360, 860}, language);
  }
  void weightsAndAPlayedColumnFitToo() {
    QFETCH(double, text);
    QFETCH(QSize, size);
    QFETCH(QString, language);
    setLanguage(language);
    setText(text);
    QVERIFY(showWindow(size));
    QFile file(directory_->filePath("weighted.csv"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("x,y,time,mass\n");
    for (int i = 0; i < 400; ++i)
      file.write(QStringLiteral("%1,%2,%3,%4\n")
                     .arg(i % 20)
                     .arg(i / 20)
                     .arg(i / 16.0)
                     .arg(1 + i % 3)
                     .toUtf8());
    file.close();
    OpenRequest request;
    request.path = file.fileName();
    request.eps = 1.5;
    request.read.coordinates = {"x", "y"};
    window_->openRequest(request);
    QVERIFY(waitUntilSettled(*window_));
    window_->action("playColumn")->trigger();
    QVERIFY(waitUntil([&] { return window_->cloudView()->player().isReady(); }));
    // Rows that go with weights.
    session_->everyEps().setEnabled(true);
    window_->charts()->showTab(ChartId::KDistance);
    QVERIFY(waitUntil([&] {
      return session_->derived().kDistances() &&
             session_->everyEps().hierarchyFor(session_->parameters());
    }));
    const QString name = (text == 1 ? "small-" : "large-text-") + language;
    check(window_.get(), name + "-played");
    session_->setWeights("mass");
    QVERIFY(waitUntilSettled(*window_));
    check(window_.get(), name + "-weights");
    QVERIFY2(window_->size() == size, qPrintable(leastSizes(*window_)));
  }

  void lessonsFitToo_data() { nothingIsCutOff_data(); }
  void lessonsFitToo() {
    QFETCH(double, text);
    QFETCH(QSize, size);
    QFETCH(QString, language);
    setLanguage(language);
    setText(text);
    LessonWindow lessons;
    MainWindow& window = lessons.window();
    window.resize(size);
    window.show();
    QVERIFY(activate(window));
    QVERIFY(waitUntilSettled(window));
    check(&window, (text == 1 ? "small-" : "large-text-") + language + "-lessons");
    QVERIFY2(window.size() == size, qPrintable(leastSizes(window)));
  }
};

WINDOW_TEST(TestLayout);
#include "tst_layout.moc"
