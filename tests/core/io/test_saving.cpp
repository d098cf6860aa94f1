// SPDX-License-Identifier: Apache-2.0
#include "core/io/formats/atomic_file.h"
#include "core/io/labels.h"
#include "tests/core/io/io_fixture.h"
#include "tests/core/io/random_images.h"
#include "tests/support/small_files.h"

#include <QTest>

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace seedwave;
using seedwave::test::bytes_of_file;
using seedwave::test::SmallFiles;

namespace {

namespace fs = std::filesystem;

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

/// A file system of a few kilobytes, if we may create one.
class SmallDisk {
 public:
  explicit SmallDisk(const fs::path& folder) : folder_(folder) {
    fs::create_directories(folder);
    mounted_ = ::mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=64k") == 0;
  }
  ~SmallDisk() {
    if (mounted_) ::umount(folder_.c_str());
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  [[nodiscard]] bool mounted() const { return mounted_; }

 private:
  fs::path folder_;
  bool mounted_ = false;
};

/// Values that do not compress to fit on a full disk.
Volume noise(const Index3& size, LengthUnit unit = LengthUnit::Millimetre) {
  Geometry grid;
  grid.size = size;
  grid.unit = unit;
  std::mt19937 random(31);
  return test::random_volume<std::uint16_t>(grid, random);
}

}  // namespace

class TestSaving : public QObject {
  Q_OBJECT
 private slots:
  void a_full_disk_leaves_the_old_file_data();
  void a_full_disk_leaves_the_old_file();
  void a_small_file_system_fills_up();
  void bytes_appear_whole_or_not_at_all();
  void what_cannot_be_written_is_named_data();
  void what_cannot_be_written_is_named();
  void a_link_keeps_pointing_at_its_target();
  void devices_are_written_to_and_not_replaced();
  void rights_of_the_old_file_are_kept();
  void a_protected_file_is_not_replaced();
  void pixels_survive_data();
  void pixels_survive();
  void a_stack_survives_as_tiff();

