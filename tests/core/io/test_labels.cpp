// SPDX-License-Identifier: Apache-2.0
#include "core/image/label_counts.h"
#include "core/io/labels.h"
#include "tests/core/io/io_fixture.h"
#include "tests/core/io/random_images.h"
#include "tests/support/test_data.h"

#include <QTest>
#include <QtGui/QImage>

#include <algorithm>
#include <array>

using namespace seedwave;
using seedwave::test::input_error_of;
using seedwave::test::random_grid;

namespace {

/// Returns the same voxels with the axes permuted and reversed: `order` and `flip` of each new
/// axis.
LabelMap turned(const LabelMap& labels, const std::array<int, 3>& order,
                const std::array<bool, 3>& flip) {
  const Geometry& g = labels.geometry();
  Geometry t = g;
  Vec3 start{0, 0, 0};
  for (int axis = 0; axis < 3; ++axis) {
    const int from = order[axis];
    t.size[axis] = g.size[from];
    t.spacing[axis] = g.spacing[from];
    for (int row = 0; row < 3; ++row)
      t.direction[3 * row + axis] = (flip[axis] ? -1 : 1) * g.direction[3 * row + from];
    if (flip[axis]) start[from] = static_cast<double>(g.size[from] - 1);
  }
  t.origin = g.to_world(start);
  std::vector<Label> values;
  for (std::int64_t offset = 0; offset < t.voxel_count(); ++offset) {
    const Index3 index = t.index_of(offset);
    Index3 original{};
    for (int axis = 0; axis < 3; ++axis)
      original[order[axis]] = flip[axis] ? t.size[axis] - 1 - index[axis] : index[axis];
    values.push_back(labels.at(original));
  }
  return LabelMap(t, std::move(values));
}

LabelMap random_labels(const Geometry& grid, std::mt19937& random) {
  std::vector<std::uint16_t> values(static_cast<std::size_t>(grid.voxel_count()));
  for (std::uint16_t& value : values)
    value = static_cast<std::uint16_t>(random() % 7);
  return LabelMap(grid, std::move(values));
}

bool same_labels(const LabelMap& a, const LabelMap& b) {
  return same_grid(a.geometry(), b.geometry()) && std::ranges::equal(a.labels(), b.labels());
}

}  // namespace

class TestLabels : public QObject {
  Q_OBJECT
 private slots:
  void all_48_turns_of_a_grid_fit_exactly();
  void turned_labels_fit_through_files();
  void another_grid_is_refused_in_words_data();
  void another_grid_is_refused_in_words();
  void flat_masks_far_apart_do_not_fit_data();
  void flat_masks_far_apart_do_not_fit();
  void a_picture_fits_a_flat_image_by_its_size();
  void the_grid_of_the_image_can_be_imposed();
  void resampling_takes_the_nearest();
  void what_is_no_label_is_refused_data();
  void what_is_no_label_is_refused();
  void whole_numbers_with_a_point_are_labels();
  void a_palette_picture_gives_its_numbers();
  void small_labels_are_written_in_8_bits();
  void large_labels_are_written_in_32_bits();
  void labels_of_a_study_lie_on_its_slices();

 private:
  test::TemporaryFolder folder_;
};

