#pragma once

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QTemporaryDir>
#include <algorithm>
#include <functional>
#include <memory>

#include "window_help.h"

/// Fixture of tests of the window: a folder, a session and a window.
class ShownWindow {
 protected:
  ShownWindow() = default;
  ~ShownWindow() { closeWindow(); }

  /// Makes all three anew; `before` may change the window before it is shown, `makeBackends` stands
  /// in for the engine's backends. False when it does not come.
  bool showWindow(const QSize& size,
                  const std::function<void(clusterloom::MainWindow&)>& before = {},
                  const clusterloom::BackendMaker& makeBackends = clusterloom::makeBackend) {
    closeWindow();
    directory_ = std::make_unique<QTemporaryDir>();
    if (!directory_->isValid()) return false;
    session_ = std::make_unique<clusterloom::Session>(nullptr, directory_->filePath("autosave"),
                                                      makeBackends);
    window_ = std::make_unique<clusterloom::MainWindow>(*session_,
                                                        clusterloom::MainWindow::Memory::Forget);
    if (before) before(*window_);
    window_->resize(size);
    window_->show();
    return activate(*window_);
  }
  /// A file of the folder.
  QString path(const QString& name) const { return directory_->filePath(name); }
  /// Opens the squares (writeSquares), minPts 4; false when they do not settle.
  bool openSquares(double eps = 1.5) {
    clusterloom::OpenRequest request;
    request.path = writeSquares(directory_->path());
    request.eps = eps;
    request.minPts = 4;
    window_->openRequest(request);
    return waitUntilSettled(*window_);
  }
  void dropOn(const QMimeData& data, Qt::KeyboardModifiers keys = Qt::NoModifier) {
    QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, keys);
    QCoreApplication::sendEvent(window_.get(), &enter);
    QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, keys);
    QCoreApplication::sendEvent(window_.get(), &drop);
  }
  /// Where a drawn point is in the view, in widget coordinates.
  QPoint positionOf(std::uint32_t point) const {
    clusterloom::CloudScene& scene = window_->cloudView()->scene();
    const clusterloom::DisplayPoints& points = *scene.points();
    const clusterloom::ViewTransform view = scene.viewTransform();
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (points.order[i] != point) continue;
      double clip[4];
      for (std::size_t row = 0; row < 4; ++row) {
        clip[row] = view.worldToClip[4 * row + 3];
        for (std::size_t axis = 0; axis < 3; ++axis) {
          clip[row] += view.worldToClip[4 * row + axis] * double(points.xyz[3 * i + axis]);
        }
      }
      const double ratio = window_->cloudView()->devicePixelRatioF();
      return QPoint(qRound((clip[0] / clip[3] + 1) / 2 * view.width / ratio),
                    qRound((1 - (clip[1] / clip[3] + 1) / 2) * view.height / ratio));
    }
    return {};
  }
  /// No other window is left; the window gets the keyboard back, which is the work of a window
  /// manager and of nobody on Qt's offscreen platform.
  bool isBack() {
    const bool alone = waitUntil([&] {
      const auto windows = QApplication::topLevelWidgets();
      return std::none_of(windows.begin(), windows.end(), [&](const QWidget* window) {
        return window->isVisible() && window != window_.get();
      });
    });
    return alone && activate(*window_);
  }
  void closeWindow() {
    window_.reset();
    session_.reset();
    directory_.reset();
  }

  std::unique_ptr<QTemporaryDir> directory_;
  std::unique_ptr<clusterloom::Session> session_;
  std::unique_ptr<clusterloom::MainWindow> window_;
};
