// Numbers from the command line: read whole, in base 10, rounded once, in every locale.
#include <QtTest/QtTest>
#include <clocale>
#include <cmath>
#include <cstring>

#include "engine/core/number_text.h"
#include "engine/core/utf8_text.h"
#include "tests/test_program.h"

using namespace clusterloom;

class TestNumberText : public QObject {
  Q_OBJECT

 private slots:
  void numbersAreRoundedOnce();
  void numbersComeBack();
  void badNumbers_data();
  void badNumbers();
  void integersAreDecimal();
  void integersOutOfRangeAreRefused();
  void longTextsAreCut();
  void numbersForPeople();
  void bytesThatAreNoText();
};

void TestNumberText::numbersAreRoundedOnce() {
  // By way of long double this becomes the double below.
  QCOMPARE(readNumber("--eps", "0.111061").value(), 0.111061);
  // Halfway between two doubles in 64 bits of mantissa, just above it in decimal.
  QCOMPARE(readNumber("--eps", "9007199254740993.00000000000000000000001").value(),
           9007199254740994.0);
  QCOMPARE(readNumber("--eps", "+2.5").value(), 2.5);
  QCOMPARE(readNumber("--eps", "5e-324").value(), std::numeric_limits<double>::denorm_min());
  QVERIFY(std::signbit(readNumber("--eps", "-0").value()));
  const char* const before = std::setlocale(LC_NUMERIC, "de_DE.UTF-8");
  QCOMPARE(readNumber("--eps", "1.5").value(), 1.5);
  QCOMPARE(roundTripText(1.5), std::string("1.5"));
  if (before != nullptr) std::setlocale(LC_NUMERIC, "C");
}

void TestNumberText::numbersComeBack() {
  std::uint64_t bits = 1;
  for (int i = 0; i < 10000; ++i) {
    bits = bits * 6364136223846793005U + 1442695040888963407U;
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    QCOMPARE(readNumber("", roundTripText(value)).value(), value);
  }
}

void TestNumberText::bytesThatAreNoText() {
  const std::string mark = "\xef\xbf\xbd";
  for (const std::string text : {"", "plain", "ε größer 𝒙", "\x01\x7f"})
    QCOMPARE(asUtf8(text), text);
  QCOMPARE(asUtf8("a\xff"
                  "b"),
           "a" + mark + "b");
  QCOMPARE(asUtf8("\xc3"), mark);
  QCOMPARE(asUtf8("\xc0\xaf"), mark + mark);             // too long for its character
  QCOMPARE(asUtf8("\xed\xa0\x80"), mark + mark + mark);  // half of a pair
  QCOMPARE(asUtf8("\xe2\x82"
                  "x"),
           mark + mark + "x");
  QCOMPARE(asUtf8("\xf4\x90\x80\x80"), mark + mark + mark + mark);
}

void TestNumberText::badNumbers_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("says");
  QTest::newRow("empty") << ""
                         << "''";
  QTest::newRow("blank") << " 1"
                         << "' 1'";
  QTest::newRow("word") << "one"
                        << "'one'";
  QTest::newRow("two") << "1 2"
                       << "'1 2'";
  QTest::newRow("signs") << "+-1"
                         << "'+-1'";
  QTest::newRow("plus") << "+"
                        << "'+'";
  QTest::newRow("hexadecimal") << "0x10"
                               << "'0x10'";
  QTest::newRow("comma") << "1,5"
                         << "decimal point, 1.5";
  QTest::newRow("nan") << "nan"
                       << "finite";
  QTest::newRow("infinity") << "-inf"
                            << "finite";
  QTest::newRow("too large") << "1e400"
                             << "overflows";
  QTest::newRow("far too large") << "-1e99999999999"
                                 << "overflows";
  QTest::newRow("too small") << "1e-400"
                             << "underflows";
  QTest::newRow("too small, written out") << "0." + QString(400, QLatin1Char('0')) + "1"
                                          << "underflows";
}

void TestNumberText::badNumbers() {
  QFETCH(QString, text);
  QFETCH(QString, says);
  const auto number = readNumber("--eps", text.toStdString());
  QVERIFY(!number);
  QCOMPARE(number.error().kind, ErrorKind::BadCall);
  const QString message = QString::fromStdString(number.error().message);
  QVERIFY2(message.startsWith("--eps") && message.contains(says), qPrintable(message));
}

void TestNumberText::integersAreDecimal() {
  QCOMPARE(readInteger("", "010", 1).value(), std::int64_t{10});
  QCOMPARE(readInteger("", "+7", 1).value(), std::int64_t{7});
  QCOMPARE(readInteger("", "-9223372036854775808", INT64_MIN).value(), std::int64_t{INT64_MIN});
  QCOMPARE(readUnsigned("", "18446744073709551615", 0).value(), ~std::uint64_t{0});
}

void TestNumberText::integersOutOfRangeAreRefused() {
  for (const char* text : {"", "0", "-1", "11", "9223372036854775808", "99999999999999999999999",
                           "1.0", "1e1", "0x1", " 1", "1 ", "+", "+-1", "--1"}) {
    const auto number = readInteger("--bins", text, 1, 10);
    QVERIFY2(!number, text);
    QVERIFY(QString::fromStdString(number.error().message).contains("--bins"));
    QVERIFY(QString::fromStdString(number.error().message).contains("1 to 10"));
  }
  QVERIFY(!readUnsigned("", "18446744073709551616", 0));
  QVERIFY(!readUnsigned("", "-1", 0));
}

void TestNumberText::longTextsAreCut() {
  QVERIFY(readNumber("--eps", std::string(100000, 'x')).error().message.size() < 200);
  QCOMPARE(quotedText(std::string(59, 'x') + "ε"), "'" + std::string(59, 'x') + "…'");
  QCOMPARE(quotedText("a\nb"), std::string("'a?b'"));
}

void TestNumberText::numbersForPeople() {
  QCOMPARE(groupedText(0), std::string("0"));
  QCOMPARE(groupedText(999), std::string("999"));
  QCOMPARE(groupedText(1234567), std::string("1,234,567"));
  QCOMPARE(percentText(0), std::string("0.0 %"));
  QCOMPARE(percentText(0.187), std::string("18.7 %"));
  QCOMPARE(percentText(1), std::string("100.0 %"));
  QCOMPARE(percentText(0.0003), std::string("0.03 %"));
  QCOMPARE(percentText(8996 / 9000.0), std::string("99.96 %"));
  QCOMPARE(percentText(1 - 1e-9), std::string("> 99.99 %"));
  // A share above zero is never written as zero, and one below all never as all.
  for (double share = 1; share > 1e-300; share /= 3) {
    const std::string text = percentText(share);
    QVERIFY2(text != "0.0 %" && text != "0.00 %", text.c_str());
    QCOMPARE(text == "< 0.01 %", share < 1e-4);
    if (share < 1) QVERIFY(!percentText(1 - share).starts_with("100.") || 1 - share == 1);
  }
}

GUILESS_TEST(TestNumberText);
#include "tst_number_text.moc"
