// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/io/dicom/dicom_source.h"
#include "tests/support/dicom_file.h"

#include <QTemporaryDir>
#include <QTest>
#include <dcmtk/dcmdata/dcrleerg.h>
#include <dcmtk/dcmdata/dcrlerp.h>
#include <dcmtk/dcmdata/dcvrfd.h>
#include <dcmtk/dcmimage/diregist.h>  // the encoder needs it for colours
#include <dcmtk/dcmjpeg/djencode.h>
#include <dcmtk/dcmjpeg/djrplol.h>
#include <dcmtk/dcmjpeg/djrploss.h>
#include <dcmtk/dcmjpls/djencode.h>
#include <dcmtk/dcmjpls/djrparam.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <memory>

namespace {

using seedwave::Context;
using seedwave::Volume;
using seedwave::VoxelType;
using seedwave::io::Item;
using seedwave::io::Scan;
using seedwave::test::DicomFile;
using seedwave::test::require;

namespace fs = std::filesystem;

constexpr int kColumns = 38;
constexpr int kRows = 27;

std::vector<double> values_of(const Volume& volume) {
  std::vector<double> values;
  visit_voxels(volume, [&](auto voxels) { values.assign(voxels.begin(), voxels.end()); });
  return values;
}

double wave(int x, int y, int channel) {
  return std::sin(0.11 * x + channel) + std::cos(0.13 * y - channel);
}

/// A smooth image, so that lossy codecs stay close, from 0 to exactly `most`: DCMTK's lossy encoder
/// stretches its input to the full range.
int smooth(int x, int y, int channel, int most) {
  double low = 2;
  double high = -2;
  for (int v = 0; v < kRows; ++v) {
    for (int u = 0; u < kColumns; ++u) {
      low = std::min(low, wave(u, v, channel));
      high = std::max(high, wave(u, v, channel));
    }
  }
  return static_cast<int>(std::lround((wave(x, y, channel) - low) / (high - low) * most));
}

std::vector<std::uint16_t> smooth_words(int most, int lowest = 0) {
  std::vector<std::uint16_t> words;
  for (int y = 0; y < kRows; ++y) {
    for (int x = 0; x < kColumns; ++x) {
      words.push_back(static_cast<std::uint16_t>(lowest + smooth(x, y, 0, most - lowest)));
    }
  }
  return words;
}

std::vector<std::uint8_t> smooth_rgb() {
  std::vector<std::uint8_t> bytes;
  for (int y = 0; y < kRows; ++y) {
    for (int x = 0; x < kColumns; ++x) {
      for (int c = 0; c < 3; ++c)
        bytes.push_back(static_cast<std::uint8_t>(smooth(x, y, c, 255)));
    }
  }
  return bytes;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return 1e9;
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

/// Adds an item to a sequence and returns it.
DcmItem& nested(DcmItem& parent, const DcmTagKey& sequence, int index = 0) {
  DcmItem* item = nullptr;
  require(parent.findOrCreateSequenceItem(sequence, item, index));
  return *item;
}
void put(DcmItem& item, const DcmTagKey& tag, const std::string& value) {
  require(item.putAndInsertString(tag, value.c_str()));
}

}  // namespace

class TestDicomPixels : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void cleanupTestCase();
  void init();

  void reads_grey_encodings_data();
  void reads_grey_encodings();
  void reads_colour_data();
  void reads_colour();
  void reads_palettes_data();
  void reads_palettes();
  void refuses_a_palette_that_begins_nowhere();
  void refuses_what_cannot_be_coloured();
  void refuses_422_that_is_not_subsampled();
  void converts_compressed_422_to_rgb();
  void refuses_a_rescale_that_leaves_no_values_data();
  void refuses_a_rescale_that_leaves_no_values();
  void tells_what_a_rescale_makes_of_integers_data();
  void tells_what_a_rescale_makes_of_integers();
  void warns_of_attributes_that_are_missing();

  void splits_an_enhanced_file_into_its_stacks_data();
  void splits_an_enhanced_file_into_its_stacks();
  void refuses_groups_that_describe_too_few_frames();
  void refuses_streams_that_are_not_what_the_header_says();
  void a_damaged_slice_is_refused_unless_it_may_be_read();

