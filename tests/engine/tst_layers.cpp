// The layers: includes point one way only. Reads every source and fails when an include goes
// against the order; a second test shows that the checker notices such includes.
#include <QtTest/QtTest>

#include <QDirIterator>
#include <QMap>
#include <QRegularExpression>
#include <QSet>

#include "tests/test_program.h"

namespace {

/// Who may include whom: a folder and the folders its files may name. The longest match counts.
const QMap<QString, QStringList>& allowedIncludes() {
  // What every module of the engine may use: core, and the contract of a backend.
  static const QStringList shared = {"engine/core/", "engine/version.h", "engine/backend.h",
                                     "engine/join/strategy.h"};
  static const QMap<QString, QStringList> table = {
      {"engine/", {"engine/"}},  // files of the engine itself, which compose its modules
      {"engine/core/", {"engine/core/"}},
      {"engine/cloud/", {"engine/core/", "engine/cloud/"}},
      {"engine/grid/", {"engine/core/", "engine/cloud/", "engine/grid/"}},
      {"engine/join/",
       shared + QStringList{"engine/cloud/", "engine/grid/", "engine/product/", "engine/join/"}},
      {"engine/ego/",
       shared + QStringList{"engine/cloud/", "engine/grid/", "engine/join/", "engine/ego/"}},
      {"engine/product/", {"engine/core/", "engine/cloud/", "engine/product/"}},
      {"engine/dbscan/", shared + QStringList{"engine/cloud/", "engine/grid/", "engine/join/",
                                              "engine/dbscan/", "engine/forwarding_backend.h"}},
      {"engine/hierarchy/",
       shared + QStringList{"engine/cloud/", "engine/grid/", "engine/product/", "engine/join/",
                            "engine/dbscan/", "engine/hierarchy/"}},
      {"engine/validity/",
       {"engine/core/", "engine/cloud/", "engine/join/instruction_sets.h", "engine/dbscan/",
        "engine/hierarchy/", "engine/validity/"}},
      {"engine/load/",
       shared + QStringList{"engine/cloud/", "engine/grid/", "engine/join/", "engine/load/"}},
      {"engine/io/", shared + QStringList{"engine/cloud/", "engine/dbscan/", "engine/io/"}},
      {"engine/cpu/",
       shared + QStringList{"engine/cloud/", "engine/grid/", "engine/join/", "engine/ego/",
                            "engine/product/", "engine/dbscan/", "engine/load/", "engine/cpu/"}},
      {"engine/cuda/", shared + QStringList{"engine/cloud/", "engine/grid/", "engine/join/",
                                            "engine/dbscan/", "engine/hierarchy/", "engine/load/",
                                            "engine/hybrid/", "engine/product/", "engine/cuda/"}},
      // Ranks on GPUs.
      {"engine/cuda/distributed/",
       shared + QStringList{"engine/cloud/", "engine/grid/", "engine/join/", "engine/dbscan/",
                            "engine/cuda/", "engine/blocks/", "engine/distributed/"}},
      {"engine/hybrid/",
       shared + QStringList{"engine/cloud/", "engine/grid/", "engine/join/", "engine/dbscan/",
                            "engine/load/", "engine/cpu/", "engine/ego/", "engine/hybrid/"}},
      {"engine/blocks/",
       shared + QStringList{"engine/cloud/", "engine/grid/", "engine/join/", "engine/dbscan/",
                            "engine/io/", "engine/cpu/", "engine/blocks/"}},
      {"engine/distributed/",
       shared + QStringList{"engine/cloud/", "engine/grid/", "engine/join/", "engine/dbscan/",
                            "engine/load/", "engine/io/", "engine/cpu/", "engine/ego/",
                            "engine/hybrid/", "engine/blocks/", "engine/distributed/",
                            "engine/forwarding_backend.h"}},
      {"render/", {"engine/", "render/"}},
      {"ui/", {"engine/", "render/", "ui/"}},
      {"app/", {"engine/", "render/", "ui/", "app/"}},
      // The command line and the Python module use no window; render/ in app/pictures only, which
      // the command line loads where it draws.
      {"app/cli/", {"engine/", "app/cli/", "app/shell/", "app/pictures/"}},
      {"app/cli/picture.cpp",
       {"engine/", "app/cli/", "app/pictures/", "render/gl/picture_memory.h"}},
      {"app/pictures/", {"engine/", "app/pictures/", "render/gl/offscreen.h"}},
      {"app/shell/", {"engine/", "app/shell/"}},
      {"app/python/", {"engine/", "app/python/"}},
  };
  return table;
}

/// Where headers of a library may be named: a pattern and the folders.
struct Library {
  QString name;
  QRegularExpression header;
  QStringList allowed;
};

const QList<Library>& libraries() {
  static const QList<Library> all = {
      {"Qt", QRegularExpression("^(Q[A-Z]|Qt|q[a-z]+\\.h$)"), {"ui/", "app/"}},
      {"VTK", QRegularExpression("^vtk"), {"render/", "ui/view/"}},
      {"CUDA",
       QRegularExpression("^(cuda|cub/|thrust/|cooperative_groups|nvtx3/|nv[a-z]*\\.h)"),
       {"engine/cuda/"}},
      {"MPI", QRegularExpression("^mpi\\.h$"), {"engine/distributed/"}},
  };
  return all;
}

bool startsWithAny(const QString& text, const QStringList& starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](const QString& start) { return text.startsWith(start); });
}

