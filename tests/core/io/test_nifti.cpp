// SPDX-License-Identifier: Apache-2.0
#include "core/image/volume.h"
#include "core/io/image_source.h"
#include "core/io/labels.h"
#include "tests/core/io/io_fixture.h"
#include "tests/core/io/nifti_bytes.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>

using namespace seedwave;
using seedwave::test::input_error_of;
using seedwave::test::NiftiBytes;
using seedwave::test::values_of;

namespace {

bool mentions(const std::vector<std::string>& warnings, const std::string& words) {
  return std::any_of(warnings.begin(), warnings.end(), [&](const std::string& warning) {
    return warning.find(words) != std::string::npos;
  });
}

bool close_to(const Vec3& a, const Vec3& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) < 1e-5;
}

const std::vector<std::int16_t> kEight{1, 2, 3, 4, 5, 6, 7, 8};
/// The identity with an offset, in RAS.
constexpr std::array<float, 12> kPlain{1, 0, 0, 10, 0, 1, 0, 20, 0, 0, 1, 30};

}  // namespace

/// Cases that the NIfTI standard leaves to the reader, and common mistakes of files.
class TestNifti : public QObject {
  Q_OBJECT
 private slots:
  void turns_ras_into_lps();
  void prefers_sform_and_tells_the_difference_in_mm();
  void reads_a_quaternion_with_negative_qfac();
  void writes_a_quaternion_that_says_what_the_matrix_says();
  void shows_sheared_axes_on_the_nearest_grid();
  void applies_slope_and_intercept_data();
  void applies_slope_and_intercept();
  void reads_types_that_a_volume_has_not_data();
  void reads_types_that_a_volume_has_not();
  void reads_big_endian();
  void reads_version_2();
  void reads_a_pair();
  void splits_time_points();
  void one_time_point_is_a_volume();
  void reads_colours();
  void reads_one_slice_for_a_thumbnail();
  void converts_micrometres();
  void loads_what_has_no_position();
  void refuses_a_rescale_that_leaves_no_values();
  void refuses_parts_that_overflow();
  void refuses_grids_that_32_bits_do_not_hold();

 private:
  io::LoadedImage load(const std::string& bytes) {
    Context context;
    return io::load_path(folder_.put("image.nii", bytes), "", context);
  }
  test::TemporaryFolder folder_;
};

void TestNifti::turns_ras_into_lps() {
  const auto image = load(NiftiBytes().sform(2, kPlain).voxels(kEight).file());
  const Geometry& g = image.volume.geometry();
  QVERIFY(close_to(g.to_world(Index3{0, 0, 0}), {-10, -20, 30}));
  QVERIFY(close_to(g.to_world(Index3{1, 0, 0}), {-11, -20, 30}));
  QVERIFY(close_to(g.to_world(Index3{0, 1, 1}), {-10, -21, 31}));
  QCOMPARE(values_of(image.volume), (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}));
  QVERIFY(image.warnings.empty());
}

void TestNifti::prefers_sform_and_tells_the_difference_in_mm() {
  // The quaternion form places the same box 2 mm further along x.
  const auto image =
      load(NiftiBytes().sform(1, kPlain).qform(1, {0, 0, 0, 12, 20, 30}).voxels(kEight).file());
  QVERIFY(close_to(image.volume.geometry().origin, {-10, -20, 30}));
  QVERIFY(mentions(image.warnings, "2.00 mm"));
  const auto alone =
      load(NiftiBytes().sform(0, kPlain).qform(1, {0, 0, 0, 12, 20, 30}).voxels(kEight).file());
  QVERIFY(close_to(alone.volume.geometry().origin, {-12, -20, 30}));
  QVERIFY(alone.warnings.empty());
}

void TestNifti::reads_a_quaternion_with_negative_qfac() {
  // A quarter turn about z: x runs along +y, y along -x; qfac reverses z.
  const float half = std::sqrt(0.5F);
  const auto image =
      load(NiftiBytes().spacing(-1, 2, 3, 4).qform(1, {0, 0, half, 5, 6, 7}).voxels(kEight).file());
  const Geometry& g = image.volume.geometry();
  QVERIFY(close_to(g.to_world(Index3{0, 0, 0}), {-5, -6, 7}));
  QVERIFY(close_to(g.to_world(Index3{1, 0, 0}), {-5, -8, 7}));
  QVERIFY(close_to(g.to_world(Index3{0, 1, 0}), {-2, -6, 7}));
  QVERIFY(close_to(g.to_world(Index3{0, 0, 1}), {-5, -6, 3}));
}