 private:
  [[nodiscard]] fs::path file(const std::string& name) const { return folder_ / name; }
  [[nodiscard]] Scan scan() const {
    Context context;
    return seedwave::io::scan(folder_, context);
  }
  [[nodiscard]] Volume load_only() const {
    Context context;
    return seedwave::io::load_path(folder_, "", context).volume;
  }

  std::unique_ptr<QTemporaryDir> temporary_;
  fs::path folder_;
};

void TestDicomPixels::initTestCase() {
  DJEncoderRegistration::registerCodecs();
  // Raw: CharLS otherwise fails on signed values.
  DJLSEncoderRegistration::registerCodecs(0, 0, 0, 0, OFFalse);
  DcmRLEEncoderRegistration::registerCodecs();
}

void TestDicomPixels::cleanupTestCase() {
  DJEncoderRegistration::cleanup();
  DJLSEncoderRegistration::cleanup();
  DcmRLEEncoderRegistration::cleanup();
}

void TestDicomPixels::init() {
  temporary_ = std::make_unique<QTemporaryDir>();
  folder_ = temporary_->path().toStdString();
}

void TestDicomPixels::reads_grey_encodings_data() {
  QTest::addColumn<int>("syntax");
  QTest::addColumn<int>("bits");
  QTest::addColumn<bool>("is_signed");
  QTest::addColumn<double>("tolerance");
  const auto row = [](const char* name, E_TransferSyntax syntax, int bits, bool is_signed,
                      double tolerance) {
    QTest::newRow(name) << static_cast<int>(syntax) << bits << is_signed << tolerance;
  };
  row("JPEG baseline, 8 bits", EXS_JPEGProcess1, 8, false, 4);
  row("JPEG extended, 8 bits", EXS_JPEGProcess2_4, 8, false, 4);
  row("JPEG extended, 12 bits", EXS_JPEGProcess2_4, 12, false, 40);
  row("JPEG lossless 14, 16 bits", EXS_JPEGProcess14, 16, false, 0);
  row("JPEG lossless SV1, 16 bits, signed", EXS_JPEGProcess14SV1, 16, true, 0);
  row("JPEG lossless SV1, 12 bits, signed", EXS_JPEGProcess14SV1, 12, true, 0);
  row("JPEG lossless SV1, 8 bits", EXS_JPEGProcess14SV1, 8, false, 0);
  row("JPEG-LS, 8 bits", EXS_JPEGLSLossless, 8, false, 0);
  row("JPEG-LS, 12 bits, signed", EXS_JPEGLSLossless, 12, true, 0);
  row("JPEG-LS, 16 bits", EXS_JPEGLSLossless, 16, false, 0);
  row("JPEG-LS near lossless, 12 bits", EXS_JPEGLSLossy, 12, false, 2);
  row("RLE, 8 bits", EXS_RLELossless, 8, false, 0);
  row("RLE, 16 bits, signed", EXS_RLELossless, 16, true, 0);
  row("deflated", EXS_DeflatedLittleEndianExplicit, 12, false, 0);
  row("big endian, signed", EXS_BigEndianExplicit, 16, true, 0);
  row("implicit", EXS_LittleEndianImplicit, 16, true, 0);
}

void TestDicomPixels::reads_grey_encodings() {
  QFETCH(int, syntax);
  QFETCH(int, bits);
  QFETCH(bool, is_signed);
  QFETCH(double, tolerance);
  const int most = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
  const std::vector<std::uint16_t> words = smooth_words(most, is_signed ? -most : 0);
  DicomFile picture(kColumns, kRows);
  std::vector<double> want;
  if (bits == 8) {
    picture.bits(8, 8, 7, false).bytes({words.begin(), words.end()});
    want.assign(words.begin(), words.end());
  } else {
    std::vector<std::uint16_t> stored = words;
    for (auto& word : stored)
      word = static_cast<std::uint16_t>(word & ((1 << bits) - 1));
    picture.bits(16, bits, bits - 1, is_signed).words(stored);
    for (const std::uint16_t word : words)
      want.push_back(is_signed ? static_cast<std::int16_t>(word) : word);
  }
  const auto target = static_cast<E_TransferSyntax>(syntax);
  const DJ_RPLossy lossy(95);
  const DJLSRepresentationParameter near(2, OFFalse);
  const DcmRepresentationParameter* how = nullptr;
  if (target == EXS_JPEGProcess1 || target == EXS_JPEGProcess2_4) how = &lossy;
  if (target == EXS_JPEGLSLossy) how = &near;
  picture.encode(target, how).save(file("a"));
  const double difference = largest_difference(values_of(load_only()), want);
  QVERIFY2(difference <= tolerance, std::to_string(difference).c_str());
}

