// SPDX-License-Identifier: Apache-2.0
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/base/mapped_pages.h"
#include "core/base/scratch_files.h"
#include "core/base/scratch_memory.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace seedwave;

namespace {

constexpr std::int64_t kMega = std::int64_t{1} << 20;

std::vector<std::uint64_t> counting(std::int64_t bytes) {
  std::vector<std::uint64_t> numbers(static_cast<std::size_t>(bytes) / sizeof(std::uint64_t));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = i;
  return numbers;
}

bool counts(const std::vector<std::uint64_t>& numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] != i) return false;
  }
  return true;
}

/// Returns the megabytes of mapped files that are in memory.
long long mapped_megabytes() {
  QFile file("/proc/self/statm");
  if (!file.open(QIODevice::ReadOnly)) return -1;
  return file.readAll().split(' ').at(2).toLongLong() * 4096 / kMega;
}

/// Lets no file grow beyond a size while it lives.
class LargestFile {
 public:
  explicit LargestFile(std::int64_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{static_cast<rlim_t>(bytes), before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~LargestFile() { setrlimit(RLIMIT_FSIZE, &before_); }
  LargestFile(const LargestFile&) = delete;
  LargestFile& operator=(const LargestFile&) = delete;

 private:
  rlimit before_{};
};

}  // namespace

class TestScratchMemory : public QObject {
  Q_OBJECT
 private slots:
  void puts_arrays_into_files_beyond_the_limit();
  void keeps_few_pages_in_memory();
  void holds_up_threads_that_bring_in_too_many();
  void leaves_no_name_in_the_folder();
  void serves_threads_at_once();
  void arrays_outlive_it();
  void refuses_a_folder_that_is_not_there();
  void names_the_folder_without_room();
  void is_written_by_system_calls();
  void hands_its_file_over_once();
  void digests_what_is_finished_in_order();

 private:
  ScratchSettings settings(std::int64_t memory) const {
    return {.folder = folder_.path().toStdString(), .memory = memory};
  }
  QTemporaryDir folder_;
};

void TestScratchMemory::puts_arrays_into_files_beyond_the_limit() {
  const std::int64_t before = scratch::use().now;
  const ScratchMemory files(settings(128 * kMega));
  // Three quarters are 96 MB: a fourth array of 25 MB is one too many.
  std::vector<std::unique_ptr<std::vector<char>>> arrays;
  for (int i = 0; i < 3; ++i)
    arrays.push_back(std::make_unique<std::vector<char>>(25 * kMega));
  QCOMPARE(scratch::use().now, before);
  arrays.push_back(std::make_unique<std::vector<char>>(25 * kMega));
  QCOMPARE(scratch::use().now, before + 25 * kMega);
  QVERIFY(scratch::holds(arrays.back()->data()));
  QVERIFY(!scratch::holds(arrays.front()->data()));
  // Room for another in memory, and a small one always is.
  arrays.erase(arrays.begin());
  arrays.push_back(std::make_unique<std::vector<char>>(25 * kMega));
  arrays.push_back(std::make_unique<std::vector<char>>(15 * kMega));
  QCOMPARE(scratch::use().now, before + 25 * kMega);
  arrays.clear();
  QCOMPARE(scratch::use().now, before);
}

void TestScratchMemory::keeps_few_pages_in_memory() {
  const long long own = mapped_megabytes();
  const ScratchMemory files(settings(64 * kMega));
  std::vector<std::uint64_t> numbers = counting(300 * kMega);
  QCOMPARE(scratch::use().now, 300 * kMega);
  QTRY_VERIFY(mapped_megabytes() <= own + 20);
  QVERIFY(counts(numbers));
  for (std::uint64_t& number : numbers)
    number += 1;
  mapped::drop_pages();
  for (std::uint64_t& number : numbers)
    number -= 1;
  QVERIFY(counts(numbers));
}

// Threads touch pages faster than one thread drops them.
void TestScratchMemory::holds_up_threads_that_bring_in_too_many() {
  const long long own = mapped_megabytes();
  const ScratchMemory files(settings(64 * kMega));
  std::vector<std::uint64_t> numbers(600 * kMega / sizeof(std::uint64_t));
  std::atomic<long long> most = 0;
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      constexpr std::size_t kPage = 4096 / sizeof(std::uint64_t);
      const std::size_t share = numbers.size() / 4;
      for (int pass = 0; pass < 3; ++pass) {
        for (std::size_t i = t * share; i < (t + 1) * share; i += kPage) {
          if (i / kPage % 256 == 0) {
            mapped::keep_pace();
            long long now = mapped_megabytes();
            for (long long known = most; known < now && !most.compare_exchange_weak(known, now);) {
            }
          }
          ++numbers[i];
        }
      }
    });
  }
  threads.clear();
  QVERIFY2(most <= own + 150, qPrintable(QString::number(most - own)));
  QCOMPARE(numbers[0], 3U);
}

void TestScratchMemory::leaves_no_name_in_the_folder() {
  const ScratchMemory files(settings(1));
  const std::vector<char> array(20 * kMega);
  QCOMPARE(scratch::use().now, 20 * kMega);
  QVERIFY(QDir(folder_.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
}

void TestScratchMemory::serves_threads_at_once() {
  ScratchSettings small = settings(1);
  small.smallest = 4096;
  const ScratchMemory files(small);
  std::atomic<int> wrong = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&wrong, t] {
      for (int i = 0; i < 50; ++i) {
        const std::vector<std::uint64_t> numbers = counting(4096 * (1 + (7 * i + t) % 40));
        if (!counts(numbers)) ++wrong;
      }
    });
  }
  threads.clear();
  QCOMPARE(wrong.load(), 0);
}

