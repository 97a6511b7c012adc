// Charts saved and copied from the window: menus, dialogs, files, clipboard, errors.
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QMenu>
#include <QMimeData>
#include <QSpinBox>
#include <QSvgRenderer>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QtTest>

#include "holding_backend.h"
#include "shown_window.h"
#include "ui/charts/chart_output.h"
#include "ui/charts/charts_panel.h"
#include "ui/charts/compare_panel.h"
#include "ui/panels/message_bar.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/theme/theme.h"
#include "ui/view/chart_view.h"

using namespace clusterloom;

class TestChartOutput : public QObject, ShownWindow {
  Q_OBJECT

  void openSquares() {
    OpenRequest request;
    request.path = writeSquares(directory_->path());
    request.eps = 1.5;
    request.minPts = 4;
    window_->openRequest(request);
    QVERIFY(waitForResult(*session_));
    QVERIFY(waitUntilSettled(*window_));
  }
  const ChartOutput& front() const {
    return *window_->charts()->page(window_->charts()->current())->outputs().front();
  }
  QMenu* openMenu() const { return qobject_cast<QMenu*>(QApplication::activePopupWidget()); }
  static QStringList textsOf(const QMenu& menu) {
    QStringList texts;
    for (const QAction* action : menu.actions())
      if (!action->isSeparator()) texts << action->text().remove('&');
    return texts;
  }

 private Q_SLOTS:
  void init() { QVERIFY(showWindow({1400, 900})); }
  void cleanup() { closeWindow(); }

  void everyChartCanBeSaved() {
    openSquares();
    for (const ChartPageKind& kind : chartPages()) {
      window_->charts()->showTab(kind.id);
      if (kind.id == ChartId::Compare) window_->charts()->compare()->compare();
      QVERIFY(waitUntil([&] { return window_->charts()->isReady(); }));
      const auto outputs = window_->charts()->page(kind.id)->outputs();
      QVERIFY2(!outputs.empty(), kind.name);
      for (const ChartOutput* output : outputs) {
        QVERIFY(!output->title.isEmpty() && !output->fileName.isEmpty());
        const std::string svg = output->svg(output->size(), Background::Dark);
        QSvgRenderer renderer(QByteArray::fromStdString(svg));
        QVERIFY2(renderer.isValid(), qPrintable(output->title));
        QCOMPARE(renderer.defaultSize(), output->size());
        QVERIFY(!output->table()().names.empty());
        const QString shots = qEnvironmentVariable("CLUSTERLOOM_SHOTS");
        if (shots.isEmpty()) continue;
        for (const auto& [background, name] :
             {std::pair{Background::Dark, "dark"}, {Background::Light, "light"}})
          saveOutput(*session_, *output,
                     QString("%1/saved-%2-%3.png").arg(shots, output->fileName, name),
                     {output->size(), 1, background});
      }
      QVERIFY(waitUntil([&] { return !session_->jobs().isActive(JobKind::Export); }));
      // The menu in the corner offers the same, in submenus where there are several.
      QMenu* menu = window_->charts()->saveButton()->menu();
      Q_EMIT menu->aboutToShow();
      if (outputs.size() == 1)
        QVERIFY(textsOf(*menu).startsWith("Save as…"));
      else
        QCOMPARE(menu->actions().size(), qsizetype(outputs.size()));
    }
  }