void TestDicomPixels::reads_colour_data() {
  QTest::addColumn<QString>("photometric");
  QTest::addColumn<int>("planar");
  QTest::addColumn<int>("syntax");
  QTest::addColumn<double>("tolerance");
  const auto row = [](const char* name, const char* photometric, int planar,
                      E_TransferSyntax syntax, double tolerance) {
    QTest::newRow(name) << QString(photometric) << planar << static_cast<int>(syntax) << tolerance;
  };
  row("RGB", "RGB", 0, EXS_LittleEndianExplicit, 0);
  row("RGB in planes", "RGB", 1, EXS_LittleEndianExplicit, 0);
  row("RGB, RLE", "RGB", 0, EXS_RLELossless, 0);
  row("RGB in planes, RLE", "RGB", 1, EXS_RLELossless, 0);
  row("RGB, JPEG lossless", "RGB", 0, EXS_JPEGProcess14SV1, 0);
  row("RGB, JPEG-LS", "RGB", 0, EXS_JPEGLSLossless, 0);
  row("RGB, JPEG baseline", "RGB", 0, EXS_JPEGProcess1, 12);
  row("YBR_FULL", "YBR_FULL", 0, EXS_LittleEndianExplicit, 2);
  row("YBR_FULL in planes", "YBR_FULL", 1, EXS_LittleEndianExplicit, 2);
  row("YBR_FULL, RLE", "YBR_FULL", 0, EXS_RLELossless, 2);
  row("YBR_FULL_422", "YBR_FULL_422", 0, EXS_LittleEndianExplicit, 12);
}

void TestDicomPixels::reads_colour() {
  QFETCH(QString, photometric);
  QFETCH(int, planar);
  QFETCH(int, syntax);
  QFETCH(double, tolerance);
  const std::vector<std::uint8_t> rgb = smooth_rgb();
  std::vector<std::uint8_t> stored = rgb;
  if (photometric != "RGB") {
    for (std::size_t i = 0; i < rgb.size(); i += 3) {
      const double r = rgb[i];
      const double g = rgb[i + 1];
      const double b = rgb[i + 2];
      const auto byte = [](double value) {
        return static_cast<std::uint8_t>(std::clamp(std::lround(value), 0L, 255L));
      };
      stored[i] = byte(0.299 * r + 0.587 * g + 0.114 * b);
      stored[i + 1] = byte(-0.168736 * r - 0.331264 * g + 0.5 * b + 128);
      stored[i + 2] = byte(0.5 * r - 0.418688 * g - 0.081312 * b + 128);
    }
  }
  if (photometric == "YBR_FULL_422") {
    std::vector<std::uint8_t> pairs;
    for (std::size_t i = 0; i < stored.size(); i += 6) {
      pairs.insert(pairs.end(), {stored[i], stored[i + 3], stored[i + 1], stored[i + 2]});
    }
    stored = pairs;
  } else if (planar == 1) {
    std::vector<std::uint8_t> planes;
    for (std::size_t c = 0; c < 3; ++c) {
      for (std::size_t i = c; i < stored.size(); i += 3)
        planes.push_back(stored[i]);
    }
    stored = planes;
  }
  DicomFile picture(kColumns, kRows);
  const DJ_RPLossy lossy(95);
  picture.colour(photometric.toStdString(), planar).bytes(stored);
  const auto target = static_cast<E_TransferSyntax>(syntax);
  picture.encode(target, target == EXS_JPEGProcess1 ? &lossy : nullptr).save(file("a"));
  const Volume volume = load_only();
  QCOMPARE(volume.components(), 3);
  QCOMPARE(volume.type(), VoxelType::U8);
  const double difference = largest_difference(values_of(volume), {rgb.begin(), rgb.end()});
  QVERIFY2(difference <= tolerance, std::to_string(difference).c_str());
}

