// SPDX-License-Identifier: Apache-2.0
// Compares the clean-up of labels with its definition, computed plainly on small images.
#include "core/base/error.h"
#include "core/filters/gaussian.h"
#include "core/image/connectivity.h"
#include "core/morphology/clean_labels.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

using namespace seedwave;

namespace {

using Labels = std::vector<Label>;
using Set = std::vector<bool>;

Labels cleaned(const CleanLabelsProblem& problem, int threads = 1) {
  Context context(Context::Settings{.threads = threads});
  const LabelMap map = clean_labels(problem, context);
  return {map.labels().begin(), map.labels().end()};
}

LabelMap map_of(const Geometry& geometry, const Labels& labels) {
  const Label most = labels.empty() ? 0 : *std::ranges::max_element(labels);
  return make_labels(geometry, most, [&](auto& made) {
    using T = typename std::decay_t<decltype(made)>::value_type;
    std::ranges::transform(labels, made.begin(), [](Label l) { return static_cast<T>(l); });
  });
}

/// Each digit is a label; rows of one length.
CleanLabelsProblem picture(const std::vector<std::string>& rows) {
  Geometry geometry;
  geometry.size = {static_cast<std::int64_t>(rows[0].size()), std::ssize(rows), 1};
  Labels labels;
  for (const std::string& row : rows) {
    for (const char cell : row)
      labels.push_back(static_cast<Label>(cell - '0'));
  }
  return {.labels = map_of(geometry, labels)};
}

Labels digits(const std::vector<std::string>& rows) {
  const CleanLabelsProblem problem = picture(rows);
  return {problem.labels.labels().begin(), problem.labels.labels().end()};
}

/// The definition in the header, by plain loops over whole images.
class Definition {
 public:
  explicit Definition(const CleanLabelsProblem& problem)
      : problem_(problem),
        geometry_(problem.labels.geometry()),
        labels_(problem.labels.labels().begin(), problem.labels.labels().end()) {
    for (const Seed& seed : problem.seeds)
      seeds_[seed.offset] = seed.label;
  }

