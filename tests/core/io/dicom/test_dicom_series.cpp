// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/io/dicom/dicom_source.h"
#include "tests/support/dicom_file.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace {

using seedwave::Context;
using seedwave::LengthUnit;
using seedwave::Vec3;
using seedwave::Volume;
using seedwave::VoxelType;
using seedwave::io::Item;
using seedwave::io::ItemKind;
using seedwave::io::LoadedImage;
using seedwave::io::Scan;
using seedwave::test::DicomFile;

namespace fs = std::filesystem;

std::vector<double> values_of(const Volume& volume) {
  std::vector<double> values;
  visit_voxels(volume, [&](auto voxels) { values.assign(voxels.begin(), voxels.end()); });
  return values;
}

bool mentions(const std::vector<std::string>& texts, const std::string& words) {
  return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
    return text.find(words) != std::string::npos;
  });
}

/// Summarises the findings of a scan, for comparisons.
std::vector<std::string> summary(const Scan& scan) {
  std::vector<std::string> lines;
  for (const Item& item : scan.items) {
    std::string line = item.hints.description + "|" + describe(item.geometry) + "|" + item.part;
    for (const auto& file : item.files)
      line += "|" + file.filename().string();
    lines.push_back(line);
  }
  return lines;
}

/// Returns an integer that changes along every axis, so that a value identifies its place.
double ramp(const Vec3& world) {
  return std::round(1000 + 3 * world[0] + 5 * world[1] + 7 * world[2]);
}

}  // namespace

class TestDicomSeries : public QObject {
  Q_OBJECT

 private slots:
  void init();

  void sorts_by_place_and_not_by_name_or_number();
  void does_not_depend_on_the_order_of_files_or_threads();
  void rescales_every_slice_by_its_own_slope();
  void chooses_the_type_by_the_rule_data();
  void chooses_the_type_by_the_rule();
  void widens_when_a_shifted_value_does_not_fit();
  void keeps_stored_bits_wherever_they_lie_data();
  void keeps_stored_bits_wherever_they_lie();

  void splits_clashing_places_by_what_differs_data();
  void splits_clashing_places_by_what_differs();
  void splits_clashing_places_by_number_at_last();
  void does_not_split_where_nothing_clashes();
  void splits_other_sizes_and_orientations_of_a_series();
  void leaves_out_copies();

  void reports_a_gap_and_offers_repairs();
  void accepts_small_unevenness_with_a_warning();
  void resampling_puts_every_value_in_its_place_data();
  void resampling_puts_every_value_in_its_place();
  void opens_pictures_without_a_place();
  void assumes_and_says_so_where_geometry_is_unusable_data();
  void assumes_and_says_so_where_geometry_is_unusable();

  void names_windows_unit_patient();
  void reads_character_sets_data();
  void reads_character_sets();
  void reads_a_data_set_without_preamble();
  void stops_when_asked();
  void refuses_files_that_changed_since_the_scan();

 private:
  [[nodiscard]] fs::path file(const std::string& name) const { return folder_ / name; }
  [[nodiscard]] Scan scan() const {
    Context context;
    return seedwave::io::scan(folder_, context);
  }
  [[nodiscard]] static LoadedImage load(const Item& item) {
    Context context;
    return seedwave::io::load(item, context);
  }

  std::unique_ptr<QTemporaryDir> temporary_;
  fs::path folder_;
};

void TestDicomSeries::init() {
  temporary_ = std::make_unique<QTemporaryDir>();
  folder_ = temporary_->path().toStdString();
}

void TestDicomSeries::sorts_by_place_and_not_by_name_or_number() {
  const int places[] = {3, 0, 4, 1, 2};
  for (int i = 0; i < 5; ++i) {
    DicomFile(4, 3)
        .at(0, 0, 2.5 * places[i], i + 1)
        .filled(10 * places[i])
        .save(file(std::to_string(i)));
  }
  const Scan found = scan();
  QCOMPARE(found.items.size(), std::size_t{1});
  QCOMPARE(found.items[0].geometry.spacing[2], 2.5);
  const LoadedImage image = load(found.items[0]);
  for (int z = 0; z < 5; ++z)
    QCOMPARE(image.volume.value_at({3, 2, z}), 10.0 * z);
}

