// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/morphology/linear/line_cells.h"
#include "gpu/device/device_run.h"
#include "gpu/device/download.h"
#include "gpu/device/launch.h"
#include "gpu/device/memory.h"
#include "gpu/morphology/linear/line_sinks.cuh"
#include "gpu/morphology/linear/line_tasks.cuh"
#include "gpu/morphology/papers/linear_opening.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace seedwave::gpu {

/// One line of a 2-D image as a thread scans it, and the storage of a thread's flat zones.
namespace line_scan {

/// Threads per block: their lines are adjacent, and they share its memory.
inline constexpr int kLines = 64;
/// Entries of a queue or stack in shared memory (the paper's l, a power of two): 16 KB per block.
inline constexpr int kNewest = 32;

/// Lines of one direction, and the parameters of their scan.
struct Lines {
  int nx;
  int ny;
  int major;          // 0: along x
  const int* shifts;  // across the major axis, at each place
  int first_base;
  int count;  // number of lines
  int zones;  // zones per line
  int length;
  int front;   // cells that continue a line before its first
  int behind;  // and after its last
  bool turned;
  bool transposed;              // the answer has x and y swapped
  std::int64_t row;             // cells from one row to the next
  std::int64_t transposed_row;  // the same in the answer, if it is transposed

  [[nodiscard]] SEEDWAVE_HD int places() const { return major == 0 ? nx : ny; }
  [[nodiscard]] SEEDWAVE_HD int across() const { return major == 0 ? ny : nx; }
  [[nodiscard]] __device__ std::int64_t offset(int base, int place) const {
    const int beside = base + __ldg(shifts + place);
    return major == 0 ? beside * row + place : place * row + beside;
  }
  [[nodiscard]] __device__ std::int64_t offset_of_answer(int base, int place) const {
    return transposed ? place * transposed_row + base + __ldg(shifts + place) : offset(base, place);
  }
};

/// The part that a thread scans: cells from `begin` to `end` of its line, continued, and the range
/// that it answers for. Cells are counted from the image's first place on.
struct Part {
  int base;
  int first;  // range of the line's cells in the image
  int last;
  int begin;
  int end;
  int first_answer;
  int last_answer;
};

/// Returns the first place at which a line is not left of the image (right of it, if shifts fall).
/// With `behind`, returns the first place past those inside.
__device__ inline int first_place(const Lines& lines, int base, bool behind) {
  const int places = lines.places();
  const bool rises = __ldg(lines.shifts + places - 1) >= 0;
  int low = 0;
  int high = places;
  while (low < high) {
    const int middle = (low + high) / 2;
    const int beside = base + __ldg(lines.shifts + middle);
    const bool before =
        rises ? beside < (behind ? lines.across() : 0) : beside >= (behind ? 0 : lines.across());
    if (before) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Returns the part for line `number`; each zone has lines.count of them. A zone is scanned with
/// the length - 1 cells at either end that its windows can reach (section 5.1).
__device__ inline Part part_of(const Lines& lines, std::int64_t number) {
  Part part{};
  const auto zone = static_cast<int>(number / lines.count);
  part.base = lines.first_base + static_cast<int>(number % lines.count);
  part.first = first_place(lines, part.base, false);
  part.last = max(part.first, first_place(lines, part.base, true));
  const int step = (lines.places() + lines.zones - 1) / lines.zones;
  part.first_answer = max(part.first, zone * step);
  part.last_answer = min(part.last, (zone + 1) * step);
  part.begin = max(part.first - lines.front, part.first_answer - (lines.length - 1));
  part.end = min(part.last + lines.behind, part.last_answer + lines.length - 1);
  return part;
}

/// Returns the capacity, in flat zones, that a thread needs. Those of a queue lie in the last
/// `length` cells. Those of a stack lie anywhere in its part, but each is higher than the one
/// below.
[[nodiscard]] inline std::int64_t scanned(const Lines& lines) {
  const std::int64_t step = (lines.places() + lines.zones - 1) / lines.zones;
  return std::min<std::int64_t>(lines.places() + lines.front + lines.behind,
                                step + 2 * (lines.length - 1));
}

/// A flat zone: its value, its first cell, and whether it is known to be part of a long enough
/// stretch.
struct Zone {
  std::int32_t value;
  std::int32_t begin;
  [[nodiscard]] static __device__ Zone of(std::int32_t value, std::int32_t begin, bool passed) {
    return {value, begin * 2 + (passed ? 1 : 0)};
  }
  [[nodiscard]] __device__ bool passed() const { return (begin & 1) != 0; }
  [[nodiscard]] __device__ std::int32_t place() const { return begin >> 1; }
};

/// A thread's flat zones, taken from either end. Basic: in global memory. Optimised: the newest in
/// shared memory, older ones moved to global memory when there is no room (section 5.2, Figure 7);
/// the last one is also kept in registers.
template <LineScanForm form>
class Zones {
 public:
  /// `entries`: this thread's, `stride` apart; a ring of `room`, a power of two.
  __device__ Zones(Zone* entries, std::int64_t stride, int room, Zone* newest)
      : entries_(entries), stride_(stride), mask_(room - 1), newest_(newest) {}

  [[nodiscard]] __device__ int size() const { return end_ - front_; }
  [[nodiscard]] __device__ const Zone& back() const { return back_; }
  [[nodiscard]] __device__ Zone at(int i) const { return entry(front_ + i); }
  __device__ void push(const Zone& zone) {
    if constexpr (form == LineScanForm::Optimised) {
      in_shared_ = max(in_shared_, front_);
      if (end_ - in_shared_ == kNewest) {
        old(in_shared_) = recent(in_shared_);
        ++in_shared_;
      }
      in_shared_ = min(in_shared_, end_);
      recent(end_) = zone;
    } else {
      old(end_) = zone;
    }
    ++end_;
    back_ = zone;
  }
  __device__ void pop_back() {
    --end_;
    if (end_ > front_) back_ = entry(end_ - 1);
  }
  __device__ void pop_front() { ++front_; }

 private:
  [[nodiscard]] __device__ Zone entry(int number) const {
    if constexpr (form == LineScanForm::Optimised) {
      if (number >= in_shared_) return recent(number);
    }
    return old(number);
  }
  [[nodiscard]] __device__ Zone& old(int number) const {
    return entries_[(number & mask_) * stride_];
  }
  [[nodiscard]] __device__ Zone& recent(int number) const {
    return newest_[(number & (kNewest - 1)) * kLines];
  }

  Zone* entries_;
  std::int64_t stride_;
  int mask_;
  Zone* newest_;
  int front_ = 0;
  int end_ = 0;
  int in_shared_ = 0;
  Zone back_{};
};

/// The cells that a thread reads and writes.
template <typename Voxel, LineScanForm form>
struct Cells {
  using Cell = CellOf<Voxel>;
  const Voxel* from;
  Voxel* to;

  [[nodiscard]] __device__ std::int32_t at(const Lines& lines, const Part& part, int place) const {
    if (place < part.first || place >= part.last)
      return static_cast<std::int32_t>(seedwave::linear::kHighest<Cell>);
    const Voxel* const voxel = from + lines.offset(part.base, place);
    return to_cell(form == LineScanForm::Optimised ? __ldg(voxel) : __ldca(voxel), lines.turned);
  }
  __device__ void put(const Lines& lines, const Part& part, int place, std::int32_t value) const {
    if (place < part.first_answer || place >= part.last_answer) return;
    to[lines.offset_of_answer(part.base, place)] = voxel_of(value, lines.turned);
  }
  /// A float that no window contains becomes finite.
  [[nodiscard]] static __device__ Voxel voxel_of(std::int32_t value, bool turned) {
    if constexpr (std::is_same_v<Voxel, float>) {
      constexpr float kFinite = std::numeric_limits<float>::max();
      if (value == seedwave::linear::kLowest<Cell>) return turned ? kFinite : -kFinite;
    }
    return from_cell<Voxel>(static_cast<Cell>(value), turned);
  }
};

}  // namespace line_scan

namespace {

using namespace line_scan;
using linear::DeviceImage;
using linear::ImageLayout;

/// The work of the threads of a launch's row, blockIdx.y: the lines of one direction.
template <typename Voxel, LineScanForm form>
struct ScanTask {
  Lines lines;
  Cells<Voxel, form> cells;
  Zone* entries;  // of all threads' queues or stacks, `room` each
  int room;       // a power of two

  [[nodiscard]] SEEDWAVE_HD std::int64_t threads() const {
    return std::int64_t{lines.count} * lines.zones;
  }
};

/// Algorithm 2: a zone leaves the queue `length` cells behind the scan. By then, peaks narrower
/// than the window have been erased from the queue's end.
struct ByQueue {
  template <typename Voxel, LineScanForm form>
  static __device__ void scan(const Lines& lines, const Part& part, const Cells<Voxel, form>& cells,
                              Zones<form>& queue) {
    constexpr std::int32_t kNever = seedwave::linear::kLowest<CellOf<Voxel>>;
    const int length = lines.length;
    int first_begin = 0;   // of the zone in front
    int second_begin = 0;  // of the zone after it, if there is one
    std::int32_t first_value = kNever;
    const auto look_at_front = [&] {
      if (queue.size() == 0) return;
      const Zone first = queue.at(0);
      first_value = first.value;
      first_begin = first.place();
      second_begin = queue.size() > 1 ? queue.at(1).place() : std::numeric_limits<int>::max();
    };
    const auto put = [&](int place) {
      while (queue.size() > 1 && second_begin <= place) {
        queue.pop_front();
        look_at_front();
      }
      const bool has = queue.size() > 0 && first_begin <= place;
      cells.put(lines, part, place, has ? first_value : kNever);
    };
    if (part.end - part.begin < length) {
      for (int place = part.first_answer; place < part.last_answer; ++place)
        cells.put(lines, part, place, kNever);
      return;
    }
    for (int place = part.begin; place < part.end; ++place) {
      const std::int32_t value = cells.at(lines, part, place);
      Zone next = Zone::of(value, place, false);
      bool front_changed = false;
      while (queue.size() > 0 && queue.back().value > value) {
        if (queue.back().passed() || place - queue.back().place() >= length) {
          next = Zone::of(value, place, true);
          break;
        }
        next = Zone::of(value, queue.back().place(), false);
        queue.pop_back();
        front_changed = front_changed || queue.size() < 2;
      }
      if (next.passed() || queue.size() == 0 || queue.back().value < value) {
        queue.push(next);
        front_changed = front_changed || queue.size() <= 2;
      }
      if (front_changed) look_at_front();
      if (place - part.begin + 1 >= length) put(place + 1 - length);
    }
    while (queue.size() > 0 && !queue.back().passed() && part.end - queue.back().place() < length)
      queue.pop_back();
    look_at_front();
    for (int place = part.end - length + 1; place < part.end; ++place)
      put(place);
  }
};

/// Algorithm 1: zones on a stack, each higher than those below. When a zone ends and is long
/// enough, it and all zones below it are the answer, each for its own cells. Answers come in
/// pieces, whenever the line falls; cells in no window have been set before.
struct ByStack {
  template <typename Voxel, LineScanForm form>
  static __device__ void scan(const Lines& lines, const Part& part, const Cells<Voxel, form>& cells,
                              Zones<form>& stack) {
    int written = part.begin;
    const auto end_zone = [&](int end) {
      const int begin = stack.back().place();
      if (end - begin >= lines.length) {
        int last = end;
        for (int i = stack.size(); i > 0 && last > written; --i) {
          const Zone zone = stack.at(i - 1);
          const int first = max(zone.place(), written);
          for (int place = first; place < last; ++place)
            cells.put(lines, part, place, zone.value);
          last = first;
        }
        written = end;
      }
      stack.pop_back();
      return begin;
    };
    for (int place = part.begin; place < part.end; ++place) {
      const std::int32_t value = cells.at(lines, part, place);
      int begin = place;
      while (stack.size() > 0 && stack.back().value > value)
        begin = end_zone(place);
      if (stack.size() == 0 || stack.back().value < value)
        stack.push(Zone::of(value, begin, false));
    }
    while (stack.size() > 0)
      end_zone(part.end);
  }
};

/// Scans a line, or a zone of it, per thread. Shared memory: the newest entries of its queue or
/// stack, 16 KB per block. No races: threads share nothing else.
template <typename Scan, typename Voxel, LineScanForm form>
__global__ void __launch_bounds__(kLines)
    scan_lines_kernel(const ScanTask<Voxel, form>* __restrict__ tasks) {
  __shared__ Zone newest[form == LineScanForm::Optimised ? kNewest * kLines : 1];
  const ScanTask<Voxel, form> task = tasks[blockIdx.y];
  const std::int64_t thread = std::int64_t{blockIdx.x} * kLines + threadIdx.x;
  if (thread >= task.threads()) return;
  const Part part = part_of(task.lines, thread);
  if (part.first_answer >= part.last_answer) return;
  Zones<form> zones(task.entries + thread, task.threads(), task.room, newest + threadIdx.x);
  Scan::scan(task.lines, part, task.cells, zones);
}

/// Fills in the answers for cells that no window contains. One thread per voxel; no races.
template <typename Voxel, LineScanForm form>
__global__ void fill_kernel(Voxel* __restrict__ voxels, std::int64_t count, bool turned) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kBlockSize + threadIdx.x;
  constexpr std::int32_t kNever = seedwave::linear::kLowest<CellOf<Voxel>>;
  if (i < count) voxels[i] = Cells<Voxel, form>::voxel_of(kNever, turned);
}

enum class Keeping { Queues, Stacks };

[[nodiscard]] int multiprocessors() {
  int device = 0;
  int count = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return count;
}

/// Section 5.4, rules 2 and 3: enough zones to fill the device, but not so many that they mostly
/// overlap.
[[nodiscard]] int zones_for(const Lines& lines, int blocks_together) {
  const std::int64_t wanted =
      (std::int64_t{kLines} * blocks_together * multiprocessors() + lines.count - 1) / lines.count;
  const std::int64_t most = lines.places() / (2 * std::int64_t{lines.length});
  return static_cast<int>(std::max<std::int64_t>(1, std::min(wanted, most)));
}

[[nodiscard]] Lines lines_for(const LinearOpeningProblem& problem, LineScanForm form) {
  const LineFamily& family = problem.lines;
  Lines lines{};
  lines.nx = static_cast<int>(family.size()[0]);
  lines.ny = static_cast<int>(family.size()[1]);
  lines.major = family.major();
  const int across = 1 - lines.major;
  lines.first_base = static_cast<int>(family.first_base(across));
  lines.count = static_cast<int>(family.last_base(across) - family.first_base(across) + 1);
  lines.zones = 1;
  lines.length = linear::length_for(problem.border, problem.length, lines.places());
  const LineMargins beyond = margins(problem.border, lines.length);
  lines.front = static_cast<int>(beyond.front);
  lines.behind = static_cast<int>(beyond.behind);
  lines.turned = problem.filter == LineFilter::Closing;
  lines.transposed = form == LineScanForm::Optimised && lines.major == 0;
  return lines;
}

/// Returns the room of a queue or stack, a power of two.
template <typename Cell>
[[nodiscard]] int room_for(const Lines& lines, Keeping keeping) {
  std::int64_t most = keeping == Keeping::Queues ? lines.length + 2 : scanned(lines) + 1;
  // Zones in a queue or stack have distinct values, except those that are part of a long enough
  // stretch.
  if (sizeof(Cell) == 1 && keeping == Keeping::Stacks) most = std::min<std::int64_t>(most, 257);
  return static_cast<int>(
      std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(most, kNewest))));
}

