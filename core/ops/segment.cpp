// SPDX-License-Identifier: Apache-2.0
#include "core/ops/segment.h"

#include "core/base/error.h"
#include "core/border/refine_border.h"
#include "core/filters/gaussian.h"
#include "core/fuzzy/answer.h"
#include "core/fuzzy/setup.h"
#include "core/fuzzy/stray_seeds.h"
#include "core/fuzzy/tiles/tiles.h"
#include "core/fuzzy/windows.h"
#include "core/image/crop.h"
#include "core/image/large_labels.h"
#include "core/ops/border_models.h"
#include "core/ops/connectivity_parameter.h"
#include "core/ops/correction.h"
#include "core/ops/hardly_grown.h"
#include "core/ops/label_cleaning.h"
#include "core/ops/label_windows.h"
#include "core/ops/operation.h"
#include "core/ops/segment_parameters.h"
#include "core/parallel/fetch_pages.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

/// A way to estimate from strokes. Smoothing in edges of the smallest voxel side.
struct WayToEstimate {
  double smoothing;
  bool own_windows = true;
  bool strict = false;
};
/// For `auto`: the one whose result the others agree with most, and whose evidence lies apart. None
/// is the best for all strokes, but two seldom fail alike.
constexpr std::array<WayToEstimate, 3> kWays{{{.smoothing = 0.6},
                                              {.smoothing = 0.8, .own_windows = false},
                                              {.smoothing = 0.8, .strict = true}}};
/// Weight of how far the evidence lies apart, beside the mean Dice with the other results.
constexpr double kApart = 0.5;
/// Smoothing of scattered seeds for `auto`: the next where the evidence of a first result weighs no
/// more than kFaint. They hold thin parts wherever they are, so more smoothing does no harm.
constexpr std::array<double, 3> kSmoothingsIfScattered{0.6, 0.8, 1.0};
constexpr double kFaint = 0.65;
/// The cut of scattered seeds for `auto`: they hold thin parts, so connectedness tells more, and a
/// smooth border less.
constexpr double kSmoothnessIfScattered = 0.7;
constexpr double kPriorIfScattered = 2.0;
/// Factors of a whole step of the two sliders.
constexpr double kTighter = 2.0;
constexpr double kSmoother = 4.0;

/// Number of voxels that a thread takes at once.
constexpr std::int64_t kVoxelsAtOnce = 1 << 16;

/// Returns whether labels compete; a single one would get everything.
bool has_two_labels(const SeedVoxels& seeds) {
  return std::any_of(seeds.seeds.begin(), seeds.seeds.end(),
                     [&](const Seed& seed) { return seed.label != seeds.seeds.front().label; });
}

/// The three steps, and what they share.
class Segmentation {
 public:
  Segmentation(const SegmentSolvers& solvers, const Inputs& inputs, Values given, Context& context)
      : solvers_(solvers), inputs_(inputs), values_(std::move(given)), context_(context) {
    for (const Seed& seed : inputs.seeds.seeds) {
      if (!takes_part(seed.offset)) continue;
      all_seeds_.push_back(seed);
      labels_.insert(seed.label);
    }
    spreading_ = inputs.seeds;
    seeds_ = all_seeds_;
    choose_background();
    described_ = labels_;
    described_.erase(background_);
    growing_ = described_;
    set_smoothing(values_.is_word("smooth_mm")
                      ? kWays[0].smoothing * shortest_edge(inputs.image.geometry())
                      : values_.number("smooth_mm"));
  }

  Result run() {
    std::optional<Connected> described = describe();
    Connected all = described ? std::move(*described) : segmented();
    LabelMap labels = std::move(all.labels);
    Result result;
    result.warnings = std::move(all.warnings);
    for (std::string& warning : hardly_grown(labels, seeds_, described_))
      result.warnings.push_back(std::move(warning));
    if (!stray_.empty()) result.warnings.push_back(about_stray_seeds());
    result.outputs["labels"] = border::with_seeds(labels, stray_);
    result.outputs["strength"] = Volume(inputs_.image.geometry(), std::move(all.strength));
    result.values = std::move(values_);
    return result;
  }

