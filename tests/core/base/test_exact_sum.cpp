// SPDX-License-Identifier: Apache-2.0
#include "core/base/exact_sum.h"

#include <QTest>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

using namespace seedwave;

namespace {

template <typename T>
double sum_of(const std::vector<T>& values) {
  ExactSum<T> sum;
  for (const T value : values)
    sum.add(value);
  return sum.value();
}

}  // namespace

class TestExactSum : public QObject {
  Q_OBJECT
 private slots:
  void adds_whole_numbers();
  void order_changes_no_bit();
  void nothing_is_lost_beside_large_numbers();
  void the_smallest_and_the_largest_count();
  void times_may_be_negative();
  void infinities_are_counted();
};

void TestExactSum::adds_whole_numbers() {
  QCOMPARE(sum_of<std::uint8_t>({255, 255, 1}), 511.0);
  QCOMPARE(sum_of<std::int16_t>({-32768, 32767, -1}), -2.0);
  ExactSum<std::int32_t> sum;
  sum.add(std::numeric_limits<std::int32_t>::min(), 1LL << 31);
  QCOMPARE(sum.value(), -0x1p62);
}

void TestExactSum::order_changes_no_bit() {
  std::mt19937_64 random(7);
  std::vector<float> values;
  while (values.size() < 10'000) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::isfinite(value)) values.push_back(value);
  }
  const double expected = sum_of(values);
  for (int round = 0; round < 10; ++round) {
    std::shuffle(values.begin(), values.end(), random);
    ExactSum<float> front;
    ExactSum<float> back;
    for (std::size_t i = 0; i < values.size(); ++i)
      (i < 3000 ? front : back).add(values[i]);
    back += front;
    QCOMPARE(std::bit_cast<std::uint64_t>(back.value()), std::bit_cast<std::uint64_t>(expected));
  }
}

void TestExactSum::nothing_is_lost_beside_large_numbers() {
  QCOMPARE(sum_of<float>({1e30F, 1.0F, -1e30F, 0.25F}), 1.25);
  QCOMPARE(sum_of<float>({-0.0F, 0.0F}), 0.0);
}

void TestExactSum::the_smallest_and_the_largest_count() {
  const float smallest = std::numeric_limits<float>::denorm_min();
  const float largest = std::numeric_limits<float>::max();
  const float normal = std::numeric_limits<float>::min();
  QCOMPARE(sum_of<float>({smallest, smallest, -normal, normal}), 0x1p-148);
  QCOMPARE(sum_of<float>({largest, largest}), 2.0 * static_cast<double>(largest));
  QCOMPARE(sum_of<float>({-largest}), -static_cast<double>(largest));
}

void TestExactSum::times_may_be_negative() {
  ExactSum<float> sum;
  sum.add(0.1F, 1000);
  sum.add(0.1F, -999);
  QCOMPARE(sum.value(), static_cast<double>(0.1F));
}

void TestExactSum::infinities_are_counted() {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  ExactSum<float> sum;
  sum.add(1.0F);
  sum.add(kInfinity, 2);
  QVERIFY(std::isinf(sum.value()) && sum.value() > 0);
  sum.add(-kInfinity);
  QVERIFY(std::isnan(sum.value()));
  sum.add(kInfinity, -2);
  QVERIFY(std::isinf(sum.value()) && sum.value() < 0);
  sum.add(-kInfinity, -1);
  QCOMPARE(sum.value(), 1.0);
}

QTEST_GUILESS_MAIN(TestExactSum)
#include "test_exact_sum.moc"
