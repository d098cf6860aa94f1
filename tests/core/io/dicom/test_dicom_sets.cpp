// SPDX-License-Identifier: Apache-2.0
#include "core/io/dicom/dicom_source.h"
#include "tests/support/test_data.h"

#include <QCryptographicHash>
#include <QElapsedTimer>
#include <QTest>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

namespace {

using nlohmann::json;
using seedwave::Context;
using seedwave::Volume;
using seedwave::io::Item;
using seedwave::io::ItemKind;
using seedwave::io::Scan;

namespace fs = std::filesystem;

/// Sets of DICOM files that this reader opens.
constexpr const char* kSets[] = {"A1_dicom_t1",
                                 "A2_ct_gantry_tilt",
                                 "A3_transfer_syntaxes",
                                 "A4_enhanced_mr",
                                 "A5_mr_sagittal_oblique_8bit",
                                 "A6_monochrome1",
                                 "A7_mr_time_series",
                                 "A8_missing_slice",
                                 "A9_mixed_folder",
                                 "A10_12bit_unused_bits",
                                 "R3_ct_dicom"};

/// Returns whether an object is listed with a reason instead of being opened.
bool is_refused(const json& entry) {
  const std::string modality = entry.value("modality", "");
  return entry["kind"] != "dicom" || modality == "SEG" || modality == "SM";
}

const json& expected() {
  static const json kExpected = [] {
    std::ifstream file(seedwave::test::test_data("expected_geometry.json"));
    return json::parse(file).at("sets");
  }();
  return kExpected;
}

/// One image that a set must contain: an entry, or one stack of an enhanced entry.
struct Expected {
  json entry;
  std::string kind;  // of an enhanced file's frames
};

QString text(const std::string& s) {
  return QString::fromStdString(s);
}

/// Returns the voxels of an item; slice by slice if the item is not usable.
std::vector<double> values_of(const Item& item, Context& context) {
  std::vector<double> values;
  const auto append = [&](const Volume& volume) {
    visit_voxels(volume,
                 [&](auto voxels) { values.insert(values.end(), voxels.begin(), voxels.end()); });
  };
  if (item.usable) {
    append(seedwave::io::load(item, context).volume);
  } else {
    for (std::int64_t z = 0; z < item.geometry.size[2]; ++z) {
      append(seedwave::io::load_dicom_slice(item, z, context).volume);
    }
  }
  return values;
}

/// Returns the SHA-256 of the stored values as 32-bit numbers, recovered from the rescaled ones.
std::string stored_digest(const std::vector<double>& values, const json& entry) {
  const double slope = entry.contains("rescale") ? entry["rescale"][0].get<double>() : 1.0;
  const double intercept = entry.contains("rescale") ? entry["rescale"][1].get<double>() : 0.0;
  QByteArray bytes;
  for (const double value : values) {
    const auto stored = static_cast<std::int32_t>(std::lround((value - intercept) / slope));
    for (int shift = 0; shift < 32; shift += 8)
      bytes.append(static_cast<char>(stored >> shift & 0xFF));
  }
  return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex().toStdString();
}

bool close(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance;
}

std::string geometry_difference(const Item& item, const json& entry) {
  const auto& g = item.geometry;
  for (int i = 0; i < 3; ++i) {
    if (g.size[i] != entry["dims"][i]) return "size";
    if (!close(g.spacing[i], entry["spacing"][i], 2e-6)) return "spacing " + describe(g);
    if (!close(g.origin[i], entry["origin"][i], 2e-6)) return "origin";
  }
  for (int i = 0; i < 9; ++i) {
    if (!close(g.direction[i], entry["direction"][i], 2e-6)) return "direction";
  }
  return {};
}

/// Describes the findings of a scan, for messages.
std::string list_of(const Scan& scan) {
  std::string text;
  for (const Item& item : scan.items) {
    text +=
        "\n  " + item.hints.description + ": " + describe(item.geometry) + " [" + item.part + "]";
    for (const std::string& warning : item.warnings)
      text += "\n    " + warning;
  }
  for (const auto& skipped : scan.skipped) {
    text += "\n  " + skipped.file.string() + ": " + skipped.reason;
  }
  return text;
}

}  // namespace

class TestDicomSets : public QObject {
  Q_OBJECT

 private slots:
  void opens_with_the_right_geometry_and_values_data();
  void opens_with_the_right_geometry_and_values();
  void lists_what_it_does_not_open();
  void all_encodings_give_the_same_values_data();
  void all_encodings_give_the_same_values();
  void repairs_are_offered_beside_what_is_uneven();
  void shows_a_thumbnail_even_of_what_cannot_be_opened();
  void answers_within_the_time_goals();
};

