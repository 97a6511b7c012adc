// The picture the command line writes: what is in it, and what happens when it cannot be written.
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <fstream>

#include "clouds.h"
#include "pictures.h"
#include "render/paint/palette.h"
#include "render/scene/clustering_image.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

Clustering clusteringOf(const Blobs& blobs, int clusters) {
  Clustering clustering;
  clustering.params = {0.25, 8};
  clustering.labels = blobs.labels;
  clustering.clusters = clusters;
  for (const std::int32_t label : blobs.labels) {
    clustering.roles.push_back(label < 0 ? PointRole::Noise : PointRole::Core);
    ++(label < 0 ? clustering.noiseCount : clustering.coreCount);
  }
  return clustering;
}

ImageOptions small() {
  ImageOptions options;
  options.width = 640;
  options.height = 480;
  options.pixelRatio = 1;
  options.title = "blobs";
  return options;
}

}  // namespace

class TestImage : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void picturesShowTheClusters_data() {
    QTest::addColumn<int>("dims");
    for (const int dims : {1, 2, 3, 7}) QTest::addRow("%d-D", dims) << dims;
  }
  void picturesShowTheClusters() {
    QFETCH(int, dims);
    QTemporaryDir folder;
    const std::string path = folder.filePath("out.png").toStdString();
    const Blobs blobs = makeBlobs(3000, static_cast<std::size_t>(dims), 4, 8);
    ImageOptions options = small();
    options.pointSize = 5;
    const auto written = renderClusteringImage(path, blobs.cloud, clusteringOf(blobs, 4), options);
    QVERIFY2(written, written ? "" : written.error().message.c_str());
    const Image image = readPng(path);
    QCOMPARE(image.width, 640);
    QCOMPARE(image.height, 480);
    for (std::int32_t cluster = 0; cluster < 4; ++cluster)
      QVERIFY(countColour(image, clusterColour(cluster, Background::Dark), dims < 3 ? 20 : 80) >
              100);
    // Title and summary stand at the top left.
    QVERIFY(countColour(image, themeOf(Background::Light).text, 60, 0, 0, 320, 30) > 50);
    QVERIFY(countColour(image, themeOf(Background::Light).faintText, 60, 0, 24, 460, 50) > 100);
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);  // nothing temporary is left
  }

  void theSameCallGivesTheSameBytes() {
    QTemporaryDir folder;
    const Blobs blobs = makeBlobs(2000, 3, 3, 8);
    for (const char* name : {"a.png", "b.png"})
      QVERIFY(renderClusteringImage(folder.filePath(name).toStdString(), blobs.cloud,
                                    clusteringOf(blobs, 3), small()));
    QFile a(folder.filePath("a.png"));
    QFile b(folder.filePath("b.png"));
    QVERIFY(a.open(QIODevice::ReadOnly) && b.open(QIODevice::ReadOnly));
    QVERIFY(a.readAll() == b.readAll());
  }

  void chosenAxesAreShown() {
    QTemporaryDir folder;
    const Blobs blobs = makeBlobs(1000, 5, 3, 8);
    ImageOptions options = small();
    options.background = Background::Dark;
    options.axes.dims = {0, 3};
    const std::string path = folder.filePath("flat.png").toStdString();
    QVERIFY(renderClusteringImage(path, blobs.cloud, clusteringOf(blobs, 3), options));
    // Flat pictures have rulers: a line of the axes' colour along the bottom.
    QVERIFY(countColour(readPng(path), themeOf(Background::Dark).line, 40) > 500);
    options.axes.dims = {0, 9};
    const auto wrong = renderClusteringImage(path, blobs.cloud, clusteringOf(blobs, 3), options);
    QVERIFY(!wrong);
    QCOMPARE(wrong.error().kind, ErrorKind::BadCall);
  }

  void badCallsAreRefused() {
    const Blobs blobs = makeBlobs(100, 2, 2, 8);
    Clustering other = clusteringOf(blobs, 2);
    other.labels.pop_back();
    QCOMPARE(renderClusteringImage("x.png", blobs.cloud, other, small()).error().kind,
             ErrorKind::BadCall);
    for (const auto& [width, height] : {std::pair{0, 10}, {10, -1}, {100000, 10}}) {
      ImageOptions options = small();
      options.width = width;
      options.height = height;
      QCOMPARE(
          renderClusteringImage("x.png", blobs.cloud, clusteringOf(blobs, 2), options).error().kind,
          ErrorKind::BadCall);
    }
    QVERIFY(!QFile::exists("x.png"));
    QCOMPARE(writePng("x.png", {}).error().kind, ErrorKind::BadCall);
  }

  /// Too long to be drawn larger than it is and reduced.
  void longPicturesAreDrawn() {
    const Blobs blobs = makeBlobs(100, 2, 2, 8);
    ImageOptions options = small();
    options.width = 8193;
    options.height = 40;
    const auto image = clusteringImage(blobs.cloud, clusteringOf(blobs, 2), options);
    QVERIFY2(image.has_value(), image ? "" : image.error().message.c_str());
    QCOMPARE(image->width, 8193);
  }

  void failuresLeaveTheOldFile() {
    QTemporaryDir folder;
    const Blobs blobs = makeBlobs(100, 2, 2, 8);
    const auto failed = renderClusteringImage(folder.filePath("no/such/folder.png").toStdString(),
                                              blobs.cloud, clusteringOf(blobs, 2), small());
    QVERIFY(!failed);
    QCOMPARE(failed.error().kind, ErrorKind::Io);
    QVERIFY(failed.error().message.find("folder.png") != std::string::npos);

    // The name of a folder cannot be replaced: what is in it stays, nothing temporary is left.
    QVERIFY(QDir(folder.path()).mkpath("taken.png/inside"));
    Image image;
    image.width = image.height = 1;
    image.rgba = {1, 2, 3, 255};
    QCOMPARE(writePng(folder.filePath("taken.png").toStdString(), image).error().kind,
             ErrorKind::Io);
    QVERIFY(QDir(folder.path()).exists("taken.png/inside"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 0);

    // A full disk.
    if (QFile::exists("/dev/full")) {
      QVERIFY(QFile::link("/dev/full", folder.filePath("full.png")));
      QCOMPARE(writePng(folder.filePath("full.png").toStdString(), image).error().kind,
               ErrorKind::Io);
    }
  }

  void protectedFilesAndLinksAreKept() {
    QTemporaryDir folder;
    Image image;
    image.width = image.height = 1;
    image.rgba = {1, 2, 3, 255};
    const QString old = folder.filePath("old.png");
    std::ofstream(old.toStdString()) << "old";
    QVERIFY(QFile::setPermissions(old, QFileDevice::ReadOwner));
    const auto refused = writePng(old.toStdString(), image);
    QVERIFY(!refused);
    QVERIFY(refused.error().message.find("write-protected") != std::string::npos);

    // A link under the name that a temporary file once had is not followed.
    const QString victim = folder.filePath("victim");
    std::ofstream(victim.toStdString()) << "victim";
    const QString pid = QString::number(QCoreApplication::applicationPid());
    QVERIFY(QFile::link(victim, folder.filePath("new.png.part-" + pid)));
    QVERIFY(writePng(folder.filePath("new.png").toStdString(), image));
    QFile kept(victim);
    QVERIFY(kept.open(QIODevice::ReadOnly));
    QCOMPARE(kept.readAll(), QByteArray("victim"));

    QVERIFY(QFile::link("new.png", folder.filePath("link.png")));
    QVERIFY(writePng(folder.filePath("link.png").toStdString(), image));
    QVERIFY(QFileInfo(folder.filePath("link.png")).isSymLink());
  }

  void pixelsSurviveTheFile() {
    QTemporaryDir folder;
    Image image;
    image.width = 3;
    image.height = 2;
    for (int i = 0; i < 6; ++i)
      for (const int channel : {40 * i, 255 - 40 * i, 7 * i, 255})
        image.rgba.push_back(static_cast<std::uint8_t>(channel));
    const std::string path = folder.filePath("p.png").toStdString();
    QVERIFY(writePng(path, image));
    QVERIFY(readPng(path).rgba == image.rgba);
    QVERIFY(writePng(path, image));  // and again over it
  }

  void withoutEglItSaysSo() {
    // In a process of its own that finds no EGL vendor.
    QProcess child;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent");
    environment.insert("CLUSTERLOOM_WITHOUT_EGL", "1");
    child.setProcessEnvironment(environment);
    child.start(QCoreApplication::applicationFilePath(), {"tst_image", "reportsUnavailable"});
    QVERIFY(child.waitForFinished(240000));
    const QByteArray output = child.readAllStandardOutput();
    QVERIFY2(child.exitCode() == 0 && output.contains("3 passed"), output.constData());
    QVERIFY2(!output.contains("SKIP"), output.constData());
  }
  void reportsUnavailable() {
    if (!qEnvironmentVariableIsSet("CLUSTERLOOM_WITHOUT_EGL"))
      QSKIP("runs in a child process without EGL");
    const auto window = OffscreenWindow::make(100, 100);
    if (window) QFAIL("there was an EGL platform after all");
    QCOMPARE(window.error().kind, ErrorKind::Unavailable);
    QVERIFY(window.error().message.find("EGL") != std::string::npos);
  }
};

GUILESS_TEST(TestImage);
#include "tst_image.moc"