void TestNifti::writes_a_quaternion_that_says_what_the_matrix_says() {
  // Half turns about each axis and none, a little off: another one of the four numbers of the
  // quaternion is the largest each time. The last is mirrored.
  const double c = std::cos(0.1);
  const double s = std::sin(0.1);
  const std::array<std::array<double, 9>, 5> directions{{{c, -s, 0, s, c, 0, 0, 0, 1},
                                                         {c, s, 0, s, -c, 0, 0, 0, -1},
                                                         {-c, s, 0, s, c, 0, 0, 0, -1},
                                                         {-c, s, 0, -s, -c, 0, 0, 0, 1},
                                                         {c, -s, 0, s, c, 0, 0, 0, -1}}};
  for (const auto& direction : directions) {
    Geometry grid;
    grid.size = {2, 3, 4};
    grid.spacing = {0.5, 0.75, 2.0};
    grid.origin = {-10, 20, 30};
    std::copy(direction.begin(), direction.end(), grid.direction.begin());
    const auto file = folder_.path() / "turned.nii";
    io::save_volume(file, Volume(grid, std::vector<std::uint8_t>(24)));
    std::fstream header(file, std::ios::in | std::ios::out | std::ios::binary);
    header.seekp(254);  // sform_code: without it the quaternion counts
    header.write("\0\0", 2);
    header.close();
    Context context;
    const Geometry read = io::load_path(file, "", context).volume.geometry();
    for (const Index3& corner :
         {Index3{0, 0, 0}, Index3{1, 0, 0}, Index3{0, 2, 0}, Index3{0, 0, 3}})
      QVERIFY(close_to(read.to_world(corner), grid.to_world(corner)));
  }
}

void TestNifti::shows_sheared_axes_on_the_nearest_grid() {
  // Slices that are shifted 0.2 mm along y with each millimetre of z.
  const std::vector<std::uint8_t> voxels(1000);
  const auto image = load(NiftiBytes()
                              .dims({10, 10, 10})
                              .type(2, 8)
                              .sform(1, {1, 0, 0, 0, 0, 1, 0.2F, 0, 0, 0, 1, 0})
                              .voxels(voxels)
                              .file());
  QVERIFY(mentions(image.warnings, "not at right angles"));
  const Geometry& g = image.volume.geometry();
  g.validate("the fitted grid");
  // The centre stays where the file puts it, and the stated error is the maximum.
  QVERIFY(close_to(g.to_world(Vec3{4.5, 4.5, 4.5}), {-4.5, -5.4, 4.5}));
  double largest = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 index{corner & 1 ? 9.0 : 0.0, corner & 2 ? 9.0 : 0.0, corner & 4 ? 9.0 : 0.0};
    const Vec3 stated{-index[0], -(index[1] + 0.2 * index[2]), index[2]};
    const Vec3 shown = g.to_world(index);
    largest = std::max(
        largest, std::hypot(shown[0] - stated[0], shown[1] - stated[1], shown[2] - stated[2]));
  }
  QVERIFY(largest < 0.75);
  QVERIFY2(mentions(image.warnings, QString::number(largest, 'f', 2).toStdString() + " mm"),
           image.warnings.front().c_str());
}

