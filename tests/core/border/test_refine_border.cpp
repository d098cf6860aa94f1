// SPDX-License-Identifier: Apache-2.0
// Compares refined borders with their definition, computed plainly on small images.
#include "core/base/error.h"
#include "core/border/network.h"
#include "core/border/refine_border.h"
#include "tests/core/border/boost_flow.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/edmonds_karp_max_flow.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <vector>

using namespace seedwave;
using namespace seedwave::border;

namespace {

using Labels = std::vector<Label>;

LabelMap map_of(const Geometry& geometry, const Labels& labels) {
  return make_labels(geometry, *std::ranges::max_element(labels), [&](auto& made) {
    using T = typename std::decay_t<decltype(made)>::value_type;
    std::ranges::transform(labels, made.begin(), [](Label l) { return static_cast<T>(l); });
  });
}

/// layers: of a part; 0: all. cache: what an earlier run kept.
Labels refined(const RefineBorderProblem& problem, int threads = 1, std::int64_t layers = 0,
               const std::shared_ptr<ScratchCache>& cache = nullptr) {
  Context context(Context::Settings{.threads = threads, .layers = layers, .cache = cache});
  const LabelMap map = refine_border(problem, context);
  return {map.labels().begin(), map.labels().end()};
}

/// The definition in the header, by distances between all pairs of voxels and Boost's flows.
class Definition {
 public:
  explicit Definition(const RefineBorderProblem& problem)
      : problem_(problem),
        geometry_(problem.labels.geometry()),
        labels_(problem.labels.labels().begin(), problem.labels.labels().end()),
        scale_(band_scale(geometry_)),
        values_(problem.image.voxels<std::int16_t>()) {
    for (const Seed& seed : problem.seeds) {
      labels_[seed.offset] = seed.label;
      is_fixed_.insert(seed.offset);
    }
    if (!problem.mask.empty()) {
      for (std::int64_t i = 0; i < geometry_.voxel_count(); ++i) {
        if (problem.mask.labels()[i] == 0) is_fixed_.insert(i);
      }
    }
  }

  Labels result() {
    std::map<Label, std::vector<bool>> smallest;
    std::map<Label, std::vector<bool>> largest;
    for (const Label label : std::set<Label>(labels_.begin(), labels_.end())) {
      if (problem_.models.contains(label)) cut(label, smallest[label], largest[label]);
    }
    Labels result(labels_.size());
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      std::optional<Label> winner;
      for (const auto& [label, claims] : smallest) {
        if (claims[i] && (!winner || label == labels_[i])) winner = label;
      }
      const bool has_model = problem_.models.contains(labels_[i]);
      const bool may_keep = !has_model || largest[labels_[i]][i];
      result[i] = winner ? *winner : may_keep ? labels_[i] : 0;
    }
    return result;
  }

 private:
  void cut(Label label, std::vector<bool>& smallest, std::vector<bool>& largest) {
    constexpr std::int64_t kHard = std::int64_t{1} << 40;
    const BorderModel& model = problem_.models.at(label);
    const std::size_t count = labels_.size();
    test::BoostFlow flow(count);
    for (std::size_t i = 0; i < count; ++i) {
      const bool inside = labels_[i] == label;
      const std::optional<std::int64_t> square = square_if_free(i, label);
      std::int64_t terminal = inside ? kHard : -kHard;
      if (square) {
        double smallest_spacing = std::numeric_limits<double>::infinity();
        for (int axis = 0; axis < 3; ++axis) {
          if (geometry_.size[axis] > 1)
            smallest_spacing = std::min(smallest_spacing, geometry_.spacing[axis]);
        }
        const double length =
            std::sqrt(static_cast<double>(*square)) * scale_.unit - 0.5 * smallest_spacing;
        terminal = in_units(model.evidence_weight * evidence(model, values_[i])) +
                   in_units((inside ? length : -length) * (problem_.prior / problem_.band));
      }
      flow.add_terminal(i, terminal);
      const Index3 at = geometry_.index_of(static_cast<std::int64_t>(i));
      for (int axis = 0; axis < 3; ++axis) {
        Index3 next = at;
        ++next[axis];
        if (!geometry_.contains(next)) continue;
        const auto to = static_cast<std::size_t>(geometry_.offset(next));
        const std::int64_t capacity = edge(model, axis, values_[i], values_[to]);
        flow.add(i, to, capacity, capacity);
      }
    }
    flow.solve();
    smallest = flow.from_source();
    largest = flow.to_sink();
    largest.flip();
  }

