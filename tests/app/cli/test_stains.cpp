// SPDX-License-Identifier: Apache-2.0
//
// Stains and their background, found on the command line.
#include "core/base/error.h"
#include "core/image/channel.h"
#include "core/io/save.h"
#include "tests/app/cli/cli_process.h"

#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <vector>

using namespace seedwave;
using test::CliOutcome;
using test::run_cli;

namespace {

constexpr Rgb kGlass{240, 216, 228};
constexpr std::int64_t kWidth = 120;

/// From left to right 40 columns each of one stain, of another and of glass, or another colour in
/// its place.
Volume stained_picture(const Rgb& right = kGlass) {
  Geometry geometry;
  geometry.size = {kWidth, 90, 1};
  geometry.unit = LengthUnit::Pixel;
  std::vector<std::uint8_t> rgb;
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const std::int64_t x = i % kWidth;
    const Vec3 stain = x < 40 ? Vec3{0.60, 0.74, 0.30} : Vec3{0.32, 0.58, 0.75};
    const double amount = x < 80 ? 0.3 + 0.6 * static_cast<double>(i / kWidth) / 90.0 : 0.0;
    for (std::size_t c = 0; c < 3; ++c) {
      const double light = x < 80 ? kGlass[c] * std::pow(10.0, -amount * stain[c]) : right[c];
      rgb.push_back(static_cast<std::uint8_t>(std::lround(light)));
    }
  }
  return {geometry, std::move(rgb), 3};
}

/// A GeoJSON feature: a rectangle as a region of a class.
std::string area(int left, int right, int top, int bottom, const char* name) {
  const auto point = [](int x, int y) {
    return "[" + std::to_string(x) + "," + std::to_string(y) + "]";
  };
  return R"({"type":"Feature","properties":{"classification":{"name":")" + std::string(name) +
         R"("}},"geometry":{"type":"Polygon","coordinates":[[)" + point(left, top) + "," +
         point(right, top) + "," + point(right, bottom) + "," + point(left, bottom) + "," +
         point(left, top) + "]]}}";
}

std::string columns(int left, int right, const char* name) {
  return area(left, right, 0, 90, name);
}

}  // namespace

