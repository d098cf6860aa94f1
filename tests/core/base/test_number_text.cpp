// SPDX-License-Identifier: Apache-2.0
#include "core/base/number_text.h"

#include <QTest>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>

using namespace seedwave;

class TestNumberText : public QObject {
  Q_OBJECT
 private slots:
  void times_are_written_for_people() {
    QCOMPARE(in_time(0.0), std::string("0 ms"));
    QCOMPARE(in_time(39.6), std::string("40 ms"));
    QCOMPARE(in_time(999.4), std::string("999 ms"));
    QCOMPARE(in_time(999.6), std::string("1 s"));
    QCOMPARE(in_time(2540.0), std::string("2.5 s"));
    QCOMPARE(in_time(9960.0), std::string("10 s"));
    QCOMPARE(in_time(59'400.0), std::string("59 s"));
    QCOMPARE(in_time(59'600.0), std::string("1 min"));
    QCOMPARE(in_time(25 * 60e3), std::string("25 min"));
    QCOMPARE(in_time(59.6 * 60e3), std::string("1 h"));
    QCOMPARE(in_time(90.0 * 3600e3), std::string("90 h"));
  }
  void decimals_are_fixed_where_they_are_asked_for() {
    QCOMPARE(fixed_text(61.25, 1), std::string("61.2"));
    QCOMPARE(fixed_text(-3.0, 4), std::string("-3.0000"));
    QCOMPARE(fixed_text(94.6, 0), std::string("95"));
    QCOMPARE(fixed_text(std::numeric_limits<double>::quiet_NaN(), 1), std::string("-"));
  }
  void numbers_are_written_as_short_as_they_read_back() {
    QCOMPARE(number_text(0.1), std::string("0.1"));
    QCOMPARE(number_text(-12.5), std::string("-12.5"));
    QCOMPARE(number_text(0.0), std::string("0"));
    QCOMPARE(number_text(100.0), std::string("100"));
    QCOMPARE(number_text(-999999999999999.0), std::string("-999999999999999"));
    QCOMPARE(number_text(1e15), std::string("1e+15"));
    QCOMPARE(number_text(1e-7), std::string("1e-07"));
  }

  void every_number_reads_back_as_itself() {
    std::mt19937_64 random(5);
    const auto check = [](double number) {
      const auto read = parse_number(number_text(number));
      QVERIFY2(read && *read == number, number_text(number).c_str());
    };
    for (int power = -300; power <= 300; power += 3) {
      check(std::ldexp(static_cast<double>(random() >> 11), power));
      check(-std::ldexp(1.0, power));
    }
    check(std::numeric_limits<double>::max());
    check(std::numeric_limits<double>::denorm_min());
  }

  void only_a_whole_text_is_a_number() {
    QCOMPARE(parse_number("+2.5").value(), 2.5);
    QCOMPARE(parse_number("-1e3").value(), -1000.0);
    for (const char* wrong :
         {"", "+", "-", "+-1", "1 ", " 1", "1,5", "1.5mm", "0x10", "nan", "inf", "-inf", "1e999"}) {
      QVERIFY2(!parse_number(wrong), wrong);
    }
  }

  void a_number_is_taken_off_a_text() {
    std::string_view text = "12,-3.5e1x";
    QCOMPARE(take_number<std::uint16_t>(text).value(), std::uint16_t{12});
    QVERIFY(!take_number<double>(text));
    text.remove_prefix(1);
    QCOMPARE(take_number<double>(text).value(), -35.0);
    QVERIFY(text == "x");
    for (const char* wrong : {"", "+1", " 1", "-1", "65536"}) {
      text = wrong;
      QVERIFY2(!take_number<std::uint16_t>(text) && text == wrong, wrong);
    }
  }

  void sizes_are_rounded_up_and_read_back() {
    QCOMPARE(in_bytes(1), std::string("1 kB"));
    QCOMPARE(in_bytes(96'001), std::string("97 kB"));
    QCOMPARE(in_bytes(13'400'000), std::string("13.4 MB"));
    QCOMPARE(in_bytes(3'000'000'001), std::string("3.1 GB"));
    for (std::int64_t bytes = 1; bytes < (std::int64_t{1} << 50); bytes = bytes * 7 / 5 + 1) {
      QVERIFY(parse_bytes(in_bytes(bytes)).value() >= bytes);
      QVERIFY(static_cast<double>(*parse_bytes(in_bytes(bytes))) <=
              static_cast<double>(bytes) * 1.1 + 1000);
    }
    QCOMPARE(parse_bytes("1.5G").value(), std::int64_t{1'500'000'000});
    QCOMPARE(parse_bytes("64k").value(), std::int64_t{64'000});
    QCOMPARE(parse_bytes("12345").value(), std::int64_t{12'345});
    for (const char* wrong : {"", "0", "-5M", "M", "5T", "1e30", "5 X", "0.0001"})
      QVERIFY2(!parse_bytes(wrong), wrong);
  }

  void whole_numbers_have_no_point_and_no_overflow() {
    QCOMPARE(parse_integer("+12").value(), std::int64_t{12});
    QCOMPARE(parse_integer("-9223372036854775808").value(),
             std::numeric_limits<std::int64_t>::min());
    for (const char* wrong : {"", "1.0", "1e3", "9223372036854775808", "12x", " 1"})
      QVERIFY2(!parse_integer(wrong), wrong);
  }
};

QTEST_GUILESS_MAIN(TestNumberText)
#include "test_number_text.moc"