void TestNifti::applies_slope_and_intercept_data() {
  QTest::addColumn<float>("slope");
  QTest::addColumn<float>("intercept");
  QTest::addColumn<QString>("type");
  QTest::addColumn<double>("last");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  QTest::newRow("none") << 1.0F << 0.0F << "i16" << 8.0;
  QTest::newRow("0 means none") << 0.0F << 7.0F << "i16" << 8.0;
  QTest::newRow("NaN means none") << nan << nan << "i16" << 8.0;
  QTest::newRow("integers that fit 8 bits") << 2.0F << 3.0F << "u8" << 19.0;
  QTest::newRow("negative integers") << 1.0F << -1024.0F << "i16" << -1016.0;
  QTest::newRow("unsigned 16 bits") << 8000.0F << 0.0F << "u16" << 64000.0;
  QTest::newRow("32 bits") << 100000.0F << -1.0F << "i32" << 799999.0;
  QTest::newRow("an intercept of 32 bits") << 1.0F << -2147483648.0F << "i32" << -2147483640.0;
  QTest::newRow("fractions") << 0.5F << 0.25F << "f32" << 4.25;
}

void TestNifti::applies_slope_and_intercept() {
  QFETCH(float, slope);
  QFETCH(float, intercept);
  QFETCH(QString, type);
  QFETCH(double, last);
  const auto image =
      load(NiftiBytes().sform(1, kPlain).slope(slope, intercept).voxels(kEight).file());
  QCOMPARE(QString::fromUtf8(name_of(image.volume.type()).data()), type);
  QCOMPARE(values_of(image.volume).back(), last);
}

void TestNifti::reads_types_that_a_volume_has_not_data() {
  QTest::addColumn<QByteArray>("file");
  QTest::addColumn<QString>("type");
  QTest::addColumn<double>("first");
  QTest::addColumn<QString>("warning");
  const auto row = [](const char* name, int code, int bits, auto values, const char* type,
                      double first, const char* warning) {
    const std::string bytes = NiftiBytes().type(code, bits).sform(1, kPlain).voxels(values).file();
    QTest::newRow(name) << QByteArray::fromStdString(bytes) << type << first << warning;
  };
  row("i8", 256, 8, std::vector<std::int8_t>(8, -7), "i16", -7, "");
  row("u32 that fits", 768, 32, std::vector<std::uint32_t>(8, 70000), "i32", 70000, "");
  row("u32 that does not", 768, 32, std::vector<std::uint32_t>(8, 3000000000U), "f32", 3e9,
      "beyond 32 bits");
  row("i64 that fits", 1024, 64, std::vector<std::int64_t>(8, -5), "i32", -5, "");
  row("u64 that does not", 1280, 64, std::vector<std::uint64_t>(8, std::uint64_t{1} << 40U), "f32",
      1099511627776.0, "beyond 32 bits");
  row("f64 that is exact", 64, 64, std::vector<double>(8, 0.5), "f32", 0.5, "");
  row("f64 that is rounded", 64, 64, std::vector<double>(8, 0.1), "f32", static_cast<double>(0.1F),
      "64-bit");
}

void TestNifti::reads_types_that_a_volume_has_not() {
  QFETCH(QByteArray, file);
  QFETCH(QString, type);
  QFETCH(double, first);
  QFETCH(QString, warning);
  const auto image = load(file.toStdString());
  QCOMPARE(QString::fromUtf8(name_of(image.volume.type()).data()), type);
  QCOMPARE(values_of(image.volume).front(), first);
  QCOMPARE(image.warnings.empty(), warning.isEmpty());
  if (!warning.isEmpty()) QVERIFY(mentions(image.warnings, warning.toStdString()));
}

void TestNifti::reads_big_endian() {
  const auto image = load(NiftiBytes(std::endian::big).sform(1, kPlain).voxels(kEight).file());
  QCOMPARE(values_of(image.volume), (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}));
  QVERIFY(close_to(image.volume.geometry().origin, {-10, -20, 30}));
}

void TestNifti::reads_version_2() {
  std::string bytes(544, '\0');
  const auto put = [&]<typename T>(std::size_t offset, T value) {
    std::memcpy(bytes.data() + offset, &value, sizeof value);
  };
  put(0, std::int32_t{540});
  std::memcpy(bytes.data() + 4, "n+2\0\r\n\x1a\n", 8);
  put(12, std::int16_t{4});
  put(14, std::int16_t{16});
  for (std::size_t i = 0; i < 8; ++i)
    put(16 + 8 * i, std::int64_t{i == 0 ? 3 : i < 4 ? 2 : 1});
  for (std::size_t i = 1; i < 4; ++i)
    put(104 + 8 * i, 1.0);
  put(168, std::int64_t{544});
  put(176, 1.0);
  put(348, std::int32_t{1});
  for (std::size_t i = 0; i < 12; ++i)
    put(400 + 8 * i, static_cast<double>(kPlain[i]));
  const auto image = load(bytes + NiftiBytes().voxels(kEight).body());
  QCOMPARE(values_of(image.volume), (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}));
  QVERIFY(close_to(image.volume.geometry().origin, {-10, -20, 30}));
}

