// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/answer.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>

namespace seedwave::fuzzy {

Answer empty_answer(std::int64_t cells) {
  return {std::vector<std::uint16_t>(cells), std::vector<std::uint16_t>(cells)};
}

std::vector<Label> labels_of(std::span<const Seed> seeds) {
  // A table, because a label image gives a million seeds, which are slow to sort.
  std::vector<bool> present(std::size_t{1} << 16);
  std::set<Label> large;
  for (const Seed& seed : seeds) {
    if (seed.label < present.size()) {
      present[seed.label] = true;
    } else {
      large.insert(seed.label);
    }
  }
  std::vector<Label> labels;
  for (std::size_t label = 0; label < present.size(); ++label) {
    if (present[label]) labels.push_back(static_cast<Label>(label));
  }
  labels.insert(labels.end(), large.begin(), large.end());
  return labels;
}

std::vector<Seed> seeds_of(const std::vector<Seed>& seeds, Label label) {
  std::vector<Seed> result;
  std::copy_if(seeds.begin(), seeds.end(), std::back_inserter(result),
               [&](const Seed& seed) { return seed.label == label; });
  return result;
}

void join_relative(Label label, const std::vector<std::uint16_t>& strength, Answer& answer) {
  for (std::size_t i = 0; i < strength.size(); ++i) {
    if (strength[i] > answer.strength[i]) {
      answer.strength[i] = strength[i];
      answer.labels[i] = static_cast<std::uint16_t>(label);
    } else if (strength[i] == answer.strength[i]) {
      answer.labels[i] = 0;  // a tie, until a stronger label comes
    }
  }
}

void keep_painted(const std::vector<Seed>& seeds, std::vector<std::uint16_t>& labels) {
  for (const Seed& seed : seeds)
    labels[seed.offset] = static_cast<std::uint16_t>(seed.label);
}

void cut_below(double theta, const std::vector<Seed>& seeds, Answer& answer) {
  const double level = kFullStrength * theta;
  for (std::size_t i = 0; i < answer.labels.size(); ++i) {
    if (answer.strength[i] <= level) answer.labels[i] = 0;
  }
  keep_painted(seeds, answer.labels);
}

}  // namespace seedwave::fuzzy
