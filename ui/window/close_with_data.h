#pragma once

class QDialog;

namespace clusterloom {

class SessionData;

/// Closes a dialog about the data on show when they are replaced or another file is being read.
void closeWithData(QDialog& dialog, const SessionData& data);

}  // namespace clusterloom