  void threeFormats() {
    openSquares();
    window_->charts()->showTab(ChartId::Sweep);
    QVERIFY(waitUntil([&] { return window_->charts()->isReady(); }));
    const auto path = [&](const char* name) { return directory_->filePath(name); };
    QSignalSpy exported(&session_->files(), &SessionFiles::exported);
    const PictureOptions options{{800, 320}, 2.5, Background::Light};
    for (const char* name : {"sweep.png", "sweep.svg", "sweep.CSV"})
      saveOutput(*session_, front(), path(name), options);
    QVERIFY(waitUntil([&] { return exported.size() == 3; }));
    const QImage image(path("sweep.png"));
    QCOMPARE(image.size(), QSize(2000, 800));
    const Theme& theme = themeOf(Background::Light);
    for (const Colour& colour : theme.series)
      QVERIFY(pixelsLike(image, qRgb(colour.r, colour.g, colour.b), 8) > 1000);
    QSvgRenderer renderer(path("sweep.svg"));
    QCOMPARE(renderer.defaultSize(), QSize(800, 320));
    QFile csv(path("sweep.CSV"));
    QVERIFY(csv.open(QIODevice::ReadOnly));
    const auto& steps = session_->derived().sweep();
    const QStringList lines = QString::fromUtf8(csv.readAll()).split("\r\n", Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), qsizetype(steps.size() + 1));
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const QStringList cells = lines[qsizetype(i + 1)].split(',');
      QCOMPARE(cells[0].toDouble(), steps[i].eps);
      QCOMPARE(cells[1].toInt(), steps[i].clusters);
    }
  }

  void whatCannotBeWrittenIsSaid() {
    openSquares();
    window_->charts()->showTab(ChartId::KDistance);
    QVERIFY(waitUntil([&] { return window_->charts()->isReady(); }));
    const PictureOptions options{{400, 200}, 1, Background::Dark};
    QSignalSpy failed(&session_->jobs(), &JobQueue::failed);
    const auto fails = [&](const QString& path, const char* word) {
      const qsizetype before = failed.size();
      saveOutput(*session_, front(), path, options);
      return waitUntil([&] { return failed.size() > before; }) &&
             window_->findChild<MessageBar*>()->text().contains(QLatin1String(word));
    };
    for (const char* name :
         {"no/such/folder/x.png", "no/such/folder/x.svg", "no/such/folder/x.csv"})
      QVERIFY2(fails(directory_->filePath(name), "no/such/folder"), name);
    QVERIFY(fails(directory_->filePath("chart.bmp"), ".svg"));
    QVERIFY(fails(session_->data().source().path, "never overwritten"));
    // A picture that no memory holds.
    saveOutput(*session_, front(), directory_->filePath("huge.png"),
               {{8000, 8000}, 32, Background::Dark});
    QVERIFY(waitUntil([&] { return failed.size() == 6; }));
    QVERIFY(!QFile::exists(directory_->filePath("huge.png")));
  }

  /// The menu key opens the menu of the chart that has the focus.
  void menusOpenByKeyboard() {
    openSquares();
    window_->charts()->showTab(ChartId::KDistance);
    QVERIFY(waitUntil([&] { return window_->charts()->isReady(); }));
    ChartView* view = window_->charts()->view(ChartId::KDistance);
    view->setFocus();
    QContextMenuEvent event(QContextMenuEvent::Keyboard, view->rect().center(),
                            view->mapToGlobal(view->rect().center()));
    QApplication::sendEvent(view, &event);
    QVERIFY(waitUntil([&] { return openMenu() != nullptr; }));
    QCOMPARE(textsOf(*openMenu()), (QStringList{"Save as…", "Copy picture", "Copy data",
                                                "Show as table", "Logarithmic distances"}));
    openMenu()->close();

    window_->charts()->showTab(ChartId::Runs);
    auto* table = window_->findChild<QTableView*>("runsTable");
    QContextMenuEvent onTable(QContextMenuEvent::Keyboard, {20, 20},
                              table->viewport()->mapToGlobal(QPoint(20, 20)));
    QApplication::sendEvent(table->viewport(), &onTable);
    QVERIFY(waitUntil([&] { return openMenu() != nullptr; }));
    QVERIFY(openMenu()->actions().front()->isEnabled());
    openMenu()->close();
  }

  void emptyChartsOfferNothing() {
    ChartView* view = window_->charts()->view(ChartId::KDistance);
    QVERIFY(view != nullptr);
    QMenu menu;
    fillMenu(menu, *session_, front());
    for (const QAction* action : menu.actions())
      QVERIFY(action->isSeparator() || !action->isEnabled());
  }

  /// Whatever engine is compared: the sweep takes the one that `auto` chooses.
  void theSweepRunsOnTheFastestEngine() {
    const auto hold = std::make_shared<Hold>();
    const BackendMaker makes =
        [hold](const std::string& name,
               const BackendOptions& options) -> Result<std::unique_ptr<Backend>> {
      auto made = makeBackend(name, options);
      if (!made || name != "cpu") return made;
      return std::make_unique<HoldingBackend>(std::move(*made), hold);
    };
    QVERIFY(showWindow({1400, 900}, {}, makes));
    session_->clusterRun().setBackend("cpu", 0);
    openSquares();
    hold->fails = true;
    window_->charts()->showTab(ChartId::Sweep);
    QVERIFY(waitUntil([&] { return session_->derived().sweep().size() == 33; }));
    session_->setEps(1.6);
    QVERIFY(waitUntil([&] { return session_->clusterRun().state() == RunState::Failed; }));
  }

  void copies() {
    openSquares();
    window_->charts()->showTab(ChartId::Runs);
    copyData(*session_, front());
    QVERIFY(waitUntil([&] { return QGuiApplication::clipboard()->text().startsWith("job\t"); }));
    QCOMPARE(QGuiApplication::clipboard()->text().count('\n'), 2);
    copyPicture(front());
    const QMimeData* data = QGuiApplication::clipboard()->mimeData();
    QVERIFY(data->hasFormat("image/svg+xml"));
    const QImage image = qvariant_cast<QImage>(data->imageData());
    QCOMPARE(image.size(), 2 * front().size());
  }

  void theDialogAsksForSizeAndColours() {
    openSquares();
    window_->charts()->showTab(ChartId::KDistance);
    QVERIFY(waitUntil([&] { return window_->charts()->isReady(); }));
    const QString path = directory_->filePath("k.png");
    askToSave(*session_, front());
    auto* files = window_->findChild<QFileDialog*>("chartFileDialog");
    QVERIFY(files != nullptr);
    QCOMPARE(files->nameFilters().size(), qsizetype(3));
    // Another format leaves a name that was typed.
    files->selectFile(directory_->filePath("figure3.png"));
    for (const QString& filter : files->nameFilters())
      if (filter.contains("*.svg")) Q_EMIT files->filterSelected(filter);
    QCOMPARE(QFileInfo(files->selectedFiles().value(0)).fileName(), QString("figure3.svg"));
    files->selectFile(directory_->filePath("figure-0.5"));
    for (const QString& filter : files->nameFilters())
      if (filter.contains("*.svg")) Q_EMIT files->filterSelected(filter);
    QCOMPARE(QFileInfo(files->selectedFiles().value(0)).fileName(), QString("figure-0.5.svg"));
    Q_EMIT files->fileSelected(path);
    files->reject();
    auto* dialog = window_->findChild<ChartPictureDialog*>();
    QVERIFY(dialog != nullptr);
    dialog->findChild<QSpinBox*>("pictureWidth")->setValue(640);
    dialog->findChild<QSpinBox*>("pictureHeight")->setValue(400);
    dialog->findChild<QSpinBox*>("pictureScale")->setValue(300);
    shot(dialog, "chart-picture-dialog");
    QSignalSpy exported(&session_->files(), &SessionFiles::exported);
    dialog->accept();
    QVERIFY(waitUntil([&] { return exported.size() == 1; }));
    QCOMPARE(QImage(path).size(), QSize(1920, 1200));
  }
};

WINDOW_TEST(TestChartOutput);
#include "tst_chart_output.moc"
