// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/buffer.h"
#include "gpu/device/memory.h"
#include "gpu/texture/box.cuh"
#include "gpu/texture/box_plan.h"
#include "gpu/texture/lag_lists.cuh"
#include "gpu/texture/phase_bits.cuh"
#include "gpu/texture/strips.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace seedwave::gpu::texture {
namespace {

// The starting values of `box`, counted in words of bits: sums of features in the column before
// each block, and the differences from window to window in the first row of each segment.

/// The bits of one row or column, which is compared with many others.
template <int words>
class OwnBits {
 public:
  __device__ OwnBits(const std::uint32_t* own, int stride)
      : own_(own), stride_(stride), word_(own[0]) {}

  /// Returns the number of bits in common with `other`, whose bits are `by` places ahead.
  __device__ int with_later(const std::uint32_t* other, int by) const {
    if constexpr (words == 1) return __popc(word_ & (other[0] >> by));
    return common_bits<words>(own_, other, stride_, by);
  }
  /// Returns the number of bits in common with `other`, whose bits are `by` places back.
  __device__ int with_earlier(const std::uint32_t* other, int by) const {
    if constexpr (words == 1) return __popc(other[0] & (word_ >> by));
    return common_bits<words>(other, own_, stride_, by);
  }

 private:
  const std::uint32_t* own_;
  int stride_;
  std::uint32_t word_;
};

/// Computes the change in the sums of the window before each block with each step down, starting
/// `window` rows above the image: [block][phase][radius][step].
template <int words>
__global__ void steps_down_kernel(const BitWords bits, const LagLists lists, int window, int phases,
                                  int steps, std::int64_t* changes) {
  const int step = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (step >= steps) return;
  const int radius = static_cast<int>(blockIdx.y) % lists.radii;
  const int phase = static_cast<int>(blockIdx.y) / lists.radii;
  const auto block = static_cast<int>(blockIdx.z);
  const std::uint32_t* const leaves = bits.of(block, phases, phase) + step;
  const std::uint32_t* const enters = leaves + window;
  // Above the image a window has no row that could leave.
  const bool has_rows = step >= window;
  const OwnBits<words> own_leaves(leaves, bits.stride);
  const OwnBits<words> own_enters(enters, bits.stride);
  changes[((std::int64_t{block} * phases + phase) * lists.radii + radius) * steps + step] =
      lists.sum(radius, [&](int dx, int dy) {
        const int in = dx >= 0 ? own_enters.with_earlier(enters - dy, dx)
                               : own_enters.with_later(enters - dy, -dx);
        if (!has_rows) return in;
        const int out = dx >= 0 ? own_leaves.with_later(leaves + dy, dx)
                                : own_leaves.with_earlier(leaves + dy, -dx);
        return in - out;
      });
}

/// Computes prefix sums of the changes: [block][phase][radius][row]. One block of threads per
/// sequence.
__global__ void sum_down_kernel(const std::int64_t* changes, int window, int rows,
                                std::int64_t* sums) {
  __shared__ std::int64_t of_warps[32];
  const int steps = window + rows - 1;
  const auto thread = static_cast<int>(threadIdx.x);
  const std::int64_t* const from = changes + std::int64_t{blockIdx.x} * steps;
  std::int64_t* const to = sums + std::int64_t{blockIdx.x} * rows;
  std::int64_t before = 0;
  for (int first = 0; first < steps; first += static_cast<int>(blockDim.x)) {
    const int step = first + thread;
    std::int64_t sum = step < steps ? from[step] : 0;
    for (int by = 1; by < 32; by *= 2) {
      const std::int64_t left = __shfl_up_sync(~0U, sum, by);
      if (thread % 32 >= by) sum += left;
    }
    if (thread % 32 == 31) of_warps[thread / 32] = sum;
    __syncthreads();
    std::int64_t of_block = 0;
    for (int warp = 0; warp < static_cast<int>(blockDim.x) / 32; ++warp) {
      if (warp < thread / 32) sum += of_warps[warp];
      of_block += of_warps[warp];
    }
    const int row = step - window + 1;
    if (row >= 0 && step < steps) to[row] = before + sum;
    before += of_block;
    __syncthreads();
  }
}

/// Computes, for each segment's first row, the differences of sums from window to window, summed
/// over kTogether windows: [segment][phase][radius][place].
template <int words>
__global__ void slopes_kernel(const BitWords bits, const LagLists lists, int window, int phases,
                              int places, std::int64_t* slopes) {
  const int place = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (place >= places) return;  // a whole number of blocks of windows, hence of warps
  const int radius = static_cast<int>(blockIdx.y) % lists.radii;
  const int phase = static_cast<int>(blockIdx.y) / lists.radii;
  const auto segment = static_cast<int>(blockIdx.z);
  const std::uint32_t* const leaves = bits.of(segment, phases, phase) + place;
  const std::uint32_t* const enters = leaves + window;
  const OwnBits<words> own_leaves(leaves, bits.stride);
  const OwnBits<words> own_enters(enters, bits.stride);
  std::int64_t sum = lists.sum(radius, [&](int dx, int dy) {
    // The first cell is the upper one. The sign of dx determines which of the two is in the moving
    // column.
    return dx >= 0
               ? own_enters.with_earlier(enters - dx, dy) - own_leaves.with_later(leaves + dx, dy)
               : own_enters.with_later(enters + dx, dy) - own_leaves.with_earlier(leaves - dx, dy);
  });
  for (int by = 1; by < kTogether; by *= 2) {
    const std::int64_t left = __shfl_up_sync(~0U, sum, by, kTogether);
    if (threadIdx.x % kTogether >= by) sum += left;
  }
  slopes[((std::int64_t{segment} * phases + phase) * lists.radii + radius) * places + place] = sum;
}

}  // namespace
}  // namespace seedwave::gpu::texture

