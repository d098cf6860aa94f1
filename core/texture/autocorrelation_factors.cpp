// SPDX-License-Identifier: Apache-2.0
#include "core/texture/autocorrelation_factors.h"

#include "core/base/error.h"
#include "core/texture/clusters/covariance.h"
#include "core/texture/clusters/principal_components.h"
#include "core/texture/clusters/symmetric_eigen.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace seedwave {
namespace {

/// Offset from a window of the grid to its neighbour, in steps of the grid.
struct Step {
  std::int64_t columns;
  std::int64_t rows;
};

/// Returns a window's side in steps of the grid, but at most half of the grid.
std::int64_t step_of(std::int64_t window, std::int64_t spacing, std::int64_t places) {
  const std::int64_t steps = std::max<std::int64_t>(1, (window + spacing / 2) / spacing);
  return std::min(steps, places / 2);
}

Points differences(const Points& sample, const SampleGrid& grid, const Step& step) {
  const std::int64_t columns = grid.columns - step.columns;
  Points result = Points::zeros((grid.rows - step.rows) * columns, sample.dimensions);
  for (std::int64_t i = 0; i < result.count(); ++i) {
    const std::int64_t place = i / columns * grid.columns + i % columns;
    const auto here = sample.row(place);
    const auto there = sample.row(place + step.rows * grid.columns + step.columns);
    std::transform(there.begin(), there.end(), here.begin(), result.row(i).begin(), std::minus());
  }
  return result;
}

/// Returns S, or zeros if there is only one window.
Points noise_of(const Points& sample, const SampleGrid& grid, std::int64_t window,
                Context& context) {
  const Step steps[] = {{step_of(window, grid.spacing, grid.columns), 0},
                        {0, step_of(window, grid.spacing, grid.rows)}};
  Points noise = Points::zeros(sample.dimensions, sample.dimensions);
  double pairs = 0.0;
  for (const Step& step : steps) {
    if (step.columns + step.rows == 0) continue;
    const Points apart = differences(sample, grid, step);
    const Points products = mean_product(apart, context);
    const auto count = static_cast<double>(apart.count());
    for (std::size_t i = 0; i < noise.values.size(); ++i)
      noise.values[i] += products.values[i] * count;
    pairs += 2.0 * count;
  }
  for (double& entry : noise.values)
    entry /= std::max(1.0, pairs);
  return noise;
}

/// Returns the mean variance.
double scale_of(const Points& covariance) {
  double scale = 0.0;
  for (std::int64_t i = 0; i < covariance.dimensions; ++i)
    scale += covariance.row(i)[i] / static_cast<double>(covariance.dimensions);
  return scale;
}

}  // namespace

AutocorrelationFactors autocorrelation_factors(const Points& sample, const SampleGrid& grid,
                                               std::int64_t window, std::int64_t count,
                                               Context& context) {
  require(sample.count() == grid.count());
  const Points noise = noise_of(sample, grid, window, context);
  const Points rows = whitening(noise, kNoiseShrinkage, scale_of(noise));
  PrincipalComponents components = principal_components(sample, rows, count, context);
  return {.mean = std::move(components.mean),
          .axes = std::move(components.axes),
          .variances = std::move(components.variances)};
}

}  // namespace seedwave
