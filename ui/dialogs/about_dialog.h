#pragma once

#include <QDialog>

namespace clusterloom {

/// What this program is, its version, its licence and what it is made with.
class AboutDialog : public QDialog {
  Q_OBJECT

 public:
  explicit AboutDialog(const QString& backend, QWidget* parent = nullptr);
};

}  // namespace clusterloom
