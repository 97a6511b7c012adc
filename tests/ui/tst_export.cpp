// What the window asks and follows when points are exported.
#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "session_waits.h"
#include "shown_window.h"
#include "ui/dialogs/export_dialog.h"
#include "ui/panels/message_bar.h"
#include "ui/session/added_points.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"

using namespace clusterloom;

class TestExport : public QObject, private ShownWindow {
  Q_OBJECT

  /// 40 points in a row with a further column of integers from a first one on.
  QString writeRow(const QString& name, const QByteArray& column, qint64 first) {
    QFile file(path(name));
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write("x,y," + column + "\n");
    for (int i = 0; i < 40; ++i)
      file.write(QByteArray::number(i) + ",0," + QByteArray::number(first + i) + '\n');
    return path(name);
  }
  /// With numbers that only 64 bits hold.
  QString writeWide(const QString& name) { return writeRow(name, "star", (1LL << 60) + 1); }
  bool openWide() { return openRow(writeWide("wide.csv")); }
  bool openRow(const QString& file) {
    OpenRequest request;
    request.path = file;
    request.read.coordinates = {"x", "y"};
    request.eps = 1.5;
    request.minPts = 2;
    window_->openRequest(request);
    return waitUntilSettled(*window_);
  }
  bool exportTo(const QString& file, ExportChoice::What what) {
    window_->action("export")->trigger();
    auto* dialog = window_->findChild<ExportDialog*>();
    if (dialog == nullptr) return false;
    dialog->setWhat(what);
    dialog->setPath(file);
    dialog->accept();
    return waitUntil([&] { return window_->findChild<ExportDialog*>() == nullptr; }) &&
           waitUntilIdle(*session_);
  }
  QMessageBox* question() { return window_->findChild<QMessageBox*>("lossQuestion"); }
  bool answer(bool anyway) {
    const QPointer<QMessageBox> box = question();
    if (!box) return false;
    for (QAbstractButton* button : box->buttons())
      if ((box->standardButton(button) == QMessageBox::Cancel) != anyway) {
        button->click();
        break;
      }
    return waitUntil([&] { return box.isNull(); }) && waitUntilIdle(*session_);
  }

 private Q_SLOTS:
  void init() { QVERIFY(showWindow({1200, 850})); }
  void cleanup() { closeWindow(); }

  /// Selected points have other numbers where other points take part.
  void otherPointsEndTheChoice() {
    QVERIFY(openSquares());
    session_->setSelectedPoints(PointSet(new std::vector<std::uint32_t>{700, 701}));
    window_->action("export")->trigger();
    const QPointer<ExportDialog> dialog = window_->findChild<ExportDialog*>();
    QVERIFY(dialog);
    dialog->setWhat(ExportChoice::What::SelectedPoints);
    session_->setKept(PointSet(new std::vector<std::uint32_t>{0, 1, 2, 20, 21, 22}), "Keep");
    QVERIFY(waitUntil([&] { return dialog.isNull(); }));
  }

  /// Clusters that are gone are not all rows.
  void goneClustersAreNotExported() {
    QVERIFY(openSquares());
    session_->setSelectedClusters({1});
    window_->action("export")->trigger();
    auto* dialog = window_->findChild<ExportDialog*>();
    QVERIFY(dialog);
    dialog->setWhat(ExportChoice::What::SelectedClusters);
    dialog->setPath(path("gone.csv"));
    session_->setEps(0.1);
    QVERIFY(waitForResult(*session_));
    QVERIFY(session_->selection().clusters.empty());
    QSignalSpy failed(&session_->jobs(), &JobQueue::failed);
    dialog->accept();
    QVERIFY(waitUntilIdle(*session_));
    QCOMPARE(failed.count(), 1);
    QVERIFY(!QFile::exists(path("gone.csv")));
  }

