// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/filters/gaussian.h"
#include "core/filters/gaussian_passes.h"
#include "core/image/crop.h"
#include "core/image/label_seeds.h"
#include "core/parallel/label_boxes.h"
#include "gpu/device/device_run.h"
#include "gpu/device/download.h"
#include "gpu/device/memory.h"
#include "gpu/filters/gaussian_passes.cuh"
#include "gpu/morphology/clean_labels.h"
#include "gpu/morphology/label_parts.cuh"
#include "gpu/morphology/label_seeds.cuh"
#include "gpu/morphology/whole_clean.cuh"

#include <algorithm>
#include <array>
#include <cstddef>
#include <list>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace seedwave::gpu {
namespace {

/// Claims of all labels on the device.
template <typename L>
struct ClaimsView {
  const L* given;  // the labels before
  L* result;
  // Null unless unclaimed cells get the nearest label:
  L* smallest;  // the smallest label that claims a cell
  std::uint8_t* is_claimed;

  __device__ void claim(std::int64_t at, L label) const {
    // A cell that its own label claims keeps it.
    if (given[at] == label || result[at] == 0 || result[at] != given[at]) result[at] = label;
    if (is_claimed == nullptr) return;
    smallest[at] = label;
    is_claimed[at] = 1;
  }
};

/// Sets 1 where a label is, else 0. One thread per cell of a box; no races.
template <typename L, typename To>
__global__ void __launch_bounds__(kBlockSize)
    label_mask_kernel(const L* __restrict__ labels, L label, const BoxInImage box, int nx, int ny,
                      std::int64_t count, To* __restrict__ mask) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const std::int64_t line = i / nx;
  const std::int64_t at =
      box.first + (i - line * nx) + box.row * (line % ny) + box.plane * (line / ny);
  mask[i] = labels[at] == label ? To{1} : To{0};
}
/// Sets 1 where a smoothed mask exceeds one half. One thread per cell; no races.
__global__ void __launch_bounds__(kBlockSize)
    above_half_kernel(const float* __restrict__ smooth, std::int64_t count,
                      std::uint8_t* __restrict__ inside) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) inside[i] = smooth[i] > 0.5F ? 1 : 0;
}
/// Sets cells of a box. One thread per seed, whose offset is that in the box; no races.
__global__ void __launch_bounds__(kBlockSize)
    set_cells_kernel(const Seed* __restrict__ seeds, std::int64_t count, std::uint8_t value,
                     std::uint8_t* __restrict__ inside) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) inside[seeds[i].offset] = value;
}
/// Claims the cells of a label's parts and holes. One thread per word; no races.
template <typename L>
__global__ void __launch_bounds__(kBlockSize)
    claim_kernel(const RunForest forest, const HoleLabels holes, bool fills, const BoxInImage box,
                 L label, const ClaimsView<L> claims) {
  const CellWords& words = forest.words;
  const std::uint32_t word = word_of_thread();
  if (word >= words.count()) return;
  std::uint32_t claimed = ~forest.runs[word].y & words.inside(word);
  if (fills) {
    forest.for_parts(word, [&](std::uint32_t part, std::uint32_t bits) {
      if (holes.label_of(part) != 0) claimed |= bits;
    });
  }
  for_bits(claimed, [&](int bit) {
    claims.claim(box.offset(PlacedCell(words, (word << 5) | static_cast<CellCode>(bit))), label);
  });
}
/// Label 0 claims its outline, and gives way to labels. One thread per cell; no races.
__global__ void __launch_bounds__(kBlockSize)
    claim_background_kernel(const std::uint8_t* __restrict__ outline, std::int64_t count,
                            std::uint8_t* __restrict__ is_claimed) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count && outline[i] != 0) is_claimed[i] = 1;
}