void TestDicomSeries::does_not_depend_on_the_order_of_files_or_threads() {
  std::vector<fs::path> files;
  for (int i = 0; i < 12; ++i) {
    files.push_back(file("f" + std::to_string(i)));
    DicomFile(4, 3)
        .at(0, 0, i % 4, i)
        .text(DCM_EchoNumbers, std::to_string(i / 4))
        .filled(i)
        .save(files.back());
  }
  std::vector<std::string> first;
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    std::shuffle(files.begin(), files.end(), random);
    Context::Settings settings;
    settings.threads = 1 + round % 4;
    Context context(settings);
    Scan found;
    seedwave::io::scan_dicom(files, found, context);
    if (first.empty()) first = summary(found);
    QCOMPARE(summary(found), first);
  }
  QCOMPARE(first.size(), std::size_t{3});
}

void TestDicomSeries::rescales_every_slice_by_its_own_slope() {
  for (int i = 0; i < 4; ++i) {
    DicomFile(2, 2)
        .at(0, 0, i, i)
        .text(DCM_RescaleSlope, i == 2 ? "0.5" : "2")
        .text(DCM_RescaleIntercept, std::to_string(-10 * i))
        .filled(101)
        .save(file(std::to_string(i)));
  }
  const Scan found = scan();
  QCOMPARE(found.items.size(), std::size_t{1});
  const LoadedImage image = load(found.items[0]);
  QCOMPARE(image.volume.type(), VoxelType::F32);
  for (int i = 0; i < 4; ++i) {
    QCOMPARE(image.volume.value_at({1, 1, i}), (i == 2 ? 0.5 : 2.0) * 101 - 10 * i);
  }
}

void TestDicomSeries::chooses_the_type_by_the_rule_data() {
  QTest::addColumn<int>("stored");
  QTest::addColumn<bool>("is_signed");
  QTest::addColumn<QString>("slope");
  QTest::addColumn<QString>("intercept");
  QTest::addColumn<int>("type");
  const auto row = [](const char* name, int stored, bool is_signed, const char* slope,
                      const char* intercept, VoxelType type) {
    QTest::newRow(name) << stored << is_signed << slope << intercept << static_cast<int>(type);
  };
  row("8 bits", 8, false, "1", "0", VoxelType::U8);
  row("8 bits, signed", 8, true, "1", "0", VoxelType::I16);
  row("8 bits, signed, lifted to 0", 8, true, "1", "128", VoxelType::U8);
  row("12 bits", 12, false, "1", "0", VoxelType::U16);
  row("12 bits, CT", 12, false, "1", "-1024", VoxelType::I16);
  row("16 bits", 16, false, "1", "0", VoxelType::U16);
  row("16 bits, signed", 16, true, "1", "0", VoxelType::I16);
  row("16 bits, signed, CT", 16, true, "1", "-1024", VoxelType::I16);
  row("16 bits, CT", 16, false, "1", "-1024", VoxelType::I16);
  row("16 bits, doubled", 16, false, "2", "0", VoxelType::I32);
  row("16 bits, slope -1", 16, false, "-1", "0", VoxelType::I32);
  row("12 bits, slope -1", 12, false, "-1", "0", VoxelType::I16);
  row("slope 1.0000", 12, false, "1.0000", "-1024.0", VoxelType::I16);
  row("slope not an integer", 12, false, "0.1", "0", VoxelType::F32);
  row("intercept not an integer", 8, false, "1", "0.5", VoxelType::F32);
  row("beyond 32 bits", 16, false, "100000", "0", VoxelType::F32);
}

