// Messages and exit status of clusterloom-cli for bad input and outputs, and its help. Wrong calls
// are in tst_cli_wrong_*.cpp.
#include <QJsonArray>
#include <QtTest/QtTest>

#include <array>
#include <cstdint>

#include "cli_process.h"
#include "oracle.h"
#include "tests/test_program.h"

class TestCliCalls : public QObject, CliFolder {
  Q_OBJECT

 private slots:
  void initTestCase();
  void failedWork_data();
  void failedWork();
  void help_data();
  void help();
  void version();
  void everySubcommandIsExplained();
  void shellTexts_data();
  void shellTexts();
  void manualPageIsShown();
  void fullStandardOutput();
  void unwritableOutput();
  void figuresOfLargeCoordinatesAreFinite();
  void scalesThatOverflowAreNamed();
  void largeIntegersAreNamed();
  void remarksNameTheirOptions();
  void otherNamesAreSaid();
  void outputsAreComparedAsFiles_data();
  void outputsAreComparedAsFiles();
  void outputsAppearTogether();
  void limitsGetAMessage_data();
  void limitsGetAMessage();
  void allowsMoreMemoryThanThereIs();
  void loadsWhatDrawsWhereItDraws_data();
  void loadsWhatDrawsWhereItDraws();
  void findsWhatDraws();
  void saysThatMpiIsMissing();

 private:
  // The same call is run once.
  const CliRun& helpOf(const QStringList& arguments) {
    const auto known = helps_.find(arguments);
    return known != helps_.end() ? *known : *helps_.insert(arguments, run(arguments));
  }
  QStringList subcommands();

  QHash<QStringList, CliRun> helps_;
};

void TestCliCalls::initTestCase() {
  QVERIFY(oracle::writeFile(path("cloud.csv"), oracle::csvOf(oracle::clumps(50, 2, 1))));
}

void TestCliCalls::failedWork_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QString>("says");
  QTest::newRow("empty") << QByteArray() << "empty";
  QTest::newRow("ragged") << QByteArray("x,y\n1,2\n3\n") << "3";
  QTest::newRow("a word") << QByteArray("x,y\n1,2\n3,4\n5,zwölf\n6,7\n") << "";
  QTest::newRow("not finite") << QByteArray("x,y\n1,2\n3,inf\n") << "3";
  QTest::newRow("npy with a wrong header")
      << QByteArray(
             "\x93NUMPY\x01\x00\x76\x00{'descr': '<f8', 'fortran_order': False, 'shape': "
             "(1000000000000, 2), }                                              \n",
             128)
      << "";
  QTest::newRow("binary rubbish") << QByteArray("\x00\x01\x02\xff\xfe garbage \x00", 16) << "";
}

void TestCliCalls::failedWork() {
  QFETCH(QByteArray, bytes);
  QFETCH(QString, says);
  QTemporaryDir folder;
  QVERIFY(oracle::writeFile(folder.filePath("bad.csv"), bytes));
  const CliRun done = runCli(
      words("cluster bad.csv --columns 0,1 --eps 1 --min-pts 2 --labels o.csv"), folder.path());
  QVERIFY2(done.status == 1, done.err + done.out);
  QCOMPARE(done.out, QByteArray());
  QVERIFY2(done.lastErrorLine().startsWith("clusterloom-cli: bad.csv"), done.err);
  QVERIFY2(QString::fromUtf8(done.lastErrorLine()).contains(says), done.err);
  QVERIFY(!QFile::exists(folder.filePath("o.csv")));
}

