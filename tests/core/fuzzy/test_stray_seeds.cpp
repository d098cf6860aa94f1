// SPDX-License-Identifier: Apache-2.0
// Tests which seeds count as stray, against the definition, and that further seeds make none stray.
#include "core/fuzzy/stray_seeds.h"
#include "core/fuzzy/windows.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <vector>

using namespace seedwave;
using namespace seedwave::fuzzy;

namespace {

using Windows = std::map<Label, ObjectWindows>;

Geometry grid(const Index3& size) {
  Geometry geometry;
  geometry.size = size;
  return geometry;
}

/// Number of seeds of the label that can be reached from a place by steps to any neighbour.
std::size_t group_size(const Geometry& geometry, const std::map<std::int64_t, Label>& seeds,
                       std::int64_t from) {
  std::vector<std::int64_t> found{from};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Index3 at = geometry.index_of(found[i]);
    for (const auto& [offset, label] : seeds) {
      const Index3 to = geometry.index_of(offset);
      const bool near = std::abs(at[0] - to[0]) <= 1 && std::abs(at[1] - to[1]) <= 1 &&
                        std::abs(at[2] - to[2]) <= 1;
      if (near && label == seeds.at(from) && std::ranges::find(found, offset) == found.end())
        found.push_back(offset);
    }
  }
  return found.size();
}

bool is_in_any(const ObjectWindows& windows, double value) {
  return std::ranges::any_of(windows, [value](const IntensityWindow& window) {
    return value >= window.m - kWindowReach * window.below &&
           value <= window.m + kWindowReach * window.above;
  });
}

/// A random image with scattered seeds of labels 1 to 3; 3 has no windows.
struct Scattered {
  explicit Scattered(test::RandomNumbers& random)
      : geometry(grid({4 + random.below(6), 4 + random.below(6), 1 + random.below(3)})) {
    for (std::int64_t i = 0; i < geometry.voxel_count(); ++i)
      voxels.push_back(static_cast<std::uint8_t>(random.below(60)));
    for (int label = 1; label <= 2; ++label) {
      for (std::int64_t n = 1 + random.below(2); n > 0; --n) {
        windows[label].push_back({static_cast<double>(random.below(60)),
                                  0.25 + static_cast<double>(random.below(8)) / 4.0,
                                  0.25 + static_cast<double>(random.below(8)) / 4.0});
      }
    }
    add_seeds(random, 0, 5 + random.below(25));
    smallest = static_cast<std::size_t>(1 + random.below(6));
  }

  /// Adds seeds of a label, or of any if it is 0, where there is none yet.
  void add_seeds(test::RandomNumbers& random, Label label, std::int64_t count) {
    for (; count > 0; --count) {
      const Label drawn = 1 + static_cast<Label>(random.below(3));
      seeds.try_emplace(random.below(geometry.voxel_count()), label == 0 ? drawn : label);
    }
  }

  [[nodiscard]] std::map<std::int64_t, Label> stray() const {
    std::vector<Seed> listed;
    for (const auto& [offset, label] : seeds)
      listed.push_back({offset, label});
    Context context(Context::Settings{.threads = 1});
    std::map<std::int64_t, Label> found;
    const std::vector<Seed> doubtful = seeds_in_small_groups(geometry, listed, smallest, context);
    for (const Seed& seed :
         stray_seeds({.image = Volume(geometry, voxels), .doubtful = doubtful, .windows = windows},
                     context)) {
      found[seed.offset] = seed.label;
    }
    return found;
  }

  Geometry geometry;
  std::vector<std::uint8_t> voxels;
  Windows windows;
  std::map<std::int64_t, Label> seeds;
  std::size_t smallest = 0;
};

}  // namespace

class TestStraySeeds : public QObject {
  Q_OBJECT