void TestDicomPixels::reads_palettes_data() {
  QTest::addColumn<int>("bits");
  QTest::newRow("entries of 16 bits") << 16;
  QTest::newRow("entries of 8 bits, two in a word") << 8;
}

void TestDicomPixels::reads_palettes() {
  QFETCH(int, bits);
  DicomFile picture(3, 2);
  picture.bits(8, 8, 7, false).text(DCM_PhotometricInterpretation, "PALETTE COLOR");
  const DcmTagKey descriptors[] = {DCM_RedPaletteColorLookupTableDescriptor,
                                   DCM_GreenPaletteColorLookupTableDescriptor,
                                   DCM_BluePaletteColorLookupTableDescriptor};
  const DcmTagKey tables[] = {DCM_RedPaletteColorLookupTableData,
                              DCM_GreenPaletteColorLookupTableData,
                              DCM_BluePaletteColorLookupTableData};
  for (int c = 0; c < 3; ++c) {
    // Four entries, for the values 10 to 13.
    const Uint16 descriptor[] = {4, 10, static_cast<Uint16>(bits)};
    require(picture.dataset().putAndInsertUint16Array(descriptors[c], descriptor, 3));
    std::vector<Uint16> table;
    for (int i = 0; i < 4; ++i) {
      const int shade = 60 * c + 10 * i;
      if (bits == 16)
        table.push_back(static_cast<Uint16>(shade << 8 | 0x7F));
      else if (i % 2 == 0)
        table.push_back(static_cast<Uint16>(shade));
      else
        table.back() = static_cast<Uint16>(table.back() | shade << 8);
    }
    require(picture.dataset().putAndInsertUint16Array(tables[c], table.data(),
                                                      static_cast<unsigned long>(table.size())));
  }
  picture.bytes({10, 11, 12, 13, 0, 255}).save(file("a"));
  const Volume volume = load_only();
  QCOMPARE(volume.components(), 3);
  // Values below and above the table map to its ends.
  std::vector<double> want;
  for (const int i : {0, 1, 2, 3, 0, 3}) {
    for (int c = 0; c < 3; ++c)
      want.push_back(60 * c + 10 * i);
  }
  QCOMPARE(values_of(volume), want);
}

void TestDicomPixels::refuses_a_palette_that_begins_nowhere() {
  DicomFile picture(2, 2);
  picture.bits(8, 8, 7, false).text(DCM_PhotometricInterpretation, "PALETTE COLOR");
  const Uint16 table[] = {0, 1, 2, 3};
  const DcmTag tables[] = {DCM_RedPaletteColorLookupTableData, DCM_GreenPaletteColorLookupTableData,
                           DCM_BluePaletteColorLookupTableData};
  const DcmTagKey descriptors[] = {DCM_RedPaletteColorLookupTableDescriptor,
                                   DCM_GreenPaletteColorLookupTableDescriptor,
                                   DCM_BluePaletteColorLookupTableDescriptor};
  for (int c = 0; c < 3; ++c) {
    require(picture.dataset().putAndInsertUint16Array(tables[c], table, 4));
    // Numbers that no integer type can represent, in a type that no palette has.
    auto descriptor = std::make_unique<DcmFloatingPointDouble>(DcmTag(descriptors[c], EVR_FD));
    const double numbers[] = {4, -1e300, 16};
    require(descriptor->putFloat64Array(numbers, 3));
    require(picture.dataset().insert(descriptor.release(), true));
  }
  picture.bytes({1, 2, 3, 4}).save(file("a"));
  const Scan found = scan();
  QVERIFY(found.items.empty() || !found.items.front().usable);
}

void TestDicomPixels::refuses_what_cannot_be_coloured() {
  DicomFile(2, 2)
      .bits(8, 8, 7, false)
      .text(DCM_PhotometricInterpretation, "PALETTE COLOR")
      .bytes({1, 2, 3, 4})
      .save(file("a"));
  DicomFile(2, 2).text(DCM_PhotometricInterpretation, "CMYK").filled(1).save(file("b"));
  const Scan found = scan();
  QVERIFY(found.items.empty());
  QCOMPARE(found.skipped.size(), std::size_t{2});
}

