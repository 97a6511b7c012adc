#pragma once

#include <QWidget>

#include "engine/cloud/generators.h"

namespace clusterloom {

/// What an empty window shows: open a file, drop one here, take a sample, or learn.
class WelcomePage : public QWidget {
  Q_OBJECT

 public:
  explicit WelcomePage(QWidget* parent = nullptr);
  /// Lets the page say that what hangs over it may be dropped.
  void setDropHover(bool hover);

 Q_SIGNALS:
  void openRequested();
  void sampleRequested(const clusterloom::GeneratorSpec& spec);
  void guideRequested();
  void lessonsRequested();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  bool dropHover_ = false;
};

/// A sample the program can make at once.
struct Sample {
  QString name;     ///< translated
  QString summary;  ///< translated, a few words
  QString icon;
  GeneratorSpec spec;
};
std::vector<Sample> samples();

}  // namespace clusterloom