  std::optional<std::int64_t> square_if_free(std::size_t i, Label label) {
    if (is_fixed_.contains(static_cast<std::int64_t>(i))) return {};
    const bool inside = labels_[i] == label;
    const Index3 at = geometry_.index_of(static_cast<std::int64_t>(i));
    const double units = problem_.band / scale_.unit;
    const auto limit = static_cast<std::int64_t>(units * units);
    std::optional<std::int64_t> nearest;
    bool touches = false;
    for (std::size_t k = 0; k < labels_.size(); ++k) {
      if ((labels_[k] == label) == inside) continue;
      const Index3 to = geometry_.index_of(static_cast<std::int64_t>(k));
      std::int64_t square = 0;
      std::int64_t steps = 0;
      bool in_reach = true;
      for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t step = std::abs(to[axis] - at[axis]);
        const std::int64_t weight = scale_.weights[axis];
        in_reach = in_reach && (step <= 1 || step * step * weight <= limit);
        square += step * step * weight;
        steps += step;
      }
      touches = touches || steps == 1;
      if (in_reach && (!nearest || square < *nearest)) nearest = square;
    }
    if (!nearest || (*nearest > limit && !touches)) return {};
    return nearest;
  }

  static std::int64_t in_units(double nats) { return std::lround(nats * 1024.0); }

  static int step_of(const BorderModel& model, double intensity) {
    const double clamped = std::clamp(intensity, model.low, model.high);
    return static_cast<int>((clamped - model.low) * (4095 / (model.high - model.low)) + 0.5);
  }

  static double evidence(const BorderModel& model, double intensity) {
    const double at =
        step_of(model, intensity) * static_cast<double>(model.evidence.size() - 1) / 4095;
    const auto below = std::min(static_cast<std::size_t>(at), model.evidence.size() - 2);
    const double share = at - static_cast<double>(below);
    return (1.0 - share) * model.evidence[below] + share * model.evidence[below + 1];
  }

  std::int64_t edge(const BorderModel& model, int axis, double a, double b) {
    double size = 1.0;
    int dimensions = 0;
    for (int each = 0; each < 3; ++each) {
      if (geometry_.size[each] == 1) continue;
      size *= geometry_.spacing[each];
      ++dimensions;
    }
    const double weight = 0.5 * (1.0 + model.evidence_weight) * problem_.smoothness *
                          std::pow(size, 1.0 / dimensions) / geometry_.spacing[axis];
    const double steps = std::abs(step_of(model, a) - step_of(model, b));
    const double difference = steps / (4095 / (model.high - model.low)) / model.contrast;
    return in_units(weight * (0.05 + std::exp(-0.5 * difference * difference)));
  }

  const RefineBorderProblem& problem_;
  Geometry geometry_;
  Labels labels_;
  BandScale scale_;
  std::span<const std::int16_t> values_;
  std::set<std::int64_t> is_fixed_;
};

class Random {
 public:
  explicit Random(std::uint64_t number) : numbers_(number) {}
  int below(int count) { return static_cast<int>(numbers_.below(count)); }
  bool one_in(int count) { return below(count) == 0; }