void TestCliCalls::help_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QStringList>("names");
  QTest::newRow("program") << words("--help") << words("cluster join generate info status");
  QTest::newRow("cluster")
      << words("cluster --help")
      << words(
             "--eps --min-pts --sweep-eps --labels --clusters --image --image-size "
             "--image-transparent --json --scale --columns --memory --scratch "
             "--method --index-dims --backend --threads --precision --pattern --order "
             "--threads-per-point "
             "--reorder --sort-idu --short-circuit --batch-size --dense-cells --early-stop "
             "--division --cpu-method --cpu-batch --reference-eps "
             "--provenance --skip-non-finite --delimiter --header --thousands --decimal-comma "
             "--decimal-point Examples:");
  QTest::newRow("join")
      << words("join --help")
      << words(
             "--eps --sweep-eps --memory --scratch --counts --pairs --histogram --bins --json "
             "--pattern --result-route --devices --query-sets --deal Examples:");
  QTest::newRow("hdbscan")
      << words("hdbscan --help")
      << words(
             "--min-cluster-size --min-pts --select --selection-eps --max-cluster-size "
             "--probabilities --outlier-scores --condensed-tree --tree Examples:");
  QTest::newRow("knn") << words("knn --help")
                       << words(
                              "-k --neighbours --distances --ids --json --scale --threads "
                              "--columns Examples:");
  QTest::newRow("hierarchy") << words("hierarchy --help")
                             << words(
                                    "--min-pts --labels-at --labels --tree --curve --json --scale "
                                    "--threads --columns Examples:");
  QTest::newRow("compare") << words("compare --help") << words("OTHER --json Examples:");
  QTest::newRow("validity")
      << words("validity --help")
      << words(
             "LABELS --resample --eps --min-pts --share --seed --no-dbcv --clusters "
             "--json --scale --threads --columns Examples:");
  QTest::newRow("plan")
      << words("plan --help")
      << words("--ranks --min-pts --metric --network --latency --query-sets Examples:");
  QTest::newRow("papers") << words("papers --help")
                          << words(
                                 "ID --points --sample-warps --dataset --file --columns --every "
                                 "--skip-non-finite --delimiter --skip-lines --thousands --header "
                                 "--decimal-comma --decimal-point --scale --threads --seed --json "
                                 "Examples:");
  QTest::newRow("handout") << words("handout --help")
                           << words(
                                  "LESSON --output --slides --lane-view --step --notebook "
                                  "--language Examples:");
  QTest::newRow("generate") << words("generate --help")
                            << words("--points --dims --seed --truth Examples:");
  QTest::newRow("thumbnail") << words("thumbnail --help")
                             << words("--image --size --seconds --columns Examples:");
  QTest::newRow("info") << words("info --help") << words("--min-pts --json Examples:");
}

void TestCliCalls::help() {
  QFETCH(QStringList, arguments);
  QFETCH(QStringList, names);
  const CliRun& done = helpOf(arguments);
  QCOMPARE(done.status, 0);
  QCOMPARE(done.err, QByteArray());
  for (const QString& name : names) QVERIFY2(done.out.contains(name.toUtf8()), qPrintable(name));
  // The backend simt models loads and refuses all else.
  if (arguments.first() != "load") QVERIFY(!done.out.contains("simt"));
}

/// As the help of the program lists them.
QStringList TestCliCalls::subcommands() {
  const QString help = QString::fromUtf8(helpOf({"--help"}).out);
  const QString list = help.mid(help.indexOf("subcommands:", 0, Qt::CaseInsensitive));
  static const QRegularExpression line("^  ([a-z-]+) ", QRegularExpression::MultilineOption);
  QStringList names;
  for (auto found = line.globalMatch(list.left(list.indexOf("Exit status"))); found.hasNext();)
    names << found.next().captured(1);
  return names;
}

/// Each has examples in its help, and the guide names it.
void TestCliCalls::everySubcommandIsExplained() {
  const QByteArray guide = oracle::readFile(CLUSTERLOOM_SOURCE_DIR "/resources/guide/batch.md");
  QVERIFY(subcommands().size() >= 12);
  for (const QString& name : subcommands()) {
    QVERIFY2(guide.contains(('`' + name + '`').toUtf8()), qPrintable(name));
    QVERIFY2(helpOf({name, "--help"}).out.contains("Examples:"), qPrintable(name));
  }
}

/// The scripts and the manual page know every subcommand, every option of its help and, but for the
/// page, the words of an option.
void TestCliCalls::shellTexts_data() {
  QTest::addColumn<QString>("option");
  QTest::addColumn<QString>("ofCommand");
  QTest::addColumn<QString>("ofOption");
  QTest::addColumn<QString>("words");
  QTest::newRow("bash") << "--bash-completion"
                        << "    %1) "
                        << "--%1"
                        << "--pattern) COMPREPLY=($(compgen -W 'full unicomp lid-unicomp tile'";
  QTest::newRow("zsh") << "--zsh-completion"
                       << "  '%1:"
                       << "'--%1"
                       << ":(full unicomp lid-unicomp tile)'";
  QTest::newRow("fish") << "--fish-completion"
                        << "__fish_use_subcommand -a %1 "
                        << " -l %1 "
                        << "-a 'full unicomp lid-unicomp tile'";
  QTest::newRow("man") << "--man-page"
                       << ".SS clusterloom\\-cli %1\n"
                       << ".B \\-\\-%1"
                       << ".SH NAME\nclusterloom\\-cli \\- ";
}

