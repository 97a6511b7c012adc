// What a desktop takes the files for: its database of types with ours added, by Qt's reader of it,
// against the table of formats and the entry of the desktop.
#include <QDir>
#include <QMimeDatabase>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QStandardPaths>
#include <QTemporaryDir>

#include "engine/io/format_table.h"
#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;

class TestFileTypes : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  QStringList desktopTypes_;

  QString typeOfContent(const QByteArray& content, const QString& name) const {
    return QMimeDatabase().mimeTypeForFileNameAndData(name, content).name();
  }

 private slots:
  void initTestCase();
  void readFormatsOpenFromTheDesktop();
  void theDesktopOffersNothingElse();
  void contentDecidesWhereNamesDoNot();
  void typesHavePictures();
};

/// A database of the system's types and ours, compiled where the program for that is installed.
void TestFileTypes::initTestCase() {
  const QString packaging = QStringLiteral(CLUSTERLOOM_SOURCE_DIR "/packaging/");
  const QDir packages(folder_.filePath("mime/packages"));
  QVERIFY(packages.mkpath("."));
  QVERIFY(QFile::copy(packaging + "clusterloom.xml", packages.filePath("clusterloom.xml")));
  QFile::copy("/usr/share/mime/packages/freedesktop.org.xml",
              packages.filePath("freedesktop.org.xml"));
  const QString compiler = QStandardPaths::findExecutable("update-mime-database");
  if (!compiler.isEmpty()) {
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    qputenv("PKGSYSTEM_ENABLE_FSYNC", "0");  // it flushes hundreds of files to the disk otherwise
    process.start(compiler, {folder_.filePath("mime")});
    QVERIFY(process.waitForFinished(240000));
    const QByteArray said = process.readAll();
    QVERIFY2(process.exitCode() == 0 && !said.contains("clusterloom.xml"), said.constData());
  }
  qputenv("XDG_DATA_DIRS", folder_.path().toUtf8());
  qputenv("XDG_DATA_HOME", folder_.filePath("home").toUtf8());
  QVERIFY(QMimeDatabase().mimeTypeForName("application/x-clusterloom-session").isValid());

  QFile entry(packaging + "clusterloom.desktop");
  QVERIFY(entry.open(QIODevice::ReadOnly));
  for (const QByteArray& line : entry.readAll().split('\n'))
    if (line.startsWith("MimeType="))
      desktopTypes_ = QString::fromUtf8(line.mid(9)).split(';', Qt::SkipEmptyParts);
  QVERIFY(!desktopTypes_.isEmpty());
}

void TestFileTypes::readFormatsOpenFromTheDesktop() {
  // Most files of these names are no clouds; text editors open them.
  const QSet<QString> shared{".txt", ".dat"};
  for (const std::string& text : readExtensions()) {
    const QString extension = QString::fromStdString(text);
    if (shared.contains(extension)) continue;
    QStringList names;
    for (const QMimeType& type : QMimeDatabase().mimeTypesForFileName("cloud" + extension))
      names << type.name();
    const bool offered = std::any_of(names.begin(), names.end(), [&](const QString& name) {
      return desktopTypes_.contains(name);
    });
    QVERIFY2(offered, qPrintable("*" + extension + " is of the types '" + names.join("', '") +
                                 "', and none is in clusterloom.desktop"));
  }
  QVERIFY(desktopTypes_.contains(
      QMimeDatabase().mimeTypeForFile("a.clusterloom", QMimeDatabase::MatchExtension).name()));
}

void TestFileTypes::theDesktopOffersNothingElse() {
  QCOMPARE(desktopTypes_.removeDuplicates(), 0);
  for (const QString& name : desktopTypes_) {
    const QMimeType type = QMimeDatabase().mimeTypeForName(name);
    QVERIFY2(type.isValid(), qPrintable(name));
    if (name == "application/x-clusterloom-session") continue;
    bool known = false;
    for (const QString& pattern : type.globPatterns())
      known = known || formatOfExtension(pattern.mid(1).toStdString()) != nullptr;
    QVERIFY2(known, qPrintable(name));
  }
}

void TestFileTypes::contentDecidesWhereNamesDoNot() {
  const QByteArray pcd = "# .PCD v0.7\nVERSION 0.7\nFIELDS x y\n";
  QByteArray las = "LASF" + QByteArray(300, '\0');
  las[104] = 6;
  QByteArray laz = las;
  laz[104] = char(6 | 0x80);
  QCOMPARE(typeOfContent(pcd, "cloud.pcd"), QString("model/x-pcd"));
  QCOMPARE(typeOfContent(pcd, "cloud"), QString("model/x-pcd"));
  QCOMPARE(typeOfContent("VERSION 0.7\nFIELDS x y\n", "cloud"), QString("model/x-pcd"));
  QCOMPARE(typeOfContent("\x93NUMPY\x01", "cloud"), QString("application/x-npy"));
  QCOMPARE(typeOfContent("ply\nformat ascii 1.0\n", "cloud"), QString("model/x-ply"));
  QCOMPARE(typeOfContent(las, "cloud"), QString("application/vnd.las"));
  QCOMPARE(typeOfContent(laz, "cloud"), QString("application/vnd.laszip"));
  QCOMPARE(typeOfContent("1 2 3\n", "cloud.xyz"), QString("text/x-xyz"));
  // Others' files stay theirs.
  QCOMPARE(typeOfContent("policy\nread\n", "notes"), QString("text/plain"));
  QCOMPARE(typeOfContent("{\"version\": 1}", "data.json"), QString("application/json"));
}

void TestFileTypes::typesHavePictures() {
  const QDir icons(QStringLiteral(CLUSTERLOOM_SOURCE_DIR "/resources/icons/types"));
  QFile file(QStringLiteral(CLUSTERLOOM_SOURCE_DIR "/packaging/clusterloom.xml"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QString text = QString::fromUtf8(file.readAll());
  static const QRegularExpression type(
      QStringLiteral("<mime-type type=\"([^\"]+)\">(.*?)</mime-type>"),
      QRegularExpression::DotMatchesEverythingOption);
  static const QRegularExpression icon(QStringLiteral("<generic-icon name=\"([^\"]+)\"/>"));
  QFile thumbnailer(QStringLiteral(CLUSTERLOOM_SOURCE_DIR "/packaging/clusterloom.thumbnailer"));
  QVERIFY(thumbnailer.open(QIODevice::ReadOnly));
  const QString drawn = QString::fromUtf8(thumbnailer.readAll());
  int types = 0;
  for (auto match = type.globalMatch(text); match.hasNext(); ++types) {
    const auto found = match.next();
    const auto named = icon.match(found.captured(2));
    const QString name = named.hasMatch() ? named.captured(1) : found.captured(1).replace('/', '-');
    QVERIFY2(icons.exists(name + ".svg"), qPrintable(name));
    // Of clouds that only we know the pictures are ours, too.
    if (name == "clusterloom-cloud")
      QVERIFY2(drawn.contains(found.captured(1) + ';'), qPrintable(found.captured(1)));
  }
  QVERIFY(types > 0);
}

GUILESS_TEST(TestFileTypes);
#include "tst_file_types.moc"
