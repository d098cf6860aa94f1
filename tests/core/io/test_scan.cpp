// SPDX-License-Identifier: Apache-2.0
#include "core/io/image_source.h"
#include "core/io/labels.h"
#include "tests/core/io/io_fixture.h"
#include "tests/core/io/random_images.h"
#include "tests/support/test_data.h"

#include <QTest>

#include <algorithm>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace seedwave;
using seedwave::test::input_error_of;

namespace {

namespace fs = std::filesystem;

Volume small_volume(LengthUnit unit = LengthUnit::Millimetre) {
  Geometry grid;
  grid.size = {5, 4, unit == LengthUnit::Pixel ? 1 : 3};
  grid.unit = unit;
  std::mt19937 random(41);
  return test::random_volume<std::uint8_t>(grid, random);
}

std::string reason_for(const io::Scan& scan, const std::string& name) {
  for (const io::Skipped& skipped : scan.skipped) {
    if (skipped.file.filename() == name) return skipped.reason;
  }
  return {};
}

void add_number(std::string& bytes, std::uint32_t number, int count) {
  for (int i = 0; i < count; ++i)
    bytes.push_back(static_cast<char>(number >> (8 * i) & 0xFFU));
}

/// Returns pages of these widths and heights; page i, from 1 on, is full of i.
std::string tiff_of(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pages) {
  constexpr std::uint32_t kEntries = 9;
  std::string bytes("II*\0\x08\0\0\0", 8);
  for (std::size_t page = 0; page < pages.size(); ++page) {
    const auto [width, height] = pages[page];
    const auto pixels = static_cast<std::uint32_t>(bytes.size()) + 2 + 12 * kEntries + 4;
    const std::uint32_t end = pixels + width * height;
    add_number(bytes, kEntries, 2);
    // Width, height, bits, no compression, black is 0, offset, samples, rows per strip, bytes of
    // it.
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> fields{
        {256, width},  {257, height},        {258, 8}, {259, 1}, {262, 1}, {273, pixels}, {277, 1},
        {278, height}, {279, width * height}};
    for (const auto& [tag, value] : fields) {
      add_number(bytes, tag, 2);
      add_number(bytes, 4, 2);  // of 32 bits
      add_number(bytes, 1, 4);
      add_number(bytes, value, 4);
    }
    add_number(bytes, page + 1 < pages.size() ? end : 0, 4);
    bytes.append(width * height, static_cast<char>(page + 1));
  }
  return bytes;
}

}  // namespace

/// Files and folders are identified by their content; anything that is not an image is listed with
/// the reason.
class TestScan : public QObject {
  Q_OBJECT
 private slots:
  void names_do_not_matter();
  void a_folder_is_searched_to_any_depth();
  void one_bad_file_does_not_stop_the_rest();
  void pipes_and_circles_are_passed_by();
  void voxels_beside_a_header_belong_to_it();
  void a_header_opens_files_of_its_own_folder_only();
  void rubbish_in_texts_does_not_reach_the_screen();
  void what_cannot_be_opened_is_said_data();
  void what_cannot_be_opened_is_said();
  void odd_headers_are_warned_of_data();
  void odd_headers_are_warned_of();
  void several_images_are_listed_to_choose_from();
  void pages_of_unlike_sizes_are_items();
  void a_stop_ends_scan_and_load();
  void thumbnails_fit_their_square();
  void a_mixed_folder_of_a_hospital();

 private:
  test::TemporaryFolder folder_;
};

void TestScan::names_do_not_matter() {
  Context context;
  for (const std::string suffix : {".nii", ".nii.gz", ".nrrd", ".mha", ".png", ".tif", ".npy"}) {
    const Volume volume =
        small_volume(suffix == ".png" ? LengthUnit::Pixel : LengthUnit::Millimetre);
    io::save_volume(folder_ / ("a" + suffix), volume);
    fs::rename(folder_ / ("a" + suffix), folder_ / "IMG 0001.dcm");
    QVERIFY(test::same_voxels(io::load_path(folder_ / "IMG 0001.dcm", "", context).volume, volume));
  }
}

