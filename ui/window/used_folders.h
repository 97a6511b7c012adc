#pragma once

#include <QString>

namespace clusterloom {

/// Where files were opened and written last; remembered by the window.
struct UsedFolders {
  QString opened;
  QString exports;  ///< empty: that of the data
  QString format;   ///< extension of the points or table exported last, without the dot

  const QString& forExports() const { return exports.isEmpty() ? opened : exports; }
};

}  // namespace clusterloom
