// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/ops/operation_table.h"
#include "core/parallel/context.h"

#include <string>
#include <vector>

namespace seedwave::bench {

/// How the parameters of one column of the table were found.
struct AccuracyColumn {
  std::string title;
  /// True: sigma_o was chosen by its Dice with the truth, so the figure is a bound, not a forecast.
  bool chosen_with_reference = false;
};

struct AccuracyRow {
  double noise_percent = 0.0;
  std::vector<double> dice;     // of white matter, a figure a column
  std::vector<double> sigma_o;  // as used
  /// Dice of the paper's parallel algorithm to exact IRFC, same affinity (its Table II).
  double porfc_to_irfc = 0.0;
};

/// Zhuge et al. 2013, Tables II and III, on a proton-density brain simulated from `tissues`.
struct AccuracyTable {
  std::vector<AccuracyColumn> columns;
  std::vector<AccuracyRow> rows;
};

/// Segments white against grey matter by exact IRFC inside the brain mask, seeds as in the paper,
/// at 1, 3 and 5 % noise. Takes some hundred runs. Throws what run_operation() throws, Cancelled.
[[nodiscard]] AccuracyTable measure_accuracy(const OperationTable& table, const LabelMap& tissues,
                                             Context& context);

/// The table as text, with the paper's figures beside.
[[nodiscard]] std::string describe(const AccuracyTable& table);

}  // namespace seedwave::bench
