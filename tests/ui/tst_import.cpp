// The import dialog: what it detects, what it shows again when an option changes, what it asks for.
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTreeWidget>
#include <QtTest>

#include "engine/io/read.h"
#include "tests/test_program.h"
#include "ui/dialogs/import_dialog.h"
#include "ui/session/session_data.h"
#include "ui/theme/theme.h"
#include "window_help.h"

using namespace clusterloom;
using ColumnRole = ImportDialog::ColumnRole;

class TestImport : public QObject {
  Q_OBJECT

  QTemporaryDir directory_;
  JobQueue jobs_;
  std::unique_ptr<ImportDialog> dialog_;

  QString write(const char* name, const QByteArray& text) {
    const QString path = directory_.filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(text);
    return path;
  }

  void show(const QString& path, const ReadOptions& options = {}) {
    dialog_ = std::make_unique<ImportDialog>(jobs_, path, options, std::nullopt);
    dialog_->show();
    QVERIFY(waitUntil([&] { return jobs_.active().empty(); }));
  }

  QTableWidget* table() const { return dialog_->findChild<QTableWidget*>("previewTable"); }
  QPushButton* open() const {
    for (QPushButton* button : dialog_->findChildren<QPushButton*>()) {
      if (button->isDefault()) return button;
    }
    return nullptr;
  }
  QString error() const { return dialog_->findChild<QLabel*>("importError")->text(); }
  void choose(const char* combo, const QVariant& data) {
    auto* box = dialog_->findChild<QComboBox*>(combo);
    const int index = box->findData(data);
    QVERIFY(index >= 0);
    box->setCurrentIndex(index);
    QVERIFY(waitUntil([&] { return jobs_.active().empty(); }));
  }

 private Q_SLOTS:
  void cleanup() { dialog_.reset(); }

  void rowsAndRolesAreShown() {
    show(write("a.csv", "x,y,class,name\n1.5,2,0,first\n3,4,1,second\n"));
    QCOMPARE(table()->columnCount(), 4);
    QCOMPARE(table()->rowCount(), 3);  // roles and two rows
    QCOMPARE(table()->horizontalHeaderItem(0)->text(), QString("x"));
    QCOMPARE(table()->item(1, 0)->text(), QString("1.5"));
    QCOMPARE(table()->item(2, 3)->text(), QString("second"));
    QCOMPARE(dialog_->columnRole(0), ColumnRole::Coordinate);
    QCOMPARE(dialog_->columnRole(2), ColumnRole::Attribute);  // a number that says which, not where
    QCOMPARE(dialog_->columnRole(3), ColumnRole::Attribute);
    const OpenRequest request = dialog_->request();
    QCOMPARE(request.read.coordinates, (std::vector<std::string>{"0", "1"}));
    QCOMPARE(request.read.keep, (std::vector<std::string>{"2", "3"}));
    QVERIFY(!request.read.keepOthers);
    QVERIFY(open()->isEnabled());
  }

  /// Columns that are called like the numbers of others, as pandas writes them.
  void namesThatAreNumbers() {
    const QString path = write("pandas.csv", ",0,1,cluster\n0,1.5,2,a\n1,2.5,3,b\n2,5,6,a\n");
    show(path);
    dialog_->setColumnRole(0, ColumnRole::Ignore);
    for (const int column : {1, 2}) dialog_->setColumnRole(column, ColumnRole::Coordinate);
    QVERIFY(open()->isEnabled());
    const ReadOptions options = dialog_->request().read;
    const auto read = readDataset(path.toStdString(), options, {});
    QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
    QCOMPARE(read->cloud.names, (std::vector<std::string>{"0", "1"}));
    QCOMPARE(read->cloud.columns[0][2], 5.0);
    QCOMPARE(read->attributes.size(), std::size_t{1});
    QCOMPARE(read->attributes[0].name, std::string("cluster"));
    // The same columns are chosen when they are chosen again.
    show(path, options);
    QCOMPARE(dialog_->columnRole(0), ColumnRole::Ignore);
    for (const int column : {1, 2}) QCOMPARE(dialog_->columnRole(column), ColumnRole::Coordinate);
    QCOMPARE(dialog_->columnRole(3), ColumnRole::Attribute);
  }