void TestDicomPixels::refuses_422_that_is_not_subsampled() {
  // 4 x 2 pixels: 16 bytes if pairs of pixels share their colours, otherwise 24.
  DicomFile picture(4, 2);
  picture.colour("YBR_FULL_422", 0).bytes(std::vector<std::uint8_t>(16, 128)).save(file("a"));
  QCOMPARE(scan().items.size(), std::size_t{1});
  picture.bytes(std::vector<std::uint8_t>(24, 128)).save(file("a"));
  const Scan found = scan();
  QVERIFY(found.items.empty());
  const std::string& reason = found.skipped.at(0).reason;
  QVERIFY2(reason.find("not subsampled") != std::string::npos, reason.c_str());
}

void TestDicomPixels::converts_compressed_422_to_rgb() {
  // Run lengths encode all three values of each pixel, whatever their name says: luminance 50 with
  // the colours of pure red.
  std::vector<std::uint8_t> red;
  for (int i = 0; i < 8; ++i)
    red.insert(red.end(), {76, 85, 255});
  DicomFile picture(4, 2);
  picture.colour("YBR_FULL", 0).bytes(red).encode(EXS_RLELossless);
  picture.text(DCM_PhotometricInterpretation, "YBR_FULL_422").save(file("a"));
  const std::vector<double> values = values_of(load_only());
  QCOMPARE(values.size(), std::size_t{24});
  QCOMPARE(values[0], 254.0);
  QCOMPARE(values[1], 0.0);
  QCOMPARE(values[2], 0.0);
}

void TestDicomPixels::refuses_a_rescale_that_leaves_no_values_data() {
  QTest::addColumn<QString>("slope");
  QTest::addColumn<QString>("intercept");
  QTest::addColumn<QString>("words");
  QTest::newRow("infinite") << "1e+38"
                            << "0"
                            << "too large";
  QTest::newRow("all zero") << "1e-300"
                            << "0"
                            << "all values the same";
  QTest::newRow("all of the intercept") << "0.5"
                                        << "1e20"
                                        << "all values the same";
}

void TestDicomPixels::refuses_a_rescale_that_leaves_no_values() {
  QFETCH(QString, slope);
  QFETCH(QString, intercept);
  QFETCH(QString, words);
  DicomFile(4, 2)
      .text(DCM_RescaleSlope, slope.toStdString())
      .text(DCM_RescaleIntercept, intercept.toStdString())
      .filled(7)
      .save(file("a"));
  const Scan found = scan();
  QVERIFY(found.items.empty());
  const std::string& reason = found.skipped.at(0).reason;
  QVERIFY2(reason.find(words.toStdString()) != std::string::npos, reason.c_str());
  QVERIFY2(reason.find("RescaleSlope " + slope.toStdString()) != std::string::npos, reason.c_str());
}

void TestDicomPixels::tells_what_a_rescale_makes_of_integers_data() {
  QTest::addColumn<bool>("is_signed");
  QTest::addColumn<QString>("intercept");
  QTest::addColumn<VoxelType>("type");
  QTest::addColumn<bool>("warns");
  QTest::newRow("i32, exact") << false << "-2147483648" << VoxelType::I32 << false;
  QTest::newRow("i32 is too small") << true << "-2147483648" << VoxelType::F32 << true;
  QTest::newRow("far too small") << false << "-3000000000" << VoxelType::F32 << true;
}

void TestDicomPixels::tells_what_a_rescale_makes_of_integers() {
  QFETCH(bool, is_signed);
  QFETCH(QString, intercept);
  QFETCH(VoxelType, type);
  QFETCH(bool, warns);
  DicomFile(4, 2)
      .bits(16, 16, 15, is_signed)
      .text(DCM_RescaleSlope, "1")
      .text(DCM_RescaleIntercept, intercept.toStdString())
      .filled(7)
      .save(file("a"));
  Context context;
  const seedwave::io::LoadedImage image = seedwave::io::load_path(folder_, "", context);
  QCOMPARE(image.volume.type(), type);
  const bool warned = std::any_of(
      image.warnings.begin(), image.warnings.end(),
      [](const std::string& text) { return text.find("beyond 32 bits") != std::string::npos; });
  QCOMPARE(warned, warns);
  if (type == VoxelType::I32) QCOMPARE(values_of(image.volume).front(), -2147483641.0);
}

