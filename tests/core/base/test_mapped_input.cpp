// SPDX-License-Identifier: Apache-2.0
//
// Inputs that are used where they lie, and what becomes of them: files that are cut, or change.
#include "core/base/error.h"
#include "core/base/mapped_input.h"
#include "core/base/mapped_pages.h"
#include "core/base/scratch_memory.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <span>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace seedwave;

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kBytes = 4 << 20;
constexpr std::int64_t kOffset = 4099;  // in no way aligned

std::byte value_at(std::int64_t place) {
  return static_cast<std::byte>((place * 37 + place / 4096) % 251);
}

/// Returns the message of the error of that kind that `action` throws; "" if it throws none.
template <typename Kind, typename Action>
std::string error_of(Action&& action) {
  try {
    action();
  } catch (const Kind& error) {
    return error.what();
  }
  return {};
}

std::int64_t sum_of(std::span<const std::byte> bytes) {
  return std::accumulate(
      bytes.begin(), bytes.end(), std::int64_t{0},
      [](std::int64_t sum, std::byte value) { return sum + std::to_integer<std::int64_t>(value); });
}

}  // namespace

class TestMappedInput : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { std::signal(SIGBUS, SIG_DFL); }  // not QtTest's, before others are set
  void init() {
    file_ = folder_.filePath("input.raw").toStdString();
    fs::remove(file_);
    std::string bytes(kOffset + kBytes + 17, '\0');
    for (std::int64_t i = 0; i < std::ssize(bytes); ++i)
      bytes[static_cast<std::size_t>(i)] = static_cast<char>(value_at(i));
    std::ofstream(file_, std::ios::binary) << bytes;
  }

  void holds_the_bytes_of_the_file();
  void is_read_instead_where_it_cannot_be_mapped();
  void another_process_maps_the_same();
  void hints_change_no_byte();
  void a_cut_file_is_an_error_and_no_signal_data();
  void a_cut_file_is_an_error_and_no_signal();
  void a_cut_file_is_remembered_when_it_is_gone();
  void a_change_is_noticed_data();
  void a_change_is_noticed();
  void other_bus_errors_kill();
  void a_signal_that_was_sent_kills();
  void nobody_can_write_into_it();

 private:
  [[nodiscard]] ScratchSettings settings() const {
    return {.folder = folder_.path().toStdString(),
            .memory = std::int64_t{1} << 30,
            .smallest = 1 << 20,
            .maps_inputs = true};
  }
  [[nodiscard]] std::shared_ptr<const std::byte> mapped_bytes() const {
    return mapped::map_input(file_, kOffset, kBytes);
  }
  QTemporaryDir folder_;
  fs::path file_;
};

void TestMappedInput::holds_the_bytes_of_the_file() {
  const ScratchMemory files(settings());
  const auto bytes = mapped_bytes();
  QVERIFY(bytes != nullptr);
  for (const bool again : {false, true}) {
    for (std::int64_t i = 0; i < kBytes; ++i)
      QVERIFY(bytes.get()[i] == value_at(kOffset + i));
    if (!again) mapped::drop_pages();
  }
  mapped::refuse_changed_inputs();
}

void TestMappedInput::is_read_instead_where_it_cannot_be_mapped() {
  QVERIFY(mapped_bytes() == nullptr);  // no ScratchMemory
  {
    ScratchSettings other = settings();
    other.maps_inputs = false;
    const ScratchMemory files(other);
    QVERIFY(mapped_bytes() == nullptr);
  }
  const ScratchMemory files(settings());
  QVERIFY(mapped_bytes() != nullptr);
  QVERIFY(mapped::map_input(file_, kOffset, (1 << 20) - 1) == nullptr);
  QVERIFY(mapped::map_input(file_, kOffset, kBytes + 18) == nullptr);
  QVERIFY(mapped::map_input(file_, kOffset, kBytes + 17) != nullptr);
  QVERIFY(mapped::map_input(file_.parent_path(), 0, kBytes) == nullptr);
  QVERIFY(mapped::map_input(file_.parent_path() / "none", 0, kBytes) == nullptr);
}

