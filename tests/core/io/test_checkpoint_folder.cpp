// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/io/checkpoint_folder.h"
#include "tests/support/small_files.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace seedwave;
using std::chrono::milliseconds;

namespace {

using Bytes = std::vector<std::byte>;

Bytes counting(std::size_t size, int first) {
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i)
    bytes[i] = static_cast<std::byte>(first + static_cast<int>(i));
  return bytes;
}

}  // namespace

class TestCheckpointFolder : public QObject {
  Q_OBJECT
 private slots:
  void gives_back_what_was_saved();
  void passes_are_apart();
  void is_final_only_as_a_whole();
  void is_final_only_as_long_as_nothing_is_saved();
  void replaces_parts_of_another_thickness();
  void tells_passes_apart_by_name_number_and_size();
  void refuses_another_run();
  void does_without_damaged_files_data();
  void does_without_damaged_files();
  void goes_on_where_the_disk_is_full();
  void is_due_at_intervals();
  void removes_its_own_files_only();

 private:
  [[nodiscard]] io::CheckpointFolder open(const std::string& identity = "run one") const {
    return {path(), identity, milliseconds(1)};
  }
  [[nodiscard]] std::filesystem::path path() const {
    return folder_->filePath("checkpoint").toStdString();
  }
  [[nodiscard]] QString only_file() const {
    const QFileInfoList files = QDir(folder_->filePath("checkpoint")).entryInfoList(QDir::Files);
    return files.isEmpty() ? QString() : files.first().filePath();
  }

  std::unique_ptr<QTemporaryDir> folder_;
 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }
};

void TestCheckpointFolder::gives_back_what_was_saved() {
  const Bytes first = counting(40, 1);
  const Bytes second = counting(60, 100);
  {
    io::CheckpointFolder folder = open();
    QCOMPARE(folder.begin_pass("states", 200), 0);
    QVERIFY(folder.save(0, 0, first));
    QVERIFY(folder.save(0, 100, counting(60, 7)));
    QVERIFY(folder.save(0, 100, second));  // again
  }
  io::CheckpointFolder folder = open();
  QCOMPARE(folder.begin_pass("states", 200), 0);
  QCOMPARE(folder.found(), std::int64_t{100});
  Bytes states(200);
  // In other pieces than they were saved.
  for (std::int64_t at = 0; at < 200; at += 25)
    QVERIFY(folder.restore(0, at, std::span(states).subspan(static_cast<std::size_t>(at), 25)));
  Bytes expected(200);
  std::ranges::copy(first, expected.begin());
  std::ranges::copy(second, expected.begin() + 100);
  QVERIFY(states == expected);
  QVERIFY(folder.warning().empty());
}

void TestCheckpointFolder::passes_are_apart() {
  {
    io::CheckpointFolder folder = open();
    QCOMPARE(folder.begin_pass("states", 10), 0);
    QVERIFY(folder.save(0, 0, counting(10, 1)));
    QCOMPARE(folder.begin_pass("labels", 20), 1);
    QVERIFY(folder.save(1, 0, counting(20, 50)));
  }
  io::CheckpointFolder folder = open();
  Bytes states(10);
  QCOMPARE(folder.begin_pass("states", 10), 0);
  QVERIFY(folder.restore(0, 0, states));
  QVERIFY(states == counting(10, 1));
  QCOMPARE(folder.begin_pass("labels", 20), 1);
  QVERIFY(folder.restore(1, 10, states));
  QVERIFY(states == counting(10, 60));
}

void TestCheckpointFolder::is_final_only_as_a_whole() {
  {
    io::CheckpointFolder folder = open();
    (void)folder.begin_pass("states", 100);
    QVERIFY(folder.save(0, 0, counting(60, 1)));
    QVERIFY(folder.save(0, 60, counting(40, 1)));
    folder.set_final(0, true);
  }
  {
    io::CheckpointFolder folder = open();
    (void)folder.begin_pass("states", 100);
    QVERIFY(folder.is_final(0));
  }
  for (const QFileInfo& file :
       QDir(folder_->filePath("checkpoint")).entryInfoList({"*-60-40.states"}, QDir::Files))
    QVERIFY(QFile::remove(file.filePath()));
  io::CheckpointFolder folder = open();
  (void)folder.begin_pass("states", 100);
  QVERIFY(!folder.is_final(0));
  QCOMPARE(folder.found(), std::int64_t{60});
}

