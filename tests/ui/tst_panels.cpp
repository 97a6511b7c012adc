// The ε slider and the message bar by themselves.
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

#include "tests/test_program.h"
#include "ui/panels/eps_slider.h"
#include "ui/panels/message_bar.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/view/data_words.h"
#include "ui/widgets/elided_label.h"

using namespace clusterloom;

class TestPanels : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // Laying out a name of 100 kB would take gigabytes.
  void longMessagesAreCut() {
    MessageBar bar;
    bar.resize(900, 60);
    const QString name = "begin " + QString(100000, QChar(u'w')) + " end";
    bar.showMessage(MessageBar::Kind::Warning, name);
    QVERIFY(bar.text().size() <= 2010);
    QVERIFY(bar.text().startsWith("begin www") && bar.text().endsWith("www end"));
    bar.showMessage(MessageBar::Kind::Warning, "short");
    QCOMPARE(bar.text(), QString("short"));
  }

  // What does not fit ends in "…", never in half a letter; what fits is unchanged.
  void aLongLineIsElided() {
    ElidedLabel label("WEE 83.9 % · 62,916 warps · 642 batches");
    label.setTextInteractionFlags(Qt::TextSelectableByMouse);
    QLabel plain;
    plain.setTextInteractionFlags(Qt::TextSelectableByMouse);
    const int whole = label.fontMetrics().horizontalAdvance(label.text());
    for (const int width : {whole + 20, whole - 1, whole / 2, 30}) {
      label.resize(width, 24);
      plain.resize(width, 24);
      plain.setText(label.fontMetrics().elidedText(label.text(), Qt::ElideRight, width));
      QCOMPARE(plain.text().endsWith(QChar(0x2026)), width < whole);
      QCOMPARE(label.grab().toImage(), plain.grab().toImage());
    }
    QVERIFY(label.text().endsWith("batches"));  // text() is all of it
  }

  void theSliderIsLogarithmic() {
    EpsSlider eps;
    eps.setRange({1e-3, 1e3});
    QSlider* slider = eps.slider();
    eps.setValue(1);
    QCOMPARE(slider->value(), slider->maximum() / 2);
    eps.setValue(1e-3);
    QCOMPARE(slider->value(), 0);
    eps.setValue(1e3);
    QCOMPARE(slider->value(), slider->maximum());
    QSignalSpy settled(&eps, &EpsSlider::settled);
    slider->setValue(slider->maximum() / 4);
    QCOMPARE(settled.count(), 1);
    QCOMPARE(eps.value(), 0.0316);  // 10^-1.5; a position covers 0.7 % of it
    QCOMPARE(eps.box()->text(), QString("0.0316"));
  }

  void settingEmitsNothingAndKeepsEveryBit() {
    EpsSlider eps;
    eps.setRange({0.01, 1});
    QSignalSpy settled(&eps, &EpsSlider::settled);
    QSignalSpy dragging(&eps, &EpsSlider::dragging);
    const double value = 0.1 + 0.2;
    eps.setValue(value);
    eps.setRange({0.001, 100});
    QCOMPARE(settled.count() + dragging.count(), 0);
    QVERIFY(eps.value() == value);
    QVERIFY(eps.box()->text().toDouble() == value);
  }

  void aCosineDistanceHasItsAngleBesideIt() {
    EpsSlider eps;
    const auto* angle = eps.findChild<QLabel*>("epsAngle");
    eps.setRange({0.001, 2});
    eps.setValue(0.5);
    QVERIFY(!angle->isVisibleTo(&eps));
    eps.setDescription("ε is at the knee");
    QCOMPARE(eps.box()->accessibleDescription(), QString("ε is at the knee"));
    eps.setCosine(true);
    QVERIFY(angle->isVisibleTo(&eps));
    QCOMPARE(angle->text(), QString("= 60°"));
    QCOMPARE(eps.box()->accessibleDescription(), QString("an angle of 60°; ε is at the knee"));
    eps.setDescription({});
    eps.setValue(0.02296);
    QCOMPARE(angle->text(), QString("= 12.3°"));
    QCOMPARE(eps.box()->accessibleDescription(), QString("an angle of 12.3°"));
    eps.slider()->setValue(eps.slider()->maximum());
    QCOMPARE(angle->text(), QString("= 180°"));
    eps.setPending(true, true);
    QVERIFY(!angle->isVisibleTo(&eps));
    QVERIFY(eps.box()->accessibleDescription().isEmpty());
    eps.setPending(false, false);
    eps.setCosine(false);
    QVERIFY(!angle->isVisibleTo(&eps));
    QVERIFY(eps.box()->accessibleDescription().isEmpty());
  }

  void theEndsOfTheRangeAreReachedExactly() {
    EpsSlider eps;
    const EpsRange range{0.0123456789, 987.654321};
    eps.setRange(range);
    eps.slider()->setFocus();
    QTest::keyClick(eps.slider(), Qt::Key_End);
    QVERIFY(eps.value() <= range.high && eps.value() > 0.999 * range.high);
    QTest::keyClick(eps.slider(), Qt::Key_Home);
    QVERIFY(eps.value() >= range.low && eps.value() < 1.001 * range.low);
  }

  void draggingIsToldApartFromSettling() {
    EpsSlider eps;
    eps.setRange({0.01, 100});
    eps.setValue(1);
    eps.resize(400, 80);
    eps.show();
    QVERIFY(QTest::qWaitForWindowExposed(&eps));
    QSignalSpy started(&eps, &EpsSlider::dragStarted);
    QSignalSpy dragging(&eps, &EpsSlider::dragging);
    QSignalSpy settled(&eps, &EpsSlider::settled);
    QSlider* slider = eps.slider();
    const QPoint middle = slider->rect().center();
    QTest::mousePress(slider, Qt::LeftButton, {}, middle);
    QCOMPARE(started.count(), 1);
    QTest::mouseMove(slider, middle + QPoint(40, 0));
    QTest::mouseMove(slider, middle + QPoint(80, 0));
    QVERIFY(dragging.count() >= 1);
    QCOMPARE(settled.count(), 0);
    // A value from elsewhere during a drag does not move the handle.
    const int held = slider->value();
    eps.setValue(2);
    QCOMPARE(slider->value(), held);
    QTest::mouseRelease(slider, Qt::LeftButton, {}, middle + QPoint(80, 0));
    QCOMPARE(settled.count(), 1);
  }

  void theBoxTakesWhatIsWritten_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("value");  // 1 stays 1 when it is refused
    QTest::addColumn<bool>("good");
    QTest::newRow("plain") << "0.25" << 0.25 << true;
    QTest::newRow("exponent") << "2.5e-7" << 2.5e-7 << true;
    QTest::newRow("beyond the range") << "5000" << 5000.0 << true;
    QTest::newRow("decimal comma") << "0,5" << 0.5 << true;
    QTest::newRow("blanks") << "  3 " << 3.0 << true;
    QTest::newRow("zero") << "0" << 1.0 << false;
    QTest::newRow("negative") << "-1" << 1.0 << false;
    QTest::newRow("words") << "big" << 1.0 << false;
    QTest::newRow("infinite") << "inf" << 1.0 << false;
    QTest::newRow("nan") << "nan" << 1.0 << false;
    QTest::newRow("empty") << "" << 1.0 << false;
  }
  void theBoxTakesWhatIsWritten() {
    QFETCH(QString, text);
    QFETCH(double, value);
    QFETCH(bool, good);
    EpsSlider eps;
    eps.setRange({0.01, 100});
    eps.setValue(1);
    QSignalSpy settled(&eps, &EpsSlider::settled);
    eps.box()->selectAll();
    if (text.isEmpty()) QTest::keyClick(eps.box(), Qt::Key_Delete);
    QTest::keyClicks(eps.box(), text);
    QTest::keyClick(eps.box(), Qt::Key_Return);
    QCOMPARE(eps.value(), value);
    QCOMPARE(settled.count(), good ? 1 : 0);
    QCOMPARE(eps.box()->property("wrong").toBool(), !good);
  }

  void keysStepByAboutOnePercent() {
    EpsSlider eps;
    eps.setRange({0.001, 1000});
    eps.setValue(1);
    QTest::keyClick(eps.box(), Qt::Key_Up);
    QCOMPARE(eps.value(), 1.01);
    QTest::keyClick(eps.box(), Qt::Key_Down);
    QCOMPARE(eps.value(), 1.0);
    QTest::keyClick(eps.slider(), Qt::Key_Right);
    QVERIFY(eps.value() > 1.0 && eps.value() < 1.05);
  }

  void messagesCarryOneAction() {
    MessageBar bar;
    int ran = 0;
    bar.showMessage(MessageBar::Kind::Error, "It failed <b>so</b>", "Mend", [&] { ++ran; });
    QVERIFY(bar.isVisible());
    QCOMPARE(bar.text(), QString("It failed <b>so</b>"));
    QTest::mouseClick(bar.actionButton(), Qt::LeftButton);
    QCOMPARE(ran, 1);
    QVERIFY(!bar.isVisible());
    bar.showMessage(MessageBar::Kind::Warning, "Mind");
    QVERIFY(!bar.actionButton()->isVisible());
    bar.dismiss(MessageBar::Kind::Error);
    QVERIFY(bar.isVisible());
    bar.dismiss(MessageBar::Kind::Warning);
    QVERIFY(!bar.isVisible());
  }

  void numbersAreReadable() {
    QCOMPARE(readable(4821337.25), QString("4,821,337"));
    QCOMPARE(readable(0.00025), QString("0.00025"));
    QCOMPARE(readable(0.5), QString("0.5"));
    QCOMPARE(readable(100), QString("100"));
    // A year is no amount.
    QCOMPARE(readable(2000), QString("2000"));
    QCOMPARE(significant(2000, 6), QString("2000"));
    QCOMPARE(significant(12000, 6), QString("12,000"));
    QCOMPARE(significant(2003.4, 3), QString("2003"));
    QCOMPARE(significant(999.96, 3), QString("1000"));
    QCOMPARE(significant(5403512.25, 6), QString("5,403,512"));
    QCOMPARE(readable(1234.5), QString("1,234.5"));
    QCOMPARE(percent(0.187), QString("18.7 %"));
    QCOMPARE(percent(0.0003), QString("0.03 %"));
    QCOMPARE(percent(1e-9), QString("< 0.01 %"));
    QCOMPARE(percent(0), QString("0.0 %"));
    QCOMPARE(percentWithError(0.5, 1e-9), QString("50.0 % ± 0.01 %"));
    QCOMPARE(duration(0.0421), QString("42 ms"));
    QCOMPARE(duration(0.9997), QString("1.00 s"));
    QCOMPARE(duration(9.996), QString("10.0 s"));
    QCOMPARE(duration(59.97), QString("1 min 0 s"));
    QCOMPARE(duration(125), QString("2 min 5 s"));
    QCOMPARE(duration(179.6), QString("3 min 0 s"));
    QCOMPARE(countedClusters(1), QString("1 cluster"));
    QCOMPARE(countedClusters(1234), QString("1,234 clusters"));
  }

  /// In one notation, with the digits that the number needs.
  void fieldsShowTheShortestDigits() {
    const std::pair<double, const char*> doubles[] = {
        {0.0008, "0.0008"}, {0.0001, "0.0001"},       {0.00001, "1e-05"},
        {100000, "100000"}, {123456.75, "123456.75"}, {-0.5, "-0.5"},
        {0, "0"},           {1e15, "1e+15"},          {0.1 + 0.2, "0.30000000000000004"}};
    for (const auto& [number, text] : doubles) {
      QCOMPARE(shortestText(number), QString(text));
      QCOMPARE(shortestText(number).toDouble(), number);
    }
    QCOMPARE(shortestText(0.1F), QString("0.1"));
    QCOMPARE(shortestText(0.0008F), QString("0.0008"));
    QCOMPARE(shortestText(-std::numeric_limits<double>::infinity()), QString("-∞"));
  }

  void iconsFollowTheTheme() {
    applyTheme(*qApp, ThemeChoice::Light);
    const QImage light = themedIcon("open").pixmap(32, 32).toImage();
    applyTheme(*qApp, ThemeChoice::Dark);
    const QImage dark = themedIcon("open").pixmap(32, 32).toImage();
    const auto brightness = [](const QImage& image) {
      double sum = 0;
      double weight = 0;
      for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
          sum += qGray(image.pixel(x, y)) * qAlpha(image.pixel(x, y));
          weight += qAlpha(image.pixel(x, y));
        }
      }
      return weight > 0 ? sum / weight : -1;
    };
    QVERIFY(brightness(light) >= 0 && brightness(light) < 90);
    QVERIFY(brightness(dark) > 170);
    applyTheme(*qApp, ThemeChoice::Light);
  }

  // Each window that is made asks for the theme, the one that is set as a rule.
  void theSameThemeStylesNothingAnew() {
    struct Styled final : QWidget {
      int times = 0;
      void changeEvent(QEvent* event) override { times += event->type() == QEvent::StyleChange; }
    } widget;
    applyTheme(*qApp, ThemeChoice::Light);
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
    widget.times = 0;
    applyTheme(*qApp, ThemeChoice::Light);
    QCOMPARE(widget.times, 0);
    applyTheme(*qApp, ThemeChoice::Dark);
    QVERIFY(widget.times > 0);
    QVERIFY(isDark(widget.palette()));
    applyTheme(*qApp, ThemeChoice::Light);
    QVERIFY(!isDark(widget.palette()));
  }
};

namespace {

int run(int argc, char** argv) {
  QApplication application(argc, argv);
  QLocale::setDefault(QLocale(QLocale::English));
  return test_program::run<TestPanels>(argc, argv);
}

}  // namespace

TEST_ENTRY(run);
#include "tst_panels.moc"
