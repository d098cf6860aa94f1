// SPDX-License-Identifier: Apache-2.0
#include "core/texture/corner_plan.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <utility>

namespace seedwave::texture {
namespace {

/// More would not fit into half a byte: for each lag two pairs are added and two removed.
constexpr std::size_t kMostLags = 4;

struct Group {
  std::vector<Lag> lags;
  std::span<const LagWeight> weights;
};

/// Groups lags with the same weights, ordered by their radii, because those of a couple should have
/// the same ones.
std::vector<Group> groups_of(const LagTable& table) {
  using Key = std::pair<std::vector<std::int32_t>, std::vector<std::int64_t>>;
  std::map<Key, std::vector<Lag>> by_weights;
  for (const Lag& lag : table.lags) {
    Key key;
    for (const LagWeight& weight : table.weights_of(lag)) {
      key.first.push_back(weight.radius);
      key.second.push_back(weight.weight);
    }
    by_weights[key].push_back(lag);
  }
  std::vector<Group> groups;
  for (const auto& [key, lags] : by_weights) {
    for (std::size_t first = 0; first < lags.size(); first += kMostLags) {
      const std::size_t last = std::min(first + kMostLags, lags.size());
      groups.push_back(
          {{lags.begin() + first, lags.begin() + last}, table.weights_of(lags.front())});
    }
  }
  return groups;
}

/// Takes the lowest signed limb of 16 bits from a weight, and carries the rest to the next limb.
std::int16_t take_limb(std::int64_t& weight) {
  const auto limb = static_cast<std::int16_t>(weight);  // modulo 2^16
  weight = (weight - limb) >> 16;
  return limb;
}

}  // namespace

CornerPlanOfTable::CornerPlanOfTable(const LagTable& table, std::int64_t row) {
  const std::vector<Group> groups = groups_of(table);
  const auto width = static_cast<std::int32_t>(table.window);
  const auto place = [&](std::int32_t x, std::int32_t y) {
    return x + y * static_cast<std::int32_t>(row);
  };
  for (const Group& group : groups) {
    groups_.push_back({static_cast<std::int32_t>(2 * group.lags.size())});
    for (const bool comes_in : {true, false}) {
      for (const Lag& lag : group.lags) {
        // The box of first cells, and the position after its last one.
        const std::int32_t left = std::max(0, -lag.dx);
        const std::int32_t right = width - std::max(0, lag.dx);
        const std::int32_t bottom = width - lag.dy;
        const auto add_pair = [&](std::int32_t x, std::int32_t y) {
          pairs_.push_back({place(x, y), place(x + lag.dx, y + lag.dy)});
        };
        add_pair(left, comes_in ? 0 : bottom);
        add_pair(right, comes_in ? bottom : 0);
      }
    }
  }
  if (groups_.size() % 2 != 0) groups_.push_back({0});

  std::map<std::pair<std::int32_t, std::int32_t>, std::array<std::int64_t, 2>> by_radius;
  std::int64_t most = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (const LagWeight& weight : groups[i].weights) {
      by_radius[{weight.radius, static_cast<std::int32_t>(i / 2)}][i % 2] = weight.weight;
      most = std::max(most, weight.weight);
    }
  }
  // The highest limb is signed, and the one below may carry into it.
  limbs_ = most < (std::int64_t{1} << 31) - (std::int64_t{1} << 16) ? 2 : kMostLimbs;
  std::int32_t radius = -1;
  for (auto& [at, both] : by_radius) {
    for (; radius < at.first; ++radius)
      first_weight_.push_back(static_cast<std::int32_t>(weights_.size()));
    CoupleWeight weight{.couple = at.second, .limbs = {}};
    for (int limb = 0; limb < limbs_; ++limb)
      weight.limbs[static_cast<std::size_t>(limb)] = {take_limb(both[0]), take_limb(both[1])};
    weights_.push_back(weight);
  }
  first_weight_.push_back(static_cast<std::int32_t>(weights_.size()));
}

CornerPlan CornerPlanOfTable::plan() const {
  return {.groups = groups_.data(),
          .couples = std::ssize(groups_) / 2,
          .pairs = pairs_.data(),
          .weights = weights_.data(),
          .first_weight = first_weight_.data(),
          .radii = std::ssize(first_weight_) - 1,
          .limbs = limbs_};
}

}  // namespace seedwave::texture