void TestDicomSeries::chooses_the_type_by_the_rule() {
  QFETCH(int, stored);
  QFETCH(bool, is_signed);
  QFETCH(QString, slope);
  QFETCH(QString, intercept);
  QFETCH(int, type);
  DicomFile(2, 2)
      .bits(16, stored, stored - 1, is_signed)
      .text(DCM_RescaleSlope, slope.toStdString())
      .text(DCM_RescaleIntercept, intercept.toStdString())
      .filled(100)
      .save(file("a"));
  const Scan found = scan();
  QCOMPARE(static_cast<int>(found.items.at(0).type), type);
  const LoadedImage image = load(found.items[0]);
  QCOMPARE(static_cast<int>(image.volume.type()), type);
  QCOMPARE(image.volume.value_at({0, 0, 0}), 100 * slope.toDouble() + intercept.toDouble());
}

void TestDicomSeries::widens_when_a_shifted_value_does_not_fit() {
  DicomFile(2, 1)
      .text(DCM_RescaleSlope, "1")
      .text(DCM_RescaleIntercept, "-1024")
      .words({0, 65535})
      .save(file("a"));
  const Scan found = scan();
  QCOMPARE(found.items.at(0).type, VoxelType::I16);
  const LoadedImage image = load(found.items[0]);
  QCOMPARE(image.volume.type(), VoxelType::I32);
  QCOMPARE(values_of(image.volume), (std::vector<double>{-1024, 64511}));
}

void TestDicomSeries::keeps_stored_bits_wherever_they_lie_data() {
  QTest::addColumn<int>("stored");
  QTest::addColumn<int>("high");
  QTest::addColumn<bool>("is_signed");
  QTest::newRow("12 bits at the bottom") << 12 << 11 << false;
  QTest::newRow("12 bits at the bottom, signed") << 12 << 11 << true;
  QTest::newRow("12 bits at the top") << 12 << 15 << false;
  QTest::newRow("10 bits in the middle, signed") << 10 << 12 << true;
  QTest::newRow("1 bit") << 1 << 0 << false;
}

void TestDicomSeries::keeps_stored_bits_wherever_they_lie() {
  QFETCH(int, stored);
  QFETCH(int, high);
  QFETCH(bool, is_signed);
  std::mt19937 random(3);
  std::vector<std::uint16_t> words(64);
  std::vector<double> want;
  for (auto& word : words) {
    word = static_cast<std::uint16_t>(random());  // arbitrary values in all other bits
    const int bits = (word >> (high + 1 - stored)) % (1 << stored);
    want.push_back(is_signed && bits >= 1 << (stored - 1) ? bits - (1 << stored) : bits);
  }
  DicomFile(8, 8).bits(16, stored, high, is_signed).words(words).save(file("a"));
  QCOMPARE(values_of(load(scan().items.at(0)).volume), want);
}

void TestDicomSeries::splits_clashing_places_by_what_differs_data() {
  QTest::addColumn<unsigned>("tag");
  QTest::addColumn<QString>("word");
  const auto row = [](const char* name, const DcmTagKey& tag, const char* word) {
    QTest::newRow(name) << (unsigned{tag.getGroup()} << 16 | tag.getElement()) << QString(word);
  };
  row("echo", DCM_EchoNumbers, "echo");
  row("echo time", DCM_EchoTime, "echo time");
  row("time point", DCM_TemporalPositionIdentifier, "time point");
  row("trigger time", DCM_TriggerTime, "trigger time");
  row("acquisition", DCM_AcquisitionNumber, "acquisition");
  row("acquisition time", DCM_AcquisitionTime, "acquisition time");
  row("image type", DCM_ImageType, "image type");
}

void TestDicomSeries::splits_clashing_places_by_what_differs() {
  QFETCH(unsigned, tag);
  QFETCH(QString, word);
  const DcmTagKey key(static_cast<Uint16>(tag >> 16), static_cast<Uint16>(tag & 0xFFFF));
  for (int i = 0; i < 12; ++i) {
    DicomFile(2, 2)
        .at(0, 0, i / 3, i)
        .text(key, std::to_string(i % 3 + 1))
        .filled(100 * (i % 3) + i / 3)
        .save(file(std::to_string(i)));
  }
  const Scan found = scan();
  QCOMPARE(found.items.size(), std::size_t{3});
  for (std::size_t part = 0; part < 3; ++part) {
    const Item& item = found.items[part];
    QVERIFY(item.usable && item.regular);
    QCOMPARE(item.hints.description, word.toStdString() + " " + std::to_string(part + 1) + " of 3");
    const LoadedImage image = load(item);
    for (int z = 0; z < 4; ++z) {
      QCOMPARE(image.volume.value_at({0, 0, z}), 100.0 * static_cast<double>(part) + z);
    }
  }
}