/// Sums each direction's answer. blockIdx.y is the direction. No races except on the sum, which is
/// atomic.
template <typename Voxel, LineScanForm form>
__global__ void __launch_bounds__(kBlockSize)
    sum_answers_kernel(const ScanTask<Voxel, form>* __restrict__ tasks,
                       unsigned long long* __restrict__ sums) {
  const ScanTask<Voxel, form>& task = tasks[blockIdx.y];
  const Lines& lines = task.lines;
  const int width = lines.transposed ? lines.ny : lines.nx;
  const std::int64_t row = lines.transposed ? lines.transposed_row : lines.row;
  const std::int64_t cells = std::int64_t{lines.nx} * lines.ny;
  long long sum = 0;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kBlockSize + threadIdx.x; i < cells;
       i += std::int64_t{gridDim.x} * kBlockSize)
    sum += static_cast<long long>(task.cells.to[i / width * row + i % width]);
  for (int lanes = 16; lanes > 0; lanes /= 2)
    sum += __shfl_down_sync(linear::kAllLanes, sum, lanes);
  if (threadIdx.x % 32 == 0) atomicAdd(sums + blockIdx.y, static_cast<unsigned long long>(sum));
}

/// A 2-D image, its openings in some directions as first written, and the threads' zones. All
/// directions run at once (section 6).
template <typename Voxel, Keeping keeping, LineScanForm form>
class LineScanRun {
 public:
  /// `problems`: all of the same image.
  LineScanRun(std::span<const LinearOpeningProblem> problems, int zones, const Stream& stream)
      : stream_(stream),
        image_(problems.front().lines.size(), sizeof(Voxel), ImageLayout::Axes::AsIs, stream) {
    for (const LinearOpeningProblem& problem : problems)
      add(problem, zones);
    on_device_ = DeviceBuffer<Task>(std::ssize(tasks_), stream);
    on_device_.copy_from(tasks_, stream);
    const Volume& image = problems.front().image;
    const std::int64_t row = image.geometry().size[0] * std::int64_t{sizeof(Voxel)};
    image_.cells.copy_rows_from(image.bytes(), row, image_.layout.row, stream);
  }

