#pragma once

#include <QString>
#include <functional>

class QWidget;

namespace clusterloom {

/// What can be saved: a table, a picture of it, or a copy of a lesson.
enum class SaveKind { Csv, Png, Lesson };

/// Asks where to save and calls `save` with the path; calls nothing when the dialog is cancelled.
/// Returns at once.
void askWhereToSave(QWidget* parent, SaveKind kind, std::function<void(const QString& path)> save);

}  // namespace clusterloom