void TestCheckpointFolder::is_final_only_as_long_as_nothing_is_saved() {
  {
    io::CheckpointFolder folder = open();
    (void)folder.begin_pass("states", 100);
    QVERIFY(folder.save(0, 0, counting(100, 1)));
    folder.set_final(0, true);
  }
  {
    // A rank that cannot read its part: the others do not go by it either.
    io::CheckpointFolder folder = open();
    (void)folder.begin_pass("states", 100);
    QVERIFY(folder.is_final(0));
    folder.set_final(0, false);
    QVERIFY(folder.save(0, 0, counting(100, 1)));
  }
  io::CheckpointFolder folder = open();
  (void)folder.begin_pass("states", 100);
  QVERIFY(!folder.is_final(0));
}

/// States of a run in other parts are older: they must not come back.
void TestCheckpointFolder::replaces_parts_of_another_thickness() {
  {
    io::CheckpointFolder folder = open();
    (void)folder.begin_pass("states", 100);
    for (std::int64_t at = 0; at < 100; at += 20)
      QVERIFY(folder.save(0, at, counting(20, 1)));
  }
  {
    io::CheckpointFolder folder = open();
    (void)folder.begin_pass("states", 100);
    QVERIFY(folder.save(0, 0, counting(50, 100)));
    QVERIFY(folder.save(0, 50, counting(50, 150)));
    folder.set_final(0, true);
  }
  QCOMPARE(QDir(folder_->filePath("checkpoint")).entryList({"*.states"}, QDir::Files).size(), 2);
  io::CheckpointFolder folder = open();
  (void)folder.begin_pass("states", 100);
  QVERIFY(folder.is_final(0));
  Bytes states(100);
  QVERIFY(folder.restore(0, 0, states));
  QVERIFY(states == counting(100, 100));
}

void TestCheckpointFolder::tells_passes_apart_by_name_number_and_size() {
  {
    io::CheckpointFolder folder = open();
    QCOMPARE(folder.begin_pass("strengths", 10), 0);
    QCOMPARE(folder.begin_pass("strengths", 10), 1);
    QVERIFY(folder.save(1, 0, counting(10, 1)));
  }
  const auto found = [this](const std::vector<std::pair<std::string, std::int64_t>>& passes) {
    io::CheckpointFolder folder = open();
    for (const auto& [name, bytes] : passes)
      (void)folder.begin_pass(name, bytes);
    return folder.found();
  };
  QCOMPARE(found({{"strengths", 10}}), std::int64_t{0});
  QCOMPARE(found({{"strengths", 10}, {"labels", 10}}), std::int64_t{0});
  QCOMPARE(found({{"strengths", 10}, {"strengths", 20}}), std::int64_t{0});
  QCOMPARE(found({{"labels", 10}, {"strengths", 10}, {"strengths", 10}}), std::int64_t{10});
  io::CheckpointFolder folder = open();
  (void)folder.begin_pass("strengths", 10);
  folder.begin_anew();
  (void)folder.begin_pass("strengths", 10);
  QCOMPARE(folder.found(), std::int64_t{0});
}