class TestStains : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    io::save_volume(picture().toStdString(), stained_picture());
    std::ofstream(areas().toStdString())
        << R"({"type":"FeatureCollection","features":[)" << columns(0, 40, "first") << ","
        << columns(40, 80, "second") << "," << columns(80, 120, "glass") << ","
        << area(0, 40, 0, 20, "dark") << "]}";
    std::vector<std::uint8_t> columns(static_cast<std::size_t>(kWidth * 90));
    for (std::size_t i = 0; i < columns.size(); ++i)
      columns[i] = static_cast<std::uint8_t>(1 + i % kWidth / 40);
    io::save_volume(labels().toStdString(),
                    Volume(stained_picture().geometry(), std::move(columns)));
  }

  void every_way_finds_the_same_background() {
    const QJsonArray glass{240, 216, 228};
    for (const QString& background :
         {QString("auto"), QString("240,216,228"), areas() + "#glass"}) {
      const CliOutcome found = run_cli({"stains", picture(), "--background", background, "--json"});
      QCOMPARE(found.code, 0);
      QCOMPARE(found.json()["background"].toArray(), glass);
      const QJsonArray channels = found.json()["channels"].toArray();
      QVERIFY(channels[0].toString().endsWith(":240,216,228"));
      QVERIFY(channels[1].toString().endsWith(":240,216,228"));
      QVERIFY(is_near(found, 0, {0.60, 0.74, 0.30}));
      QVERIFY(is_near(found, 1, {0.32, 0.58, 0.75}));
    }
    const CliOutcome regions =
        run_cli({"stains", picture(), "--first", areas() + "#first", "--second",
                 areas() + "#second", "--background", areas() + "#glass", "--json"});
    QVERIFY(is_near(regions, 0, {0.60, 0.74, 0.30}));
    QVERIFY(is_near(regions, 1, {0.32, 0.58, 0.75}));
  }

  void white_is_left_out() {
    const CliOutcome found = run_cli({"stains", picture(), "--json"});
    QCOMPARE(found.code, 0);
    QCOMPARE(found.json()["background"].toArray(), (QJsonArray{255, 255, 255}));
    QCOMPARE(found.json()["channels"].toArray()[0].toString().count(':'), 2);
    QCOMPARE(run_cli({"stains", picture(), "--background", "255,255,255", "--json"}).out,
             found.out);
  }

  /// The amounts that other commands read are those on the background.
  void other_commands_take_the_background() {
    const CliOutcome found = run_cli({"stains", picture(), "--background", "auto", "--quiet"});
    const QStringList channels = QString::fromUtf8(found.out).split('\n', Qt::SkipEmptyParts);
    QCOMPARE(channels.size(), 2);
    const auto mean_of_glass = [&](const QString& channel) {
      const QString out = folder_.filePath("glass.csv");
      const CliOutcome run = run_cli({"run", "measure-objects", "--image", picture(), "--labels",
                                      labels(), "--channel", channel, "--each", "label", "--out",
                                      out, "--overwrite", "--quiet"});
      if (run.code != 0) return -1.0;
      QFile table(out);
      if (!table.open(QIODevice::ReadOnly)) return -1.0;
      const QStringList titles = QString::fromUtf8(table.readLine()).trimmed().split(',');
      table.readLine();
      table.readLine();
      const QStringList third = QString::fromUtf8(table.readLine()).trimmed().split(',');
      return third[titles.indexOf("mean")].toDouble();
    };
    QCOMPARE(mean_of_glass(channels[0]), 0.0);
    QVERIFY(mean_of_glass(channels[0].section(':', 0, 2)) > 0.005);  // on white
  }

  void a_background_of_tissue_is_pointed_out() {
    const QString pink = folder_.filePath("pink.png");
    io::save_volume(pink.toStdString(), stained_picture({235, 161, 196}));
    const CliOutcome found = run_cli({"stains", pink, "--background", "auto", "--json"});
    QCOMPARE(found.code, 0);
    QVERIFY(found.json()["warnings"].toArray()[0].toString().contains("hardly any glass"));
    // Not where there is glass, nor where the user knows the colour.
    for (const QString& background : {QString("auto"), areas() + "#dark", QString("150,90,120")}) {
      QVERIFY(run_cli({"stains", picture(), "--background", background, "--json"})
                  .json()["warnings"]
                  .toArray()
                  .isEmpty());
    }
  }

  void bad_backgrounds_are_one_line_data() {
    QTest::addColumn<QString>("background");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("line");
    QTest::newRow("too large") << "256,1,1" << 2 << "from 1 to 255";
    QTest::newRow("black") << "0,1,1" << 2 << "from 1 to 255";
    QTest::newRow("two") << "240,216" << 2 << "from 1 to 255";
    QTest::newRow("fraction") << "240.5,216,228" << 2 << "from 1 to 255";
    QTest::newRow("no file") << "missing.geojson" << 3 << "missing.geojson";
    QTest::newRow("no class") << areas() + "#nerve" << 3 << "has no regions of the class 'nerve'";
  }
  void bad_backgrounds_are_one_line() {
    QFETCH(QString, background);
    QFETCH(int, code);
    QFETCH(QString, line);
    const CliOutcome outcome = run_cli({"stains", picture(), "--background", background});
    QCOMPARE(outcome.code, code);
    QVERIFY2(outcome.err.contains(line.toUtf8()), outcome.err.constData());
    QCOMPARE(outcome.err.count('\n'), 1);
    QVERIFY(outcome.out.isEmpty());
  }

 private:
  [[nodiscard]] QString picture() const { return folder_.filePath("stained.png"); }
  [[nodiscard]] QString labels() const { return folder_.filePath("columns.png"); }
  [[nodiscard]] QString areas() const { return folder_.filePath("areas.geojson"); }
  [[nodiscard]] static bool is_near(const CliOutcome& found, int stain, const Vec3& expected) {
    const QJsonArray densities = found.json()["stains"].toArray()[stain].toArray();
    const double length = std::hypot(expected[0], expected[1], expected[2]);
    for (int c = 0; c < 3; ++c) {
      if (std::abs(densities[c].toDouble() - expected[static_cast<std::size_t>(c)] / length) > 0.02)
        return false;
    }
    return true;
  }

  QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(TestStains)
#include "test_stains.moc"
