// The states that undo and redo go through.
#include <QSignalSpy>
#include <QTest>

#include "tests/test_program.h"
#include "ui/session/undo_stack.h"

using namespace clusterloom;

namespace {

Parameters withEps(double eps) {
  Parameters parameters;
  parameters.dbscan.eps = eps;
  return parameters;
}

Parameters withMinPts(Parameters parameters, std::int64_t minPts) {
  parameters.dbscan.minPts = minPts;
  return parameters;
}

}  // namespace

class TestSessionUndo : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void stepsGoBackAndForth() {
    UndoStack stack(nullptr);
    std::vector<double> applied;
    connect(&stack, &UndoStack::moved, this,
            [&](const Parameters& to) { applied.push_back(to.dbscan.eps); });
    QVERIFY(!stack.canUndo() && !stack.canRedo() && stack.current() == nullptr);
    stack.push(withEps(1), withEps(2), "two", false);
    stack.push(withEps(2), withEps(3), "three", false);
    QCOMPARE(stack.count(), 2);
    QCOMPARE(stack.undoText(), QString("three"));
    QCOMPARE(stack.redoText(), QString());
    stack.undo();
    QCOMPARE(stack.undoText(), QString("two"));
    QCOMPARE(stack.redoText(), QString("three"));
    stack.setIndex(0);
    stack.setIndex(2);
    stack.setIndex(0);
    stack.redo();
    QCOMPARE(applied, (std::vector<double>{2, 1, 3, 1, 2}));
    // A new step takes the place of those that are undone.
    stack.push(withEps(2), withEps(9), "nine", false);
    QCOMPARE(stack.count(), 2);
    QVERIFY(!stack.canRedo());
    QVERIFY(*stack.current() == withEps(9));
    QVERIFY(stack.drop() == withEps(2));
    QCOMPARE(stack.index(), 1);
    QCOMPARE(stack.count(), 1);
    stack.clear();
    QVERIFY(!stack.canUndo());
  }

  void anAwaitedEpsBelongsToItsStep() {
    UndoStack stack(nullptr);
    std::vector<std::optional<bool>> awaited;
    connect(&stack, &UndoStack::moved, this,
            [&](const Parameters&, std::optional<bool> awaits) { awaited.push_back(awaits); });
    stack.push(withEps(1), withEps(2), "before", false);
    stack.push(withEps(2), withMinPts(withEps(2), 7), "units", true);
    stack.push(withMinPts(withEps(2), 7), withMinPts(withEps(2), 8), "minPts", false);
    stack.setIndex(1);
    stack.setIndex(3);
    QCOMPARE(awaited, (std::vector<std::optional<bool>>{false, true}));
    stack.settleEps(50);
    QCOMPARE(stack.current()->dbscan.eps, 50.0);
    stack.undo();
    QCOMPARE(stack.current()->dbscan.eps, 50.0);
    stack.undo();
    QCOMPARE(stack.current()->dbscan.eps, 2.0);
    stack.redo();
    QCOMPARE(stack.current()->dbscan.eps, 50.0);
    QCOMPARE(awaited.size(), std::size_t(5));
    QVERIFY(!awaited.back());  // it is known by now
  }

  void stepsThatChangeNothingAreGone() {
    UndoStack stack(nullptr);
    Parameters kept = withEps(1);
    kept.kept = std::make_shared<const std::vector<std::uint32_t>>(1, 4U);
    Parameters both = kept;
    both.dbscan.minPts = 9;
    stack.push(withEps(1), kept, "points", false);
    stack.push(kept, both, "minPts", false);
    const QSignalSpy moved(&stack, &UndoStack::moved);
    stack.rewrite([](Parameters& state) { state.kept.reset(); });
    QCOMPARE(stack.count(), 1);
    QCOMPARE(stack.index(), 1);
    QCOMPARE(stack.undoText(), QString("minPts"));
    QCOMPARE(moved.count(), 0);
    QVERIFY(*stack.current() == withMinPts(withEps(1), 9));
  }

  /// A step is named after what it changes.
  void namesOfSteps() {
    const Parameters before = withEps(1);
    QCOMPARE(stepText(before, withEps(2.5)), QString("ε 2.5"));
    QCOMPARE(stepText(before, withMinPts(before, 1200)), QString("minPts 1,200"));
    Parameters after = before;
    after.strategy.indexedDims = 3;
    QCOMPARE(stepText(before, after), QString("3 indexed dimensions"));
    QCOMPARE(stepText(after, before), QString("Indexed dimensions automatic"));
    after.strategy.pattern = AccessPattern::Unicomp;
    QCOMPARE(stepText(before, after), QString("Strategy"));
    after = before;
    after.space.periods = {1, 0};
    after.scaling.kind = Scaling::Kind::Unit;
    QCOMPARE(stepText(before, after), QString("Distances"));
    after.dbscan.eps = 3;
    QCOMPARE(stepText(before, after), QString("ε 3"));
    QCOMPARE(differenceText(after, before), QString("ε 3, other distances, another scaling"));
  }
};

APPLESS_TEST(TestSessionUndo);
#include "tst_session_undo.moc"
