// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "gpu/device/device_run.h"
#include "gpu/device/download.h"
#include "gpu/device/launch.h"
#include "gpu/device/memory.h"
#include "gpu/morphology/linear/line_tasks.cuh"
#include "gpu/morphology/papers/line_scan.cuh"
#include "gpu/morphology/papers/linear_opening.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace seedwave::gpu {
namespace {

using namespace line_scan;
using linear::DeviceImage;
using linear::ImageLayout;

/// Algorithm 2: a zone leaves the queue `length` cells behind the scan; peaks narrower than the
/// window have been erased from its end by then. A thread scans a line of a zone; shared memory:
/// the newest entries of its queue, 16 KB a block. No races: threads share nothing else.
template <typename Voxel, LineScanForm form>
__global__ void __launch_bounds__(kLines)
    scan_queues_kernel(Lines lines, Cells<Voxel, form> cells, Zone* entries, int room) {
  constexpr std::int32_t kNever = seedwave::linear::kLowest<CellOf<Voxel>>;
  __shared__ Zone newest[form == LineScanForm::Optimised ? kNewest * kLines : 1];
  const std::int64_t threads = std::int64_t{lines.count} * lines.zones;
  const std::int64_t thread = std::int64_t{blockIdx.x} * kLines + threadIdx.x;
  if (thread >= threads) return;
  const Part part = part_of(lines, thread);
  if (part.first_answer >= part.last_answer) return;
  Zones<form> queue(entries + thread, threads, room, newest + threadIdx.x);
  const int length = lines.length;
  int first_begin = 0;   // of the zone in front
  int second_begin = 0;  // of the one behind it, as far as there is one
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

/// Algorithm 1: zones on a stack, each higher than those below; one that ends and is long enough is
/// the answer for itself and all below it. The answers come in pieces, whenever the line falls.
/// Threads and memory as above; cells in no window have been set before.
template <typename Voxel, LineScanForm form>
__global__ void __launch_bounds__(kLines)
    scan_stacks_kernel(Lines lines, Cells<Voxel, form> cells, Zone* entries, int room) {
  __shared__ Zone newest[form == LineScanForm::Optimised ? kNewest * kLines : 1];
  const std::int64_t threads = std::int64_t{lines.count} * lines.zones;
  const std::int64_t thread = std::int64_t{blockIdx.x} * kLines + threadIdx.x;
  if (thread >= threads) return;
  const Part part = part_of(lines, thread);
  if (part.first_answer >= part.last_answer) return;
  Zones<form> stack(entries + thread, threads, room, newest + threadIdx.x);
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
    if (stack.size() == 0 || stack.back().value < value) stack.push(Zone::of(value, begin, false));
  }
  while (stack.size() > 0)
    end_zone(part.end);
}

/// Answers for cells that no window holds. One thread a voxel; no races.
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

/// Section 5.4, rules 2 and 3: as many zones as fill the device, but none mostly overlap.
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

/// A power of two.
template <typename Cell>
[[nodiscard]] int room_for(const Lines& lines, Keeping keeping) {
  std::int64_t most = keeping == Keeping::Queues ? lines.length + 2 : scanned(lines) + 1;
  // Zones in a queue or stack are of different values but for those that are part of something
  // long enough.
  if (sizeof(Cell) == 1 && keeping == Keeping::Stacks) most = std::min<std::int64_t>(most, 257);
  return static_cast<int>(
      std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(most, kNewest))));
}