  void open() {
    if (keeping == Keeping::Stacks) {
      for (const Task& task : tasks_) {
        const Lines& lines = task.lines;
        const std::int64_t count =
            lines.transposed ? lines.transposed_row * lines.nx : lines.row * lines.ny;
        fill_kernel<Voxel, form><<<blocks_for(count), kBlockSize, 0, stream_.get()>>>(
            task.cells.to, count, lines.turned);
        check_launch(stream_.get());
      }
    }
    const dim3 grid(blocks_, static_cast<unsigned>(tasks_.size()));
    kernel()<<<grid, kLines, 0, stream_.get()>>>(on_device_.data());
    check_launch(stream_.get());
  }

  /// Returns the first direction's answer, transposed back if it was written transposed.
  [[nodiscard]] const DeviceImage& first_answer() {
    Direction& first = directions_.front();
    if (!tasks_.front().lines.transposed) return first.answer;
    if (turned_back_.cells.size() == 0) {
      const Lines& lines = tasks_.front().lines;
      turned_back_ =
          DeviceImage({lines.nx, lines.ny, 1}, sizeof(Voxel), ImageLayout::Axes::AsIs, stream_);
    }
    linear::turn<CellOf<Voxel>>(first.answer, turned_back_, stream_);
    return turned_back_;
  }

