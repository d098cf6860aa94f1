// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/linear/deskew.h"
#include "core/morphology/linear/orientation.h"
#include "tests/support/random_volume.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

using namespace seedwave;
using test::random_volume;
using test::values_of;

namespace {

/// Returns dark rules on a bright page, rotated counter-clockwise by `degrees`.
Volume ruled_page(double degrees) {
  Geometry geometry;
  geometry.size = {400, 300, 1};
  const double radians = degrees * M_PI / 180.0;
  std::vector<std::uint8_t> pixels;
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const Index3 at = geometry.index_of(i);
    const double x = static_cast<double>(at[0]) - 199.5;
    const double y = static_cast<double>(at[1]) - 149.5;
    const double across = x * std::sin(radians) + y * std::cos(radians);
    // Edges are grey, as from a scanner.
    const double off_rule = std::clamp(std::abs(std::remainder(across, 20.0)) - 1.0, 0.0, 1.0);
    const bool blank = std::abs(x) > 180.0 || std::abs(y) > 130.0;
    pixels.push_back(static_cast<std::uint8_t>(blank ? 230.0 : 20.0 + 210.0 * off_rule));
  }
  return {geometry, std::move(pixels)};
}

std::vector<double> angles_within(double range, double step) {
  std::vector<double> angles;
  for (double angle = -range; angle <= range + step / 2; angle += step)
    angles.push_back(angle);
  return angles;
}

double angle_of(const Volume& page, double range, double step) {
  const std::vector<double> angles = angles_within(range, step);
  LineFanProblem fan{.image = page, .filter = LineFilter::Closing};
  for (const double angle : angles)
    fan.directions.push_back({LineFamily::at_angle(angle, page.geometry().size), 250});
  Context context;
  return angles[strongest_angle(angles, angular_spectrum(fan, context), fan.filter)];
}

/// Returns rows of dark words on a bright page, rotated counter-clockwise by `degrees`.
Volume printed_page(double degrees) {
  constexpr std::int64_t kWidth = 600;
  constexpr std::int64_t kHeight = 400;
  Geometry geometry;
  geometry.size = {kWidth, kHeight, 1};
  test::RandomNumbers random(4);
  std::vector<std::uint8_t> level(kWidth * kHeight, 230);
  for (std::int64_t top = 30; top + 10 < kHeight - 30; top += 20) {
    for (std::int64_t x = 30; x + 30 < kWidth - 30; x += 5 + random.below(6)) {
      const std::int64_t end = x + 9 + random.below(22);
      for (; x < end; ++x) {
        const std::int64_t tall = 6 + random.below(5);  // letters end at different heights
        for (std::int64_t y = top + 10 - tall; y < top + 10; ++y)
          level[x + kWidth * y] = 20;
      }
    }
  }
  Context context;
  return turned_clockwise(Volume(geometry, std::move(level)), -degrees, 230.0, context);
}

double angle_of_rows(const Volume& page, double range, double step) {
  const std::vector<double> angles = angles_within(range, step);
  std::vector<LineFamily> rows;
  for (const double angle : angles)
    rows.push_back(LineFamily::at_angle(angle, page.geometry().size));
  Context context;
  const std::vector<double> contrasts = row_contrast(page, middle_value(page), rows, context);
  return angles[strongest_angle(angles, contrasts, LineFilter::Opening)];
}

/// Computed line by line, from the cells of each, with none before the first.
double contrast_by_definition(const Volume& image, double ground, const LineFamily& lines) {
  const auto sum_of = [&](std::int64_t base, std::int64_t z) {
    const DigitalLine line = lines.inside({0, base, z});
    double sum = 0.0;
    for (std::int64_t x = line.first; x < line.last; ++x)
      sum += image.value_at({x, base + lines.shifts(1)[x], z}) - ground;
    return sum;
  };
  double contrast = 0.0;
  for (std::int64_t z = 0; z < image.geometry().size[2]; ++z) {
    for (std::int64_t base = lines.first_base(1); base <= lines.last_base(1) + 1; ++base) {
      const double step = sum_of(base, z) - sum_of(base - 1, z);
      contrast += step * step;
    }
  }
  return contrast;
}

}  // namespace

class TestDeskew : public QObject {
  Q_OBJECT
 private slots:
  void finds_the_angle_of_rules();
  void a_page_turned_back_is_level();
  void equal_sums_mean_no_turn();
  void row_contrast_is_its_definition();
  void rows_of_short_words_have_a_direction();
  void a_fit_finds_small_angles();
  void a_fit_mends_a_wrong_coarse_angle();
  void confidence_tells_rows_from_noise();
  void a_fit_is_the_same_on_any_number_of_threads();
  void no_turn_changes_nothing();
  void a_quarter_turn_moves_pixels_exactly();
  void between_pixels_values_are_bilinear();
  void threads_change_no_bit();
};

