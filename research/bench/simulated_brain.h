// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/volume.h"

namespace seedwave::bench {

/// Tissue labels of the simulated brain, as in BrainWeb's phantom.
enum class Tissue : std::uint16_t { Csf = 1, Grey = 2, White = 3, Glial = 8 };

/// Simulates a proton-density MR scene from a tissue map, u8, for measuring accuracy against the
/// map.
///
/// One intensity per tissue (CSF, the brightest, 200), and a Gaussian blur of 0.6 voxel in place of
/// partial volume. Rician noise sqrt((S+a)^2+b^2), with a and b normal and sigma = noise_percent of
/// CSF's intensity, as BrainWeb states its noise. The random numbers are determined by `seed` and
/// the percentage. Not the output of the BrainWeb simulator.
[[nodiscard]] Volume simulate_proton_density(const LabelMap& tissues, double noise_percent,
                                             unsigned seed = 1);

/// Returns the mask of the brain: CSF, grey, white and glial matter.
[[nodiscard]] LabelMap brain_mask(const LabelMap& tissues);

/// Returns seeds as in Zhuge et al. 2013, section III: voxels inside the mask whose intensity
/// equals the rounded mean of true white matter (label 1) or true grey matter (label 2).
[[nodiscard]] LabelMap paper_seeds(const Volume& scene, const LabelMap& tissues);

}  // namespace seedwave::bench
