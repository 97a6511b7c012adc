#pragma once

#include <QUndoCommand>

#include "ui/session/parameters.h"

namespace clusterloom {

class Session;

/// One settled change of the parameters.
class ParametersCommand : public QUndoCommand {
 public:
  ParametersCommand(Session& session, const Parameters& before, const Parameters& after,
                    const QString& text);
  void undo() override;
  void redo() override;
  const Parameters& after() const { return after_; }
  /// The data answered the change with an ε of its own (see Session::setScaling): it belongs to the
  /// same step.
  void amendEps(double eps) { after_.dbscan.eps = eps; }

 private:
  Session& session_;
  Parameters before_;
  Parameters after_;
};

}  // namespace clusterloom
