// SPDX-License-Identifier: Apache-2.0
//
// One session in several windows, and label files that differ from what the session states.
#include "core/base/error.h"
#include "core/io/labels.h"
#include "core/session/open_session.h"
#include "core/session/session_labels.h"
#include "tests/core/session/small_session.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace seedwave;
using test::contents_of;
using test::small_session;
namespace fs = std::filesystem;

namespace {

std::string text_of_file(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Replaces the first `from` in a file.
void replace_in(const fs::path& file, const std::string& from, const std::string& to) {
  std::string text = text_of_file(file);
  const auto at = text.find(from);
  QVERIFY2(at != std::string::npos, from.c_str());
  std::ofstream(file, std::ios::binary) << text.replace(at, from.size(), to);
}

/// Returns the name of the label file of a run of s.json.
std::string labels_name(const Run& run) {
  return "s-" + run.labels.digest().substr(run.labels.digest().find(':') + 1) + ".nii.gz";
}

}  // namespace

class TestOpenSession : public QObject {
  Q_OBJECT
 private slots:
  void a_second_window_is_told_who_has_the_session();
  void a_lock_goes_with_its_window_and_with_a_killed_one();
  void a_file_that_another_program_changed_is_not_overwritten_unasked();
  void a_file_that_is_gone_is_written_again();
  void saving_elsewhere_takes_the_lock_of_the_new_name();
  void a_folder_that_cannot_be_written_can_be_read();
  void label_files_of_any_other_name_are_refused_data();
  void label_files_of_any_other_name_are_refused();
  void other_labels_in_a_file_are_left_out_and_written_anew();
  void labels_on_another_grid_are_left_out();
  void labels_on_another_grid_than_the_image_are_left_out();
  void labels_come_back_on_the_grid_that_the_session_states();
  void labels_of_a_planar_image_stay_planar();
};

void TestOpenSession::a_second_window_is_told_who_has_the_session() {
  const QTemporaryDir dir;
  const fs::path file = fs::path(dir.path().toStdString()) / "s.json";
  save_session(file, small_session(1));
  fs::create_symlink(file, file.parent_path() / "link.json");
  const OpenSession::Read first = OpenSession::open(file, nullptr);
  QVERIFY(first.file->lock()->is_held());
  for (const char* name : {"s.json", "link.json"}) {
    try {
      (void)OpenSession::open(file.parent_path() / name, nullptr);
      QFAIL("two windows have one session");
    } catch (const SessionInUse& error) {
      QVERIFY2(error.holder().starts_with("process " + std::to_string(::getpid()) + " on "),
               error.holder().c_str());
      QVERIFY(std::string(error.what()).find(error.holder()) != std::string::npos);
    }
  }
  // Another process is refused too.
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      (void)OpenSession::open(file, nullptr);
    } catch (const SessionInUse&) {
      ::_exit(7);
    }
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  QCOMPARE(WEXITSTATUS(status), 7);
  // The same window may open it again.
  QVERIFY(OpenSession::open(file, first.file->lock()).file->lock() == first.file->lock());
}

