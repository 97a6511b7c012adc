#include "app/screenshot.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QPixmap>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/io/output_set.h"
#include "ui/jobs/job_queue.h"
#include "ui/panels/message_bar.h"
#include "ui/session/cluster_run.h"
#include "ui/view/cloud_view.h"

namespace clusterloom {

namespace {
constexpr int kLookEvery = 100;          // ms
constexpr int kCalmLooks = 6;            // time for charts and layouts to be drawn
constexpr int kMostLooks = 5 * 60 * 10;  // five minutes
constexpr int kIdleLooks = 30;           // nothing runs and there is no result
}  // namespace

namespace {

/// The picture of a window with exactly the size `pixels`.
QImage fitted(QImage picture, const QSize& pixels, const QColor& ground) {
  const int fraction = int(std::ceil(picture.devicePixelRatio()));
  picture.setDevicePixelRatio(1);
  const QSize over = picture.size() - pixels;
  if (over.width() >= 0 && over.height() >= 0 && over.width() <= fraction &&
      over.height() <= fraction)
    return picture.copy(QRect(QPoint(), pixels));
  // The window has a minimum size, or the screen its own scale.
  QImage page(pixels, QImage::Format_RGB32);
  page.fill(ground);
  const QImage scaled = picture.scaled(pixels, Qt::KeepAspectRatio, Qt::SmoothTransformation);
  QPainter(&page).drawImage((pixels.width() - scaled.width()) / 2,
                            (pixels.height() - scaled.height()) / 2, scaled);
  return page;
}

}  // namespace

WindowScale scaleTo(const QSize& pixels, const QSize& window) {
  WindowScale scale;
  scale.factor =
      std::min(1.0 * pixels.width() / window.width(), 1.0 * pixels.height() / window.height());
  // A fraction of a logical pixel is cut off when the picture is saved.
  scale.window = {int(std::ceil(pixels.width() / scale.factor)),
                  int(std::ceil(pixels.height() / scale.factor))};
  return scale;
}

Screenshot::Screenshot(MainWindow& window, const QString& path, const QSize& pixels,
                       bool expectResult, std::vector<std::int32_t> select)
    : QObject(&window),
      window_(window),
      path_(path),
      pixels_(pixels),
      expectResult_(expectResult),
      select_(std::move(select)),
      timer_(new QTimer(this)) {
  connect(&window_.session().jobs(), &JobQueue::failed, this, [this](const Failure& failure) {
    if (!expectResult_ || failure.error.kind == ErrorKind::Cancelled) return;
    std::fprintf(stderr, "clusterloom: %s\n", failure.error.message.c_str());
    QCoreApplication::exit(1);
  });
  connect(timer_, &QTimer::timeout, this, &Screenshot::look);
  timer_->start(kLookEvery);
}

void Screenshot::look() {
  if (++waited_ > kMostLooks) {
    return giveUp(QStringLiteral("no result within five minutes"));
  }
  const bool ready = expectResult_ ? window_.isSettled() : window_.isVisible();
  calm_ = ready ? calm_ + 1 : 0;
  Session& session = window_.session();
  const bool waits = !ready && !session.clusterRun().result() && session.jobs().active().empty();
  idle_ = waits ? idle_ + 1 : 0;
  if (idle_ > kIdleLooks) {
    const QString said = window_.messages()->isVisible() ? window_.messages()->text() : QString();
    return giveUp(said.isEmpty() ? QStringLiteral("there is no result to show") : said);
  }
  if (calm_ == 1 && !select_.empty()) {
    window_.session().setSelectedClusters({select_.begin(), select_.end()});
    select_.clear();
    calm_ = 0;
  }
  if (calm_ >= kCalmLooks) save();
}

void Screenshot::giveUp(const QString& why) {
  timer_->stop();
  std::fprintf(stderr, "clusterloom: %s\n", qPrintable(why));
  QCoreApplication::exit(1);
}

void Screenshot::save() {
  timer_->stop();
  QImage picture = window_.grab().toImage();
  if (pixels_.isValid()) picture = fitted(picture, pixels_, window_.palette().window().color());
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  const QByteArray suffix = QFileInfo(path_).suffix().toLatin1();
  if (!picture.save(&buffer, suffix.isEmpty() ? "PNG" : suffix.constData())) {
    std::fprintf(stderr, "clusterloom: pictures of the type .%s cannot be written; use .png\n",
                 suffix.constData());
    return QCoreApplication::exit(1);
  }
  const auto written = writeAtomically(
      path_.toStdString(), std::string_view(bytes.constData(), std::size_t(bytes.size())));
  if (!written) std::fprintf(stderr, "clusterloom: %s\n", written.error().message.c_str());
  QCoreApplication::exit(written ? 0 : 1);
}

}  // namespace clusterloom
