// SPDX-License-Identifier: Apache-2.0
#include "core/base/checked_size.h"

#include <QTest>

#include <limits>

using namespace seedwave;

namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

}  // namespace

/// Products and sums are correct or invalid; none wraps around.
class TestCheckedSize : public QObject {
  Q_OBJECT
 private slots:
  void keeps_what_fits();
  void says_what_does_not_fit();
  void stays_invalid();
};

void TestCheckedSize::keeps_what_fits() {
  QCOMPARE((CheckedSize(3) * 4 + 5).value().value(), std::int64_t{17});
  QCOMPARE((CheckedSize(kMost / 2) * 2 + 1).value().value(), kMost);
  QVERIFY((CheckedSize(0) * kMost).fits(0));
  QVERIFY(CheckedSize(7).fits(7));
  QVERIFY(!CheckedSize(8).fits(7));
}

void TestCheckedSize::says_what_does_not_fit() {
  // 2^32 * 2^32 is 0 in 64 bits, 2^32 * 2^31 is negative.
  for (const std::int64_t other : {std::int64_t{1} << 32, std::int64_t{1} << 31}) {
    const CheckedSize product = CheckedSize(std::int64_t{1} << 32) * other;
    QVERIFY(!product.is_valid());
    QVERIFY(!product.value());
    QVERIFY(!product.fits(kMost));
  }
  QVERIFY(!(CheckedSize(kMost) + 1).is_valid());
  QVERIFY(!CheckedSize(-1).is_valid());
}

void TestCheckedSize::stays_invalid() {
  const CheckedSize invalid = CheckedSize(kMost) * 2;
  QVERIFY(!(invalid * 0).is_valid());
  QVERIFY(!(CheckedSize(1) + invalid).is_valid());
}

QTEST_GUILESS_MAIN(TestCheckedSize)
#include "test_checked_size.moc"