  RefineBorderProblem problem(const std::optional<Index3>& size = {}) {
    Geometry geometry;
    geometry.size = {2 + below(7), 2 + below(6), one_in(2) ? 1 : 2 + below(4)};
    if (size) geometry.size = *size;
    geometry.spacing = one_in(2) ? Vec3{0.5, 0.75, 2.0} : Vec3{1.0, 1.0, 1.0};
    const Label base = one_in(8) ? 300 : one_in(8) ? 70'000 : 1;
    const int names = 1 + below(3);
    Labels labels(static_cast<std::size_t>(geometry.voxel_count()));
    for (int patch = 1 + below(5); patch > 0; --patch) {
      const Label label = one_in(4) ? 0 : base + static_cast<Label>(below(names));
      Index3 lo{};
      Index3 hi{};
      for (int axis = 0; axis < 3; ++axis) {
        lo[axis] = below(static_cast<int>(geometry.size[axis]));
        hi[axis] = lo[axis] + 1 + below(static_cast<int>(geometry.size[axis]));
      }
      for (std::int64_t i = 0; i < std::ssize(labels); ++i) {
        const Index3 at = geometry.index_of(i);
        bool inside = true;
        for (int axis = 0; axis < 3; ++axis)
          inside = inside && at[axis] >= lo[axis] && at[axis] < hi[axis];
        if (inside) labels[i] = label;
      }
    }
    std::vector<std::int16_t> values;
    for (const Label label : labels)
      values.push_back(static_cast<std::int16_t>(40 * (label % 4) + below(one_in(3) ? 120 : 50)));
    RefineBorderProblem problem{.image = Volume(geometry, values),
                                .labels = map_of(geometry, labels)};
    if (!one_in(3)) {
      for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
        if (one_in(12)) problem.seeds.push_back({i, base + static_cast<Label>(below(names))});
      }
    }
    if (one_in(4)) {
      std::vector<std::uint8_t> mask;
      for (std::int64_t i = 0; i < geometry.voxel_count(); ++i)
        mask.push_back(one_in(6) ? 0 : 1);
      problem.mask = LabelMap(geometry, mask);
    }
    problem.band = 0.4 + 0.3 * below(9);
    problem.smoothness = 0.25 * (1 + below(8));
    problem.prior = 0.25 * below(8);
    const bool all_are_cut = !one_in(4);
    for (int name = all_are_cut ? 0 : 1; name < std::max(names, 2); ++name)
      problem.models[base + static_cast<Label>(name)] = model();
    return problem;
  }

  /// The same problem but for one voxel's label or seed, or one of all that a run reads.
  RefineBorderProblem altered(const RefineBorderProblem& before) {
    RefineBorderProblem after = before;
    Labels labels(before.labels.labels().begin(), before.labels.labels().end());
    const std::int64_t at = below(static_cast<int>(labels.size()));
    const Label other = labels[below(static_cast<int>(labels.size()))];
    switch (below(8)) {
      case 0: {
        const auto seed = std::ranges::lower_bound(after.seeds, at, {}, &Seed::offset);
        if (seed == after.seeds.end() || seed->offset != at) {
          after.seeds.insert(seed, {at, other});
        } else {
          after.seeds.erase(seed);
        }
        break;
      }
      case 1:
        after.models.begin()->second = model();
        break;
      case 2:
        after.prior += 0.25;
        break;
      case 3:
        after.mask = one_in(2) ? LabelMap() : map_of(before.labels.geometry(), labels);
        break;
      default:
        labels[at] = other;
        after.labels = map_of(before.labels.geometry(), labels);
    }
    return after;
  }

 private:
  BorderModel model() {
    BorderModel model{.low = -5.0 + below(20), .high = 60.0 + below(80)};
    for (int knots = 2 + below(6); knots > 0; --knots)
      model.evidence.push_back(0.5 * (below(17) - 8));
    model.contrast = 5.0 + below(60);
    model.evidence_weight = 0.1 * below(12);
    return model;
  }

  test::RandomNumbers numbers_;
};

/// The problem after a further stroke of a label: more of its voxels and seeds, in place of others,
/// but never in place of their seeds.
RefineBorderProblem with_more(const RefineBorderProblem& before, Label label, Random& random) {
  RefineBorderProblem after = before;
  Labels labels(before.labels.labels().begin(), before.labels.labels().end());
  std::map<std::int64_t, Label> seeds;
  for (const Seed& seed : before.seeds)
    seeds[seed.offset] = seed.label;
  const int rate = 2 + random.below(12);
  for (std::int64_t i = 0; i < std::ssize(labels); ++i) {
    if (!before.mask.empty() && before.mask.labels()[i] == 0) continue;
    if (random.one_in(rate)) labels[i] = label;
    if (random.one_in(3 * rate) && !seeds.contains(i)) seeds[i] = label;
  }
  after.labels = map_of(before.labels.geometry(), labels);
  after.seeds.clear();
  for (const auto& [offset, of] : seeds)
    after.seeds.push_back({offset, of});
  return after;
}