  /// Adds each direction's answer to `sums`.
  void sum_up(DeviceBuffer<long long>& sums) const {
    constexpr unsigned kBlocks = 32;
    sums.fill_bytes(0, stream_);
    sum_answers_kernel<Voxel, form>
        <<<dim3(kBlocks, static_cast<unsigned>(tasks_.size())), kBlockSize, 0, stream_.get()>>>(
            on_device_.data(), reinterpret_cast<unsigned long long*>(sums.data()));
    check_launch(stream_.get());
  }

 private:
  using Task = ScanTask<Voxel, form>;
  using Kernel = void (*)(const Task*);
  static Kernel kernel() {
    return scan_lines_kernel<std::conditional_t<keeping == Keeping::Queues, ByQueue, ByStack>,
                             Voxel, form>;
  }
  struct Direction {
    DeviceImage answer;
    DeviceBuffer<std::int32_t> shifts;
    DeviceBuffer<Zone> entries;
  };

  void add(const LinearOpeningProblem& problem, int zones) {
    Lines lines = lines_for(problem, form);
    Direction& made = directions_.emplace_back();
    made.answer = DeviceImage(
        problem.lines.size(), sizeof(Voxel),
        lines.transposed ? ImageLayout::Axes::Turned : ImageLayout::Axes::AsIs, stream_);
    const std::int64_t answer_row = made.answer.layout.row / std::int64_t{sizeof(Voxel)};
    lines.row = image_.layout.row / std::int64_t{sizeof(Voxel)};
    if (lines.transposed) lines.transposed_row = answer_row;
    const std::vector<std::int32_t>& shifts = problem.lines.shifts(1 - lines.major);
    made.shifts = DeviceBuffer<std::int32_t>(std::ssize(shifts), stream_);
    made.shifts.copy_from(shifts, stream_);
    lines.shifts = made.shifts.data();
    if (form == LineScanForm::Optimised) {
      int together = 0;
      CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&together, kernel(), kLines, 0));
      lines.zones = std::min(lines.places(), zones > 0 ? zones : zones_for(lines, together));
    }
    const int room = room_for<CellOf<Voxel>>(lines, keeping);
    const Cells<Voxel, form> cells{reinterpret_cast<const Voxel*>(image_.cells.data()),
                                   reinterpret_cast<Voxel*>(made.answer.cells.data())};
    Task task{lines, cells, nullptr, room};
    made.entries = DeviceBuffer<Zone>(task.threads() * room, stream_);
    task.entries = made.entries.data();
    blocks_ = std::max(blocks_, static_cast<unsigned>((task.threads() + kLines - 1) / kLines));
    tasks_.push_back(task);
  }

  Stream stream_;
  DeviceImage image_;
  DeviceImage turned_back_;
  std::vector<Direction> directions_;
  std::vector<Task> tasks_;
  DeviceBuffer<Task> on_device_;
  unsigned blocks_ = 0;
};