/// What the file at `path` (from the root) does that it may not.
QStringList violations(const QString& path, const QString& text) {
  QStringList found;
  QString layer;
  for (const QString& folder : allowedIncludes().keys())
    if (path.startsWith(folder) && folder.size() > layer.size()) layer = folder;
  if (layer.isEmpty()) return {path + ": is in no layer"};
  const bool windowless =
      startsWithAny(path, {"app/cli/", "app/shell/", "app/python/", "app/pictures/"});

  // No raw string: Qt's moc does not read past the quotes in one.
  static const QRegularExpression include("^[ \\t]*#[ \\t]*include[ \\t]*([<\"])([^>\"\\n]+)[>\"]",
                                          QRegularExpression::MultilineOption);
  for (auto match = include.globalMatch(text); match.hasNext();) {
    const QRegularExpressionMatch line = match.next();
    const QString header = line.captured(2);
    const QString report = path + ": " + line.captured(0).trimmed();
    for (const Library& library : libraries()) {
      const bool barred = library.name == "Qt" && windowless;
      if (library.header.match(header).hasMatch() &&
          (barred || !startsWithAny(path, library.allowed)))
        found += report + " (" + library.name + ")";
    }
    if (line.captured(1) == "<") continue;
    if (header.endsWith(".moc") || header.startsWith("ui_")) continue;  // made by Qt's tools
    if (!header.contains('/') || header.startsWith('.')) {
      found += report + " (includes start at the root)";
    } else if (!startsWithAny(header, allowedIncludes()[layer])) {
      found += report + " (against the layers)";
    }
  }
  return found;
}

QStringList sourcesUnder(const QString& root) {
  QStringList all;
  for (const char* layer : {"engine", "render", "ui", "app"}) {
    QDirIterator files(root + '/' + layer, {"*.h", "*.cpp", "*.cu", "*.cuh", "*.inl"}, QDir::Files,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) all += files.next().mid(root.size() + 1);
  }
  return all;
}

}  // namespace

class TestLayers : public QObject {
  Q_OBJECT

 private slots:
  void includesFollowTheLayers();
  void checkerNoticesViolations_data();
  void checkerNoticesViolations();
  void backendsAreAskedForWhatTheyCanDo();
};

void TestLayers::includesFollowTheLayers() {
  const QString root = CLUSTERLOOM_SOURCE_DIR;
  const QStringList sources = sourcesUnder(root);
  QVERIFY2(sources.size() > 30, "the sources were not found");
  QStringList found;
  for (const QString& path : sources) {
    QFile file(root + '/' + path);
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(path));
    found += violations(path, QString::fromUtf8(file.readAll()));
  }
  QVERIFY2(found.isEmpty(), qPrintable('\n' + found.join('\n')));
}

