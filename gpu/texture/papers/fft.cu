// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/texture/spectrum.h"
#include "gpu/device/buffer.h"
#include "gpu/device/cuda_check.h"
#include "gpu/device/launch.h"
#include "gpu/device/memory.h"
#include "gpu/texture/lag_lists.cuh"
#include "gpu/texture/phase_bits.cuh"
#include "gpu/texture/strips.h"

#include <algorithm>
#include <cstddef>
#include <cufft.h>
#include <string>

namespace seedwave::gpu {
namespace {

using namespace texture;

/// Maximum cells of the windows that are transformed at once.
constexpr std::int64_t kMostCells = std::int64_t{1} << 24;
/// Maximum cells of a strip's windows: few enough for some hundredths of a second.
constexpr std::int64_t kMostStripCells = std::int64_t{1} << 29;

void throw_on_failure(cufftResult code) {
  if (code == CUFFT_SUCCESS) return;
  if (code == CUFFT_ALLOC_FAILED)
    throw UnavailableError("the GPU's memory does not suffice for Fourier transforms");
  throw DeviceFault("the GPU failed: cuFFT's code " + std::to_string(code));
}

/// Windows that are transformed at once: from index `first` of a strip on, row by row.
struct Batch {
  PhaseRows picture;
  int window;
  int columns;  // of windows
  int side;     // with padding
  std::int64_t first;
  std::int64_t windows;
  double2* cells;

  [[nodiscard]] __device__ std::int64_t area() const { return std::int64_t{side} * side; }
};

/// One mask is the real part, the next phase's the imaginary part; both are zero outside the
/// window.
__global__ void __launch_bounds__(kBlockSize) fill_kernel(const Batch batch, int phase) {
  const std::int64_t cell = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (cell >= batch.windows * batch.area()) return;
  const std::int64_t window = batch.first + cell / batch.area();
  const auto in_window = static_cast<int>(cell % batch.area());
  const int x = in_window % batch.side;
  const int y = in_window / batch.side;
  double2 masks{0.0, 0.0};
  if (x < batch.window && y < batch.window) {
    const int place_x = static_cast<int>(window % batch.columns) + x;
    const int place_y = static_cast<int>(window / batch.columns) + y;
    if (batch.picture.belongs(place_x, place_y, phase)) masks.x = 1.0;
    if (batch.picture.belongs(place_x, place_y, phase + 1)) masks.y = 1.0;
  }
  batch.cells[cell] = masks;
}

/// Converts spectra to the power spectra of both masks, which are equal at k and -k: see
/// CorrelationBySpectrum.
__global__ void __launch_bounds__(kBlockSize) power_kernel(const Batch batch) {
  const std::int64_t cell = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (cell >= batch.windows * batch.area()) return;
  const auto here = static_cast<int>(cell % batch.area());
  const int x = here % batch.side;
  const int y = here / batch.side;
  const int there = (batch.side - x) % batch.side + (batch.side - y) % batch.side * batch.side;
  if (there < here) return;
  double2* const spectrum = batch.cells + (cell - here);
  const double2 a = spectrum[here];
  const double2 b = spectrum[there];
  const double scale = 0.25 / static_cast<double>(batch.area());
  const auto norm = [](double re, double im) { return re * re + im * im; };
  const double2 powers{scale * norm(a.x + b.x, a.y - b.y), scale * norm(a.x - b.x, a.y + b.y)};
  spectrum[here] = powers;
  spectrum[there] = powers;
}

/// Computes the features of two phases. One thread per window and radius.
__global__ void __launch_bounds__(kBlockSize)
    sum_kernel(const Batch batch, int phase, const LagLists lists, std::int64_t plane,
               float* features) {
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t window = thread / lists.radii;
  const int radius = static_cast<int>(thread % lists.radii);
  if (window >= batch.windows) return;
  const double2* const correlation = batch.cells + window * batch.area();
  std::int64_t first = 0;
  std::int64_t second = 0;
  for (int i = lists.first[radius]; i < lists.first[radius + 1]; ++i) {
    const WeighedLag lag = lists.lags[i];
    const int x = lag.dx < 0 ? lag.dx + batch.side : lag.dx;
    const double2 pairs = correlation[lag.dy * batch.side + x];
    first += lag.weight * __double2ll_rn(pairs.x);
    second += lag.weight * __double2ll_rn(pairs.y);
  }
  const std::int64_t place = batch.first + window;
  features[(std::int64_t{phase} * lists.radii + radius) * plane + place] =
      feature_of(first / kWeightScale);
  if (phase + 1 < batch.picture.phases)
    features[(std::int64_t{phase + 1} * lists.radii + radius) * plane + place] =
        feature_of(second / kWeightScale);
}

/// Sizes of a problem whose image is not known yet.
struct Sizes {
  std::int64_t picture_columns;
  std::int64_t window;
  std::int64_t phases;