  Labels result() {
    std::set<Label> all(labels_.begin(), labels_.end());
    for (const auto& [offset, label] : seeds_)
      all.insert(label);
    all.insert(0);
    std::map<Label, Set> claims;
    for (const Label label : all)
      claims[label] = claims_of(label);
    Labels smallest(labels_.size(), kNobody);
    Labels result(labels_.size(), kNobody);
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      std::vector<Label> claimants;
      for (const auto& [label, claim] : claims) {
        if (claim[i]) claimants.push_back(label);
      }
      if (claimants.size() > 1 && claimants[0] == 0) claimants.erase(claimants.begin());
      if (claimants.empty()) continue;
      smallest[i] = claimants[0];
      const bool keeps = std::ranges::find(claimants, labels_[i]) != claimants.end();
      result[i] = keeps ? labels_[i] : claimants[0];
    }
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      if (result[i] != kNobody) continue;
      result[i] = problem_.unclaimed == Unclaimed::Nothing
                      ? 0
                      : nearest(smallest, static_cast<std::int64_t>(i));
    }
    return result;
  }

 private:
  static constexpr Label kNobody = 4'000'000'000;

  Set claims_of(Label label) {
    Set set(labels_.size());
    std::vector<float> mask;
    for (const Label each : labels_)
      mask.push_back(each == label ? 1.0F : 0.0F);
    Context context;
    const bool smooths = problem_.sigma[0] > 0 || problem_.sigma[1] > 0 || problem_.sigma[2] > 0;
    if (smooths) {
      const Volume smoothed = gaussian(Volume(geometry_, mask), problem_.sigma, context);
      std::ranges::copy(smoothed.voxels<float>(), mask.begin());
    }
    for (std::size_t i = 0; i < set.size(); ++i)
      set[i] = mask[i] > 0.5F;
    for (const auto& [offset, seed] : seeds_)
      set[offset] = seed == label;
    if (label == 0) return set;
    remove_parts(label, set);
    if (problem_.holes == EnclosedHoles::Fill) fill(label, set);
    return set;
  }

  std::vector<std::vector<std::int64_t>> parts_of(const Set& set, bool wanted) {
    std::vector<std::vector<std::int64_t>> parts;
    Set seen(set.size());
    const auto steps = neighbour_steps(geometry_.is_2d() ? Connectivity::C4 : Connectivity::C6);
    for (std::int64_t i = 0; i < std::ssize(set); ++i) {
      if (set[i] != wanted || seen[i]) continue;
      std::vector<std::int64_t> part{i};
      seen[i] = true;
      for (std::size_t k = 0; k < part.size(); ++k) {
        const Index3 at = geometry_.index_of(part[k]);
        for (const NeighbourStep& step : steps) {
          const Index3 to{at[0] + step.dx, at[1] + step.dy, at[2] + step.dz};
          if (!geometry_.contains(to)) continue;
          const std::int64_t next = geometry_.offset(to);
          if (set[next] != wanted || seen[next]) continue;
          seen[next] = true;
          part.push_back(next);
        }
      }
      parts.push_back(part);
    }
    return parts;
  }

  bool holds_seed_of(const std::vector<std::int64_t>& part, Label label) {
    return std::ranges::any_of(part, [&](std::int64_t cell) {
      const auto seed = seeds_.find(cell);
      return seed != seeds_.end() && seed->second == label;
    });
  }

  void remove_parts(Label label, Set& set) {
    const auto parts = parts_of(set, true);
    const bool has_seeds =
        std::ranges::any_of(seeds_, [&](const auto& seed) { return seed.second == label; });
    std::size_t largest = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (parts[p].size() > parts[largest].size()) largest = p;
    }
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (holds_seed_of(parts[p], label)) continue;
      bool stays = std::ssize(parts[p]) >= problem_.fewest_voxels;
      if (problem_.parts == KeptParts::Largest) stays = stays && p == largest;
      if (problem_.parts == KeptParts::WithSeeds) stays = stays && !has_seeds;
      if (stays) continue;
      for (const std::int64_t cell : parts[p])
        set[cell] = false;
    }
  }

  void fill(Label label, Set& set) {
    for (const auto& part : parts_of(set, false)) {
      const bool is_hole = std::ranges::all_of(part, [&](std::int64_t cell) {
        const Index3 at = geometry_.index_of(cell);
        for (int axis = 0; axis < 3; ++axis) {
          if (geometry_.size[axis] == 1) continue;
          if (at[axis] == 0 || at[axis] == geometry_.size[axis] - 1) return false;
        }
        const auto seed = seeds_.find(cell);
        if (seed != seeds_.end() && seed->second != label) return false;
        return labels_[cell] == 0 || labels_[cell] == label;
      });
      if (!is_hole) continue;
      for (const std::int64_t cell : part)
        set[cell] = true;
    }
  }

  Label nearest(const Labels& claimed, std::int64_t from) {
    const Index3 at = geometry_.index_of(from);
    std::optional<double> best;
    Label found = 0;
    for (std::int64_t i = 0; i < std::ssize(claimed); ++i) {
      if (claimed[i] == kNobody) continue;
      const Index3 to = geometry_.index_of(i);
      double square = 0.0;
      for (int axis = 0; axis < 3; ++axis) {
        const auto step = static_cast<double>(to[axis] - at[axis]);
        square += step * step * problem_.scale.weights[axis];
      }
      if (!best || square < *best || (square == *best && claimed[i] < found)) {
        best = square;
        found = claimed[i];
      }
    }
    return found;
  }

  const CleanLabelsProblem& problem_;
  Geometry geometry_;
  Labels labels_;
  std::map<std::int64_t, Label> seeds_;
};

class Random {
 public:
  explicit Random(std::uint64_t number) : numbers_(number) {}
  int below(int count) { return static_cast<int>(numbers_.below(count)); }
  bool one_in(int count) { return below(count) == 0; }

