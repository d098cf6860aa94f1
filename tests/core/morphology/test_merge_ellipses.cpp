// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/merge_ellipses.h"

#include <QTest>

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

using namespace seedwave;

namespace {

constexpr std::int64_t kSize = 64;

Geometry square_grid() {
  Geometry grid;
  grid.size = {kSize, kSize, 1};
  grid.unit = LengthUnit::Pixel;
  return grid;
}

using LabelAt = std::function<Label(double x, double y)>;

LabelMap parts_by(const LabelAt& label_at) {
  return make_labels(square_grid(), 9, [&](auto& labels) {
    for (std::int64_t i = 0; i < std::ssize(labels); ++i) {
      labels[i] = static_cast<std::remove_cvref_t<decltype(labels[i])>>(
          label_at(static_cast<double>(i % kSize), static_cast<double>(i / kSize)));
    }
  });
}

bool in_disc(double x, double y, double centre, double radius) {
  return std::hypot(x - centre, y - 32) <= radius;
}

Volume flat_image() {
  return {square_grid(), std::vector<float>(kSize * kSize, 1.0F)};
}

/// Returns 1 except in a column, where it is lower.
Volume image_with_valley(std::int64_t column, float value) {
  std::vector<float> values(kSize * kSize, 1.0F);
  for (std::int64_t y = 0; y < kSize; ++y) {
    values[y * kSize + column] = value;
    values[y * kSize + column - 1] = value;
  }
  return {square_grid(), std::move(values)};
}

LabelMap merged(const LabelMap& parts, const Volume& image, double most_pixels = 1e9) {
  Context context;
  return merge_ellipses({.parts = parts, .image = image, .most_pixels = most_pixels}, context);
}

EllipseSums sums_where(const std::function<bool(double, double)>& is_inside) {
  EllipseSums sums;
  for (double y = 0; y < 200; ++y) {
    for (double x = 0; x < 400; ++x) {
      if (is_inside(x, y))
        sums.add({.pixels = 1, .x = x, .y = y, .xx = x * x, .yy = y * y, .xy = x * y});
    }
  }
  return sums;
}

LabelMap half_discs() {
  return parts_by(
      [](double x, double y) -> Label { return in_disc(x, y, 32, 15) ? (x < 32 ? 1 : 2) : 0; });
}

LabelMap touching_discs() {
  return parts_by([](double x, double y) -> Label {
    if (in_disc(x, y, 20, 12)) return 1;
    return in_disc(x, y, 43, 12) ? 2 : 0;
  });
}

}  // namespace

class TestMergeEllipses : public QObject {
  Q_OBJECT
 private slots:
  void ellipticity_is_that_of_known_shapes();
  void merges_halves_of_a_disc();
  void keeps_a_valley();
  void keeps_touching_discs_apart();
  void keeps_within_the_largest_size();
  void accepts_an_empty_map();
};

void TestMergeEllipses::ellipticity_is_that_of_known_shapes() {
  const auto near = [](double a, double b) { return std::abs(a - b) < 0.01; };
  const auto disc = [](double x, double y) { return std::hypot(x - 100, y - 100) <= 80; };
  QVERIFY(near(sums_where(disc).ellipticity(), 1.0));
  QVERIFY(near(sums_where([](double x, double y) {
                 return std::hypot((x - 200) / 3, y - 100) <= 60;
               }).ellipticity(),
               1.0));
  QVERIFY(near(sums_where([&](double x, double y) { return x < 100 && disc(x, y); }).ellipticity(),
               0.946));
  QVERIFY(near(sums_where([](double x, double y) {
                 return std::hypot(x - 100, y - 100) <= 60 || std::hypot(x - 220, y - 100) <= 60;
               }).ellipticity(),
               0.894));
  // A line of pixels, and a pixel: squares have 3 / pi.
  QVERIFY(near(sums_where([](double, double y) { return y == 0; }).ellipticity(), 0.955));
  QVERIFY(near(sums_where([](double x, double y) { return x + y == 0; }).ellipticity(), 0.955));
}

void TestMergeEllipses::merges_halves_of_a_disc() {
  const LabelMap whole = merged(half_discs(), flat_image());
  for (const Label label : whole.labels())
    QVERIFY(label <= 1);
}

void TestMergeEllipses::keeps_a_valley() {
  const LabelMap halves = half_discs();
  QVERIFY(merged(halves, image_with_valley(32, 0.5F)).labels() == halves.labels());
  QVERIFY(merged(halves, image_with_valley(32, 0.99F)).labels() != halves.labels());
}

void TestMergeEllipses::keeps_touching_discs_apart() {
  const LabelMap discs = touching_discs();
  QVERIFY(merged(discs, flat_image()).labels() == discs.labels());
}

void TestMergeEllipses::keeps_within_the_largest_size() {
  const LabelMap halves = half_discs();
  QVERIFY(merged(halves, flat_image(), 500).labels() == halves.labels());
}

void TestMergeEllipses::accepts_an_empty_map() {
  const LabelMap nothing = parts_by([](double, double) -> Label { return 0; });
  QVERIFY(merged(nothing, flat_image()).labels() == nothing.labels());
}

QTEST_APPLESS_MAIN(TestMergeEllipses)
#include "test_merge_ellipses.moc"