namespace seedwave::gpu {
namespace {

using namespace texture;

/// Maximum bytes of a strip's features: enough to keep a device busy, and few enough for short
/// launches.
constexpr std::int64_t kMostFeatureBytes = std::int64_t{1} << 29;
/// Minimum number of rows of windows in a segment. These rows share the columns counted at its top.
constexpr int kLeastSegmentRows = 32;
constexpr unsigned kGridRows = 1U << 15;

int parts_of(std::int64_t whole, std::int64_t part) {
  return static_cast<int>((whole + part - 1) / part);
}

/// Quantities that do not depend on the number of rows of a strip.
struct Shape {
  Shape(const Geometry& picture, std::int64_t side, std::int64_t phase_count)
      : window(static_cast<int>(side)),
        columns(static_cast<int>(picture.size[0])),
        rows(static_cast<int>(picture.size[1])),
        phases(static_cast<int>(phase_count)),
        radii(static_cast<int>(radius_count(side))),
        blocks(std::max(1, parts_of(std::int64_t{columns} - window + 1, kWindows))) {}
  explicit Shape(const TpcfProblem& problem)
      : Shape(problem.phases.geometry(), problem.window, problem.count) {}

  int window;
  int columns;  // of the image
  int rows;
  int phases;
  int radii;
  int blocks;  // side by side

  [[nodiscard]] int window_columns() const { return columns - window + 1; }
  [[nodiscard]] int pitch() const { return blocks * kWindows; }
  [[nodiscard]] int planes() const { return phases * radii; }
  [[nodiscard]] int fours() const { return parts_of(phases, kPhasesOfWord); }
  [[nodiscard]] int ranges() const { return parts_of(radii, kRadii); }
  /// Number of places from the one left of the image to the last that a window of a block covers.
  [[nodiscard]] int places() const { return pitch() + window + 2; }
  [[nodiscard]] CellRow held_row() const { return {kPairs + window / 2 + 2}; }
  /// Long enough for every block to load a full held row.
  [[nodiscard]] CellRow cell_row() const { return {(blocks - 1) * kPairs + held_row().half}; }
};

/// The division of a block's shared memory.
struct SharedLayout {
  SharedLayout(const Shape& shape, std::int64_t most) {
    const CellRow row = shape.held_row();
    for (const auto& [sets, ahead] :
         {std::pair{2, 64}, {2, 32}, {2, 16}, {1, 32}, {1, 16}, {1, 8}}) {
      count_sets = sets;
      rows_ahead = ahead;
      bytes = box_memory(sets, row, shape.window + ahead);
      if (bytes <= most) return;
    }
    held = false;
    count_sets = 2;
    rows_ahead = 0;
    bytes = box_memory(count_sets, row, 0);
  }
  bool held = true;
  int count_sets = 2;
  int rows_ahead = 0;
  std::int64_t bytes = 0;
};

int device_limit(cudaDeviceAttr attribute) {
  int device = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  int value = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, device));
  return value;
}

