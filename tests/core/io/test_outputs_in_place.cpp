// SPDX-License-Identifier: Apache-2.0
//
// Volumes beyond memory: the file in which one lies becomes the output, and an output that lies in
// its file is an input.
#include "core/base/mapped_input.h"
#include "core/base/mapped_pages.h"
#include "core/base/scratch_files.h"
#include "core/base/scratch_memory.h"
#include "core/io/labels.h"
#include "core/io/save.h"
#include "tests/core/io/io_fixture.h"
#include "tests/core/io/random_images.h"
#include "tests/support/failing_calls.h"

#include <QTest>

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

using namespace seedwave;
using test::FailingCall;
using test::FailingScope;

namespace {

namespace fs = std::filesystem;

struct stat status_of(const fs::path& file) {
  struct stat status {};
  ::stat(file.c_str(), &status);
  return status;
}

/// Returns the file in which a volume lies; 0 if it lies in memory.
ino_t file_of(const Volume& volume) {
  struct stat status {};
  const int file = scratch::file_of(volume.bytes().data());
  return file >= 0 && ::fstat(file, &status) == 0 ? status.st_ino : 0;
}

/// Returns whether files without a name can get one in a folder. Otherwise outputs are copies.
bool can_name_files(const fs::path& folder) {
  const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  const std::string name = "/proc/self/fd/" + std::to_string(file);
  const fs::path link = folder / "named";
  const bool can =
      file >= 0 && ::linkat(AT_FDCWD, name.c_str(), AT_FDCWD, link.c_str(), AT_SYMLINK_FOLLOW) == 0;
  if (can) ::unlink(link.c_str());
  if (file >= 0) ::close(file);
  return can;
}

bool same_voxels(const Volume& a, const Volume& b) {
  return a.type() == b.type() && a.components() == b.components() &&
         std::ranges::equal(a.bytes(), b.bytes());
}

template <typename T>
Volume volume_of(const Geometry& grid, int components) {
  std::mt19937 random(7);
  std::vector<T> voxels(static_cast<std::size_t>(grid.voxel_count() * components));
  for (T& voxel : voxels)
    voxel = static_cast<T>(random());
  return Volume(grid, std::move(voxels), components);
}

}  // namespace

class TestOutputsInPlace : public QObject {
  Q_OBJECT
 private slots:
  void the_file_of_a_volume_becomes_the_output_data();
  void the_file_of_a_volume_becomes_the_output();
  void a_second_output_is_a_copy();
  void the_mode_is_that_of_other_outputs();
  void another_file_system_gets_a_copy();
  void a_compressed_output_is_no_copy_of_memory();
  void a_failure_leaves_nothing();
  void a_file_that_gets_no_name_is_copied();
  void a_folder_with_an_access_list_gets_a_copy();
  void an_input_that_changed_lets_no_output_appear();

 private:
  [[nodiscard]] ScratchSettings settings() const {
    return {.folder = folder_.path(), .memory = 1, .smallest = 1 << 20, .maps_inputs = true};
  }
  [[nodiscard]] static Geometry grid() {
    Geometry grid;
    grid.size = {131, 127, 71};
    grid.spacing = {0.7, 0.8, 1.3};
    grid.origin = {-3.25, 17.5, 1.0 / 3.0};
    return grid;
  }
  test::TemporaryFolder folder_;
};

void TestOutputsInPlace::the_file_of_a_volume_becomes_the_output_data() {
  QTest::addColumn<QString>("suffix");
  QTest::addColumn<int>("components");
  QTest::addColumn<bool>("wide");
  for (const char* suffix : {".nrrd", ".mha", ".npy", ".nii"}) {
    QTest::addRow("%s of bytes", suffix) << QString(suffix) << 1 << false;
    QTest::addRow("%s of colours", suffix) << QString(suffix) << 3 << false;
    QTest::addRow("%s of 16 bits", suffix) << QString(suffix) << 1 << true;
  }
}