/// Lists the cells that nothing claims. One thread per cell; the list is appended to by atomics.
__global__ void __launch_bounds__(kBlockSize)
    list_unclaimed_kernel(const std::uint8_t* __restrict__ is_claimed, std::int64_t count,
                          std::uint32_t* __restrict__ counter, std::uint32_t* __restrict__ list) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const bool wanted = i < count && is_claimed[i] == 0;
  if (list == nullptr) {
    const int of_block = __syncthreads_count(wanted ? 1 : 0);
    if (threadIdx.x == 0 && of_block != 0) atomicAdd(counter, static_cast<unsigned>(of_block));
    return;
  }
  append(wanted, static_cast<std::uint32_t>(i), list, counter);
}

/// A NearStep, for kernels.
struct StepOnDevice {
  int x;
  int y;
  int z;
  double square;
};

/// Gives unclaimed cells the label of the nearest claimed one, the smallest if several are equally
/// near; counts those without one within the steps. One thread per cell. Claimed cells are read,
/// unclaimed ones written.
template <typename L>
__global__ void __launch_bounds__(kBlockSize)
    nearest_claim_kernel(const std::uint32_t* __restrict__ list, std::uint32_t number,
                         const CellWords size, const StepOnDevice* __restrict__ steps,
                         int step_count, const ClaimsView<L> claims,
                         std::uint32_t* __restrict__ missed) {
  const std::uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= number) return;
  const std::int64_t line = list[k] / size.nx;
  const auto x = static_cast<int>(list[k] - line * size.nx);
  const auto y = static_cast<int>(line % size.ny);
  const auto z = static_cast<int>(line / size.ny);
  bool is_found = false;
  L label = 0;
  double square = 0.0;
  for (int s = 0; s < step_count; ++s) {
    const StepOnDevice step = steps[s];
    if (is_found && step.square > square) break;
    const int to_x = x + step.x;
    const int to_y = y + step.y;
    const int to_z = z + step.z;
    if (to_x < 0 || to_x >= size.nx || to_y < 0 || to_y >= size.ny || to_z < 0 || to_z >= size.nz)
      continue;
    const std::int64_t cell = to_x + size.nx * (to_y + std::int64_t{size.ny} * to_z);
    if (claims.is_claimed[cell] == 0) continue;
    label = is_found ? min(label, claims.smallest[cell]) : claims.smallest[cell];
    is_found = true;
    square = step.square;
  }
  if (is_found) {
    claims.result[list[k]] = label;
  } else {
    atomicAdd(missed, 1U);
  }
}

/// A run of a clean-up.
template <typename L>
class CleanRun {
 public:
  CleanRun(const CleanLabelsProblem& problem, std::span<const L> labels, Context& context)
      : problem_(problem),
        geometry_(problem.labels.geometry()),
        host_(labels),
        context_(context),
        finished_(large_vector<L>(labels.size())),
        run_(context),
        words_(CellWords::of(geometry_.size)),
        reach_(outline_reach(geometry_, problem.sigma)) {}

  LabelMap result() {
    const Stream& stream = run_.stream;
    run_.clock.begin("upload");
    DeviceBuffer<L> given(count(), stream);
    given.copy_from(host_, stream);
    const DeviceBuffer<Seed> seeds = uploaded(problem_.seeds, stream);
    run_.clock.begin("clean");
    const bool names_nearest = problem_.unclaimed == Unclaimed::Nearest;
    DeviceBuffer<std::uint8_t> is_claimed(names_nearest ? count() : 0, stream);
    if (smooths() || problem_.parts == KeptParts::Largest) {
      label_by_label(given, is_claimed);
    } else {
      put_seeds(seeds, given, stream);
      is_claimed.fill_bytes(1, stream);
      const std::vector<Label> seeded = seeded_labels(problem_.seeds);
      const DeviceBuffer<Label> seeded_on_device = uploaded(seeded, stream);
      WholeClean<L>(words_, stream)
          .clean(problem_, seeds, seeded_on_device, given.data(), is_claimed.data());
      if (names_nearest)
        name_nearest({given.data(), given.data(), given.data(), is_claimed.data()});
      download_result(given);
    }
    run_.clock.report();
    for (const auto& [cell, label] : corrections_)
      finished_[cell] = label;
    return {geometry_, std::move(finished_)};
  }