void TestDicomPixels::warns_of_attributes_that_are_missing() {
  DicomFile(4, 2).without(DCM_HighBit).without(DCM_PixelRepresentation).filled(7).save(file("a"));
  const std::vector<std::string> warnings = scan().items.at(0).warnings;
  for (const char* name : {"HighBit", "PixelRepresentation"}) {
    QVERIFY2(std::any_of(warnings.begin(), warnings.end(),
                         [&](const std::string& text) { return text.find(name) != text.npos; }),
             name);
  }
  QCOMPARE(values_of(load_only()).front(), 7.0);
}

void TestDicomPixels::splits_an_enhanced_file_into_its_stacks_data() {
  QTest::addColumn<bool>("by_kind");
  QTest::addColumn<bool>("compressed");
  QTest::newRow("kinds") << true << false;
  QTest::newRow("kinds, RLE") << true << true;
  QTest::newRow("time points") << false << false;
}

void TestDicomPixels::splits_an_enhanced_file_into_its_stacks() {
  QFETCH(bool, by_kind);
  QFETCH(bool, compressed);
  // Eight frames, two at each position, in no order; each with its own rescale.
  const int places[] = {2, 0, 3, 1, 1, 3, 0, 2};
  DicomFile picture(kColumns, kRows);
  picture.text(DCM_SOPClassUID, UID_EnhancedMRImageStorage)
      .text(DCM_NumberOfFrames, "8")
      .without(DCM_ImagePositionPatient)
      .without(DCM_ImageOrientationPatient)
      .without(DCM_PixelSpacing)
      .without(DCM_SliceThickness);
  DcmItem& shared = nested(picture.dataset(), DCM_SharedFunctionalGroupsSequence);
  put(nested(shared, DCM_PlaneOrientationSequence), DCM_ImageOrientationPatient,
      "1\\0\\0\\0\\1\\0");
  put(nested(shared, DCM_PixelMeasuresSequence), DCM_PixelSpacing, "2\\2");
  std::vector<std::uint16_t> words;
  for (int i = 0; i < 8; ++i) {
    DcmItem& frame = nested(picture.dataset(), DCM_PerFrameFunctionalGroupsSequence, i);
    put(nested(frame, DCM_PlanePositionSequence), DCM_ImagePositionPatient,
        "0\\0\\" + std::to_string(3 * places[i]));
    DcmItem& rescale = nested(frame, DCM_PixelValueTransformationSequence);
    put(rescale, DCM_RescaleSlope, std::to_string(i % 2 + 1));
    put(rescale, DCM_RescaleIntercept, std::to_string(-i));
    put(rescale, DCM_RescaleType, "US");
    if (by_kind) {
      put(nested(frame, DCM_MRImageFrameTypeSequence), DCM_FrameType,
          i < 4 ? "ORIGINAL\\PRIMARY\\M\\NONE" : "ORIGINAL\\PRIMARY\\P\\NONE");
    } else {
      require(
          nested(frame, DCM_FrameContentSequence)
              .putAndInsertUint32(DCM_TemporalPositionIndex, static_cast<Uint32>(i < 4 ? 1 : 2)));
    }
    words.insert(words.end(), std::size_t{kColumns} * kRows, static_cast<std::uint16_t>(100 * i));
  }
  picture.words(words);
  if (compressed) picture.encode(EXS_RLELossless);
  picture.save(file("enhanced"));

  const Scan found = scan();
  QCOMPARE(found.items.size(), std::size_t{2});
  for (int part = 0; part < 2; ++part) {
    const Item& item = found.items[static_cast<std::size_t>(part)];
    QCOMPARE(item.files.size(), std::size_t{1});
    QCOMPARE(item.geometry.size[2], std::int64_t{4});
    QCOMPARE(item.geometry.spacing[2], 3.0);
    const std::string name =
        by_kind ? (part == 0 ? "M" : "P") : "time point " + std::to_string(part + 1) + " of 2";
    QVERIFY2(item.hints.description == name, item.hints.description.c_str());
    Context context;
    const Volume volume = seedwave::io::load(item, context).volume;
    const Volume third = seedwave::io::load_dicom_slice(item, 2, context).volume;
    for (int z = 0; z < 4; ++z) {
      const auto* const found_frame = std::find(places + 4 * part, places + 4 * part + 4, z);
      const auto frame = static_cast<int>(found_frame - places);
      const double want = 100.0 * frame * (frame % 2 + 1) - frame;
      QCOMPARE(volume.value_at({5, 7, z}), want);
      if (z == 2) QCOMPARE(third.value_at({5, 7, 0}), want);
    }
    QCOMPARE(third.geometry().origin[2], 6.0);
  }
}

