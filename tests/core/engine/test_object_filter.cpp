// SPDX-License-Identifier: Apache-2.0
// Filters, order and bins of a list of objects, compared with their definitions.
#include "core/base/error.h"
#include "core/engine/object_bins.h"
#include "core/engine/object_filter.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace seedwave;

namespace {

constexpr std::int64_t kSide = 90;

/// Hundreds of objects of noise, with an image that holds NaN.
ObjectList many_objects() {
  Geometry grid;
  grid.size = {kSide, kSide, 1};
  grid.spacing = {0.0005, 0.0005, 1.0};  // mm: half a micrometre
  std::mt19937_64 random(3);
  std::vector<std::uint8_t> labels(kSide * kSide);
  std::vector<float> values(kSide * kSide);
  for (std::uint8_t& label : labels)
    label = random() % 5 < 2;
  for (float& value : values)
    value = random() % 50 == 0 ? std::nanf("") : static_cast<float>(random() % 7) - 3.0F;
  Context context;
  return {LabelMap(grid, std::move(labels)), false, Volume(grid, std::move(values)), {}, context};
}

std::vector<std::int32_t> all_of(const ObjectList& list) {
  std::vector<std::int32_t> objects(list.objects().size());
  std::iota(objects.begin(), objects.end(), 0);
  return objects;
}

std::string refusal(const ObjectList& list, const std::string& text) {
  try {
    static_cast<void>(parse_object_filter(text, list));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

class TestObjectFilter : public QObject {
  Q_OBJECT
 private slots:
  void reads_conditions();
  void says_what_it_does_not_understand();
  void keeps_what_passes_in_order();
  void chosen_ones_come_first();
  void bins_count_each_object_once();
  void ranges_hold_their_ends();

 private:
  const ObjectList list_ = many_objects();
};

void TestObjectFilter::reads_conditions() {
  const std::size_t size = *list_.find_column("size");
  QVERIFY(parse_object_filter("  ", list_).empty());
  const ObjectFilter filter =
      parse_object_filter("Area > 0.5 and circularity<=0.8, Max diameter != 3", list_);
  QCOMPARE(filter.size(), std::size_t{3});
  QCOMPARE(filter[0].column, size);
  QCOMPARE(filter[0].value, 0.5);
  QCOMPARE(filter[1].column, *list_.find_column("circularity"));
  QCOMPARE(filter[1].comparison, ObjectCondition::Comparison::AtMost);
  QCOMPARE(filter[2].column, *list_.find_column("max_diameter"));
  QCOMPARE(filter[2].comparison, ObjectCondition::Comparison::Unequal);
  const ObjectFilter range = parse_object_filter(range_text(list_, size, 0.25, 1.5), list_);
  QCOMPARE(range.size(), std::size_t{2});
  QVERIFY(range[0].holds(0.25) && !range[0].holds(0.2) && !range[0].holds(std::nan("")));
  QVERIFY(range[1].holds(1.5) && !range[1].holds(1.6));
  QVERIFY(!ObjectCondition{.comparison = ObjectCondition::Comparison::Unequal}.holds(std::nan("")));
}

void TestObjectFilter::says_what_it_does_not_understand() {
  QCOMPARE(refusal(list_, "area > 30 and"), std::string("'30 and' is not a number: area > 30 and"));
  QCOMPARE(refusal(list_, "wibble > 3"), std::string("there is no column 'wibble'"));
  QCOMPARE(refusal(list_, "area"), std::string("'area' is not a condition such as area > 30"));
  QCOMPARE(refusal(list_, "area ! 3"),
           std::string("'area ! 3' is not a condition such as area > 30"));
  QCOMPARE(refusal(list_, "area > 3,"), std::string("'' is not a condition such as area > 30"));
}

void TestObjectFilter::keeps_what_passes_in_order() {
  Context context(Context::Settings{.threads = 2});
  const std::size_t size = *list_.find_column("size");
  // Sizes are shown in square micrometres: a pixel has 0.25.
  const ObjectFilter filter = parse_object_filter("area >= 0.5", list_);
  for (std::size_t column = 0; column < list_.columns().size(); ++column) {
    for (const bool falls : {false, true}) {
      std::vector<std::int32_t> expected = all_of(list_);
      std::erase_if(expected, [&](std::int32_t object) {
        return list_.objects()[static_cast<std::size_t>(object)].voxels < 2;
      });
      std::ranges::stable_sort(expected, [&](std::int32_t a, std::int32_t b) {
        const double first = list_.number(column, static_cast<std::size_t>(a));
        const double second = list_.number(column, static_cast<std::size_t>(b));
        if (std::isnan(first) || std::isnan(second)) return !std::isnan(first);
        return falls ? first > second : first < second;
      });
      const ObjectOrder order{.filter = filter, .column = static_cast<int>(column), .falls = falls};
      const std::vector<std::int32_t> found = ordered_objects(list_, order, context);
      QCOMPARE(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        const double a = list_.number(column, static_cast<std::size_t>(found[i]));
        // stable_sort has no order among NaN.
        if (!std::isnan(a)) QCOMPARE(found[i], expected[i]);
        QCOMPARE(std::isnan(a),
                 std::isnan(list_.number(column, static_cast<std::size_t>(expected[i]))));
      }
    }
  }
  QCOMPARE(ordered_objects(list_, {}, context), all_of(list_));
  QCOMPARE(list_.columns()[size].unit.symbol, std::string("\u00b5m\u00b2"));
}

void TestObjectFilter::chosen_ones_come_first() {
  Context context;
  ObjectOrder order{.column = static_cast<int>(*list_.find_column("size"))};
  const std::vector<std::int32_t> before = ordered_objects(list_, order, context);
  order.first.assign(list_.objects().size(), false);
  order.first[7] = order.first[20] = true;
  const std::vector<std::int32_t> after = ordered_objects(list_, order, context);
  QVERIFY((std::set<std::int32_t>{after[0], after[1]} == std::set<std::int32_t>{7, 20}));
  std::vector<std::int32_t> others = before;
  std::erase_if(others, [](std::int32_t object) { return object == 7 || object == 20; });
  QVERIFY(std::equal(others.begin(), others.end(), after.begin() + 2, after.end()));
}

void TestObjectFilter::bins_count_each_object_once() {
  Context context;
  const std::size_t size = *list_.find_column("size");
  const std::size_t mean = *list_.find_column("mean");
  std::vector<bool> chosen(list_.objects().size());
  chosen[3] = true;
  const auto objects = all_of(list_);
  const auto sum = [](const std::vector<std::uint32_t>& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  };
  const ObjectBins histogram = bin_objects(list_, objects, size, std::nullopt, chosen, context);
  QCOMPARE(sum(histogram.all), std::ssize(objects));
  QCOMPARE(sum(histogram.chosen), std::int64_t{1});
  const ObjectBins scatter = bin_objects(list_, objects, size, mean, chosen, context);
  const std::int64_t without = std::ranges::count_if(objects, [&](std::int32_t object) {
    return std::isnan(list_.number(mean, static_cast<std::size_t>(object)));
  });
  QVERIFY(without > 0);
  QCOMPARE(sum(scatter.all), std::ssize(objects) - without);
  QCOMPARE(scatter.all.size(), static_cast<std::size_t>(kScatterBins * kScatterBins));
  for (const std::int32_t object : objects) {
    const double number = list_.number(mean, static_cast<std::size_t>(object));
    if (std::isnan(number)) continue;
    const int x = scatter.x.bin_of(list_.number(size, static_cast<std::size_t>(object)));
    QVERIFY(scatter.all[static_cast<std::size_t>(scatter.y->bin_of(number) * kScatterBins + x)] >
            0);
  }
  QCOMPARE(sum(bin_objects(list_, {}, size, std::nullopt, {}, context).all), std::int64_t{0});
}

void TestObjectFilter::ranges_hold_their_ends() {
  Context context;
  const std::size_t size = *list_.find_column("size");
  const auto objects = all_of(list_);
  const std::vector<ColumnRange> ranges{{.column = size, .low = 0.5, .high = 0.75}};
  for (const std::int32_t object : objects) {
    const auto found = objects_within(list_, std::vector{object}, ranges, context);
    const std::int64_t voxels = list_.objects()[static_cast<std::size_t>(object)].voxels;
    QCOMPARE(found.empty(), voxels != 2 && voxels != 3);
  }
}

QTEST_APPLESS_MAIN(TestObjectFilter)
#include "test_object_filter.moc"
