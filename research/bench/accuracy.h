// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "core/ops/operation_table.h"
#include "core/parallel/context.h"

#include <string>
#include <vector>

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

/// The way in which the parameters of one column of the table were chosen.
struct AccuracyColumn {
  std::string title;
  /// Set if sigma_o was chosen by its Dice with the truth. The result is then an upper bound, not a
  /// prediction.
  bool chosen_with_reference = false;
};

struct AccuracyRow {
  double noise_percent = 0.0;
  std::vector<double> dice;     // of white matter, one per column
  std::vector<double> sigma_o;  // as used; 0 for an operation without it
  /// Dice of the paper's parallel algorithm with exact IRFC, same affinity (its Table II).
  double porfc_to_irfc = 0.0;
};

/// Tables II and III of Zhuge et al. 2013, on a proton-density brain simulated from `tissues`.
struct AccuracyTable {
  std::vector<AccuracyColumn> columns;
  std::vector<AccuracyRow> rows;
};

/// Segments white against grey matter by exact IRFC inside the brain mask, with seeds as in the
/// paper, at 1, 3 and 5 % noise. Takes several hundred runs. Throws what run_operation() throws,
/// Cancelled.
[[nodiscard]] AccuracyTable measure_accuracy(const OperationTable& table, const LabelMap& tissues,
                                             Context& context);

/// Returns the table as text, with the paper's values next to ours.
[[nodiscard]] std::string describe(const AccuracyTable& table);

}  // namespace seedwave::bench