  /// More than are shown are read all the same.
  void columnsThatAreNotShownHaveRoles() {
    constexpr int kColumns = 300;
    QByteArray header("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 300), }");
    header = header.leftJustified(117, ' ') + '\n';
    const std::vector<double> values(2 * kColumns, 1.5);
    const QByteArray bytes(reinterpret_cast<const char*>(values.data()),
                           qsizetype(values.size() * sizeof(double)));
    const QString path = write("wide.npy", QByteArray("\x93NUMPY\x01\x00", 8) +
                                               char(header.size()) + '\0' + header + bytes);
    show(path);
    QCOMPARE(table()->columnCount(), 256);
    QCOMPARE(dialog_->request().read.coordinates.size(), std::size_t{kColumns});
    dialog_->setColumnRole(kColumns - 1, ColumnRole::Attribute);
    const ReadOptions options = dialog_->request().read;
    const auto read = readDataset(path.toStdString(), options, {});
    QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
    QCOMPARE(read->cloud.dims(), std::size_t{kColumns - 1});
    QCOMPARE(read->attributes.size(), std::size_t{1});
    // The same columns are chosen when they are chosen again.
    show(path, options);
    QCOMPARE(dialog_->columnRole(kColumns - 1), ColumnRole::Attribute);
    QCOMPARE(dialog_->columnRole(kColumns - 2), ColumnRole::Coordinate);
    dialog_->setAllRoles(ColumnRole::Ignore);
    QVERIFY(dialog_->request().read.coordinates.empty());
    QVERIFY(!open()->isEnabled());
  }

  /// As the command line guesses them (tst_guess_coordinates.cpp).
  void codesAndColumnsBesideDegreesAreAttributes() {
    show(write("cities.csv", "lon,lat,people,year\n8.5,47.4,12,1999\n8.6,47.3,7,2004\n"));
    QCOMPARE(dialog_->request().read.coordinates, (std::vector<std::string>{"0", "1"}));
    QCOMPARE(dialog_->request().read.keep, (std::vector<std::string>{"2", "3"}));
    show(write("stars.csv", "source_id,ra,dec,zip\n8,47.4,12,1999\n9,47.3,7,2004\n"));
    QCOMPARE(dialog_->request().read.coordinates, (std::vector<std::string>{"1", "2"}));
    dialog_->setColumnRole(3, ColumnRole::Coordinate);
    QCOMPARE(dialog_->request().read.coordinates, (std::vector<std::string>{"1", "2", "3"}));
  }

  void theWeightHasANameOfItsOwn() {
    show(write("twice.csv", "x,y,w,w\n1.5,2,3,4\n3,4,1,2\n"));
    dialog_->setColumnRole(2, ColumnRole::Weight);
    dialog_->setColumnRole(3, ColumnRole::Attribute);
    QVERIFY(!open()->isEnabled());
    QVERIFY2(error().contains("name as the weight"), qPrintable(error()));
    dialog_->setColumnRole(3, ColumnRole::Ignore);
    QVERIFY(open()->isEnabled());
  }

  void aColumnIsTheWeight() {
    const QString path = write("w.csv", "x,y,w,name\n1.5,2,3,first\n3,4,1,second\n");
    show(path);
    dialog_->setColumnRole(2, ColumnRole::Weight);
    QVERIFY(open()->isEnabled());
    shot(dialog_.get(), "import-weight");
    const OpenRequest request = dialog_->request();
    QCOMPARE(request.weights, QString("w"));
    QCOMPARE(request.read.coordinates, (std::vector<std::string>{"0", "1"}));
    QCOMPARE(request.read.keep, (std::vector<std::string>{"2", "3"}));
    // Only one is, and no text.
    dialog_->setColumnRole(1, ColumnRole::Weight);
    QVERIFY(!open()->isEnabled() && error().contains("weight"));
    dialog_->setColumnRole(1, ColumnRole::Coordinate);
    dialog_->setColumnRole(3, ColumnRole::Weight);
    QCOMPARE(dialog_->columnRole(3), ColumnRole::Attribute);
    QVERIFY(open()->isEnabled());
    // It is one again when the columns are chosen again, also before the rows are read.
    dialog_ = std::make_unique<ImportDialog>(jobs_, path, request.read, std::nullopt);
    dialog_->setWeights("w");
    dialog_->show();
    QVERIFY(waitUntil([&] { return jobs_.active().empty(); }));
    QCOMPARE(dialog_->columnRole(2), ColumnRole::Weight);
    QCOMPARE(dialog_->columnRole(3), ColumnRole::Attribute);
    QCOMPARE(dialog_->request().weights, QString("w"));
    // Clouds beside each other share weights and scaling, which are not chosen here.
    dialog_->shareParameters();
    QCOMPARE(dialog_->columnRole(0), ColumnRole::Coordinate);
    QCOMPARE(dialog_->columnRole(2), ColumnRole::Attribute);
    QVERIFY(!dialog_->findChild<QComboBox*>("importScaling")->isEnabled());
    QVERIFY(dialog_->request().weights.isEmpty());
  }