/// A picture, its opening, what the answer is written to before it is turned back, and the threads'
/// zones.
template <typename Voxel, Keeping keeping, LineScanForm form>
class LineScanRun {
 public:
  LineScanRun(const LinearOpeningProblem& problem, int zones, const Stream& stream)
      : stream_(stream),
        lines_(lines_for(problem, form)),
        image_(problem.lines.size(), sizeof(Voxel), ImageLayout::Axes::AsIs, stream),
        opened_(problem.lines.size(), sizeof(Voxel), ImageLayout::Axes::AsIs, stream) {
    if (lines_.transposed) {
      columns_ =
          DeviceImage(problem.lines.size(), sizeof(Voxel), ImageLayout::Axes::Turned, stream);
    }
    lines_.row = image_.layout.row / static_cast<std::int64_t>(sizeof(Voxel));
    lines_.transposed_row = columns_.layout.row / static_cast<std::int64_t>(sizeof(Voxel));
    const std::vector<std::int32_t>& shifts = problem.lines.shifts(1 - lines_.major);
    shifts_ = DeviceBuffer<std::int32_t>(std::ssize(shifts), stream);
    shifts_.copy_from(shifts, stream);
    lines_.shifts = shifts_.data();
    if (form == LineScanForm::Optimised) {
      int together = 0;
      CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&together, kernel(), kLines, 0));
      lines_.zones = std::min(lines_.places(), zones > 0 ? zones : zones_for(lines_, together));
    }
    room_ = room_for<CellOf<Voxel>>(lines_, keeping);
    const std::int64_t threads = std::int64_t{lines_.count} * lines_.zones;
    blocks_ = static_cast<unsigned>((threads + kLines - 1) / kLines);
    entries_ = DeviceBuffer<Zone>(threads * room_, stream);
    const std::int64_t row = problem.image.geometry().size[0] * std::int64_t{sizeof(Voxel)};
    image_.cells.copy_rows_from(problem.image.bytes(), row, image_.layout.row, stream);
  }

  void open() {
    DeviceImage& answer = lines_.transposed ? columns_ : opened_;
    auto* const to = reinterpret_cast<Voxel*>(answer.cells.data());
    if (keeping == Keeping::Stacks) {
      const std::int64_t count = answer.layout.plane / static_cast<std::int64_t>(sizeof(Voxel));
      fill_kernel<Voxel, form>
          <<<blocks_for(count), kBlockSize, 0, stream_.get()>>>(to, count, lines_.turned);
      check_launch(stream_.get());
    }
    const Cells<Voxel, form> cells{reinterpret_cast<const Voxel*>(image_.cells.data()), to};
    kernel()<<<blocks_, kLines, 0, stream_.get()>>>(lines_, cells, entries_.data(), room_);
    check_launch(stream_.get());
    if (lines_.transposed) linear::turn<CellOf<Voxel>>(columns_, opened_, stream_);
  }

  void download_to(std::span<std::byte> voxels, Context& context) const {
    const std::int64_t row = lines_.nx * std::int64_t{sizeof(Voxel)};
    download(opened_.cells, row, opened_.layout.row, voxels, context, stream_);
  }

 private:
  using Kernel = void (*)(Lines, Cells<Voxel, form>, Zone*, int);
  static Kernel kernel() {
    if constexpr (keeping == Keeping::Queues) {
      return scan_queues_kernel<Voxel, form>;
    } else {
      return scan_stacks_kernel<Voxel, form>;
    }
  }

  Stream stream_;
  Lines lines_;
  DeviceImage image_;
  DeviceImage opened_;
  DeviceImage columns_;
  DeviceBuffer<std::int32_t> shifts_;
  DeviceBuffer<Zone> entries_;
  int room_ = 0;
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
    LineScanRun<Voxel, keeping, form> scans(problem, settings.zones, run.stream);
    run.clock.begin(problem.filter == LineFilter::Opening ? "opening" : "closing");
    for (int i = 0; i < settings.runs; ++i)
      scans.open();
    run.clock.begin("download");
    scans.download_to(std::as_writable_bytes(std::span(opened.get(), voxels.size())), context);
    run.clock.report();
    return Volume(problem.image.geometry(), std::move(opened));
  });
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

/// Images and answers, transposed too, and zones for as many as one line in each of 64 zones, which
/// no device needs.
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
