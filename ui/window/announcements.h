#pragma once

#include <QHash>
#include <QObject>
#include <QTimer>
#include <cstdint>
#include <memory>
#include <set>

#include "ui/session/session_parts.h"
#include "ui/view/announcer.h"

namespace clusterloom {

class MessageBar;

/// The announcements of a window to assistive technology: open data, results, the progress of long
/// jobs, hidden clusters, and the messages of its bar. A window behind another one announces errors
/// only.
class Announcements : public QObject {
  Q_OBJECT

 public:
  Announcements(Session& session, MessageBar& messages, QWidget& window);

 private:
  void say(Announcer::Topic topic, const QString& text);
  void sayData();
  void sayResult();
  void sayProgress();
  void sayHidden();

  Session& session_;
  QWidget& window_;
  std::weak_ptr<const ClusterResult> said_;
  std::set<std::int32_t> hidden_;
  QTimer progress_;  ///< runs while a job does of which progress is told
};

}  // namespace clusterloom
