// SPDX-License-Identifier: Apache-2.0
#include "core/border/refine_border.h"

#include "core/base/error.h"
#include "core/border/minimum_cut.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <utility>

namespace seedwave::border {
namespace {

constexpr double kUnitsPerNat = 1024.0;
constexpr std::size_t kSteps = 4095;
constexpr double kEdgeWeight = 0.5;
constexpr double kLeastEdge = 0.05;
constexpr double kRingPerBand = 3.0;

/// Boxes of all labels but 0.
std::map<Label, Box> boxes_of(const LabelMap& map) {
  const Geometry& geometry = map.geometry();
  std::map<Label, Box> boxes;
  visit_labels(map.labels(), [&]<LabelType T>(std::span<const T> labels) {
    Index3 at{};
    std::int64_t row = 0;
    for (at[2] = 0; at[2] < geometry.size[2]; ++at[2]) {
      for (at[1] = 0; at[1] < geometry.size[1]; ++at[1], row += geometry.size[0]) {
        for (std::int64_t x = 0; x < geometry.size[0];) {
          const T label = labels[row + x];
          const std::int64_t begin = x;
          while (x < geometry.size[0] && labels[row + x] == label)
            ++x;
          if (label == 0) continue;
          Box& box = boxes[label];
          at[0] = begin;
          box.include(at);
          at[0] = x - 1;
          box.include(at);
        }
      }
    }
  });
  return boxes;
}

/// Capacities of one label's cut, as tables over the steps of intensities.
class Capacities {
 public:
  Capacities(const RefineBorderProblem& problem, const BorderModel& model)
      : low_(model.low),
        high_(model.high),
        steps_per_unit_(kSteps / (model.high - model.low)),
        per_length_(problem.prior / problem.band),
        unit_(band_scale(problem.image.geometry()).unit) {
    const Geometry& geometry = problem.image.geometry();
    require(model.evidence.size() >= 2 && model.high > model.low);
    for (std::size_t i = 0; i <= kSteps; ++i)
      evidence_[i] = in_units(model.evidence_weight * interpolated(model.evidence, i));
    const double size = cube_edge(geometry);
    const double weight = kEdgeWeight * (1.0 + model.evidence_weight) * problem.smoothness;
    for (int axis = 0; axis < 3; ++axis) {
      const double factor = weight * size / geometry.spacing[axis];
      for (std::size_t i = 0; i <= kSteps; ++i) {
        const double difference = static_cast<double>(i) / steps_per_unit_ / model.contrast;
        edges_[axis][i] =
            in_units(factor * (kLeastEdge + std::exp(-0.5 * difference * difference)));
      }
    }
    half_ = 0.5 * smallest_spacing(geometry);
  }

  [[nodiscard]] std::int32_t step_of(double intensity) const {
    const double clamped = std::clamp(intensity, low_, high_);
    const double above = (clamped - low_) * steps_per_unit_ + 0.5;
    return static_cast<std::int32_t>(above);
  }
  [[nodiscard]] std::int32_t terminal(std::int32_t step, std::int32_t square) const {
    const double length = std::sqrt(static_cast<double>(std::abs(square))) * unit_ - half_;
    return evidence_[step] + in_units((square > 0 ? length : -length) * per_length_);
  }
  [[nodiscard]] std::int32_t edge(int axis, std::int32_t a, std::int32_t b) const {
    return edges_[axis][std::abs(a - b)];
  }

 private:
  static std::int32_t in_units(double nats) {
    constexpr double kMost = 1e8;  // so that seven of them fit 32 bits
    return static_cast<std::int32_t>(std::lround(std::clamp(nats * kUnitsPerNat, -kMost, kMost)));
  }

  static double interpolated(const std::vector<double>& knots, std::size_t step) {
    const double at = static_cast<double>(step) * static_cast<double>(knots.size() - 1) / kSteps;
    const auto below = std::min(static_cast<std::size_t>(at), knots.size() - 2);
    const double share = at - static_cast<double>(below);
    return (1.0 - share) * knots[below] + share * knots[below + 1];
  }