/// The same intensities in another type.
template <typename T>
Volume in_type(const Volume& image) {
  const auto values = image.voxels<std::int16_t>();
  return {image.geometry(), std::vector<T>(values.begin(), values.end())};
}

bool are_equal(const std::map<Label, BorderModel>& a, const std::map<Label, BorderModel>& b) {
  return std::ranges::equal(a, b, [](const auto& one, const auto& other) {
    const BorderModel& x = one.second;
    const BorderModel& y = other.second;
    return one.first == other.first && x.low == y.low && x.high == y.high &&
           x.evidence == y.evidence && x.contrast == y.contrast &&
           x.evidence_weight == y.evidence_weight;
  });
}

/// A disc of radius 12 in a picture of 40 x 40, brighter by `contrast` than the rest, with noise.
Volume noisy_disc(double contrast) {
  Geometry geometry;
  geometry.size = {40, 40, 1};
  test::RandomNumbers random(5);
  std::vector<std::int16_t> values;
  for (std::int64_t i = 0; i < 1600; ++i) {
    const Index3 at = geometry.index_of(i);
    const double away =
        std::hypot(static_cast<double>(at[0]) - 20, static_cast<double>(at[1]) - 20);
    const std::int64_t noise = random.below(41) + random.below(41) - 40;
    values.push_back(
        static_cast<std::int16_t>((away < 12 ? contrast : 0.0) + static_cast<double>(noise)));
  }
  return {geometry, values};
}

}  // namespace

class TestRefineBorder : public QObject {
  Q_OBJECT

 private slots:
  void equals_its_definition() {
    Random random(3);
    int moved = 0;
    for (int k = 0; k < 2000; ++k) {
      const RefineBorderProblem problem = random.problem();
      const Labels expected = Definition(problem).result();
      if (refined(problem) != expected) QFAIL(qPrintable(QString("case %1").arg(k)));
      for (const std::int64_t layers : {1, 2}) {
        if (refined(problem, 1, layers) != expected)
          QFAIL(qPrintable(QString("case %1 in parts of %2").arg(k).arg(layers)));
      }
      if (k % 10 == 0) QCOMPARE(refined(problem, 3, 1), expected);
      const LabelMap before = with_seeds(problem.labels, problem.seeds);
      if (before.labels() != map_of(before.geometry(), expected).labels()) ++moved;
    }
    QVERIFY(moved > 1000);
  }

  // Each run finds what the runs before it kept, of which all, some or nothing is of use.
  void what_was_kept_changes_nothing() {
    Random random(17);
    for (int k = 0; k < 1500; ++k) {
      const auto cache = std::make_shared<ScratchCache>();
      RefineBorderProblem problem = random.problem(Index3{4, 9, random.one_in(3) ? 1 : 15});
      for (int run = 0; run < 6; ++run) {
        const int threads = 1 + random.below(2);
        if (refined(problem, threads, 1, cache) != refined(problem))
          QFAIL(qPrintable(QString("case %1, run %2").arg(k).arg(run)));
        problem = random.altered(problem);
      }
    }
  }

