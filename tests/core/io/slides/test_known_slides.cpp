// SPDX-License-Identifier: Apache-2.0
//
// The slides of the test data as OpenSlide 4 describes and reads them
// (tests/oracles/make_slides.py).
#include "core/io/image_source.h"
#include "core/io/slides/openslide_reader.h"
#include "core/io/slides/slide.h"
#include "tests/core/io/io_fixture.h"
#include "tests/support/test_data.h"

#include <QCryptographicHash>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <string>

using namespace seedwave;

namespace {

QJsonObject recorded() {
  QFile file(QStringLiteral(SEEDWAVE_FORMATS "/slides.json"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  return QJsonDocument::fromJson(file.readAll()).object()["slides"].toObject();
}

QString sha1_of(const Volume& pixels) {
  const auto bytes = pixels.bytes();
  return QCryptographicHash::hash(QByteArrayView(reinterpret_cast<const char*>(bytes.data()),
                                                 static_cast<qsizetype>(bytes.size())),
                                  QCryptographicHash::Sha1)
      .toHex();
}

}  // namespace

class TestKnownSlides : public QObject {
  Q_OBJECT
 private slots:
  void are_as_openslide_says_data() {
    QTest::addColumn<QString>("name");
    for (const QString& name : recorded().keys())
      QTest::newRow(qPrintable(name)) << name;
  }
  void are_as_openslide_says() {
    QFETCH(QString, name);
    const std::filesystem::path file = test::test_data(name.toStdString());
    SEEDWAVE_NEED_DATA(file);
    if (name.endsWith(".ndpi") && io::openslide_version().empty()) {
      if (test::data_required()) QFAIL("OpenSlide is not installed");
      QSKIP("OpenSlide is not installed");
    }
    const QJsonObject expected = recorded()[name].toObject();
    const auto slide = io::open_slide(file);
    QVERIFY(slide != nullptr);
    const io::SlideInfo& info = slide->info();
    const QJsonArray levels = expected["levels"].toArray();
    QCOMPARE(std::ssize(info.levels), std::ptrdiff_t{levels.size()});
    QVERIFY(std::abs((*info.mpp)[0] - expected["mpp"].toDouble()) < 1e-6 * (*info.mpp)[0]);
    QCOMPARE(info.objective.value_or(0.0), expected["objective"].toDouble());
    std::vector<std::string> pictures = info.pictures;
    std::ranges::sort(pictures);
    QCOMPARE(std::ssize(pictures), std::ptrdiff_t{expected["pictures"].toArray().size()});
    Context context;
    for (std::size_t i = 0; i < pictures.size(); ++i) {
      QCOMPARE(QString::fromStdString(pictures[i]),
               expected["pictures"].toArray()[static_cast<qsizetype>(i)].toString());
      QVERIFY(slide->picture(pictures[i], context).pixels.value_count() > 0);
    }
    for (int level = 0; level < levels.size(); ++level) {
      const io::SlideLevel& of = info.levels[static_cast<std::size_t>(level)];
      QCOMPARE(of.width, qint64{levels[level].toArray()[0].toInt()});
      QCOMPARE(of.height, qint64{levels[level].toArray()[1].toInt()});
      const io::SlidePart part =
          slide->read(level, {{0, 0, 0}, {of.width, of.height, 1}}, 0, context);
      QCOMPARE(part.damaged, std::int64_t{0});
      QCOMPARE(sha1_of(part.pixels), expected["sha1"].toArray()[level].toString());
    }
  }

  void one_that_cannot_be_opened_is_refused() {
    const std::filesystem::path file = test::test_data("S2_slide_oddities/unopenable.tiff");
    SEEDWAVE_NEED_DATA(file);
    const std::string message = test::input_error_of([&] { (void)io::open_slide(file); });
    QVERIFY2(message.find("unopenable.tiff") != std::string::npos, message.c_str());
    QVERIFY2(message.find("52479") != std::string::npos, message.c_str());
  }

  void one_that_cannot_be_read_opens_and_says_why() {
    const std::filesystem::path file = test::test_data("S2_slide_oddities/unreadable.svs");
    SEEDWAVE_NEED_DATA(file);
    Context context;
    const io::SlidePart part = io::open_slide(file)->read(0, {{0, 0, 0}, {16, 16, 1}}, 0, context);
    QCOMPARE(part.damaged, std::int64_t{1});
    QCOMPARE(QString::fromStdString(part.reason), QStringLiteral("Bogus marker length"));
    for (const std::uint8_t value : part.pixels.voxels<std::uint8_t>())
      QCOMPARE(value, std::uint8_t{255});
    QVERIFY_EXCEPTION_THROWN((void)io::load_path(file, "", context), io::DamagedError);
    QCOMPARE(io::load_path(file, "", context, io::Damaged::Read).warnings.size(), std::size_t{1});
  }

  void a_folder_gives_a_slide_of_all_its_files() {
    const std::filesystem::path folder = test::test_data("P11_slide_dicom");
    SEEDWAVE_NEED_DATA(folder);
    Context context;
    const io::Scan scan = io::scan(folder, context);
    QCOMPARE(scan.items.size(), std::size_t{1});
    QCOMPARE(scan.items.front().files.size(), std::size_t{4});
    QCOMPARE(scan.items.front().slide->levels.size(), std::size_t{3});
    // Every colour profile has these letters at this place.
    const auto slide = io::open_slide(folder / "level_1024.dcm");
    const auto profile = slide->color_profile();
    QVERIFY(profile.size() > 128);
    QCOMPARE(std::string(profile.begin() + 36, profile.begin() + 40), std::string("acsp"));
  }
};

QTEST_GUILESS_MAIN(TestKnownSlides)
#include "test_known_slides.moc"
