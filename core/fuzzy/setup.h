// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/affinity.h"
#include "core/fuzzy/problem.h"
#include "core/image/label_map.h"
#include "core/image/seed_set.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace seedwave::fuzzy {

/// A number that the user gave: for every label, or for some by name, in image units.
struct GivenNumber {
  std::optional<double> for_all;
  std::map<std::uint16_t, double> by_label;

  /// Nothing where it is to be estimated.
  [[nodiscard]] std::optional<double> of(std::uint16_t label) const {
    const auto found = by_label.find(label);
    return found == by_label.end() ? for_all : std::optional(found->second);
  }
};

/// What is to be segmented with which affinity; what is not given is estimated from the seeds.
struct Request {
  /// The label that m and sigma_o describe; none: every label with seeds has its own (`all`).
  std::optional<std::uint16_t> object = std::uint16_t{1};
  GivenNumber m;
  GivenNumber sigma_o;
  std::optional<double> sigma_h;
  /// Sigma in voxels of a Gaussian on the greys that the affinity reads; 0: none.
  double smooth = 0.0;
  Connectivity connectivity = Connectivity::C6;

  /// Which seeds take part: an absolute object grows from its own alone.
  enum class Seeds { All, OfTheObject };
  Seeds seeds = Seeds::All;
  /// Whether `object` must have seeds even where m and sigma_o are given.
  bool object_needs_seeds = false;
  /// How many labels must have seeds.
  int fewest_labels = 2;
};

/// A problem ready for any solver, and the numbers in it.
struct Setup {
  Problem problem;
  /// The numbers used, by label where several are described.
  std::map<std::uint16_t, ObjectFeature> objects;
  double sigma_h = 1.0;
  std::vector<std::string> warnings;
};

/// Puts image, seeds and mask (empty: none) into the form that every solver reads.
///
/// Seeds outside the mask are dropped with a warning. The scene is kept in the context's cache, so
/// that the next stroke on the same image and mask does not make it again.
/// Stage: prepare. The affinities themselves are the solver's, whose stage has that name.
/// Throws InputError: what make_scene() refuses; too few labels; a label whose strokes all lie
/// outside the image or the mask; nothing to estimate from. UsageError: m or sigma_o for a label
/// that is not the object. Cancelled.
[[nodiscard]] Setup set_up(const Volume& image, const SeedVoxels& seeds, const LabelMap& mask,
                           const Request& request, Context& context);

}  // namespace seedwave::fuzzy