void TestCliCalls::shellTexts() {
  QFETCH(QString, option);
  QFETCH(QString, ofCommand);
  QFETCH(QString, ofOption);
  QFETCH(QString, words);
  const CliRun done = run({option});
  QCOMPARE(done.status, 0);
  QCOMPARE(done.err, QByteArray());
  const QString text = QString::fromUtf8(done.out);
  const bool page = option == "--man-page";
  for (const QString& name : subcommands()) {
    QVERIFY2(text.contains(ofCommand.arg(name)), qPrintable(name));
    const CliRun& help = helpOf({name, "--help"});
    QRegularExpressionMatchIterator options =
        QRegularExpression("^  (?:-., ?)?--([a-z-]+)", QRegularExpression::MultilineOption)
            .globalMatch(QString::fromUtf8(help.out));
    QVERIFY(options.hasNext());
    while (options.hasNext()) {
      QString known = options.next().captured(1);
      if (page) known.replace("-", "\\-");
      QVERIFY2(text.contains(ofOption.arg(known)), qPrintable(known));
    }
  }
  QVERIFY(text.contains(words));
}

/// groff takes the page without a warning and shows an example of the footer line by line.
void TestCliCalls::manualPageIsShown() {
  const QString groff = QStandardPaths::findExecutable("groff");
  if (groff.isEmpty()) QSKIP("groff is not installed");
  const CliRun page = run({"--man-page"});
  QProcess process;
  process.start(groff, {"-man", "-Tutf8", "-Kutf8", "-ww", "-P-cbou"});
  process.write(page.out);
  process.closeWriteChannel();
  QVERIFY(process.waitForFinished(240000));
  QCOMPARE(process.readAllStandardError(), QByteArray());
  const QByteArray shown = process.readAllStandardOutput();
  QVERIFY(shown.contains("--min-pts"));
  QVERIFY(shown.contains("clusterloom-cli generate shapes --points 9000 shapes.csv\n"));
}

void TestCliCalls::version() {
  const CliRun done = run({"--version"});
  QCOMPARE(done.status, 0);
  QCOMPARE(done.out, QByteArray("clusterloom-cli " CLUSTERLOOM_VERSION "\n"));
}

void TestCliCalls::fullStandardOutput() {
  if (!QFile::exists("/dev/full")) QSKIP("there is no /dev/full");
  QProcess process;
  process.setWorkingDirectory(folder_.path());
  process.setStandardOutputFile("/dev/full");
  process.start(CLUSTERLOOM_CLI, words("cluster cloud.csv --eps 1 --min-pts 3 --json"));
  QVERIFY(process.waitForFinished(240000));
  QCOMPARE(process.exitCode(), 1);
  QVERIFY(process.readAllStandardError().contains("standard output"));
  for (const char* call : {"--help", "--version", "join --help"}) {
    QProcess help;
    help.setStandardOutputFile("/dev/full");
    help.start(CLUSTERLOOM_CLI, words(call));
    QVERIFY(help.waitForFinished(240000));
    QVERIFY2(help.exitCode() == 1, call);
    QVERIFY(help.readAllStandardError().contains("standard output"));
  }
}

void TestCliCalls::unwritableOutput() {
  if (!QFile::exists("/dev/full")) QSKIP("there is no /dev/full");
  // The kernel's own files refuse new neighbours, for root too.
  const CliRun done = run({"cluster", "cloud.csv", "--eps", "1", "--min-pts", "3", "--labels",
                           "/proc/self/labels.csv"});
  QCOMPARE(done.status, 1);
  QVERIFY2(done.lastErrorLine().contains("labels.csv"), done.err);
  // A file that may not be replaced is named before there is any work: the input is not there.
  QVERIFY(oracle::writeFile(path("kept.csv"), "kept"));
  QVERIFY(QFile::setPermissions(path("kept.csv"), QFile::ReadOwner));
  const CliRun kept =
      run({"cluster", "none.csv", "--eps", "1", "--min-pts", "3", "--labels", "kept.csv"});
  QCOMPARE(kept.status, 1);
  QVERIFY2(kept.lastErrorLine().contains("kept.csv: is write-protected"), kept.err);
  QVERIFY(QFile::setPermissions(path("kept.csv"), QFile::ReadOwner | QFile::WriteOwner));
}

