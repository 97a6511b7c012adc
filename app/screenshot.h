#pragma once

#include <QObject>
#include <QSize>
#include <QString>
#include <vector>

#include "ui/window/main_window.h"

class QTimer;

namespace clusterloom {

/// How a window is drawn into a picture of the size `pixels`.
struct WindowScale {
  double factor = 1;  ///< device pixels per logical pixel
  QSize window;       ///< logical pixels: at least those wanted, in the proportions of the picture
};
WindowScale scaleTo(const QSize& pixels, const QSize& window);

/// Saves a picture of the window when everything requested is on the screen, then ends the program
/// with 0; with 1 and the reason when the work failed, when all jobs have ended without a result,
/// or when none came within five minutes. It shows the window as it is and changes nothing but the
/// requested selection.
class Screenshot : public QObject {
  Q_OBJECT

 public:
  /// `expectResult`: wait for a clustering (else for an empty window). `pixels`: of the picture;
  /// invalid: those of the window.
  Screenshot(MainWindow& window, const QString& path, const QSize& pixels, bool expectResult,
             std::vector<std::int32_t> select);

 private:
  void look();
  void save();
  void giveUp(const QString& why);

  MainWindow& window_;
  QString path_;
  QSize pixels_;
  bool expectResult_;
  std::vector<std::int32_t> select_;
  QTimer* timer_;
  int calm_ = 0;
  int idle_ = 0;
  int waited_ = 0;
};

}  // namespace clusterloom