  [[nodiscard]] std::int64_t columns() const { return picture_columns - window + 1; }
  [[nodiscard]] std::int64_t planes() const { return phases * radius_count(window); }
  /// cuFFT's transforms have at least two cells.
  [[nodiscard]] std::int64_t side() const {
    return std::max<std::int64_t>(2, seedwave::texture::padded_side(window));
  }
  [[nodiscard]] std::int64_t area() const { return side() * side(); }
  [[nodiscard]] std::int64_t batch(std::int64_t rows) const {
    return std::clamp<std::int64_t>(kMostCells / area(), 1, rows * columns());
  }
  [[nodiscard]] std::int64_t most_rows() const { return kMostStripCells / (area() * columns()); }
  /// cuFFT's own memory is usually as large as the cells.
  [[nodiscard]] std::int64_t bytes(std::int64_t rows) const {
    return StripLabels::count(picture_columns, window, rows) *
               static_cast<std::int64_t>(sizeof(std::uint16_t)) +
           planes() * rows * columns() * static_cast<std::int64_t>(sizeof(float)) +
           2 * batch(rows) * area() * static_cast<std::int64_t>(sizeof(double2)) + kBufferEnds;
  }
};

/// A plan for transforms of squares stored one after the other, in memory of the pool.
class Plan {
 public:
  Plan(std::int64_t side, std::int64_t count, const Stream& stream) : work_(0, stream) {
    throw_on_failure(cufftCreate(&plan_));
    try {
      throw_on_failure(cufftSetAutoAllocation(plan_, 0));
      int sides[2] = {static_cast<int>(side), static_cast<int>(side)};
      const auto area = static_cast<int>(side * side);
      std::size_t bytes = 0;
      throw_on_failure(cufftMakePlanMany(plan_, 2, sides, nullptr, 1, area, nullptr, 1, area,
                                         CUFFT_Z2Z, static_cast<int>(count), &bytes));
      work_ = DeviceBuffer<std::uint8_t>(
          std::max<std::int64_t>(1, static_cast<std::int64_t>(bytes)), stream);
      throw_on_failure(cufftSetWorkArea(plan_, work_.data()));
      throw_on_failure(cufftSetStream(plan_, stream.get()));
    } catch (...) {
      cufftDestroy(plan_);
      throw;
    }
  }
  ~Plan() { cufftDestroy(plan_); }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  void run(double2* cells, int direction) const {
    throw_on_failure(cufftExecZ2Z(plan_, cells, cells, direction));
  }

 private:
  cufftHandle plan_{};
  DeviceBuffer<std::uint8_t> work_;
};

class FftOnDevice : public StripSolver {
 public:
  FftOnDevice(const TpcfProblem& problem, std::int64_t memory, const Stream& stream)
      : sizes_{problem.phases.geometry().size[0], problem.window, problem.count},
        stream_(stream),
        rows_(rows_within(memory, sizes_.most_rows(), problem,
                          [&](std::int64_t rows) { return sizes_.bytes(rows); })),
        labels_(problem, rows_, stream),
        features_(sizes_.planes() * rows_ * sizes_.columns(), stream),
        cells_(sizes_.batch(rows_) * sizes_.area(), stream),
        plan_(sizes_.side(), sizes_.batch(rows_), stream),
        lists_(lags_by_radius(lag_table(problem.window, problem.directions))),
        first_lags_(uploaded(lists_.first, stream)),
        lags_(uploaded(lists_.lags, stream)) {}

  [[nodiscard]] int rows() const override { return rows_; }
  void upload(int first_row, int rows) override { labels_.upload(first_row, rows); }

  void compute(int rows) override {
    const std::int64_t all = rows * sizes_.columns();
    for (std::int64_t first = 0; first < all; first += sizes_.batch(rows_)) {
      const Batch batch{
          .picture = {labels_.data(), static_cast<int>(sizes_.picture_columns),
                      rows + static_cast<int>(sizes_.window) - 1, static_cast<int>(sizes_.phases)},
          .window = static_cast<int>(sizes_.window),
          .columns = static_cast<int>(sizes_.columns()),
          .side = static_cast<int>(sizes_.side()),
          .first = first,
          .windows = std::min(sizes_.batch(rows_), all - first),
          .cells = cells_.data()};
      for (int phase = 0; phase < sizes_.phases; phase += 2)
        correlate(batch, phase, all);
    }
  }

  [[nodiscard]] StripOnDevice strip(int rows) const override {
    const auto columns = static_cast<int>(sizes_.columns());
    return {features_.data(), columns, rows, static_cast<int>(sizes_.planes()), columns};
  }

 private:
  /// Correlates two phases of a batch; a plane of features has `plane` windows.
  void correlate(const Batch& batch, int phase, std::int64_t plane) {
    const unsigned blocks = blocks_for(batch.windows * sizes_.area());
    const LagLists lists{first_lags_.data(), lags_.data(),
                         static_cast<int>(radius_count(sizes_.window))};
    fill_kernel<<<blocks, kBlockSize, 0, stream_.get()>>>(batch, phase);
    check_launch(stream_.get());
    plan_.run(cells_.data(), CUFFT_FORWARD);
    power_kernel<<<blocks, kBlockSize, 0, stream_.get()>>>(batch);
    check_launch(stream_.get());
    plan_.run(cells_.data(), CUFFT_INVERSE);
    sum_kernel<<<blocks_for(batch.windows * lists.radii), kBlockSize, 0, stream_.get()>>>(
        batch, phase, lists, plane, features_.data());
    check_launch(stream_.get());
  }

  Sizes sizes_;
  Stream stream_;
  int rows_;
  StripLabels labels_;
  DeviceBuffer<float> features_;
  DeviceBuffer<double2> cells_;
  Plan plan_;
  LagsByRadius lists_;
  DeviceBuffer<std::int32_t> first_lags_;
  DeviceBuffer<WeighedLag> lags_;
};

}  // namespace

std::unique_ptr<StripSolver> fft_on_device(const TpcfProblem& problem, const Context& context,
                                           const Stream& stream) {
  return std::make_unique<FftOnDevice>(problem, memory_for(context), stream);
}

std::int64_t least_fft_bytes(const Geometry& picture, std::int64_t window, std::int64_t phases) {
  return Sizes{picture.size[0], window, phases}.bytes(1);
}

}  // namespace seedwave::gpu
