// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/border/band.h"
#include "core/border/capacities.h"
#include "core/border/refine_border.h"
#include "core/parallel/context.h"
#include "gpu/border/band.cuh"
#include "gpu/border/minimum_cut.cuh"
#include "gpu/device/buffer.h"
#include "gpu/device/kept.h"
#include "gpu/device/kept_names.h"
#include "gpu/device/launch.h"
#include "gpu/device/stream.h"
#include "gpu/morphology/cell_words.cuh"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// The refinement of borders on labels in device memory.
namespace seedwave::gpu {

/// An image in device memory, identified by the host's voxels, which it keeps alive.
struct DeviceImage {
  Volume host;
  DeviceBuffer<std::byte> voxels;

  [[nodiscard]] IntensityView view() const { return {voxels.data(), host.type()}; }
};

/// Returns the image from the context's cache if it is the same; otherwise uploads it and caches
/// it.
[[nodiscard]] inline std::shared_ptr<const DeviceImage> image_on_device(const Volume& image,
                                                                        Context& context,
                                                                        const Stream& stream) {
  const std::string name = device_cache_name(kept::kImage, context);
  const auto kept = context.cache().find<DeviceImage>(name);
  if (kept && kept->host.owner() == image.owner() &&
      kept->host.geometry().size == image.geometry().size && kept->host.type() == image.type())
    return kept;
  context.cache().put(name, nullptr, 0);
  auto fresh = std::make_shared<DeviceImage>();
  fresh->host = image;
  fresh->voxels = DeviceBuffer<std::byte>(std::ssize(image.bytes()), stream);
  fresh->voxels.copy_from(image.bytes(), stream);
  context.cache().put(name, fresh, kOnDevice);
  return fresh;
}

/// A mask in device memory, one byte a voxel, identified by the host's.
struct DeviceMask {
  LabelMap host;
  LabelMap bytes;
  DeviceBuffer<std::uint8_t> voxels;

  /// Null: all voxels take part.
  [[nodiscard]] const std::uint8_t* data() const { return voxels.data(); }
};

/// Does the same for a mask; an empty one is not kept.
[[nodiscard]] inline std::shared_ptr<const DeviceMask> mask_on_device(const LabelMap& mask,
                                                                      Context& context,
                                                                      const Stream& stream) {
  if (mask.empty()) return std::make_shared<DeviceMask>();
  const std::string name = device_cache_name(kept::kMask, context);
  if (auto kept = context.cache().find<DeviceMask>(name);
      kept && kept->host.owner() == mask.owner())
    return kept;
  context.cache().put(name, nullptr, 0);
  auto fresh = std::make_shared<DeviceMask>();
  fresh->host = mask;
  fresh->bytes = byte_mask(mask);
  fresh->voxels = DeviceBuffer<std::uint8_t>(mask.geometry().voxel_count(), stream);
  fresh->voxels.copy_from(fresh->bytes.labels().as<std::uint8_t>(), stream);
  context.cache().put(name, fresh, kOnDevice);
  return fresh;
}

/// The capacities of each label's cut on the device.
class DeviceCapacities {
 public:
  DeviceCapacities(const border::RefineBorderProblem& problem, const Stream& stream)
      : geometry_(problem.image.geometry()),
        numbers_{problem.band, problem.smoothness, problem.prior},
        models_(problem.models) {
    for (const auto& [label, model] : models_) {
      Entry& entry = entries_.emplace_back(label, border::Capacities(problem, model));
      entry.on_device = uploaded(entry.capacities.entries(), stream);
    }
  }

  [[nodiscard]] bool are_of(const border::RefineBorderProblem& problem) const {
    const Geometry& geometry = problem.image.geometry();
    return geometry.size == geometry_.size && geometry.spacing == geometry_.spacing &&
           numbers_ == std::array{problem.band, problem.smoothness, problem.prior} &&
           models_ == problem.models;
  }
  /// Calls visitor(label, tables), the largest label first.
  template <typename Visitor>
  void visit(Visitor&& visitor) const {
    for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry)
      visitor(entry->label, entry->capacities.tables_at(entry->on_device.data()));
  }

 private:
  struct Entry {
    Entry(Label of, border::Capacities made) : label(of), capacities(std::move(made)) {}
    Label label;
    border::Capacities capacities;
    DeviceBuffer<std::int32_t> on_device;
  };

  Geometry geometry_;
  std::array<double, 3> numbers_;
  std::map<Label, border::BorderModel> models_;
  std::vector<Entry> entries_;
};

