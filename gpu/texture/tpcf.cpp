// SPDX-License-Identifier: Apache-2.0
#include "gpu/texture/tpcf.h"

#include "gpu/device/device_run.h"
#include "gpu/device/download.h"
#include "gpu/texture/features_on_device.h"

#include <cstddef>
#include <span>
#include <vector>

namespace seedwave::gpu {

void tpcf_by_box(const TpcfProblem& problem, const FeatureSink& sink, Context& context) {
  check(problem);
  std::vector<float> values;
  DeviceRun run(context);
  FeaturesOnDevice features(problem, context, run.stream);
  features.walk(run.clock, 1, [&](int first_row, const StripOnDevice& strip) {
    run.clock.begin("download");
    const std::int64_t rows = std::int64_t{strip.planes} * strip.rows;
    values.resize(static_cast<std::size_t>(rows * strip.columns));
    constexpr auto kBytes = static_cast<std::int64_t>(sizeof(float));
    download_rows({strip.values, strip.columns * kBytes, strip.pitch * kBytes},
                  std::as_writable_bytes(std::span(values)), context, run.stream);
    sink({.first_column = 0,
          .first_row = first_row,
          .columns = strip.columns,
          .rows = strip.rows,
          .planes = strip.planes,
          .values = values.data()});
  });
  run.clock.report();
}

void repeat_tpcf(const TpcfProblem& problem, int runs, Context& context) {
  check(problem);
  DeviceRun run(context);
  FeaturesOnDevice features(problem, context, run.stream);
  features.walk(run.clock, runs, [](int, const StripOnDevice&) {});
  run.clock.report();
}

}  // namespace seedwave::gpu