 private:
  test::TemporaryFolder folder_;
};

void TestSaving::a_full_disk_leaves_the_old_file_data() {
  QTest::addColumn<QString>("name");
  for (const char* name : {"v.nii", "v.nii.gz", "v.nrrd", "v.mha", "v.tif", "v.png", "v.npy"})
    QTest::newRow(name) << name;
}

void TestSaving::a_full_disk_leaves_the_old_file() {
  QFETCH(QString, name);
  const fs::path folder = folder_ / ("full " + name.toStdString());
  fs::create_directories(folder);
  const fs::path path = folder / name.toStdString();
  const LengthUnit unit = name == "v.png" ? LengthUnit::Pixel : LengthUnit::Millimetre;
  io::save_volume(path, noise({8, 8, 1}, unit));
  const std::string before = bytes_of_file(path);
  {
    const SmallFiles full(20000);
    const std::string message = output_error_of([&] {
      io::save_volume(path, noise({300, 300, 1}, unit));
    });
    QVERIFY2(message.find(path.string()) != std::string::npos, message.c_str());
  }
  QCOMPARE(bytes_of_file(path), before);
  // No incomplete file beside it.
  QCOMPARE(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
  io::save_volume(path, noise({300, 300, 1}, unit));
  QVERIFY(bytes_of_file(path).size() > 150000);
}

void TestSaving::a_small_file_system_fills_up() {
  const SmallDisk disk(folder_ / "disk");
  if (!disk.mounted()) QSKIP("mounting a small file system needs root");
  const fs::path folder = folder_ / "disk";
  for (const char* name : {"v.nii", "v.nii.gz", "v.nrrd", "v.mha", "v.tif", "v.npy"}) {
    io::save_volume(folder / name, noise({8, 8, 8}));
    const std::string before = bytes_of_file(folder / name);
    const std::string message = output_error_of([&] {
      io::save_volume(folder / name, noise({100, 100, 10}));
    });
    QVERIFY2(message.find("No space left") != std::string::npos, message.c_str());
    QCOMPARE(bytes_of_file(folder / name), before);
    fs::remove(folder / name);
    QVERIFY(fs::is_empty(folder));
  }
}

void TestSaving::bytes_appear_whole_or_not_at_all() {
  const fs::path path = folder_.put("text.json", "old");
  {
    io::AtomicFile file(path);
    file.write("new, half of it");
    // Simulates the end of the program here.
  }
  QCOMPARE(bytes_of_file(path), std::string("old"));
  io::write_atomically(path, "new");
  QCOMPARE(bytes_of_file(path), std::string("new"));
  for (const std::string& name : folder_.names())
    QVERIFY2(!name.starts_with(".seedwave-"), name.c_str());
}

void TestSaving::what_cannot_be_written_is_named_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("words");
  QTest::newRow("no suffix") << "volume"
                             << ".nii.gz";
  QTest::newRow("unknown suffix") << "volume.xyz"
                                  << ".nrrd";
  QTest::newRow("only a suffix") << ".nii"
                                 << ".nrrd";
  QTest::newRow("no such folder") << "missing/volume.nii"
                                  << "No such file";
  QTest::newRow("a folder") << "taken.nii"
                            << "directory";
  QTest::newRow("a volume as PNG") << "volume.png"
                                   << "one slice";
  QTest::newRow("wide as NIfTI") << "wide.nii"
                                 << "32767";
  QTest::newRow("fractions as PNG") << "fractions.png"
                                    << "whole numbers";
  QTest::newRow("negative as PNG") << "negative.png"
                                   << "-5";
}

void TestSaving::what_cannot_be_written_is_named() {
  QFETCH(QString, name);
  QFETCH(QString, words);
  fs::create_directories(folder_ / "taken.nii");
  Volume volume = noise({4, 4, 4});
  Geometry grid{.size = {2, 1, 1}, .unit = LengthUnit::Pixel};
  if (name == "wide.nii") volume = noise({32768, 1, 1});
  if (name == "fractions.png") volume = Volume(grid, std::vector<float>{0, 0.5});
  if (name == "negative.png") volume = Volume(grid, std::vector<std::int16_t>{0, -5});
  const fs::path path = folder_ / name.toStdString();
  const std::string message = output_error_of([&] { io::save_volume(path, volume); });
  QVERIFY2(message.find(words.toStdString()) != std::string::npos, message.c_str());
  QVERIFY2(message.find(path.string()) != std::string::npos, message.c_str());
  QVERIFY(!fs::is_regular_file(path));
}

void TestSaving::a_link_keeps_pointing_at_its_target() {
  const fs::path target = folder_.put("real.json", "old");
  fs::create_symlink(target, folder_ / "link.json");
  io::write_atomically(folder_ / "link.json", "new");
  QVERIFY(fs::is_symlink(folder_ / "link.json"));
  QCOMPARE(bytes_of_file(target), std::string("new"));
}

void TestSaving::devices_are_written_to_and_not_replaced() {
  // As root a rename would replace the device by a plain file.
  io::write_atomically("/dev/null", "gone");
  QVERIFY(fs::is_character_file("/dev/null"));
  const std::string message = output_error_of([] { io::write_atomically("/dev/full", "gone"); });
  QVERIFY2(message.find("No space left") != std::string::npos, message.c_str());
}

void TestSaving::rights_of_the_old_file_are_kept() {
  const fs::path path = folder_.put("private.json", "old");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  io::write_atomically(path, "new");
  QCOMPARE(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

void TestSaving::a_protected_file_is_not_replaced() {
  if (::geteuid() == 0) QSKIP("root may write everywhere");
  const fs::path path = folder_.put("protected.json", "old");
  fs::permissions(path, fs::perms::owner_read);
  QVERIFY(!output_error_of([&] { io::write_atomically(path, "new"); }).empty());
  const fs::path folder = folder_ / "closed";
  fs::create_directories(folder);
  fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
  QVERIFY(!output_error_of([&] { io::write_atomically(folder / "x", "new"); }).empty());
  fs::permissions(folder, fs::perms::owner_all);
}

void TestSaving::pixels_survive_data() {
  QTest::addColumn<QString>("suffix");
  QTest::addColumn<VoxelType>("type");
  QTest::addColumn<int>("components");
  const auto row = [](const char* suffix, VoxelType type, int components) {
    const QByteArray name = QByteArray(suffix) + ", " + name_of(type).data() + ", " +
                            QByteArray::number(components) + " components, seed 33";
    QTest::newRow(name.constData()) << QString(suffix) << type << components;
  };
  for (const int components : {1, 3}) {
    for (const VoxelType type : {VoxelType::U8, VoxelType::U16})
      row(".png", type, components);
    for (const VoxelType type : kVoxelTypes) {
      for (const char* suffix : {".tif", ".nrrd", ".mha"})
        row(suffix, type, components);
      if (components == 1) row(".npy", type, components);
      if (components == 1 || type == VoxelType::U8) row(".nii.gz", type, components);
    }
  }
}

void TestSaving::pixels_survive() {
  QFETCH(QString, suffix);
  QFETCH(VoxelType, type);
  QFETCH(int, components);
  std::mt19937 random(33);
  Context context;
  for (const Index3 size : {Index3{1, 1, 1}, Index3{31, 33, 1}, Index3{257, 3, 1}}) {
    const Geometry grid{.size = size, .unit = LengthUnit::Pixel};
    const Volume picture = test::random_volume(type, grid, random, components);
    const fs::path path = folder_ / ("Größe 大" + suffix.toStdString());
    io::save_volume(path, picture);
    const Volume back = io::load_path(path, "", context).volume;
    QVERIFY(test::same_voxels(back, picture));
    QVERIFY(same_grid(back.geometry(), grid));
  }
}

void TestSaving::a_stack_survives_as_tiff() {
  Context context;
  const Volume volume = noise({33, 17, 5});
  io::save_volume(folder_ / "stack.tif", volume);
  const io::LoadedImage back = io::load_path(folder_ / "stack.tif", "", context);
  QVERIFY(test::same_voxels(back.volume, volume));
  QCOMPARE(back.volume.geometry().size, volume.geometry().size);
  QVERIFY2(!back.warnings.empty(), "the voxel size is assumed, and that is said");
}

QTEST_GUILESS_MAIN(TestSaving)
#include "test_saving.moc"