void TestScratchMemory::arrays_outlive_it() {
  std::vector<std::uint64_t> numbers;
  {
    const ScratchMemory files(settings(1));
    numbers = counting(20 * kMega);
  }
  QVERIFY(counts(numbers));
  const std::int64_t before = scratch::use().now;
  const std::vector<char> in_memory(20 * kMega);
  QCOMPARE(scratch::use().now, before);
  numbers = std::vector<std::uint64_t>();
  QCOMPARE(scratch::use().now, before - 20 * kMega);
}

void TestScratchMemory::refuses_a_folder_that_is_not_there() {
  const std::string folder = folder_.filePath("none").toStdString();
  try {
    const ScratchMemory files({.folder = folder, .memory = 1});
    QFAIL("no error");
  } catch (const UnavailableError& error) {
    QCOMPARE(error.what(),
             ("cannot make a file for large arrays in " + folder + ": No such file or directory")
                 .c_str());
  }
}

void TestScratchMemory::names_the_folder_without_room() {
  const ScratchMemory files(settings(1));
  const LargestFile limit(30 * kMega);
  const std::int64_t before = scratch::use().now;
  try {
    const std::vector<char> array(40 * kMega);
    QFAIL("no error");
  } catch (const ScratchFull& error) {
    QCOMPARE(error.what(),
             ("an array of 0.04 GB fits neither into memory nor into the folder " +
              folder_.path().toStdString() + " (File too large): name another with --scratch")
                 .c_str());
  }
  QCOMPARE(scratch::use().now, before);
  QVERIFY(scratch::room() > 0);
}

void TestScratchMemory::is_written_by_system_calls() {
  const ScratchMemory files(settings(1));
  std::vector<std::uint64_t> numbers = counting(20 * kMega);
  std::vector<std::uint64_t> small(1000, 7);
  QVERIFY(!scratch::write(small.data(), numbers.data(), 8));
  // In the middle of two pages, and the last bytes.
  QVERIFY(scratch::write(numbers.data() + 700, small.data(), 8000));
  QVERIFY(scratch::write(numbers.data() + numbers.size() - 3, small.data(), 24));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const bool is_new = (i >= 700 && i < 1700) || i + 3 >= numbers.size();
    QVERIFY(numbers[i] == (is_new ? 7 : i));
  }
  numbers[701] = 3;
  scratch::copy(numbers.data() + 700, 2, small.data());
  QCOMPARE(small[1], 3U);
  scratch::copy(small.data(), 2, numbers.data() + 1);
  QCOMPARE(numbers[2], 3U);
  QCOMPARE(numbers[3], 3U);
  // Beyond the end there is no array.
  QVERIFY(!scratch::write(numbers.data() + numbers.size(), small.data(), 8));
}

void TestScratchMemory::hands_its_file_over_once() {
  const ScratchMemory files(settings(1));
  const std::vector<std::uint64_t> numbers = counting(20 * kMega);
  const int file = scratch::file_of(numbers.data());
  QVERIFY(file >= 0);
  QCOMPARE(scratch::file_of(numbers.data() + 1), -1);
  QCOMPARE(scratch::hand_over(numbers.data()), file);
  QCOMPARE(scratch::file_of(numbers.data()), -1);
  QCOMPARE(scratch::hand_over(numbers.data()), -1);
  std::uint64_t last = 0;
  const std::int64_t place = scratch::kRoomBefore + 20 * kMega - 8;
  QCOMPARE(pread(file, &last, sizeof last, place), ssize_t{sizeof last});
  QCOMPARE(last, numbers.back());
  ::close(file);
  QVERIFY(counts(numbers));
}

void TestScratchMemory::digests_what_is_finished_in_order() {
  const ScratchMemory files(settings(64 * kMega));
  constexpr std::size_t kBytes = 60 * kMega;
  auto numbers = large_array<std::uint8_t>(kBytes);
  QVERIFY(scratch::holds(numbers.get()));
  for (std::size_t i = 0; i < kBytes; ++i)
    numbers[i] = static_cast<std::uint8_t>(i * i / 7);
  const std::span<const std::byte> bytes = std::as_bytes(std::span(numbers.get(), kBytes));
  const std::string expected = xxh64_digest(bytes);
  const auto known = [&] { return scratch::digest_of(numbers.get(), kBytes); };
  QVERIFY(!known());
  for (std::size_t begin = 0; begin < kBytes; begin += 7 * kMega) {
    QVERIFY(!known());
    scratch::finish(numbers.get(), begin, std::min(kBytes, begin + 7 * kMega));
  }
  QVERIFY(known());
  QVERIFY(!scratch::digest_of(numbers.get(), kBytes - 1));
  QCOMPARE(known_xxh64_digest(bytes), expected);
  // A new array, perhaps at the same place, is not finished.
  numbers.reset();
  numbers = large_array<std::uint8_t>(kBytes);
  QVERIFY(!known());
  scratch::finish(numbers.get(), 0, 10);
  scratch::finish(numbers.get(), 20, kBytes);  // out of order
  QVERIFY(!known());
  // Memory that is no array in a file has no digest that is known.
  std::vector<std::byte> small(100);
  scratch::finish(small.data(), 0, small.size());
  QVERIFY(!scratch::digest_of(small.data(), small.size()));
}

QTEST_GUILESS_MAIN(TestScratchMemory)
#include "test_scratch_memory.moc"