/// Returns the number of segments of a strip, such that every multiprocessor has a block.
int segments_of(const Shape& shape, int window_rows, int multiprocessors) {
  const int together = shape.blocks * shape.fours() * shape.ranges();
  const int segments =
      std::clamp(multiprocessors / together, 1, parts_of(window_rows, kLeastSegmentRows));
  return parts_of(window_rows, parts_of(window_rows, segments));  // none is empty
}

/// Buffers of a strip with this number of rows of windows.
struct StripMemory {
  StripMemory(const Shape& shape, int window_rows, int most_segments, const Stream& stream)
      : cells(cell_count(shape, window_rows), stream),
        row_bits(row_bit_count(shape, window_rows), stream),
        column_bits(column_bit_count(shape, most_segments), stream),
        changes(edge_count(shape, shape.window + window_rows), stream),
        edges(edge_count(shape, window_rows), stream),
        slopes(std::int64_t{most_segments} * shape.planes() * shape.pitch(), stream),
        features(feature_count(shape, window_rows), stream) {}

  [[nodiscard]] static std::int64_t bytes(const Shape& shape, int window_rows, int most_segments) {
    return 2 * StripLabels::count(shape.columns, shape.window, window_rows) +
           4 * cell_count(shape, window_rows) + 4 * row_bit_count(shape, window_rows) +
           4 * column_bit_count(shape, most_segments) +
           8 * edge_count(shape, shape.window + window_rows) + 8 * edge_count(shape, window_rows) +
           8 * std::int64_t{most_segments} * shape.planes() * shape.pitch() +
           4 * feature_count(shape, window_rows) + kBufferEnds;
  }

  DeviceBuffer<std::uint32_t> cells;
  DeviceBuffer<std::uint32_t> row_bits;
  DeviceBuffer<std::uint32_t> column_bits;
  DeviceBuffer<std::int64_t> changes;
  DeviceBuffer<std::int64_t> edges;
  DeviceBuffer<std::int64_t> slopes;
  DeviceBuffer<float> features;

 private:
  static std::int64_t picture_rows(const Shape& shape, int window_rows) {
    return std::int64_t{window_rows} + shape.window - 1;
  }
  static std::int64_t cell_count(const Shape& shape, int window_rows) {
    return picture_rows(shape, window_rows) * shape.cell_row().pitch() * shape.fours();
  }
  static std::int64_t row_bit_count(const Shape& shape, int window_rows) {
    return std::int64_t{shape.blocks} * shape.phases * 2 * words_of_window(shape.window) *
           (picture_rows(shape, window_rows) + 2 * shape.window);
  }
  static std::int64_t column_bit_count(const Shape& shape, int segments) {
    return std::int64_t{segments} * shape.phases * 2 * words_of_window(shape.window) *
           shape.places();
  }
  static std::int64_t edge_count(const Shape& shape, int rows) {
    return std::int64_t{shape.blocks} * shape.planes() * rows;
  }
  static std::int64_t feature_count(const Shape& shape, int window_rows) {
    return std::int64_t{window_rows} * shape.pitch() * shape.planes();
  }
};

std::int64_t bytes_of_strip(const Shape& shape, std::int64_t rows) {
  const auto window_rows = static_cast<int>(rows);
  return StripMemory::bytes(
      shape, window_rows,
      segments_of(shape, window_rows, device_limit(cudaDevAttrMultiProcessorCount)));
}

/// Returns the number of rows of windows of a strip if memory is no limit.
std::int64_t most_rows(const Shape& shape) {
  return kMostFeatureBytes / (std::int64_t{shape.pitch()} * shape.planes() * 4);
}