void TestCheckpointFolder::refuses_another_run() {
  {
    io::CheckpointFolder folder = open();
    (void)folder.begin_pass("states", 10);
    QVERIFY(folder.save(0, 0, counting(10, 1)));
  }
  try {
    (void)open("run two");
    QFAIL("accepted");
  } catch (const InputError& error) {
    QVERIFY(QString(error.what()).contains("holds the checkpoint of another run"));
  }
  QFile file(folder_->filePath("taken"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  QVERIFY_EXCEPTION_THROWN(
      (io::CheckpointFolder{file.fileName().toStdString(), "run", milliseconds(1)}), OutputError);
}

void TestCheckpointFolder::does_without_damaged_files_data() {
  QTest::addColumn<int>("kept");
  QTest::addColumn<int>("changed");
  QTest::newRow("cut off in the middle") << 150 << -1;
  QTest::newRow("cut off in its first lines") << 12 << -1;
  QTest::newRow("empty") << 0 << -1;
  QTest::newRow("a byte changed") << 1000 << 190;
  QTest::newRow("a byte more") << 1001 << -1;
}

void TestCheckpointFolder::does_without_damaged_files() {
  QFETCH(int, kept);
  QFETCH(int, changed);
  {
    io::CheckpointFolder folder = open();
    (void)folder.begin_pass("states", 200);
    QVERIFY(folder.save(0, 0, counting(200, 1)));
  }
  QFile file(only_file());
  QVERIFY(file.open(QIODevice::ReadWrite));
  QByteArray content = file.readAll();
  if (kept > content.size() && changed < 0 && kept == 1001) content += 'x';
  if (changed >= 0) content[changed] = static_cast<char>(content[changed] ^ 1);
  content.truncate(std::min<qsizetype>(kept, content.size()));
  QVERIFY(file.resize(0) && file.seek(0));
  file.write(content);
  file.close();
  io::CheckpointFolder folder = open();
  (void)folder.begin_pass("states", 200);
  Bytes states(200);
  QVERIFY(folder.restore(0, 0, states));
  QVERIFY(states == Bytes(200));
  QCOMPARE(folder.found(), std::int64_t{0});
  if (kept >= 150) QVERIFY(QString::fromStdString(folder.warning()).contains("is damaged"));
  // It is replaced as the run goes on.
  QVERIFY(folder.save(0, 0, counting(200, 3)));
  io::CheckpointFolder again = open();
  (void)again.begin_pass("states", 200);
  QCOMPARE(again.found(), std::int64_t{200});
}

void TestCheckpointFolder::goes_on_where_the_disk_is_full() {
  io::CheckpointFolder folder = open();
  (void)folder.begin_pass("states", 100'000);
  QVERIFY(folder.save(0, 0, counting(50, 1)));
  {
    const test::SmallFiles small(1000);
    QVERIFY(!folder.save(0, 50, counting(90'000, 1)));
  }
  QVERIFY(QString::fromStdString(folder.warning()).contains("cannot write"));
  io::CheckpointFolder again = open();
  (void)again.begin_pass("states", 100'000);
  QCOMPARE(again.found(), std::int64_t{50});
}

void TestCheckpointFolder::is_due_at_intervals() {
  const io::CheckpointFolder seldom(path(), "run", std::chrono::hours(1));
  QVERIFY(!seldom.is_due());
  const io::CheckpointFolder often(path(), "run", milliseconds(0));
  QVERIFY(often.is_due());
}

void TestCheckpointFolder::removes_its_own_files_only() {
  io::CheckpointFolder folder = open();
  (void)folder.begin_pass("states", 10);
  QVERIFY(folder.save(0, 0, counting(10, 1)));
  {
    // Another process of the same run.
    io::CheckpointFolder other = open();
    (void)other.begin_pass("states", 10);
    QVERIFY(other.save(0, 5, counting(5, 1)));
  }
  QFile notes(folder_->filePath("checkpoint/notes.txt"));
  QVERIFY(notes.open(QIODevice::WriteOnly));
  folder.remove();
  QCOMPARE(QDir(folder_->filePath("checkpoint")).entryList(QDir::Files), QStringList("notes.txt"));
  QVERIFY(notes.remove());
  folder.remove();
  QVERIFY(!QFileInfo::exists(folder_->filePath("checkpoint")));
}

QTEST_GUILESS_MAIN(TestCheckpointFolder)
#include "test_checkpoint_folder.moc"
