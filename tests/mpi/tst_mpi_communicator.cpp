// The communicator of MPI in real processes under mpirun.
#include <QtTest/QtTest>

#include "mpirun.h"
#include "tests/test_program.h"

class TestMpiCommunicator : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    if (!hasMpirun()) QSKIP("no mpirun here (package openmpi-bin)");
  }
  void keepsItsContract_data();
  void keepsItsContract();
  void errorsReachAllRanks_data();
  void errorsReachAllRanks();
  void stopReachesAllRanks();
};

void TestMpiCommunicator::keepsItsContract_data() {
  QTest::addColumn<int>("ranks");
  QTest::addColumn<QString>("chunk");
  for (const int ranks : {1, 2, 3, 5})
    for (const char* chunk : {"0", "64"}) QTest::addRow("%d, %s", ranks, chunk) << ranks << chunk;
}

void TestMpiCommunicator::keepsItsContract() {
  QFETCH(int, ranks);
  QFETCH(QString, chunk);
  const RanksEnded ended = runRanks(ranks, CLUSTERLOOM_MPI_RANKS, {"checks", chunk});
  QVERIFY2(ended.status == 0, qPrintable(ended.output + ended.errors));
  QCOMPARE(ended.output, QString("fine\n"));
}

void TestMpiCommunicator::errorsReachAllRanks_data() {
  QTest::addColumn<int>("ranks");
  QTest::addColumn<QString>("what");
  QTest::addColumn<QString>("message");
  for (const int ranks : {2, 3, 5}) {
    QTest::addRow("%d, waiting", ranks) << ranks << "fail"
                                        << "part.npy cannot be read.";
    QTest::addRow("%d, computing", ranks) << ranks << "compute"
                                          << "no memory";
    QTest::addRow("%d, unequal", ranks) << ranks << "unequal"
                                        << "another length";
  }
}

void TestMpiCommunicator::errorsReachAllRanks() {
  QFETCH(int, ranks);
  QFETCH(QString, what);
  QFETCH(QString, message);
  const RanksEnded ended = runRanks(ranks, CLUSTERLOOM_MPI_RANKS, {what});
  QCOMPARE(ended.status, 1);
  QVERIFY2(ended.output.startsWith(QString("Rank %1 on ").arg(ranks - 1)),
           qPrintable(ended.output));
  QVERIFY2(ended.output.contains(message), qPrintable(ended.output));
}

void TestMpiCommunicator::stopReachesAllRanks() {
  const RanksEnded ended = runRanks(3, CLUSTERLOOM_MPI_RANKS, {"stop"});
  QCOMPARE(ended.status, 130);
  QCOMPARE(ended.output, QString("stopped\n"));
}

APPLESS_TEST(TestMpiCommunicator);
#include "tst_mpi_communicator.moc"