void TestDicomSeries::splits_clashing_places_by_number_at_last() {
  for (int i = 0; i < 8; ++i) {
    DicomFile(2, 2).at(0, 0, i % 4, i).filled(i).save(file(std::to_string(7 - i)));
  }
  const Scan found = scan();
  QCOMPARE(found.items.size(), std::size_t{2});
  QVERIFY(mentions(found.items[0].warnings, "differ only in their number"));
  QCOMPARE(values_of(load(found.items[1]).volume).front(), 4.0);
}

void TestDicomSeries::does_not_split_where_nothing_clashes() {
  // Every slice has its own time and echo number, as many scanners write it.
  for (int i = 0; i < 5; ++i) {
    DicomFile(2, 2)
        .at(0, 0, i, i)
        .text(DCM_AcquisitionTime, "10000" + std::to_string(i))
        .text(DCM_AcquisitionNumber, std::to_string(i))
        .filled(i)
        .save(file(std::to_string(i)));
  }
  QCOMPARE(scan().items.size(), std::size_t{1});
}

void TestDicomSeries::splits_other_sizes_and_orientations_of_a_series() {
  for (int i = 0; i < 3; ++i)
    DicomFile(4, 4).at(0, 0, i, i).filled(i).save(file("a" + std::to_string(i)));
  DicomFile(4, 4)
      .at(0, 0, 9, 9)
      .text(DCM_ImageOrientationPatient, "0\\1\\0\\0\\0\\-1")
      .filled(7)
      .save(file("l"));
  for (int i = 0; i < 3; ++i)
    DicomFile(8, 4).at(0, 0, i, 20 + i).filled(i).save(file("b" + std::to_string(i)));
  const Scan found = scan();
  QCOMPARE(found.items.size(), std::size_t{3});
  QCOMPARE(found.items[0].files.size(), std::size_t{3});
  QCOMPARE(found.items[0].hints.description, std::string("part 1 of 3"));
  QCOMPARE(found.items[1].files.size(), std::size_t{1});
  QCOMPARE(found.items[2].geometry.size[0], std::int64_t{8});
}

void TestDicomSeries::leaves_out_copies() {
  for (int i = 0; i < 3; ++i) {
    DicomFile slice(2, 2);
    slice.at(0, 0, i, i).filled(i);
    slice.save(file("a" + std::to_string(i)));
    slice.save(file("copy" + std::to_string(i)));
  }
  const Scan found = scan();
  QCOMPARE(found.items.size(), std::size_t{1});
  QCOMPARE(found.items[0].files.size(), std::size_t{3});
  QCOMPARE(found.skipped.size(), std::size_t{3});
  QVERIFY(found.skipped[0].reason.starts_with("the same image as "));
}

void TestDicomSeries::reports_a_gap_and_offers_repairs() {
  for (const int z : {0, 1, 2, 5, 6, 7, 8, 9}) {
    DicomFile(2, 2).at(0, 0, 2.0 * z, z).filled(10 * z).save(file(std::to_string(z)));
  }
  const Scan found = scan();
  QCOMPARE(found.items.size(), std::size_t{3});
  const Item& whole = found.items[0];
  QVERIFY(!whole.usable && !whole.regular);
  QVERIFY(mentions(whole.warnings, "slices 3 and 4 are 6 mm apart (2 slices are missing)"));
  QCOMPARE(whole.positions, (std::vector<double>{0, 2, 4, 10, 12, 14, 16, 18}));
  QVERIFY_EXCEPTION_THROWN((void)load(whole), seedwave::InputError);

  QVERIFY(found.items[1].hints.description.ends_with("longest even block (5 of 8 slices)"));
  QCOMPARE(values_of(load(found.items[1]).volume).front(), 50.0);
  QCOMPARE(found.items[1].geometry.origin[2], 10.0);
  const LoadedImage even = load(found.items[2]);
  QCOMPARE(even.volume.geometry().size[2], std::int64_t{10});
  for (int z = 0; z < 10; ++z)
    QCOMPARE(even.volume.value_at({1, 0, z}), 10.0 * z);
  QVERIFY(mentions(even.warnings, "repaired"));
}

