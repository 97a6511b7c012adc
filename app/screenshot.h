#pragma once

#include <QObject>
#include <QString>
#include <vector>

#include "ui/window/main_window.h"

class QTimer;

namespace clusterloom {

/// Saves a picture of the window when everything asked for is on the screen, then ends the program
/// with 0; with 1 when the work failed or nothing came within five minutes. It looks at the window
/// as a person would and touches nothing but the selection it was asked to make.
class Screenshot : public QObject {
  Q_OBJECT

 public:
  /// `expectResult`: wait for a clustering (else for an empty window).
  Screenshot(MainWindow& window, const QString& path, bool expectResult,
             std::vector<std::int32_t> select);

 private:
  void look();
  void save();

  MainWindow& window_;
  QString path_;
  bool expectResult_;
  std::vector<std::int32_t> select_;
  QTimer* timer_;
  int calm_ = 0;
  int waited_ = 0;
};

}  // namespace clusterloom