void TestScan::a_folder_is_searched_to_any_depth() {
  Context context;
  fs::create_directories(folder_ / "deep/deeper/Größe 大");
  io::save_volume(folder_ / "deep/deeper/Größe 大/x.nii", small_volume());
  (void)folder_.put("deep/notes.txt", "bring milk");
  const io::Scan scan = io::scan(folder_ / "deep", context);
  QCOMPARE(scan.items.size(), std::size_t{1});
  QCOMPARE(scan.items[0].format, std::string("nifti"));
  QVERIFY(reason_for(scan, "notes.txt").find("text") != std::string::npos);
}

void TestScan::one_bad_file_does_not_stop_the_rest() {
  Context context;
  io::save_volume(folder_ / "mixed.nii", small_volume());
  const std::string good = test::bytes_of_file(folder_ / "mixed.nii");
  (void)folder_.put("bad/1.nii", good.substr(0, 360));
  (void)folder_.put("bad/2.nii", good);
  (void)folder_.put("bad/3.nii", "");
  (void)folder_.put("bad/4.gz", "\x1f\x8b broken");
  const io::Scan scan = io::scan(folder_ / "bad", context);
  QCOMPARE(scan.items.size(), std::size_t{1});
  QCOMPARE(scan.skipped.size(), std::size_t{3});
  QVERIFY(reason_for(scan, "1.nii").find("truncated") != std::string::npos);
  QCOMPARE(reason_for(scan, "3.nii"), std::string("is empty"));
}

