// SPDX-License-Identifier: Apache-2.0
//
// One rule for damaged images of every format: refused, unless the caller allows reading them.
#include "core/io/labels.h"
#include "tests/core/io/io_fixture.h"

#include <QImage>
#include <QTest>

#include <algorithm>

using namespace seedwave;
using io::Damaged;
using io::DamagedError;

namespace {

constexpr int kWidth = 300;
constexpr int kHeight = 400;

/// An image that compresses badly, so that a cut removes rows.
QImage noisy() {
  QImage image(kWidth, kHeight, QImage::Format_Grayscale8);
  unsigned state = 7;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      state = state * 1664525U + 1013904223U;
      image.scanLine(y)[x] = static_cast<uchar>(state >> 24U);
    }
  }
  return image;
}

Volume volume_of(const QImage& image) {
  Geometry grid;
  grid.size = {image.width(), image.height(), 1};
  grid.unit = LengthUnit::Pixel;
  std::vector<std::uint8_t> pixels;
  for (int y = 0; y < image.height(); ++y)
    pixels.insert(pixels.end(), image.scanLine(y), image.scanLine(y) + image.width());
  return {grid, std::move(pixels)};
}

}  // namespace

class TestDamagedPictures : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    const QImage image = noisy();
    QVERIFY(image.save(QString::fromStdString((folder_ / "whole.jpg").string()), "JPEG", 90));
    io::save_volume(folder_ / "whole.png", volume_of(image));
    io::save_volume(folder_ / "whole.tif", volume_of(image));
  }

  void is_refused_unless_it_may_be_read_data();
  void is_refused_unless_it_may_be_read();
  void what_is_whole_is_read_without_a_word_data();
  void what_is_whole_is_read_without_a_word();
  void bytes_behind_the_picture_are_no_damage();
  void a_stop_ends_reading();
  void labels_are_never_read_from_a_part();

 private:
  [[nodiscard]] std::string bytes(const char* name) const {
    return test::bytes_of_file(folder_ / name);
  }

  test::TemporaryFolder folder_;
};

void TestDamagedPictures::is_refused_unless_it_may_be_read_data() {
  QTest::addColumn<std::string>("whole");
  QTest::addColumn<std::string>("damaged");
  const auto cut = [](std::string bytes, double share) {
    bytes.resize(static_cast<std::size_t>(share * static_cast<double>(bytes.size())));
    return bytes;
  };
  const auto overwritten = [](std::string bytes, double from, std::size_t count, char with) {
    const auto begin = static_cast<std::size_t>(from * static_cast<double>(bytes.size()));
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(begin), count, with);
    return bytes;
  };
  QTest::newRow("JPEG, cut") << bytes("whole.jpg") << cut(bytes("whole.jpg"), 0.6);
  QTest::newRow("JPEG, its last bytes missing")
      << bytes("whole.jpg") << bytes("whole.jpg").substr(0, bytes("whole.jpg").size() - 60);
  QTest::newRow("JPEG, another picture begins")
      << bytes("whole.jpg") << cut(bytes("whole.jpg"), 0.6) + bytes("whole.jpg").substr(0, 200);
  QTest::newRow("PNG, cut") << bytes("whole.png") << cut(bytes("whole.png"), 0.6);
  QTest::newRow("PNG, wrong bytes")
      << bytes("whole.png") << overwritten(bytes("whole.png"), 0.6, 40, '\x55');
  QTest::newRow("TIFF, wrong bytes")
      << bytes("whole.tif") << overwritten(bytes("whole.tif"), 0.6, 400, '\xff');
}

void TestDamagedPictures::is_refused_unless_it_may_be_read() {
  QFETCH(std::string, whole);
  QFETCH(std::string, damaged);
  const auto file = folder_.put("damaged", damaged);
  Context context;
  try {
    (void)io::load_path(file, "", context);
    QFAIL("was read");
  } catch (const DamagedError& error) {
    const std::string message = error.what();
    QVERIFY2(message.starts_with(file.string() + " is damaged or truncated ("), error.what());
    QCOMPARE(error.exit_code(), kExitInput);
  }
  const io::LoadedImage part = io::load_path(file, "", context, Damaged::Read);
  QCOMPARE(part.warnings.size(), std::size_t{1});
  QVERIFY(part.warnings.front().starts_with("is damaged or truncated ("));
  const Volume all = io::load_path(folder_.put("whole", whole), "", context).volume;
  QCOMPARE(part.volume.geometry().size, all.geometry().size);
  // The rows before the damage are unchanged; something else is not.
  const std::vector<double> expected = test::values_of(all);
  const std::vector<double> read = test::values_of(part.volume);
  QVERIFY(std::equal(expected.begin(), expected.begin() + kWidth * kHeight / 4, read.begin()));
  QVERIFY(expected != read);
}

void TestDamagedPictures::what_is_whole_is_read_without_a_word_data() {
  QTest::addColumn<std::string>("name");
  for (const char* name : {"whole.jpg", "whole.png", "whole.tif"})
    QTest::newRow(name) << std::string(name);
}

void TestDamagedPictures::what_is_whole_is_read_without_a_word() {
  QFETCH(std::string, name);
  Context context;
  for (const Damaged damaged : {Damaged::Refuse, Damaged::Read})
    QVERIFY(io::load_path(folder_ / name, "", context, damaged).warnings.empty());
}

void TestDamagedPictures::bytes_behind_the_picture_are_no_damage() {
  Context context;
  const std::string whole = bytes("whole.jpg");
  // After the end, and as padding before it: some cameras write either.
  const auto behind = folder_.put("behind.jpg", whole + std::string(300, '\0'));
  const auto before = folder_.put(
      "before.jpg", whole.substr(0, whole.size() - 2) + std::string(7, '\0') + "\xff\xd9");
  const std::vector<double> expected =
      test::values_of(io::load_path(folder_ / "whole.jpg", "", context).volume);
  for (const auto& file : {behind, before}) {
    const io::LoadedImage image = io::load_path(file, "", context);
    QVERIFY(image.warnings.empty());
    QVERIFY(test::values_of(image.volume) == expected);
  }
}

void TestDamagedPictures::labels_are_never_read_from_a_part() {
  Context context;
  const std::string whole = bytes("whole.png");
  const auto file = folder_.put("labels.png", whole.substr(0, whole.size() / 2));
  try {
    (void)io::read_labels(file, context);
    QFAIL("was read");
  } catch (const DamagedError& error) {
    QFAIL("offers what is not there for labels");
  } catch (const InputError& error) {
    QVERIFY2(std::string(error.what()).ends_with("labels need the whole file"), error.what());
  }
}

void TestDamagedPictures::a_stop_ends_reading() {
  std::stop_source stop;
  stop.request_stop();
  Context context;
  Context stopped(Context::Settings{.stop = stop.get_token()});
  for (const char* name : {"whole.jpg", "whole.png", "whole.tif"}) {
    const io::Item item = io::scan(folder_ / name, context).items.at(0);
    QVERIFY_EXCEPTION_THROWN((void)io::load(item, stopped), Cancelled);
  }
}

QTEST_GUILESS_MAIN(TestDamagedPictures)
#include "test_damaged_pictures.moc"
