#pragma once

#include <QAccessible>
#include <QStringList>
#include <QtTest>

#include "ui/view/announcer.h"
#include "window_help.h"

/// Collects what is announced. Qt passes events to no one on its offscreen platform, so these are
/// the announcements themselves.
class Observer {
 public:
  Observer() {
    QObject::connect(&clusterloom::Announcer::ofApplication(), &clusterloom::Announcer::announced,
                     &context_, [this](const QString& text) { said << text; });
  }

  /// Waits until a text is announced that contains this; forgets it and what came before.
  bool hears(const QString& text) {
    const auto at = [&] {
      for (qsizetype i = 0; i < said.size(); ++i)
        if (said[i].contains(text)) return i;
      return qsizetype(-1);
    };
    if (!waitUntil([&] { return at() >= 0; })) {
      qWarning("\"%s\" was not heard, but: %s", qPrintable(text), qPrintable(said.join(" | ")));
      return false;
    }
    said = said.mid(at() + 1);
    return true;
  }

  QStringList said;

 private:
  QObject context_;
};

/// Calls visit(interface) for an object and all that is shown within it; not for the cells of
/// tables, lists and trees.
template <class Visit>
void visitAccessible(QAccessibleInterface* interface, const Visit& visit) {
  if (interface == nullptr || !interface->isValid() || interface->state().invisible) return;
  visit(*interface);
  const QAccessible::Role role = interface->role();
  if (role == QAccessible::Table || role == QAccessible::Tree || role == QAccessible::List) return;
  for (int child = 0; child < interface->childCount(); ++child)
    visitAccessible(interface->child(child), visit);
}
