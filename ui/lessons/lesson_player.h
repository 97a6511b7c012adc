#pragma once

#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>

#include "ui/jobs/derived_result.h"
#include "ui/lessons/lesson.h"
#include "ui/lessons/lesson_facts.h"
#include "ui/session/session_parts.h"

namespace clusterloom {

/// Plays a lesson on a session: sets up cloud, parameters and the picked warp of each step, keeps
/// the numbers of its text up to date with the session, and checks whether the text is still true.
class LessonPlayer : public QObject {
  Q_OBJECT

 public:
  /// `gpu` measures the numbers in texts about a GPU; where it cannot be made, these texts are left
  /// out.
  LessonPlayer(Session& session, std::shared_ptr<BackendSlot> gpu);

  /// Begins with the first step.
  void open(const Lesson& lesson);
  /// Does nothing for a step that does not exist.
  void goTo(int step);
  /// Null before a lesson is open.
  const Lesson* lesson() const { return lesson_ ? &*lesson_ : nullptr; }
  int stepNumber() const { return step_; }
  const LessonStep& step() const { return lesson_->steps[std::size_t(step_)]; }

  /// Sets the step up again, with a new copy of its cloud.
  void restore();

  /// The numbers of the step, those of the picked warp among them; empty while they are computed.
  FactTable facts() const;
  /// False while the numbers are being computed.
  bool areFactsCurrent() const;
  /// Why the text is not true for the current session: claims that fail, and changed settings of
  /// the step that the text mentions. Empty where it is true, or not known yet.
  QStringList objections() const;
  /// Claims of the lesson that do not even hold for the settings of their own step, "step 2: wee <
  /// 0.3". Found in the background when a lesson is opened that did not come with the program.
  QStringList falseClaims() const;
  /// Why there are no numbers, for display; empty without an error.
  QString failure() const { return failure_; }

 Q_SIGNALS:
  void stepChanged();    ///< another step or lesson, or the same step set up again
  void restored();       ///< the same step is set up again
  void factsChanged();   ///< facts(), whether they are current, or objections()
  void claimsChecked();  ///< falseClaims()
  void warpReady();      ///< the step's warp is picked and its trace is there

 private:
  std::optional<FactQuestion> question() const;
  QStringList changedSettings() const;
  void checkClaims();
  void setUp(bool openAgain);
  void begin(bool openAgain);
  void setUpDisplay();
  void ask();
  void compute();
  void pickWarp();

  Session& session_;
  std::shared_ptr<BackendSlot> gpu_;
  std::optional<Lesson> lesson_;
  int step_ = 0;
  GeneratorSpec opened_;         ///< the cloud that was opened last
  bool displayPending_ = false;  ///< the step's way of showing waits for its cloud
  bool pickPending_ = false;     ///< the step's warp is still to be picked
  bool lightPending_ = false;    ///< it is picked; its trace is being computed
  DerivedResult<LessonFacts, FactQuestion> facts_;
  QString failure_;
  std::vector<QStringList> falseClaims_;  ///< of each step; empty where they are not known
  QTimer restTimer_;
  bool settingUp_ = false;  ///< a step's settings are only partly made
};

}  // namespace clusterloom
