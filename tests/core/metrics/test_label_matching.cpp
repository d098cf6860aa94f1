// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/metrics/label_matching.h"
#include "core/metrics/overlap.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace seedwave;

namespace {

using Labels = std::vector<Label>;

LabelMap row(Labels labels) {
  Geometry geometry;
  geometry.size = {std::ssize(labels), 1, 1};
  return {geometry, std::move(labels)};
}

/// Returns voxels of labels 0 .. most, each label times `step`.
LabelMap random_row(test::RandomNumbers& random, std::uint64_t most, int step) {
  constexpr std::size_t kVoxels = 40;
  Labels labels(kVoxels);
  for (Label& label : labels)
    label = static_cast<Label>(random.below(most + 1) * step);
  return row(std::move(labels));
}

double dice_of(const LabelMap& result, const LabelMap& reference, Label a, Label b) {
  double in_result = 0.0;
  double in_reference = 0.0;
  double both = 0.0;
  for (std::size_t i = 0; i < result.labels().size(); ++i) {
    const bool is_a = result.labels()[i] == a;
    const bool is_b = reference.labels()[i] == b;
    in_result += is_a ? 1.0 : 0.0;
    in_reference += is_b ? 1.0 : 0.0;
    both += is_a && is_b ? 1.0 : 0.0;
  }
  return both == 0.0 ? 0.0 : 2.0 * both / (in_result + in_reference);
}

/// Returns the maximum sum over matchings of labels 1 .. most, some of which may be absent.
double best_sum(const LabelMap& result, const LabelMap& reference, int most, int step) {
  std::vector<int> partner(static_cast<std::size_t>(most));
  std::iota(partner.begin(), partner.end(), 1);
  double best = 0.0;
  do {
    double sum = 0.0;
    for (int label = 1; label <= most; ++label)
      sum += dice_of(result, reference, static_cast<Label>(label * step),
                     static_cast<Label>(partner[label - 1]));
    best = std::max(best, sum);
  } while (std::next_permutation(partner.begin(), partner.end()));
  return best;
}

}  // namespace

class TestLabelMatching : public QObject {
  Q_OBJECT
 private slots:
  void no_other_pairs_have_more_dice();
  void a_pair_shares_voxels();
  void labels_without_a_partner_take_numbers_that_are_free();
  void keeps_what_the_reference_labels();
  void tells_numbered_objects_from_named_labels();
  void refuses_thousands();
};

void TestLabelMatching::no_other_pairs_have_more_dice() {
  constexpr int kMost = 5;
  constexpr int kStep = 7;
  test::RandomNumbers random(1);
  Context context;
  for (int round = 0; round < 2000; ++round) {
    const LabelMap result = random_row(random, 1 + random.below(kMost), kStep);
    const LabelMap reference = random_row(random, 1 + random.below(kMost), 1);
    double sum = 0.0;
    for (const auto& [a, b] : match_labels(result, reference, context))
      sum += dice_of(result, reference, a, b);
    QVERIFY(std::abs(sum - best_sum(result, reference, kMost, kStep)) < 1e-9);
  }
}

void TestLabelMatching::a_pair_shares_voxels() {
  Context context;
  const auto matches = match_labels(row({1, 1, 2, 2, 0}), row({5, 5, 0, 0, 6}), context);
  QVERIFY((matches == std::map<Label, Label>{{1, 5}}));
  QVERIFY(match_labels(row({0, 0}), row({0, 3}), context).empty());
}

void TestLabelMatching::labels_without_a_partner_take_numbers_that_are_free() {
  Context context;
  const LabelMap result = row({9, 9, 4, 0, 7, 4});
  const LabelMap reference = row({2, 2, 1, 0, 0, 1});
  const LabelMap named =
      renumbered(result, reference, match_labels(result, reference, context), context);
  QVERIFY(std::ranges::equal(named.labels(), Labels{2, 2, 1, 0, 3, 1}));
}

void TestLabelMatching::keeps_what_the_reference_labels() {
  Context context;
  const LabelMap result = row({1, 2, 3, 0});
  const LabelMap reference = row({4, 0, 1, 2});
  const LabelMap kept = compared_part(result, reference, Scored::WhereLabelled, context);
  QVERIFY(std::ranges::equal(kept.labels(), Labels{1, 0, 3, 0}));
  const LabelMap all = compared_part(result, reference, Scored::Everywhere, context);
  QVERIFY(std::ranges::equal(all.labels(), result.labels()));
}

void TestLabelMatching::tells_numbered_objects_from_named_labels() {
  Context context;
  const auto look = [&](const Labels& result, const Labels& reference) {
    const LabelMap a = row(result);
    const LabelMap b = row(reference);
    return look_like_objects(OverlapCounts(a, b, context).labels(), foreground_overlap(a, b));
  };
  const Labels five{1, 1, 2, 2, 3, 3, 4, 4, 5, 5};
  QVERIFY(!look(five, five));
  QVERIFY(look(five, {2, 2, 3, 3, 4, 4, 5, 5, 1, 1}));
  QVERIFY(look(five, {9, 9, 8, 8, 7, 7, 6, 6, 10, 10}));
  // One correct label in five is too few, two are enough.
  QVERIFY(look(five, {1, 1, 3, 3, 4, 4, 5, 5, 2, 2}));
  QVERIFY(!look(five, {1, 1, 2, 2, 4, 4, 5, 5, 3, 3}));
  // Four permuted labels are mixed-up names; labels at other places are a bad result.
  QVERIFY(!look({1, 1, 2, 2, 3, 3, 4, 4}, {2, 2, 3, 3, 4, 4, 1, 1}));
  QVERIFY(!look({1, 2, 3, 4, 5, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 1, 2, 3, 4, 5}));
}

void TestLabelMatching::refuses_thousands() {
  Labels many(kMostMatched + 1);
  std::iota(many.begin(), many.end(), Label{1});
  const LabelMap one = row(Labels(many.size(), 1));
  const LabelMap thousands = row(std::move(many));
  Context context;
  QVERIFY_EXCEPTION_THROWN((void)match_labels(thousands, one, context), InputError);
  QVERIFY_EXCEPTION_THROWN((void)match_labels(one, thousands, context), InputError);
}

QTEST_GUILESS_MAIN(TestLabelMatching)
#include "test_label_matching.moc"
