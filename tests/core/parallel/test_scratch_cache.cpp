// SPDX-License-Identifier: Apache-2.0
#include "core/parallel/scratch_cache.h"

#include <QTest>

#include <chrono>
#include <future>
#include <memory>
#include <string>

using namespace seedwave;

namespace {

void put(ScratchCache& cache, const std::string& key, int value, std::size_t bytes) {
  cache.put(key, std::make_shared<int>(value), bytes);
}

/// Returns the entry's number, 0 if there is none.
int found(ScratchCache& cache, const std::string& key) {
  const auto entry = cache.find<int>(key);
  return entry ? *entry : 0;
}

}  // namespace

class TestScratchCache : public QObject {
  Q_OBJECT
 private slots:
  void finds_what_was_put_by_name() {
    ScratchCache cache(100);
    put(cache, "a", 1, 10);
    put(cache, "b", 2, 20);
    QCOMPARE(found(cache, "a"), 1);
    QCOMPARE(found(cache, "b"), 2);
    QCOMPARE(found(cache, "c"), 0);
    QCOMPARE(cache.bytes(), std::size_t{30});
    cache.clear();
    QCOMPARE(found(cache, "a"), 0);
    QCOMPARE(cache.bytes(), std::size_t{0});
  }

  void a_name_has_one_entry() {
    ScratchCache cache(100);
    put(cache, "a", 1, 60);
    put(cache, "a", 2, 70);  // both would exceed the bound
    QCOMPARE(found(cache, "a"), 2);
    QCOMPARE(cache.bytes(), std::size_t{70});
  }

  void what_is_taken_is_no_longer_there() {
    ScratchCache cache(100);
    put(cache, "a", 1, 10);
    put(cache, "b", 2, 20);
    const auto taken = cache.take<int>("a");
    QVERIFY(taken != nullptr);
    QCOMPARE(*taken, 1);
    QCOMPARE(taken.use_count(), 1L);
    QCOMPARE(found(cache, "a"), 0);
    QCOMPARE(found(cache, "b"), 2);
    QCOMPARE(cache.bytes(), std::size_t{20});
    QVERIFY(cache.take<int>("a") == nullptr);
    put(cache, "a", 3, 30);
    QCOMPARE(found(cache, "a"), 3);
    QCOMPARE(cache.bytes(), std::size_t{50});
  }

  void the_least_recently_used_go_first() {
    ScratchCache cache(100);
    put(cache, "a", 1, 40);
    put(cache, "b", 2, 40);
    QCOMPARE(found(cache, "a"), 1);  // now b is the least recently used
    put(cache, "c", 3, 30);
    QCOMPARE(found(cache, "a"), 1);
    QCOMPARE(found(cache, "b"), 0);
    QCOMPARE(found(cache, "c"), 3);
    QCOMPARE(cache.bytes(), std::size_t{70});
    put(cache, "d", 4, 100);  // exactly the bound: the only entry
    QCOMPARE(found(cache, "d"), 4);
    QCOMPARE(found(cache, "a"), 0);
    QCOMPARE(cache.bytes(), std::size_t{100});
  }

  void what_is_larger_than_the_bound_is_not_kept_and_evicts_nothing() {
    ScratchCache cache(100);
    put(cache, "a", 1, 40);
    put(cache, "b", 2, 101);
    QCOMPARE(found(cache, "b"), 0);
    QCOMPARE(found(cache, "a"), 1);
    put(cache, "a", 3, 101);  // and the entry it would have replaced is out of date
    QCOMPARE(found(cache, "a"), 0);
    QCOMPARE(cache.bytes(), std::size_t{0});
  }

  void an_entry_lives_on_with_who_holds_it() {
    ScratchCache cache(100);
    put(cache, "a", 1, 60);
    const auto held = cache.find<int>("a");
    put(cache, "b", 2, 60);
    QCOMPARE(found(cache, "a"), 0);
    QCOMPARE(*held, 1);
    QCOMPARE(held.use_count(), 1L);
  }

  void others_may_look_while_an_entry_goes() {
    // One that is replaced, one that is evicted, one that is refused, one that is cleared.
    for (const std::string how : {"a", "b", "too large", "clear"}) {
      ScratchCache cache(100);
      std::future<void> looks;
      bool in_time = false;
      const auto entry = [&] {
        return std::shared_ptr<int>(new int(1), [&](const int* gone) {
          looks = std::async(std::launch::async, [&] { (void)cache.find<int>("other"); });
          in_time = looks.wait_for(std::chrono::seconds(5)) == std::future_status::ready;
          delete gone;
        });
      };
      if (how == "too large") {
        cache.put("a", entry(), 101);
      } else {
        cache.put("a", entry(), 60);
        if (how == "clear") cache.clear();
        if (how != "clear") put(cache, how, 2, 60);
      }
      QVERIFY2(in_time, how.c_str());
    }
  }
};

QTEST_GUILESS_MAIN(TestScratchCache)
#include "test_scratch_cache.moc"