  CleanLabelsProblem problem() {
    Geometry geometry;
    geometry.size = {2 + below(12), 2 + below(10), one_in(2) ? 1 : 2 + below(5)};
    geometry.spacing = one_in(3) ? Vec3{0.5, 0.5, 1.25} : Vec3{1.0, 1.0, 1.0};
    const int names = 1 + below(4);
    const Label base = one_in(8) ? 300 : one_in(8) ? 70'000 : 1;
    Labels labels(static_cast<std::size_t>(geometry.voxel_count()));
    const int patches = 1 + below(9);
    for (int patch = 0; patch < patches; ++patch) {
      const Label label = one_in(4) ? 0 : base + static_cast<Label>(below(names));
      Box box;
      for (int axis = 0; axis < 3; ++axis) {
        const auto size = static_cast<int>(geometry.size[axis]);
        box.lo[axis] = below(size);
        box.hi[axis] = box.lo[axis] + 1 + below(size);
      }
      for (std::int64_t i = 0; i < std::ssize(labels); ++i) {
        const Index3 at = geometry.index_of(i);
        bool inside = true;
        for (int axis = 0; axis < 3; ++axis)
          inside = inside && at[axis] >= box.lo[axis] && at[axis] < box.hi[axis];
        if (inside) labels[i] = label;
      }
    }
    for (Label& label : labels) {
      if (one_in(12)) label = one_in(2) ? 0 : base + static_cast<Label>(below(names));
    }
    CleanLabelsProblem problem{.labels = map_of(geometry, labels)};
    if (!one_in(3)) problem.seeds = seeds(geometry, base, names);
    if (one_in(2)) problem.sigma = {0.3 * below(5), 0.3 * below(5), 0.3 * below(4)};
    problem.parts = static_cast<KeptParts>(below(3));
    problem.fewest_voxels = one_in(2) ? 0 : below(9);
    problem.holes = one_in(2) ? EnclosedHoles::Fill : EnclosedHoles::Keep;
    problem.unclaimed = one_in(3) ? Unclaimed::Nothing : Unclaimed::Nearest;
    problem.scale = spacing_scale(geometry.size, geometry.spacing);
    return problem;
  }

 private:
  std::vector<Seed> seeds(const Geometry& geometry, Label base, int names) {
    std::vector<Seed> made;
    for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
      if (one_in(15)) made.push_back({i, base + static_cast<Label>(below(names))});
    }
    return made;
  }

  test::RandomNumbers numbers_;
};

/// The problem after a further stroke of a label with seeds: more of its voxels and seeds, in place
/// of others, but never in place of their seeds. With Unclaimed::Nothing voxels of others may
/// become 0 too.
CleanLabelsProblem with_more(const CleanLabelsProblem& before, Label label, Random& random) {
  const bool others_shrink = before.unclaimed == Unclaimed::Nothing;
  CleanLabelsProblem after = before;
  Labels labels(before.labels.labels().begin(), before.labels.labels().end());
  std::map<std::int64_t, Label> seeds;
  for (const Seed& seed : before.seeds)
    seeds[seed.offset] = seed.label;
  const int rate = 2 + random.below(20);
  for (std::int64_t i = 0; i < std::ssize(labels); ++i) {
    if (random.one_in(rate)) labels[i] = label;
    if (others_shrink && labels[i] != label && random.one_in(3 * rate)) labels[i] = 0;
    if (random.one_in(3 * rate) && !seeds.contains(i)) seeds[i] = label;
  }
  after.labels = map_of(before.labels.geometry(), labels);
  after.seeds.clear();
  for (const auto& [offset, of] : seeds)
    after.seeds.push_back({offset, of});
  return after;
}

}  // namespace

class TestCleanLabels : public QObject {
  Q_OBJECT