void TestNifti::reads_a_pair() {
  const NiftiBytes bytes = NiftiBytes().magic("ni1").sform(1, kPlain).voxels(kEight);
  Context context;
  const auto header = folder_.put("pair/brain.hdr", bytes.header().substr(0, 348));
  QVERIFY(!input_error_of([&] { (void)io::load_path(header, "", context); }).empty());
  // The offset in the header is relative to the start of the .img.
  const auto voxels = folder_.put("pair/brain.img", std::string(352, 'x') + bytes.body());
  QCOMPARE(values_of(io::load_path(header, "", context).volume).back(), 8.0);
  const io::Scan scan = io::scan(folder_ / "pair", context);
  QCOMPARE(scan.items.size(), std::size_t{1});
  QVERIFY2(scan.skipped.empty(), "the .img is part of the image, not a file that is none");
}

void TestNifti::splits_time_points() {
  std::vector<std::int16_t> values(24);
  std::iota(values.begin(), values.end(), std::int16_t{0});
  const auto path = folder_.put(
      "times.nii", NiftiBytes().dims({2, 2, 2, 3}).sform(1, kPlain).voxels(values).file());
  Context context;
  const io::Scan scan = io::scan(path, context);
  QCOMPARE(scan.items.size(), std::size_t{3});
  QCOMPARE(scan.items[1].hints.description, std::string("time 2 of 3"));
  QCOMPARE(values_of(io::load_path(path, "2", context).volume).front(), 8.0);
  const std::string message = input_error_of([&] { (void)io::load_path(path, "", context); });
  QVERIFY2(message.find("time 3 of 3") != std::string::npos, message.c_str());
  // The last time point is truncated; the others are still usable.
  values.resize(20);
  const auto cut = folder_.put(
      "cut.nii", NiftiBytes().dims({2, 2, 2, 3}).sform(1, kPlain).voxels(values).file());
  const io::Scan partly = io::scan(cut, context);
  QVERIFY(partly.items[1].usable);
  QVERIFY(!partly.items[2].usable);
}

void TestNifti::one_time_point_is_a_volume() {
  const auto image = load(NiftiBytes().dims({2, 2, 2, 1}).sform(1, kPlain).voxels(kEight).file());
  QCOMPARE(values_of(image.volume).back(), 8.0);
}

void TestNifti::reads_colours() {
  std::vector<std::uint8_t> values(24);
  std::iota(values.begin(), values.end(), std::uint8_t{0});
  const auto image = load(NiftiBytes().type(128, 24).sform(1, kPlain).voxels(values).file());
  QCOMPARE(image.volume.components(), 3);
  QCOMPARE(image.volume.value_at({1, 0, 0}, 2), 5.0);
}

void TestNifti::reads_one_slice_for_a_thumbnail() {
  // Dark, then bright: the middle slice of two is the second.
  std::vector<std::int16_t> values(32, 0);
  for (std::size_t i = 16; i < 32; ++i)
    values[i] = static_cast<std::int16_t>(i);
  const auto path = folder_.put(
      "thumb.nii",
      NiftiBytes().dims({4, 4, 2}).spacing(1, 1, 2, 1).sform(1, kPlain).voxels(values).file());
  Context context;
  const Volume picture = io::thumbnail(io::scan(path, context).items.at(0), 96, context);
  QCOMPARE(picture.type(), VoxelType::U8);
  QCOMPARE(std::max(picture.geometry().size[0], picture.geometry().size[1]), std::int64_t{96});
  QCOMPARE(value_range(picture).low, 0.0);
  QCOMPARE(value_range(picture).high, 255.0);
}

