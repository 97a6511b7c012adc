// Files that are kept to be used again, and how a file is known again.
#include <QDir>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "engine/io/disk_space.h"
#include "engine/io/file_cache.h"
#include "engine/io/file_stamp.h"
#include "tests/test_program.h"

using namespace clusterloom;

class TestFileCache : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;

  FileCache cache(std::uint64_t limit) const {
    return {folder_->filePath("kept").toStdString(), ".points", limit};
  }
  /// A file that was used so many hours ago.
  void put(const FileCache& cache, const char* name, std::size_t bytes, int hours) const {
    std::ofstream(cache.fileOf(name)) << std::string(bytes, 'x');
    std::filesystem::last_write_time(
        cache.fileOf(name),
        std::filesystem::file_time_type::clock::now() - std::chrono::hours(hours));
  }
  QStringList names() const {
    return QDir(folder_->filePath("kept")).entryList(QDir::Files, QDir::Name);
  }

 private Q_SLOTS:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void whatWasNotUsedForLongestGoes() {
    const FileCache kept = cache(1000);
    QCOMPARE(kept.bytes(), std::uint64_t{0});
    QVERIFY(!kept.use("a"));
    QVERIFY(kept.makeRoom(1000));
    put(kept, "a", 300, 5);
    put(kept, "b", 300, 4);
    put(kept, "c", 300, 3);
    std::ofstream(folder_->filePath("kept/other.txt").toStdString()) << "not of the cache";
    QCOMPARE(kept.bytes(), std::uint64_t{900});
    QVERIFY(kept.use("a"));
    QVERIFY(kept.makeRoom(100));
    QCOMPARE(names(), QStringList({"a.points", "b.points", "c.points", "other.txt"}));
    QVERIFY(kept.makeRoom(200));
    QCOMPARE(names(), QStringList({"a.points", "c.points", "other.txt"}));
    QVERIFY(kept.makeRoom(600));
    QCOMPARE(names(), QStringList({"a.points", "other.txt"}));
    const auto refused = kept.makeRoom(1001);
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, ErrorKind::TooLarge);
    QCOMPARE(names(), QStringList({"a.points", "other.txt"}));
    QVERIFY(kept.clear());
    QCOMPARE(names(), QStringList({"other.txt"}));
    QVERIFY(kept.clear());
  }

  void aSmallerLimitCounts() {
    QVERIFY(cache(1000).makeRoom(0));
    put(cache(1000), "a", 300, 5);
    put(cache(1000), "b", 300, 4);
    QVERIFY(cache(400).makeRoom(0));
    QCOMPARE(names(), QStringList({"b.points"}));
  }

  // What would not fit on the disk removes nothing.
  void aFullDiskIsSaidBefore() {
    constexpr std::uint64_t kLargest = std::uint64_t{1} << 60;
    QVERIFY(cache(1000).makeRoom(0));
    put(cache(1000), "a", 300, 5);
    const auto refused = cache(kLargest).makeRoom(kLargest);
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, ErrorKind::Io);
    QVERIFY(refused.error().message.find("are free") != std::string::npos);
    QCOMPARE(names(), QStringList({"a.points"}));
    QVERIFY(cache(1000).remove("a"));
    QVERIFY(names().isEmpty());
    QVERIFY(cache(1000).remove("a"));
  }

  // A part of the disk is left to others; what is removed counts as free.
  void aReserveStaysFree() {
    const std::string folder = folder_->path().toStdString();
    const auto disk = std::filesystem::space(folder);
    const std::uint64_t reserved = std::min<std::uint64_t>(disk.capacity / 20, 4ULL << 30);
    QVERIFY(!checkDiskSpace(folder, disk.available));
    QVERIFY(!checkDiskSpace(folder, disk.available + reserved, reserved));
    QVERIFY(checkDiskSpace(folder, disk.available / 4, disk.available + reserved));
    const auto found = diskSpaceOf(folder);
    QVERIFY(found);
    QCOMPARE(found->all, std::uint64_t{disk.capacity});
    QVERIFY(found->free > 0 && found->free <= found->all);
    for (const ErrorKind kind : {checkDiskSpace(folder + "/nowhere", 1).error().kind,
                                 diskSpaceOf(folder + "/nowhere").error().kind})
      QCOMPARE(kind, ErrorKind::Io);
  }

  void aFolderThatCannotBeMadeIsAMessage() {
    std::ofstream(folder_->filePath("kept").toStdString()) << "a file";
    const auto done = cache(1000).makeRoom(1);
    QVERIFY(!done);
    QCOMPARE(done.error().kind, ErrorKind::Io);
  }

  void aFileIsKnownAgain() {
    const std::string path = folder_->filePath("data").toStdString();
    const std::string bytes(1'000'000, 'a');
    std::ofstream(path) << bytes;
    const auto time = std::filesystem::last_write_time(path);
    const auto first = identityOf(path);
    QVERIFY(first);
    QCOMPARE(*identityOf(path), *first);
    // Wherever it is.
    const std::string moved = folder_->filePath("moved").toStdString();
    std::filesystem::rename(path, moved);
    QCOMPARE(*identityOf(moved), *first);
    // Another time, another size, other bytes at the same time.
    std::filesystem::last_write_time(moved, time + std::chrono::seconds(1));
    QVERIFY(*identityOf(moved) != *first);
    for (const std::size_t at : {std::size_t{0}, std::size_t{999'999}}) {
      std::string others = bytes;
      others[at] = 'b';
      std::ofstream(moved) << others;
      std::filesystem::last_write_time(moved, time);
      QVERIFY(*identityOf(moved) != *first);
    }
    std::ofstream(moved) << bytes << 'a';
    std::filesystem::last_write_time(moved, time);
    QVERIFY(*identityOf(moved) != *first);
    std::ofstream(moved) << "short";
    QVERIFY(identityOf(moved));
    QVERIFY(!identityOf(path));
    QCOMPARE(stampOf(path), FileStamp());
  }
};

APPLESS_TEST(TestFileCache);
#include "tst_file_cache.moc"