void TestScan::pipes_and_circles_are_passed_by() {
  Context context;
  const fs::path folder = folder_ / "circle";
  fs::create_directories(folder / "inner");
  fs::create_directory_symlink(folder, folder / "inner" / "back");
  fs::create_symlink(folder / "nowhere", folder / "dangling");
  QCOMPARE(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  io::save_volume(folder / "inner" / "x.nii", small_volume());
  const io::Scan scan = io::scan(folder, context);
  QCOMPARE(scan.items.size(), std::size_t{1});
  QCOMPARE(reason_for(scan, "pipe"), std::string("not a file"));
  QVERIFY(!input_error_of([&] { (void)io::scan(folder / "pipe", context); }).empty());
}

void TestScan::voxels_beside_a_header_belong_to_it() {
  Context context;
  const std::string voxels(60, '\7');
  (void)folder_.put("pair/b.mhd",
                    "ObjectType = Image\nNDims = 3\nDimSize = 5 4 3\n"
                    "ElementType = MET_UCHAR\nElementDataFile = b.raw\n");
  (void)folder_.put("pair/b.raw", voxels);
  (void)folder_.put("pair/a.nhdr",
                    "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 5 4 3\n"
                    "encoding: raw\ndata file: a.raw\n\n");
  (void)folder_.put("pair/a.raw", voxels);
  const io::Scan scan = io::scan(folder_ / "pair", context);
  QCOMPARE(scan.items.size(), std::size_t{2});
  QVERIFY(scan.skipped.empty());
  for (const io::Item& item : scan.items)
    QCOMPARE(io::load(item, context).volume.value_at({4, 3, 2}), 7.0);
}

void TestScan::a_header_opens_files_of_its_own_folder_only() {
  Context context;
  (void)folder_.put("secret.raw", std::string(60, '\7'));
  for (const std::string& name : std::vector<std::string>{
           "../secret.raw", (folder_ / "secret.raw").string(), "sub/../../secret.raw"}) {
    const auto path =
        folder_.put("sneaky/x.mhd",
                    "ObjectType = Image\nNDims = 3\nDimSize = 5 4 3\nElementType = MET_UCHAR\n"
                    "ElementDataFile = " +
                        name + "\n");
    const std::string message = input_error_of([&] { (void)io::load_path(path, "", context); });
    QVERIFY2(message.find("own folder") != std::string::npos, message.c_str());
  }
}

void TestScan::rubbish_in_texts_does_not_reach_the_screen() {
  // A terminal's escape sequence, a broken UTF-8 sequence, a good one, 500 bytes more.
  const std::string rubbish = "a\x1b[31m\xff\xc3ö" + std::string(500, 'x');
  Context context;
  const auto path = folder_.put("r.nrrd", "NRRD0004\ncontent: " + rubbish +
                                              "\ntype: uchar\ndimension: 3\nsizes: 1 1 1\n"
                                              "encoding: raw\n\n1");
  const std::string shown = io::scan(path, context).items.at(0).hints.description;
  QVERIFY2(shown.starts_with("a?[31m??ö"), shown.c_str());
  const auto bad = folder_.put("b.nrrd", "NRRD0004\ntype: " + rubbish + "\n\n");
  const std::string message = input_error_of([&] { (void)io::load_path(bad, "", context); });
  QVERIFY2(message.find("a?[31m??ö") != std::string::npos, message.c_str());
  QVERIFY(message.size() < 300);
}

void TestScan::what_cannot_be_opened_is_said_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QString>("words");
  const auto mha = [](const std::string& fields) {
    return QByteArray::fromStdString("ObjectType = Image\nNDims = 3\n" + fields +
                                     "ElementDataFile = LOCAL\n" + std::string(60, '\1'));
  };
  const auto nrrd = [](const std::string& fields) {
    return QByteArray::fromStdString("NRRD0004\n" + fields + "\n" + std::string(60, '\1'));
  };
  const std::string good_nrrd = "type: uchar\ndimension: 3\nsizes: 5 4 3\nencoding: raw\n";
  QTest::newRow("MetaImage: no type") << mha("DimSize = 5 4 3\n") << "ElementType";
  QTest::newRow("MetaImage: zero size")
      << mha("DimSize = 5 0 3\nElementType = MET_UCHAR\n") << "DimSize";
  QTest::newRow("MetaImage: sizes that overflow")
      << mha("DimSize = 4294967296 4294967296 4294967296\nElementType = MET_UCHAR\n") << "claims";
  QTest::newRow("MetaImage: larger than the file")
      << mha("DimSize = 50 40 30\nElementType = MET_UCHAR\n") << "more than the file contains";
  QTest::newRow("MetaImage: zero spacing")
      << mha("DimSize = 5 4 3\nElementSpacing = 0 1 1\nElementType = MET_UCHAR\n")
      << "no usable geometry";
  QTest::newRow("MetaImage: NaN spacing")
      << mha("DimSize = 5 4 3\nElementSpacing = nan 1 1\nElementType = MET_UCHAR\n")
      << "no usable geometry";
  QTest::newRow("MetaImage: singular axes")
      << mha("DimSize = 5 4 3\nTransformMatrix = 1 0 0 1 0 0 0 0 1\nElementType = MET_UCHAR\n")
      << "no usable geometry";
  QTest::newRow("MetaImage: list of files")
      << QByteArray(
             "ObjectType = Image\nNDims = 3\nDimSize = 5 4 3\nElementType = MET_UCHAR\n"
             "ElementDataFile = LIST\na.raw\n")
      << "several files";
  QTest::newRow("MetaImage: a mesh")
      << QByteArray("ObjectType = Mesh\nNDims = 3\n") << "ObjectType";
  const auto skip = [&](const std::string& size, const std::string& rest = "") {
    return mha("DimSize = 5 4 3\nElementType = MET_UCHAR\n" + rest + "HeaderSize = " + size + "\n");
  };
  QTest::newRow("MetaImage: voxels inside the header") << skip("10") << "inside the header";
  QTest::newRow("MetaImage: voxels beyond the file") << skip("100000") << "ends before its voxels";
  QTest::newRow("MetaImage: voxels at 2^40") << skip("1099511627776") << "ends before its voxels";
  QTest::newRow("MetaImage: voxels at 2^70") << skip("1180591620717411303424") << "whole number";
  QTest::newRow("MetaImage: negative skip") << skip("-2") << "below -1";
  QTest::newRow("MetaImage: packed at the end") << skip("-1", "CompressedData = True\n") << "is -1";
  QTest::newRow("MetaImage: end before the beginning")
      << mha("DimSize = 50 40 30\nElementType = MET_UCHAR\nHeaderSize = -1\n")
      << "more than the file contains";
  QTest::newRow("NRRD: end before the beginning")
      << nrrd("type: uchar\ndimension: 3\nsizes: 50 40 30\nencoding: raw\nbyte skip: -1\n")
      << "more than the file contains";
  QTest::newRow("NRRD: header reaches into the voxels")
      << nrrd("type: uchar\ndimension: 3\nsizes: 5 4 4\nencoding: raw\nbyte skip: -1\n")
      << "reaches into its voxels";
  QTest::newRow("NRRD: time mixed with space")
      << nrrd(
             "type: uchar\ndimension: 4\nsizes: 5 4 3 1\nspace dimension: 4\nencoding: raw\n"
             "space directions: (1,0,0,1) (0,1,0,0) (0,0,1,0) (0,0,0,1)\n")
      << "mixes space with time";
  const auto gipl = [](const std::vector<int>& sizes, int type, bool nan_spacing = false) {
    QByteArray bytes(256, '\0');
    for (int i = 0; i < 4; ++i) {
      bytes[2 * i] = static_cast<char>(sizes[static_cast<std::size_t>(i)] >> 8);
      bytes[2 * i + 1] = static_cast<char>(sizes[static_cast<std::size_t>(i)] & 255);
      bytes.replace(10 + 4 * i, 4, QByteArray("\x3f\x80\0\0", 4));  // 1.0
    }
    bytes[9] = static_cast<char>(type);
    bytes.replace(252, 4, QByteArray("\xef\xff\xe9\xb0", 4));
    if (nan_spacing) bytes.replace(10, 4, QByteArray("\x7f\xc0\0\0", 4));  // NaN
    return bytes + QByteArray(60, '\1');
  };
  QTest::newRow("GIPL: no size") << gipl({0, 4, 3, 1}, 8) << "no voxels";
  QTest::newRow("GIPL: larger than the file")
      << gipl({500, 400, 300, 1}, 8) << "more than the file contains";
  QTest::newRow("GIPL: 65535 in each of four") << gipl({65535, 65535, 65535, 65535}, 65) << "holds";
  QTest::newRow("GIPL: unknown type") << gipl({5, 4, 3, 1}, 144) << "code 144";
  QByteArray far = gipl({5, 4, 3, 1}, 8);
  far.replace(204, 8, QByteArray("\x7f\xe0\0\0\0\0\0\0", 8));  // 9e307
  QTest::newRow("GIPL: first voxel at 9e307") << far << "no usable geometry";
  QTest::newRow("GIPL: NaN spacing") << gipl({5, 4, 3, 1}, 8, true) << "spacing";
  QTest::newRow("NRRD: no type") << nrrd("dimension: 3\nsizes: 5 4 3\nencoding: raw\n") << "type";
  QTest::newRow("NRRD: packed with bzip2")
      << nrrd("type: uchar\ndimension: 3\nsizes: 5 4 3\nencoding: bzip2\n") << "bzip2";
  QTest::newRow("NRRD: sizes before dimension") << nrrd("sizes: 5 4 3\n") << "dimension";
  QTest::newRow("NRRD: negative size")
      << nrrd("type: uchar\ndimension: 3\nsizes: 5 -4 3\nencoding: raw\n") << "sizes";
  QTest::newRow("NRRD: 17 axes") << nrrd("dimension: 17\n") << "1 to 16";
  QTest::newRow("NRRD: larger than the file")
      << nrrd("type: uchar\ndimension: 3\nsizes: 50 40 30\nencoding: raw\n")
      << "more than the file contains";
  QTest::newRow("NRRD: sizes that overflow")
      << nrrd("type: uchar\ndimension: 3\nsizes: 4294967296 4294967296 4294967296\nencoding: raw\n")
      << "claims";
  QTest::newRow("NRRD: singular axes")
      << nrrd(good_nrrd + "space: LPS\nspace directions: (1,0,0) (1,0,0) (0,0,1)\n")
      << "no usable geometry";
  QTest::newRow("NRRD: NaN axes")
      << nrrd(good_nrrd + "space: LPS\nspace directions: (nan,0,0) (0,1,0) (0,0,1)\n")
      << "no usable geometry";
  QTest::newRow("NRRD: vectors that are none")
      << nrrd(good_nrrd + "space: LPS\nspace directions: 1,0,0 (0,1,0) (0,0,1)\n") << "vectors";
  QTest::newRow("NRRD: not packed at all")
      << nrrd("type: uchar\ndimension: 3\nsizes: 5 4 3\nencoding: gzip\n") << "unpacked";
  QTest::newRow(".npy: structured type")
      << QByteArray("\x93NUMPY\x01\0\x46\0", 10) +
             QByteArray("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 2), }")
                 .leftJustified(70)
      << "damaged .npy header";
  QTest::newRow(".npy: shape that overflows")
      << QByteArray("\x93NUMPY\x01\0\x64\0", 10) +
             QByteArray(
                 "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296, "
                 "4294967296), }")
                 .leftJustified(100)
      << "more voxels than any machine";
  QTest::newRow(".npy: header longer than the file")
      << QByteArray("\x93NUMPY\x02\0\xff\xff\xff\x7f{", 13) << "truncated";
}