void TestCliCalls::figuresOfLargeCoordinatesAreFinite() {
  QTemporaryDir folder;
  QVERIFY(
      oracle::writeFile(folder.filePath("far.csv"), "x,y\n-1e300,1\n1e300,1\n-1e300,3\n1e300,3\n"));
  const CliRun done = runCli(words("info far.csv --json"), folder.path());
  QVERIFY2(done.status == 0, done.err);
  const QJsonArray columns = done.json()["columns"].toArray();
  QCOMPARE(columns[0].toObject()["deviation"].toDouble(-1), 1e300);
  QCOMPARE(columns[0].toObject()["mean"].toDouble(-1), 0.0);
  QCOMPARE(columns[1].toObject()["deviation"].toDouble(-1), 1.0);
  QCOMPARE(columns[1].toObject()["mean"].toDouble(-1), 2.0);
}

void TestCliCalls::scalesThatOverflowAreNamed() {
  QVERIFY(oracle::writeFile(path("wide.csv"), "x,y\n-1.5e308,1\n1.5e308,1\n0,3\n"));
  for (const QString call :
       {"cluster wide.csv --eps 1 --min-pts 3", "cluster wide.csv --eps 1 --min-pts 3 --ranks 2",
        "join wide.csv --eps 1 --with wide.csv"}) {
    for (const char* scale : {"", " --scale unit"}) {
      const CliRun wide = run((call + scale).split(' '));
      QVERIFY2(wide.err.contains("Scale it by a factor, such as 0.1"), wide.err);
    }
    const CliRun scaled = run((call + " --scale 0.1,1").split(' '));
    QVERIFY2(scaled.status == 0, scaled.err);
  }
  const CliRun done = run(words("cluster cloud.csv --eps 1 --min-pts 3 --scale 1e308,1"));
  QCOMPARE(done.status, 2);
  QVERIFY2(done.err.contains("scaling factor 1e+308") && !done.err.contains("skip"), done.err);
}

/// How columns were read, and the option that reads them otherwise.
void TestCliCalls::remarksNameTheirOptions() {
  QByteArray text = "x;y;height;grade\n";
  for (int i = 0; i < 400; ++i)
    text += "1,234.5;" + QByteArray::number(i % 7) + ";5;" + (i < 3 ? "7" : "good") + '\n';
  QVERIFY(oracle::writeFile(path("remarks.csv"), text));
  const QByteArray all = run(words("info remarks.csv --columns x,y,height")).err;
  QVERIFY2(all.contains("the comma is taken as the thousands separator: \"1,234.5\" is 1234.5 "
                        "(--thousands none reads it otherwise)"),
           all);
  QVERIFY2(all.contains("column 3 (\"grade\") holds numbers and is read as text, because "
                        "line 5 holds \"good\""),
           all);
  QVERIFY(oracle::writeFile(path("perhaps.csv"), "1,234;5\n2,345;6\n"));
  const QByteArray perhaps = run(words("info perhaps.csv")).err;
  QVERIFY2(perhaps.contains("\"1,234\" is read as 1.234; if it means thousands, say --thousands "
                            "comma"),
           perhaps);
  QVERIFY(oracle::writeFile(path("doubt.csv"), "0,1\n0.5,1.5\n0.75,2.25\n"));
  const CliRun doubt = run(words("cluster doubt.csv --eps 1 --min-pts 1"));
  QVERIFY2(doubt.err.contains("line 1 is taken as data; --header yes takes it as names"),
           doubt.err);
  const CliRun decided = run(words("cluster doubt.csv --eps 1 --min-pts 1 --header yes"));
  QCOMPARE(decided.err, QByteArray());
  QVERIFY2(decided.out.contains("points      2 "), decided.out);
}

