// One table of file formats: what it says is what is detected, read and written.
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>

#include "engine/cloud/generators.h"
#include "engine/io/format_table.h"
#include "engine/io/write.h"
#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;

class TestFormats : public QObject {
  Q_OBJECT

 private slots:
  void namesAndExtensionsAreUnique();
  void extensionsAreFound();
  void writtenFilesAreDetectedAndRead();
  void otherExtensionsAreRefused();
  void readersAreFuzzed();
  void documentsNameEveryFormat();
};

void TestFormats::namesAndExtensionsAreUnique() {
  QSet<QString> names;
  QSet<QString> extensions;
  qsizetype count = 0;
  for (const FileFormat& format : fileFormats()) {
    names.insert(QString::fromStdString(format.name));
    for (const std::string& extension : format.extensions) {
      QVERIFY(extension.starts_with('.'));
      extensions.insert(QString::fromStdString(extension));
      ++count;
    }
    QVERIFY(format.format == Format::Copc || !format.extensions.empty());
    QVERIFY(!format.title.empty());
    QVERIFY(format.format.has_value() || format.isWritten());
    QCOMPARE(format.isWritten(), !format.exportTitle.empty());
    QCOMPARE(format.ofScanners, QStringList({"ply", "pcd", "las", "laz", "copc"})
                                    .contains(QString::fromStdString(format.name)));
  }
  QCOMPARE(names.size(), qsizetype(fileFormats().size()));
  for (const FileFormat& format : fileFormats()) QCOMPARE(formatOfName(format.name), &format);
  QVERIFY(formatOfName("generated") == nullptr);
  QCOMPARE(extensions.size(), count);
  for (const FileFormat& format : fileFormats())
    if (format.format) QCOMPARE(toText(*format.format), format.name);
}

void TestFormats::extensionsAreFound() {
  QCOMPARE(extensionOf("a.b/C.NPY"), std::string(".npy"));
  QCOMPARE(extensionOf("a.b/c"), std::string());
  QCOMPARE(extensionOf("a/.csv"), std::string());  // a hidden file, not an extension
  for (const FileFormat& format : fileFormats())
    for (const std::string& extension : format.extensions) {
      QCOMPARE(formatOfExtension(extension), &format);
      QCOMPARE(formatOfExtension("folder/name" + extension), &format);
    }
  QCOMPARE(formatOfExtension("scan.copc.LAZ"), &formatOf(Format::Laz));
  QVERIFY(formatOfExtension(".docx") == nullptr);
  QVERIFY(formatOfExtension("none") == nullptr);
}

void TestFormats::writtenFilesAreDetectedAndRead() {
  QTemporaryDir folder;
  auto made = generate({.kind = "blobs", .points = 100, .dims = 3, .seed = 5});
  REQUIRE_OK(made);
  made->attributes.clear();
  std::erase_if(made->columnOrder, [](std::size_t column) { return column >= 3; });
  for (const std::string& extension : writtenExtensions()) {
    const FileFormat* format = formatOfExtension(extension);
    const std::string path = folder.filePath("cloud").toStdString() + extension;
    REQUIRE_OK(writeDataset(path, *made));
    if (!format->format) continue;
#ifndef CLUSTERLOOM_HAS_FITS
    if (format->format == Format::Fits) continue;  // this build writes it only
#endif
    // By content, whatever the name.
    const std::string renamed = folder.filePath("renamed.bin").toStdString();
    QFile::remove(QString::fromStdString(renamed));
    QVERIFY(QFile::copy(QString::fromStdString(path), QString::fromStdString(renamed)));
    const auto read = readDataset(renamed);
    REQUIRE_OK(read);
    QCOMPARE(read->source.format, format->name);
    // LAS holds integers and a scale: tst_write_las has its round trips.
    if (format->format != Format::Las && format->format != Format::Laz)
      QCOMPARE(read->cloud.columns, made->cloud.columns);
  }
}

void TestFormats::otherExtensionsAreRefused() {
  const auto made = generate({.kind = "blobs", .points = 10, .dims = 2, .seed = 5});
  REQUIRE_OK(made);
  QTemporaryDir folder;
  for (const char* name : {"a", "a.txt", "a.tsv", "a.copc"}) {
    const auto written = writeDataset(folder.filePath(name).toStdString(), *made);
    QVERIFY(!written);
    QCOMPARE(written.error().kind, ErrorKind::BadCall);
    for (const std::string& extension : writtenExtensions())
      QVERIFY(written.error().message.find(extension) != std::string::npos);
  }
  QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 0);
}

/// Every reader has a corpus, of which CMake makes a harness.
void TestFormats::readersAreFuzzed() {
  const QDir fuzz(CLUSTERLOOM_SOURCE_DIR "/tests/fuzz");
  for (const FileFormat& format : fileFormats()) {
    if (!format.format) continue;
    const QString name =
        *format.format == Format::Text ? "text" : QString::fromStdString(format.name);
    QVERIFY2(fuzz.exists("corpus/" + name), qPrintable(name));
  }
}

void TestFormats::documentsNameEveryFormat() {
  const QString root = CLUSTERLOOM_SOURCE_DIR "/";
  const auto names = [&](const QString& document, const QString& pattern) {
    QFile file(root + document);
    return file.open(QIODevice::ReadOnly) &&
           QString::fromUtf8(file.readAll()).contains(QRegularExpression(pattern));
  };
  for (const FileFormat& format : fileFormats()) {
    QStringList documents{"README.md", "engine/io/README.md", "resources/guide/exploring.md",
                          "resources/guide/de/exploring.md"};
    if (format.format) documents << "packaging/example.clusterloom.clusterloom.metainfo.xml";
    if (format.isWritten())
      documents << "resources/guide/exporting.md"
                << "resources/guide/de/exporting.md";
    const QString title = QString::fromStdString(format.title);
    for (const QString& document : documents)
      QVERIFY2(names(document, "\\b" + title + "\\b"), qPrintable(document + ": " + title));
    if (!format.isWritten()) continue;
    const QString extension = QString::fromStdString(format.extensions.front());
    for (const QString document : {"resources/guide/batch.md", "resources/guide/de/batch.md"})
      QVERIFY2(names(document, "`\\" + extension + '`'), qPrintable(document + ": " + extension));
  }
}

GUILESS_TEST(TestFormats);
#include "tst_formats.moc"
