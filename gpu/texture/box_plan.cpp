// SPDX-License-Identifier: Apache-2.0
#include "gpu/texture/box_plan.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

namespace seedwave::gpu::texture {
namespace {

/// |dx|, dy.
using Reach = std::pair<int, int>;
struct Group {
  std::vector<Reach> reaches;  // one or two
  std::vector<LagWeight> weights;
};

bool same(const std::vector<LagWeight>& a, const std::vector<LagWeight>& b) {
  return std::ranges::equal(a, b, [](const LagWeight& x, const LagWeight& y) {
    return x.radius == y.radius && x.weight == y.weight;
  });
}

/// Groups with two lags come first, so that quads of one kind are adjacent.
std::vector<Group> groups_of(const LagTable& table) {
  std::map<Reach, std::vector<LagWeight>> weights;
  for (const Lag& lag : table.lags) {
    const auto of_lag = table.weights_of(lag);
    if (lag.dx >= 0) weights[{lag.dx, lag.dy}].assign(of_lag.begin(), of_lag.end());
  }
  std::vector<Group> groups;
  for (const auto& [reach, of_reach] : weights) {
    const auto [a, b] = reach;
    Group group{{reach}, of_reach};
    const auto twin = weights.find({b, a});
    if (a != b && twin != weights.end() && same(twin->second, of_reach)) {
      if (a > b) continue;
      group.reaches.emplace_back(b, a);
    }
    const bool counted_twice = a == 0 || b == 0;
    for (LagWeight& weight : group.weights)
      weight.weight *= counted_twice ? kWeightScale / 2 : kWeightScale;
    groups.push_back(std::move(group));
  }
  std::ranges::stable_sort(groups, std::greater(),
                           [](const Group& group) { return group.reaches.size(); });
  return groups;
}

bool counts_for(const Group& group, int first_radius) {
  return std::ranges::any_of(group.weights, [&](const LagWeight& weight) {
    return weight.radius >= first_radius && weight.radius < first_radius + kRadii;
  });
}

/// Returns the number of signed bytes per weight. Four hold values below 2^31 - 2^23; six hold all.
int limbs_for(const std::vector<Group>& groups) {
  std::int64_t most = 0;
  for (const Group& group : groups) {
    for (const LagWeight& weight : group.weights)
      most = std::max(most, weight.weight);
  }
  return most < (std::int64_t{1} << 31) - (std::int64_t{1} << 23) ? 4 : 6;
}

class PlanMaker {
 public:
  PlanMaker(int window, const CellRow& row, BoxPlan& plan)
      : window_(window), row_(row), plan_(plan) {}

  /// Adds one range of radii and distributes its quads evenly over the pieces.
  void add_range(const std::vector<Group>& groups, int first_radius) {
    const auto quads = static_cast<int>((groups.size() + 3) / 4);
    const int pieces = (quads + kQuads - 1) / kQuads;
    const auto first = static_cast<int>(plan_.pieces.size());
    for (int piece = 0; piece < pieces; ++piece)
      add_piece(groups, quads * piece / pieces, quads * (piece + 1) / pieces, first_radius);
    plan_.ranges.push_back({first, first + pieces});
  }

 private:
  void add_piece(const std::vector<Group>& groups, int first_quad, int end_quad, int first_radius) {
    const std::size_t words = plan_.weights.size();
    const std::size_t biases = plan_.bias.size();
    plan_.weights.resize(words + static_cast<std::size_t>(plan_.limbs * kQuads * kRadii));
    plan_.bias.resize(biases + static_cast<std::size_t>(plan_.limbs * kRadii));
    plan_.pieces.push_back({static_cast<int>(plan_.groups.size()), end_quad - first_quad});
    for (int place = 0; place < 4 * (end_quad - first_quad); ++place) {
      const auto number = static_cast<std::size_t>(4 * first_quad + place);
      // A partial quad counts the last group again, with weight zero.
      add_group(groups[std::min(number, groups.size() - 1)]);
      if (number >= groups.size()) continue;
      for (const LagWeight& weight : groups[number].weights) {
        const int radius = weight.radius - first_radius;
        if (radius >= 0 && radius < kRadii)
          add_weight(weight.weight, place, radius, &plan_.weights[words], &plan_.bias[biases]);
      }
    }
  }
  void add_weight(std::int64_t weight, int place, int radius, std::uint32_t* words,
                  std::int32_t* bias) const {
    for (int limb = 0; limb < plan_.limbs; ++limb) {
      const auto byte = static_cast<std::int8_t>(weight & 0xff);
      weight = (weight - byte) / 256;
      words[(limb * kQuads + place / 4) * kRadii + radius] |=
          std::uint32_t{static_cast<std::uint8_t>(byte)} << (8 * (place % 4));
      bias[limb * kRadii + radius] -= 128 * byte;
    }
    assert(weight == 0);
  }
  void add_group(const Group& group) {
    plan_.groups.push_back({lags_at(group.reaches[0]),
                            group.reaches.size() > 1 ? lags_at(group.reaches[1]) : kNoLags});
  }
  [[nodiscard]] CornerLags lags_at(const Reach& reach) const {
    const auto [a, b] = reach;
    constexpr int kBytes = sizeof(std::uint32_t);
    return {row_.place(a) * kBytes, row_.place(window_ - a) * kBytes, b * row_.pitch() * kBytes,
            (window_ - b) * row_.pitch() * kBytes};
  }

  int window_;
  CellRow row_;
  BoxPlan& plan_;
};

}  // namespace

BoxPlan box_plan(const LagTable& table, const CellRow& row) {
  const std::vector<Group> groups = groups_of(table);
  BoxPlan plan{.limbs = limbs_for(groups)};
  PlanMaker maker(static_cast<int>(table.window), row, plan);
  const auto radii = static_cast<int>(radius_count(table.window));
  for (int first_radius = 0; first_radius < radii; first_radius += kRadii) {
    std::vector<Group> of_range;
    std::ranges::copy_if(groups, std::back_inserter(of_range),
                         [&](const Group& group) { return counts_for(group, first_radius); });
    maker.add_range(of_range, first_radius);
  }
  return plan;
}

LagsByRadius lags_by_radius(const LagTable& table) {
  LagsByRadius result{.first = {0}};
  for (std::int64_t radius = 0; radius < radius_count(table.window); ++radius) {
    for (const Lag& lag : table.lags) {
      for (const LagWeight& weight : table.weights_of(lag)) {
        if (weight.radius == radius)
          result.lags.push_back({lag.dx, lag.dy, weight.weight * kWeightScale});
      }
    }
    result.first.push_back(static_cast<std::int32_t>(result.lags.size()));
  }
  return result;
}

}  // namespace seedwave::gpu::texture