/// One note with all names that an export changes.
void TestCliCalls::otherNamesAreSaid() {
  QVERIFY(oracle::writeFile(path("names.csv"), "x,y,a b,a_b,label\n1,2,3,4,5\n2,3,4,5,6\n"));
  const QByteArray call = "cluster names.csv --columns x,y --eps 2 --min-pts 1 --labels out";
  QCOMPARE(run(words((call + ".ply").constData())).err,
           QByteArray("clusterloom-cli: note: out.ply: column \"a b\" is written as \"a_b_2\"; "
                      "column \"label\" is written as \"input_label\"\n"));
  QCOMPARE(run(words((call + ".npy").constData())).err, QByteArray());
}

void TestCliCalls::largeIntegersAreNamed() {
  QVERIFY(oracle::writeFile(path("ids.csv"), "x,y\n9007199254740993,1\n9007199254740992,2\n"));
  const CliRun large = run(words("knn ids.csv -k 1"));
  QVERIFY2(large.status == 0, large.err);
  QVERIFY2(large.err.contains("the coordinate x holds integers of 2⁵³ or more"), large.err);
  QCOMPARE(large.err.count("note: "), 1);
  const CliRun onRanks = run(words("cluster ids.csv --eps 1 --min-pts 1 --ranks 2"));
  QVERIFY2(onRanks.status == 0, onRanks.err);
  QCOMPARE(onRanks.err.count("the coordinate x holds integers of 2⁵³ or more"), 1);
  // Among other numbers, too, but not where doubles hold them.
  QVERIFY(oracle::writeFile(path("ids.csv"), "x,y\n9007199254740993,1\n0.5,9007199254740994\n"));
  QCOMPARE(run(words("knn ids.csv -k 1")).err.count("note: "), 1);
  QVERIFY(oracle::writeFile(path("ids.csv"), "x,y\n9007199254740991,1\n1e300,2\n"));
  QCOMPARE(run(words("knn ids.csv -k 1")).err, QByteArray());
  // Types say it elsewhere: doubles are not rounded, however large and whole they are.
  const auto npy = [&](const char* name, const char* type, const auto& values) {
    const QByteArray header =
        QByteArray("{'descr': '") + type + "', 'fortran_order': False, 'shape': (2, 2), }";
    return oracle::writeFile(
        path(name), QByteArray("\x93NUMPY\x01\x00\x76\x00", 10) + header.leftJustified(117) + '\n' +
                        QByteArray(reinterpret_cast<const char*>(values.data()), sizeof values));
  };
  QVERIFY(npy("doubles.npy", "<f8", std::array<double, 4>{1e17, 1, 2e17, 3}));
  QVERIFY(npy("integers.npy", "<i8",
              std::array<std::int64_t, 4>{9007199254740993, 1, 9007199254740995, 3}));
  for (const QString call : {"knn %1 -k 1", "cluster %1 --eps 1 --min-pts 1 --ranks 2"}) {
    const CliRun doubles = run(call.arg("doubles.npy").split(' '));
    QVERIFY2(doubles.status == 0, doubles.err);
    QCOMPARE(doubles.err, QByteArray());
    const CliRun integers = run(call.arg("integers.npy").split(' '));
    QVERIFY2(integers.status == 0, integers.err);
    QCOMPARE(integers.err.count("holds integers of 2⁵³ or more"), 1);
  }
}

void TestCliCalls::outputsAreComparedAsFiles_data() {
  QTest::addColumn<QString>("call");
  QTest::addColumn<QString>("says");
  const QString cluster = "cluster cloud.csv --eps 1 --min-pts 3 ";
  QTest::newRow("dot") << cluster + "--labels o.csv --clusters ./o.csv"
                       << "both";
  QTest::newRow("absolute") << cluster + "--labels o.csv --clusters FOLDER/o.csv"
                            << "both";
  QTest::newRow("linked folder") << cluster + "--labels sub/o.csv --clusters again/o.csv"
                                 << "both";
  QTest::newRow("linked file") << cluster + "--labels soft.csv --clusters there.csv"
                               << "both";
  QTest::newRow("pairs") << "join cloud.csv --eps 1 --counts c.npy --pairs ./c.npy"
                         << "both";
  QTest::newRow("linked input") << cluster + "--labels input.csv"
                                << "overwrite the input";
  QTest::newRow("dangling") << cluster + "--labels dangling.csv"
                            << "does not exist";
}