void TestDicomSets::opens_with_the_right_geometry_and_values_data() {
  SEEDWAVE_NEED_DATA(seedwave::test::test_data("expected_geometry.json"));
  QTest::addColumn<QString>("entry");
  QTest::addColumn<QString>("kind");
  for (const char* set : kSets) {
    for (const json& entry : expected().at(set)) {
      if (is_refused(entry)) continue;
      const std::string path = entry["path"];
      const std::string name = path + " " + entry.value("modality", "");
      if (!entry.contains("stacks")) {
        QTest::newRow(name.c_str()) << text(entry.dump()) << QString();
        continue;
      }
      for (const json& stack : entry["stacks"]) {
        json whole = entry;
        whole.erase("stacks");
        whole.update(stack);
        const std::string kind = stack["frame_kind"];
        QTest::newRow((name + " " + kind).c_str()) << text(whole.dump()) << text(kind);
      }
    }
  }
}

void TestDicomSets::opens_with_the_right_geometry_and_values() {
  QFETCH(QString, entry);
  QFETCH(QString, kind);
  const json want = json::parse(entry.toStdString());
  const fs::path path = seedwave::test::test_data(want["path"].get<std::string>());
  SEEDWAVE_NEED_DATA(path);
  Context context;
  const Scan scan = seedwave::io::scan(path, context);

  std::vector<const Item*> matches;
  for (const Item& item : scan.items) {
    const bool stack = kind.isEmpty() || scan.items.size() == 1 ||
                       item.hints.description.ends_with(kind.toStdString());
    if (item.series == want["series_uid"] && item.hints.modality == want["modality"] && stack) {
      matches.push_back(&item);
    }
  }
  const auto times = want.value("time_points", std::size_t{1});
  const bool irregular = want.contains("regular") && !want["regular"].get<bool>();
  QVERIFY2(irregular ? matches.size() >= times : matches.size() == times, list_of(scan).c_str());
  const Item& item = *matches.front();
  if (!want.contains("stacks") && kind.isEmpty()) {
    QCOMPARE(item.files.size() * times, want["files"].get<std::size_t>());
  }

  if (want.contains("spacing")) {
    QCOMPARE(item.kind, ItemKind::Volume);
    const std::string difference = geometry_difference(item, want);
    QVERIFY2(difference.empty(), difference.c_str());
    QCOMPARE(item.regular, !irregular);
    QCOMPARE(item.usable, !irregular);
  } else {
    QCOMPARE(item.kind, ItemKind::Image);
    QCOMPARE(item.geometry.size[0], want["dims"][0].get<std::int64_t>());
    QCOMPARE(item.geometry.size[1], want["dims"][1].get<std::int64_t>());
    QVERIFY(close(item.geometry.spacing[1], want["pixel_spacing_row_col"][0], 1e-6));
    QVERIFY(close(item.geometry.spacing[0], want["pixel_spacing_row_col"][1], 1e-6));
  }
  if (irregular) {
    const json& positions = want["slice_positions_along_normal"];
    QCOMPARE(item.positions.size(), positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) {
      QVERIFY(close(item.positions[i], positions[i], 5e-6));
    }
    QVERIFY(!item.warnings.empty());
  }
  QCOMPARE(item.hints.inverted, want["photometric"] == "MONOCHROME1");

  const std::vector<double> values = values_of(item, context);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  // The expected numbers are rounded to six digits; f32 has seven.
  QVERIFY(close(*low, want["value_range"][0], 1e-3));
  QVERIFY(close(*high, want["value_range"][1], 1e-3));
  for (const json& probe : want.value("probes", json::array())) {
    const seedwave::Index3 index = {probe["index"][0], probe["index"][1], probe["index"][2]};
    QVERIFY(
        close(values[static_cast<std::size_t>(item.geometry.offset(index))], probe["value"], 1e-3));
    const seedwave::Vec3 world = item.geometry.to_world(index);
    // Computed from numbers rounded to six digits, over up to 512 voxels.
    for (int i = 0; i < 3; ++i)
      QVERIFY(close(world[i], probe["lps"][i], 5e-4));
  }
  if (want.contains("stored_values_sha256")) {
    QCOMPARE(stored_digest(values, want), want["stored_values_sha256"].get<std::string>());
  }
}

void TestDicomSets::lists_what_it_does_not_open() {
  const fs::path path = seedwave::test::test_data("A9_mixed_folder");
  SEEDWAVE_NEED_DATA(path);
  Context context;
  const Scan scan = seedwave::io::scan(path, context);
  QCOMPARE(scan.items.size(), std::size_t{5});  // CT, MR, mosaic, radiograph, slide
  std::map<std::string, std::string> reasons;
  for (const auto& skipped : scan.skipped)
    reasons[skipped.file.filename().string()] = skipped.reason;
  QVERIFY(reasons["seg.dcm"].find("segmentation") != std::string::npos);
  QVERIFY(reasons["report.dcm"].find("report") != std::string::npos);
  QVERIFY(!reasons.contains("tiles_rgb.dcm"));
  QVERIFY(!reasons["empty.dcm"].empty());
  QVERIFY(!reasons["notes.txt"].empty());
  const auto mosaic = std::find_if(scan.items.begin(), scan.items.end(), [](const Item& item) {
    return item.files.front().filename() == "mosaic.dcm";
  });
  QVERIFY(mosaic != scan.items.end());
  QVERIFY(mosaic->usable);
  QVERIFY(mosaic->warnings.front().find("mosaic") != std::string::npos);
}

