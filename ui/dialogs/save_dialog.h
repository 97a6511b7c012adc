#pragma once

#include <QString>
#include <functional>

class QWidget;

namespace clusterloom {

/// What a person can save: a table, a picture of it, or a copy of a lesson.
enum class SaveKind { Csv, Png, Lesson };

/// Asks where to save and calls `save` with the path; calls nobody when the person thinks better of
/// it. Returns at once.
void askWhereToSave(QWidget* parent, SaveKind kind, std::function<void(const QString& path)> save);

}  // namespace clusterloom
