// What leaves the session: exports, session files, autosaves.
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <cstring>
#include <utility>

#include "engine/io/write.h"
#include "render/gl/offscreen.h"
#include "ui/session/command_line.h"
#include "ui/session/session.h"
#include "ui/session/session_load.h"

namespace clusterloom {

void Session::exportLabelled(const QString& path, const std::vector<std::int32_t>& onlyClusters,
                             bool withProvenance) {
  if (!result_)
    return report(
        JobKind::Export,
        Error{ErrorKind::BadCall, tr("There are no clusters to export yet.").toStdString()}, path);
  jobs_.start(JobKind::Export, tr("Exporting %1").arg(QFileInfo(path).fileName()),
              [this, path, onlyClusters, withProvenance, dataset = dataset_, result = result_,
               scaling = scaling_](const Job& job) {
                WriteOptions options;
                options.onlyClusters = onlyClusters;
                if (withProvenance)
                  options.provenance = provenanceOf(*dataset, result->clustering, toText(scaling));
                const auto written = writeLabelled(path.toStdString(), *dataset, result->clustering,
                                                   options, job.task());
                job.deliver([this, path, written] {
                  if (!written) return report(JobKind::Export, written.error(), path);
                  Q_EMIT exported(path);
                });
              });
}

void Session::exportClusterTable(const QString& path, bool withProvenance) {
  if (!result_)
    return report(
        JobKind::Export,
        Error{ErrorKind::BadCall, tr("There are no clusters to export yet.").toStdString()}, path);
  jobs_.start(JobKind::Export, tr("Exporting %1").arg(QFileInfo(path).fileName()),
              [this, path, withProvenance, dataset = dataset_, result = result_,
               statistics = statistics_, scaling = scaling_](const Job& job) {
                const auto write = [&]() -> Result<void> {
                  Provenance provenance;
                  if (withProvenance)
                    provenance = provenanceOf(*dataset, result->clustering, toText(scaling));
                  if (statistics)
                    return writeClusterTable(path.toStdString(), *dataset, *statistics, provenance);
                  auto made = statisticsOf(dataset->cloud, result->clustering, job.task());
                  if (!made) return tl::unexpected(made.error());
                  return writeClusterTable(path.toStdString(), *dataset, *made, provenance);
                };
                const auto written = write();
                job.deliver([this, path, written] {
                  if (!written) return report(JobKind::Export, written.error(), path);
                  Q_EMIT exported(path);
                });
              });
}

void Session::exportBytes(const QString& path, const QByteArray& bytes) {
  jobs_.start<void>(
      JobKind::Export, tr("Exporting %1").arg(QFileInfo(path).fileName()),
      [path, bytes](const Task&) -> Result<void> {
        QSaveFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
          return fail(ErrorKind::Io, tr("%1: %2").arg(path, file.errorString()).toStdString());
        return {};
      },
      [this, path](Result<void> written) {
        if (!written) return report(JobKind::Export, written.error(), path);
        Q_EMIT exported(path);
      });
}

void Session::exportImage(const QString& path, const QImage& image) {
  const QImage shot = image.convertToFormat(QImage::Format_RGBA8888);
  jobs_.start<void>(
      JobKind::Export, tr("Writing the picture"),
      [path, shot](const Task&) {
        Image pixels;
        pixels.width = shot.width();
        pixels.height = shot.height();
        const std::size_t row = std::size_t(4) * std::size_t(pixels.width);
        pixels.rgba.resize(row * std::size_t(pixels.height));
        for (int y = 0; y < pixels.height; ++y)
          std::memcpy(pixels.rgba.data() + std::size_t(y) * row, shot.constScanLine(y), row);
        return writePng(path.toStdString(), pixels);
      },
      [this, path](Result<void> written) {
        if (!written) return report(JobKind::Export, written.error(), path);
        Q_EMIT exported(path);
      });
}

QString Session::commandLine() const { return dataset_ ? commandLineOf(state_) : QString(); }

void Session::saveSession(const QString& path) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
  jobs_.start<void>(
      JobKind::SaveSession, tr("Saving %1").arg(QFileInfo(path).fileName()),
      [absolute, state = state_](const Task&) { return saveSessionFile(absolute, state); },
      [this, absolute, saved = revision_](Result<void> result) {
        if (!result) return report(JobKind::SaveSession, result.error(), absolute);
        sessionPath_ = absolute;
        if (saved == revision_ && std::exchange(modified_, false)) Q_EMIT modifiedChanged();
        Q_EMIT sessionSaved(absolute);
      });
}

void Session::openSession(const QString& path) {
  LoadOrder order;
  order.sessionPath = QFileInfo(path).absoluteFilePath();
  startLoad(order);
}

void Session::setViewState(const QByteArray& view) {
  if (view == state_.view) return;
  state_.view = view;
  if (dataset_) autosaveTimer_.start();
}

bool Session::hasRecoverableSession() const { return recovery_.recoverable().has_value(); }

void Session::restoreRecoverableSession() {
  const auto path = recovery_.recoverable();
  if (!path) return;
  LoadOrder order;
  order.sessionPath = *path;
  order.recovering = true;
  startLoad(order);
}

void Session::discardRecoverableSession() { recovery_.discard(); }

void Session::autosave() {
  if (!dataset_ || recovery_.path().isEmpty()) return;
  jobs_.start<void>(
      JobKind::Autosave, {},
      [path = recovery_.path(), state = state_](const Task&) {
        return saveSessionFile(path, state);
      },
      [this](Result<void> saved) {
        if (saved) {
          if (std::exchange(discardAfterAutosave_, false)) recovery_.discard();
        } else if (!std::exchange(autosaveFailed_, true)) {
          Q_EMIT warned(tr("This session is not kept for recovery: %1")
                            .arg(QString::fromStdString(saved.error().message)));
        }
      });
}

}  // namespace clusterloom
