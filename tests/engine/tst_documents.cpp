// Documents for developers against the source: every module is listed, and what they name exists.
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <algorithm>

#include "engine/join/backend_kinds.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

const QString kRoot = QStringLiteral(CLUSTERLOOM_SOURCE_DIR "/");

QString readText(const QString& path) {
  QFile file(kRoot + path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Paths of all files of the project, from its root.
const QStringList& allFiles() {
  static const QStringList all = [] {
    QStringList files;
    for (const QString& file : QDir(kRoot).entryList(QDir::Files)) files << file;
    for (const char* folder : {"app", "engine", "packaging", "render", "resources", "tests", "ui"})
      for (QDirIterator it(kRoot + folder, QDir::Files, QDirIterator::Subdirectories);
           it.hasNext();)
        files << it.next().mid(kRoot.size());
    return files;
  }();
  return all;
}

/// What stands between backticks in a document, without what has a placeholder such as NAME in it.
QStringList namedIn(const QString& document) {
  static const QRegularExpression code("`([^`\\s]+)`");
  static const QRegularExpression placeholder("NAME|CODE|NUMBER|FILE|\\*");
  QStringList named;
  const QString text = readText(document);
  for (auto found = code.globalMatch(text); found.hasNext();) {
    const QString one = found.next().captured(1);
    if (!one.contains(placeholder)) named << one;
  }
  return named;
}

}  // namespace

class TestDocuments : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void modulesAreListed();
  void namedFilesExist_data();
  void namedFilesExist();
  void namedFunctionsExist();
  void backendsAreNamed();
};

void TestDocuments::modulesAreListed() {
  const QString design = readText("engine/DESIGN.md");
  const QString readme = readText("engine/README.md");
  QVERIFY(!design.isEmpty() && !readme.isEmpty());
  const QStringList modules = QDir(kRoot + "engine").entryList(QDir::Dirs | QDir::NoDotAndDotDot);
  QVERIFY(modules.size() >= 12);
  for (const QString& module : modules) {
    QVERIFY2(design.contains('\n' + module + "/ "), qPrintable("engine/DESIGN.md: " + module));
    QVERIFY2(readme.contains("\n| `" + module + "/` |"), qPrintable("engine/README.md: " + module));
  }
}

void TestDocuments::namedFilesExist_data() {
  QTest::addColumn<QString>("document");
  for (const QString& file : allFiles())
    if (file.endsWith(".md") && !file.startsWith("resources/guide/"))
      QTest::newRow(qPrintable(file)) << file;
}

void TestDocuments::namedFilesExist() {
  QFETCH(const QString, document);
  static const QRegularExpression path(
      "^[\\w./-]+\\.(h|cpp|cu|cuh|md|txt|py|pyi|cmake|desktop|xml|thumbnailer|in|toml)$");
  static const QRegularExpression test("^tst_[a-z_]*[a-z]$");
  for (QString name : namedIn(document)) {
    // CTest's names of the tests of ui/ begin with tst_ui_.
    if (test.match(name).hasMatch()) name = name.replace("tst_ui_", "tst_") + ".cpp";
    if (!path.match(name).hasMatch()) continue;
    while (name.startsWith("../")) name.remove(0, 3);
    const bool exists = std::any_of(allFiles().begin(), allFiles().end(), [&](const QString& file) {
      return file == name || file.endsWith('/' + name);
    });
    QVERIFY2(exists, qPrintable(name));
  }
}

/// Functions, types and values that the table of additions names.
void TestDocuments::namedFunctionsExist() {
  static const QRegularExpression word("[A-Za-z_]\\w*");
  QSet<QString> words;
  for (const QString& file : allFiles()) {
    if (!file.endsWith(".h") && !file.endsWith(".cpp")) continue;
    const QString text = readText(file);
    for (auto found = word.globalMatch(text); found.hasNext();)
      words.insert(found.next().captured());
  }
  static const QRegularExpression identifier("^[A-Za-z]\\w*(::\\w+)*$");
  static const QRegularExpression upperCase("[A-Z]");
  int functions = 0;
  for (const QString& name : namedIn("CONTRIBUTING.md")) {
    const bool isCode = name.contains(upperCase) || name.contains("::");
    const bool isOption = name.startsWith("CLUSTERLOOM_") || name.startsWith("CMAKE_");
    if (!identifier.match(name).hasMatch() || !isCode || isOption) continue;
    for (const QString& part : name.split("::")) QVERIFY2(words.contains(part), qPrintable(name));
    ++functions;
  }
  QVERIFY(functions > 20);
}

/// Where a user chooses a backend, each that can be chosen there is named.
void TestDocuments::backendsAreNamed() {
  for (const BackendKind& kind : kBackendKinds) {
    if (kind.modelsOnly) continue;
    QStringList documents{
        "app/cli/engine_options.h",         "app/python/clusterloom/_estimators.py",
        "app/python/clusterloom/_joins.py", "engine/DESIGN.md",
        "resources/guide/batch.md",         "resources/guide/de/batch.md",
        "resources/guide/python.md",        "resources/guide/de/python.md"};
    if (kind.onDevice)
      documents << "app/cli/engine_options.cpp"
                << "ui/session/call_options.cpp";
    if (kind.buildsHierarchies)
      documents << "app/cli/engine_options.cpp"
                << "app/python/clusterloom/_hdbscan.py";
    const QString name = QString::fromUtf8(kind.name.data(), qsizetype(kind.name.size()));
    for (const QString& document : documents)
      QVERIFY2(readText(document).contains(QRegularExpression("\\b" + name + "\\b")),
               qPrintable(document + ": " + name));
  }
}

APPLESS_TEST(TestDocuments);
#include "tst_documents.moc"