 private:
  [[nodiscard]] std::int64_t count() const { return geometry_.voxel_count(); }
  [[nodiscard]] bool smooths() const { return reach_ != Index3{}; }

  void download_result(const DeviceBuffer<L>& labels) {
    run_.clock.begin("download");
    download(labels, std::span(finished_), context_, run_.stream);
  }

  void label_by_label(const DeviceBuffer<L>& given, DeviceBuffer<std::uint8_t>& is_claimed) {
    const Stream& stream = run_.stream;
    DeviceBuffer<L> labels(count(), stream);
    labels.fill_bytes(0, stream);
    DeviceBuffer<L> smallest(is_claimed.size(), stream);
    smallest.fill_bytes(0, stream);
    is_claimed.fill_bytes(0, stream);
    const ClaimsView<L> claims{given.data(), labels.data(), smallest.data(), is_claimed.data()};
    std::map<Label, Box> found = label_boxes(problem_.labels, context_);
    for (const Seed& seed : problem_.seeds)
      found[seed.label].include(geometry_.index_of(seed.offset));
    // The largest first, so that the smallest that claims a voxel comes last.
    for (auto label = found.rbegin(); label != found.rend(); ++label) {
      context_.checkpoint(0.5);
      claim(static_cast<L>(label->first), in_reach(label->second), claims);
    }
    if (is_claimed.size() > 0) {
      const LabelOutline background = outline_of(0, Box::whole(geometry_), given.data());
      claim_background_kernel<<<blocks_for(count()), kBlockSize, 0, stream.get()>>>(
          background.inside.data(), count(), is_claimed.data());
      check_launch(stream.get());
      name_nearest(claims);
    }
    download_result(labels);
  }

  [[nodiscard]] Box in_reach(Box box) const {
    for (int axis = 0; axis < 3; ++axis) {
      if (geometry_.size[axis] == 1) continue;
      // One more, so that there is a margin around the cells, except at the border of the image.
      box.lo[axis] = std::max<std::int64_t>(0, box.lo[axis] - reach_[axis] - 1);
      box.hi[axis] = std::min(geometry_.size[axis], box.hi[axis] + reach_[axis] + 1);
    }
    return box;
  }
  [[nodiscard]] BoxInImage place_of(const Box& box) const {
    return {.first = geometry_.offset(box.lo),
            .row = geometry_.size[0],
            .plane = geometry_.size[0] * geometry_.size[1]};
  }

  /// A label's voxels in a box, after the first step, with the seeds in the box.
  struct LabelOutline {
    std::vector<Seed> own;
    std::vector<Seed> foreign;
    DeviceBuffer<Seed> own_on_device;
    DeviceBuffer<Seed> foreign_on_device;
    DeviceBuffer<std::uint8_t> inside;
  };