void TestOutputsInPlace::the_file_of_a_volume_becomes_the_output() {
  if (!can_name_files(folder_.path())) QSKIP("files without a name can get none here");
  QFETCH(QString, suffix);
  QFETCH(int, components);
  QFETCH(bool, wide);
  const fs::path path = folder_ / ("out" + suffix.toStdString());
  const ScratchMemory files(settings());
  const Volume volume = wide ? volume_of<std::uint16_t>(grid(), components)
                             : volume_of<std::uint8_t>(grid(), components);
  const ino_t file = file_of(volume);
  QVERIFY(file != 0);
  const std::string before(reinterpret_cast<const char*>(volume.bytes().data()),
                           volume.bytes().size());
  io::save_volume(path, volume);
  QCOMPARE(status_of(path).st_ino, file);
  QCOMPARE(file_of(volume), ino_t{0});
  const std::string bytes = test::bytes_of_file(path);
  QCOMPARE(bytes.size(), scratch::kRoomBefore + before.size());
  QVERIFY(bytes.substr(scratch::kRoomBefore) == before);

  Context context;
  const Volume read = io::load_path(path, "", context).volume;
  QVERIFY(same_voxels(read, volume));
  if (suffix != ".npy") QVERIFY(same_grid(read.geometry(), volume.geometry()));
  // It lies in its file, too: it follows that.
  QVERIFY(!scratch::holds(read.bytes().data()));
  fs::resize_file(path, scratch::kRoomBefore);
  mapped::drop_pages();
  QCOMPARE(std::to_integer<int>(read.bytes()[5000]), 0);
  QVERIFY(!test::input_error_of(mapped::refuse_lost).empty());
}

void TestOutputsInPlace::a_second_output_is_a_copy() {
  if (!can_name_files(folder_.path())) QSKIP("files without a name can get none here");
  const ScratchMemory files(settings());
  const Volume volume = volume_of<std::uint8_t>(grid(), 1);
  const ino_t file = file_of(volume);
  io::OutputSet outputs;
  io::save_volume(outputs, folder_ / "first.nrrd", volume);
  io::save_volume(outputs, folder_ / "second.nrrd", volume);
  outputs.commit();
  QCOMPARE(status_of(folder_ / "first.nrrd").st_ino, file);
  QVERIFY(status_of(folder_ / "second.nrrd").st_ino != file);
  QVERIFY(test::bytes_of_file(folder_ / "first.nrrd") ==
          test::bytes_of_file(folder_ / "second.nrrd"));
}

void TestOutputsInPlace::the_mode_is_that_of_other_outputs() {
  if (!can_name_files(folder_.path())) QSKIP("files without a name can get none here");
  const fs::path path = folder_ / "mode.mha";
  const fs::path other = folder_.put("other", "x");
  const ScratchMemory files(settings());
  io::save_volume(path, volume_of<std::uint8_t>(grid(), 1));
  QCOMPARE(status_of(path).st_mode, status_of(other).st_mode);
  ::chmod(path.c_str(), 0640);
  const Volume volume = volume_of<std::uint8_t>(grid(), 1);
  const ino_t file = file_of(volume);
  io::save_volume(path, volume);
  QCOMPARE(status_of(path).st_ino, file);
  QCOMPARE(status_of(path).st_mode & 0777U, 0640U);
}

void TestOutputsInPlace::another_file_system_gets_a_copy() {
  QTemporaryDir other("/dev/shm/seedwave-XXXXXX");
  if (!other.isValid() ||
      status_of(other.path().toStdString()).st_dev == status_of(folder_.path()).st_dev)
    QSKIP("there is no other file system in /dev/shm");
  const fs::path path = fs::path(other.path().toStdString()) / "out.nrrd";
  const ScratchMemory files(settings());
  const Volume volume = volume_of<std::uint8_t>(grid(), 1);
  io::save_volume(path, volume);
  QVERIFY(file_of(volume) != 0);
  Context context;
  QVERIFY(same_voxels(io::load_path(path, "", context).volume, volume));
}

