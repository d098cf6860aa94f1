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
#include <set>
#include <string>
#include <vector>

namespace seedwave::fuzzy {

/// A value that the user gave, in image units: for all labels, or for individual ones.
struct GivenNumber {
  std::optional<double> for_all;
  std::map<Label, double> by_label;

  /// Returns the value for `label`, or nothing if it is to be estimated.
  [[nodiscard]] std::optional<double> of(Label label) const {
    const auto found = by_label.find(label);
    return found == by_label.end() ? for_all : std::optional(found->second);
  }
};

/// Describes a segmentation and its affinity. Missing values are estimated from the seeds.
struct Request {
  /// The label that m and sigma_o describe. If empty, every label with seeds has its own (`all`).
  std::optional<Label> object = Label{1};
  GivenNumber m;
  GivenNumber sigma_o;
  /// Labels that are described by windows instead of m and sigma_o.
  std::map<Label, ObjectWindows> windows{};
  /// Without `object`: the labels that are described. Empty: every label with seeds.
  std::set<Label> described{};
  std::optional<double> sigma_h;
  /// Sigma, in voxels along each axis, of a Gaussian on the intensities that the affinity reads; 0
  /// for none.
  Vec3 smooth{};
  Connectivity connectivity = Connectivity::C6;

  /// Selects the seeds that take part. An absolute object grows only from its own seeds.
  enum class Seeds { All, OfTheObject };
  Seeds seeds = Seeds::All;
  /// Requires seeds of `object` even if m and sigma_o are given.
  bool object_needs_seeds = false;
  /// Minimum number of labels with seeds.
  int fewest_labels = 2;
};

/// A problem ready for any solver, with the values used in it.
struct Setup {
  Problem problem;
  /// The values used, by label if several labels are described. Without those of labels with
  /// windows.
  std::map<Label, ObjectFeature> objects;
  double sigma_h = 1.0;
  std::vector<std::string> warnings;
  /// Solvers label in 16 bits. If a painted label needs more, the problem has numbers instead, in
  /// the same order: this is the painted label of each. Else empty.
  std::vector<Label> painted{};
};

/// Returns a solver's labels as painted.
[[nodiscard]] LabelMap painted_labels(const Setup& setup, std::vector<std::uint16_t> labels);

/// Converts image, seeds and mask (empty: none) to the form that every solver reads.
///
/// Drops seeds outside the mask with a warning. Keeps the scene in the context's cache, so the next
/// stroke on the same image and mask reuses it. Stage: prepare. The affinities are computed by the
/// solver, in a stage of its own. Throws InputError for images that make_scene() rejects, for too
/// few labels, and if there is nothing to estimate from. Also throws it for a label whose strokes
/// all lie outside the image or the mask. Throws UsageError for m or sigma_o of a label that is not
/// the object. Throws Cancelled.
[[nodiscard]] Setup set_up(const Volume& image, const SeedVoxels& seeds, const LabelMap& mask,
                           const Request& request, Context& context);

}  // namespace seedwave::fuzzy
