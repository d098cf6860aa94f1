// SPDX-License-Identifier: Apache-2.0
//
// DICOM slides as the standard allows them: tiles in order or where frames say, several files a
// level, optical paths, focal planes.
#include "core/io/image_source.h"
#include "core/io/slides/dicom_slide.h"
#include "core/io/slides/slide.h"
#include "tests/core/io/io_fixture.h"
#include "tests/support/dicom_file.h"

#include <QTest>

#include <filesystem>
#include <string>
#include <vector>

using namespace seedwave;

namespace {

namespace fs = std::filesystem;

constexpr int kSide = 4;

/// A file of a slide with tiles of 4 x 4 bytes.
class SlideFile {
 public:
  SlideFile(int columns, int rows, const std::vector<int>& tile_values) : file_(kSide, kSide) {
    file_.text(DCM_SOPClassUID, UID_VLWholeSlideMicroscopyImageStorage)
        .text(DCM_Modality, "SM")
        .text(DCM_ImageType, "ORIGINAL\\PRIMARY\\VOLUME\\NONE")
        .text(DCM_DimensionOrganizationType, "TILED_FULL")
        .bits(8, 8, 7, false)
        .text(DCM_NumberOfFrames, std::to_string(tile_values.size()));
    whole(columns, rows);
    std::vector<std::uint8_t> pixels;
    for (const int value : tile_values)
      pixels.insert(pixels.end(), kSide * kSide, static_cast<std::uint8_t>(value));
    file_.bytes(pixels);
  }

  SlideFile& whole(int columns, int rows) {
    test::require(file_.dataset().putAndInsertUint32(DCM_TotalPixelMatrixColumns,
                                                     static_cast<Uint32>(columns)));
    test::require(
        file_.dataset().putAndInsertUint32(DCM_TotalPixelMatrixRows, static_cast<Uint32>(rows)));
    return *this;
  }
  SlideFile& offset(int frames) {
    test::require(file_.dataset().putAndInsertUint32(DCM_ConcatenationFrameOffsetNumber,
                                                     static_cast<Uint32>(frames)));
    return *this;
  }
  SlideFile& planes(int count) {
    test::require(file_.dataset().putAndInsertUint32(DCM_TotalPixelMatrixFocalPlanes,
                                                     static_cast<Uint32>(count)));
    return *this;
  }
  SlideFile& path(const std::string& identifier, double power) {
    DcmItem* item = nullptr;
    test::require(file_.dataset().findOrCreateSequenceItem(DCM_OpticalPathSequence, item, -2));
    test::require(item->putAndInsertString(DCM_OpticalPathIdentifier, identifier.c_str()));
    test::require(item->putAndInsertString(DCM_ObjectiveLensPower, std::to_string(power).c_str()));
    return *this;
  }
  SlideFile& spacing(const std::string& text) {
    DcmItem* shared = nullptr;
    DcmItem* measures = nullptr;
    test::require(
        file_.dataset().findOrCreateSequenceItem(DCM_SharedFunctionalGroupsSequence, shared, 0));
    test::require(shared->findOrCreateSequenceItem(DCM_PixelMeasuresSequence, measures, 0));
    test::require(measures->putAndInsertString(DCM_PixelSpacing, text.c_str()));
    return *this;
  }
  /// Places of the tiles in pixels, from 1, and their optical paths.
  SlideFile& sparse(const std::vector<std::array<int, 2>>& places,
                    const std::vector<std::string>& paths = {}) {
    file_.text(DCM_DimensionOrganizationType, "TILED_SPARSE");
    for (std::size_t i = 0; i < places.size(); ++i) {
      DcmItem* frame = nullptr;
      DcmItem* position = nullptr;
      test::require(file_.dataset().findOrCreateSequenceItem(DCM_PerFrameFunctionalGroupsSequence,
                                                             frame, -2));
      test::require(frame->findOrCreateSequenceItem(DCM_PlanePositionSlideSequence, position, 0));
      test::require(
          position->putAndInsertSint32(DCM_ColumnPositionInTotalImagePixelMatrix, places[i][0]));
      test::require(
          position->putAndInsertSint32(DCM_RowPositionInTotalImagePixelMatrix, places[i][1]));
      if (paths.empty()) continue;
      DcmItem* path = nullptr;
      test::require(
          frame->findOrCreateSequenceItem(DCM_OpticalPathIdentificationSequence, path, 0));
      test::require(path->putAndInsertString(DCM_OpticalPathIdentifier, paths[i].c_str()));
    }
    return *this;
  }
  fs::path save(const fs::path& path) {
    file_.save(path);
    return path;
  }

 private:
  test::DicomFile file_;
};

double value_at(const io::Slide& slide, std::int64_t x, std::int64_t y, int level = 0,
                int channel = 0) {
  Context context;
  return slide.read(level, {{x, y, 0}, {x + 1, y + 1, 1}}, channel, context)
      .pixels.value_at({0, 0, 0});
}

}  // namespace