  double low_;
  double high_;
  double steps_per_unit_;
  double per_length_;
  double unit_;
  double half_ = 0.0;
  std::array<std::int32_t, kSteps + 1> evidence_{};
  std::array<std::array<std::int32_t, kSteps + 1>, 3> edges_{};
};

/// The voxels of a label that may change sides, as a network.
class Network {
 public:
  Network(const RefineBorderProblem& problem, const LabelMap& labels, Label label, const Box& box,
          Context& context)
      : geometry_(labels.geometry()), label_(label) {
    band_ = band_around(labels, label, box, problem.band, context);
    std::erase_if(band_, [&](const BandCell& cell) { return is_fixed(problem, cell.offset); });
    if (band_.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
      throw UnavailableError("the band holds too many voxels for a cut: make it narrower");
    make_cells(problem, labels, context);
  }

  void solve(Context& context) {
    sides_ = minimum_cut(cells_, context).sides;
    cells_ = {};
  }

  [[nodiscard]] Label label() const { return label_; }
  /// The free voxels, by offset, and their sides.
  [[nodiscard]] const std::vector<BandCell>& band() const { return band_; }
  [[nodiscard]] const std::vector<CutSide>& sides() const { return sides_; }

 private:
  static bool is_fixed(const RefineBorderProblem& problem, std::int64_t offset) {
    if (!problem.mask.empty() && problem.mask.labels()[static_cast<std::size_t>(offset)] == 0)
      return true;
    const auto seed = std::ranges::lower_bound(problem.seeds, offset, {}, &Seed::offset);
    return seed != problem.seeds.end() && seed->offset == offset;
  }

  void make_cells(const RefineBorderProblem& problem, const LabelMap& labels, Context& context) {
    const Capacities capacities(problem, problem.models.at(label_));
    cells_.resize(band_.size());
    constexpr std::int64_t kGrain = 1 << 14;
    visit_voxels(problem.image, [&]<typename T>(std::span<const T> voxels) {
      visit_labels(labels.labels(), [&]<LabelType L>(std::span<const L> of) {
        parallel_for(context, std::ssize(band_), kGrain, [&](std::int64_t begin, std::int64_t end) {
          fill(voxels, of, capacities, begin, end);
        });
      });
    });
  }

  template <typename T, LabelType L>
  void fill(std::span<const T> voxels, std::span<const L> labels, const Capacities& capacities,
            std::int64_t begin, std::int64_t end) {
    const auto step_at = [&](std::int64_t offset) {
      const auto value = static_cast<double>(voxels[offset]);
      if constexpr (std::is_floating_point_v<T>) {
        if (std::isnan(value)) throw InputError("the image has NaN values near a border");
      }
      return capacities.step_of(value);
    };
    std::array<std::int64_t, 3> strides{1, geometry_.size[0],
                                        geometry_.size[0] * geometry_.size[1]};
    // Neighbours in the band by direction: both lists are sorted, so each search goes on from the
    // last.
    std::array<std::size_t, 6> near{};
    for (int d = 0; d < 6; ++d) {
      const std::int64_t shift = (d % 2 == 0 ? 1 : -1) * strides[d / 2];
      near[d] = first_from(band_[begin].offset + shift);
    }
    for (std::int64_t i = begin; i < end; ++i) {
      CutCell& cell = cells_[i];
      const std::int64_t offset = band_[i].offset;
      const Index3 at = geometry_.index_of(offset);
      const std::int32_t step = step_at(offset);
      cell.terminal = capacities.terminal(step, band_[i].square);
      for (int d = 0; d < 6; ++d) {
        const int axis = d / 2;
        const bool up = d % 2 == 0;
        if (up ? at[axis] + 1 == geometry_.size[axis] : at[axis] == 0) continue;
        const std::int64_t to = offset + (up ? strides[axis] : -strides[axis]);
        const std::int32_t capacity = capacities.edge(axis, step, step_at(to));
        while (near[d] < band_.size() && band_[near[d]].offset < to)
          ++near[d];
        if (near[d] < band_.size() && band_[near[d]].offset == to) {
          cell.neighbours[d] = static_cast<std::int32_t>(near[d]);
          cell.capacities[d] = capacity;
        } else {
          cell.terminal += labels[to] == label_ ? capacity : -capacity;
        }
      }
    }
  }

  [[nodiscard]] std::size_t first_from(std::int64_t offset) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(band_, offset, {}, &BandCell::offset) -
                                    band_.begin());
  }

