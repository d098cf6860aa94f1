// SPDX-License-Identifier: Apache-2.0
#include "core/texture/clusters/covariance.h"
#include "core/texture/clusters/product_kernel.h"
#include "tests/core/texture/clusters/random_points.h"

#include <QTest>

#include <algorithm>
#include <vector>

using namespace seedwave;

namespace {

/// Returns the covariance entry by entry, in the order of points.
Points by_definition(const Points& offsets) {
  Points matrix = Points::zeros(offsets.dimensions, offsets.dimensions);
  for (std::int64_t a = 0; a < offsets.dimensions; ++a) {
    for (std::int64_t b = 0; b < offsets.dimensions; ++b) {
      double sum = 0.0;
      for (std::int64_t i = 0; i < offsets.count(); ++i)
        sum += offsets.row(i)[a] * offsets.row(i)[b];
      matrix.row(a)[b] = sum / static_cast<double>(offsets.count());
    }
  }
  return matrix;
}

}  // namespace

class TestCovariance : public QObject {
  Q_OBJECT
 private slots:
  void mean_products_are_the_definition_bit_for_bit();
  void every_instruction_set_gives_the_same_bits();
};

void TestCovariance::mean_products_are_the_definition_bit_for_bit() {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    test::RandomNumbers random(seed);
    const std::int64_t dimensions = 1 + random.below(seed % 20 == 0 ? 200 : 70);
    const Points offsets = test::random_points(random, 1 + random.below(100), dimensions);
    const Points expected = by_definition(offsets);
    for (const int threads : {1, 2, 3, 16}) {
      Context context(Context::Settings{.threads = threads});
      QCOMPARE(mean_product(offsets, context).values, expected.values);
    }
  }
}

void TestCovariance::every_instruction_set_gives_the_same_bits() {
  constexpr std::int64_t kTile = texture::kProductTile;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    test::RandomNumbers random(seed);
    const std::int64_t count = 1 + random.below(40);
    const Points points = test::random_points(random, count, 2 * kTile);
    const std::int64_t rows = 1 + random.below(kTile);
    const std::int64_t columns = 1 + random.below(kTile);
    std::vector<double> sums[2];
    const texture::ProductKernel* kernels[] = {&texture::plain_product_kernel(),
                                               &texture::best_product_kernel()};
    for (int k = 0; k < 2; ++k) {
      sums[k].assign(static_cast<std::size_t>(kTile * kTile), 0.25);
      kernels[k]->add(points.values.data(), points.values.data() + kTile, 2 * kTile, count, rows,
                      columns, sums[k].data());
    }
    for (std::int64_t a = 0; a < rows; ++a)
      QVERIFY(std::equal(&sums[0][a * kTile], &sums[0][a * kTile] + columns, &sums[1][a * kTile]));
  }
}

QTEST_GUILESS_MAIN(TestCovariance)
#include "test_covariance.moc"