  void parts_far_from_a_change_are_kept() {
    Random random(19);
    RefineBorderProblem problem = random.problem(Index3{9, 8, 15});
    problem.band = 1.0;
    problem.mask = {};
    problem.seeds.clear();
    Labels labels(static_cast<std::size_t>(problem.labels.geometry().voxel_count()));
    for (std::size_t i = 0; i < labels.size(); ++i)
      labels[i] = i % 9 < 5 ? 1 : 0;
    problem.models[1] = problem.models.begin()->second;
    Context context(Context::Settings{.layers = 1});
    const auto parts = [&] {
      const LabelMap map = map_of(problem.image.geometry(), labels);
      Networks networks(problem, map, context);
      Network network = networks.make(1, Box::whole(map.geometry()));
      const SettledParts made = network.parts;
      network.set_sides(minimum_cut(network.cells, context).sides);
      networks.keep({network});
      return made;
    };
    const auto before = parts();
    labels[3 * 72 + 30] = 1 - labels[3 * 72 + 30];
    const auto after = parts();
    QCOMPARE(before.size(), 15U * 8U);
    const Index3 reach = band_reach(problem.image.geometry(), problem.band).steps;
    for (std::int64_t z = 0; z < 15; ++z) {
      for (std::int64_t y = 0; y < 8; ++y) {
        const bool is_far = std::abs(z - 3) > reach[2] || std::abs(y - 3) > reach[1];
        QCOMPARE(before[8 * z + y] == after[8 * z + y], is_far);
      }
    }
  }

  void a_further_stroke_takes_nothing_from_its_label() {
    Random random(11);
    for (int k = 0; k < 4000; ++k) {
      const RefineBorderProblem before = random.problem();
      auto label = before.models.begin();
      std::advance(label, random.below(static_cast<int>(before.models.size())));
      const Labels had = refined(before);
      const Labels has = refined(with_more(before, label->first, random));
      for (std::size_t i = 0; i < had.size(); ++i) {
        if (had[i] == label->first && has[i] != label->first)
          QFAIL(qPrintable(QString("case %1").arg(k)));
      }
    }
  }

  // Intensities of 16 bits are counted and looked up, others are not.
  void the_type_of_the_image_does_not_matter() {
    Random random(13);
    for (int k = 0; k < 400; ++k) {
      RefineBorderProblem problem = random.problem();
      const Volume image = problem.image;
      const Labels expected = refined(problem);
      const LabelMap labels = with_seeds(problem.labels, problem.seeds);
      const auto models = [&](const Volume& of, int threads) {
        Context context(Context::Settings{.threads = threads});
        return estimate_models(of, labels, problem.seeds, problem.band, {}, 0, context);
      };
      const auto expected_models = models(image, 1);
      for (const Volume& other : {in_type<std::int32_t>(image), in_type<float>(image)}) {
        problem.image = other;
        QCOMPARE(refined(problem, 3), expected);
        QVERIFY(are_equal(models(other, 1), expected_models));
      }
      QVERIFY(are_equal(models(image, 3), expected_models));
    }
  }

  void finds_the_border_of_a_noisy_disc() {
    const Volume image = noisy_disc(60.0);
    const Geometry& geometry = image.geometry();
    Labels rough(1600);
    Labels truth(1600);
    for (std::int64_t i = 0; i < 1600; ++i) {
      const Index3 at = geometry.index_of(i);
      const auto away = [&](double x, double y) {
        return std::hypot(static_cast<double>(at[0]) - x, static_cast<double>(at[1]) - y);
      };
      truth[i] = away(20, 20) < 12 ? 1 : 0;
      rough[i] = away(22, 20) < 11 ? 1 : 0;  // shifted and too small
    }
    Context context;
    const LabelMap labels = map_of(geometry, rough);
    RefineBorderProblem problem{.image = image, .labels = labels, .band = 4.0};
    problem.models = estimate_models(image, labels, {}, problem.band, {}, 0, context);
    const Labels found = refined(problem);
    const auto wrong = [&](const Labels& labels_of) {
      int count = 0;
      for (std::size_t i = 0; i < truth.size(); ++i)
        count += labels_of[i] != truth[i] ? 1 : 0;
      return count;
    };
    QVERIFY(wrong(rough) > 80);
    QVERIFY2(wrong(found) <= 8, qPrintable(QString::number(wrong(found))));
  }

