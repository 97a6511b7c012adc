#pragma once

#include <QtTest/QtTest>

#include "cli_process.h"
#include "oracle.h"
#include "tests/test_program.h"

/// Fixture of tests of wrong calls, each of which is a row: arguments, and what the message says.
/// They run beside cloud.csv and an empty folder.
class WrongCalls : CliFolder {
 protected:
  void makeFiles() {
    QVERIFY(oracle::writeFile(path("cloud.csv"), oracle::csvOf(oracle::clumps(50, 2, 1))));
    QVERIFY(QDir(folder_.path()).mkdir("folder"));
  }
  static void addColumns() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
  }
  static void add(const char* call, const char* says) {
    QTest::newRow(*call == '\0' ? "nothing" : call) << words(call) << QString::fromUtf8(says);
  }
  /// The row's call is refused with a message, and no file is written.
  void refuse() const {
    QFETCH(QStringList, arguments);
    QFETCH(QString, says);
    const QByteArray before = oracle::readFile(path("cloud.csv"));
    const CliRun done = run(arguments);
    QVERIFY2(done.status == 2, done.err + done.out);
    QCOMPARE(done.out, QByteArray());
    QVERIFY2(done.lastErrorLine().startsWith("clusterloom-cli: "), done.err);
    QVERIFY2(QString::fromUtf8(done.lastErrorLine()).contains(says), done.err);
    QCOMPARE(QDir(folder_.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
             (QStringList{"cloud.csv", "folder"}));
    QCOMPARE(oracle::readFile(path("cloud.csv")), before);
  }
};
