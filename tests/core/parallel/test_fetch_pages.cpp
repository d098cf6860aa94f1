// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_memory.h"
#include "core/base/scratch_files.h"
#include "core/parallel/apart.h"
#include "core/parallel/context.h"
#include "core/parallel/fetch_pages.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstdint>
#include <vector>

using namespace seedwave;

class TestFetchPages : public QObject {
  Q_OBJECT
 private slots:
  void fetching_pages_writes_one_byte_a_page_and_none_outside_data();
  void fetching_pages_writes_one_byte_a_page_and_none_outside();
  void fetches_no_pages_of_files();
  void a_large_vector_is_zeros_on_any_number_of_threads();
  void apart_vectors_share_no_pair_of_lines();
};

void TestFetchPages::fetching_pages_writes_one_byte_a_page_and_none_outside_data() {
  QTest::addColumn<qint64>("before");  // bytes from a large page's start
  QTest::addColumn<qint64>("bytes");
  const auto page = static_cast<qint64>(kLargePage);
  QTest::newRow("less than a page") << qint64{0} << page - 1;
  QTest::newRow("one page") << qint64{0} << page;
  QTest::newRow("one page across two") << qint64{16} << page;
  QTest::newRow("three pages") << qint64{0} << 3 * page;
  QTest::newRow("three pages and a byte") << qint64{0} << 3 * page + 1;
  QTest::newRow("from a page's last byte") << page - 1 << 2 * page + 1;
  QTest::newRow("to a page's first byte") << page - 1 << 2 * page + 2;
}

void TestFetchPages::fetching_pages_writes_one_byte_a_page_and_none_outside() {
  QFETCH(qint64, before);
  QFETCH(qint64, bytes);
  constexpr std::uint8_t kUntouched = 7;
  const auto page = static_cast<qint64>(kLargePage);
  const auto memory = large_array<std::uint8_t>(6 * kLargePage);
  for (const int threads : {1, 2, 5}) {
    std::fill_n(memory.get(), 6 * kLargePage, kUntouched);
    const qint64 first = page + before;
    Context context({.threads = threads});
    fetch_pages(context, memory.get() + first, static_cast<std::size_t>(bytes));
    std::vector<int> touched(6);
    for (qint64 at = 0; at < 6 * page; ++at) {
      if (memory[static_cast<std::size_t>(at)] == kUntouched) continue;
      QVERIFY(at >= first && at < first + bytes);
      ++touched[static_cast<std::size_t>(at / page)];
    }
    for (qint64 i = 0; i < 6; ++i) {
      const bool reached = i >= first / page && i <= (first + bytes - 1) / page;
      const bool wanted = reached && threads > 1 && bytes >= page;
      QCOMPARE(touched[static_cast<std::size_t>(i)], wanted ? 1 : 0);
    }
  }
}

void TestFetchPages::fetches_no_pages_of_files() {
  const QTemporaryDir folder;
  QCOMPARE(scratch::set_folder(folder.path().toStdString().c_str()), 0);
  auto* const array = static_cast<std::uint8_t*>(scratch::take(3 * kLargePage));
  array[kLargePage] = 7;
  Context context({.threads = 2});
  fetch_pages(context, array, 3 * kLargePage);
  QCOMPARE(array[kLargePage], std::uint8_t{7});
  QVERIFY(scratch::give_back(array));
  QCOMPARE(scratch::set_folder(""), 0);
}

void TestFetchPages::a_large_vector_is_zeros_on_any_number_of_threads() {
  for (const int threads : {1, 2, 5}) {
    Context context({.threads = threads});
    for (const std::size_t count : {std::size_t{1}, 3 * kLargePage / 2 + 1}) {
      const auto values = large_vector<std::uint16_t>(context, count);
      QCOMPARE(values.size(), count);
      QVERIFY(std::ranges::all_of(values, [](std::uint16_t value) { return value == 0; }));
    }
  }
}

void TestFetchPages::apart_vectors_share_no_pair_of_lines() {
  std::vector<ApartVector<char>> vectors;
  for (std::size_t size = 1; size < 300; size += 7)
    vectors.emplace_back(size);
  std::vector<std::uintptr_t> pairs;
  for (const ApartVector<char>& vector : vectors) {
    const auto first = reinterpret_cast<std::uintptr_t>(vector.data());
    QCOMPARE(first % kApart, std::uintptr_t{0});
    for (std::uintptr_t at = first / kApart; at <= (first + vector.size() - 1) / kApart; ++at)
      pairs.push_back(at);
  }
  std::ranges::sort(pairs);
  QVERIFY(std::ranges::adjacent_find(pairs) == pairs.end());
}

QTEST_GUILESS_MAIN(TestFetchPages)
#include "test_fetch_pages.moc"
