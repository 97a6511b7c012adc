#pragma once

#include <QHash>
#include <QWidget>

#include "ui/jobs/job_queue.h"
#include "ui/words/qt_classes.h"

namespace clusterloom {

class Session;

/// The status line: points, clusters, noise, time, backend; the running job, its progress, and a
/// button that stops it.
class StatusStrip : public QWidget {
  Q_OBJECT

 public:
  explicit StatusStrip(Session& session, QWidget* parent = nullptr);
  QString summary() const;
  QString jobText() const;

 private:
  void showSummary();
  void showJobs();

  Session& session_;
  QLabel* summary_;
  QLabel* job_;
  QProgressBar* progress_;
  QToolButton* cancel_;
  QTimer* later_;
};

}  // namespace clusterloom