void TestScan::what_cannot_be_opened_is_said() {
  QFETCH(QByteArray, bytes);
  QFETCH(QString, words);
  Context context;
  const auto path = folder_.put("hostile", bytes.toStdString());
  const std::string message = input_error_of([&] { (void)io::load_path(path, "", context); });
  QVERIFY2(message.find(words.toStdString()) != std::string::npos, message.c_str());
  QVERIFY2(message.find("hostile") != std::string::npos, message.c_str());
  QVERIFY2(message.find('\n') == std::string::npos, message.c_str());
}

void TestScan::odd_headers_are_warned_of_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QString>("words");
  const QByteArray voxels(60, '\1');
  QTest::newRow("MetaImage: negative spacing")
      << "ObjectType = Image\nNDims = 3\nDimSize = 5 4 3\nElementSpacing = 1 1 -2\n"
         "ElementType = MET_UCHAR\nElementDataFile = LOCAL\n" +
             voxels
      << "negative ElementSpacing";
  QTest::newRow("NRRD: negative spacing")
      << "NRRD0004\ntype: uchar\ndimension: 2\nsizes: 5 4\nspacings: 1 -2\nencoding: raw\n\n" +
             voxels
      << "negative spacing";
  QByteArray gipl(256, '\0');
  for (int axis = 0; axis < 3; ++axis) {
    gipl[2 * axis + 1] = static_cast<char>(5 - axis);
    gipl.replace(10 + 4 * axis, 4, QByteArray("\x3f\x80\0\0", 4));  // 1.0
  }
  gipl[9] = 8;
  gipl.replace(240, 4, QByteArray("\x40\0\0\0", 4));  // 2.0
  gipl.replace(252, 4, QByteArray("\xef\xff\xe9\xb0", 4));
  QTest::newRow("GIPL: calibration") << gipl + voxels << "factor 2, offset 0";
}

