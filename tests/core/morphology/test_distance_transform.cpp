// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/morphology/distance_transform.h"

#include <QtTest/QtTest>

#include <limits>
#include <random>

using namespace seedwave;

namespace {

/// The definition, as nested loops; shares nothing with what it checks.
DistanceTransform by_definition(const std::vector<std::uint8_t>& sources, const Index3& size,
                                const Vec3& spacing) {
  DistanceTransform transform;
  for (std::int64_t z = 0; z < size[2]; ++z) {
    for (std::int64_t y = 0; y < size[1]; ++y) {
      for (std::int64_t x = 0; x < size[0]; ++x) {
        double least = std::numeric_limits<double>::infinity();
        std::int64_t nearest = -1;
        std::int64_t offset = 0;
        for (std::int64_t c = 0; c < size[2]; ++c) {
          for (std::int64_t b = 0; b < size[1]; ++b) {
            for (std::int64_t a = 0; a < size[0]; ++a, ++offset) {
              if (sources[offset] == 0) continue;
              const double dx = static_cast<double>(x - a) * spacing[0];
              const double dy = static_cast<double>(y - b) * spacing[1];
              const double dz = static_cast<double>(z - c) * spacing[2];
              const double squared = dx * dx + dy * dy + dz * dz;
              if (squared >= least) continue;  // offsets rise, so the first of equals stays
              least = squared;
              nearest = offset;
            }
          }
        }
        transform.squared.push_back(least);
        transform.nearest.push_back(nearest);
      }
    }
  }
  return transform;
}

}  // namespace

class TestDistanceTransform : public QObject {
  Q_OBJECT
 private slots:
  void equals_the_definition_data();
  void equals_the_definition();
  void is_infinite_without_a_source();
  void stops_when_asked();
};

void TestDistanceTransform::equals_the_definition_data() {
  QTest::addColumn<QVector<int>>("size");
  QTest::addColumn<QVector<double>>("spacing");
  QTest::addColumn<double>("share");
  QTest::addColumn<int>("threads");
  QTest::addColumn<unsigned>("seed");
  unsigned seed = 1;
  for (const QVector<int>& size :
       {QVector<int>{1, 1, 1}, {33, 1, 1}, {1, 31, 1}, {1, 1, 32}, {17, 23, 1}, {9, 11, 13}}) {
    for (const QVector<double>& spacing :
         {QVector<double>{1, 1, 1}, {0.5, 0.75, 3.0}, {0.9375, 0.9375, 1.5}}) {
      for (const double share : {0.004, 0.05, 0.5}) {
        const int threads = seed % 2 == 0 ? 1 : 3;
        QTest::addRow("%dx%dx%d, %g x %g x %g mm, %g sources, %d threads, seed %u", size[0],
                      size[1], size[2], spacing[0], spacing[1], spacing[2], share, threads, seed)
            << size << spacing << share << threads << seed;
        ++seed;
      }
    }
  }
}

void TestDistanceTransform::equals_the_definition() {
  QFETCH(QVector<int>, size);
  QFETCH(QVector<double>, spacing);
  QFETCH(double, share);
  QFETCH(int, threads);
  QFETCH(unsigned, seed);
  const Index3 n{size[0], size[1], size[2]};
  const Vec3 mm{spacing[0], spacing[1], spacing[2]};
  std::mt19937 random(seed);
  std::bernoulli_distribution is_source(share);
  std::vector<std::uint8_t> sources(static_cast<std::size_t>(n[0] * n[1] * n[2]));
  for (std::uint8_t& source : sources)
    source = is_source(random) ? 1 : 0;
  sources[random() % sources.size()] = 1;
  Context context(Context::Settings{.threads = threads});
  const DistanceTransform transform = distance_transform(sources, n, mm, context);
  const DistanceTransform expected = by_definition(sources, n, mm);
  // The squares of these spacings are exact in f64, so ties are ties for both.
  QVERIFY(transform.squared == expected.squared);
  QVERIFY(transform.nearest == expected.nearest);
}

void TestDistanceTransform::is_infinite_without_a_source() {
  Context context;
  const DistanceTransform transform =
      distance_transform(std::vector<std::uint8_t>(30), {5, 3, 2}, {1, 1, 1}, context);
  for (std::size_t i = 0; i < 30; ++i) {
    QCOMPARE(transform.squared[i], std::numeric_limits<double>::infinity());
    QCOMPARE(transform.nearest[i], std::int64_t{-1});
  }
}

void TestDistanceTransform::stops_when_asked() {
  std::stop_source stop;
  stop.request_stop();
  Context context(Context::Settings{.stop = stop.get_token()});
  QVERIFY_EXCEPTION_THROWN(
      distance_transform(std::vector<std::uint8_t>(64 * 64 * 4), {64, 64, 4}, {1, 1, 1}, context),
      Cancelled);
}

QTEST_GUILESS_MAIN(TestDistanceTransform)
#include "test_distance_transform.moc"