void TestDicomSeries::accepts_small_unevenness_with_a_warning() {
  for (int i = 0; i < 6; ++i) {
    DicomFile(2, 2).at(0, 0, i + (i == 3 ? 0.05 : 0.0), i).filled(i).save(file(std::to_string(i)));
  }
  const Scan found = scan();
  QCOMPARE(found.items.size(), std::size_t{1});
  QVERIFY(found.items[0].usable && found.items[0].regular);
  QVERIFY(mentions(found.items[0].warnings, "0.05 mm from even spacing"));
}

void TestDicomSeries::resampling_puts_every_value_in_its_place_data() {
  QTest::addColumn<double>("tilt");  // degrees
  QTest::addColumn<bool>("uneven");
  QTest::newRow("gantry tilt 12 degrees") << 12.0 << false;
  QTest::newRow("gantry tilt -20 degrees") << -20.0 << false;
  QTest::newRow("uneven") << 0.0 << true;
  QTest::newRow("gantry tilt 15 degrees and uneven") << 15.0 << true;
}

void TestDicomSeries::resampling_puts_every_value_in_its_place() {
  QFETCH(double, tilt);
  QFETCH(bool, uneven);
  // The couch moves along z and the slices are tilted about x; a value identifies where it was
  // measured.
  const double angle = tilt * M_PI / 180;
  const Vec3 row{1, 0, 0};
  const Vec3 column{0, std::cos(angle), -std::sin(angle)};
  double z = -30;
  for (int i = 0; i < 14; ++i, z += uneven && i % 5 == 4 ? 7 : 3) {
    std::vector<std::uint16_t> words;
    for (int y = 0; y < 40; ++y) {
      for (int x = 0; x < 24; ++x) {
        Vec3 world{-12, -20, z};
        for (int k = 0; k < 3; ++k)
          world[k] += 1.5 * x * row[k] + 1.25 * y * column[k];
        words.push_back(static_cast<std::uint16_t>(ramp(world)));
      }
    }
    DicomFile(24, 40)
        .at(-12, -20, z, i)
        .text(DCM_PixelSpacing, "1.25\\1.5")
        .text(DCM_ImageOrientationPatient,
              "1\\0\\0\\0\\" + std::to_string(column[1]) + "\\" + std::to_string(column[2]))
        .words(words)
        .save(file(std::to_string(i)));
  }
  const Scan found = scan();
  const Item& item = found.items.back();
  QVERIFY(!found.items.front().usable);
  QVERIFY(item.usable && item.regular);
  const LoadedImage image = load(item);
  const seedwave::Geometry& grid = image.volume.geometry();
  std::int64_t covered = 0;
  const double outside = value_range(image.volume).low;
  for (std::int64_t i = 0; i < grid.voxel_count(); ++i) {
    const seedwave::Index3 index = grid.index_of(i);
    const double value = image.volume.value_at(index);
    if (value == outside) continue;
    // The last half pixel at a slice's edge is extrapolated, so it is excluded from the comparison.
    const bool inner = [&] {
      for (int axis = 0; axis < 2; ++axis) {
        for (const int step : {-2, 2}) {
          seedwave::Index3 next = index;
          next[axis] += step;
          if (!grid.contains(next) || image.volume.value_at(next) == outside) return false;
        }
      }
      return true;
    }();
    if (!inner) continue;
    ++covered;
    // The ramp is linear, so interpolation reproduces it except for two roundings.
    const double want = ramp(grid.to_world(index));
    QVERIFY2(std::abs(value - want) <= 2.0,
             (std::to_string(value) + " " + std::to_string(want)).c_str());
  }
  QVERIFY(covered > 24 * 40 * 14 / 2);
}

