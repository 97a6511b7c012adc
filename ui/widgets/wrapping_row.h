#pragma once

#include <QLayout>
#include <vector>

namespace clusterloom {

/// Puts widgets side by side and goes on in a further line where the width does not suffice, so
/// that a row of controls needs no more width than its widest one. A widget with the size policy
/// Ignored takes the rest of its line.
class WrappingRow : public QLayout {
 public:
  explicit WrappingRow(QWidget* parent = nullptr);
  ~WrappingRow() override;

  /// A label and its field, which stay in one line; the label becomes the field's buddy.
  void addField(const QString& label, QWidget* field);

  void addItem(QLayoutItem* item) override;
  int count() const override;
  QLayoutItem* itemAt(int index) const override;
  QLayoutItem* takeAt(int index) override;
  QSize sizeHint() const override;
  QSize minimumSize() const override;
  bool hasHeightForWidth() const override;
  int heightForWidth(int width) const override;
  void setGeometry(const QRect& rect) override;

 private:
  /// Returns the height of what is placed in `rect`; moves the items if `moves`.
  int place(const QRect& rect, bool moves) const;

  std::vector<QLayoutItem*> items_;
};

}  // namespace clusterloom