void TestLabels::all_48_turns_of_a_grid_fit_exactly() {
  std::mt19937 random(11);
  for (int round = 0; round < 5; ++round) {
    const LabelMap labels = random_labels(random_grid(random), random);
    std::array<int, 3> order{0, 1, 2};
    do {
      for (int bits = 0; bits < 8; ++bits) {
        const std::array<bool, 3> flip{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
        const auto fitted = io::fit_labels(turned(labels, order, flip), labels.geometry());
        QVERIFY(fitted.has_value());
        QVERIFY(same_labels(*fitted, labels));
      }
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

void TestLabels::turned_labels_fit_through_files() {
  std::mt19937 random(12);
  Context context;
  const LabelMap labels = random_labels(random_grid(random), random);
  const LabelMap other = turned(labels, {2, 0, 1}, {true, false, true});
  for (const char* name : {"l.nii.gz", "l.nrrd", "l.mha"}) {
    io::save_labels(folder_ / name, other);
    QVERIFY(same_labels(io::load_labels(folder_ / name, labels.geometry(), context), labels));
  }
}

void TestLabels::another_grid_is_refused_in_words_data() {
  QTest::addColumn<int>("what");
  QTest::newRow("moved by half a voxel") << 0;
  QTest::newRow("one slice more") << 1;
  QTest::newRow("other spacing") << 2;
  QTest::newRow("turned by a degree") << 3;
  QTest::newRow("a picture without position") << 4;
}

void TestLabels::another_grid_is_refused_in_words() {
  QFETCH(int, what);
  std::mt19937 random(13);
  Geometry grid;
  grid.size = {20, 21, 22};
  grid.spacing = {0.5, 0.6, 1.5};
  grid.origin = {-10, 20, 30};
  Geometry other = grid;
  if (what == 0) other.origin[0] += 0.25;
  if (what == 1) other.size[2] += 1;
  if (what == 2) other.spacing[1] = 0.61;
  if (what == 3) {
    const double c = std::cos(0.0175);
    const double s = std::sin(0.0175);
    other.direction = {c, -s, 0, s, c, 0, 0, 0, 1};
  }
  if (what == 4) {
    grid.size[2] = other.size[2] = 1;
    other = Geometry{.size = grid.size, .unit = LengthUnit::Pixel};
  }
  Context context;
  const auto path = folder_ / (what == 4 ? "other.png" : "other.nrrd");
  io::save_labels(path, random_labels(other, random));
  const std::string message = input_error_of([&] { (void)io::load_labels(path, grid, context); });
  // Both geometries, so that the user sees the difference.
  QVERIFY2(message.find(io::describe_placement(grid)) != std::string::npos, message.c_str());
  QVERIFY2(message.find(io::describe_placement(other)) != std::string::npos, message.c_str());
  QVERIFY(message.find('\n') == std::string::npos);
}

void TestLabels::flat_masks_far_apart_do_not_fit_data() {
  QTest::addColumn<QString>("suffix");
  for (const char* suffix : {".nii", ".nrrd", ".mha"})
    QTest::newRow(suffix) << QString(suffix);
}

void TestLabels::flat_masks_far_apart_do_not_fit() {
  QFETCH(QString, suffix);
  std::mt19937 random(15);
  Context context;
  const Geometry grid{.size = {9, 8, 1}, .spacing = {0.5, 0.5, 1}, .planar = true};
  Geometry far = grid;
  far.origin[0] = 500.0;
  const auto path = folder_ / ("far" + suffix.toStdString());
  const LabelMap labels = random_labels(far, random);
  io::save_labels(path, labels);
  QVERIFY(same_labels(io::load_labels(path, far, context), labels));
  const std::string message = input_error_of([&] { (void)io::load_labels(path, grid, context); });
  QVERIFY2(message.find("500.00") != std::string::npos, message.c_str());
}

void TestLabels::a_picture_fits_a_flat_image_by_its_size() {
  std::mt19937 random(16);
  Context context;
  const Geometry grid{.size = {9, 8, 1}, .spacing = {0.5, 0.5, 1}, .planar = true};
  const LabelMap labels = random_labels({.size = grid.size, .unit = LengthUnit::Pixel}, random);
  io::save_labels(folder_ / "p.png", labels);
  const LabelMap fitted = io::load_labels(folder_ / "p.png", grid, context);
  QVERIFY(same_grid(fitted.geometry(), grid));
  QVERIFY(std::ranges::equal(fitted.labels(), labels.labels()));
  // The same for an image, and in both directions; not for a slice of a patient.
  const Volume picture(labels.geometry(), std::vector<std::uint8_t>(72, 3));
  QVERIFY(same_grid(io::fit_picture(picture, grid).geometry(), grid));
  const Volume placed(grid, std::vector<std::uint8_t>(72, 3));
  QCOMPARE(io::fit_picture(placed, picture.geometry()).geometry().unit, LengthUnit::Pixel);
  Geometry slice = grid;
  slice.planar = false;
  QCOMPARE(io::fit_picture(picture, slice).geometry().unit, LengthUnit::Pixel);
}

void TestLabels::the_grid_of_the_image_can_be_imposed() {
  std::mt19937 random(14);
  const Geometry grid = random_grid(random);
  Geometry other = random_grid(random);
  other.size = grid.size;
  const LabelMap labels = random_labels(other, random);
  const LabelMap imposed = io::use_grid_of_image(labels, grid);
  QVERIFY(same_grid(imposed.geometry(), grid));
  QVERIFY(std::ranges::equal(imposed.labels(), labels.labels()));
  other.size[0] += 1;
  QVERIFY(!input_error_of([&] {
             (void)io::use_grid_of_image(random_labels(other, random), grid);
           }).empty());
}

void TestLabels::resampling_takes_the_nearest() {
  std::mt19937 random(15);
  Context context;
  const LabelMap labels = random_labels(random_grid(random), random);
  // Resampling to a permutation of its own grid changes nothing.
  const LabelMap other = turned(labels, {1, 2, 0}, {false, true, false});
  QVERIFY(same_labels(io::resample_labels_nearest(other, labels.geometry(), context), labels));
  // On a grid twice as fine every label appears eight times; beside it there is nothing.
  Geometry fine = labels.geometry();
  for (int axis = 0; axis < 3; ++axis) {
    fine.size[axis] *= 2;
    fine.spacing[axis] /= 2;
  }
  fine.origin = labels.geometry().to_world(Vec3{-0.25, -0.25, -0.25});
  const LabelMap doubled = io::resample_labels_nearest(labels, fine, context);
  for (const auto& [label, count] : count_labels(labels))
    QCOMPARE(count_labels(doubled).of(label), 8 * count);
  fine.origin[0] += 10000;
  QVERIFY(count_labels(io::resample_labels_nearest(labels, fine, context)).empty());
}

void TestLabels::what_is_no_label_is_refused_data() {
  QTest::addColumn<double>("value");
  QTest::newRow("a fraction") << 1.5;
  QTest::newRow("negative") << -1.0;
  QTest::newRow("too large") << 4294967296.0;
  QTest::newRow("NaN") << std::numeric_limits<double>::quiet_NaN();
  QTest::newRow("infinite") << std::numeric_limits<double>::infinity();
}

void TestLabels::what_is_no_label_is_refused() {
  QFETCH(double, value);
  Geometry grid;
  grid.size = {3, 4, 5};
  std::vector<float> voxels(60, 2.0F);
  voxels[static_cast<std::size_t>(grid.offset({1, 2, 3}))] = static_cast<float>(value);
  const auto path = folder_ / "values.nii";
  io::save_volume(path, Volume(grid, voxels));
  Context context;
  const std::string message = input_error_of([&] { (void)io::read_labels(path, context); });
  QVERIFY2(message.find("1, 2, 3") != std::string::npos, message.c_str());
}

void TestLabels::whole_numbers_with_a_point_are_labels() {
  Geometry grid;
  grid.size = {2, 2, 1};
  Context context;
  io::save_volume(folder_ / "f.nii", Volume(grid, std::vector<float>{0, 1, 300, 65535}));
  const LabelMap labels = io::load_labels(folder_ / "f.nii", grid, context);
  QVERIFY(std::ranges::equal(labels.labels(), std::vector<std::uint16_t>{0, 1, 300, 65535}));
}

void TestLabels::a_palette_picture_gives_its_numbers() {
  QImage picture(5, 3, QImage::Format_Indexed8);
  picture.setColorTable({qRgb(0, 0, 0), qRgb(255, 0, 0), qRgb(0, 255, 0)});
  for (int i = 0; i < 15; ++i)
    picture.setPixel(i % 5, i / 5, static_cast<uint>(i % 3));
  const auto path = folder_ / "palette.png";
  QVERIFY(picture.save(QString::fromStdString(path.string())));
  Context context;
  QCOMPARE(io::load_path(path, "", context).volume.components(), 3);
  const Geometry grid{.size = {5, 3, 1}, .unit = LengthUnit::Pixel};
  const LabelMap labels = io::load_labels(path, grid, context);
  for (std::int64_t i = 0; i < 15; ++i)
    QCOMPARE(labels.at({i % 5, i / 5, 0}), static_cast<std::uint16_t>(i % 3));
}

void TestLabels::small_labels_are_written_in_8_bits() {
  Geometry grid;
  grid.size = {2, 1, 1};
  Context context;
  for (const std::uint16_t largest : std::array<std::uint16_t, 2>{255, 256}) {
    for (const char* name : {"l.nii.gz", "l.nrrd", "l.mha", "l.npy"}) {
      io::save_labels(folder_ / name, LabelMap(grid, std::vector<std::uint16_t>{0, largest}));
      const Volume volume = io::load_path(folder_ / name, "", context).volume;
      QCOMPARE(volume.type(), largest < 256 ? VoxelType::U8 : VoxelType::U16);
      QCOMPARE(volume.value_at({1, 0, 0}), static_cast<double>(largest));
    }
  }
}

void TestLabels::large_labels_are_written_in_32_bits() {
  const Geometry grid{.size = {2, 2, 1}};
  Context context;
  for (const Label largest :
       {Label{65536}, Label{2147483647}, Label{2147483648}, Label{4294967295}}) {
    const std::vector<Label> labels{0, 1, largest - 1, largest};
    for (const char* name : {"l.nii.gz", "l.nrrd", "l.mha", "l.npy", "l.tif"}) {
      io::save_labels(folder_ / name, LabelMap(grid, labels));
      QVERIFY(std::ranges::equal(io::read_labels(folder_ / name, context).labels(), labels));
      const bool fits = largest <= 2147483647;
      if (!fits && std::string(name) == "l.tif") continue;  // refused as an image
      const Volume image = io::load_path(folder_ / name, "", context).volume;
      QCOMPARE(image.type(), fits ? VoxelType::I32 : VoxelType::F32);
    }
    QVERIFY_EXCEPTION_THROWN(io::save_labels(folder_ / "l.png", LabelMap(grid, labels)),
                             OutputError);
  }
}

void TestLabels::labels_of_a_study_lie_on_its_slices() {
  const auto labels_path = test::test_data("R3_ct_dicom/labels.nii.gz");
  SEEDWAVE_NEED_DATA(labels_path);
  Context context;
  const Volume ct = io::load_path(test::test_data("R3_ct_dicom/dicom"), "", context).volume;
  const LabelMap labels = io::load_labels(labels_path, ct.geometry(), context);
  QVERIFY(same_grid(labels.geometry(), ct.geometry()));
  const LabelMap own = io::read_labels(labels_path, context);
  QVERIFY(!same_grid(own.geometry(), ct.geometry()));
  QCOMPARE(count_labels(labels), count_labels(own));
  // Voxels labelled bone are denser than those labelled liver. Matched by index, which runs in the
  // opposite direction, they would not be.
  const auto bone_over_liver = [&](const LabelMap& map) {
    std::array<double, 2> sum{};
    std::array<double, 2> count{};
    const auto values = map.labels();
    for (std::size_t at = 0; at < values.size(); ++at) {
      const bool bone =
          values[at] == 32 || values[at] == 33 || (values[at] >= 97 && values[at] <= 115);
      if (!bone && values[at] != 5) continue;
      sum[bone ? 1 : 0] += ct.value_at(ct.geometry().index_of(static_cast<std::int64_t>(at)));
      count[bone ? 1 : 0] += 1;
    }
    return sum[1] / count[1] - sum[0] / count[0];
  };
  QVERIFY(bone_over_liver(labels) > 100);
  QVERIFY(bone_over_liver(own) < 50);
}

QTEST_GUILESS_MAIN(TestLabels)
#include "test_labels.moc"
