#include "ui/session/parameters_command.h"

#include "ui/session/session.h"

namespace clusterloom {

ParametersCommand::ParametersCommand(Session& session, const Parameters& before,
                                     const Parameters& after, const QString& text)
    : QUndoCommand(text), session_(session), before_(before), after_(after) {}

void ParametersCommand::undo() { session_.applyParameters(before_); }

void ParametersCommand::redo() { session_.applyParameters(after_); }

}  // namespace clusterloom
