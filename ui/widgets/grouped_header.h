#pragma once

#include <QHeaderView>
#include <QString>
#include <vector>

namespace clusterloom {

/// A heading over the columns `first` to `last` of a table.
struct HeaderGroup {
  QString title;
  int first = 0;
  int last = 0;
};

/// The header of a table with a line of headings above the titles of its columns. A heading stands
/// over the columns of its group that are on show, and is cut where they are narrower.
class GroupedHeader : public QHeaderView {
  Q_OBJECT

 public:
  explicit GroupedHeader(QWidget* parent = nullptr);

  void setGroups(std::vector<HeaderGroup> groups);
  const std::vector<HeaderGroup>& groups() const { return groups_; }
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const override;

 private:
  int bandHeight() const;

  std::vector<HeaderGroup> groups_;
};

}  // namespace clusterloom
