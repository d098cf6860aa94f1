// SPDX-License-Identifier: Apache-2.0
#include "core/io/complete_hints.h"
#include "core/parallel/context.h"
#include "tests/support/test_data.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <string>
#include <vector>

using namespace seedwave;

namespace {

constexpr std::int64_t kSide = 32;
constexpr auto kVoxels = static_cast<std::size_t>(kSide * kSide * kSide);

Geometry grid() {
  Geometry geometry;
  geometry.size = {kSide, kSide, kSide};
  return geometry;
}

/// Returns values by the distance from the middle, 1 at the faces, with noise of that deviation.
template <typename T, typename ValueAt>
std::vector<T> made_of(ValueAt&& value_at, double noise) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::vector<T> voxels;
  for (std::size_t i = 0; i < kVoxels; ++i) {
    const Index3 at = grid().index_of(static_cast<std::int64_t>(i));
    double square = 0.0;
    for (const std::int64_t c : at)
      square += std::pow((static_cast<double>(c) - 15.5) / 15.5, 2.0);
    voxels.push_back(static_cast<T>(value_at(std::sqrt(square)) + noise * normal(random)));
  }
  return voxels;
}

/// Returns the intensity of a body of muscle with bone inside and fat around, in air.
double body(double radius) {
  if (radius < 0.2) return 700.0;
  if (radius < 0.7) return 50.0;
  return radius < 0.8 ? -90.0 : -1000.0;
}

/// Replaces the air outside the field of view by a padding value.
template <typename T>
std::vector<T> padded(std::vector<T> voxels, T padding) {
  for (std::size_t i = 0; i < voxels.size(); ++i) {
    const Index3 at = grid().index_of(static_cast<std::int64_t>(i));
    if (std::hypot(static_cast<double>(at[0]) - 15.5, static_cast<double>(at[1]) - 15.5) > 15.5)
      voxels[i] = padding;
  }
  return voxels;
}

template <typename T>
std::vector<T> uniform(double low, double high) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> values(low, high);
  std::vector<T> voxels(kVoxels);
  for (T& voxel : voxels)
    voxel = static_cast<T>(values(random));
  return voxels;
}

/// Sets everything around a ball to zero.
template <typename T>
std::vector<T> masked(std::vector<T> voxels) {
  const auto radius = made_of<double>([](double r) { return r; }, 0.0);
  for (std::size_t i = 0; i < voxels.size(); ++i) {
    if (radius[i] > 0.8) voxels[i] = 0;
  }
  return voxels;
}

}  // namespace

Q_DECLARE_METATYPE(seedwave::Volume)

class TestCompleteHints : public QObject {
  Q_OBJECT

