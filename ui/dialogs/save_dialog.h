#pragma once

#include <QString>
#include <functional>

class QWidget;

namespace clusterloom {

/// What a person can save beside a table: the table itself, or a picture of it.
enum class SaveKind { Csv, Png };

/// Asks where to save and calls `save` with the path; calls nobody when the person thinks better of
/// it. Returns at once.
void askWhereToSave(QWidget* parent, SaveKind kind, std::function<void(const QString& path)> save);

}  // namespace clusterloom
