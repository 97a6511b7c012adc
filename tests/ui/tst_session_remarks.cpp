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
    QVERIFY2(all.contains("columns.csv: not taken as coordinates because of their names "
                          "or values: row"),
             qPrintable(all));
    QVERIFY2(all.contains("columns.csv: the column grade holds numbers and is read as text, "
                          "because line 5 holds \"good\""),
             qPrintable(all));
    // Nothing is said of what a person chose.
    ReadOptions options;
    options.coordinates = {"x", "y"};
    QVERIFY2(!said(path, options).contains("not taken as coordinates"), qPrintable(all));
  }

  /// In the words of the window: none names an option of the command line.
  void eachRemarkHasItsSentence() {
    Dataset data;
    data.source.path = "/somewhere/a.csv";
    QVERIFY(columnRemarks(data).isEmpty());
    data.leftOut = {"id", "year"};
    data.linesBefore = 2;
    using Kind = ColumnRemark::Kind;
    data.remarks = {{Kind::FirstRowAsNames, {"3"}},
                    {Kind::FirstRowAsData, {"3"}},
                    {Kind::Thousands, {"comma", "\"1,234.5\"", "1234.5"}},
                    {Kind::PerhapsThousands, {"point", "\"1.234\"", "1.234"}},
                    {Kind::PerhapsThousands, {"blank", "\"400 001\"", ""}},
                    {Kind::TurnedToText, {"3", "grade", "1200", "\"good\""}},
                    {Kind::Constant, {"height", "5.5"}}};
    data.roundedCoordinates = {"x"};
    QCOMPARE(
        columnRemarks(data).join('\n'),
        QString(
            "a.csv: not taken as coordinates because of their names or values: id, year (choose "
            "others with Columns…)\n"
            "a.csv: the table begins in line 3; the lines before it were skipped (Skip "
            "lines under Columns… changes this)\n"
            "a.csv: line 3 is taken as names of the columns (Header under Columns… takes it "
            "as data)\n"
            "a.csv: line 3 is taken as data (Header under Columns… takes it as names)\n"
            "a.csv: a comma is taken as the thousands separator: \"1,234.5\" is 1234.5 (Thousands "
            "under Columns… changes this)\n"
            "a.csv: \"1.234\" is read as 1.234; if a point is the thousands separator, choose "
            "it at Thousands under Columns…\n"
            "a.csv: \"400 001\" is read as text; if a blank is the thousands separator, "
            "choose it at Thousands under Columns…\n"
            "a.csv: the column grade holds numbers and is read as text, because line "
            "1200 holds \"good\"\n"
            "a.csv: the coordinate height is 5.5 in all rows (choose others with Columns…)\n"
            "a.csv: the coordinate x holds integers of 2⁵³ or more, which are rounded; "
            "different ones may have become equal"));
  }

  void titlesBeforeATableAreSaid() {
    QByteArray text = "Trees of 2020\n\nx,y\n";
    for (int i = 0; i < 300; ++i)
      text += QByteArray::number(i % 20 * 0.5) + ',' + QByteArray::number(i / 20) + '\n';
    const QString all = said(write("titles.csv", text));
    QVERIFY2(all.contains("titles.csv: the table begins in line 3"), qPrintable(all));
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
