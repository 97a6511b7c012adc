#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "engine/cloud/dataset.h"
#include "session_waits.h"
#include "shown_window.h"
#include "ui/session/cluster_run.h"
#include "ui/session/file_levels.h"
#include "ui/view/cloud_view.h"

namespace clusterloom {

/// A window with a file of which one row of five is open.
class LevelsWindow : protected ShownWindow {
 protected:
  static constexpr std::uint64_t kEvery = 5;
  static constexpr std::size_t kRows = 60000;

  /// Two dense squares and noise.
  static Dataset rows(std::size_t dims = 2) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> anywhere(0, 60);
    std::uniform_real_distribution<double> dense(0, 8);
    Dataset data;
    data.inputRows = kRows;
    for (std::size_t j = 0; j < dims; ++j) {
      data.columnOrder.push_back(j);
      data.cloud.names.push_back(std::string(1, "xyz"[j]));
    }
    data.cloud.columns.assign(dims, std::vector<double>(kRows));
    for (std::size_t i = 0; i < kRows; ++i)
      for (auto& column : data.cloud.columns)
        column[i] = i % 8 == 7 ? anywhere(random) : (i % 4 == 0 ? 5 : 35) + dense(random);
    return data;
  }
  bool open() {
    OpenRequest request;
    request.path = path("cloud.npy");
    request.read.every = kEvery;
    request.eps = 0.5;
    request.minPts = 6;
    window_->openRequest(request);
    return waitUntilSettled(*window_) && waitUntilIdle(*session_) && waitUntilSettled(*window_);
  }
  FileLevels& levels() const { return session_->fileLevels(); }
  CloudScene& scene() const { return window_->cloudView()->scene(); }
  bool isDrawn() const {
    return levels().stored() && scene().storedPoints() == levels().stored() &&
           window_->cloudView()->isSettled() && scene().drawnStoredPoints() == kRows;
  }
};

}  // namespace clusterloom