/// Returns the capacities from the context's cache if they are the problem's; otherwise computes
/// and caches them: their exponentials take longer than a cut.
[[nodiscard]] inline std::shared_ptr<const DeviceCapacities> capacities_on_device(
    const border::RefineBorderProblem& problem, Context& context, const Stream& stream) {
  const std::string name = device_cache_name(kept::kCapacities, context);
  auto kept = context.cache().find<DeviceCapacities>(name);
  if (kept && kept->are_of(problem)) return kept;
  auto fresh = std::make_shared<DeviceCapacities>(problem, stream);
  context.cache().put(name, fresh, kOnDevice);
  return fresh;
}

/// Finds the cells that may change sides: in the mask (null: all), and not seeds. A warp per
/// kWordsOfWarp words; no races.
static __global__ void __launch_bounds__(kBlockSize)
    free_cells_kernel(const std::uint8_t* __restrict__ mask, const CellWords words,
                      std::uint32_t* __restrict__ free_cells) {
  for_words_of_warp(words, [&](std::uint32_t word, const PlacedCell& cell) {
    const bool is_free = cell.x < words.nx && (mask == nullptr || mask[cell.offset(words)] != 0);
    const unsigned bits = __ballot_sync(0xFFFFFFFFU, is_free);
    if (cell.bit == 0) free_cells[word] = bits;
  });
}
/// One thread per seed; bits are cleared by atomics.
static __global__ void __launch_bounds__(kBlockSize)
    fix_seeds_kernel(const Seed* __restrict__ seeds, std::int64_t count, const CellWords words,
                     std::uint32_t* __restrict__ free_cells) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const std::int64_t line = seeds[i].offset / words.nx;
  const auto x = static_cast<int>(seeds[i].offset - line * words.nx);
  atomicAnd(free_cells + line * words.row + x / 32, ~(1U << (x % 32)));
}
/// Decision of a label's own cut on one of its voxels.
enum class GivenUp : std::uint8_t { No, KeptIfUnclaimed, Lost };

/// Applies a cut whose label is the only one: what it claims becomes its own, and what no cut of it
/// holds becomes 0. One thread per word; no races.
template <typename L>
__global__ void __launch_bounds__(kBlockSize)
    apply_cut_kernel(const std::uint32_t* __restrict__ candidates,
                     const SideWord* __restrict__ sides, const CellWords words, L label,
                     L* __restrict__ labels) {
  const std::uint32_t word = blockIdx.x * blockDim.x + threadIdx.x;
  if (word >= words.count() || candidates[word] == 0) return;
  const SideWord own = sides[word];
  const std::uint32_t first = words.first_cell(word);
  for_bits(candidates[word] & ~static_cast<std::uint32_t>(own >> 32), [&](int bit) {
    L& here = labels[first + bit];
    if (is_inside(own, bit)) {
      here = label;
    } else if (here == label) {
      here = 0;
    }
  });
}

/// Notes the claims of one of several labels; the smallest comes last and wins. One thread per
/// word; no races.
template <typename L>
__global__ void __launch_bounds__(kBlockSize)
    note_claims_kernel(const std::uint32_t* __restrict__ candidates,
                       const SideWord* __restrict__ sides, const CellWords words, L label,
                       const L* __restrict__ labels, L* __restrict__ claims,
                       GivenUp* __restrict__ given_up) {
  const std::uint32_t word = blockIdx.x * blockDim.x + threadIdx.x;
  if (word >= words.count() || candidates[word] == 0) return;
  const SideWord own = sides[word];
  const std::uint32_t first = words.first_cell(word);
  for_bits(candidates[word], [&](int bit) {
    const std::uint32_t at = first + bit;
    const bool may_be_inside = is_open(own, bit);
    if (!may_be_inside && is_inside(own, bit)) {
      if (labels[at] != label) claims[at] = label;
    } else if (labels[at] == label) {
      given_up[at] = may_be_inside ? GivenUp::KeptIfUnclaimed : GivenUp::Lost;
    }
  });
}