  void tablesOfAFileAreChosenInATree() {
    const QString path =
        QStringLiteral(CLUSTERLOOM_SOURCE_DIR "/tests/fuzz/corpus/hdf5/cells.h5ad");
    const auto known = previewFile(path.toStdString());
    if (!known && QString::fromStdString(known.error().message).contains("built without"))
      QSKIP("no HDF5 in this build");
    show(path);
    auto* tree = dialog_->findChild<QTreeWidget*>("tableTree");
    QVERIFY(tree->isVisible());
    QVERIFY(!dialog_->findChild<QComboBox*>("delimiter")->isVisible());
    // An embedding is on show first: it is what such files are opened for.
    QCOMPARE(tree->currentItem()->text(0), QString("X_pca"));
    QCOMPARE(tree->currentItem()->parent()->text(0), QString("obsm"));
    QCOMPARE(table()->columnCount(), 2);
    QCOMPARE(dialog_->request().read.dataset, std::string("/obsm/X_pca"));
    const auto found = tree->findItems("X", Qt::MatchExactly | Qt::MatchRecursive);
    QCOMPARE(found.size(), 1);
    tree->setCurrentItem(found.front());
    QVERIFY(waitUntil([&] { return jobs_.active().empty(); }));
    QCOMPARE(table()->columnCount(), 3);
    QVERIFY(open()->isEnabled());
    const OpenRequest request = dialog_->request();
    QCOMPARE(request.read.dataset, std::string("/X"));
    QCOMPARE(request.read.coordinates, (std::vector<std::string>{"0", "1", "2"}));
    // Groups cannot be read.
    const auto group = tree->findItems("obsm", Qt::MatchExactly | Qt::MatchRecursive);
    QVERIFY(!(group.front()->flags() & Qt::ItemIsSelectable));
    // What was chosen before is shown again.
    ReadOptions before;
    before.dataset = "/X";
    before.coordinates = {"1"};
    show(path, before);
    QCOMPARE(dialog_->columnRole(0), ColumnRole::Attribute);
    QCOMPARE(dialog_->columnRole(1), ColumnRole::Coordinate);
  }

  void rowNumbersStandByTheirRows() {
    applyTheme(*qApp, ThemeChoice::Light);
    show(write("a.csv", "x,y\n1.5,2\n3,4\n"));
    QHeaderView* header = table()->verticalHeader();
    QTest::qWait(50);
    const QImage picture = header->viewport()->grab().toImage();
    for (int row = 0; row < 3; ++row) {
      const int top = header->sectionViewportPosition(row);
      int first = -1, last = -1;  // lines with letters
      for (int y = top; y < top + header->sectionSize(row); ++y) {
        for (int x = 0; x < picture.width(); ++x) {
          if (qGray(picture.pixel(x, y)) > 160) continue;
          if (first < 0) first = y;
          last = y;
        }
      }
      const int middle = top + header->sectionSize(row) / 2;
      QVERIFY2(
          first >= 0 && std::abs((first + last) / 2 - middle) <= 2,
          qPrintable(
              QString("row %1: %2 to %3, not about %4").arg(row).arg(first).arg(last).arg(middle)));
    }
  }

  void raggedRowsAreShownAsErrors() {
    applyTheme(*qApp, qEnvironmentVariableIsSet("CLUSTERLOOM_SHOTS_DARK") ? ThemeChoice::Dark
                                                                          : ThemeChoice::Light);
    show(write("ragged.csv", "x,y,z\n1,2,3\n4,5\n6,7,8\n9,10,11,12\n"));
    QVERIFY2(error().contains("Data row 1 has 2 columns, the first line has 3"),
             qPrintable(error()));
    QVERIFY(!open()->isEnabled());
    QCOMPARE(table()->item(2, 2)->text(), QString("missing"));
    QCOMPARE(table()->item(4, 2)->text(), QString("11 | 12"));
    for (const int row : {2, 4})
      for (int column = 0; column < 3; ++column)
        QVERIFY(table()->item(row, column)->background() != Qt::NoBrush);
    for (const int row : {1, 3}) QVERIFY(table()->item(row, 0)->background() == Qt::NoBrush);
    QVERIFY(table()->verticalHeaderItem(2)->text().contains("⚠"));
    shot(dialog_.get(), "ragged");
    // Another delimiter cuts all rows alike.
    show(write("healed.csv", "x;y,z\n1;2,3\n4;5\n"));
    choose("delimiter", QChar(u';'));
    QVERIFY(!error().contains("Data row"));
    QVERIFY(open()->isEnabled());
  }