 private:
  struct Connected {
    LabelMap labels;
    std::vector<std::uint16_t> strength;
    std::vector<std::string> warnings{};
  };

  /// All steps after the estimates of windows.
  [[nodiscard]] Connected segmented() {
    if (std::optional<Connected> all = at_once()) return std::move(*all);
    Connected all = connect();
    if (!are_all_seeded()) all.labels = with_seeded_parts(std::move(all.labels));
    all.labels = with_refined_borders(all.labels);
    all.labels = inside_mask(cleaned(std::move(all.labels), values_));
    return all;
  }

  /// Runs them at once, if there is a solver for that, and nothing to estimate.
  [[nodiscard]] std::optional<Connected> at_once() {
    if (!solvers_.at_once || growing_.empty() || labels_.size() < 2) return std::nullopt;
    // Its cut and its clean-up share their seeds, but stray ones take part in the clean-up alone.
    if (!stray_.empty()) return std::nullopt;
    SegmentSteps steps;
    Values used = values_;
    steps.border = {.image = inputs_.image, .labels = {}, .seeds = seeds_, .mask = inputs_.mask};
    if (!set_up_given_border(used, steps.border, labels_, background_)) return std::nullopt;
    const fuzzy::Setup whole = set_up(spreading_, windows_, growing_);
    if (!whole.painted.empty()) return std::nullopt;
    steps.border.smoothness *= detail_factor();
    for (const Contest& contest : contests()) {
      const bool is_whole = growing_.size() == 1;
      steps.connectedness.push_back(
          {contest.label, is_whole
                              ? whole.problem
                              : set_up(contest.seeds, contest.windows, {contest.label}).problem});
    }
    steps.background = background_;
    Values alone = values_for_seeded_parts();
    steps.seeded_parts = cleaning(inputs_.image.geometry(), alone);
    steps.cleaning = cleaning(inputs_.image.geometry(), used);
    steps.mask = inputs_.mask;
    std::optional<Segmented> all = solvers_.at_once(steps, context_);
    if (!all) return std::nullopt;
    values_ = std::move(used);
    return Connected{.labels = std::move(all->labels),
                     .strength = std::move(all->strength),
                     .warnings = whole.warnings};
  }

  /// A described label against all others.
  struct Contest {
    Label label;
    SeedVoxels seeds;
    LabelWindows windows;
  };
  /// Returns those of all labels that grow. With several, the others are one label in each: with
  /// the intensities of all labels in one affinity, each would flow through tissue that looks like
  /// another.
  [[nodiscard]] std::vector<Contest> contests() const {
    if (growing_.size() == 1) return {{*growing_.begin(), spreading_, windows_}};
    std::vector<Contest> all;
    for (const Label label : growing_) {
      const Label others = label == *labels_.begin() ? *labels_.rbegin() : *labels_.begin();
      Contest& contest = all.emplace_back(Contest{label, spreading_, {*windows_.find(label)}});
      for (Seed& seed : contest.seeds.seeds)
        seed.label = seed.label == label ? label : others;
    }
    return all;
  }

