// A crash, a full disk or a cancel leaves the old file; a success leaves nothing else behind.
#include <QTemporaryDir>
#include <array>
#include <csignal>
#include <filesystem>
#include <functional>
#include <ostream>
#include <stdexcept>
#include <thread>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/io/sidecar.h"
#include "engine/io/write.h"
#include "io_testing.h"
#include "tests/ended_process.h"
#include "tests/test_program.h"

using namespace clusterloom;
using testing::messageOf;
using testing::readFile;
namespace fs = std::filesystem;

namespace {

Result<void> writeText(const std::string& path, const std::string& text) {
  return writeAtomically(path, [&](std::ostream& out) -> Result<void> {
    out << text;
    return {};
  });
}

std::size_t filesIn(const std::string& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

/// What `work` says in a child process: its exit status, −1 when it crashed.
int inChild(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

class TestWriteAtomically : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void newFile();
  void replaces();
  void largeWrites();
  void permissions();
  void links();
  void linksThatLeadNowhere();
  void linksToPipes();
  void temporaryFilesArePrivateAndRandom();
  void leftTemporaryFilesAreRemoved();
  void failureKeepsTheOldFile();
  void exceptionKeepsTheOldFile();
  void crashKeepsTheOldFile();
  void fullDisk();
  void deviceFull();
  void fileSizeLimit();
  void devices();
  void badTargets();
  void writeProtected();
  void longNames();
  void setsAppearTogether();
  void setsOfTheSameNames();
  void setsSayWhatWasReplaced();
  void setsRefuseOneFileTwice();
  void sameFiles();

 private:
  std::unique_ptr<QTemporaryDir> folder_;
  std::string base_;
  std::string path_;
};

void TestWriteAtomically::init() {
  folder_ = std::make_unique<QTemporaryDir>();
  QVERIFY(folder_->isValid());
  base_ = folder_->path().toStdString();
  path_ = base_ + "/out.csv";
}

void TestWriteAtomically::newFile() {
  REQUIRE_OK(writeText(path_, "one\n"));
  QCOMPARE(readFile(path_), std::string("one\n"));
  QCOMPARE(filesIn(base_), 1u);
  REQUIRE_OK(writeText(path_, ""));
  QCOMPARE(readFile(path_), std::string());
}

void TestWriteAtomically::replaces() {
  testing::writeFile(path_, "old, and longer than the new one\n");
  REQUIRE_OK(writeAtomically(path_, [&](std::ostream& out) -> Result<void> {
    out << "new";
    out.flush();
    // Until the end the old file is there, whole.
    return readFile(path_) == "old, and longer than the new one\n" ? Result<void>{}
                                                                   : fail(ErrorKind::Io, "gone");
  }));
  QCOMPARE(readFile(path_), std::string("new"));
  QCOMPARE(filesIn(base_), 1u);
}

void TestWriteAtomically::largeWrites() {
  std::string expected;
  REQUIRE_OK(writeAtomically(path_, [&](std::ostream& out) -> Result<void> {
    std::mt19937_64 random(2);
    for (int i = 0; i < 60; ++i) {
      const std::string part(random() % 200'000, static_cast<char>('a' + i % 26));
      out << part << static_cast<char>('0' + i % 10);
      expected += part;
      expected += static_cast<char>('0' + i % 10);
    }
    return {};
  }));
  QVERIFY(readFile(path_) == expected);
}

void TestWriteAtomically::permissions() {
  const mode_t old = ::umask(027);
  REQUIRE_OK(writeText(path_, "a"));
  ::umask(old);
  struct stat status {};
  QCOMPARE(::stat(path_.c_str(), &status), 0);
  QCOMPARE(status.st_mode & 07777, mode_t{0640});
  QCOMPARE(::chmod(path_.c_str(), 0604), 0);
  REQUIRE_OK(writeText(path_, "b"));
  QCOMPARE(::stat(path_.c_str(), &status), 0);
  QCOMPARE(status.st_mode & 07777, mode_t{0604});
}

void TestWriteAtomically::links() {
  fs::create_directory(base_ + "/real");
  testing::writeFile(base_ + "/real/data.csv", "old");
  fs::create_symlink("real/data.csv", path_);
  REQUIRE_OK(writeText(path_, "new"));
  QVERIFY(fs::is_symlink(path_));
  QCOMPARE(readFile(base_ + "/real/data.csv"), std::string("new"));
  QCOMPARE(filesIn(base_ + "/real"), 1u);
}

void TestWriteAtomically::linksThatLeadNowhere() {
  fs::create_symlink("none.csv", path_);
  REQUIRE_PART(messageOf(writeText(path_, "new")), "is a link to a file that does not exist");
  QVERIFY(fs::is_symlink(path_));
  fs::create_symlink("loop.csv", base_ + "/loop.csv");
  QVERIFY(!writeText(base_ + "/loop.csv", "new"));
  QCOMPARE(filesIn(base_), 2u);
}

void TestWriteAtomically::linksToPipes() {
  std::array<int, 2> ends{};
  QCOMPARE(pipe(ends.data()), 0);
  fs::create_symlink("/dev/fd/" + std::to_string(ends[1]), path_);
  REQUIRE_OK(writeText(path_, "new"));
  std::array<char, 4> text{};
  QCOMPARE(read(ends[0], text.data(), text.size()), ssize_t{3});
  QCOMPARE(std::string(text.data()), std::string("new"));
  for (const int end : ends) close(end);
}

void TestWriteAtomically::temporaryFilesArePrivateAndRandom() {
  testing::writeFile(path_, "old");
  QCOMPARE(::chmod(path_.c_str(), 0600), 0);
  std::vector<std::string> names;
  for (int i = 0; i < 2; ++i)
    REQUIRE_OK(writeAtomically(path_, [&](std::ostream&) -> Result<void> {
      for (const auto& entry : fs::directory_iterator(base_)) {
        struct stat status {};
        if (::stat(entry.path().c_str(), &status) != 0 || (status.st_mode & 077) != 0)
          return fail(ErrorKind::Io, "others may read it");
        if (entry.path() != path_) names.push_back(entry.path().filename().string());
      }
      return {};
    }));
  QCOMPARE(names.size(), std::size_t{2});
  QVERIFY(names[0] != names[1]);
}

void TestWriteAtomically::leftTemporaryFilesAreRemoved() {
  const auto endWhileWriting = [](const std::string& path) {
    return inChild([&] {
      (void)writeAtomically(path, [](std::ostream&) -> Result<void> { ::_exit(7); });
      return 1;
    });
  };
  QCOMPARE(endWhileWriting(path_), 7);
  QCOMPARE(filesIn(base_), 1u);
  // A run with another target removes it, and leaves its own.
  QCOMPARE(endWhileWriting(base_ + "/other.csv"), 7);
  QCOMPARE(filesIn(base_), 1u);
  REQUIRE_OK(writeAtomically(path_, [&](std::ostream&) -> Result<void> {
    // That of this process, which is alive, is kept.
    return writeText(path_, "inner");
  }));
  // The target alone: what the process of the other target left is gone as well.
  QCOMPARE(filesIn(base_), 1u);
  // A file of another program is no temporary file of this one, and a program on another machine
  // that shares the folder may still write its own.
  const std::string start = base_ + "/.clusterloom-0123456789abcdef-";
  testing::writeFile(base_ + "/.clusterloom-notes-1-2.part", "mine");
  testing::writeFile(start + markOnAnotherMachine() + "1.part", "theirs");
  testing::writeFile(start + markOfEndedProcess() + "1.part", "left");
  REQUIRE_OK(writeText(path_, "new"));
  QCOMPARE(filesIn(base_), 3u);
}

void TestWriteAtomically::failureKeepsTheOldFile() {
  testing::writeFile(path_, "old");
  const auto result = writeAtomically(path_, [](std::ostream& out) -> Result<void> {
    out << std::string(3'000'000, 'n');
    return cancelledError();
  });
  QVERIFY(!result);
  QCOMPARE(result.error().kind, ErrorKind::Cancelled);
  QCOMPARE(readFile(path_), std::string("old"));
  QCOMPARE(filesIn(base_), 1u);
}

void TestWriteAtomically::exceptionKeepsTheOldFile() {
  testing::writeFile(path_, "old");
  auto result = writeAtomically(
      path_, [](std::ostream&) -> Result<void> { throw std::runtime_error("oops"); });
  QVERIFY(!result);
  REQUIRE_PART(messageOf(result), "oops");
  result = writeAtomically(path_, [](std::ostream&) -> Result<void> { throw std::bad_alloc(); });
  QVERIFY(!result);
  QCOMPARE(result.error().kind, ErrorKind::TooLarge);
  QCOMPARE(readFile(path_), std::string("old"));
  QCOMPARE(filesIn(base_), 1u);
}

void TestWriteAtomically::crashKeepsTheOldFile() {
  testing::writeFile(path_, "old");
  const int status = inChild([&] {
    (void)writeAtomically(path_, [](std::ostream& out) -> Result<void> {
      out << std::string(3'000'000, 'n');
      out.flush();
      ::_exit(7);
    });
    return 1;
  });
  QCOMPARE(status, 7);
  QCOMPARE(readFile(path_), std::string("old"));
}

void TestWriteAtomically::fullDisk() {
  // A small file system of our own, where this user may make one.
  const std::string disk = base_ + "/disk";
  fs::create_directory(disk);
  const std::string mount = "mount -t tmpfs -o size=64k clusterloom '" + disk + "' 2>/dev/null";
  if (std::system(mount.c_str()) != 0) QSKIP("this user may not mount a small file system");
  testing::writeFile(disk + "/out.csv", "old");
  const auto result = writeText(disk + "/out.csv", std::string(500'000, 'n'));
  const std::string kept = readFile(disk + "/out.csv");
  const std::size_t files = filesIn(disk);
  QCOMPARE(std::system(("umount '" + disk + "'").c_str()), 0);
  QVERIFY(!result);
  QCOMPARE(result.error().kind, ErrorKind::Io);
  REQUIRE_PART(messageOf(result), "out.csv: the disk is full. Free some space");
  QCOMPARE(kept, std::string("old"));
  QCOMPARE(files, 1u);
}

void TestWriteAtomically::deviceFull() {
  if (::access("/dev/full", W_OK) != 0) QSKIP("this system has no /dev/full");
  const auto result = writeText("/dev/full", "a");
  QVERIFY(!result);
  QCOMPARE(result.error().kind, ErrorKind::Io);
  REQUIRE_PART(messageOf(result), "/dev/full: the disk is full");
}

void TestWriteAtomically::fileSizeLimit() {
  testing::writeFile(path_, "old");
  const int status = inChild([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{10'000, 10'000};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
    const auto result = writeText(path_, std::string(5'000'000, 'n'));
    if (result || result.error().kind != ErrorKind::Io) return 3;
    return testing::has(messageOf(result), "size limit") ? 0 : 4;
  });
  QCOMPARE(status, 0);
  QCOMPARE(readFile(path_), std::string("old"));
  QCOMPARE(filesIn(base_), 1u);
}

void TestWriteAtomically::devices() {
  REQUIRE_OK(writeText("/dev/null", "a"));
  struct stat status {};
  QCOMPARE(::stat("/dev/null", &status), 0);
  QVERIFY(S_ISCHR(status.st_mode));  // it was written to, not replaced
}

void TestWriteAtomically::badTargets() {
  REQUIRE_PART(messageOf(writeText(base_, "a")),
               base_ + ": is a folder. Give the name of a file in it.");
  REQUIRE_PART(messageOf(writeText(base_ + "/none/out.csv", "a")), "there is no such folder");
  QCOMPARE(writeText("", "a").error().kind, ErrorKind::BadCall);
  testing::writeFile(path_, "a file");
  QVERIFY(!writeText(path_ + "/out.csv", "a"));
  QCOMPARE(readFile(path_), std::string("a file"));
}

void TestWriteAtomically::writeProtected() {
  testing::writeFile(path_, "old");
  QCOMPARE(::chmod(path_.c_str(), 0444), 0);
  const auto check = [&] {
    // The file, and then the folder.
    const auto file = writeText(path_, "new");
    if (file || !testing::has(messageOf(file), "is write-protected")) return 3;
    if (::chmod(base_.c_str(), 0555) != 0) return 0;  // not ours to change as another user
    return 0;
  };
  const auto folder = [&] {
    const auto result = writeText(base_ + "/other.csv", "new");
    return !result && testing::has(messageOf(result), "this user may not write there") ? 0 : 4;
  };
  // Its permissions count for the superuser too.
  REQUIRE_PART(messageOf(writeText(path_, "new")), "is write-protected");
  if (::geteuid() == 0) {
    // The superuser may write everywhere: let an ordinary user try.
    QCOMPARE(::chmod(base_.c_str(), 0755), 0);
    QCOMPARE(inChild([&] { return ::setuid(65534) == 0 ? check() + folder() : 2; }), 0);
  } else {
    QCOMPARE(check(), 0);
    QCOMPARE(::chmod(base_.c_str(), 0555), 0);
    const int status = folder();
    QCOMPARE(::chmod(base_.c_str(), 0755), 0);
    QCOMPARE(status, 0);
  }
  QCOMPARE(readFile(path_), std::string("old"));
}

void TestWriteAtomically::longNames() {
  // The temporary file's name must not be longer than the target's may be.
  const std::string path = base_ + "/" + std::string(251, 'n') + ".csv";
  REQUIRE_OK(writeText(path, "a"));
  QCOMPARE(readFile(path), std::string("a"));
  QCOMPARE(filesIn(base_), 1u);
}

void TestWriteAtomically::setsAppearTogether() {
  const std::string other = base_ + "/other.csv";
  testing::writeFile(path_, "old");
  const std::string sidecar = sidecarOf(path_);
  testing::writeFile(sidecar, R"({"program": "Clusterloom 0.1"})");
  {
    OutputSet outputs;
    REQUIRE_OK(writeAtomically({outputs, path_}, "new"));
    REQUIRE_OK(writeAtomically({outputs, other}, "new"));
    QCOMPARE(readFile(path_), std::string("old"));
    QVERIFY(!fs::exists(other));
    QVERIFY(fs::exists(sidecar));
    REQUIRE_OK(outputs.commit());
  }
  QCOMPARE(readFile(path_), std::string("new"));
  QCOMPARE(readFile(other), std::string("new"));
  QCOMPARE(filesIn(base_), 2u);
  {
    OutputSet outputs;
    REQUIRE_OK(writeAtomically({outputs, path_}, "newer"));
    QVERIFY(!writeAtomically({outputs, "/dev/full"}, "newer"));
  }
  QCOMPARE(readFile(path_), std::string("new"));
  QCOMPARE(filesIn(base_), 2u);
  testing::writeFile(sidecar, R"({"program": "Clusterloom 0.1"})");
  {
    OutputSet outputs;
    REQUIRE_OK(writeAtomically({outputs, path_}, "kept"));
    REQUIRE_OK(prepareSidecar(outputs, path_, {{"program", "Clusterloom 0.2"}}));
    REQUIRE_OK(outputs.commit());
  }
  QCOMPARE(readFile(path_), std::string("kept"));
  QVERIFY(readFile(sidecar).find("0.2") != std::string::npos);
}

/// Of two exports to the same names at once one wins as a whole.
void TestWriteAtomically::setsOfTheSameNames() {
  QTemporaryDir folder;
  const auto nameOf = [&](int file) {
    return folder.filePath(QString("same%1.txt").arg(file)).toStdString();
  };
  constexpr int kFiles = 8;
  const auto writeAll = [&](const std::string& text) {
    OutputSet outputs;
    for (int file = 0; file < kFiles; ++file)
      (void)outputs.prepare(nameOf(file), [&](std::ostream& out) -> Result<void> {
        out << text;
        return {};
      });
    (void)outputs.commit();
  };
  for (int round = 0; round < 60; ++round) {
    std::vector<std::thread> threads;
    for (const char* const text : {"one", "two", "three", "four"})
      threads.emplace_back(writeAll, text);
    for (std::thread& thread : threads) thread.join();
    const std::string first = readFile(nameOf(0));
    QVERIFY(!first.empty());
    for (int file = 1; file < kFiles; ++file) QCOMPARE(readFile(nameOf(file)), first);
  }
}

void TestWriteAtomically::setsSayWhatWasReplaced() {
  const std::string other = base_ + "/other.csv";
  OutputSet outputs;
  REQUIRE_OK(writeAtomically({outputs, path_}, "new"));
  REQUIRE_OK(writeAtomically({outputs, other}, "new"));
  fs::create_directory(other);  // in between
  const auto committed = outputs.commit();
  QVERIFY(!committed);
  REQUIRE_PART(messageOf(committed), "other.csv: ");
  REQUIRE_PART(messageOf(committed), "Already written: " + path_ + ".");
  QCOMPARE(readFile(path_), std::string("new"));
  QCOMPARE(filesIn(base_), 2u);
}

void TestWriteAtomically::setsRefuseOneFileTwice() {
  fs::create_symlink(base_, base_ + "/again");
  OutputSet outputs;
  REQUIRE_OK(writeAtomically({outputs, path_}, "new"));
  const auto twice = writeAtomically({outputs, base_ + "/again/out.csv"}, "new");
  QVERIFY(!twice);
  QCOMPARE(twice.error().kind, ErrorKind::BadCall);
  REQUIRE_PART(messageOf(twice), "are one file");
}

void TestWriteAtomically::sameFiles() {
  fs::create_directory(base_ + "/folder");
  fs::create_symlink("folder", base_ + "/link");
  testing::writeFile(base_ + "/a.csv", "a");
  fs::create_hard_link(base_ + "/a.csv", base_ + "/hard.csv");
  fs::create_symlink("a.csv", base_ + "/soft.csv");
  QVERIFY(isSameFile(base_ + "/a.csv", base_ + "/./folder/../a.csv"));
  QVERIFY(isSameFile(base_ + "/a.csv", base_ + "/hard.csv"));
  QVERIFY(isSameFile(base_ + "/a.csv", base_ + "/soft.csv"));
  QVERIFY(isSameFile(base_ + "/folder/new.csv", base_ + "/link/new.csv"));
  QVERIFY(isSameFile("new.csv", "./new.csv"));
  QVERIFY(!isSameFile(base_ + "/a.csv", base_ + "/folder/a.csv"));
  QVERIFY(!isSameFile("new.csv", "newer.csv"));
}

APPLESS_TEST(TestWriteAtomically);
#include "tst_write_atomically.moc"