void TestOutputsInPlace::a_compressed_output_is_no_copy_of_memory() {
  const fs::path path = folder_ / "out.nii.gz";
  const ScratchMemory files(settings());
  const Volume volume(grid(),
                      std::vector<std::uint8_t>(static_cast<std::size_t>(grid().voxel_count()), 3));
  io::save_volume(path, volume);
  QVERIFY(fs::file_size(path) < volume.bytes().size() / 50);
  Context context;
  QVERIFY(same_voxels(io::load_path(path, "", context).volume, volume));
}

void TestOutputsInPlace::a_failure_leaves_nothing() {
  const test::TemporaryFolder folder;
  const ScratchMemory files(settings());
  const Volume volume = volume_of<std::uint8_t>(grid(), 1);
  for (const FailingCall call : {FailingCall::Flush, FailingCall::Rename}) {
    const Volume copy = volume_of<std::uint8_t>(grid(), 1);
    {
      const FailingScope failing(call, 1, EIO);
      QVERIFY_EXCEPTION_THROWN(io::save_volume(folder / "out.nrrd", copy), OutputError);
    }
    QVERIFY(same_voxels(copy, volume));
    QVERIFY(folder.names().empty());
  }
}

void TestOutputsInPlace::a_file_that_gets_no_name_is_copied() {
  const test::TemporaryFolder folder;
  const ScratchMemory files(settings());
  const Volume volume = volume_of<std::uint8_t>(grid(), 1);
  {
    const FailingScope quota(FailingCall::Link, 1, EXDEV);
    io::save_volume(folder / "out.nrrd", volume);
  }
  QVERIFY(file_of(volume) != 0);
  test::allow_unnamed_files(false);  // the output has a temporary name from the start
  io::save_volume(folder / "named.nrrd", volume);
  test::allow_unnamed_files(true);
  QVERIFY(file_of(volume) != 0);
  Context context;
  for (const char* name : {"out.nrrd", "named.nrrd"})
    QVERIFY(same_voxels(io::load_path(folder / name, "", context).volume, volume));
  QCOMPARE(folder.names().size(), std::size_t{2});
}

void TestOutputsInPlace::a_folder_with_an_access_list_gets_a_copy() {
  const test::TemporaryFolder folder;
  // Version 2; user, group, mask and others as in a mode, and user 1000. Each: tag, bits, who.
  const std::array<std::uint32_t, 11> list{2,   0x00070001, ~0U, 0x00060002, 1000, 0x00000004,
                                           ~0U, 0x00060010, ~0U, 0x00000020, ~0U};
  if (::setxattr(folder.path().c_str(), "system.posix_acl_default", list.data(), sizeof list, 0) !=
      0)
    QSKIP("this file system has no access lists");
  const ScratchMemory files(settings());
  const Volume volume = volume_of<std::uint8_t>(grid(), 1);
  io::save_volume(folder / "out.nrrd", volume);
  QVERIFY(file_of(volume) != 0);
  QVERIFY(::getxattr((folder / "out.nrrd").c_str(), "system.posix_acl_access", nullptr, 0) > 0);
}

void TestOutputsInPlace::an_input_that_changed_lets_no_output_appear() {
  const test::TemporaryFolder folder;
  const fs::path path = folder / "in.nrrd";
  const ScratchMemory files(settings());
  io::save_volume(path, volume_of<std::uint8_t>(grid(), 1));
  Context context;
  const Volume read = io::load_path(path, "", context).volume;
  fs::resize_file(path, fs::file_size(path) - 1);
  QCOMPARE(test::input_error_of([&] { io::save_volume(folder / "out.nrrd", read); }),
           path.string() + " was changed while it was in use");
  QCOMPARE(folder.names(), std::vector<std::string>{"in.nrrd"});
}

QTEST_GUILESS_MAIN(TestOutputsInPlace)
#include "test_outputs_in_place.moc"
