// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/buffer.h"
#include "gpu/device/cuda_check.h"
#include "gpu/device/memory.h"
#include "gpu/texture/phase_bits.cuh"
#include "gpu/texture/strips.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <vector>

namespace seedwave::gpu {
namespace {

using namespace texture;

/// The paper's number.
constexpr unsigned kThreads = 128;
/// Number of threads that share a radius.
constexpr unsigned kOfRadius = 8;
/// Maximum bytes of a strip's features: enough to keep a device busy, and few enough for short
/// launches.
constexpr std::int64_t kMostFeatureBytes = std::int64_t{1} << 28;
/// Maximum rows of a launch.
constexpr std::int64_t kMostRows = 65535;

/// Number of windows of a sequence: large enough to make the cost of the first one, which is
/// counted from scratch, negligible.
__host__ __device__ constexpr int run_of(int window) {
  return window <= 32 ? 128 : 4 * window;
}

struct LagPlace {
  int dx;
  int dy;
};
struct WeighedCount {
  int lag;
  std::int64_t weight;
};

/// The kernel's arguments. A block's index gives its sequence, row of windows and phase.
struct UpdateRun {
  PhaseRows picture;
  int window;
  int radii;
  int lag_count;
  const LagPlace* lags;
  const std::int32_t* first_weights;  // of radii 0, 1 .. and past the last
  const WeighedCount* weights;
  float* features;  // see StripOnDevice
  int rows;
  int columns;
};

/// Number of a block's columns in shared memory, which follow the counts of pairs: [word][column],
/// with the second half of the words zero.
__host__ __device__ constexpr int columns_of(int window) {
  return run_of(window) + window - 1;
}
std::int64_t shared_bytes(int window, std::int64_t lags) {
  const std::int64_t words = words_of_window(window);
  return 4 * (lags + 2 * words * columns_of(window));
}

/// Returns the number of pairs with first column x, at a lag.
template <int words>
__device__ int pairs_from(const std::uint32_t* columns, int stride, int x, const LagPlace& lag) {
  return common_bits<words>(columns + x, columns + x + lag.dx, stride, lag.dy);
}

/// Returns the number of pairs of the window at column 0 of the sequence.
template <int words>
__device__ int count_all(const std::uint32_t* columns, int stride, int window,
                         const LagPlace& lag) {
  int count = 0;
  const int end = window - max(0, lag.dx);
  for (int x = max(0, -lag.dx); x < end; ++x)
    count += pairs_from<words>(columns, stride, x, lag);
  return count;
}

/// Returns their change towards the window at column `x`.
template <int words>
__device__ int change_of(const std::uint32_t* columns, int stride, int window, int x,
                         const LagPlace& lag) {
  const int enters = x + window - 1;
  const int leaves = x - 1;
  return pairs_from<words>(columns, stride, enters - max(0, lag.dx), lag) -
         pairs_from<words>(columns, stride, leaves + max(0, -lag.dx), lag);
}

/// Computes the features of a window from its counts, with kOfRadius threads per radius.
__device__ void sum_up(const UpdateRun& run, const std::int32_t* counts, std::int64_t place) {
  const unsigned group = threadIdx.x / kOfRadius;
  const unsigned member = threadIdx.x % kOfRadius;
  const std::int64_t plane = std::int64_t{run.rows} * run.columns;
  // All threads do the same number of iterations, because they take part in shuffles.
  for (unsigned first = 0; first < static_cast<unsigned>(run.radii);
       first += kThreads / kOfRadius) {
    const unsigned radius = first + group;
    std::int64_t sum = 0;
    if (radius < static_cast<unsigned>(run.radii)) {
      const auto end = static_cast<unsigned>(run.first_weights[radius + 1]);
      for (unsigned i = static_cast<unsigned>(run.first_weights[radius]) + member; i < end;
           i += kOfRadius)
        sum += run.weights[i].weight * counts[run.weights[i].lag];
    }
    for (unsigned by = kOfRadius / 2; by > 0; by /= 2)
      sum += __shfl_down_sync(~0U, sum, by, kOfRadius);
    if (member == 0 && radius < static_cast<unsigned>(run.radii))
      run.features[radius * plane + place] = feature_of(sum);
  }
}

template <int words>
__global__ void __launch_bounds__(kThreads) update_kernel(const UpdateRun run) {
  extern __shared__ std::uint32_t shared[];
  auto* const counts = reinterpret_cast<std::int32_t*>(shared);
  std::uint32_t* const columns = shared + run.lag_count;
  const int stride = columns_of(run.window);
  const int first = static_cast<int>(blockIdx.x) * run_of(run.window);
  const auto row = static_cast<int>(blockIdx.y);
  const auto phase = static_cast<int>(blockIdx.z);
  const auto thread = static_cast<int>(threadIdx.x);

  for (int i = thread; i < 2 * words * stride; i += kThreads) {
    columns[i] = word_of(i / stride, words, run.window, [&](int y) {
      return run.picture.belongs(first + i % stride, row + y, phase);
    });
  }
  __syncthreads();
  const int end = min(run_of(run.window), run.columns - first);
  const std::int64_t planes_before = std::int64_t{phase} * run.radii;
  const std::int64_t place = (planes_before * run.rows + row) * run.columns + first;
  for (int x = 0; x < end; ++x) {
    for (int i = thread; i < run.lag_count; i += kThreads) {
      const LagPlace lag = run.lags[i];
      counts[i] = x == 0 ? count_all<words>(columns, stride, run.window, lag)
                         : counts[i] + change_of<words>(columns, stride, run.window, x, lag);
    }
    __syncthreads();
    sum_up(run, counts, place + x);
    __syncthreads();
  }
}

/// The table of lags as the kernel reads it.
struct UpdateLists {
  std::vector<LagPlace> lags{};
  std::vector<std::int32_t> first_weights{0};
  std::vector<WeighedCount> weights{};
};

UpdateLists lists_of(const LagTable& table) {
  UpdateLists lists;
  for (const Lag& lag : table.lags)
    lists.lags.push_back({lag.dx, lag.dy});
  for (std::int64_t radius = 0; radius < radius_count(table.window); ++radius) {
    for (std::size_t i = 0; i < table.lags.size(); ++i) {
      for (const LagWeight& weight : table.weights_of(table.lags[i])) {
        if (weight.radius == radius) lists.weights.push_back({static_cast<int>(i), weight.weight});
      }
    }
    lists.first_weights.push_back(static_cast<std::int32_t>(lists.weights.size()));
  }
  return lists;
}

/// Returns the bytes of the features of a row of windows.
std::int64_t row_bytes(std::int64_t columns, std::int64_t window, std::int64_t phases) {
  return (columns - window + 1) * phases * radius_count(window) *
         static_cast<std::int64_t>(sizeof(float));
}
std::int64_t strip_bytes(std::int64_t columns, std::int64_t window, std::int64_t phases,
                         std::int64_t rows) {
  return StripLabels::count(columns, window, rows) *
             static_cast<std::int64_t>(sizeof(std::uint16_t)) +
         rows * row_bytes(columns, window, phases) + kBufferEnds;
}

class UpdateOnDevice : public StripSolver {
 public:
  UpdateOnDevice(const TpcfProblem& problem, std::int64_t memory, const Stream& stream)
      : problem_(problem),
        picture_columns_(problem.phases.geometry().size[0]),
        columns_(picture_columns_ - problem.window + 1),
        stream_(stream),
        rows_(rows_within(
            memory,
            std::min(kMostRows, kMostFeatureBytes /
                                    row_bytes(picture_columns_, problem.window, problem.count)),
            problem,
            [&](std::int64_t rows) {
              return strip_bytes(picture_columns_, problem.window, problem.count, rows);
            })),
        labels_(problem, rows_, stream),
        features_(plane_count(problem) * rows_ * columns_, stream),
        lists_(lists_of(lag_table(problem.window, problem.directions))),
        lags_(uploaded(lists_.lags, stream)),
        first_weights_(uploaded(lists_.first_weights, stream)),
        weights_(uploaded(lists_.weights, stream)) {}