void TestCliCalls::outputsAreComparedAsFiles() {
  QFETCH(QString, call);
  QFETCH(QString, says);
  QTemporaryDir folder;
  const auto at = [&](const QString& name) { return folder.filePath(name); };
  QVERIFY(QFile::copy(path("cloud.csv"), at("cloud.csv")));
  QVERIFY(QDir(folder.path()).mkdir("sub"));
  QVERIFY(oracle::writeFile(at("there.csv"), "old"));
  QVERIFY(QFile::link("sub", at("again")));
  QVERIFY(QFile::link("there.csv", at("soft.csv")));
  QVERIFY(QFile::link("cloud.csv", at("input.csv")));
  QVERIFY(QFile::link("none.csv", at("dangling.csv")));
  const QStringList before = QDir(folder.path()).entryList(QDir::AllEntries | QDir::System);
  const CliRun done = runCli(call.replace("FOLDER", folder.path()).split(' '), folder.path());
  QCOMPARE(done.status, 2);
  QVERIFY2(done.lastErrorLine().contains(says.toUtf8()), done.err);
  QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::System), before);
  QCOMPARE(oracle::readFile(at("there.csv")), QByteArray("old"));
}

void TestCliCalls::outputsAppearTogether() {
  QTemporaryDir folder;
  QVERIFY(oracle::writeFile(folder.filePath("labels.csv"), "old"));
  QVERIFY(QFile::link("/dev/full", folder.filePath("full.csv")));
  const CliRun done = runCli({"cluster", path("cloud.csv"), "--eps", "1", "--min-pts", "3",
                              "--labels", "labels.csv", "--clusters", "full.csv"},
                             folder.path());
  QCOMPARE(done.status, 1);
  QVERIFY2(done.lastErrorLine().contains("full.csv: the disk is full"), done.err);
  QCOMPARE(oracle::readFile(folder.filePath("labels.csv")), QByteArray("old"));
  QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::System | QDir::Hidden).size(), 2);
}

void TestCliCalls::limitsGetAMessage_data() {
  QTest::addColumn<QString>("limit");
  QTest::addColumn<QString>("more");
  QTest::addColumn<QString>("says");
  QTest::newRow("file size") << "ulimit -f 1"
                             << "--labels o.csv"
                             << "size limit";
  QTest::newRow("stacks") << "ulimit -v 1500000"
                          << "--threads 500"
                          << "500 threads";
#ifdef CLUSTERLOOM_HAS_PICTURES
  for (const char* limit : {"400000", "600000", "800000"})
    QTest::addRow("picture, %s", limit) << QString("ulimit -v ") + limit << "--image o.png"
                                        << "memory";
#endif
}

void TestCliCalls::limitsGetAMessage() {
  QFETCH(QString, limit);
  QFETCH(QString, more);
  QFETCH(QString, says);
  QTemporaryDir folder;
  QProcess process;
  process.setWorkingDirectory(folder.path());
  process.start("/bin/sh", {"-c", limit + " && exec " CLUSTERLOOM_CLI " cluster " +
                                      path("cloud.csv") + " --eps 1 --min-pts 3 " + more});
  QVERIFY(process.waitForFinished(240000));
  const QByteArray said = process.readAllStandardError();
  QCOMPARE(process.exitStatus(), QProcess::NormalExit);
  QVERIFY2(process.exitCode() == 1, said);
  QVERIFY2(said.trimmed().split('\n').last().contains(says.toUtf8()), said);
  QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 0);
}

/// Blocks take what their points need, however much is allowed.
void TestCliCalls::allowsMoreMemoryThanThereIs() {
  QTemporaryDir folder;
  QProcess process;
  process.setWorkingDirectory(folder.path());
  process.start("/bin/sh", {"-c", "ulimit -v 4000000 && exec " CLUSTERLOOM_CLI " cluster " +
                                      path("cloud.csv") +
                                      " --eps 1 --min-pts 3 --memory 100G --labels labels.npy"});
  QVERIFY(process.waitForFinished(240000));
  QVERIFY2(process.exitCode() == 0, process.readAllStandardError());
  QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList("labels.npy"));
}

