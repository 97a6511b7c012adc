#pragma once

#include <QAction>
#include <QFile>
#include <QFileInfo>
#include <QtTest>
#include <algorithm>
#include <memory>
#include <vector>

#include "shown_window.h"
#include "ui/panels/column_player_row.h"
#include "ui/session/session_data.h"
#include "ui/view/cloud_view.h"
#include "ui/view/column_player.h"
#include "ui/view/scene_content.h"

namespace columns {

using namespace clusterloom;

/// The numbers of the points that a view would draw.
inline std::vector<std::uint32_t> drawn(const SceneRequest& request) {
  const auto content = makeSceneContent(request, {});
  std::vector<std::uint32_t> points;
  if (!content) return points;
  const auto& order = content->drawn()->order;
  for (std::size_t i = 0; i < order.size(); ++i)
    if (content->colours->layerOf(i) != DrawLayer::Hidden) points.push_back(order[i]);
  std::sort(points.begin(), points.end());
  return points;
}

inline SceneRequest requestOf(const PointCloud& cloud) {
  SceneRequest request;
  request.cloud = std::make_shared<const PointCloud>(cloud);
  request.axes = viewAxesOf(DisplayState(), cloud.dims());
  return request;
}

/// Fixture of tests of a column that is played.
class ColumnWindow : protected ShownWindow {
 protected:
  ColumnPlayer& player() { return window_->cloudView()->player(); }
  template <class W>
  W* widget(const char* name) {
    return window_->findChild<ColumnPlayerRow*>()->findChild<W*>(QLatin1String(name));
  }
  QAction* action() { return window_->findChild<QAction*>("playColumn"); }
  /// Opens "x,y,NAME" rows with the values as third column.
  bool open(const QStringList& values, const char* column = "t", const char* file = "cloud.csv") {
    const QString path = directory_->filePath(QLatin1String(file));
    QFile out(path);
    if (!out.open(QIODevice::WriteOnly)) return false;
    out.write("x,y,");
    out.write(column);
    out.write("\n");
    for (int i = 0; i < values.size(); ++i)
      out.write(QStringLiteral("%1,%2,%3\n").arg(i % 7).arg(i / 7).arg(values[i]).toUtf8());
    out.close();
    OpenRequest request;
    request.path = path;
    request.eps = 1.5;
    request.minPts = 2;
    request.read.coordinates = {"x", "y"};
    window_->openRequest(request);
    return waitUntil(
               [&] { return QFileInfo(path) == QFileInfo(session_->data().source().path); }) &&
           waitUntilSettled(*window_);
  }
  bool playerReady() {
    return waitUntil([&] { return player().isReady(); }) && waitUntilSettled(*window_);
  }
  /// The points of the window that the view shows now.
  std::vector<std::uint32_t> shown() {
    SceneRequest request = requestOf(*session_->data().cloud());
    request.window = player().window();
    return drawn(request);
  }
};

}  // namespace columns