class TestDicomSlides : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    for (const char* name : {"sparse", "parts", "paths sparse", "paths full", "planes"})
      fs::create_directories(folder_ / name);
  }

  void tiles_in_order() {
    // 10 x 7: three tiles by two.
    const fs::path file = SlideFile(10, 7, {1, 2, 3, 4, 5, 6})
                              .spacing("0.0005\\0.00025")
                              .path("a", 40.0)
                              .save(folder_ / "order.dcm");
    const auto slide = io::open_slide(file);
    QVERIFY(slide != nullptr);
    QCOMPARE(slide->info().levels.front(), (io::SlideLevel{10, 7, 4, 4}));
    QCOMPARE((*slide->info().mpp)[0], 0.25);  // between columns
    QCOMPARE((*slide->info().mpp)[1], 0.5);
    QCOMPARE(slide->info().objective.value_or(0.0), 40.0);
    QCOMPARE(value_at(*slide, 0, 0), 1.0);
    QCOMPARE(value_at(*slide, 9, 3), 3.0);
    QCOMPARE(value_at(*slide, 4, 4), 5.0);
    QCOMPARE(value_at(*slide, 9, 6), 6.0);
    QCOMPARE(value_at(*slide, 10, 6), 0.0);  // outside
  }

  void tiles_where_frames_say() {
    const fs::path file = SlideFile(8, 8, {1, 2, 3})
                              .sparse({{5, 5}, {1, 1}, {5, 1}})
                              .save(folder_ / "sparse" / "one.dcm");
    const auto slide = io::open_slide(file);
    QCOMPARE(value_at(*slide, 4, 4), 1.0);
    QCOMPARE(value_at(*slide, 0, 0), 2.0);
    QCOMPARE(value_at(*slide, 4, 0), 3.0);
    QCOMPARE(value_at(*slide, 0, 4), 0.0);  // not scanned
  }

  void files_of_a_level() {
    const fs::path first = SlideFile(8, 8, {1, 2, 3}).save(folder_ / "parts" / "a.dcm");
    (void)SlideFile(8, 8, {4}).offset(3).save(folder_ / "parts" / "b.dcm");
    (void)SlideFile(4, 4, {9}).save(folder_ / "parts" / "c.dcm");
    const auto slide = io::open_slide(first);
    QCOMPARE(slide->info().levels.size(), std::size_t{2});
    QCOMPARE(value_at(*slide, 7, 3), 2.0);
    QCOMPARE(value_at(*slide, 7, 7), 4.0);
    QCOMPARE(value_at(*slide, 0, 0, 1), 9.0);
  }

  void optical_paths_are_channels() {
    for (const bool sparse : {false, true}) {
      SlideFile file(8, 4, {1, 2, 3, 4});
      file.path("DAPI", 20.0).path("Cy5", 20.0);
      if (sparse) file.sparse({{1, 1}, {5, 1}, {1, 1}, {5, 1}}, {"DAPI", "DAPI", "Cy5", "Cy5"});
      const auto slide =
          io::open_slide(file.save(folder_ / (sparse ? "paths sparse" : "paths full") / "a.dcm"));
      QCOMPARE(slide->info().channels, (std::vector<std::string>{"DAPI", "Cy5"}));
      QCOMPARE(value_at(*slide, 5, 0, 0, 0), 2.0);
      QCOMPARE(value_at(*slide, 5, 0, 0, 1), 4.0);
    }
  }

  void the_first_of_several_focal_planes() {
    const auto slide =
        io::open_slide(SlideFile(8, 4, {1, 2, 3, 4}).planes(2).save(folder_ / "planes" / "a.dcm"));
    QCOMPARE(value_at(*slide, 5, 0), 2.0);
    QCOMPARE(slide->info().warnings.size(), std::size_t{2});  // and no size of a pixel
  }

  void bad_files_are_refused_in_one_line_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("words");
    QTest::newRow("a tile outside") << "outside"
                                    << "outside its level";
    QTest::newRow("tiles that overlap") << "overlap"
                                        << "overlap or leave gaps";
    QTest::newRow("too few places") << "few"
                                    << "fewer frames";
    QTest::newRow("a thousand million tiles") << "many"
                                              << "tiles, more than any slide has";
    QTest::newRow("a label alone") << "label"
                                   << "none of its levels";
  }
  void bad_files_are_refused_in_one_line() {
    QFETCH(QString, name);
    QFETCH(QString, words);
    const fs::path file = folder_ / name.toStdString() / "a.dcm";
    fs::create_directories(file.parent_path());
    if (name == "outside") (void)SlideFile(8, 8, {1}).sparse({{9, 1}}).save(file);
    if (name == "overlap") (void)SlideFile(8, 8, {1}).sparse({{2, 1}}).save(file);
    if (name == "few") (void)SlideFile(8, 8, {1, 2}).sparse({{1, 1}}).save(file);
    if (name == "many") (void)SlideFile(16000000, 16000000, {1}).save(file);
    if (name == "label") {
      test::DicomFile label(kSide, kSide);
      label.text(DCM_SOPClassUID, UID_VLWholeSlideMicroscopyImageStorage)
          .text(DCM_Modality, "SM")
          .text(DCM_ImageType, "ORIGINAL\\PRIMARY\\LABEL\\NONE")
          .filled(7)
          .save(file);
    }
    const std::string message = test::input_error_of([&] { (void)io::open_slide(file); });
    QVERIFY2(message.find(words.toStdString()) != std::string::npos, message.c_str());
    QVERIFY2(message.find("a.dcm") != std::string::npos, message.c_str());
    // In a scan it is skipped, with the reason.
    Context context;
    const io::Scan scan = io::scan(file.parent_path(), context);
    QVERIFY(scan.items.empty());
    QCOMPARE(scan.skipped.size(), std::size_t{1});
  }

 private:
  test::TemporaryFolder folder_;
};

QTEST_GUILESS_MAIN(TestDicomSlides)
#include "test_dicom_slides.moc"