  void theRequestReadsWhatWasShown() {
    const QString path = write("b.csv", "id,x,y,w\n7,1,2,9\n8,3,4,9\n9,5,6,9\n");
    show(path);
    dialog_->setColumnRole(3, ColumnRole::Ignore);
    const OpenRequest request = dialog_->request();
    const auto data = readDataset(request.path.toStdString(), request.read);
    QVERIFY(data.has_value());
    QCOMPARE(data->cloud.dims(), std::size_t(2));
    QCOMPARE(data->cloud.names, (std::vector<std::string>{"x", "y"}));
    QCOMPARE(data->attributes.size(), std::size_t(1));
    QCOMPARE(data->attributes.front().name, std::string("id"));
  }

  void optionsShowTheRowsAgain() {
    show(write("c.txt", "1,5;2,5\n3,25;4\n"));
    QVERIFY(waitUntil([&] { return table()->columnCount() > 0; }));
    auto* sign = dialog_->findChild<QComboBox*>("decimalSign");
    QCOMPARE(sign->currentText(), QString("detected: comma"));
    QCOMPARE(dialog_->columnRole(1), ColumnRole::Coordinate);
    QCOMPARE(readDataset(dialog_->request().path.toStdString(), dialog_->request().read)
                 ->cloud.columns[1],
             (std::vector<double>{2.5, 4}));
    choose("delimiter", QChar(u';'));
    choose("decimalSign", int(TextOptions::DecimalSign::Point));
    QCOMPARE(dialog_->columnRole(0), ColumnRole::Attribute);
    choose("decimalSign", int(TextOptions::DecimalSign::Comma));
    choose("header", int(TextOptions::Header::No));
    QCOMPARE(table()->columnCount(), 2);
    QCOMPARE(table()->rowCount(), 3);
    QCOMPARE(dialog_->columnRole(0), ColumnRole::Coordinate);
    const OpenRequest request = dialog_->request();
    QCOMPARE(request.read.text.decimalSign, TextOptions::DecimalSign::Comma);
    QCOMPARE(request.read.text.delimiter, ';');
    const auto data = readDataset(request.path.toStdString(), request.read);
    QVERIFY(data.has_value());
    QCOMPARE(data->cloud.columns[0], (std::vector<double>{1.5, 3.25}));
    choose("header", int(TextOptions::Header::Yes));
    QCOMPARE(table()->rowCount(), 2);
  }

  void thousandsAreShownAndChosen() {
    show(write("t.csv", "x;y\n1,234.5;2\n2,345.5;3\n"));
    QVERIFY(waitUntil([&] { return table()->columnCount() > 0; }));
    QCOMPARE(dialog_->findChild<QComboBox*>("thousands")->currentText(),
             QString("detected: comma"));
    const auto read = [&] {
      const OpenRequest request = dialog_->request();
      return readDataset(request.path.toStdString(), request.read);
    };
    QCOMPARE(read()->cloud.columns[0], (std::vector<double>{1234.5, 2345.5}));
    choose("thousands", int(TextOptions::Thousands::None));
    QCOMPARE(dialog_->columnRole(0), ColumnRole::Attribute);
    choose("thousands", int(TextOptions::Thousands::Comma));
    QCOMPARE(dialog_->columnRole(0), ColumnRole::Coordinate);
    QCOMPARE(dialog_->request().read.text.thousands, TextOptions::Thousands::Comma);
    QCOMPARE(read()->cloud.columns[0], (std::vector<double>{1234.5, 2345.5}));
  }