  void evidence_comes_from_what_is_sure() {
    // Inside the disc but for a rim, which belongs to the label too.
    const Volume image = noisy_disc(200.0);
    const Geometry& geometry = image.geometry();
    Labels labels(1600);
    for (std::int64_t i = 0; i < 1600; ++i) {
      const Index3 at = geometry.index_of(i);
      const double away =
          std::hypot(static_cast<double>(at[0]) - 20, static_cast<double>(at[1]) - 20);
      labels[i] = away < 14 ? 1 : 0;
    }
    Context context;
    const BorderModel model =
        estimate_models(image, map_of(geometry, labels), {}, 3.0, {}, 0, context).at(1);
    QCOMPARE(model.evidence.size(), kEvidenceKnots);
    QCOMPARE(model.evidence.front(), -4.0);  // dark voxels of the rim are not taken for inside
    QCOMPARE(model.evidence.back(), 4.0);
    // A seed on the rim is.
    const std::int64_t on_rim = geometry.offset({33, 20, 0});
    const BorderModel seeded = estimate_models(image, map_of(geometry, labels),
                                               std::vector<Seed>{{on_rim, 1}}, 3.0, {}, 0, context)
                                   .at(1);
    QVERIFY(seeded.evidence != model.evidence);
  }

  void keeps_what_is_known_of_a_label() {
    const Volume image = noisy_disc(60.0);
    const LabelMap labels(image.geometry(), std::vector<std::uint8_t>(1600, 1));
    Context context;
    const BorderModel known{.low = 1.0, .high = 2.0, .evidence = {0.0, 1.0}};
    const auto models = estimate_models(image, labels, {}, 3.0, {{1, known}}, 0, context);
    QCOMPARE(models.at(1).high, 2.0);
  }

  void refuses_values_that_are_not_numbers() {
    Geometry geometry;
    geometry.size = {4, 4, 1};
    std::vector<float> values(16, 1.0F);
    values[5] = std::numeric_limits<float>::quiet_NaN();
    const Volume image(geometry, values);
    Labels halves(16);
    for (std::size_t i = 0; i < 8; ++i)
      halves[i] = 1;
    const LabelMap labels = map_of(geometry, halves);
    Context context;
    QVERIFY_THROWS_EXCEPTION(InputError,
                             (void)estimate_models(image, labels, {}, 3.0, {}, 0, context));
    values[5] = std::numeric_limits<float>::infinity();
    QVERIFY_THROWS_EXCEPTION(InputError, (void)estimate_models(Volume(geometry, values), labels, {},
                                                               3.0, {}, 0, context));
    RefineBorderProblem problem{.image = image, .labels = labels, .band = 3.0};
    problem.models[1] = {.low = 0.0, .high = 2.0, .evidence = {0.0, 1.0}};
    QVERIFY_THROWS_EXCEPTION(InputError, (void)refine_border(problem, context));
  }

  void refuses_very_many_labels() {
    Geometry geometry;
    geometry.size = {100, 50, 1};
    Labels labels(5000);
    for (std::size_t i = 0; i < labels.size(); ++i)
      labels[i] = static_cast<Label>(i + 1);
    const Volume image(geometry, std::vector<std::int16_t>(5000));
    Context context;
    try {
      (void)estimate_models(image, map_of(geometry, labels), {}, 3.0, {}, 0, context);
      QFAIL("estimated 5,000 models");
    } catch (const InputError& error) {
      QCOMPARE(
          std::string(error.what()),
          std::string("the borders of at most 4096 labels can be refined, but there are 5000"));
    }
  }

  void has_nothing_to_do_without_labels() {
    const Volume image = noisy_disc(60.0);
    const LabelMap labels(image.geometry(), std::vector<std::uint8_t>(1600));
    const RefineBorderProblem problem{.image = image, .labels = labels, .band = 3.0};
    QCOMPARE(refined(problem), Labels(1600));
  }

  void stops_when_asked_to() {
    Random random(4);
    const RefineBorderProblem problem = random.problem();
    std::stop_source stop;
    stop.request_stop();
    Context context(Context::Settings{.stop = stop.get_token()});
    QVERIFY_THROWS_EXCEPTION(Cancelled, (void)refine_border(problem, context));
  }
};

QTEST_GUILESS_MAIN(TestRefineBorder)
#include "test_refine_border.moc"
