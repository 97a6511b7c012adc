// Checking the clusters in their panel: columns, the line below the table, what asks and is
// stopped.
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "holding_backend.h"
#include "session_waits.h"
#include "tests/test_program.h"
#include "ui/models/cluster_table_model.h"
#include "ui/panels/clusters_panel.h"
#include "ui/session/cluster_checks.h"
#include "ui/session/derived_results.h"
#include "ui/session/session_data.h"
#include "ui/words/language.h"
#include "window_help.h"

using namespace clusterloom;

class TestChecksPanel : public QObject {
  Q_OBJECT

  using Table = ClusterTableModel;
  std::unique_ptr<QTemporaryDir> directory_;
  std::shared_ptr<Hold> hold_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<ClustersPanel> panel_;

  template <class Widget>
  Widget* find(const char* name) const {
    return panel_->findChild<Widget*>(QLatin1String(name));
  }
  QString line() const { return find<QLabel>("checksText")->text(); }
  QPushButton* button() const { return find<QPushButton>("checksButton"); }
  QString cell(int column) const {
    return panel_->table()->model()->index(1, column).data().toString();
  }
  bool isShown(int column) const { return !panel_->table()->isColumnHidden(column); }
  bool isReady(Check check) const { return session_->checks().state(check) == CheckState::Ready; }
  bool open() {
    session_->data().openSample({"blobs", 900, 2, 7});
    return waitForResult(*session_) && waitUntilIdle(*session_);
  }
  void click(QAbstractButton* pressed) const { QTest::mouseClick(pressed, Qt::LeftButton); }

 private Q_SLOTS:
  void init() {
    directory_ = std::make_unique<QTemporaryDir>();
    hold_ = std::make_shared<Hold>();
    hold_->seconds = 0.001;  // short enough for checks that start by themselves
    session_ = std::make_unique<Session>(nullptr, directory_->filePath("autosave"),
                                         holdingBackends(hold_));
    panel_ = std::make_unique<ClustersPanel>(*session_);
    panel_->resize(420, 500);
    panel_->show();
  }
  void cleanup() {
    hold_->held = false;
    panel_.reset();
    session_.reset();
    setLanguage("en");
  }

  void columnsComeWithTheButton() {
    QVERIFY(open());
    for (const int column : {Table::Validity, Table::FoundAgain, Table::Persistence})
      QVERIFY(!isShown(column));
    QVERIFY(!find<QWidget>("checksRow")->isVisible());
    panel_->filter()->setText("validity>-2");
    click(find<QToolButton>("checkButton"));
    QVERIFY(isShown(Table::Validity) && isShown(Table::FoundAgain));
    QVERIFY(!isShown(Table::Persistence));  // no ε is prepared
    QVERIFY(waitUntil([&] { return isReady(Check::Validity) && isReady(Check::FoundAgain); }));
    // The filter, which was not understood before, knows them now.
    QVERIFY(panel_->table()->model()->rowCount() > 1);
    panel_->filter()->clear();
    QVERIFY(!cell(Table::Validity).isEmpty());
    QVERIFY(cell(Table::FoundAgain).endsWith("%"));
    QVERIFY(line().startsWith("Validity: 0."));
    QVERIFY(!button()->isVisible());
    click(find<QToolButton>("checkButton"));
    QVERIFY(!isShown(Table::Validity) && !find<QWidget>("checksRow")->isVisible());
  }

  void whatTakesLongIsStartedAndStoppedByHand() {
    hold_->seconds = 100;
    QVERIFY(open());
    click(find<QToolButton>("checkButton"));
    QVERIFY(waitUntil([&] { return isReady(Check::Validity); }));
    QVERIFY(button()->isVisible());
    QCOMPARE(button()->text(), QString("Compute"));
    QVERIFY(line().replace(QChar(QChar::Nbsp), QChar(' ')).contains("found again: about 16 min"));
    hold_->held = true;
    click(button());
    QCOMPARE(button()->text(), QString("Stop"));
    click(button());
    QVERIFY(waitUntil([&] { return button()->text() == "Compute"; }));
    hold_->held = false;
    click(button());
    QVERIFY(waitUntil([&] { return isReady(Check::FoundAgain); }));
    QVERIFY(!button()->isVisible());
    // Other clusters: nothing of these is left in the table.
    session_->setEps(session_->parameters().dbscan.eps * 0.8);
    QVERIFY(waitForResult(*session_));
    QCOMPARE(cell(Table::Validity), QString());
    QCOMPARE(cell(Table::FoundAgain), QString());
  }

  void refusalsAreRead() {
    QVERIFY(open());
    session_->setSpace({.periods = {1000, 1000}});
    QVERIFY(waitForResult(*session_));
    click(find<QToolButton>("checkButton"));
    QVERIFY(line().startsWith("Validity: for Euclidean distances only"));
    QVERIFY(waitUntil([&] { return isReady(Check::FoundAgain); }));
    QVERIFY(!button()->isVisible());
  }
};

WINDOW_TEST(TestChecksPanel);
#include "tst_checks_panel.moc"