void TestScan::odd_headers_are_warned_of() {
  QFETCH(QByteArray, bytes);
  QFETCH(QString, words);
  Context context;
  const io::LoadedImage image = io::load_path(folder_.put("odd", bytes.toStdString()), "", context);
  QCOMPARE(image.warnings.size(), std::size_t{1});
  QVERIFY2(image.warnings[0].find(words.toStdString()) != std::string::npos,
           image.warnings[0].c_str());
}

void TestScan::several_images_are_listed_to_choose_from() {
  Context context;
  const fs::path folder = folder_ / "two";
  fs::create_directories(folder);
  io::save_volume(folder / "a.npy", small_volume());
  io::save_volume(folder / "b.npy", small_volume(LengthUnit::Pixel));
  const std::string message = input_error_of([&] { (void)io::load_path(folder, "", context); });
  QVERIFY2(message.find("1: a.npy (5 x 4 x 3") != std::string::npos, message.c_str());
  QVERIFY2(message.find("2: b.npy (5 x 4") != std::string::npos, message.c_str());
  QCOMPARE(io::load_path(folder, "2", context).volume.geometry().size[2], std::int64_t{1});
  for (const char* wrong : {"0", "3", "-1", "1.2.3"}) {
    const std::string none = input_error_of([&] { (void)io::load_path(folder, wrong, context); });
    QVERIFY2(none.find(wrong) != std::string::npos, none.c_str());
  }
  fs::create_directories(folder_ / "empty");
  QVERIFY(!input_error_of([&] { (void)io::load_path(folder_ / "empty", "", context); }).empty());
  QVERIFY(!input_error_of([&] { (void)io::load_path(folder_ / "absent", "", context); }).empty());
}

