// SPDX-License-Identifier: Apache-2.0
#include "gpu/texture/tpcf.h"

#include "core/base/error.h"
#include "gpu/device/device_run.h"
#include "gpu/device/download.h"
#include "gpu/texture/strips.h"

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace seedwave::gpu {
namespace {

/// The functions that make up an algorithm.
struct Maker {
  TpcfOnDevice algorithm;
  const char* name;
  std::unique_ptr<StripSolver> (*solver)(const TpcfProblem&, const Context&, const Stream&);
  std::int64_t (*least_bytes)(const Geometry&, std::int64_t window, std::int64_t phases);
};
constexpr Maker kMakers[] = {
    {TpcfOnDevice::Box, "box", box_on_device, least_box_bytes},
    {TpcfOnDevice::Update, "update", update_on_device, least_update_bytes},
#ifdef SEEDWAVE_CUFFT
    {TpcfOnDevice::Fft, "fft", fft_on_device, least_fft_bytes},
#endif
};

const Maker& maker_of(TpcfOnDevice algorithm) {
  for (const Maker& maker : kMakers)
    if (maker.algorithm == algorithm) return maker;
  throw UnavailableError("fft on CUDA needs cuFFT, which this build does not have");
}

void walk(TpcfOnDevice algorithm, const TpcfProblem& problem, int runs, const UseStrip& use,
          Context& context, DeviceRun& run) {
  const auto solver = maker_of(algorithm).solver(problem, context, run.stream);
  walk_strips(*solver, problem, runs, use, context, run);
  run.clock.report();
}

void bring(TpcfOnDevice algorithm, const TpcfProblem& problem, const FeatureSink& sink,
           Context& context) {
  check(problem);
  std::vector<float> values;
  DeviceRun run(context);
  const UseStrip hand_over = [&](int first_row, const StripOnDevice& strip) {
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
  };
  walk(algorithm, problem, 1, hand_over, context, run);
}

}  // namespace

std::string name_of(TpcfOnDevice algorithm) {
  return maker_of(algorithm).name;
}

std::vector<TpcfOnDevice> tpcf_algorithms() {
  std::vector<TpcfOnDevice> algorithms;
  for (const Maker& maker : kMakers)
    algorithms.push_back(maker.algorithm);
  return algorithms;
}

TpcfSolver tpcf_solver(TpcfOnDevice algorithm) {
  return [algorithm](const TpcfProblem& problem, const FeatureSink& sink, Context& context) {
    bring(algorithm, problem, sink, context);
  };
}

void repeat_tpcf(TpcfOnDevice algorithm, const TpcfProblem& problem, int runs, Context& context) {
  check(problem);
  DeviceRun run(context);
  walk(
      algorithm, problem, runs, [](int, const StripOnDevice&) {}, context, run);
}

std::int64_t least_tpcf_bytes(TpcfOnDevice algorithm, const Geometry& picture, std::int64_t window,
                              std::int64_t phases) {
  return maker_of(algorithm).least_bytes(picture, window, phases);
}

}  // namespace seedwave::gpu