/// A separate stream for kernels that fill only a part of the device.
struct Beside {
  Stream stream;
  Event done;
};

class BoxOnDevice : public StripSolver {
 public:
  BoxOnDevice(const TpcfProblem& problem, std::int64_t memory, const Stream& stream)
      : shape_(problem),
        stream_(stream),
        multiprocessors_(device_limit(cudaDevAttrMultiProcessorCount)),
        layout_(shape_, device_limit(cudaDevAttrMaxSharedMemoryPerBlockOptin)),
        rows_(rows_within(memory, most_rows(shape_), problem,
                          [&](std::int64_t rows) { return bytes_of_strip(shape_, rows); })),
        labels_(problem, rows_, stream),
        memory_(shape_, rows_, segments_of(shape_, rows_, multiprocessors_), stream) {
    const LagTable table = lag_table(problem.window, problem.directions);
    plan_ = box_plan(table, layout_.held ? shape_.held_row() : shape_.cell_row());
    lists_ = lags_by_radius(table);
    ranges_ = uploaded(plan_.ranges, stream);
    pieces_ = uploaded(plan_.pieces, stream);
    groups_ = uploaded(plan_.groups, stream);
    weights_ = uploaded(plan_.weights, stream);
    bias_ = uploaded(plan_.bias, stream);
    first_lags_ = uploaded(lists_.first, stream);
    lags_ = uploaded(lists_.lags, stream);
  }

  ~BoxOnDevice() override {
    for_slopes_.stream.drain();
    for_cells_.stream.drain();
  }

  [[nodiscard]] int rows() const override { return rows_; }
  [[nodiscard]] StripOnDevice strip(int rows) const override {
    return {memory_.features.data(), shape_.window_columns(), rows, shape_.planes(),
            shape_.pitch()};
  }

  void upload(int first_row, int rows) override { labels_.upload(first_row, rows); }

  void compute(int window_rows) override {
    const int segments = segments_of(shape_, window_rows, multiprocessors_);
    const int segment_rows = parts_of(window_rows, segments);
    const PhaseRows picture{labels_.data(), shape_.columns, window_rows + shape_.window - 1,
                            shape_.phases};
    const CellPlanes cells{memory_.cells.data(), shape_.cell_row().half,
                           std::int64_t{picture.rows} * shape_.cell_row().pitch()};
    ready_.record(stream_);
    ready_.hold_up(for_slopes_.stream);
    ready_.hold_up(for_cells_.stream);
    find_cells(picture, cells);
    with_words(words_of_window(shape_.window), [&](auto words) {
      find_slopes<words>(picture, segments, segment_rows);
      find_edges<words>(picture, window_rows);
    });
    for (Beside* beside : {&for_slopes_, &for_cells_}) {
      beside->done.record(beside->stream);
      beside->done.hold_up(stream_);
    }
    run_box(cells, picture.rows, window_rows, segments, segment_rows);
  }

 private:
  static constexpr unsigned kBlock = 128;
  static constexpr unsigned kSumThreads = 512;

  static unsigned threads_in_blocks(int threads) {
    return static_cast<unsigned>(parts_of(threads, kBlock));
  }
  [[nodiscard]] LagLists lists() const { return {first_lags_.data(), lags_.data(), shape_.radii}; }

  template <int words>
  void find_edges(const PhaseRows& picture, int window_rows) {
    const int steps = shape_.window + window_rows - 1;
    const BitWords bits{memory_.row_bits.data(), words, picture.rows + 2 * shape_.window};
    const auto blocks = static_cast<unsigned>(shape_.blocks);
    const auto planes = static_cast<unsigned>(shape_.planes());
    row_bits_kernel<<<dim3(threads_in_blocks(bits.stride * kWordBits), blocks), kBlock, 0,
                      stream_.get()>>>(picture, shape_.window, bits);
    check_launch(stream_.get());
    steps_down_kernel<words>
        <<<dim3(threads_in_blocks(steps), planes, blocks), kBlock, 0, stream_.get()>>>(
            bits, lists(), shape_.window, shape_.phases, steps, memory_.changes.data());
    check_launch(stream_.get());
    sum_down_kernel<<<blocks * planes, kSumThreads, 0, stream_.get()>>>(
        memory_.changes.data(), shape_.window, window_rows, memory_.edges.data());
    check_launch(stream_.get());
  }

