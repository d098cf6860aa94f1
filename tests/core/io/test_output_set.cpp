// SPDX-License-Identifier: Apache-2.0
//
// Files that appear together: every system call fails once, and programs are killed.
#include "core/image/label_map.h"
#include "core/io/formats/output_set.h"
#include "core/io/save.h"
#include "tests/core/io/io_fixture.h"
#include "tests/support/failing_calls.h"

#include <QTest>

#include <csignal>
#include <map>
#include <sys/wait.h>
#include <unistd.h>

using namespace seedwave;
using seedwave::test::bytes_of_file;
using test::FailingCall;

namespace {

namespace fs = std::filesystem;

/// Name and bytes of every file in a folder.
std::map<std::string, std::string> contents_of(const fs::path& folder) {
  std::map<std::string, std::string> contents;
  for (const auto& entry : fs::directory_iterator(folder))
    contents[entry.path().filename().string()] = bytes_of_file(entry.path());
  return contents;
}

Volume volume_of(std::uint8_t value, LengthUnit unit) {
  Geometry grid;
  grid.size = {9, 7, 1};
  grid.unit = unit;
  return {grid, std::vector<std::uint8_t>(63, value)};
}

/// Two volumes and a table: the first and the table replace files, the second is new.
void write_three(io::OutputSet& outputs, const fs::path& folder, const std::string& suffix,
                 std::uint8_t value) {
  const LengthUnit unit = suffix == ".png" ? LengthUnit::Pixel : LengthUnit::Millimetre;
  io::save_volume(outputs, folder / ("a" + suffix), volume_of(value, unit));
  const Volume labels = volume_of(1, unit);
  io::save_labels(outputs, folder / ("b" + suffix),
                  LabelMap(labels.geometry(), std::vector<std::uint16_t>(63, value)));
  outputs.add(folder / "c.csv", "value\n" + std::to_string(value) + "\n");
}

void save_three(const fs::path& folder, const std::string& suffix, std::uint8_t value) {
  io::OutputSet outputs;
  write_three(outputs, folder, suffix, value);
  outputs.commit();
}

/// Returns the message of the OutputError that `action` throws; "" if it throws none.
template <typename Action>
std::string output_error_of(Action&& action) {
  try {
    action();
  } catch (const OutputError& error) {
    return error.what();
  }
  return {};
}

/// Runs `action` in a separate process. Returns true if it was killed.
template <typename Action>
bool is_killed_in_child(Action&& action) {
  const pid_t child = ::fork();
  if (child == 0) {
    action();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

}  // namespace

class TestOutputSet : public QObject {
  Q_OBJECT
 private slots:
  void cleanup() { test::allow_unnamed_files(true); }
  void one_failing_call_changes_no_file_data();
  void one_failing_call_changes_no_file();
  void a_kill_leaves_each_file_old_or_new();
  void a_killed_program_leaves_no_name();
  void temporaries_of_killed_programs_are_collected();
  void a_full_device_among_the_files_changes_no_other();
  void the_old_file_is_kept_under_another_name();

 private:
  test::TemporaryFolder folder_;
};

void TestOutputSet::one_failing_call_changes_no_file_data() {
  QTest::addColumn<QString>("suffix");
  QTest::addColumn<bool>("unnamed");
  for (const char* suffix : {".nii", ".nii.gz", ".nrrd", ".mha", ".tif", ".png", ".npy"}) {
    QTest::addRow("%s", suffix) << QString(suffix) << true;
    QTest::addRow("%s, no files without a name", suffix) << QString(suffix) << false;
  }
}

void TestOutputSet::one_failing_call_changes_no_file() {
  QFETCH(QString, suffix);
  QFETCH(bool, unnamed);
  const fs::path folder = folder_ / QTest::currentDataTag();
  fs::create_directories(folder);
  save_three(folder, suffix.toStdString(), 1);
  fs::remove(folder / ("b" + suffix.toStdString()));
  const auto before = contents_of(folder);
  QCOMPARE(before.size(), std::size_t{2});
  test::allow_unnamed_files(unnamed);
  int failed = 0;
  for (const auto& [call, error] :
       {std::pair{FailingCall::Write, ENOSPC}, std::pair{FailingCall::Flush, EIO},
        std::pair{FailingCall::Rename, EIO}, std::pair{FailingCall::Link, EIO}}) {
    for (int n = 1;; ++n) {
      std::string message;
      bool reached = false;
      {
        const test::FailingScope failing(call, n, error);
        message = output_error_of([&] { save_three(folder, suffix.toStdString(), 2); });
        reached = test::calls_counted() >= n;
      }
      if (!reached) break;
      const std::string where =
          "call " + std::to_string(static_cast<int>(call)) + ", number " + std::to_string(n);
      QVERIFY2(message.find(folder.string()) != std::string::npos, where.c_str());
      QVERIFY2(message.find(std::generic_category().message(error)) != std::string::npos,
               message.c_str());
      QVERIFY2(contents_of(folder) == before, where.c_str());
      ++failed;
    }
    // The final count has saved; restores the old files for the next kind of call.
    QCOMPARE(contents_of(folder).size(), std::size_t{3});
    save_three(folder, suffix.toStdString(), 1);
    fs::remove(folder / ("b" + suffix.toStdString()));
    QVERIFY(contents_of(folder) == before);
  }
  // Three files: a write, a flush and at least a rename or link each.
  QVERIFY2(failed >= 9, qPrintable(QString::number(failed)));
}

void TestOutputSet::a_kill_leaves_each_file_old_or_new() {
  const fs::path folder = folder_ / "killed";
  fs::create_directories(folder);
  for (const bool unnamed : {true, false}) {
    bool killed = true;
    int n = 1;
    for (; killed; ++n) {
      fs::remove_all(folder);
      fs::create_directories(folder);
      save_three(folder, ".nii.gz", 1);
      const auto old_files = contents_of(folder);
      killed = is_killed_in_child([&] {
        test::allow_unnamed_files(unnamed);
        test::kill_at_call(n);
        save_three(folder, ".nii.gz", 2);
      });
      io::remove_stale_temporaries(folder, std::chrono::seconds(0));
      const auto left = contents_of(folder);
      save_three(folder, ".nii.gz", 2);
      const auto new_files = contents_of(folder);
      QCOMPARE(left.size(), std::size_t{3});
      for (const auto& [name, bytes] : left)
        QVERIFY2(bytes == old_files.at(name) || bytes == new_files.at(name), name.c_str());
    }
    QVERIFY(n > 9);
  }
}

void TestOutputSet::a_killed_program_leaves_no_name() {
  const fs::path folder = folder_ / "unnamed";
  fs::create_directories(folder);
  bool has_unnamed = false;
  {
    const io::AtomicFile file(folder / "probe");
    has_unnamed = fs::is_empty(folder);
  }
  if (!has_unnamed) QSKIP("the file system has no files without a name");
  QVERIFY(is_killed_in_child([&] {
    io::OutputSet outputs;
    write_three(outputs, folder, ".nii.gz", 1);
    ::kill(::getpid(), SIGKILL);
  }));
  QVERIFY(fs::is_empty(folder));
}

void TestOutputSet::temporaries_of_killed_programs_are_collected() {
  const fs::path folder = folder_ / "stale";
  fs::create_directories(folder);
  test::allow_unnamed_files(false);
  QVERIFY(is_killed_in_child([&] {
    io::OutputSet outputs;
    write_three(outputs, folder, ".nii.gz", 1);
    ::kill(::getpid(), SIGKILL);
  }));
  QCOMPARE(contents_of(folder).size(), std::size_t{3});
  std::ofstream(folder / ".seedwave-notes") << "the user's own";
  // Recent ones stay: not every file system shows other computers' locks.
  io::remove_stale_temporaries(folder);
  QCOMPARE(contents_of(folder).size(), std::size_t{4});
  // Those of a living program stay too, at any age.
  io::OutputSet alive;
  write_three(alive, folder, ".nii.gz", 1);
  QCOMPARE(contents_of(folder).size(), std::size_t{7});
  io::remove_stale_temporaries(folder, std::chrono::seconds(0));
  QCOMPARE(contents_of(folder).size(), std::size_t{4});
  alive.commit();
  QCOMPARE(contents_of(folder).size(), std::size_t{4});
  QVERIFY(fs::exists(folder / "a.nii.gz") && fs::exists(folder / "b.nii.gz") &&
          fs::exists(folder / "c.csv") && fs::exists(folder / ".seedwave-notes"));
}

void TestOutputSet::a_full_device_among_the_files_changes_no_other() {
  const fs::path folder = folder_ / "device";
  fs::create_directories(folder);
  const std::string message = output_error_of([&] {
    io::OutputSet outputs;
    outputs.add(folder / "a.csv", "1");
    outputs.add("/dev/full", "1");
    outputs.commit();
  });
  QVERIFY2(message.find("No space left") != std::string::npos, message.c_str());
  QVERIFY(fs::is_empty(folder));
}

void TestOutputSet::the_old_file_is_kept_under_another_name() {
  const fs::path path = folder_.put("kept/s.json", "old");
  {
    io::OutputSet outputs;
    io::AtomicFile& file = outputs.create(path);
    file.write("new");
    outputs.commit(io::OldFile::LinkedOrCopied);
    QCOMPARE(bytes_of_file(path), std::string("new"));
    QVERIFY(file.keep_old_as(path.parent_path() / "s.json.1"));
  }
  QCOMPARE(bytes_of_file(path.parent_path() / "s.json.1"), std::string("old"));
  QCOMPARE(contents_of(path.parent_path()).size(), std::size_t{2});
  // Without hard links a copy is made.
  {
    const test::FailingScope failing(FailingCall::Link, 1, EPERM);
    io::OutputSet outputs;
    io::AtomicFile& file = outputs.create(path);
    file.write("newer");
    outputs.commit(io::OldFile::LinkedOrCopied);
    QVERIFY(file.keep_old_as(path.parent_path() / "s.json.2"));
  }
  QCOMPARE(bytes_of_file(path.parent_path() / "s.json.2"), std::string("new"));
  QCOMPARE(bytes_of_file(path), std::string("newer"));
}

QTEST_GUILESS_MAIN(TestOutputSet)
#include "test_output_set.moc"