void TestMappedInput::another_process_maps_the_same() {
  const ScratchMemory files(settings());
  const auto bytes = mapped_bytes();
  const std::span all(bytes.get(), static_cast<std::size_t>(kBytes));
  const auto part = all.subspan(5000, 70'000);
  const auto place = mapped::place_of(part);
  QVERIFY(place.has_value());
  QCOMPARE(place->file, fs::absolute(file_).string());
  QCOMPARE(place->offset, std::int64_t{kOffset + 5000});
  QCOMPARE(place->bytes, std::int64_t{70'000});
  const auto same = mapped::map_same(*place);
  QVERIFY(same != nullptr && same != bytes);
  QVERIFY(std::equal(part.begin(), part.end(), same.get()));

  const std::vector<std::byte> elsewhere(100);
  QVERIFY(!mapped::place_of(elsewhere).has_value());
  QVERIFY(!mapped::place_of({all.data() - 1, all.size()}).has_value());
  fs::last_write_time(file_, fs::last_write_time(file_) + std::chrono::seconds(1));
  QVERIFY(mapped::map_same(*place) == nullptr);
  fs::remove(file_);
  QVERIFY(mapped::map_same(*place) == nullptr);
}

void TestMappedInput::hints_change_no_byte() {
  const ScratchMemory files(settings());
  const auto bytes = mapped_bytes();
  const std::span<const std::byte> all(bytes.get(), kBytes);
  const std::int64_t sum = sum_of(all);
  const std::vector<std::byte> elsewhere(1000);
  for (const std::size_t begin : {0, 1, 4096, 1 << 20}) {
    mapped::expect(all.subspan(begin));
    mapped::leave(all.subspan(begin, 100'000));
    mapped::leave(elsewhere);
    mapped::expect(elsewhere);
    QCOMPARE(sum_of(all), sum);
  }
  mapped::leave(all);
  QCOMPARE(sum_of(all), sum);
}

void TestMappedInput::a_cut_file_is_an_error_and_no_signal_data() {
  QTest::addColumn<int>("threads");
  QTest::newRow("1 thread") << 1;
  QTest::newRow("4 threads") << 4;
}

void TestMappedInput::a_cut_file_is_an_error_and_no_signal() {
  QFETCH(int, threads);
  const ScratchMemory files(settings());
  const auto bytes = mapped_bytes();
  const std::byte first = *bytes;
  QVERIFY(first == value_at(kOffset));
  mapped::keep_pace();
  fs::resize_file(file_, kOffset);
  std::vector<std::jthread> running;
  for (int i = 0; i < threads; ++i) {
    running.emplace_back([&] { QCOMPARE(sum_of({bytes.get() + 4096, kBytes - 4096}), 0); });
  }
  running.clear();
  const std::string message =
      file_.string() + " was cut short, or can no longer be read, while it was in use";
  QCOMPARE(error_of<InputError>(mapped::keep_pace), message);
  QCOMPARE(error_of<InputError>(mapped::refuse_changed_inputs), message);
}

void TestMappedInput::a_cut_file_is_remembered_when_it_is_gone() {
  {
    const ScratchMemory files(settings());
    auto bytes = mapped_bytes();
    fs::resize_file(file_, 0);
    QCOMPARE(sum_of({bytes.get(), kBytes}), 0);
    bytes.reset();
    QVERIFY(error_of<InputError>(mapped::refuse_lost).starts_with(file_.string()));
  }
  const ScratchMemory files(settings());
  mapped::refuse_changed_inputs();
}

void TestMappedInput::a_change_is_noticed_data() {
  QTest::addColumn<bool>("longer");
  QTest::addColumn<bool>("gone");
  QTest::newRow("another length") << true << false;
  QTest::newRow("another length, input gone") << true << true;
  QTest::newRow("other bytes") << false << false;
  QTest::newRow("other bytes, input gone") << false << true;
}

void TestMappedInput::a_change_is_noticed() {
  QFETCH(bool, longer);
  QFETCH(bool, gone);
  const ScratchMemory files(settings());
  auto bytes = mapped_bytes();
  mapped::refuse_changed_inputs();
  const auto before = fs::last_write_time(file_);
  {
    std::fstream stream(file_, std::ios::binary | std::ios::in | std::ios::out);
    stream.seekp(longer ? kOffset + kBytes + 17 : kOffset);
    stream << 'x';
  }
  fs::last_write_time(file_, longer ? before : before + std::chrono::nanoseconds(1));
  if (gone) bytes.reset();
  QCOMPARE(error_of<InputError>(mapped::refuse_changed_inputs),
           file_.string() + " was changed while it was in use");
}

/// Returns the signal that ended `action` in a process of its own; 0 if it ended by itself.
template <typename Action>
int signal_of_child(Action&& action) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGSEGV, SIG_DFL);
    action();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

void TestMappedInput::other_bus_errors_kill() {
  const int ended_by = signal_of_child([&] {
    const ScratchMemory files(settings());
    const auto bytes = mapped_bytes();
    std::FILE* const other = std::tmpfile();
    void* const memory = mmap(nullptr, 4096, PROT_READ, MAP_SHARED, fileno(other), 0);
    static_cast<void>(*static_cast<volatile char*>(memory));
  });
  QCOMPARE(ended_by, SIGBUS);
}

void TestMappedInput::a_signal_that_was_sent_kills() {
  const int ended_by = signal_of_child([&] {
    const ScratchMemory files(settings());
    const auto bytes = mapped_bytes();
    ::kill(::getpid(), SIGBUS);
  });
  QCOMPARE(ended_by, SIGBUS);
}

void TestMappedInput::nobody_can_write_into_it() {
  const int ended_by = signal_of_child([&] {
    const ScratchMemory files(settings());
    const auto bytes = mapped_bytes();
    *const_cast<volatile std::byte*>(bytes.get()) = std::byte{1};
  });
  QCOMPARE(ended_by, SIGSEGV);
}

QTEST_GUILESS_MAIN(TestMappedInput)
#include "test_mapped_input.moc"