void TestLayers::checkerNoticesViolations_data() {
  QTest::addColumn<QString>("path");
  QTest::addColumn<QString>("text");
  QTest::addColumn<bool>("crosses");
  const auto add = [](const char* path, const char* text, bool crosses) {
    QTest::addRow("%s: %s", path, text) << QString(path) << QString(text) << crosses;
  };
  // May not.
  add("engine/cpu/a.cpp", "#include \"render/scene.h\"", true);
  add("engine/cpu/a.cpp", "#include \"ui/window.h\"", true);
  add("engine/cpu/a.cpp", "int x;\n  #  include \"ui/window.h\"\nint y;", true);
  add("engine/cpu/a.cpp", "#include <QString>", true);
  add("engine/cpu/a.cpp", "#include <QtCore/QString>", true);
  add("engine/cpu/a.cpp", "#include <qglobal.h>", true);
  add("engine/cpu/a.cpp", "#include <vtkActor.h>", true);
  add("engine/cpu/a.cpp", "#include <cuda_runtime.h>", true);
  add("engine/cpu/a.cpp", "#include <mpi.h>", true);
  add("engine/cpu/a.cpp", "#include \"../cloud/point_cloud.h\"", true);
  add("engine/cpu/a.cpp", "#include \"point_cloud.h\"", true);
  add("engine/cloud/a.cpp", "#include \"engine/grid/grid_index.h\"", true);
  add("engine/grid/a.cpp", "#include \"engine/join/schedule.h\"", true);
  add("engine/grid/a.cpp", "#include \"engine/join/strategy.h\"", true);
  add("engine/core/a.cpp", "#include \"engine/cloud/point_cloud.h\"", true);
  add("engine/io/a.cpp", "#include \"engine/cpu/cpu_backend.h\"", true);
  add("engine/cuda/a.cu", "#include \"engine/cpu/union_find.h\"", true);
  add("engine/hybrid/a.cpp", "#include \"engine/cuda/runtime/device.h\"", true);
  add("engine/hybrid/a.cpp", "#include \"engine/distributed/communicator.h\"", true);
  add("engine/distributed/a.cpp", "#include \"engine/cuda/cuda_backend.h\"", true);
  add("render/a.cpp", "#include \"ui/window.h\"", true);
  add("render/a.cpp", "#include <QColor>", true);
  add("ui/panels/a.cpp", "#include <vtkActor.h>", true);
  add("ui/panels/a.cpp", "#include \"app/main.h\"", true);
  add("app/cli/a.cpp", "#include \"render/gl/offscreen.h\"", true);
  add("app/cli/a.cpp", "#include \"ui/window.h\"", true);
  add("app/cli/a.cpp", "#include <QString>", true);
  add("app/python/a.cpp", "#include <QString>", true);
  add("app/python/a.cpp", "#include \"app/cli/console.h\"", true);
  add("app/cli/picture.cpp", "#include \"render/gl/offscreen.h\"", true);
  add("app/pictures/a.cpp", "#include \"app/cli/console.h\"", true);
  add("app/shell/a.cpp", "#include \"app/cli/console.h\"", true);
  add("app/shell/a.cpp", "#include <QString>", true);
  add("attic/a.cpp", "", true);
  // May.
  add("engine/cpu/a.cpp", "#include \"engine/join/strategy.h\"\n#include <tbb/info.h>", false);
  add("engine/grid/a.cpp", "#include \"engine/core/predicate.h\"", false);
  add("engine/cuda/a.cu", "#include <cuda_runtime.h>", false);
  add("engine/cpu/a.cpp", "#include <queue>\n// #include \"ui/window.h\" in a comment", false);
  add("engine/distributed/a.cpp", "#include <mpi.h>\n#include \"engine/backend.h\"", false);
  add("render/a.cpp", "#include <vtkActor.h>\n#include \"engine/backend.h\"", false);
  add("ui/view/a.cpp", "#include <vtkActor.h>\n#include <QWidget>\n#include \"a.moc\"", false);
  add("app/main.cpp", "#include <QApplication>\n#include \"ui/window/main_window.h\"", false);
  add("app/pictures/a.cpp", "#include \"render/gl/offscreen.h\"", false);
}

void TestLayers::checkerNoticesViolations() {
  QFETCH(QString, path);
  QFETCH(QString, text);
  QFETCH(bool, crosses);
  const QStringList found = violations(path, text);
  QVERIFY2(found.isEmpty() != crosses, qPrintable(found.join('\n')));
}

/// The names of backends with a device or a model stand in the table of kinds.
void TestLayers::backendsAreAskedForWhatTheyCanDo() {
  const QString root = CLUSTERLOOM_SOURCE_DIR;
  const QRegularExpression name("\"(cuda|hybrid|simt)\"");
  const QStringList allowed{"engine/backend.h", "engine/join/backend_kinds.h", "engine/cuda/"};
  for (const QString& path : sourcesUnder(root)) {
    QFile file(root + '/' + path);
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(path));
    const bool named = QString::fromUtf8(file.readAll()).contains(name);
    QVERIFY2(!named || startsWithAny(path, allowed), qPrintable(path));
  }
}

APPLESS_TEST(TestLayers);
#include "tst_layers.moc"
