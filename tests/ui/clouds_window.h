#pragma once

#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QTabBar>
#include <QTableWidget>
#include <QtTest>

#include "shown_window.h"
#include "ui/panels/message_bar.h"
#include "ui/session/cloud_comparison.h"
#include "ui/session/cluster_run.h"
#include "ui/session/open_clouds.h"
#include "ui/session/session_data.h"

/// Fixture of tests of clouds that are open beside each other.
class CloudsWindow : protected ShownWindow {
 protected:
  bool write(const QString& name, const QByteArray& text) {
    QFile file(path(name));
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
  }
  /// The rows of the squares, the upper half of the right one moved away: at ε 1.5 and minPts 4
  /// three clusters and the same noise.
  QString writeMoved(const QString& name = QStringLiteral("moved.csv")) {
    QByteArray rows = "x,y,kind\n";
    for (int square = 0; square < 2; ++square)
      for (int i = 0; i < 400; ++i) {
        const bool moved = square == 1 && i >= 200;
        rows += QByteArray::number(i % 20 + 50 * square) + ',' +
                QByteArray::number(i / 20 + (moved ? 20 : 0)) + ",any\n";
      }
    rows += "35,60,lone\n35,-40,lone\n-30,60,lone\n110,60,lone\n";
    return write(name, rows) ? path(name) : QString();
  }
  /// Opens it beside the squares and waits for its clusters.
  bool addMoved() {
    const int before = clouds().count();
    clouds().addFile(writeMoved());
    return waitUntil([&] { return clouds().count() == before + 1; }) && waitUntilSettled(*window_);
  }
  clusterloom::OpenClouds& clouds() { return session_->clouds(); }
  clusterloom::CloudComparison& comparison() { return session_->cloudComparison(); }
  QTabBar* tabs() { return window_->findChild<QTabBar*>("cloudTabs"); }
  QTableWidget* table() { return window_->findChild<QTableWidget*>("cloudsTable"); }
  QLabel* note() { return window_->findChild<QLabel*>("cloudsNote"); }
  QString shownFile() { return QFileInfo(session_->data().source().path).fileName(); }
  const clusterloom::Clustering& shown() { return session_->clusterRun().result()->clustering; }
  QString message() { return window_->messages()->isVisible() ? window_->messages()->text() : ""; }
  bool waitForCloud(int index) {
    return waitUntil([&] { return clouds().current() == index; }) && waitUntilSettled(*window_);
  }
  bool waitForComparison() {
    return waitUntil([&] { return comparison().isCurrent() && !comparison().isRunning(); });
  }
  void clickTab(int index) {
    QTest::mouseClick(tabs(), Qt::LeftButton, {}, tabs()->tabRect(index).center());
  }
  QStringList names(const clusterloom::SessionState& state) {
    QStringList all;
    for (const clusterloom::CloudState& other : state.others)
      all << QFileInfo(other.dataPath).fileName();
    all.insert(state.position, QFileInfo(state.dataPath).fileName());
    return all;
  }
};
