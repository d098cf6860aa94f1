// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace seedwave {

/// The label of a voxel that a person fixed as none; also its number in a label image of edits.
inline constexpr Label kFixedAsNone = 4294967295;

/// Voxels in a row with the same label: the offsets begin..end - 1 of a grid.
struct LabelRun {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  Label label = 0;
  friend bool operator==(const LabelRun&, const LabelRun&) = default;
};

/// Voxels that were fixed as a label (1..kLargestLabel) or as none, on a grid that the owner knows.
///
/// An immutable value. A changed copy shares with the original everything but the blocks of
/// kBlock offsets that the change touches, so a history of small changes takes little memory.
class FixedVoxels {
 public:
  static constexpr std::int64_t kBlock = 1 << 14;

  FixedVoxels() = default;
  /// `runs`: in order of their offsets, not overlapping; label 0 is free.
  explicit FixedVoxels(std::span<const LabelRun> runs) : FixedVoxels(FixedVoxels().with(runs)) {}

  [[nodiscard]] bool empty() const noexcept { return blocks_.empty(); }
  /// Returns the label of a voxel, 0 if it is free.
  [[nodiscard]] Label at(std::int64_t offset) const;
  /// Returns the same voxels with `runs` over them: in order of their offsets, not overlapping.
  /// Label 0 frees.
  [[nodiscard]] FixedVoxels with(std::span<const LabelRun> runs) const;
  /// Returns all runs in order of their offsets.
  [[nodiscard]] std::vector<LabelRun> runs() const;
  [[nodiscard]] std::int64_t count() const;
  /// Calls visit(const LabelRun&) in order of the offsets. A run never crosses a block.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const Block& block : blocks_) {
      for (const ShortRun& run : *block.runs)
        visit(long_run(block.number, run));
    }
  }
  /// Returns the stretches in which two values differ, with the labels of this one. Blocks that
  /// both share cost nothing.
  [[nodiscard]] std::vector<LabelRun> differences_from(const FixedVoxels& other) const;
  /// Returns the memory [bytes] that is not shared with `other`.
  [[nodiscard]] std::size_t bytes_beside(const FixedVoxels& other) const;

  friend bool operator==(const FixedVoxels& a, const FixedVoxels& b);

 private:
  struct ShortRun {
    std::uint16_t begin = 0;
    std::uint16_t last = 0;
    std::uint16_t label = 0;  // 65535: none
    friend bool operator==(const ShortRun&, const ShortRun&) = default;
  };
  using Runs = std::vector<ShortRun>;
  struct Block {
    std::int64_t number = 0;
    std::shared_ptr<const Runs> runs;  // not empty
  };

  using Dense = std::array<std::uint16_t, kBlock>;
  static void fill(const Runs* runs, Dense& labels);
  static LabelRun long_run(std::int64_t block, const ShortRun& run);
  static std::shared_ptr<const Runs> merged(const Runs* old, std::int64_t number,
                                            std::span<const LabelRun> runs);
  [[nodiscard]] const Runs* find(std::int64_t number) const;

  std::vector<Block> blocks_;  // ascending
};

/// Returns runs of one label at sorted offsets, each once.
[[nodiscard]] std::vector<LabelRun> runs_at(std::span<const std::int64_t> offsets, Label label);

}  // namespace seedwave