template <Keeping keeping, LineScanForm form>
Volume open_by_scans(const LinearOpeningProblem& problem, const LineScanSettings& settings,
                     Context& context) {
  return visit_voxels(problem.image, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    auto opened = large_array<Voxel>(voxels.size());
    DeviceRun run(context);
    run.clock.begin("upload");
    LineScanRun<Voxel, keeping, form> scans(std::span(&problem, 1), settings.zones, run.stream);
    run.clock.begin(problem.filter == LineFilter::Opening ? "opening" : "closing");
    const DeviceImage* answer = nullptr;
    for (int i = 0; i < settings.runs; ++i) {
      scans.open();
      answer = &scans.first_answer();
    }
    run.clock.begin("download");
    const std::int64_t row = problem.lines.size()[0] * std::int64_t{sizeof(Voxel)};
    download(answer->cells, row, answer->layout.row,
             std::as_writable_bytes(std::span(opened.get(), voxels.size())), context, run.stream);
    run.clock.report();
    return Volume(problem.image.geometry(), std::move(opened));
  });
}

template <LineScanForm form>
std::vector<double> add_up_by_queues(const LineFanProblem& fan, const LineScanSettings& settings,
                                     Context& context) {
  std::vector<LinearOpeningProblem> problems;
  for (std::int64_t k = 0; k < std::ssize(fan.directions); ++k)
    problems.push_back(one_direction(fan, k));
  std::vector<long long> sums(problems.size());
  visit_voxels(fan.image, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    if constexpr (std::is_same_v<Voxel, float>) {
      throw UsageError("the paper's spectrum adds up whole numbers only");
    } else {
      DeviceRun run(context);
      run.clock.begin("upload");
      LineScanRun<Voxel, Keeping::Queues, form> scans(problems, settings.zones, run.stream);
      DeviceBuffer<long long> on_device(std::ssize(sums), run.stream);
      run.clock.begin("spectrum");
      for (int i = 0; i < settings.runs; ++i) {
        scans.open();
        scans.sum_up(on_device);
      }
      run.clock.begin("download");
      on_device.copy_to(sums, run.stream);
      run.clock.report();
    }
  });
  return {sums.begin(), sums.end()};
}

