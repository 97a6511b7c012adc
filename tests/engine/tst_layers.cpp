// The layers: includes point one way only. Reads every source and fails when an include goes
// against the order that the READMEs give; further tests show that their tables are in order and
// that the checker notices such includes.
#include <QtTest/QtTest>

#include <QDir>
#include <QDirIterator>
#include <QMap>
#include <QRegularExpression>
#include <QSet>

#include "tests/test_program.h"

namespace {

const QString kRoot = QStringLiteral(CLUSTERLOOM_SOURCE_DIR "/");

QString readText(const QString& path) {
  QFile file(kRoot + path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// A folder of `parent` and what it may include, both with their paths from the root.
struct Module {
  QString folder;
  QStringList mayInclude;
};

/// The rows of the table in the README of `parent` ("ui/"), whose last column says what each folder
/// may include: folders beside it, files as `backend.h`, or paths from the root.
QList<Module> modulesOf(const QString& parent) {
  static const QRegularExpression row("^\\| `([a-z]+/)` \\|.*\\| ([^|]+) \\|$",
                                      QRegularExpression::MultilineOption);
  const QString readme = readText(parent + "README.md");
  QList<Module> modules;
  for (auto match = row.globalMatch(readme); match.hasNext();) {
    const QRegularExpressionMatch one = match.next();
    Module module{parent + one.captured(1), {}};
    for (QString name : one.captured(2).remove('`').split(", ")) {
      if (name == "–") continue;
      if (!name.contains('.')) name += '/';
      module.mayInclude += name.startsWith("engine/") ? name : parent + name;
    }
    modules += module;
  }
  return modules;
}

/// The folders with a table of their own.
const QStringList kTables = {"engine/", "engine/cuda/", "render/", "ui/"};

/// Who may include whom: a folder and what its files may name. The longest match counts.
const QMap<QString, QStringList>& allowedIncludes() {
  static const QMap<QString, QStringList> table = [] {
    QMap<QString, QStringList> all = {
        {"engine/", {"engine/"}},  // files of the engine itself, which compose its modules
        {"app/", {"engine/", "render/", "ui/", "app/"}},
        // The command line and the Python module use no window; render/ in app/pictures only, which
        // the command line loads where it draws.
        {"app/cli/", {"engine/", "app/cli/", "app/shell/", "app/pictures/", "app/mpi/"}},
        {"app/cli/picture.cpp",
         {"engine/", "app/cli/", "app/pictures/", "render/gl/picture_memory.h"}},
        {"app/pictures/",
         {"engine/", "app/pictures/", "render/gl/offscreen.h", "render/scene/clustering_image.h"}},
        {"app/mpi/", {"engine/", "app/mpi/"}},
        {"app/shell/", {"engine/", "app/shell/"}},
        {"app/python/", {"engine/", "app/python/"}},
        {"app/paraview/", {"engine/", "app/paraview/"}},
    };
    QStringList ofCuda;
    for (const QString& parent : kTables)
      for (const Module& module : modulesOf(parent)) {
        QStringList allowed = module.mayInclude + QStringList{module.folder};
        if (parent == "engine/") allowed += "engine/version.h";  // which CMake makes
        if (parent == "render/" || parent == "ui/") allowed += "engine/";
        if (parent == "ui/") allowed += "render/";
        if (parent == "engine/cuda/") allowed += ofCuda;
        if (module.folder == "engine/cuda/") ofCuda = module.mayInclude;
        all[module.folder] = allowed;
      }
    return all;
  }();
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
      {"VTK", QRegularExpression("^vtk"), {"render/", "ui/view/", "app/paraview/"}},
      {"CUDA",
       QRegularExpression("^(cuda|cub/|thrust/|cooperative_groups|nv[a-z]*\\.h)"),
       {"engine/cuda/"}},
      {"NVTX", QRegularExpression("^nvtx3/"), {"engine/core/profiler_range.cpp"}},
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
  const bool windowless = startsWithAny(path, {"app/cli/", "app/shell/", "app/python/",
                                               "app/paraview/", "app/pictures/", "app/mpi/"});

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
    // Made by tools of Qt and VTK.
    if (header.endsWith(".moc") || header.startsWith("ui_")) continue;
    if (header == "ClusterloomFiltersModule.h") continue;
    if (!header.contains('/') || header.startsWith('.')) {
      found += report + " (includes start at the root)";
    } else if (!startsWithAny(header, allowedIncludes()[layer])) {
      found += report + " (against the layers)";
    }
  }
  return found;
}

QStringList allSources() {
  QStringList all;
  for (const char* layer : {"engine", "render", "ui", "app"}) {
    QDirIterator files(kRoot + layer, {"*.h", "*.cpp", "*.cu", "*.cuh", "*.inl"}, QDir::Files,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) all += files.next().mid(kRoot.size());
  }
  return all;
}

}  // namespace

class TestLayers : public QObject {
  Q_OBJECT