  void aLossIsAskedFor_data() {
    QTest::addColumn<int>("what");
    QTest::newRow("all") << int(ExportChoice::What::AllPoints);
    QTest::newRow("clusters") << int(ExportChoice::What::SelectedClusters);
    QTest::newRow("points") << int(ExportChoice::What::SelectedPoints);
    QTest::newRow("added") << int(ExportChoice::What::AddedPoints);
  }
  void aLossIsAskedFor() {
    QFETCH(const int, what);
    QVERIFY(openWide());
    const auto chosen = ExportChoice::What(what);
    if (chosen == ExportChoice::What::SelectedClusters) session_->setSelectedClusters({0});
    if (chosen == ExportChoice::What::SelectedPoints)
      session_->setSelectedPoints(
          std::make_shared<const std::vector<std::uint32_t>>(std::vector<std::uint32_t>{1, 2, 3}));
    if (chosen == ExportChoice::What::AddedPoints) {
      session_->addedPoints().open(writeWide("more.csv"));
      QVERIFY(waitUntil([&] { return session_->addedPoints().isCurrent(); }));
    }
    QSignalSpy exported(&session_->files(), &SessionFiles::exported);
    const QString out = path("out.ply");
    QVERIFY(exportTo(out, chosen));
    QVERIFY(question());
    QVERIFY2(question()->text().contains("star") && question()->text().contains("PLY"),
             qPrintable(question()->text()));
    // No advice for the command line.
    QVERIFY2(!question()->text().contains("--"), qPrintable(question()->text()));
    shot(question(), "export-loss");
    QVERIFY(answer(false));
    QVERIFY(!QFile::exists(out) && exported.isEmpty());
    QVERIFY(exportTo(out, chosen));
    QVERIFY(answer(true));
    QCOMPARE(exported.count(), 1);
    QVERIFY(QFile::exists(out));
    // What is held is not asked for.
    QVERIFY(exportTo(path("out.csv"), chosen));
    QVERIFY(!question());
    QCOMPARE(exported.count(), 2);
  }

  /// Where nobody asks it is refused.
  void aLossIsRefusedUnlessAskedFor() {
    QVERIFY(openWide());
    session_->files().exportLabelled(path("out.ply"));
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(!question() && !QFile::exists(path("out.ply")));
    QVERIFY2(window_->messages()->text().contains("star"), qPrintable(window_->messages()->text()));
  }

  void otherNamesAreTold() {
    QVERIFY(openRow(writeRow("names.csv", "a b", 1)));
    QVERIFY(exportTo(path("out.ply"), ExportChoice::What::AllPoints));
    QVERIFY2(window_->messages()->text().contains("column “a b” is written as “a_b”"),
             qPrintable(window_->messages()->text()));
    shot(window_.get(), "export-names");
    QVERIFY(exportTo(path("out.csv"), ExportChoice::What::AllPoints));
    QVERIFY2(!window_->messages()->text().contains("a b"), qPrintable(window_->messages()->text()));
  }

  void theFormatFollowsTheName() {
    QVERIFY(openSquares());
    window_->action("export")->trigger();
    auto* dialog = window_->findChild<ExportDialog*>();
    QVERIFY(dialog);
    auto* name = dialog->findChild<QLineEdit*>("exportPath");
    auto* format = dialog->findChild<QComboBox*>("exportFormat");
    auto* button = dialog->findChild<QPushButton*>("exportButton");
    QCOMPARE(format->currentData().toString(), QString("csv"));
    const auto type = [&](const QString& file) {
      name->selectAll();
      QTest::keyClicks(name, path(file));
      return name->text() == path(file) && button->isEnabled();
    };
    QVERIFY(type("out.ply"));
    QCOMPARE(format->currentData().toString(), QString("ply"));
    QVERIFY(type("out.LAS"));
    QCOMPARE(format->currentData().toString(), QString("las"));
    QVERIFY(type("out.npy.gz"));
    QCOMPARE(format->currentData().toString(), QString("npy"));
    QVERIFY(!type("out.nothing"));
    // A table of clusters is text.
    dialog->setWhat(ExportChoice::What::ClusterTable);
    QVERIFY(!type("out.ply"));
    QVERIFY(type("out.csv"));
    dialog->reject();
  }
};

WINDOW_TEST(TestExport);
#include "tst_export.moc"