void TestDicomSeries::opens_pictures_without_a_place() {
  DicomFile(3, 2)
      .without(DCM_ImagePositionPatient)
      .without(DCM_ImageOrientationPatient)
      .text(DCM_Modality, "DX")
      .text(DCM_PixelSpacing, "0.2\\0.1")
      .filled(5)
      .save(file("a"));
  DicomFile(3, 2)
      .without(DCM_ImagePositionPatient)
      .without(DCM_ImageOrientationPatient)
      .without(DCM_PixelSpacing)
      .text(DCM_SeriesInstanceUID, "1.9")
      .filled(5)
      .save(file("b"));
  DicomFile film(3, 2);
  film.without(DCM_ImagePositionPatient)
      .text(DCM_SeriesInstanceUID, "2.9")
      .text(DCM_NumberOfFrames, "4");
  film.words(std::vector<std::uint16_t>(24, 9)).save(file("c"));
  const Scan found = scan();
  QCOMPARE(found.items.size(), std::size_t{3});
  for (const Item& item : found.items)
    QCOMPARE(item.kind, ItemKind::Image);
  QCOMPARE(found.items[0].geometry.spacing[0], 0.1);
  QCOMPARE(found.items[0].geometry.spacing[1], 0.2);
  QCOMPARE(found.items[1].geometry.unit, LengthUnit::Pixel);
  QVERIFY(mentions(found.items[1].warnings, "no pixel spacing"));
  QVERIFY(mentions(found.items[2].warnings, "the first of 4 images"));
  QCOMPARE(values_of(load(found.items[2]).volume), std::vector<double>(6, 9.0));
}

void TestDicomSeries::assumes_and_says_so_where_geometry_is_unusable_data() {
  QTest::addColumn<unsigned>("tag");
  QTest::addColumn<QString>("value");
  QTest::addColumn<QString>("warning");
  const auto row = [](const char* name, const DcmTagKey& tag, const char* value,
                      const char* warning) {
    QTest::newRow(name) << (unsigned{tag.getGroup()} << 16 | tag.getElement()) << QString(value)
                        << QString(warning);
  };
  row("spacing 0", DCM_PixelSpacing, "0\\0", "pixel spacing '0\\0' is not usable");
  row("spacing nan", DCM_PixelSpacing, "nan\\nan", "pixel spacing 'nan\\nan' is not usable");
  row("spacing huge", DCM_PixelSpacing, "1e300\\1", "not usable");
  row("spacing of one number", DCM_PixelSpacing, "1", "not usable");
  row("position of two numbers", DCM_ImagePositionPatient, "1\\2", "the position '1\\2'");
  row("orientation not perpendicular", DCM_ImageOrientationPatient, "1\\0\\0\\1\\0\\0",
      "the orientation");
  row("slope 0", DCM_RescaleSlope, "0", "RescaleSlope '0' is not usable: 1 is assumed");
  row("slope text", DCM_RescaleSlope, "x", "RescaleSlope 'x' is not usable");
}

void TestDicomSeries::assumes_and_says_so_where_geometry_is_unusable() {
  QFETCH(unsigned, tag);
  QFETCH(QString, value);
  QFETCH(QString, warning);
  DicomFile(2, 2)
      .text(DcmTagKey(static_cast<Uint16>(tag >> 16), static_cast<Uint16>(tag & 0xFFFF)),
            value.toStdString())
      .filled(3)
      .save(file("a"));
  const Scan found = scan();
  QCOMPARE(found.items.size(), std::size_t{1});
  QVERIFY(mentions(found.items[0].warnings, warning.toStdString()));
  QCOMPARE(values_of(load(found.items[0]).volume), std::vector<double>(4, 3.0));
  found.items[0].geometry.validate("a");
}

