// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/clean_labels.h"
#include "gpu/device/buffer.h"
#include "gpu/device/stream.h"
#include "gpu/morphology/label_parts.cuh"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

/// The clean-up of all labels at once, without changed outlines: each voxel then belongs to one
/// label, and so does each part and each hole.
///
/// The voxels that no part that stays holds are open. An open part is a hole of label k if all
/// labels in it and around it are k: then it is one part of k's complement too. If another label
/// lies in it, that splits the complement, and each piece touches the other label.
namespace seedwave::gpu {

/// Writes the labels of open cells: of their hole, or 0; removed: those that had a label.
/// is_claimed: null, or 1 for all cells before; becomes 0 for removed cells that no hole claims.
/// One thread per word; no races.
template <typename L>
__global__ void __launch_bounds__(kBlockSize)
    finish_open_kernel(const RunForest forest, const std::uint32_t* __restrict__ removed,
                       const HoleLabels holes, bool fills, L* __restrict__ labels,
                       std::uint8_t* __restrict__ is_claimed) {
  const std::uint32_t word = word_of_thread();
  if (word >= forest.words.count() || forest.runs[word].y == 0) return;
  const std::uint32_t first = forest.words.first_cell(word);
  const auto give_up = [&](std::uint32_t bits) {
    for_bits(bits, [&](int bit) {
      labels[first + bit] = 0;
      if (is_claimed != nullptr) is_claimed[first + bit] = 0;
    });
  };
  if (!fills) return give_up(removed[word]);
  forest.for_parts(word, [&](std::uint32_t part, std::uint32_t bits) {
    const Label hole = holes.label_of(part);
    if (hole == 0) return give_up(bits & removed[word]);
    for_bits(bits, [&](int bit) { labels[first + bit] = static_cast<L>(hole); });
  });
}

/// Returns the labels that have seeds, ascending.
[[nodiscard]] inline std::vector<Label> seeded_labels(const std::vector<Seed>& seeds) {
  std::set<Label> labels;
  for (const Seed& seed : seeds)
    labels.insert(seed.label);
  return {labels.begin(), labels.end()};
}

/// Cleans up labels on the device, with any rule but KeptParts::Largest.
template <typename L>
class WholeClean {
 public:
  WholeClean(const CellWords& words, const Stream& stream)
      : words_(words), parts_(words, stream), stream_(stream) {}

  /// labels: with the seeds. seeded: seeded_labels() on the device. is_claimed: see
  /// finish_open_kernel().
  void clean(const CleanLabelsProblem& problem, const DeviceBuffer<Seed>& seeds,
             const DeviceBuffer<Label>& seeded, L* labels, std::uint8_t* is_claimed) {
    const bool counts = problem.fewest_voxels > 1;
    const bool fills = problem.holes == EnclosedHoles::Fill;
    const PartRule rule{.keeps_all = problem.parts == KeptParts::All,
                        .only_largest = false,
                        .fewest = counts ? fewest_of(problem) : 0,
                        .seeded = seeded.data(),
                        .seeded_count = static_cast<int>(seeded.size())};
    parts_.remove_parts(labels, rule, seeds, counts);
    if (fills) parts_.find_holes(labels, 0, labels, whole_box(), DeviceBuffer<Seed>());
    finish_open_kernel<<<parts_.blocks(), kBlockSize, 0, stream_.get()>>>(
        parts_.forest(), parts_.removed(), parts_.holes(), fills, labels, is_claimed);
    check_launch(stream_.get());
  }

  /// The smallest number of voxels, as kernels count them.
  [[nodiscard]] static std::uint32_t fewest_of(const CleanLabelsProblem& problem) {
    return static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(problem.fewest_voxels, 0, PartSizes::kHasSeed));
  }

 private:
  [[nodiscard]] BoxInImage whole_box() const {
    return {.first = 0, .row = words_.nx, .plane = std::int64_t{words_.nx} * words_.ny};
  }

  CellWords words_;
  LabelParts<L> parts_;
  Stream stream_;
};

}  // namespace seedwave::gpu