void TestCliCalls::loadsWhatDrawsWhereItDraws_data() {
  QTest::addColumn<QString>("call");
  QTest::addColumn<bool>("draws");
  QTest::newRow("version") << "--version" << false;
  QTest::newRow("cluster") << "cluster cloud.csv --eps 1 --min-pts 3" << false;
#ifdef CLUSTERLOOM_HAS_PICTURES
  QTest::newRow("image") << "cluster cloud.csv --eps 1 --min-pts 3 --image o.png" << true;
#endif
}

/// The loader names the libraries that a run of the program has loaded, at its start and later.
void TestCliCalls::loadsWhatDrawsWhereItDraws() {
  QFETCH(QString, call);
  QFETCH(bool, draws);
  QProcess process;
  process.setWorkingDirectory(folder_.path());
  process.start("/bin/sh", {"-c", "LD_DEBUG=files " CLUSTERLOOM_CLI " " + call});
  QVERIFY(process.waitForFinished(240000));
  const QByteArray said = process.readAllStandardError();
  QVERIFY2(process.exitCode() == 0, said);
  QVERIFY2(said.contains("libtbb"), said);  // or the loader says nothing
  QCOMPARE(said.contains("libvtk"), draws);
  QCOMPARE(said.contains("libX11"), draws);
  if (!draws) QVERIFY2(!said.contains("libmpi.so"), said);  // it is for ranks, and VTK may load it
}

/// A rank without what calls MPI, which a build without MPI has not made.
void TestCliCalls::saysThatMpiIsMissing() {
  QTemporaryDir root;
  const QString program = root.filePath("bin/clusterloom-cli");
  QVERIFY(QDir().mkpath(root.filePath("bin")) && QFile::copy(CLUSTERLOOM_CLI, program));
  QProcess process;
  auto environment = QProcessEnvironment::systemEnvironment();
  environment.insert("OMPI_COMM_WORLD_SIZE", "2");
  environment.insert("OMPI_COMM_WORLD_RANK", "0");
  process.setProcessEnvironment(environment);
  process.start(program, {"cluster", path("cloud.csv"), "--eps", "1", "--min-pts", "3"});
  QVERIFY(process.waitForFinished(240000));
  const QByteArray said = process.readAllStandardError();
  QCOMPARE(process.exitCode(), 2);
  QVERIFY2(said.contains("clusterloom_mpi.so") && said.contains("CLUSTERLOOM_MPI=ON"), said);
}

/// Beside the program, as in a build, or in ../lib/clusterloom, as installed.
void TestCliCalls::findsWhatDraws() {
  QTemporaryDir root;
  const QString program = root.filePath("bin/clusterloom-cli");
  const QString library = QFileInfo(CLUSTERLOOM_CLI).path() + "/clusterloom_pictures.so";
  const QString installed = root.filePath("lib/clusterloom/clusterloom_pictures.so");
  QVERIFY(QDir().mkpath(root.filePath("bin")) && QDir().mkpath(QFileInfo(installed).path()));
  QVERIFY(QFile::copy(CLUSTERLOOM_CLI, program));
  const auto exitCode = [&](QByteArray& said) {
    QProcess process;
    process.start(program, {"thumbnail", path("cloud.csv"), "--image", root.filePath("o.png")});
    process.waitForFinished(240000);
    said = process.readAllStandardError();
    return process.exitCode();
  };
  QByteArray said;
  QCOMPARE(exitCode(said), 2);
  QVERIFY2(said.contains("neither in " + root.filePath("bin").toUtf8() + " nor in " +
                         QFileInfo(installed).path().toUtf8()),
           said);
  QVERIFY(oracle::writeFile(installed, "no library"));
  QCOMPARE(exitCode(said), 2);
  QVERIFY2(said.contains("cannot be loaded") && said.contains(installed.toUtf8()), said);
  QVERIFY(!QFile::exists(root.filePath("o.png")));
#ifdef CLUSTERLOOM_HAS_PICTURES
  QVERIFY(QFile::remove(installed) && QFile::link(library, installed));
  QVERIFY2(exitCode(said) == 0, said);
  QVERIFY(QFile::exists(root.filePath("o.png")));
#else
  QVERIFY(!QFile::exists(library));
#endif
}

GUILESS_TEST(TestCliCalls);
#include "tst_cli_calls.moc"