void TestDicomPixels::refuses_groups_that_describe_too_few_frames() {
  DicomFile picture(2, 2);
  picture.text(DCM_NumberOfFrames, "3");
  put(nested(nested(picture.dataset(), DCM_PerFrameFunctionalGroupsSequence),
             DCM_PlanePositionSequence),
      DCM_ImagePositionPatient, "0\\0\\0");
  picture.words(std::vector<std::uint16_t>(12)).save(file("a"));
  const Scan found = scan();
  QVERIFY(found.items.empty());
  QCOMPARE(found.skipped.at(0).reason, std::string("describes 1 of its 3 frames"));
}

void TestDicomPixels::refuses_streams_that_are_not_what_the_header_says() {
  for (const E_TransferSyntax syntax :
       {EXS_JPEGProcess14SV1, EXS_JPEGLSLossless, EXS_RLELossless}) {
    DicomFile picture(kColumns, kRows);
    picture.words(smooth_words(4000)).encode(syntax);
    // The header's size grows; the stream stays.
    picture.number(DCM_Rows, kRows + 40);
    picture.save(file("a"));
    Context context;
    QVERIFY_EXCEPTION_THROWN((void)seedwave::io::load_path(file("a"), "", context),
                             seedwave::InputError);
  }
}

void TestDicomPixels::a_damaged_slice_is_refused_unless_it_may_be_read() {
  const std::vector<std::uint16_t> words = smooth_words(4000, 1);
  const auto save = [&](int slice) {
    DicomFile picture(kColumns, kRows);
    picture.at(0, 0, slice, slice + 1).words(words).encode(EXS_RLELossless);
    picture.save(file(std::to_string(slice)));
  };
  const auto damage = [&](int slice) {
    // The table before the runs: two segments, the first 64 bytes from its start.
    std::string bytes;
    {
      std::ifstream stream(file(std::to_string(slice)), std::ios::binary);
      bytes.assign(std::istreambuf_iterator<char>(stream), {});
    }
    const std::size_t table = bytes.rfind(std::string("\x02\0\0\0\x40\0\0\0", 8));
    QVERIFY(table != std::string::npos);
    bytes[table] = 7;
    std::ofstream(file(std::to_string(slice)), std::ios::binary) << bytes;
  };
  for (int slice = 0; slice < 3; ++slice)
    save(slice);
  damage(1);
  using seedwave::io::Damaged;
  Context context;
  try {
    (void)seedwave::io::load_path(folder_, "", context);
    QFAIL("was read");
  } catch (const seedwave::io::DamagedError& error) {
    QVERIFY2(std::string(error.what()).starts_with(file("1").string() + " is damaged"),
             error.what());
  }
  const auto image = seedwave::io::load_path(folder_, "", context, Damaged::Read);
  QVERIFY(image.warnings.size() == 1 && image.warnings.front().find(": 2;") != std::string::npos);
  QCOMPARE(image.volume.value_at({5, 7, 0}), static_cast<double>(words[7 * kColumns + 5]));
  QCOMPARE(image.volume.value_at({5, 7, 1}), 0.0);
  QCOMPARE(image.volume.value_at({5, 7, 2}), image.volume.value_at({5, 7, 0}));
  // No part of an image is an image.
  damage(0);
  damage(2);
  QVERIFY_EXCEPTION_THROWN((void)seedwave::io::load_path(folder_, "", context, Damaged::Read),
                           seedwave::InputError);
}

QTEST_GUILESS_MAIN(TestDicomPixels)
#include "test_dicom_pixels.moc"