void TestDeskew::finds_the_angle_of_rules() {
  for (const double angle : {-7.3, -2.0, -0.4, 0.0, 1.1, 4.65, 9.0}) {
    const double coarse = angle_of(ruled_page(angle), 10.0, 0.25);
    const double fine = angle_of(ruled_page(angle), 10.0, 0.05);
    QVERIFY2(std::abs(coarse - angle) <= 0.25, qPrintable(QString::number(coarse)));
    QVERIFY2(std::abs(fine - angle) <= 0.1, qPrintable(QString::number(fine)));
  }
}

void TestDeskew::a_page_turned_back_is_level() {
  Context context;
  for (const double angle : {-5.0, 3.5}) {
    const Volume level = turned_clockwise(ruled_page(angle), angle, 230.0, context);
    QVERIFY(std::abs(angle_of(level, 10.0, 0.1)) <= 0.1);
    QCOMPARE(level.value_at({0, 0, 0}), 230.0);
  }
}

void TestDeskew::equal_sums_mean_no_turn() {
  const std::vector<double> angles{-1.0, -0.5, 0.0, 0.5, 1.0};
  QCOMPARE(strongest_angle(angles, {7, 7, 7, 7, 7}, LineFilter::Closing), std::size_t{2});
  QCOMPARE(strongest_angle(angles, {7, 6, 7, 6, 7}, LineFilter::Closing), std::size_t{1});
  QCOMPARE(strongest_angle(angles, {7, 6, 7, 6, 8}, LineFilter::Opening), std::size_t{4});
}

void TestDeskew::row_contrast_is_its_definition() {
  test::RandomNumbers random(3);
  Context one(Context::Settings{.threads = 1});
  Context several(Context::Settings{.threads = 5});
  for (int i = 0; i < 300; ++i) {
    Geometry geometry;
    geometry.size = {1 + random.below(23), 1 + random.below(17), 1 + random.below(3)};
    const auto type = random.of(kVoxelTypes);
    const Volume image = random_volume(random, geometry, type);
    std::vector<LineFamily> directions;
    for (const double angle : {-45.0, -30.3, -1.0, 0.0, 0.75, 12.0, 45.0})
      directions.push_back(LineFamily::at_angle(angle, geometry.size));
    const double ground = static_cast<double>(random.below(9));
    const std::vector<double> contrasts = row_contrast(image, ground, directions, several);
    QVERIFY(contrasts == row_contrast(image, ground, directions, one));
    for (std::size_t k = 0; k < directions.size(); ++k) {
      const double defined = contrast_by_definition(image, ground, directions[k]);
      // The values are integers or quarters, so most sums are exact; squares of large ones are
      // rounded.
      QVERIFY2(std::abs(contrasts[k] - defined) <= 1e-12 * defined, qPrintable(QString::number(i)));
    }
  }
  const Volume infinite =
      test::line_of<float>({5.0F, std::numeric_limits<float>::infinity(), 3.0F});
  QCOMPARE(row_contrast(infinite, 4.0, {LineFamily::at_angle(0.0, infinite.geometry().size)}, one),
           std::vector<double>{0.0});
}

void TestDeskew::rows_of_short_words_have_a_direction() {
  // No line of the print is long enough: words of 9 to 30 pixels with gaps between them.
  for (const double angle : {-7.3, -0.4, 0.0, 1.15, 9.0}) {
    const Volume page = printed_page(angle);
    for (const double step : {0.25, 0.05}) {
      const double found = angle_of_rows(page, 10.0, step);
      QVERIFY2(std::abs(found - angle) < (step == 0.25 ? 0.26 : 0.11),
               qPrintable(QStringLiteral("%1, step %2: %3").arg(angle).arg(step).arg(found)));
    }
  }
}

void TestDeskew::a_fit_finds_small_angles() {
  Context context;
  const std::vector<double> tried = angles_within(10.0, 0.25);
  for (const double angle : {0.0, 0.05, -0.13, 0.4, 1.15, 2.3, -6.85}) {
    for (const auto& [name, page] :
         {std::pair{"rules", ruled_page(angle)}, std::pair{"words", printed_page(angle)}}) {
      const double coarse = std::round(angle * 4.0) / 4.0;
      const SkewFit fit = fit_skew(page, middle_value(page), coarse, tried, 0.75, context);
      QVERIFY2(
          std::abs(fit.angle - angle) <= 0.02,
          qPrintable(QStringLiteral("%1 turned by %2: %3").arg(name).arg(angle).arg(fit.angle)));
      QVERIFY2(fit.confidence > 0.4, qPrintable(QString::number(fit.confidence)));
    }
  }
}