  const Geometry& geometry_;
  Label label_;
  std::vector<BandCell> band_;
  std::vector<CutCell> cells_;
  std::vector<CutSide> sides_;
};

/// Resolves the claims of all labels; the smallest label comes last and wins.
template <LabelType T>
LabelMap resolved(const LabelMap& labels, std::span<const T> before,
                  const std::vector<Network>& networks) {
  const auto gives_way = [&](Label label) {
    return label == 0 || std::ranges::find(networks, label, &Network::label) == networks.end();
  };
  std::vector<T> after(before.begin(), before.end());
  std::vector<std::uint8_t> is_given_up(before.size());
  for (const Network& network : networks) {
    for (std::size_t i = 0; i < network.band().size(); ++i) {
      const std::int64_t at = network.band()[i].offset;
      if (before[at] != network.label() || network.sides()[i] == CutSide::Source) continue;
      is_given_up[at] = 1;
      if (network.sides()[i] == CutSide::Sink) after[at] = 0;
    }
  }
  for (std::size_t k = networks.size(); k-- > 0;) {
    const Network& network = networks[k];
    for (std::size_t i = 0; i < network.band().size(); ++i) {
      const std::int64_t at = network.band()[i].offset;
      if (network.sides()[i] != CutSide::Source) continue;
      if (is_given_up[at] != 0 || gives_way(before[at]))
        after[at] = static_cast<T>(network.label());
    }
  }
  return {labels.geometry(), std::move(after)};
}

}  // namespace

LabelMap with_seeds(const LabelMap& labels, const std::vector<Seed>& seeds) {
  Label most = largest_label(labels.labels());
  bool differs = false;
  for (const Seed& seed : seeds) {
    most = std::max(most, seed.label);
    differs = differs || labels.labels()[static_cast<std::size_t>(seed.offset)] != seed.label;
  }
  if (!differs) return labels;
  return make_labels(labels.geometry(), most, [&](auto& made) {
    using T = typename std::decay_t<decltype(made)>::value_type;
    visit_labels(labels.labels(), [&](auto from) {
      std::transform(from.begin(), from.end(), made.begin(),
                     [](auto label) { return static_cast<T>(label); });
    });
    for (const Seed& seed : seeds)
      made[static_cast<std::size_t>(seed.offset)] = static_cast<T>(seed.label);
  });
}

std::map<Label, BorderModel> estimate_models(const Volume& image, const LabelMap& labels,
                                             const std::vector<Seed>& seeds, double band,
                                             const std::map<Label, BorderModel>& known,
                                             Label giving_way, Context& context) {
  const Geometry& geometry = image.geometry();
  const double reach = std::min(kRingPerBand * band, widest_band(geometry));
  const double units = band / band_scale(geometry).unit;
  const auto in_band = static_cast<std::int32_t>(std::min(units * units, 2e9));
  std::map<Label, BorderModel> models = known;
  const std::map<Label, Box> boxes = boxes_of(labels);
  if (boxes.size() > kMostLabels) {
    throw InputError("the borders of at most " + std::to_string(kMostLabels) +
                     " labels can be refined, but there are " + std::to_string(boxes.size()));
  }
  for (const auto& [label, box] : boxes) {
    if (label == giving_way || models.contains(label)) continue;
    const std::vector<BandCell> ring = band_around(labels, label, box, reach, context);
    models.emplace(label, estimate_model(image, ring, in_band, seeds, context));
  }
  return models;
}

LabelMap refine_border(const RefineBorderProblem& problem, Context& context) {
  const LabelMap labels = with_seeds(problem.labels, problem.seeds);
  std::vector<Network> networks;
  for (const auto& [label, box] : boxes_of(labels)) {
    context.checkpoint(0.0);
    if (!problem.models.contains(label)) continue;
    networks.emplace_back(problem, labels, label, box, context);
  }
  parallel_for(context, std::ssize(networks), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      networks[i].solve(context);
  });
  return visit_labels(labels.labels(), [&]<LabelType T>(std::span<const T> before) {
    return resolved<T>(labels, before, networks);
  });
}

}  // namespace seedwave::border
