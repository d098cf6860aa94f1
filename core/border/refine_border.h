// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/border/model.h"
#include "core/image/label_map.h"
#include "core/image/seed_set.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace seedwave::border {

/// Largest number of labels whose models are estimated and reported.
inline constexpr std::size_t kMostLabels = 4096;

struct RefineBorderProblem {
  Volume image;  // one channel
  LabelMap labels;
  /// Each of these voxels gets the label of its seed.
  std::vector<Seed> seeds{};  // sorted by offset
  /// Voxels with 0 keep their label. Empty: none do.
  LabelMap mask{};
  /// Greatest distance from the border at which a voxel may change sides, in units of the spacing;
  /// at most kLargestReach voxels.
  double band = 0.0;
  /// Factor of the edges' capacities: larger values give smoother borders.
  double smoothness = 1.0;
  /// Weight of the distance to the given border.
  double prior = 1.0;
  /// By label. Labels without a model give way to the others, like 0.
  std::map<Label, BorderModel> models{};
};

/// Moves the borders of labels to where the image has them, by one minimum cut per label.
///
/// With seeds put into the labels, each label with a model is cut from the rest. Voxels of its band
/// (band_in()) are free, except seeds and voxels outside the mask; the others stay on their
/// side. Face neighbours are joined by edges. In nats, rounded to 1/1024:
/// - A voxel of intensity f and signed distance d (its distance to the other side, less half the
///   smallest spacing, positive inside) belongs inside by evidence_weight * evidence(f) + prior * d
///   / band.
/// - An edge between intensities f and g has the capacity 0.5 (1 + evidence_weight) smoothness
///   (0.05 + exp(-(f - g)^2 / (2 contrast^2))) V^(1/n) / s, with the spacing s along the edge and
///   the size V of a voxel in n dimensions.
///
/// A label claims the smallest source set of its minimum cuts. A voxel of several claims keeps its
/// label if that is among them, or else gets the smallest. A voxel without a claim keeps its label
/// if that has no model or holds it in the largest source set of its cuts, or else gets 0.
///
/// With the same models, a label's sets grow with its voxels and seeds and shrink with those of
/// others: more voxels or seeds of a label in place of others take no voxel from it.
///
/// Intensities are read on 4,095 steps between low and high. Bitwise equal for any number of
/// threads and layers of parts. Memory: about 20 bytes per voxel of the bands, which the context's
/// cache keeps with the labels for the next run, and 200 per voxel that needs a cut.
/// Throws InputError for NaN near a border, UnavailableError for a band of more than 2^31 voxels,
/// and Cancelled.
[[nodiscard]] LabelMap refine_border(const RefineBorderProblem& problem, Context& context);

/// The labels with the seeds put into them, in a type that holds both.
[[nodiscard]] LabelMap with_seeds(const LabelMap& labels, const std::vector<Seed>& seeds);

/// Estimates the models of all labels that `known` lacks, but 0 and `giving_way`, from rings of
/// three times the band (limited to kLargestReach voxels). labels: with the seeds put into them.
/// Throws InputError for more than kMostLabels labels, and as estimate_model() does.
[[nodiscard]] std::map<Label, BorderModel> estimate_models(
    const Volume& image, const LabelMap& labels, std::span<const Seed> seeds, double band,
    const std::map<Label, BorderModel>& known, Label giving_way, Context& context);

}  // namespace seedwave::border