void TestNifti::converts_micrometres() {
  const auto image = load(NiftiBytes()
                              .spacing(1, 500, 500, 500)
                              .units(3)
                              .sform(1, {500, 0, 0, 1000, 0, 500, 0, 0, 0, 0, 500, 0})
                              .voxels(kEight)
                              .file());
  QCOMPARE(image.volume.geometry().spacing, (Vec3{0.5, 0.5, 0.5}));
  QVERIFY(close_to(image.volume.geometry().origin, {-1, 0, 0}));
  QVERIFY(mentions(image.warnings, "converted to mm"));
}

void TestNifti::loads_what_has_no_position() {
  const auto image = load(NiftiBytes().spacing(1, 2, 3, 4).units(2).voxels(kEight).file());
  QCOMPARE(image.volume.geometry().spacing, (Vec3{2, 3, 4}));
  QVERIFY(mentions(image.warnings, "no usable position"));
}

void TestNifti::refuses_a_rescale_that_leaves_no_values() {
  const auto refusal = [&](float slope, float intercept) {
    return input_error_of([&] {
      (void)load(NiftiBytes().sform(1, kPlain).slope(slope, intercept).voxels(kEight).file());
    });
  };
  QVERIFY(refusal(1e38F, 0.0F).find("too large") != std::string::npos);
  QVERIFY(refusal(1e-45F, 1.0F).find("all values are the same") != std::string::npos);
  QVERIFY(refusal(0.5F, 1e30F).find("all values are the same") != std::string::npos);
  const auto beyond = load(NiftiBytes().sform(1, kPlain).slope(1e9F, 0.0F).voxels(kEight).file());
  QVERIFY(mentions(beyond.warnings, "beyond 32 bits"));
}

void TestNifti::refuses_parts_that_overflow() {
  // 4 * 2^62 time points overflow to 0 in 64 bits, and 6 * 2^61 to a negative number.
  const std::vector<std::vector<std::int64_t>> parts{{4, std::int64_t{1} << 62, 1},
                                                     {6, std::int64_t{1} << 61, 1}};
  for (const auto& sizes : parts) {
    std::string bytes(552, '\0');
    const auto put = [&]<typename T>(std::size_t offset, T value) {
      std::memcpy(bytes.data() + offset, &value, sizeof value);
    };
    put(0, std::int32_t{540});
    std::memcpy(bytes.data() + 4, "n+2\0\r\n\x1a\n", 8);
    put(12, std::int16_t{2});
    put(14, std::int16_t{8});
    const std::vector<std::int64_t> dim{6, 2, 2, 2, sizes[0], sizes[1], sizes[2], 1};
    for (std::size_t i = 0; i < dim.size(); ++i)
      put(16 + 8 * i, dim[i]);
    for (std::size_t i = 0; i < 8; ++i)
      put(104 + 8 * i, 1.0);
    put(168, std::int64_t{544});
    const std::string message = input_error_of([&] { (void)load(bytes); });
    QVERIFY2(message.find("more than 10000 volumes") != std::string::npos, message.c_str());
  }
}

void TestNifti::refuses_grids_that_32_bits_do_not_hold() {
  test::TemporaryFolder folder;
  Geometry grid;
  grid.size = {9, 6, 1};
  grid.spacing = {0.01, 42968.624, 1.0};
  grid.direction = {0.8, -0.6, 0.0, 0.6, 0.8, 0.0, 0.0, 0.0, 1.0};
  Geometry far;
  far.size = {9, 6, 1};
  far.spacing = {0.00025, 0.00025, 1.0};
  far.origin = {1000.0001, 0.0, 0.0};
  for (const Geometry& geometry : {grid, far}) {
    const Volume volume(geometry, std::vector<std::uint8_t>(54, 7));
    QVERIFY_EXCEPTION_THROWN(io::save_volume(folder / "coarse.nii", volume), OutputError);
    QVERIFY(folder.names().empty());
    io::save_volume(folder / "fine.mha", volume);
    Context context;
    QVERIFY(same_grid(io::load_path(folder / "fine.mha", "", context).volume.geometry(), geometry));
    std::filesystem::remove(folder / "fine.mha");
  }
}

QTEST_GUILESS_MAIN(TestNifti)
#include "test_nifti.moc"