 private slots:
  void are_as_defined() {
    test::RandomNumbers random(11);
    std::size_t found = 0;
    for (int k = 0; k < 2000; ++k) {
      const Scattered of(random);
      std::map<std::int64_t, Label> expected;
      for (const auto& [offset, label] : of.seeds) {
        const double value = of.voxels[static_cast<std::size_t>(offset)];
        const bool fits =
            label == 3 ? !is_in_any(of.windows.at(1), value) && !is_in_any(of.windows.at(2), value)
                       : is_in_any(of.windows.at(label), value);
        if (!fits && group_size(of.geometry, of.seeds, offset) < of.smallest)
          expected[offset] = label;
      }
      QVERIFY2(of.stray() == expected, qPrintable(QString("case %1").arg(k)));
      found += expected.size();
    }
    QVERIFY(found > 5000);
  }

  void further_seeds_make_none_stray() {
    test::RandomNumbers random(12);
    std::size_t freed = 0;
    for (int k = 0; k < 2000; ++k) {
      Scattered of(random);
      const auto had = of.seeds;
      const auto before = of.stray();
      of.add_seeds(random, 1 + static_cast<Label>(random.below(3)), 1 + random.below(8));
      const auto after = of.stray();
      for (const auto& [offset, label] : after) {
        if (had.contains(offset) && !before.contains(offset))
          QFAIL(qPrintable(QString("case %1").arg(k)));
      }
      for (const auto& [offset, label] : before)
        freed += after.contains(offset) ? 0 : 1;
    }
    QVERIFY(freed > 100);
  }

  void a_person_does_not_scatter_seeds() {
    const Geometry geometry = grid({64, 64, 4});
    Context context(Context::Settings{.threads = 1});
    const auto clicks = [&](std::int64_t count) {
      std::vector<Seed> seeds;
      for (std::int64_t i = 0; i < count; ++i)
        seeds.push_back({geometry.offset({i % 30 * 2, i / 30 * 2, 1}), 1});
      return seeds;
    };
    QCOMPARE(smallest_stroke_among(geometry, clicks(99), context), std::size_t{0});
    QCOMPARE(smallest_stroke_among(geometry, clicks(100), context), std::size_t{12});
    std::vector<Seed> with_strokes = clicks(100);
    for (std::int64_t i = 0; i < 110; ++i)
      with_strokes.push_back({geometry.offset({i % 55, 30 + i / 55, 3}), 2});
    std::ranges::sort(with_strokes, {}, &Seed::offset);
    QCOMPARE(smallest_stroke_among(geometry, with_strokes, context), std::size_t{0});
  }

  void do_not_widen_the_windows() {
    // Left half 100, right half 140, both with noise; a third of either label's seeds is wrong.
    const Geometry geometry = grid({40, 40, 12});
    test::RandomNumbers random(13);
    std::vector<float> values;
    for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
      const double level = geometry.index_of(i)[0] < 20 ? 100.0 : 140.0;
      values.push_back(static_cast<float>(level + static_cast<double>(random.below(21) - 10)));
    }
    WindowsProblem problem{.image = Volume(geometry, values), .described = {1}};
    std::map<std::int64_t, Label> seeds;
    for (int k = 0; k < 600; ++k) {
      const std::int64_t offset = random.below(geometry.voxel_count());
      const bool left = geometry.index_of(offset)[0] < 20;
      seeds.try_emplace(offset, left == (random.below(3) != 0) ? 1 : 2);
    }
    for (const auto& [offset, label] : seeds)
      problem.seeds.push_back({offset, label});
    Context context(Context::Settings{.threads = 1});
    const auto end = [&] {
      const IntensityWindow window =
          WindowsEstimator(problem, context).estimate({}).windows.at(1).front();
      return window.m + kWindowReach * window.above;
    };
    QVERIFY(end() > 135.0);
    problem.doubtful = seeds_in_small_groups(geometry, problem.seeds, 12, context);
    const double found = end();
    QVERIFY2(found > 110.0 && found < 130.0, qPrintable(QString::number(found)));
  }
};

QTEST_APPLESS_MAIN(TestStraySeeds)
#include "test_stray_seeds.moc"