 private slots:
  void ct_is_known_by_its_values_data() {
    QTest::addColumn<Volume>("image");
    QTest::addColumn<QString>("modality");
    const auto row = [](const char* name, auto voxels, const char* modality) {
      QTest::newRow(name) << Volume(grid(), std::move(voxels)) << QString::fromLatin1(modality);
    };
    const auto ct = made_of<std::int16_t>(body, 15.0);
    row("air around a body", ct, "CT");
    row("padded with -2048", padded<std::int16_t>(ct, -2048), "CT");
    row("padded with -3024", padded<std::int16_t>(ct, -3024), "CT");
    row("resampled to fractions", made_of<float>(body, 15.5), "CT");
    row("lungs and no air around",
        made_of<std::int16_t>([](double r) { return r < 0.5 ? -820.0 : 40.0; }, 30.0), "CT");
    std::vector<std::int16_t> cut = ct;
    for (std::int16_t& value : cut)
      value = std::clamp<std::int16_t>(value, -1000, 400);
    row("cut off at -1000 and 400", cut, "CT");
    std::vector<std::int16_t> by_turns(kVoxels);  // images this small are read whole
    for (std::size_t i = 0; i < kVoxels; ++i)
      by_turns[i] = i % 2 == 0 ? -1000 : 40;
    row("air and water by turns", by_turns, "CT");
    Geometry large = grid();  // large images are sampled, but not every second column
    large.size = {256, 256, 128};
    std::vector<std::int16_t> many;
    for (std::int64_t i = 0; i < large.voxel_count(); ++i)
      many.push_back(i % 2 == 0 ? -1000 : 40);
    QTest::newRow("the same, large") << Volume(large, many) << QStringLiteral("CT");

    const auto magnitude = [](double r) { return r < 0.8 ? 900.0 * (1.0 - r / 2.0) : 20.0; };
    row("magnitude of MR", made_of<std::int16_t>(magnitude, 15.0), "");
    row("difference of two scans", made_of<std::int16_t>([](double) { return 0.0; }, 450.0), "");
    row("phase", uniform<std::int16_t>(-4096.0, 4095.0), "");
    row("phase in thousandths",
        uniform<std::int16_t>(-1000.0 * std::numbers::pi, 1000.0 * std::numbers::pi), "");
    row("phase up to -1000", uniform<float>(-1000.0, 1000.0), "");
    row("phase of the head alone", masked(uniform<std::int16_t>(-4096.0, 4095.0)), "");
    row("scores", made_of<float>([](double r) { return 1.0 - r; }, 1.0), "");
    row("labels", made_of<std::uint8_t>([](double r) { return r < 0.5 ? 1.0 : 0.0; }, 0.0), "");
    row("CT without air",
        made_of<std::int16_t>([](double r) { return r < 0.5 ? 120.0 : 40.0; }, 15.0), "");
    row("not a number", std::vector<float>(kVoxels, std::nanf("")), "");
    QTest::newRow("empty") << Volume() << QString();
    Geometry page = grid();
    page.unit = LengthUnit::Pixel;
    QTest::newRow("a picture") << Volume(page, ct) << QString();
  }
  void ct_is_known_by_its_values() {
    QFETCH(Volume, image);
    QFETCH(QString, modality);
    io::DisplayHints hints;
    io::complete_hints(hints, image);
    QCOMPARE(QString::fromStdString(hints.modality), modality);
    QCOMPARE(hints.unit, std::string(modality.isEmpty() ? "" : "HU"));
  }

  void what_a_file_says_stays() {
    const Volume ct(grid(), made_of<std::int16_t>(body, 15.0));
    io::DisplayHints hints{.modality = "MR"};
    io::complete_hints(hints, ct);
    QCOMPARE(hints.modality, std::string("MR"));
    QCOMPARE(hints.unit, std::string());
    io::DisplayHints with_unit{.unit = "US"};
    io::complete_hints(with_unit, ct);
    QCOMPARE(with_unit.unit, std::string("US"));
  }

  void real_files_are_told_apart_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("modality");
    QTest::newRow("R1") << "R1_ct_aorta/ct.nii.gz"
                        << "CT";
    QTest::newRow("R2") << "R2_ct_organs/ct.nii.gz"
                        << "CT";
    QTest::newRow("R2 labels") << "R2_ct_organs/labels.nii.gz"
                               << "";
    QTest::newRow("R3") << "R3_ct_dicom/dicom"
                        << "CT";
    QTest::newRow("A1") << "A1_dicom_t1"
                        << "";
    QTest::newRow("A2") << "A2_ct_gantry_tilt"
                        << "CT";
    QTest::newRow("B1") << "B1_itksnap_brain/MRIcrop-orig.nii.gz"
                        << "";
    QTest::newRow("F1") << "F1_simulated_brain/pd_noiseless.nii.gz"
                        << "";
  }
  void real_files_are_told_apart() {
    QFETCH(QString, path);
    QFETCH(QString, modality);
    const auto file = test::test_data(path.toStdString());
    SEEDWAVE_NEED_DATA(file);
    Context context;
    const io::Scan scan = io::scan(file, context);
    QVERIFY(!scan.items.empty());
    for (const io::Item& item : scan.items) {
      if (!item.usable) continue;
      io::LoadedImage image = io::load(item, context);
      image.hints.modality.clear();  // DICOM states it; the values alone must show it
      io::complete_hints(image.hints, image.volume);
      QCOMPARE(QString::fromStdString(image.hints.modality), modality);
    }
  }
};

QTEST_GUILESS_MAIN(TestCompleteHints)
#include "test_complete_hints.moc"