  LabelOutline outline_of(L label, const Box& box, const L* given) {
    const Stream& stream = run_.stream;
    const Geometry grid = crop(geometry_, box);
    const std::int64_t cells = grid.voxel_count();
    LabelOutline outline;
    for (const Seed& seed : problem_.seeds) {
      Index3 at = geometry_.index_of(seed.offset);
      for (int axis = 0; axis < 3; ++axis)
        at[axis] -= box.lo[axis];
      if (!grid.contains(at)) continue;
      (seed.label == label ? outline.own : outline.foreign)
          .push_back({grid.offset(at), seed.label});
    }
    outline.own_on_device = uploaded(outline.own, stream);
    outline.foreign_on_device = uploaded(outline.foreign, stream);
    outline.inside = DeviceBuffer<std::uint8_t>(cells, stream);
    const auto nx = static_cast<int>(grid.size[0]);
    const auto ny = static_cast<int>(grid.size[1]);
    if (smooths()) {
      DeviceBuffer<float> mask(cells, stream);
      label_mask_kernel<<<blocks_for(cells), kBlockSize, 0, stream.get()>>>(
          given, label, place_of(box), nx, ny, cells, mask.data());
      check_launch(stream.get());
      const GaussianOnDevice gaussian(
          weights_.emplace_back(filters::gaussian_weights(problem_.sigma, grid)), grid.size,
          stream);
      DeviceBuffer<float> other(cells, stream);
      for (std::size_t number = 0; number < gaussian.passes(); ++number) {
        gaussian.template pass<float>(number, mask.data(), other.data(), cells);
        std::swap(mask, other);
      }
      above_half_kernel<<<blocks_for(cells), kBlockSize, 0, stream.get()>>>(mask.data(), cells,
                                                                            outline.inside.data());
    } else {
      label_mask_kernel<<<blocks_for(cells), kBlockSize, 0, stream.get()>>>(
          given, label, place_of(box), nx, ny, cells, outline.inside.data());
    }
    check_launch(stream.get());
    set_cells(outline.own_on_device, 1, outline.inside);
    set_cells(outline.foreign_on_device, 0, outline.inside);
    stream.synchronize();  // before the host's lists move
    return outline;
  }

  void set_cells(const DeviceBuffer<Seed>& seeds, std::uint8_t value,
                 DeviceBuffer<std::uint8_t>& inside) const {
    if (seeds.size() == 0) return;
    set_cells_kernel<<<blocks_for(seeds.size()), kBlockSize, 0, run_.stream.get()>>>(
        seeds.data(), seeds.size(), value, inside.data());
    check_launch(run_.stream.get());
  }

  /// Claims a label's parts that stay, and its holes.
  void claim(L label, const Box& box, const ClaimsView<L>& claims) {
    const Stream& stream = run_.stream;
    const LabelOutline outline = outline_of(label, box, claims.given);
    const bool has_seeds =
        std::ranges::any_of(problem_.seeds, [&](const Seed& seed) { return seed.label == label; });
    const bool counts = problem_.fewest_voxels > 1 || problem_.parts == KeptParts::Largest;
    const bool fills = problem_.holes == EnclosedHoles::Fill;
    const PartRule rule{.keeps_all = problem_.parts == KeptParts::All ||
                                     (problem_.parts == KeptParts::WithSeeds && !has_seeds),
                        .only_largest = problem_.parts == KeptParts::Largest,
                        .fewest = counts ? WholeClean<L>::fewest_of(problem_) : 0,
                        .seeded = one_.data(),
                        .seeded_count = 1};
    LabelParts<std::uint8_t> parts(CellWords::of(crop(geometry_, box).size), stream);
    parts.remove_parts(outline.inside.data(), rule, outline.own_on_device, counts);
    if (fills) {
      parts.find_holes(outline.inside.data(), label, claims.given, place_of(box),
                       outline.foreign_on_device);
    }
    claim_kernel<<<parts.blocks(), kBlockSize, 0, stream.get()>>>(
        parts.forest(), parts.holes(), fills, place_of(box), label, claims);
    check_launch(stream.get());
  }

