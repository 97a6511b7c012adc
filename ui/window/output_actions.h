#pragma once

#include <QObject>
#include <functional>

#include "ui/words/qt_classes.h"

namespace clusterloom {

class CloudView;
class FramesDialog;
class MessageBar;
class Session;
class WindowActions;
struct FrameOrder;
struct FrameSource;
struct PictureSize;
struct UsedFolders;

/// The entries of the menu File that write: sessions, exports, pictures, frames, and copied calls.
class OutputActions : public QObject {
  Q_OBJECT

 public:
  /// `viewState`: what a session keeps of the view.
  OutputActions(WindowActions& actions, Session& session, CloudView& view, MessageBar& messages,
                UsedFolders& folders, std::function<QByteArray()> viewState);

  void addTo(QMenu* menu);
  void saveSession(bool askForPath);
  /// Saves how the clusters grow with ε as a series of pictures.
  void saveGrowth();
  /// The same of the column that is played.
  void savePlayedColumn();

 Q_SIGNALS:
  /// No file was chosen for the session.
  void saveGivenUp();

 private:
  QMainWindow& window() const;
  void showExportDialog();
  /// Asks whether to export to `path` although its format cannot hold all of it: `losses` says what
  /// would be lost, one sentence each, and `anyway` is called to export with the loss.
  void askForLoss(const QString& path, const QStringList& losses,
                  const std::function<void()>& anyway);
  void showPictureDialog();
  void showFramesDialog(FramesDialog* dialog, const QString& name,
                        const std::function<FrameSource()>& source);
  void saveFrames(FrameOrder order, FrameSource source);
  /// Draws the view again in this size and writes it.
  void exportPicture(const QString& path, const PictureSize& size);
  void copyCall(const QString& call, const QString& copied);

  WindowActions& actions_;
  Session& session_;
  CloudView& view_;
  MessageBar& messages_;
  UsedFolders& folders_;
  std::function<QByteArray()> viewState_;
};

}  // namespace clusterloom