  void find_cells(const PhaseRows& picture, const CellPlanes& cells) {
    const auto grid_rows = std::min(static_cast<unsigned>(picture.rows), kGridRows);
    const Stream& stream = for_cells_.stream;
    cells_kernel<<<dim3(threads_in_blocks(2 * cells.half), grid_rows), kBlock, 0, stream.get()>>>(
        picture, cells);
    check_launch(stream.get());
  }

  template <int words>
  void find_slopes(const PhaseRows& picture, int segments, int segment_rows) {
    const Stream& stream = for_slopes_.stream;
    const BitWords bits{memory_.column_bits.data(), words, shape_.places()};
    const auto number = static_cast<unsigned>(segments);
    column_bits_kernel<<<dim3(threads_in_blocks(bits.stride),
                              static_cast<unsigned>(2 * words * shape_.phases), number),
                         kBlock, 0, stream.get()>>>(picture, shape_.window, segment_rows, bits);
    check_launch(stream.get());
    slopes_kernel<words>
        <<<dim3(threads_in_blocks(shape_.pitch()), static_cast<unsigned>(shape_.planes()), number),
           kBlock, 0, stream.get()>>>(bits, lists(), shape_.window, shape_.phases, shape_.pitch(),
                                      memory_.slopes.data());
    check_launch(stream.get());
  }

  void run_box(const CellPlanes& cells, int cell_rows, int window_rows, int segments,
               int segment_rows) {
    const BoxRun run{.cells = cells,
                     .cell_rows = cell_rows,
                     .window = shape_.window,
                     .rows = window_rows,
                     .radii = shape_.radii,
                     .phases = shape_.phases,
                     .segment_rows = segment_rows,
                     .count_sets = layout_.count_sets,
                     .held = shape_.held_row(),
                     .rows_ahead = layout_.rows_ahead,
                     .ranges = ranges_.data(),
                     .pieces = pieces_.data(),
                     .groups = groups_.data(),
                     .weights = weights_.data(),
                     .bias = bias_.data(),
                     .edges = memory_.edges.data(),
                     .slopes = memory_.slopes.data(),
                     .features = memory_.features.data(),
                     .pitch = shape_.pitch()};
    const auto kernel = plan_.limbs == 4
                            ? (layout_.held ? box_kernel<4, true> : box_kernel<4, false>)
                            : (layout_.held ? box_kernel<6, true> : box_kernel<6, false>);
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(layout_.bytes)));
    const dim3 grid(static_cast<unsigned>(shape_.blocks), static_cast<unsigned>(segments),
                    static_cast<unsigned>(shape_.fours() * shape_.ranges()));
    kernel<<<grid, kThreads, static_cast<std::size_t>(layout_.bytes), stream_.get()>>>(run);
    check_launch(stream_.get());
  }

  Shape shape_;
  Stream stream_;
  int multiprocessors_;
  SharedLayout layout_;
  int rows_;
  StripLabels labels_;
  StripMemory memory_;
  BoxPlan plan_{};
  LagsByRadius lists_;
  Event ready_;
  Beside for_slopes_;
  Beside for_cells_;
  DeviceBuffer<RadiusRange> ranges_;
  DeviceBuffer<Piece> pieces_;
  DeviceBuffer<LagGroup> groups_;
  DeviceBuffer<std::uint32_t> weights_;
  DeviceBuffer<std::int32_t> bias_;
  DeviceBuffer<std::int32_t> first_lags_;
  DeviceBuffer<WeighedLag> lags_;
};

}  // namespace

std::unique_ptr<StripSolver> box_on_device(const TpcfProblem& problem, const Context& context,
                                           const Stream& stream) {
  return std::make_unique<BoxOnDevice>(problem, memory_for(context), stream);
}

std::int64_t least_box_bytes(const Geometry& picture, std::int64_t window, std::int64_t phases) {
  return bytes_of_strip(Shape(picture, window, phases), 1);
}

}  // namespace seedwave::gpu
