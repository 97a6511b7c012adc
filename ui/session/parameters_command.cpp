#include "ui/session/parameters_command.h"

#include "ui/session/session.h"
#include "ui/session/session_data.h"

namespace clusterloom {

ParametersCommand::ParametersCommand(Session& session, const Parameters& before,
                                     const Parameters& after, const QString& text, bool awaitsEps)
    : QUndoCommand(text),
      session_(session),
      before_(before),
      after_(after),
      awaitsEps_(awaitsEps) {}

void ParametersCommand::undo() {
  if (awaitsEps_) session_.data().setAwaitsEps(false);
  session_.applyParameters(before_);
}

void ParametersCommand::redo() {
  if (awaitsEps_) session_.data().setAwaitsEps(true);
  session_.applyParameters(after_);
}

}  // namespace clusterloom