void TestDicomSets::all_encodings_give_the_same_values_data() {
  QTest::addColumn<QString>("prefix");
  QTest::addColumn<int>("files");
  QTest::newRow("CT: explicit, big endian, implicit, deflated, RLE, JPEG 14, SV1, JPEG-LS")
      << "ct_" << 8;
  QTest::newRow("MR: RLE, JPEG SV1, JPEG-LS, JPEG 2000") << "mr_" << 4;
}

void TestDicomSets::all_encodings_give_the_same_values() {
  QFETCH(QString, prefix);
  QFETCH(int, files);
  const fs::path folder = seedwave::test::test_data("A3_transfer_syntaxes");
  SEEDWAVE_NEED_DATA(folder);
  std::vector<double> first;
  int read = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.path().filename().string().starts_with(prefix.toStdString())) continue;
    Context context;
    const Scan scan = seedwave::io::scan(entry.path(), context);
    QCOMPARE(scan.items.size(), std::size_t{1});
    const std::vector<double> values = values_of(scan.items.front(), context);
    if (first.empty()) first = values;
    QVERIFY2(values == first, entry.path().c_str());
    ++read;
  }
  QCOMPARE(read, files);
}

void TestDicomSets::repairs_are_offered_beside_what_is_uneven() {
  const fs::path path = seedwave::test::test_data("A8_missing_slice");
  SEEDWAVE_NEED_DATA(path);
  Context context;
  const Scan scan = seedwave::io::scan(path, context);
  QCOMPARE(scan.items.size(), std::size_t{3});
  QVERIFY(!scan.items[0].usable);
  QVERIFY(scan.items[0].warnings.back().find("1 slice is missing") != std::string::npos);

  const Item& block = scan.items[1];
  QVERIFY(block.hints.description.ends_with("longest even block (7 of 14 slices)"));
  QCOMPARE(block.geometry.size[2], std::int64_t{7});
  const Item& even = scan.items[2];
  QVERIFY(even.hints.description.ends_with("resampled to even slices (15 slices from 14)"));
  QCOMPARE(even.geometry.size[2], std::int64_t{15});

  // Existing slices are kept; the missing one is the mean of its neighbours.
  const std::vector<double> stored = values_of(scan.items[0], context);
  const std::vector<double> resampled = values_of(even, context);
  const std::size_t plane = 64 * 64;
  for (std::size_t z = 0; z < 15; ++z) {
    const std::size_t source = z < 7 ? z : z - 1;
    for (std::size_t i = 0; i < plane; ++i) {
      const double want =
          z == 7 ? (stored[6 * plane + i] + stored[7 * plane + i]) / 2 : stored[source * plane + i];
      // Positions in the files are rounded to five digits: a few thousandths of a step.
      QVERIFY(close(resampled[z * plane + i], want, 1.0 + 2e-5 * std::abs(want)));
    }
  }
}

void TestDicomSets::shows_a_thumbnail_even_of_what_cannot_be_opened() {
  const fs::path path = seedwave::test::test_data("A2_ct_gantry_tilt");
  SEEDWAVE_NEED_DATA(path);
  Context context;
  const Scan scan = seedwave::io::scan(path, context);
  for (const Item& item : scan.items) {
    const Volume picture = seedwave::io::thumbnail(item, 64, context);
    QVERIFY(picture.geometry().size[0] <= 64 && picture.geometry().size[1] <= 64);
    const auto range = value_range(picture);
    QVERIFY(range.high - range.low > 100);
  }
}

void TestDicomSets::answers_within_the_time_goals() {
  const fs::path path = seedwave::test::test_data("A1_dicom_t1");
  SEEDWAVE_NEED_DATA(path);
  Context context;
  QElapsedTimer timer;
  timer.start();
  const Scan scan = seedwave::io::scan(path, context);
  const auto scanned = timer.elapsed();
  const auto slice = seedwave::io::load_dicom_slice(scan.items.front(), 129, context);
  const auto first = timer.elapsed();
  const auto loaded = seedwave::io::load(scan.items.front(), context);
  // For information only, not a timed test.
  qInfo(
      "258 JPEG-LS slices: scanned after %lld ms, first slice after %lld ms, loaded after %lld ms, "
      "%d threads",
      scanned, first, timer.elapsed(), context.threads());
  QVERIFY(!slice.volume.empty());
  QCOMPARE(loaded.volume.geometry().size[2], std::int64_t{258});
}

QTEST_GUILESS_MAIN(TestDicomSets)
#include "test_dicom_sets.moc"
