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

Parameters withScaling(Parameters parameters, Scaling::Kind kind) {
  parameters.scaling.kind = kind;
  return parameters;
}

bool hasScaling(const Parameters& parameters, Scaling::Kind kind) {
  return parameters.scaling.kind == kind;
}

}  // namespace

class TestSessionUndo : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void stepsGoBackAndForth() {
    UndoStack stack(nullptr);
    std::vector<double> applied;
    connect(&stack, &UndoStack::moved, this,
            [&](const UndoState& to) { applied.push_back(to.parameters.dbscan.eps); });
    QVERIFY(!stack.canUndo() && !stack.canRedo() && stack.current() == nullptr);
    stack.push({withEps(1)}, {withEps(2)}, "two");
    stack.push({withEps(2)}, {withEps(3)}, "three");
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
    stack.push({withEps(2)}, {withEps(9)}, "nine");
    QCOMPARE(stack.count(), 2);
    QVERIFY(!stack.canRedo());
    QVERIFY(stack.current()->parameters == withEps(9));
    stack.clear();
    QVERIFY(!stack.canUndo());
  }

  void anAwaitedEpsBelongsToItsUnits() {
    UndoStack stack(nullptr);
    std::vector<bool> awaited;
    connect(&stack, &UndoStack::moved, this,
            [&](const UndoState& to) { awaited.push_back(to.awaitsEps); });
    const Parameters unit = withScaling(withEps(2), Scaling::Kind::Unit);
    const Parameters factors = withScaling(withEps(2), Scaling::Kind::Factors);
    stack.push({withEps(1)}, {withEps(2)}, "before");
    stack.push({withEps(2)}, {unit, true}, "units");
    stack.push({unit, true}, {withMinPts(unit, 7), true}, "minPts");
    stack.push({withMinPts(unit, 7), true}, {withMinPts(factors, 7), true}, "other units");
    // Only the state of the last units takes it.
    stack.settleEps(60);
    QCOMPARE(stack.current()->parameters.dbscan.eps, 60.0);
    stack.undo();
    stack.undo();
    QCOMPARE(awaited, (std::vector{true, true}));
    // The states of the units before, undone or not.
    stack.settleEps(50);
    stack.redo();
    QCOMPARE(stack.current()->parameters.dbscan.eps, 50.0);
    stack.redo();
    QCOMPARE(stack.current()->parameters.dbscan.eps, 60.0);
    stack.setIndex(2);
    QCOMPARE(stack.current()->parameters.dbscan.eps, 50.0);
    stack.setIndex(1);
    QCOMPARE(stack.current()->parameters.dbscan.eps, 2.0);
    QCOMPARE(awaited, (std::vector{true, true, false, false, false, false}));
  }

  /// What could not be applied is taken back in the direction it came from.
  void changesAreTakenBack() {
    using enum Scaling::Kind;
    UndoStack stack(nullptr);
    const auto isOf = [](Scaling::Kind kind) {
      return [kind](const Parameters& of) { return hasScaling(of, kind); };
    };
    const Parameters none = withEps(1);
    stack.push({none}, {withMinPts(none, 7)}, "minPts");
    stack.push({withMinPts(none, 7)}, {withScaling(none, Unit)}, "unit");
    stack.push({withScaling(none, Unit)}, {withScaling(none, ZScore)}, "z-score");
    QVERIFY(!stack.takeBack(isOf(Factors)));
    QCOMPARE(stack.count(), 3);
    // Two steps that were added.
    QVERIFY(stack.takeBack(isOf(None)));
    QVERIFY(stack.current()->parameters == withMinPts(none, 7));
    QCOMPARE(stack.count(), 1);
    stack.push({withMinPts(none, 7)}, {withScaling(none, Unit)}, "unit");
    // An undone step is redone, and the other way round: nothing is lost.
    stack.undo();
    QVERIFY(stack.takeBack(isOf(Unit)));
    QCOMPARE(stack.index(), 2);
    stack.setIndex(0);
    stack.setIndex(2);
    QVERIFY(stack.takeBack(isOf(None)));
    QCOMPARE(stack.index(), 1);
    QCOMPARE(stack.redoText(), QString("unit"));
    // Also where moves in both directions followed each other.
    stack.setIndex(2);
    stack.push({withScaling(none, Unit)}, {withScaling(none, ZScore)}, "z-score");
    stack.setIndex(1);
    stack.setIndex(2);
    QVERIFY(stack.takeBack(isOf(ZScore)));
    QCOMPARE(stack.index(), 3);
  }

  void stepsThatChangeNothingAreGone() {
    UndoStack stack(nullptr);
    Parameters kept = withEps(1);
    kept.kept = std::make_shared<const std::vector<std::uint32_t>>(1, 4U);
    Parameters both = kept;
    both.dbscan.minPts = 9;
    stack.push({withEps(1)}, {kept}, "points");
    stack.push({kept}, {both}, "minPts");
    const QSignalSpy moved(&stack, &UndoStack::moved);
    stack.rewrite([](Parameters& state) { state.kept.reset(); });
    QCOMPARE(stack.count(), 1);
    QCOMPARE(stack.index(), 1);
    QCOMPARE(stack.undoText(), QString("minPts"));
    QCOMPARE(moved.count(), 0);
    QVERIFY(stack.current()->parameters == withMinPts(withEps(1), 9));
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
    QCOMPARE(differenceText(after, before), QString("ε 3, a periodic box, another scaling"));
  }
};

APPLESS_TEST(TestSessionUndo);
#include "tst_session_undo.moc"
