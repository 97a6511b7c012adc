// What the window says of an ε in words.
#include <QtTest/QtTest>
#include <limits>

#include "tests/test_program.h"
#include "ui/session/eps_words.h"
#include "ui/session/suggestion.h"

using namespace clusterloom;

class TestEpsWords : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  /// Small clusters are named where only they change nearby.
  void stability() {
    EpsAdvice advice{.clusters = 9,
                     .noise = 600,
                     .largest = 20'000,
                     .from = 1,
                     .to = 2,
                     .below = 8,
                     .above = 7,
                     .flags = {}};
    const auto text = [&] { return adviceText(advice, 120'000); };
    QVERIFY2(text().contains("9 clusters from ε 1 to 2"), qPrintable(text()));
    QVERIFY2(text().contains("Stable; 0.5"), qPrintable(text()));
    advice.numberChangesNearby = true;
    QVERIFY2(text().contains("Stable except for clusters below half a percent; 0.5"),
             qPrintable(text()));
    advice.flags = {EpsFlag::Unstable};
    QVERIFY2(text().contains("Unstable") && !text().contains("Stable"), qPrintable(text()));
    advice = {.clusters = 0, .noise = 120'000, .from = 0.5, .to = 2, .flags = {EpsFlag::AllNoise}};
    QVERIFY2(text().contains("ε is too small"), qPrintable(text()));
    advice.from = 0;  // at every ε
    advice.to = std::numeric_limits<double>::infinity();
    QVERIFY2(text().contains("minPts is too large"), qPrintable(text()));
  }

  /// What the first ε is taken from, where it is not from the runs' own distances of all points.
  void reasons() {
    Suggestion suggestion;
    suggestion.minPts = 8;
    suggestion.stable = Plateau{.from = 1200, .to = 2600, .clusters = 5};
    const auto text = [&] { return reasonText(suggestion); };
    const auto tip = [&] { return reasonTip(suggestion, 2000); };
    suggestion.isExact = true;
    QCOMPARE(text(), QString("most stable: 5 larger clusters, ε 1200 to 2600"));
    suggestion.isExact = false;
    QCOMPARE(text(), QString("most stable: about 5 larger clusters"));
    QVERIFY2(!tip().contains("part of the points"), qPrintable(tip()));
    suggestion.isOfSample = true;
    QVERIFY2(tip().contains("part of the points"), qPrintable(tip()));
    suggestion.isUnwrapped = true;
    QCOMPARE(text(), QString("without the period: about 5 larger clusters"));
    QVERIFY2(tip().contains("faces of the box"), qPrintable(tip()));
  }
};

GUILESS_TEST(TestEpsWords);
#include "tst_eps_words.moc"