  /// Connectedness with the windows. A voxel that several labels claim belongs to the strongest, of
  /// equal ones to the smallest; one that none claims, to the background if that won it.
  [[nodiscard]] Connected connect() {
    const auto voxels = static_cast<std::size_t>(inputs_.image.geometry().voxel_count());
    if (nothing_competes()) {
      return {.labels = LabelMap(inputs_.image.geometry(), std::vector<std::uint8_t>(voxels)),
              .strength = std::vector<std::uint16_t>(voxels)};
    }
    if (growing_.size() < 2) return connect(spreading_, windows_, growing_);
    Connected all{.labels = {}, .strength = std::vector<std::uint16_t>(voxels)};
    // Checks the strokes of each label, which are not told apart below.
    all.warnings = set_up(spreading_, windows_, growing_).warnings;
    std::vector<std::uint32_t> labels(voxels);
    for (const Contest& contest : contests()) {
      const Label label = contest.label;
      const Connected one = connect(contest.seeds, contest.windows, {label});
      visit_labels(one.labels.labels(), [&](auto won_labels) {
        const auto add = [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t i = begin; i < end; ++i) {
            const Label won = won_labels[i];
            if (won == label && one.strength[i] > all.strength[i]) {
              labels[i] = label;
              all.strength[i] = one.strength[i];
            } else if (won != 0 && won != label && labels[i] == 0) {
              labels[i] = background_;
            }
          }
        };
        parallel_for(context_, std::ssize(labels), kVoxelsAtOnce, add);
      });
    }
    for (const Seed& seed : seeds_)
      labels[static_cast<std::size_t>(seed.offset)] = seed.label;
    all.labels = make_labels(inputs_.image.geometry(), *labels_.rbegin(), [&](auto& made) {
      std::transform(labels.begin(), labels.end(), made.begin(), [](std::uint32_t label) {
        return static_cast<typename std::decay_t<decltype(made)>::value_type>(label);
      });
    });
    return all;
  }

  [[nodiscard]] Connected connect(const SeedVoxels& seeds, const LabelWindows& windows,
                                  const std::set<Label>& described) {
    fuzzy::Setup setup = set_up(seeds, windows, described);
    fuzzy::Answer answer = solvers_.connectedness(setup.problem, context_);
    return {.labels = narrowed(fuzzy::painted_labels(setup, std::move(answer.labels))),
            .strength = std::move(answer.strength),
            .warnings = std::move(setup.warnings)};
  }

  /// Returns the same labels in the narrowest type, since all further steps go over all of them.
  [[nodiscard]] LabelMap narrowed(const LabelMap& labels) const {
    const Label most = *labels_.rbegin();
    if (most <= std::numeric_limits<std::uint8_t>::max()) return stored_as<std::uint8_t>(labels);
    if (most <= std::numeric_limits<std::uint16_t>::max()) return stored_as<std::uint16_t>(labels);
    return labels;
  }
  template <LabelType T>
  [[nodiscard]] LabelMap stored_as(const LabelMap& labels) const {
    auto made = large_array<T>(context_, labels.labels().size());
    visit_labels(labels.labels(), [&](auto from) {
      parallel_for(context_, std::ssize(from), kVoxelsAtOnce,
                   [&](std::int64_t begin, std::int64_t end) {
                     std::transform(from.begin() + begin, from.begin() + end, made.get() + begin,
                                    [](auto label) { return static_cast<T>(label); });
                   });
    });
    return label_map_of(labels.geometry(), std::move(made));
  }

  /// Sets which seeds spread: all but the stray ones, which label themselves alone.
  void choose_spreading() {
    if (doubtful_.empty()) return;
    stray_ = fuzzy::stray_seeds({.image = inputs_.image,
                                 .mask = inputs_.mask,
                                 .smooth = smooth_,
                                 .doubtful = doubtful_,
                                 .windows = windows_},
                                context_);
    spreading_.seeds = fuzzy::without(inputs_.seeds.seeds, stray_);
    seeds_ = fuzzy::without(all_seeds_, stray_);
    growing_.clear();
    for (const Seed& seed : seeds_) {
      if (described_.contains(seed.label)) growing_.insert(seed.label);
    }
  }
  /// Returns whether all labels but one have stray seeds alone.
  [[nodiscard]] bool nothing_competes() const {
    return !stray_.empty() && !has_two_labels(spreading_);
  }
  [[nodiscard]] std::string about_stray_seeds() const {
    return std::to_string(stray_.size()) + " of " + std::to_string(all_seeds_.size()) +
           " scattered seeds look like another label, and label only themselves";
  }

  [[nodiscard]] bool takes_part(std::int64_t offset) const {
    return inputs_.mask.empty() || inputs_.mask.labels()[static_cast<std::size_t>(offset)] != 0;
  }

  /// Removes labels from voxels that take no part, such as holes of the mask that were filled.
  [[nodiscard]] LabelMap inside_mask(const LabelMap& labels) const {
    if (inputs_.mask.empty()) return labels;
    return make_labels(labels.geometry(), largest_label(labels.labels()), [&](auto& made) {
      using T = typename std::decay_t<decltype(made)>::value_type;
      for (std::size_t i = 0; i < made.size(); ++i) {
        if (inputs_.mask.labels()[i] != 0) made[i] = static_cast<T>(labels.labels()[i]);
      }
    });
  }

  void choose_background() {
    if (values_.is_word("background")) {
      values_.set("background", labels_.size() < 2 ? 0.0 : static_cast<double>(*labels_.rbegin()));
    }
    background_ = static_cast<Label>(values_.number("background"));
  }

  void set_smoothing(double length) {
    if (length != smooth_mm_) estimator_.reset();
    smooth_mm_ = length;
    smooth_ = in_voxels(length, inputs_.image.geometry());
  }

  /// Sets the windows, sigma_h and the smoothing: those given, and estimates of what is missing.
  /// Returns the result, if the estimates have made it.
  [[nodiscard]] std::optional<Connected> describe() {
    std::optional<Connected> found;
    const Geometry& geometry = inputs_.image.geometry();
    if (values_.is_word("smallest_stroke")) {
      values_.set("smallest_stroke", static_cast<double>(fuzzy::smallest_stroke_among(
                                         geometry, all_seeds_, context_)));
    }
    if (are_scattered()) {
      doubtful_ = fuzzy::seeds_in_small_groups(
          geometry, all_seeds_, static_cast<std::size_t>(values_.number("smallest_stroke")),
          context_);
      if (values_.is_word("smoothness")) values_.set("smoothness", kSmoothnessIfScattered);
      if (values_.is_word("prior")) values_.set("prior", kPriorIfScattered);
    }
    if (!values_.is_word("sigma_h")) sigma_h_ = values_.number("sigma_h");
    const std::string& text = values_.word("windows");
    if (text != kAuto) windows_ = parse_label_windows(text).value_or(LabelWindows{});
    std::set<Label> unknown;
    for (const Label label : described_) {
      if (!windows_.contains(label)) unknown.insert(label);
    }
    const bool knows_all = unknown.empty() && !values_.is_word("sigma_h");
    if (!knows_all && labels_.size() > 1) {
      const auto stage = context_.stage("estimate");
      if (are_scattered()) {
        estimate_from_scattered(unknown);
      } else {
        found = estimate_by_agreement(unknown);
      }
    }
    choose_spreading();
    if (!windows_.empty()) values_.set("windows", to_text(windows_));
    values_.set("sigma_h", sigma_h_);
    values_.set("smooth_mm", smooth_mm_);
    return found;
  }

  void estimate_from_scattered(const std::set<Label>& unknown) {
    estimate({}, unknown);
    LabelMap first = first_result();
    for (std::size_t i = 1;
         i < kSmoothingsIfScattered.size() && values_.is_word("smooth_mm") && is_faint(first);
         ++i) {
      set_smoothing(kSmoothingsIfScattered[i] * shortest_edge(inputs_.image.geometry()));
      estimate({}, unknown);
      first = first_result();
    }
    // Once more, with what the first result says of the regions.
    estimate(first, unknown);
  }

  /// An estimate, and what it leads to.
  struct Candidate {
    LabelWindows windows;
    double sigma_h;
    double smooth_mm;
    Values values;
    double apart;
    Connected all;
  };

  /// Estimates in each of kWays, and takes the one that scores best, of equal ones the first.
  /// Returns its result.
  [[nodiscard]] Connected estimate_by_agreement(const std::set<Label>& unknown) {
    std::vector<Candidate> candidates;
    const Values given = values_;
    for (const WayToEstimate& way : kWays) {
      values_ = given;
      if (given.is_word("smooth_mm"))
        set_smoothing(way.smoothing * shortest_edge(inputs_.image.geometry()));
      estimate({}, unknown, way);
      // Once more, with what the first result says of the regions.
      const LabelMap first = first_result();
      if (candidates.empty()) show_draft(first);
      estimate(first, unknown, way);
      apart_ = 0.0;
      Connected all = segmented();
      if (candidates.empty()) show_draft(all.labels);
      candidates.push_back({windows_, sigma_h_, smooth_mm_, values_, apart_, std::move(all)});
    }
    std::array<double, kWays.size()> scores{};
    for (std::size_t i = 0; i < scores.size(); ++i) {
      scores[i] += kApart * candidates[i].apart;
      for (std::size_t k = 0; k < i; ++k) {
        const double agreement = mean_dice(candidates[i].all.labels, candidates[k].all.labels) /
                                 static_cast<double>(scores.size() - 1);
        scores[i] += agreement;
        scores[k] += agreement;
      }
    }
    Candidate& best = candidates[std::ranges::max_element(scores) - scores.begin()];
    windows_ = std::move(best.windows);
    sigma_h_ = best.sigma_h;
    set_smoothing(best.smooth_mm);
    values_ = std::move(best.values);
    return std::move(best.all);
  }

  /// Shows labels while a better estimate is to come.
  void show_draft(const LabelMap& labels) const {
    if (inputs_.show_draft) inputs_.show_draft({{"labels", inside_mask(labels)}});
  }

  /// Mean Dice of two results, over the described labels.
  [[nodiscard]] double mean_dice(const LabelMap& a, const LabelMap& b) const {
    double sum = 0.0;
    for (const Label label : described_) {
      std::atomic<std::int64_t> in_both = 0;
      std::atomic<std::int64_t> in_each = 0;
      visit_labels(a.labels(), [&](auto of_a) {
        visit_labels(b.labels(), [&](auto of_b) {
          const auto add = [&](std::int64_t begin, std::int64_t end) {
            std::int64_t both = 0;
            std::int64_t each = 0;
            for (std::int64_t i = begin; i < end; ++i) {
              const bool is_in_a = of_a[i] == label;
              const bool is_in_b = of_b[i] == label;
              both += is_in_a && is_in_b ? 1 : 0;
              each += (is_in_a ? 1 : 0) + (is_in_b ? 1 : 0);
            }
            in_both += both;
            in_each += each;
          };
          parallel_for(context_, std::ssize(of_a), kVoxelsAtOnce, add);
        });
      });
      sum += in_each == 0 ? 1.0 : 2.0 * static_cast<double>(in_both) / static_cast<double>(in_each);
    }
    return described_.empty() ? 1.0 : sum / static_cast<double>(described_.size());
  }

  void estimate(const LabelMap& first, const std::set<Label>& unknown,
                const WayToEstimate& way = kWays[0]) {
    if (!estimator_) {
      estimator_ =
          std::make_unique<fuzzy::WindowsEstimator>(fuzzy::WindowsProblem{.image = inputs_.image,
                                                                          .mask = inputs_.mask,
                                                                          .seeds = all_seeds_,
                                                                          .smooth = smooth_,
                                                                          .described = described_,
                                                                          .doubtful = doubtful_},
                                                    context_);
    }
    const fuzzy::WindowsEstimate estimate = estimator_->estimate(
        {.own_windows = way.own_windows, .strict = way.strict, .first = first});
    for (const Label label : unknown)
      windows_[label] = estimate.windows.at(label);
    if (values_.is_word("sigma_h")) sigma_h_ = estimate.sigma_h;
  }

  [[nodiscard]] LabelMap first_result() {
    choose_spreading();
    LabelMap labels = connect().labels;
    return are_all_seeded() ? labels : with_seeded_parts(std::move(labels));
  }

  /// Returns whether the intensities inside and outside the labels overlap much.
  [[nodiscard]] bool is_faint(const LabelMap& labels) {
    border::RefineBorderProblem problem{.image = inputs_.image, .labels = labels, .seeds = seeds_};
    Values values = values_;
    set_up_border(values, problem, telling_seeds(), background_, context_);
    double sum = 0.0;
    for (const auto& [label, model] : problem.models)
      sum += model.evidence_weight;
    return sum <= kFaint * static_cast<double>(problem.models.size());
  }

  [[nodiscard]] fuzzy::Setup set_up(const SeedVoxels& seeds, const LabelWindows& windows,
                                    const std::set<Label>& described) {
    fuzzy::Request request{
        .sigma_h = sigma_h_, .smooth = smooth_, .connectivity = connectivity_of(values_)};
    request.object.reset();
    request.described = described;
    const double width = std::pow(kTighter, -values_.number("tightness"));
    for (const auto& [label, of_label] : windows) {
      for (const fuzzy::IntensityWindow& window : of_label) {
        request.windows[label].push_back({window.m, window.below * width, window.above * width});
      }
    }
    return fuzzy::set_up(inputs_.image, seeds, inputs_.mask, request, context_);
  }

  /// Returns whether no part of connectedness can be without a stroke: where a label wins alone,
  /// its path to a stroke is its own. In the union of several contests paths may be cut off.
  [[nodiscard]] bool are_all_seeded() const {
    const Connectivity connectivity = connectivity_of(values_);
    return growing_.size() < 2 && stray_.empty() && values_.word("clean_keep") != "largest" &&
           (connectivity == Connectivity::C4 || connectivity == Connectivity::C6);
  }
  /// Removes the parts of connectedness that no stroke holds.
  [[nodiscard]] LabelMap with_seeded_parts(LabelMap labels) {
    Values values = values_for_seeded_parts();
    return cleaned(std::move(labels), values);
  }
  [[nodiscard]] Values values_for_seeded_parts() const {
    Values values = values_;
    values.set("clean_smallest", 0.0);
    values.set("clean_fill_holes", "no");
    values.set("clean_outline_smooth", 0.0);
    return values;
  }

  [[nodiscard]] LabelMap cleaned(LabelMap labels, Values& values) {
    const auto stage = context_.stage("clean");
    const Geometry geometry = labels.geometry();
    CleanLabelsProblem problem = cleaning(geometry, values);
    problem.labels = std::move(labels);
    return solvers_.cleaning(problem, context_);
  }
  /// Returns the clean-up of labels that are still missing.
  [[nodiscard]] CleanLabelsProblem cleaning(const Geometry& geometry, Values& values) const {
    CleanLabelsProblem problem = cleaning_problem(geometry, all_seeds_, values, "clean_");
    problem.unclaimed = Unclaimed::Nothing;
    return problem;
  }

  [[nodiscard]] LabelMap with_refined_borders(const LabelMap& labels) {
    const auto stage = context_.stage("border");
    border::RefineBorderProblem problem{
        .image = inputs_.image, .labels = labels, .seeds = seeds_, .mask = inputs_.mask};
    set_up_border(values_, problem, telling_seeds(), background_, context_);
    apart_ = 0.0;
    for (const auto& [label, model] : problem.models)
      apart_ += model.apart / static_cast<double>(problem.models.size());
    problem.smoothness *= detail_factor();
    return solvers_.border(problem, context_);
  }
  /// Scattered seeds were picked by their intensities, so these tell nothing of a label's.
  [[nodiscard]] std::span<const Seed> telling_seeds() const {
    return are_scattered() ? std::span<const Seed>() : std::span<const Seed>(seeds_);
  }
  [[nodiscard]] bool are_scattered() const { return values_.number("smallest_stroke") > 0.0; }
  [[nodiscard]] double detail_factor() const {
    return std::pow(kSmoother, -values_.number("detail"));
  }

  const SegmentSolvers& solvers_;
  const Inputs& inputs_;
  Values values_;
  Context& context_;
  double smooth_mm_ = 0.0;
  Vec3 smooth_{};
  std::vector<Seed> all_seeds_;  // inside the mask
  std::set<Label> labels_;       // of these
  std::set<Label> described_;
  Label background_ = 0;
  LabelWindows windows_;
  std::vector<Seed> doubtful_;  // of all seeds: those in groups below the smallest stroke
  /// With the present smoothing, once it is needed.
  std::unique_ptr<fuzzy::WindowsEstimator> estimator_;
  // Set by choose_spreading():
  SeedVoxels spreading_;
  std::vector<Seed> seeds_;  // inside the mask
  std::set<Label> growing_;  // described labels of these
  std::vector<Seed> stray_;
  double sigma_h_ = 1.0;
  double apart_ = 0.0;  // of the last cut's densities, the mean over the labels
};