template <Keeping keeping>
Volume open_by(const LinearOpeningProblem& problem, const LineScanSettings& settings,
               Context& context) {
  check(problem);
  if (const std::string why = why_no_line_scans(problem); !why.empty())
    throw UsageError("the paper's openings: " + why);
  return settings.form == LineScanForm::Basic
             ? open_by_scans<keeping, LineScanForm::Basic>(problem, settings, context)
             : open_by_scans<keeping, LineScanForm::Optimised>(problem, settings, context);
}

/// Images and answers, transposed ones too, and zones for one line in each of 64 zones; no device
/// needs more.
template <Keeping keeping>
std::int64_t scan_bytes(const LinearOpeningProblem& problem) {
  constexpr std::int64_t kMostZones = 64;
  const auto voxel = static_cast<std::int64_t>(bytes_of(problem.image.type()));
  const Lines lines = lines_for(problem, LineScanForm::Optimised);
  const std::int64_t zones =
      std::clamp<std::int64_t>(lines.places() / (2 * std::int64_t{lines.length}), 1, kMostZones);
  const std::int64_t room =
      voxel == 1 ? room_for<std::uint8_t>(lines, keeping) : room_for<std::int32_t>(lines, keeping);
  const Index3& size = problem.lines.size();
  return 2 * ImageLayout::of(size, voxel, ImageLayout::Axes::AsIs).bytes() +
         ImageLayout::of(size, voxel, ImageLayout::Axes::Turned).bytes() +
         4 * std::int64_t{lines.places()} +
         lines.count * zones * room * std::int64_t{sizeof(Zone)} + kBufferEnds;
}

}  // namespace

