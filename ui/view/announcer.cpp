#include "ui/view/announcer.h"

#include <QAccessible>
#include <QApplication>
#include <QWidget>
#include <algorithm>
#include <utility>

#include "ui/view/data_words.h"

namespace clusterloom {

namespace {
constexpr int kApart = 1000;  // milliseconds from one announcement to the next
}  // namespace

Announcer& Announcer::ofApplication() {
  if (auto* made = qApp->findChild<Announcer*>({}, Qt::FindDirectChildrenOnly)) return *made;
  auto* announcer = new Announcer(qApp);
  announcer->next_.setSingleShot(true);
  connect(&announcer->next_, &QTimer::timeout, announcer, &Announcer::speakNext);
  return *announcer;
}

void Announcer::say(QWidget& about, Topic topic, const QString& text) {
  if (text.isEmpty()) return;
  std::erase_if(waiting_, [&](const Waiting& one) { return one.topic == topic; });
  if (topic == Topic::Error) return speak(about, text, true);
  waiting_.push_back({&about, topic, text});
  if (next_.isActive()) return;
  const qint64 passed = last_.isValid() ? last_.elapsed() : kApart;
  next_.start(int(std::max<qint64>(0, kApart - passed)));
}

void Announcer::speakNext() {
  std::erase_if(waiting_, [](const Waiting& one) { return one.about.isNull(); });
  if (waiting_.empty()) return;
  const Waiting first = std::move(waiting_.front());
  waiting_.erase(waiting_.begin());
  last_.start();
  if (!waiting_.empty()) next_.start(kApart);
  speak(*first.about, first.text, false);
}

void Announcer::speak(QWidget& about, const QString& text, bool urgent) {
  const QString spoken = cutForDisplay(text);
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
  QAccessibleAnnouncementEvent event(&about, spoken);
  event.setPoliteness(urgent ? QAccessible::AnnouncementPoliteness::Assertive
                             : QAccessible::AnnouncementPoliteness::Polite);
  QAccessible::updateAccessibility(&event);
#else
  Q_UNUSED(about)
#endif
  Q_EMIT announced(spoken, urgent);
}

}  // namespace clusterloom