/// The result of strokes that nothing competes with.
Result nothing_grown(const Inputs& inputs, Values values) {
  const Geometry& geometry = inputs.image.geometry();
  Result result;
  const auto voxels = static_cast<std::size_t>(geometry.voxel_count());
  result.outputs["labels"] = LabelMap(geometry, std::vector<std::uint8_t>(voxels));
  result.outputs["strength"] = Volume(geometry, std::vector<std::uint16_t>(voxels));
  result.values = std::move(values);
  if (!inputs.seeds.seeds.empty())
    result.warnings.emplace_back("nothing grows before two labels have strokes");
  return result;
}

/// Corrects labels: the segmentation of the part that the strokes reach, the labels elsewhere.
Result run_correction(const SegmentSolvers& solvers, const Inputs& inputs, Values values,
                      Context& context) {
  const double given = values.is_word("background") ? 0.0 : values.number("background");
  std::optional<double> reach;
  if (!values.is_word("reach")) reach = values.number("reach");
  const auto correction = [&] {
    const auto stage = context.stage("reach");
    return correction_of(inputs, static_cast<Label>(given), reach, context);
  }();
  if (!correction) {
    values.set("background", given);
    Result start = nothing_grown(inputs, std::move(values));
    start.outputs["labels"] = inputs.start;
    return start;
  }
  values.set("background", static_cast<double>(correction->rest));
  Result result = has_two_labels(correction->inputs.seeds)
                      ? Segmentation(solvers, correction->inputs, std::move(values), context).run()
                      : nothing_grown(correction->inputs, std::move(values));
  result.values.set("background", given);
  result.outputs["labels"] =
      corrected(inputs.start, *correction, std::get<LabelMap>(result.outputs["labels"]));
  const auto part = std::get<Volume>(result.outputs["strength"]);
  const Geometry& geometry = inputs.image.geometry();
  result.outputs["strength"] = Volume(
      geometry, laid<std::uint16_t>(part.voxels<std::uint16_t>(), correction->box, geometry, 0));
  return result;
}

