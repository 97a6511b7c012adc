#pragma once

#include <QUndoCommand>

#include "ui/session/parameters.h"

namespace clusterloom {

class Session;

/// One settled change of the parameters. A change of the scaling `awaitsEps`: the suggested ε that
/// follows belongs to the same step.
class ParametersCommand : public QUndoCommand {
 public:
  ParametersCommand(Session& session, const Parameters& before, const Parameters& after,
                    const QString& text, bool awaitsEps = false);
  void undo() override;
  void redo() override;
  const Parameters& before() const { return before_; }
  const Parameters& after() const { return after_; }
  bool awaitsEps() const { return awaitsEps_; }

  /// The ε is known. Steps made while it was awaited carry it too (see Session::adoptEps).
  void amendBefore(double eps) { before_.dbscan.eps = eps; }
  void amendAfter(double eps) { after_.dbscan.eps = eps; }
  void settle() { awaitsEps_ = false; }

 private:
  Session& session_;
  Parameters before_;
  Parameters after_;
  bool awaitsEps_;
};

}  // namespace clusterloom