  void allColumnsAreSetAtOnce() {
    show(write("a.csv", "x,y,class,name\n1.5,2,0,first\n3,4,1,second\n"));
    const auto press = [this](const char* name) {
      QTest::mouseClick(dialog_->findChild<QPushButton*>(name), Qt::LeftButton);
    };
    press("allIgnored");
    QVERIFY(!open()->isEnabled());
    QVERIFY(dialog_->request().read.keep.empty());
    dialog_->setColumnRole(1, ColumnRole::Coordinate);
    QCOMPARE(dialog_->request().read.coordinates, (std::vector<std::string>{"1"}));
    QVERIFY(open()->isEnabled());
    press("allCoordinates");
    QCOMPARE(dialog_->request().read.coordinates, (std::vector<std::string>{"0", "1", "2"}));
    QCOMPARE(dialog_->columnRole(3), ColumnRole::Ignore);  // words
    press("allAttributes");
    QCOMPARE(dialog_->request().read.keep, (std::vector<std::string>{"0", "1", "2", "3"}));
    QVERIFY(!open()->isEnabled());
    shot(dialog_.get(), "import-attributes");
  }

  void rolesSurviveAnotherPreview() {
    show(write("d.csv", "a,b,c\n1,2,3\n4,5,6\n"));
    dialog_->setColumnRole(1, ColumnRole::Ignore);
    dialog_->findChild<QLineEdit*>("comment")->setText("%");
    QVERIFY(waitUntil([&] { return jobs_.active().empty(); }));
    QCOMPARE(dialog_->columnRole(1), ColumnRole::Ignore);
    QCOMPARE(dialog_->columnRole(2), ColumnRole::Coordinate);
    QCOMPARE(dialog_->request().read.text.comment, '%');
  }

  void mistakesAreSaidInPlace() {
    show(write("e.csv", "a,b\n1,2\n3,4\n"));
    dialog_->setColumnRole(0, ColumnRole::Ignore);
    dialog_->setColumnRole(1, ColumnRole::Attribute);
    QVERIFY(error().contains("at least one"));
    QVERIFY(!open()->isEnabled());
    dialog_->setColumnRole(0, ColumnRole::Coordinate);
    dialog_->setColumnRole(1, ColumnRole::Coordinate);
    QVERIFY(error().isEmpty() && open()->isEnabled());
    choose("importScaling", int(Scaling::Kind::Factors));
    QVERIFY(error().contains("2 factors"));
    QVERIFY(!open()->isEnabled());
    auto* factors = dialog_->findChild<QLineEdit*>("importFactors");
    for (const char* bad : {"1", "1,0", "1,x", "1,2,3", "1,inf"}) {
      factors->setText(bad);
      QVERIFY2(!open()->isEnabled(), bad);
    }
    factors->setText("1, 0.5");
    QVERIFY(open()->isEnabled());
    QCOMPARE(dialog_->request().scaling.factors, (std::vector<double>{1, 0.5}));
  }

  void unreadableFilesSayWhy() {
    show(directory_.filePath("nothing-here.csv"));
    QVERIFY(!open()->isEnabled());
    QVERIFY2(error().contains("nothing-here.csv"), qPrintable(error()));
    show(write("empty.csv", ""));
    QVERIFY(!open()->isEnabled());
    QVERIFY(!error().isEmpty());
  }

  void optionsFromBeforeAreKept() {
    ReadOptions options;
    options.coordinates = {"y", "2"};
    options.keepOthers = false;
    options.skipNonFinite = true;
    show(write("f.csv", "x,y,z\n1,2,3\n"), options);
    QCOMPARE(dialog_->columnRole(0), ColumnRole::Ignore);
    QCOMPARE(dialog_->columnRole(1), ColumnRole::Coordinate);
    QCOMPARE(dialog_->columnRole(2), ColumnRole::Coordinate);
    QVERIFY(dialog_->request().read.skipNonFinite);
  }

  void closingWhileARowIsReadIsSafe() {
    QByteArray text("x,y\n");
    for (int i = 0; i < 200000; ++i) text += QByteArray::number(i) + ",1\n";
    const QString path = write("g.csv", text);
    for (int i = 0; i < 20; ++i) {
      dialog_ = std::make_unique<ImportDialog>(jobs_, path, ReadOptions{}, std::nullopt);
      dialog_->show();
      if (i % 2 == 0) QCoreApplication::processEvents();
      dialog_.reset();
    }
    QVERIFY(waitUntil([&] { return jobs_.active().empty(); }));
  }
};

TEST_ENTRY((&test_program::runIn<QApplication, TestImport>));
#include "tst_import.moc"
