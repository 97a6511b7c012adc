#pragma once

class QApplication;

namespace clusterloom {

struct WindowOptions;

/// Settings that must be made before the QApplication of runHandout.
void prepareHandout();

/// Writes the files of a lesson that the call asks for, without a window, and says on standard
/// error what is wrong; the exit status. In the language that the call names, else in that of the
/// lesson.
int runHandout(QApplication& application, const WindowOptions& options);

}  // namespace clusterloom