 private slots:
  void equals_its_definition() {
    Random random(7);
    for (int k = 0; k < 4000; ++k) {
      const CleanLabelsProblem problem = random.problem();
      const Labels expected = Definition(problem).result();
      if (cleaned(problem) != expected) QFAIL(qPrintable(QString("case %1").arg(k)));
      if (k % 10 == 0) QCOMPARE(cleaned(problem, 3), expected);
    }
  }

  void a_further_stroke_takes_nothing_from_its_label() {
    Random random(11);
    int checked = 0;
    for (int k = 0; checked < 4000; ++k) {
      CleanLabelsProblem before = random.problem();
      if (before.seeds.empty() || before.parts == KeptParts::Largest) continue;
      const Label label = before.seeds[random.below(static_cast<int>(before.seeds.size()))].label;
      const CleanLabelsProblem after = with_more(before, label, random);
      const Labels had = cleaned(before);
      const Labels has = cleaned(after);
      for (std::size_t i = 0; i < had.size(); ++i) {
        if (had[i] == label && has[i] != label) QFAIL(qPrintable(QString("case %1").arg(k)));
      }
      ++checked;
    }
  }

  void removes_specks_and_gives_them_to_their_surroundings() {
    CleanLabelsProblem problem = picture({"22222222",  //
                                          "21111222",  //
                                          "21211222",  //
                                          "21111212",  //
                                          "22222222"});
    problem.fewest_voxels = 2;
    QCOMPARE(cleaned(problem), digits({"22222222",  //
                                       "21111222",  //
                                       "21111222",  //
                                       "21111222",  //
                                       "22222222"}));
  }

  void large_parts_get_the_nearest_label_too() {
    // Its middle lies beyond the reach of the search around a voxel.
    Geometry geometry;
    geometry.size = {160, 160, 1};
    geometry.spacing = {1.0, 0.75, 1.0};
    Labels labels(static_cast<std::size_t>(geometry.voxel_count()), 2);
    for (std::int64_t i = 0; i < std::ssize(labels); ++i) {
      const Index3 at = geometry.index_of(i);
      if (at[0] >= 70) labels[i] = 3;
      if (at[0] >= 60 && at[0] < 79 && at[1] >= 60 && at[1] < 79) labels[i] = 1;
    }
    CleanLabelsProblem problem{.labels = map_of(geometry, labels)};
    problem.fewest_voxels = 400;
    problem.scale = spacing_scale(geometry.size, geometry.spacing);
    const Labels expected = Definition(problem).result();
    QVERIFY(std::ranges::count(expected, 1) == 0);
    QCOMPARE(cleaned(problem), expected);
  }

  void fills_only_unlabelled_holes() {
    CleanLabelsProblem problem = picture({"0111110",  //
                                          "0101310",  //
                                          "0111110"});
    problem.holes = EnclosedHoles::Fill;
    QCOMPARE(cleaned(problem), digits({"0111110",  //
                                       "0111310",  //
                                       "0111110"}));
  }

  void keeps_parts_with_a_seed() {
    CleanLabelsProblem problem = picture({"1100110",  //
                                          "1100110",  //
                                          "0000000"});
    problem.parts = KeptParts::WithSeeds;
    problem.seeds = {{5, 1}};
    QCOMPARE(cleaned(problem), digits({"0000110",  //
                                       "0000110",  //
                                       "0000000"}));
    problem.seeds.clear();
    QCOMPARE(cleaned(problem), digits({"1100110",  //
                                       "1100110",  //
                                       "0000000"}));
  }

  void nothing_left_is_unlabelled() {
    CleanLabelsProblem problem = picture({"11", "11"});
    problem.fewest_voxels = 5;
    QCOMPARE(cleaned(problem), digits({"00", "00"}));
  }

  void stops_when_asked() {
    std::stop_source stop;
    stop.request_stop();
    Context context(Context::Settings{.stop = stop.get_token()});
    const CleanLabelsProblem problem = picture({"11", "22"});
    QVERIFY_EXCEPTION_THROWN((void)clean_labels(problem, context), Cancelled);
  }
};

QTEST_APPLESS_MAIN(TestCleanLabels)
#include "test_clean_labels.moc"
