// The pictures that the window program makes of itself.
#include <QImage>
#include <QSet>
#include <QtTest>

#include "render/paint/theme.h"
#include "window_help.h"
#include "window_process.h"

using namespace clusterloom;

class TestProgramPictures : public QObject, WindowProcess {
  Q_OBJECT

 private Q_SLOTS:
  /// With minPts above the number of points there are no k-distances to wait for.
  void itPicturesACloudOfNoise() {
    const QString out = directory_.filePath("noise.png");
    const Ended ended = run({"--sample", "moons:200", "--eps", "0.15", "--min-pts", "5000",
                             "--chart", "k-distance", "--screenshot", out});
    QVERIFY2(ended.status == 0, qPrintable(ended.err));
    QVERIFY(!QImage(out).isNull());
  }

  void itPicturesItself() {
    const QString out = directory_.filePath("out.png");
    const Ended ended =
        run({"--sample", "moons:2000", "--eps", "0.15", "--min-pts", "5", "--size", "1000x700",
             "--theme", "dark", "--grid", "--chart", "cost", "--screenshot", out});
    QVERIFY2(ended.status == 0, qPrintable(ended.err));
    const QImage picture(out);
    QCOMPARE(picture.size(), QSize(1000, 700));
    // The two moons' colours and a dark ground.
    QSet<QRgb> colours;
    int dark = 0;
    for (int y = 0; y < picture.height(); ++y) {
      for (int x = 0; x < picture.width(); ++x) {
        colours.insert(picture.pixel(x, y));
        dark += qGray(picture.pixel(x, y)) < 60 ? 1 : 0;
      }
    }
    QVERIFY(colours.size() > 200);
    QVERIFY(dark > picture.width() * picture.height() / 2);
  }

  /// With --image-size the same window is drawn in more pixels, not a larger one.
  void itPicturesItselfInAnySize() {
    const auto picture = [this](const QStringList& options) {
      const QString out = directory_.filePath("sized.png");
      const Ended ended =
          run(QStringList{"--sample", "moons:2000", "--eps", "0.15", "--min-pts", "5", "--theme",
                          "light", "--chart", "cost", "--screenshot", out} +
              options);
      if (ended.status != 0) qWarning("%s", qPrintable(ended.err));
      return QImage(out);
    };
    const QImage plain = picture({"--size", "1000x700"});
    for (const QSize size : {QSize(1700, 1190), QSize(700, 490)}) {
      const QImage other = picture({"--size", "1000x700", "--image-size",
                                    QStringLiteral("%1x%2").arg(size.width()).arg(size.height())});
      QCOMPARE(other.size(), size);
      // In as few pixels as the smaller one has.
      const auto reduced = [least = size.boundedTo(plain.size())](const QImage& image) {
        return image.scaled(least, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
      };
      const QImage a = reduced(plain);
      const QImage b = reduced(other);
      double difference = 0;
      double contrast = 0;  // of the plain picture with its neighbouring pixels
      for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x + 8 < a.width(); ++x) {
          difference += std::abs(qGray(a.pixel(x, y)) - qGray(b.pixel(x, y)));
          contrast += std::abs(qGray(a.pixel(x, y)) - qGray(a.pixel(x + 8, y)));
        }
      }
      QVERIFY2(difference < 0.5 * contrast,
               qPrintable(QString("%1 of %2").arg(difference).arg(contrast)));
    }
    // Other proportions than those of the window, and fewer pixels.
    QCOMPARE(picture({"--size", "1000x700", "--image-size", "1801x603"}).size(), QSize(1801, 603));
    QCOMPARE(picture({"--image-size", "777x513"}).size(), QSize(777, 513));
    QCOMPARE(picture({"--size", "200x200", "--image-size", "400x400"}).size(), QSize(400, 400));
  }

  void itRunsAComparisonForItsPicture() {
    const QStringList common{"--sample", "moons:2000", "--eps",    "0.15",    "--min-pts",
                             "5",        "--size",     "1100x760", "--theme", "light"};
    QImage pictures[2];
    for (const bool compared : {false, true}) {
      const QString out = directory_.filePath("compare.png");
      const Ended ended =
          run(common + (compared ? QStringList{"--compare"} : QStringList{"--chart", "compare"}) +
              QStringList{"--screenshot", out});
      QVERIFY2(ended.status == 0, qPrintable(ended.err));
      pictures[compared] = QImage(out);
    }
    // The right half of the charts: the warps of two strategies, busy parts solid blue.
    const auto blue = [](const QImage& picture) {
      int found = 0;
      for (int y = picture.height() - 200; y < picture.height() - 40; ++y) {
        for (int x = picture.width() / 2; x < picture.width(); ++x) {
          const QRgb pixel = picture.pixel(x, y);
          found += qBlue(pixel) > 150 && qRed(pixel) < 80 ? 1 : 0;
        }
      }
      return found;
    };
    QCOMPARE(blue(pictures[0]), 0);
    QVERIFY(blue(pictures[1]) > 2000);
  }

  /// A half pattern has fewer arrows than the full one, and without a cell there are none.
  void itPicturesTheArrowsOfACell() {
    QList<int> orange;
    for (const QStringList& options :
         {QStringList{"--grid"}, QStringList{"--arrows", "lid-unicomp", "--select-cell", "0"},
          QStringList{"--arrows", "full", "--select-cell", "0"}}) {
      const QString out = directory_.filePath("arrows.png");
      const Ended ended =
          run(QStringList{"--sample", "unif:200", "--eps", "25", "--min-pts", "3", "--size",
                          "1200x800", "--theme", "light", "--chart", "cost", "--screenshot", out} +
              options);
      QVERIFY2(ended.status == 0, qPrintable(ended.err));
      const QImage picture(out);
      const int third = picture.width() / 3;
      const Colour accent = themeOf(Background::Light).accent;
      orange << pixelsLike(picture.copy(third, 70, third, picture.height() / 2 - 70),
                           qRgb(accent.r, accent.g, accent.b), 30);
    }
    QCOMPARE(orange[0], 0);
    QVERIFY2(orange[1] > 150, qPrintable(QString::number(orange[1])));
    QVERIFY2(orange[2] > orange[1] + 50, qPrintable(QString::number(orange[2])));
  }

  void itPicturesTheWindowForLessons() {
    const QString out = directory_.filePath("lessons.png");
    const Ended ended = run({"--lessons", "--size", "1200x800", "--screenshot", out});
    QVERIFY2(ended.status == 0, qPrintable(ended.err));
    const QImage picture(out);
    QCOMPARE(picture.size(), QSize(1200, 800));
    // Cells of the first step's grid and bars of its warps: no empty window has as many colours.
    QSet<QRgb> colours;
    for (int y = 0; y < picture.height(); ++y) {
      for (int x = 0; x < picture.width(); ++x) colours.insert(picture.pixel(x, y));
    }
    QVERIFY2(colours.size() > 400, qPrintable(QString::number(colours.size())));
  }
};

GUILESS_TEST(TestProgramPictures);

#include "tst_program_pictures.moc"