Volume linear_opening_by_queues(const LinearOpeningProblem& problem, Context& context) {
  return linear_opening_by_queues(problem, LineScanSettings{}, context);
}
Volume linear_opening_by_queues(const LinearOpeningProblem& problem,
                                const LineScanSettings& settings, Context& context) {
  return open_by<Keeping::Queues>(problem, settings, context);
}
Volume linear_opening_by_stacks(const LinearOpeningProblem& problem, Context& context) {
  return linear_opening_by_stacks(problem, LineScanSettings{}, context);
}
Volume linear_opening_by_stacks(const LinearOpeningProblem& problem,
                                const LineScanSettings& settings, Context& context) {
  return open_by<Keeping::Stacks>(problem, settings, context);
}

std::vector<double> angular_spectrum_by_queues(const LineFanProblem& problem,
                                               const LineScanSettings& settings, Context& context) {
  check(problem);
  for (std::int64_t k = 0; k < std::ssize(problem.directions); ++k) {
    if (const std::string why = why_no_line_scans(one_direction(problem, k)); !why.empty())
      throw UsageError("the paper's spectrum: " + why);
  }
  return settings.form == LineScanForm::Basic
             ? add_up_by_queues<LineScanForm::Basic>(problem, settings, context)
             : add_up_by_queues<LineScanForm::Optimised>(problem, settings, context);
}

std::string why_no_line_scans(const LinearOpeningProblem& problem) {
  constexpr std::int64_t kLongest = 1 << 24;
  const LineFamily& lines = problem.lines;
  const Index3& size = lines.size();
  if (size[2] > 1 || lines.major() == 2 || lines.shifts(2).back() != 0)
    return "knows pictures only";
  return std::max(size[0], size[1]) <= kLongest ? "" : "knows smaller images only";
}

std::int64_t line_queues_bytes(const LinearOpeningProblem& problem) {
  return scan_bytes<Keeping::Queues>(problem);
}
std::int64_t line_stacks_bytes(const LinearOpeningProblem& problem) {
  return scan_bytes<Keeping::Stacks>(problem);
}

}  // namespace seedwave::gpu
