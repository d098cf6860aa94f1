// SPDX-License-Identifier: Apache-2.0
#include "core/base/digest.h"

#include <QTest>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

using namespace seedwave;

class TestDigest : public QObject {
  Q_OBJECT
 private slots:
  void is_xxh64_with_seed_0_data() {
    // Published values; the last text is longer than the 32 bytes of one round.
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("digest");
    QTest::newRow("nothing") << QByteArray() << "xxh64:ef46db3751d8e999";
    QTest::newRow("one byte") << QByteArray("a") << "xxh64:d24ec4f1a98c6e5b";
    QTest::newRow("three bytes") << QByteArray("abc") << "xxh64:44bc2cf5ad770999";
    QTest::newRow("39 bytes") << QByteArray("Nobody inspects the spammish repetition")
                              << "xxh64:fbcea83c8a378bf1";
  }
  void is_xxh64_with_seed_0() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, digest);
    const std::string_view text(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    QCOMPARE(QString::fromStdString(xxh64_digest(std::as_bytes(std::span(text)))), digest);
  }

  void numbers_count_as_their_little_endian_bytes() {
    const std::array<std::uint16_t, 2> numbers{0x6261, 0x6463};
    const std::string_view same = "abcd";
    QCOMPARE(xxh64_digest_of(std::span<const std::uint16_t>(numbers)),
             xxh64_digest(std::as_bytes(std::span(same))));
  }
};

QTEST_GUILESS_MAIN(TestDigest)
#include "test_digest.moc"