void TestOpenSession::a_lock_goes_with_its_window_and_with_a_killed_one() {
  const QTemporaryDir dir;
  const fs::path file = fs::path(dir.path().toStdString()) / "s.json";
  save_session(file, small_session(1));
  const auto names = contents_of(file.parent_path()).size();
  {
    const OpenSession::Read first = OpenSession::open(file, nullptr);
    QCOMPARE(contents_of(file.parent_path()).size(), names + 1);
  }
  QCOMPARE(contents_of(file.parent_path()).size(), names);
  const pid_t child = ::fork();
  if (child == 0) {
    const OpenSession::Read held = OpenSession::open(file, nullptr);
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  QVERIFY(fs::exists(file.parent_path() / ".s.json.lock"));
  QVERIFY(OpenSession::open(file, nullptr).file->lock()->is_held());
  QVERIFY(!fs::exists(file.parent_path() / ".s.json.lock"));
}

void TestOpenSession::a_file_that_another_program_changed_is_not_overwritten_unasked() {
  const QTemporaryDir dir;
  const fs::path file = fs::path(dir.path().toStdString()) / "s.json";
  save_session(file, small_session(1));
  const OpenSession::Read read = OpenSession::open(file, nullptr);
  read.file->save(small_session(2));  // its own writes are known
  read.file->save(small_session(3));
  save_session(file, small_session(50));  // a program without locks
  const auto theirs = contents_of(file.parent_path());
  QVERIFY_EXCEPTION_THROWN(read.file->save(small_session(4)), SessionChanged);
  QVERIFY(contents_of(file.parent_path()) == theirs);
  read.file->save(small_session(4), ForeignFile::Overwritten);
  QCOMPARE(load_session(file).document.channel, std::string("4"));
  // The other program's version is not lost.
  QCOMPARE(load_session(fs::path(file).concat(".1")).document.channel, std::string("50"));
  read.file->save(small_session(5));
}

void TestOpenSession::a_file_that_is_gone_is_written_again() {
  const QTemporaryDir dir;
  const fs::path file = fs::path(dir.path().toStdString()) / "s.json";
  save_session(file, small_session(1));
  const OpenSession::Read read = OpenSession::open(file, nullptr);
  for (const auto& [name, bytes] : contents_of(file.parent_path())) {
    if (!name.starts_with(".")) fs::remove(file.parent_path() / name);
  }
  read.file->save(read.session);
  const SessionFile again = load_session(file);
  QVERIFY(again.warnings.empty());
  QCOMPARE(again.runs[1].labels.digest(), read.session.runs[1].labels.digest());
}

void TestOpenSession::saving_elsewhere_takes_the_lock_of_the_new_name() {
  const QTemporaryDir dir;
  const fs::path folder = dir.path().toStdString();
  save_session(folder / "s.json", small_session(1));
  const OpenSession::Read other = OpenSession::open(folder / "s.json", nullptr);
  // A session that is open in another window cannot be replaced.
  QVERIFY_EXCEPTION_THROWN((void)OpenSession::create(folder / "s.json", nullptr), SessionInUse);
  // An existing one may be replaced, because the user was asked.
  save_session(folder / "t.json", small_session(2));
  const auto file = OpenSession::create(folder / "t.json", nullptr);
  file->save(small_session(3));
  QCOMPARE(load_session(folder / "t.json").document.channel, std::string("3"));
  QVERIFY_EXCEPTION_THROWN((void)OpenSession::open(folder / "t.json", nullptr), SessionInUse);
}

void TestOpenSession::a_folder_that_cannot_be_written_can_be_read() {
  if (::geteuid() == 0) QSKIP("root may write everywhere");
  const QTemporaryDir dir;
  const fs::path folder = fs::path(dir.path().toStdString()) / "closed";
  fs::create_directories(folder);
  save_session(folder / "s.json", small_session(1));
  fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
  const OpenSession::Read read = OpenSession::open(folder / "s.json", nullptr);
  fs::permissions(folder, fs::perms::owner_all);
  QVERIFY(!read.file->lock()->is_held());
  QCOMPARE(read.session.runs.size(), std::size_t{2});
}

void TestOpenSession::label_files_of_any_other_name_are_refused_data() {
  QTest::addColumn<QByteArray>("name");
  for (const char* name :
       {"..", ".", "/", "", "/etc/passwd", "../s.nii.gz", "folder/NAME", "../folder/NAME", ".NAME",
        "labels.nii.gz", "s-0123456789ABCDEF.nii.gz", "s-0123456789abcde.nii.gz",
        "s-0123456789abcdef.nii", "-0123456789abcdef.nii.gz"}) {
    QTest::newRow(name[0] == '\0' ? "empty" : name) << QByteArray(name);
  }
}

void TestOpenSession::label_files_of_any_other_name_are_refused() {
  QFETCH(QByteArray, name);
  const QTemporaryDir dir;
  const fs::path folder = fs::path(dir.path().toStdString()) / "sessions";
  fs::create_directories(folder / "folder");
  const SessionFile saved = small_session(1);
  save_session(folder / "s.json", saved);
  const std::string right = labels_name(saved.runs[0]);
  // The right labels are at every place to which such a name could lead.
  fs::copy_file(folder / right, folder / "folder" / right);
  fs::copy_file(folder / right, folder / ("." + right));
  fs::create_directories(folder.parent_path() / "folder");
  fs::copy_file(folder / right, folder.parent_path() / "folder" / right);
  fs::copy_file(folder / right, folder.parent_path() / "s.nii.gz");
  fs::copy_file(folder / right, folder / "labels.nii.gz");
  name.replace("NAME", right.c_str());
  replace_in(folder / "s.json", right, name.toStdString());
  const SessionFile opened = load_session(folder / "s.json");
  QVERIFY(opened.runs[0].labels.empty());
  QVERIFY(!opened.runs[1].labels.empty());
  QCOMPARE(opened.warnings.size(), std::size_t{1});
  // Refused by its name, without reading the file or folder.
  QVERIFY2(opened.warnings[0].find("not the name of a label file") != std::string::npos,
           opened.warnings[0].c_str());
  QVERIFY2(opened.warnings[0].find("run 1") != std::string::npos &&
               opened.warnings[0].find("will be recomputed") != std::string::npos,
           opened.warnings[0].c_str());
}

void TestOpenSession::other_labels_in_a_file_are_left_out_and_written_anew() {
  const QTemporaryDir dir;
  const fs::path folder = dir.path().toStdString();
  const SessionFile saved = small_session(1);
  save_session(folder / "s.json", saved);
  const std::string first = labels_name(saved.runs[0]);
  const std::string second = labels_name(saved.runs[1]);
  const std::string right = text_of_file(folder / first);
  fs::copy_file(folder / second, folder / first, fs::copy_options::overwrite_existing);
  const OpenSession::Read read = OpenSession::open(folder / "s.json", nullptr);
  QVERIFY(read.session.runs[0].labels.empty());
  QVERIFY(!read.session.runs[1].labels.empty());
  QCOMPARE(read.session.warnings.size(), std::size_t{1});
  QVERIFY2(read.session.warnings[0].find("its labels differ") != std::string::npos,
           read.session.warnings[0].c_str());
  // After a recomputation, saving replaces the foreign file.
  read.file->save(saved);
  QCOMPARE(text_of_file(folder / first), right);
  QVERIFY(load_session(folder / "s.json").warnings.empty());
}

void TestOpenSession::labels_on_another_grid_are_left_out() {
  const QTemporaryDir dir;
  const fs::path folder = dir.path().toStdString();
  const SessionFile saved = small_session(1);
  save_session(folder / "s.json", saved);
  // Equal numbers in the same order, hence the same digest.
  Geometry other = test::small_grid();
  other.size = {5, 6, 4};
  const LabelMap labels = saved.runs[0].labels.unpack();
  io::save_labels(
      folder / labels_name(saved.runs[0]),
      LabelMap(other, std::vector<std::uint16_t>{labels.labels().begin(), labels.labels().end()}));
  const SessionFile opened = load_session(folder / "s.json");
  QVERIFY(opened.runs[0].labels.empty());
  QCOMPARE(opened.warnings.size(), std::size_t{1});
  QVERIFY2(opened.warnings[0].find("grid") != std::string::npos, opened.warnings[0].c_str());
}

void TestOpenSession::labels_on_another_grid_than_the_image_are_left_out() {
  SessionFile session = small_session(1);
  drop_labels_on_other_grids(session.runs, test::small_grid(), session.warnings);
  QVERIFY(session.warnings.empty() && !session.runs[0].labels.empty());
  // The image was resampled in place.
  Geometry other = test::small_grid();
  other.size = {12, 10, 4};
  drop_labels_on_other_grids(session.runs, other, session.warnings);
  QVERIFY(session.runs[0].labels.empty() && session.runs[1].labels.empty());
  QCOMPARE(session.warnings.size(), std::size_t{1});
  QVERIFY2(session.warnings[0].starts_with("2 results are on a different grid"),
           session.warnings[0].c_str());
  // The same size at another position.
  session = small_session(1);
  other = test::small_grid();
  other.origin[0] += 3.0;
  drop_labels_on_other_grids(session.runs, other, session.warnings);
  QVERIFY(session.runs[0].labels.empty());
}

void TestOpenSession::labels_come_back_on_the_grid_that_the_session_states() {
  const QTemporaryDir dir;
  const fs::path folder = dir.path().toStdString();
  SessionFile saved = small_session(1, 1);
  Geometry grid = test::small_grid();
  grid.spacing = {1.0 / 3.0, 2.0 / 3.0, 0.1};  // NIfTI keeps single precision
  grid.unit = LengthUnit::Pixel;
  const LabelMap labels = saved.runs[0].labels.unpack();
  saved.runs[0].labels = PackedLabels(
      LabelMap(grid, std::vector<std::uint16_t>{labels.labels().begin(), labels.labels().end()}));
  save_session(folder / "s.json", saved);
  const SessionFile opened = load_session(folder / "s.json");
  QVERIFY2(opened.warnings.empty(), opened.warnings.empty() ? "" : opened.warnings.front().c_str());
  const Geometry& back = opened.runs[0].labels.geometry();
  QVERIFY(back.spacing == grid.spacing && back.unit == grid.unit && back.size == grid.size);
}

/// A 2-D image with a scale: when exported again, its results have two axes.
void TestOpenSession::labels_of_a_planar_image_stay_planar() {
  const QTemporaryDir dir;
  const fs::path file = fs::path(dir.path().toStdString()) / "s.json";
  Geometry grid = test::small_grid();
  grid.size = {12, 10, 1};
  grid.spacing[2] = 1.0;
  grid.origin[2] = 0.0;
  for (const bool planar : {true, false}) {
    grid.planar = planar;
    SessionFile saved = small_session(1, 1);
    const LabelMap labels = saved.runs[0].labels.unpack();
    saved.runs[0].labels = PackedLabels(
        LabelMap(grid, std::vector<std::uint16_t>{labels.labels().begin(), labels.labels().end()}));
    save_session(file, saved);
    const SessionFile opened = load_session(file);
    QVERIFY(opened.warnings.empty());
    QCOMPARE(opened.runs[0].labels.geometry().planar, planar);
    QCOMPARE(opened.runs[0].labels.geometry().has_two_axes(), planar);
  }
}

QTEST_GUILESS_MAIN(TestOpenSession)
#include "test_open_session.moc"