  /// Gives unclaimed cells the label of the nearest claim.
  void name_nearest(const ClaimsView<L>& claims) {
    const Stream& stream = run_.stream;
    DeviceBuffer<std::uint32_t> counters(3, stream);
    counters.fill_bytes(0, stream);
    list_unclaimed_kernel<<<blocks_for(count()), kBlockSize, 0, stream.get()>>>(
        claims.is_claimed, count(), counters.data(), nullptr);
    check_launch(stream.get());
    const auto read = [&] {
      std::array<std::uint32_t, 3> values{};
      counters.copy_to(values, stream);
      stream.synchronize();
      return values;
    };
    const std::uint32_t number = read()[0];
    if (number == 0) return;
    if (!are_few_unclaimed(number, static_cast<std::size_t>(count()))) return name_by_zones(claims);
    std::vector<StepOnDevice> steps;
    for (const NearStep& step : near_steps(geometry_, problem_.scale)) {
      steps.push_back({static_cast<int>(step.to[0]), static_cast<int>(step.to[1]),
                       static_cast<int>(step.to[2]), step.square});
    }
    const DeviceBuffer<StepOnDevice> on_device = uploaded(steps, stream);
    DeviceBuffer<std::uint32_t> list(number, stream);
    list_unclaimed_kernel<<<blocks_for(count()), kBlockSize, 0, stream.get()>>>(
        claims.is_claimed, count(), counters.data() + 1, list.data());
    check_launch(stream.get());
    nearest_claim_kernel<<<blocks_for(number), kBlockSize, 0, stream.get()>>>(
        list.data(), number, words_, on_device.data(), static_cast<int>(steps.size()), claims,
        counters.data() + 2);
    check_launch(stream.get());
    if (read()[2] != 0) name_by_zones(claims);
  }

  /// Does the same on the host, where many cells are far from claims.
  void name_by_zones(const ClaimsView<L>& claims) {
    const Stream& stream = run_.stream;
    const auto cells = static_cast<std::size_t>(count());
    std::vector<L> smallest(cells);
    std::vector<std::uint8_t> is_claimed(cells);
    CUDA_CHECK(cudaMemcpyAsync(smallest.data(), claims.smallest, cells * sizeof(L),
                               cudaMemcpyDeviceToHost, stream.get()));
    CUDA_CHECK(cudaMemcpyAsync(is_claimed.data(), claims.is_claimed, cells, cudaMemcpyDeviceToHost,
                               stream.get()));
    stream.synchronize();
    const LabelMap zones = zones_of_claims(LabelMap(geometry_, std::move(smallest)), is_claimed,
                                           problem_.scale, context_);
    for (std::size_t i = 0; i < cells; ++i) {
      if (is_claimed[i] == 0)
        corrections_.emplace_back(i, static_cast<L>(std::max<Label>(zones.labels()[i], 1) - 1));
    }
  }

  const CleanLabelsProblem& problem_;
  const Geometry& geometry_;
  std::span<const L> host_;
  Context& context_;
  std::vector<L> finished_;
  /// Labels that the host has found, put into the result at the end.
  std::vector<std::pair<std::size_t, L>> corrections_;
  std::list<filters::AxisWeights> weights_;  // until the device has read them
  std::vector<Label> host_one_{1};
  DeviceRun run_;
  CellWords words_;
  Index3 reach_;
  DeviceBuffer<Label> one_ = uploaded(host_one_, run_.stream);
};

}  // namespace

LabelMap clean_labels(const CleanLabelsProblem& problem, Context& context) {
  const Geometry& geometry = problem.labels.geometry();
  if (const std::string why = why_no_clean_labels(geometry); !why.empty())
    throw UnavailableError(why);
  // A grid without a border.
  if (geometry.voxel_count() == 1) return seedwave::clean_labels(problem, context);
  const LabelMap labels = wide_enough_for(problem.seeds, problem.labels);
  return visit_labels(labels.labels(), [&]<LabelType L>(std::span<const L> stored) {
    return CleanRun<L>(problem, stored, context).result();
  });
}

std::string why_no_clean_labels(const Geometry& geometry) {
  if (CellWords::can_hold(geometry.size)) return "";
  return "labels are cleaned up on cuda in images of less than 2^31 voxels";
}

std::int64_t clean_labels_bytes(const Geometry& geometry, std::size_t label_bytes) {
  // Labels before, after and claimed; flags; parts; a mask and its smoothed form.
  constexpr std::int64_t kParts = 3 * 4 + 1;
  constexpr std::int64_t kOutline = 2 * 4 + 1;
  return geometry.voxel_count() *
             (static_cast<std::int64_t>(3 * label_bytes) + 1 + kParts + kOutline) +
         weights_bytes() + kBufferEnds;
}

}  // namespace seedwave::gpu