 private slots:
  void tablesAreInOrder();
  void includesFollowTheLayers();
  void checkerNoticesViolations_data();
  void checkerNoticesViolations();
  void backendsAreAskedForWhatTheyCanDo();
};

/// Every folder has a row, and names rows above its own only: no cycle can be allowed.
void TestLayers::tablesAreInOrder() {
  for (const QString& parent : kTables) {
    QStringList above;
    for (const Module& module : modulesOf(parent)) {
      for (const QString& name : module.mayInclude) {
        const bool isRow = name.startsWith(parent) && name.endsWith('/');
        QVERIFY2(isRow ? above.contains(name) : QFile::exists(kRoot + name),
                 qPrintable(module.folder + " names " + name));
      }
      above += module.folder;
    }
    for (const QString& folder : QDir(kRoot + parent).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
      QVERIFY2(above.removeAll(parent + folder + '/') == 1, qPrintable(parent + folder));
    QVERIFY2(above.isEmpty(), qPrintable(above.join(' ')));
  }
}

void TestLayers::includesFollowTheLayers() {
  const QStringList sources = allSources();
  QVERIFY2(sources.size() > 30, "the sources were not found");
  QStringList found;
  for (const QString& path : sources) found += violations(path, readText(path));
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
  add("engine/cuda/runtime/a.cu", "#include \"engine/cuda/grid/device_grid.h\"", true);
  add("engine/cuda/join/a.cu", "#include \"engine/cuda/measure/measured_load.h\"", true);
  add("engine/cuda/grid/a.cu", "#include \"engine/distributed/communicator.h\"", true);
  add("render/gl/a.cpp", "#include \"render/scene/cloud_scene.h\"", true);
  add("ui/words/a.cpp", "#include \"ui/session/session.h\"", true);
  add("ui/dialogs/a.cpp", "#include \"ui/panels/data_panel.h\"", true);
  add("ui/attic/a.cpp", "", true);
  add("render/scene/a.cpp", "#include \"ui/window.h\"", true);
  add("render/scene/a.cpp", "#include <QColor>", true);
  add("ui/panels/a.cpp", "#include <vtkActor.h>", true);
  add("ui/panels/a.cpp", "#include \"app/main.h\"", true);
  add("app/cli/a.cpp", "#include \"render/gl/offscreen.h\"", true);
  add("app/cli/a.cpp", "#include \"ui/window.h\"", true);
  add("app/cli/a.cpp", "#include <QString>", true);
  add("app/python/a.cpp", "#include <QString>", true);
  add("app/python/a.cpp", "#include \"app/cli/console.h\"", true);
  add("app/python/a.cpp", "#include <vtkActor.h>", true);
  add("app/paraview/filters/a.cpp", "#include \"render/scene/cloud_scene.h\"", true);
  add("app/paraview/filters/a.cpp", "#include <QString>", true);
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
  add("render/scene/a.cpp", "#include <vtkActor.h>\n#include \"engine/backend.h\"", false);
  add("ui/view/a.cpp", "#include <vtkActor.h>\n#include <QWidget>\n#include \"a.moc\"", false);
  add("engine/cuda/distributed/a.cpp", "#include \"engine/blocks/scatter.h\"", false);
  add("engine/cuda/join/results/a.cu", "#include \"engine/cuda/join/batches.h\"", false);
  add("ui/charts/a.cpp", "#include \"ui/dialogs/chart_picture_dialog.h\"", false);
  add("ui/charts/b.cpp", "#include \"ui/panels/data_panel.h\"", true);
  add("app/main.cpp", "#include <QApplication>\n#include \"ui/window/main_window.h\"", false);
  add("app/pictures/a.cpp", "#include \"render/gl/offscreen.h\"", false);
  add("app/paraview/filters/a.cpp", "#include <vtkTable.h>\n#include \"engine/backend.h\"", false);
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
  const QRegularExpression name("\"(cuda|hybrid|simt)\"");
  const QStringList allowed{"engine/backend.h", "engine/join/backend_kinds.h", "engine/cuda/"};
  for (const QString& path : allSources()) {
    const bool named = readText(path).contains(name);
    QVERIFY2(!named || startsWithAny(path, allowed), qPrintable(path));
  }
}

APPLESS_TEST(TestLayers);
#include "tst_layers.moc"