void TestScan::pages_of_unlike_sizes_are_items() {
  const auto file = folder_.put("pages.tif", tiff_of({{2, 1}, {1, 3}, {2, 2}}));
  Context context;
  const io::Scan scan = io::scan(file, context);
  QCOMPARE(scan.items.size(), std::size_t{3});
  const std::vector<Index3> sizes{{2, 1, 1}, {1, 3, 1}, {2, 2, 1}};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    QCOMPARE(scan.items[i].hints.description, "page " + std::to_string(i + 1) + " of 3");
    const Volume page = io::load(scan.items[i], context).volume;
    QCOMPARE(page.geometry().size, sizes[i]);
    QCOMPARE(page.value_at({0, 0, 0}), static_cast<double>(i + 1));
  }
}

void TestScan::a_stop_ends_scan_and_load() {
  io::save_volume(folder_ / "stop.nii.gz", small_volume());
  Context context;
  const io::Item item = io::scan(folder_ / "stop.nii.gz", context).items.at(0);
  std::stop_source stop;
  stop.request_stop();
  Context stopped(Context::Settings{.stop = stop.get_token()});
  QVERIFY_EXCEPTION_THROWN((void)io::scan(folder_.path(), stopped), Cancelled);
  QVERIFY_EXCEPTION_THROWN((void)io::load(item, stopped), Cancelled);
}

void TestScan::thumbnails_fit_their_square() {
  Context context;
  std::mt19937 random(42);
  for (const Index3 size : {Index3{1, 1, 1}, Index3{300, 20, 5}, Index3{7, 400, 1}}) {
    for (const int components : {1, 3}) {
      Geometry grid;
      grid.size = size;
      grid.spacing = {0.5, 2, 1};
      const auto path = folder_ / "thumb.nrrd";
      io::save_volume(path, test::random_volume<std::uint8_t>(grid, random, components));
      const Volume picture = io::thumbnail(io::scan(path, context).items.at(0), 64, context);
      QCOMPARE(picture.type(), VoxelType::U8);
      QCOMPARE(picture.components(), components);
      QCOMPARE(std::max(picture.geometry().size[0], picture.geometry().size[1]), std::int64_t{64});
      // As long and as wide as the body.
      const double wanted = static_cast<double>(size[0]) * 0.5 / (static_cast<double>(size[1]) * 2);
      const double shown = static_cast<double>(picture.geometry().size[0]) /
                           static_cast<double>(picture.geometry().size[1]);
      if (std::min(picture.geometry().size[0], picture.geometry().size[1]) > 3)
        QVERIFY(std::abs(shown / wanted - 1) < 0.2);
    }
  }
}

void TestScan::a_mixed_folder_of_a_hospital() {
  const auto path = test::test_data("A9_mixed_folder");
  SEEDWAVE_NEED_DATA(path);
  Context context;
  const io::Scan scan = io::scan(path, context);
  QVERIFY(std::ranges::count_if(scan.items, &io::Item::usable) >= 2);
  for (const char* name : {"notes.txt", "no_extension", "table.csv", "empty.dcm"})
    QVERIFY2(!reason_for(scan, name).empty(), name);
}

QTEST_GUILESS_MAIN(TestScan)
#include "test_scan.moc"