  [[nodiscard]] int rows() const override { return rows_; }
  void upload(int first_row, int rows) override { labels_.upload(first_row, rows); }

  void compute(int rows) override {
    const auto window = static_cast<int>(problem_.window);
    const int words = words_of_window(window);
    const auto columns = static_cast<int>(columns_);
    const std::int64_t bytes = shared_bytes(window, std::ssize(lists_.lags));
    const UpdateRun run{.picture = {labels_.data(), static_cast<int>(picture_columns_),
                                    rows + window - 1, static_cast<int>(problem_.count)},
                        .window = window,
                        .radii = static_cast<int>(radius_count(window)),
                        .lag_count = static_cast<int>(lists_.lags.size()),
                        .lags = lags_.data(),
                        .first_weights = first_weights_.data(),
                        .weights = weights_.data(),
                        .features = features_.data(),
                        .rows = rows,
                        .columns = columns};
    const dim3 grid(static_cast<unsigned>((columns + run_of(window) - 1) / run_of(window)),
                    static_cast<unsigned>(rows), static_cast<unsigned>(problem_.count));
    with_words(words, [&](auto count) {
      const auto kernel = update_kernel<count>;
      CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      static_cast<int>(bytes)));
      kernel<<<grid, kThreads, static_cast<std::size_t>(bytes), stream_.get()>>>(run);
      check_launch(stream_.get());
    });
  }

  [[nodiscard]] StripOnDevice strip(int rows) const override {
    const auto columns = static_cast<int>(columns_);
    return {features_.data(), columns, rows, static_cast<int>(plane_count(problem_)), columns};
  }

 private:
  const TpcfProblem& problem_;
  std::int64_t picture_columns_;
  std::int64_t columns_;  // of windows
  Stream stream_;
  int rows_;
  StripLabels labels_;
  DeviceBuffer<float> features_;
  UpdateLists lists_;
  DeviceBuffer<LagPlace> lags_;
  DeviceBuffer<std::int32_t> first_weights_;
  DeviceBuffer<WeighedCount> weights_;
};

}  // namespace

std::unique_ptr<StripSolver> update_on_device(const TpcfProblem& problem, const Context& context,
                                              const Stream& stream) {
  return std::make_unique<UpdateOnDevice>(problem, memory_for(context), stream);
}

std::int64_t least_update_bytes(const Geometry& picture, std::int64_t window, std::int64_t phases) {
  return strip_bytes(picture.size[0], window, phases, 1);
}

}  // namespace seedwave::gpu
