#pragma once

#include <QString>
#include <functional>

class QWidget;

namespace clusterloom {

/// What is to be saved, as a file dialog says it: its title, the filter of its files ("Lessons
/// (*.json)"), the extension without dot.
struct SaveKind {
  QString title;
  QString filter;
  QString suffix;
};

/// Asks where to save and calls `save` with the path; calls nothing when the dialog is cancelled.
/// Returns at once.
void askWhereToSave(QWidget* parent, const SaveKind& kind,
                    std::function<void(const QString& path)> save);

}  // namespace clusterloom
