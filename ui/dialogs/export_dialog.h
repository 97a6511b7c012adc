#pragma once

#include <QDialog>
#include <QString>

#include "ui/view/picture_drawing.h"
#include "ui/words/qt_classes.h"

namespace clusterloom {

class PictureFields;

/// The content and the target of an export.
struct ExportChoice {
  enum class What {
    AllPoints,  ///< with a line for each row of the input
    KeptPoints,
    KeptRows,  ///< of the file of which some rows are open
    SelectedClusters,
    SelectedPoints,
    SelectedRows,  ///< of the file of which some rows are open
    AddedPoints,   ///< of another file, with the labels that they have by the clusters
    ClusterTable,
    Picture
  };
  What what = What::AllPoints;
  QString path;
  bool provenance = false;  ///< off by default, as in clusterloom-cli
  PictureSize picture;      ///< of What::Picture
};

/// Asks what to export. Window modal; the writing is a job of the session.
class ExportDialog : public QDialog {
  Q_OBJECT

 public:
  /// `suggestedPath` has no extension; `selectedClusters` is how many are selected; `inputs` are
  /// the open files, which are refused as targets; `view` is the size of the view in logical
  /// pixels.
  ExportDialog(const QString& suggestedPath, int selectedClusters, const QStringList& inputs,
               const QSize& view, QWidget* parent = nullptr);

  ExportChoice choice() const;
  void setWhat(ExportChoice::What what);
  void setPath(const QString& path);
  /// Offers the points that take part as a separate file (`kept` of `whole` points), and the
  /// selected points (0: none).
  void offerPoints(std::size_t kept, std::size_t whole, std::size_t selected);
  /// Offers the rows selected among all of the file, and those that take part (0: none).
  void offerRows(std::size_t selected, std::size_t kept, bool areLabelled);
  /// Offers the points added to the cloud (0: none).
  void offerAddedPoints(std::size_t added);
  /// `extension` without the dot; one that is not offered changes nothing.
  void setFormat(const QString& extension);
  /// Says what is exported where that is not obvious; empty: nothing.
  void setNote(const QString& note);

 private:
  void showFormats();
  /// The name takes the extension of the format.
  void followFormat();
  /// The format becomes that of the name's extension, where it is offered.
  void followName();
  /// Without the dot, before that of a compression, in lower case.
  QString suffixOfName() const;
  void check();
  /// Whether the name has the extension of the format, before that of a compression.
  bool nameFits() const;
  void browse();

  QStringList inputs_;
  QLabel* note_;
  QComboBox* what_;
  QComboBox* format_;
  QLineEdit* path_;
  QCheckBox* provenance_;
  PictureFields* picture_;
  QLabel* hint_;
  QPushButton* export_;
};

}  // namespace clusterloom