Result run_segment(const SegmentSolvers& solvers, const Inputs& inputs, const Values& values,
                   Context& context) {
  if (!inputs.start.empty()) return run_correction(solvers, inputs, values, context);
  // With edits, work can start without strokes.
  if (!inputs.edits.empty() && !has_two_labels(inputs.seeds)) return nothing_grown(inputs, values);
  return Segmentation(solvers, inputs, values, context).run();
}

}  // namespace

Implementation segment_implementation(std::string algorithm, Backend backend,
                                      SegmentSolvers solvers) {
  return {.algorithm = std::move(algorithm),
          .backend = backend,
          .exactness = Exactness::Exact,
          .run = [solvers = std::move(solvers)](const Inputs& inputs, const Values& values,
                                                Context& context) {
            return run_segment(solvers, inputs, values, context);
          }};
}

Operation segment_operation() {
  return {.id = "segment",
          .title = "Segment",
          .help =
              "Segments objects from strokes: fuzzy connectedness finds them, a minimum cut "
              "their borders; specks and holes are removed.",
          .order = 100,
          .inputs = {{InputKind::Image, true, "the image to segment, one channel"},
                     {.kind = InputKind::Seeds,
                      .help = "strokes or a label map",
                      .fewest_labels = 2,
                      .waived_by = {InputKind::Start, InputKind::Edits}},
                     {InputKind::Mask, false, "voxels outside are ignored"},
                     {.kind = InputKind::Start,
                      .required = false,
                      .help = "labels to correct: strokes decide anew only what they reach",
                      .holds = kLabelsHeld}},
          .parameters = segment_parameters(),
          .outputs = {{"labels", "the label of each voxel, 0 if none won", LabelsForm{}},
                      {.id = "strength",
                       .help = "strength of connectedness to the seeds, 0 to 4096",
                       .form = ImageForm{.full = 4096.0}}},
          .implementations = {segment_implementation("three-steps", Backend::Cpu,
                                                     {.connectedness = fuzzy::irfc_by_tiles,
                                                      .border = border::refine_border,
                                                      .cleaning = clean_labels})},
          .reference_algorithm = "three-steps",
          .example = {.digest = "xxh64:32778125687387cc"}};
}

}  // namespace seedwave