void TestDeskew::a_fit_mends_a_wrong_coarse_angle() {
  // Short words contain no line of 250 pixels, so closings may give anything.
  Context context;
  const Volume page = printed_page(0.05);
  const SkewFit fit =
      fit_skew(page, middle_value(page), -4.0, angles_within(10.0, 0.25), 0.75, context);
  QVERIFY2(std::abs(fit.angle - 0.05) <= 0.02, qPrintable(QString::number(fit.angle)));
}

void TestDeskew::confidence_tells_rows_from_noise() {
  Context context;
  test::RandomNumbers random(5);
  Geometry geometry;
  geometry.size = {400, 300, 1};
  std::vector<std::uint8_t> noise;
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i)
    noise.push_back(static_cast<std::uint8_t>(random.below(256)));
  const std::vector<double> tried = angles_within(10.0, 0.25);
  const SkewFit of_noise =
      fit_skew(Volume(geometry, std::move(noise)), 128.0, 0.0, tried, 0.75, context);
  QVERIFY2(of_noise.confidence < 0.2, qPrintable(QString::number(of_noise.confidence)));
  const Volume blank(geometry, std::vector<std::uint8_t>(400 * 300, 9));
  const SkewFit of_blank = fit_skew(blank, 9.0, 1.25, tried, 0.75, context);
  QCOMPARE(of_blank.angle, 1.25);
  QCOMPARE(of_blank.confidence, 0.0);
}

void TestDeskew::a_fit_is_the_same_on_any_number_of_threads() {
  const Volume page = printed_page(1.15);
  const std::vector<double> angles = angles_within(2.0, 0.1);
  Context one(Context::Settings{.threads = 1});
  Context several(Context::Settings{.threads = 5});
  QVERIFY(row_sharpness(page, 230.0, angles, one) == row_sharpness(page, 230.0, angles, several));
  // The definition, at an angle at which every column moves by whole steps: none.
  Geometry geometry;
  geometry.size = {3, 2, 1};
  const Volume small(geometry, std::vector<std::uint8_t>{7, 5, 5, 5, 5, 5});
  const Volume twice(geometry, std::vector<std::uint8_t>{9, 5, 5, 5, 5, 5});
  const double energy = row_sharpness(small, 5.0, {0.0}, one).front();
  QVERIFY(energy > 0.0);
  QCOMPARE(row_sharpness(twice, 5.0, {0.0}, one).front(), 4.0 * energy);
}

void TestDeskew::no_turn_changes_nothing() {
  test::RandomNumbers random(1);
  Geometry geometry;
  geometry.size = {33, 21, 2};
  Context context;
  for (const VoxelType type : kVoxelTypes) {
    const Volume image = random_volume(random, geometry, type);
    QVERIFY(values_of(turned_clockwise(image, 0.0, 1.0, context)) == values_of(image));
  }
}

void TestDeskew::a_quarter_turn_moves_pixels_exactly() {
  Geometry geometry;
  geometry.size = {3, 3, 1};
  const Volume image(geometry, std::vector<std::uint8_t>{1, 2, 3,  //
                                                         4, 5, 6,  //
                                                         7, 8, 9});
  Context context;
  const Volume turned = turned_clockwise(image, 90.0, 0.0, context);
  QCOMPARE(values_of(turned), (std::vector<double>{7, 4, 1, 8, 5, 2, 9, 6, 3}));
}

void TestDeskew::between_pixels_values_are_bilinear() {
  // One of two adjacent pixels rotated by 60 degrees lands a quarter in, 0.43 above the row.
  Geometry geometry;
  geometry.size = {2, 1, 1};
  const Volume image(geometry, std::vector<float>{0.0F, 100.0F});
  Context context;
  const Volume turned = turned_clockwise(image, 60.0, 0.0, context);
  const double share = 1.0 - 0.5 * std::sqrt(3.0) / 2.0;
  QCOMPARE(turned.value_at({1, 0, 0}), static_cast<double>(static_cast<float>(75.0 * share)));
  QCOMPARE(turned.value_at({0, 0, 0}), static_cast<double>(static_cast<float>(25.0 * share)));
}

void TestDeskew::threads_change_no_bit() {
  test::RandomNumbers random(2);
  Geometry geometry;
  geometry.size = {150, 140, 3};
  const Volume image = random_volume(random, geometry, VoxelType::F32);
  Context one(Context::Settings{.threads = 1});
  Context several(Context::Settings{.threads = 5});
  QVERIFY(std::ranges::equal(turned_clockwise(image, 7.7, 3.0, one).bytes(),
                             turned_clockwise(image, 7.7, 3.0, several).bytes()));
  QCOMPARE(middle_value(test::line_of<std::int16_t>({9, -3, 4, 4, 1})), 4.0);
}

QTEST_GUILESS_MAIN(TestDeskew)
#include "test_deskew.moc"