void TestDicomSeries::names_windows_unit_patient() {
  DicomFile(2, 2)
      .text(DCM_Modality, "CT")
      .text(DCM_WindowCenter, "40\\-600")
      .text(DCM_WindowWidth, "400\\1500")
      .text(DCM_WindowCenterWidthExplanation, "ABDOMEN\\LUNG")
      .text(DCM_RescaleIntercept, "-1024")
      .text(DCM_RescaleSlope, "1")
      .text(DCM_SeriesDescription, "Chest")
      .text(DCM_PatientName, "Test^Anna^Maria")
      .filled(3)
      .save(file("a"));
  const auto hints = scan().items.at(0).hints;
  QCOMPARE(hints.windows.size(), std::size_t{2});
  QCOMPARE(hints.windows[1].name, std::string("LUNG"));
  QCOMPARE(hints.windows[1].centre, -600.0);
  QCOMPARE(hints.windows[1].width, 1500.0);
  QCOMPARE(hints.unit, std::string("HU"));
  QCOMPARE(hints.description, std::string("Chest"));
  QCOMPARE(hints.patient, std::string("Test, Anna Maria"));
}

void TestDicomSeries::reads_character_sets_data() {
  QTest::addColumn<QByteArray>("set");
  QTest::addColumn<QByteArray>("stored");
  QTest::addColumn<QString>("name");
  QTest::newRow("Latin-1") << QByteArray("ISO_IR 100") << QByteArray("M\xfcller^J\xf6rg")
                           << "Müller, Jörg";
  QTest::newRow("UTF-8") << QByteArray("ISO_IR 192") << QByteArray("M\xc3\xbcller") << "Müller";
  QTest::newRow("Greek") << QByteArray("ISO_IR 126") << QByteArray("\xc4\xe9\xef") << "Διο";
  QTest::newRow("Japanese") << QByteArray("\\ISO 2022 IR 87")
                            << QByteArray("Yamada^Tarou=\x1b$B;3ED\x1b(B^\x1b$BB@O:\x1b(B")
                            << "Yamada, Tarou";
  QTest::newRow("not said: Latin-1") << QByteArray("") << QByteArray("M\xfcller") << "Müller";
}

void TestDicomSeries::reads_character_sets() {
  QFETCH(QByteArray, set);
  QFETCH(QByteArray, stored);
  QFETCH(QString, name);
  DicomFile(2, 2)
      .text(DCM_SpecificCharacterSet, set.toStdString())
      .text(DCM_PatientName, stored.toStdString())
      .filled(3)
      .save(file("a"));
  QCOMPARE(QString::fromStdString(scan().items.at(0).hints.patient), name);
}

void TestDicomSeries::reads_a_data_set_without_preamble() {
  DicomFile(2, 2).filled(77).save(file("no mark"), EWM_dataset);
  const Scan found = scan();
  QCOMPARE(found.items.size(), std::size_t{1});
  QCOMPARE(values_of(load(found.items[0]).volume), std::vector<double>(4, 77.0));
}

void TestDicomSeries::stops_when_asked() {
  for (int i = 0; i < 40; ++i)
    DicomFile(64, 64).at(0, 0, i, i).filled(i).save(file(std::to_string(i)));
  const Scan found = scan();
  std::stop_source stop;
  Context::Settings settings;
  settings.stop = stop.get_token();
  std::atomic<int> calls{0};
  settings.progress = [&](const std::string&, double) {
    if (++calls == 5) stop.request_stop();
  };
  Context context(settings);
  QVERIFY_EXCEPTION_THROWN((void)seedwave::io::load(found.items.at(0), context),
                           seedwave::Cancelled);
  QVERIFY(calls < 40);
  QVERIFY_EXCEPTION_THROWN((void)seedwave::io::scan(folder_, context), seedwave::Cancelled);
}

void TestDicomSeries::refuses_files_that_changed_since_the_scan() {
  for (int i = 0; i < 3; ++i)
    DicomFile(4, 4).at(0, 0, i, i).filled(i).save(file(std::to_string(i)));
  const Scan found = scan();
  DicomFile(8, 8).at(0, 0, 1, 1).filled(1).save(file("1"));
  QVERIFY_EXCEPTION_THROWN((void)load(found.items.at(0)), seedwave::InputError);
  fs::remove(file("1"));
  QVERIFY_EXCEPTION_THROWN((void)load(found.items.at(0)), seedwave::InputError);
}

QTEST_GUILESS_MAIN(TestDicomSeries)
#include "test_dicom_series.moc"
