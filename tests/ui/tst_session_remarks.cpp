// What the session says of the columns of a file that was opened: what is no coordinate, what turns
// to text, signs between thousands, coordinates that are the same in all rows.
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "session_waits.h"
#include "tests/test_program.h"
#include "ui/session/cloud_load.h"
#include "ui/session/session_data.h"

using namespace clusterloom;

class TestSessionRemarks : public QObject {
  Q_OBJECT

  QTemporaryDir directory_;

  QString write(const QString& name, const QByteArray& text) const {
    QFile file(directory_.filePath(name));
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? file.fileName()
                                                                              : QString();
  }
  /// All that is said when a file is opened.
  QString said(const QString& path, const ReadOptions& options = {}) const {
    Session session(nullptr, directory_.filePath("autosave"));
    QSignalSpy warned(&session.jobs(), &JobQueue::warned);
    session.data().openFile(path, options);
    if (!waitForResult(session)) return QStringLiteral("no result");
    QString all;
    for (const auto& one : warned) all += one[0].toString() + '\n';
    return all;
  }

 private Q_SLOTS:
  void columnsThatArriveOtherwise() {
    QByteArray text = "row,x,y,height,grade\n";
    for (int i = 0; i < 400; ++i)
      text += QByteArray::number(i) + ',' + QByteArray::number(i % 20 * 0.5) + ',' +
              QByteArray::number(i / 20 * 0.25) + ",5," + (i < 3 ? "7" : "good") + '\n';
    const QString path = write("columns.csv", text);
    const QString all = said(path);
    QVERIFY2(all.contains("columns.csv: by their names and values no coordinates: row"),
             qPrintable(all));
    QVERIFY2(all.contains("columns.csv: column 4 (\"grade\") begins with numbers and is read as "
                          "text"),
             qPrintable(all));
    // Nothing is said of what a person chose.
    ReadOptions options;
    options.coordinates = {"x", "y"};
    QVERIFY2(!said(path, options).contains("no coordinates"), qPrintable(all));
  }

  void kindsNeedNoWords() {
    Dataset data;
    data.source.path = "/somewhere/a.csv";
    QVERIFY(columnRemarks(data).isEmpty());
    data.leftOut = {"id", "year"};
    for (const auto kind : {ColumnRemark::Kind::Thousands, ColumnRemark::Kind::TurnedToText,
                            ColumnRemark::Kind::Constant})
      data.remarks.push_back({kind, "remark " + std::to_string(int(kind))});
    const QStringList remarks = columnRemarks(data);
    QCOMPARE(remarks, (QStringList{"a.csv: by their names and values no coordinates: id, year",
                                   "a.csv: remark 0", "a.csv: remark 1", "a.csv: remark 2"}));
  }

  void nothingIsSaidOfPlainFiles() {
    QByteArray text = "x,y\n";
    for (int i = 0; i < 300; ++i)
      text += QByteArray::number(i % 20 * 0.5) + ',' + QByteArray::number(i / 20) + '\n';
    QCOMPARE(said(write("plain.csv", text)), QString());
  }
};

GUILESS_TEST(TestSessionRemarks);
#include "tst_session_remarks.moc"
