#pragma once

#include <QWidget>

#include "engine/cloud/generators.h"
#include "ui/session/recent_files.h"

namespace clusterloom {

class RecentButton;

/// The content of an empty window: open a file, drop one here, open a recent one, take a sample, or
/// learn.
class WelcomePage : public QWidget {
  Q_OBJECT

 public:
  explicit WelcomePage(QWidget* parent = nullptr);
  /// Shows whether a dragged file may be dropped here.
  void setDropHover(bool hover);
  /// The files to offer, newest first; of more than fit the newest are shown.
  void setRecent(const std::vector<RecentFile>& files);

 Q_SIGNALS:
  void openRequested();
  void recentRequested(const clusterloom::RecentFile& file);
  void sampleRequested(const clusterloom::GeneratorSpec& spec);
  void guideRequested();
  void lessonsRequested();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void makeRecent(QWidget* column);
  QLayout* makeSamples(QWidget* column);
  QLayout* makeLearning(QWidget* column);

  bool dropHover_ = false;
  QWidget* recent_;
  std::vector<RecentButton*> recentButtons_;
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
