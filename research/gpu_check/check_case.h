// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/ops/operation.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace seedwave::gpu_check {

/// One input for all operations, or for one.
struct CheckCase {
  std::string name;
  Inputs inputs;
  Values values;  // unset values have their initial value
  /// The only operation for which it is meant; "": all that have no cases of their own.
  std::string operation{};
};

/// Returns a small random case, the same for the same number on every machine. It has sizes around
/// a warp, a vector and a batch of loads; few intensities, so that strengths tie, vanish and
/// saturate; 2 to 4 labels; every connectivity; with and without a mask; one label's affinity and
/// all labels'.
[[nodiscard]] CheckCase random_case(std::uint64_t number);

/// Returns a small image of phases for each operation that describes windows. It has windows of any
/// size that fits, a place, and strokes in one case of two.
[[nodiscard]] std::vector<CheckCase> phase_cases(std::uint64_t number);

/// Returns a small random case for an operation that reads or makes labels and has estimates: every
/// parameter is drawn at random. The labels are balls, or noise in one case of three.
[[nodiscard]] CheckCase label_case(const Operation& operation, std::uint64_t number);

/// Returns the same case with a few more seeds, as after another stroke; its affinities are the
/// same.
[[nodiscard]] CheckCase with_more_seeds(const CheckCase& before, std::uint64_t number);

/// Returns the case after steps of painting: seeds added twice, one removed, one relabelled, and
/// seeds added again.
[[nodiscard]] std::vector<CheckCase> painted_on(const CheckCase& before, std::uint64_t number);

/// Loads a volume from a file (.npy, .nii, .nii.gz). Throws InputError if it is missing or cannot
/// be read.
[[nodiscard]] Volume load_volume(const std::filesystem::path& file);

/// A real volume with its reference labels. Of each label in `labels` one voxel in `one_in` is a
/// seed. If `mask` is set, only voxels of these labels take part.
struct LabelledVolume {
  std::filesystem::path image;
  std::filesystem::path labels;
  std::vector<std::uint16_t> seed_labels;  // empty: all
  std::int64_t one_in = 500;
  enum class Mask { None, Labels };
  Mask mask = Mask::None;
  Connectivity connectivity = Connectivity::C6;
};
/// Throws InputError if a file is missing or unreadable, the sizes differ, or there are fewer than
/// two labels.
[[nodiscard]] CheckCase case_from(const LabelledVolume& source);

/// Returns cases larger than the random ones: several slabs of several tiles each, and paths that
/// cross all of them.
[[nodiscard]] std::vector<CheckCase> larger_cases();

}  // namespace seedwave::gpu_check