/// Resolves the claims. cut_labels: sorted, those that have cuts. One thread per cell; no races.
template <typename L>
static __global__ void __launch_bounds__(kBlockSize)
    resolve_claims_kernel(const L* __restrict__ claims, const GivenUp* __restrict__ given_up,
                          const Label* __restrict__ cut_labels, int cut_label_count,
                          std::int64_t count, L* __restrict__ labels) {
  const std::int64_t at = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (at >= count) return;
  const L claim = claims[at];
  const GivenUp given = given_up[at];
  if (claim == 0) {
    if (given == GivenUp::Lost) labels[at] = 0;
    return;
  }
  bool yields = given != GivenUp::No;
  if (!yields) {
    const Label before = labels[at];
    int low = 0;
    for (int high = cut_label_count; low < high;) {
      const int middle = (low + high) / 2;
      if (cut_labels[middle] < before) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    yields = low == cut_label_count || cut_labels[low] != before;
  }
  if (yields) labels[at] = claim;
}

/// Cuts labels on the device.
class BorderRun {
 public:
  /// seeds: those of the problem. Enqueues uploads of what is not on the device yet; all arguments
  /// must stay valid until the stream has reached them.
  BorderRun(const border::RefineBorderProblem& problem, const DeviceBuffer<Seed>& seeds,
            Context& context, const Stream& stream)
      : context_(context),
        stream_(stream),
        words_(CellWords::of(problem.image.geometry().size)),
        reach_(border::band_reach(problem.image.geometry(), problem.band)),
        image_(image_on_device(problem.image, context, stream)),
        mask_(mask_on_device(problem.mask, context, stream)),
        capacities_(capacities_on_device(problem, context, stream)),
        rows_(near_rows(reach_)),
        rows_on_device_(uploaded(rows_, stream)),
        free_cells_(words_.count(), stream),
        sides_(words_.count(), stream),
        candidates_(words_.count(), stream),
        counters_(kCounters, stream) {
    for (const auto& [label, model] : problem.models) {
      if (label != 0) cut_labels_.push_back(label);
    }
    free_cells_kernel<<<warp_blocks(words_), kBlockSize, 0, stream_.get()>>>(mask_->data(), words_,
                                                                             free_cells_.data());
    check_launch(stream_.get());
    if (seeds.size() == 0) return;
    fix_seeds_kernel<<<blocks_for(seeds.size()), kBlockSize, 0, stream_.get()>>>(
        seeds.data(), seeds.size(), words_, free_cells_.data());
    check_launch(stream_.get());
  }

  /// Null: all voxels take part.
  [[nodiscard]] const std::uint8_t* mask() const { return mask_->data(); }

  /// Refines the labels, which hold the seeds. Throws InputError for NaN near a border, Cancelled.
  template <typename L>
  void refine(DeviceBuffer<L>& labels) {
    const bool is_alone = cut_labels_.size() == 1;
    DeviceBuffer<L> claims(is_alone ? 0 : labels.size(), stream_);
    DeviceBuffer<GivenUp> given_up(is_alone ? 0 : labels.size(), stream_);
    claims.fill_bytes(0, stream_);
    given_up.fill_bytes(0, stream_);
    capacities_->visit([&](Label label, const border::CapacityTables& tables) {
      if (label == 0 || label > std::numeric_limits<L>::max()) return;
      context_.checkpoint(0.0);
      const auto own = static_cast<L>(label);
      read_sides_kernel<<<warp_blocks(words_), kBlockSize, 0, stream_.get()>>>(
          labels.data(), own, words_, sides_.data());
      check_launch(stream_.get());
      if (!cut(tables)) return;
      if (is_alone) {
        apply_cut_kernel<<<word_blocks(), kBlockSize, 0, stream_.get()>>>(
            candidates_.data(), sides_.data(), words_, own, labels.data());
      } else {
        note_claims_kernel<<<word_blocks(), kBlockSize, 0, stream_.get()>>>(
            candidates_.data(), sides_.data(), words_, own, labels.data(), claims.data(),
            given_up.data());
      }
      check_launch(stream_.get());
    });
    if (is_alone) return;
    const DeviceBuffer<Label> cut_labels = uploaded(cut_labels_, stream_);
    resolve_claims_kernel<<<blocks_for(labels.size()), kBlockSize, 0, stream_.get()>>>(
        claims.data(), given_up.data(), cut_labels.data(), static_cast<int>(cut_labels_.size()),
        labels.size(), labels.data());
    check_launch(stream_.get());
  }

 private:
  static constexpr int kSettleSweeps = 8;
  /// Places in counters_: of candidates, of open cells after each sweep, and flags.
  enum Counter { kCandidates, kOpen, kNumbered = kOpen + kSettleSweeps + 1, kHasNan, kCounters };

  [[nodiscard]] unsigned word_blocks() const { return blocks_for(words_.count()); }
  [[nodiscard]] std::array<std::uint32_t, kCounters> read_counters() const {
    std::array<std::uint32_t, kCounters> read{};
    counters_.copy_to(read, stream_);
    stream_.synchronize();
    return read;
  }

  /// Finds the sides of the free cells near the border. Returns false if there are none.
  bool cut(const border::CapacityTables& tables) {
    counters_.fill_bytes(0, stream_);
    find_candidates();
    const std::uint32_t candidates = read_counters()[kCandidates];
    if (candidates == 0) return false;
    const CutView view{words_, image_->view(), tables};
    DeviceBuffer<OpenCell> open(candidates, stream_);
    DeviceBuffer<OpenCell> other(candidates, stream_);
    measure(view, candidates, open);
    settle(view, open, other);
    DeviceBuffer<std::uint32_t> first(words_.count(), stream_);
    number_open_kernel<<<word_blocks(), kBlockSize, 0, stream_.get()>>>(
        sides_.data(), words_.count(), counters_.data() + kNumbered, first.data());
    check_launch(stream_.get());
    const auto counts = read_counters();
    if (counts[kHasNan] != 0) throw InputError("the image has NaN values near a border");
    if (counts[kNumbered] == 0) return true;
    cut_open(view, open, {sides_.data(), first.data()},
             static_cast<std::int32_t>(counts[kNumbered]));
    return true;
  }

  void find_candidates() {
    const auto reach = [&](int axis) { return static_cast<int>(reach_.steps[axis]); };
    DeviceBuffer<uint2> along_x(words_.count(), stream_);
    DeviceBuffer<uint2> along_y(words_.count(), stream_);
    near_along_x_kernel<<<word_blocks(), kBlockSize, 0, stream_.get()>>>(sides_.data(), words_,
                                                                         reach(0), along_x.data());
    check_launch(stream_.get());
    near_along_y_kernel<<<word_blocks(), kBlockSize, 0, stream_.get()>>>(along_x.data(), words_,
                                                                         reach(1), along_y.data());
    check_launch(stream_.get());
    candidates_kernel<<<word_blocks(), kBlockSize, 0, stream_.get()>>>(
        along_y.data(), sides_.data(), free_cells_.data(), words_, reach(2), candidates_.data(),
        counters_.data() + kCandidates);
    check_launch(stream_.get());
  }

  /// Opens the cells of the band.
  void measure(const CutView& view, std::uint32_t candidates, DeviceBuffer<OpenCell>& open) {
    DeviceBuffer<CellCode> cells(candidates, stream_);
    DeviceBuffer<std::uint32_t> listed(1, stream_);
    listed.fill_bytes(0, stream_);
    list_cells_kernel<<<word_blocks(), kBlockSize, 0, stream_.get()>>>(
        candidates_.data(), words_.count(), listed.data(), cells.data());
    check_launch(stream_.get());
    const ReachView reach{.steps = static_cast<int>(reach_.steps[0]),
                          .weight = reach_.scale.weights[0],
                          .limit = reach_.limit,
                          .largest = reach_.largest_square(),
                          .rows = rows_on_device_.data(),
                          .row_count = static_cast<int>(rows_.size())};
    measure_kernel<<<blocks_for(candidates), kBlockSize, 0, stream_.get()>>>(
        cells.data(), candidates, view, reach, sides_.data(), open.data(), counters_.data() + kOpen,
        counters_.data() + kHasNan);
    check_launch(stream_.get());
  }

  /// Decides on the cells that need no cut. `open` then holds the others.
  void settle(const CutView& view, DeviceBuffer<OpenCell>& open, DeviceBuffer<OpenCell>& other) {
    for (int sweep = 0; sweep < kSettleSweeps; ++sweep) {
      const unsigned blocks = std::min(blocks_for(open.size()), kMostSettleBlocks);
      settle_kernel<<<blocks, kBlockSize, 0, stream_.get()>>>(
          open.data(), counters_.data() + kOpen + sweep, view, sides_.data(), other.data(),
          counters_.data() + kOpen + sweep + 1);
      check_launch(stream_.get());
      std::swap(open, other);
    }
  }

  void cut_open(const CutView& view, const DeviceBuffer<OpenCell>& open, const OpenNumbers& numbers,
                std::int32_t count) {
    NetworkOnDevice network(count, stream_);
    build_kernel<<<blocks_for(count), kBlockSize, 0, stream_.get()>>>(
        open.data(), view, numbers, network.view(), network.neighbours(), network.cells());
    check_launch(stream_.get());
    network.cut(sides_.data(), context_);
  }

  static constexpr unsigned kMostSettleBlocks = 4096;

  Context& context_;
  Stream stream_;
  CellWords words_;
  border::BandReach reach_;
  std::shared_ptr<const DeviceImage> image_;
  std::shared_ptr<const DeviceMask> mask_;
  std::shared_ptr<const DeviceCapacities> capacities_;
  std::vector<Label> cut_labels_;
  std::vector<NearRow> rows_;
  DeviceBuffer<NearRow> rows_on_device_;
  DeviceBuffer<std::uint32_t> free_cells_;
  DeviceBuffer<SideWord> sides_;
  DeviceBuffer<std::uint32_t> candidates_;
  DeviceBuffer<std::uint32_t> counters_;
};

}  // namespace seedwave::gpu
