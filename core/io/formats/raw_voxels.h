// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/checked_size.h"
#include "core/image/geometry.h"
#include "core/image/volume.h"
#include "core/io/formats/byte_source.h"
#include "core/parallel/context.h"

#include <bit>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace seedwave::io {

/// The types of numbers that files hold; more than a Volume has.
enum class StoredType { U8, I8, U16, I16, U32, I32, U64, I64, F16, F32, F64 };

[[nodiscard]] std::size_t bytes_of(StoredType type) noexcept;
/// "32-bit unsigned integers": for messages.
[[nodiscard]] std::string_view describe(StoredType type) noexcept;

/// Returns true for a slope or intercept with which integers stay integers: whole, and so small
/// that 16 bits times it, plus it, fit 64 bits. Beyond, a floating-point number is whole by
/// accident.
[[nodiscard]] bool keeps_integers(double value) noexcept;

/// Which slices of an image are wanted; all where nothing is said.
struct SliceRange {
  std::int64_t first = 0;
  std::int64_t count = std::numeric_limits<std::int64_t>::max();
};
/// The grid of these slices only.
[[nodiscard]] Geometry cut_slices(const Geometry& geometry, const SliceRange& slices);

/// Voxels that lie in a file one after the other, x fastest: what a header tells about them.
struct RawVoxels {
  std::filesystem::path file;
  Packing packing = Packing::None;
  /// Where the packed bytes begin in the file.
  std::int64_t file_offset = 0;
  /// Where the voxels begin once unpacked.
  std::int64_t stream_offset = 0;
  std::endian order = std::endian::little;
  StoredType stored = StoredType::U8;
  Geometry geometry;
  int components = 1;
  /// Values that lie together in the file, of which `components` from `first_value` on are wanted:
  /// layers of a segmentation, directions of a diffusion series. 0: just the components.
  std::int64_t values_per_voxel = 0;
  std::int64_t first_value = 0;
  /// value = slope * stored + intercept.
  double slope = 1.0;
  double intercept = 0.0;
};

/// The type that load_raw gives, as far as the header alone tells it.
[[nodiscard]] VoxelType type_of(const RawVoxels& raw) noexcept;

/// Throws InputError when the file is too short for what its header claims: before any allocation.
void check_raw_size(const RawVoxels& raw);

/// Bytes of `parts` volumes that lie one after the other, unpacked.
[[nodiscard]] CheckedSize bytes_of_parts(const RawVoxels& raw, std::int64_t parts) noexcept;
/// Volume number `part`, from 0: one of the values that lie together at each voxel, where several
/// do, else one of the volumes that lie one after the other. Throws InputError beyond 64 bits.
[[nodiscard]] RawVoxels part_of(const RawVoxels& raw, std::int64_t part);
/// Lets the voxels of `parts` such volumes be the last bytes of their file, which must not be
/// packed. Throws InputError when the file is shorter.
void place_at_end(RawVoxels& raw, std::int64_t parts);

/// Reads the voxels, in the type that they are stored in where a Volume has it. With a slope and
/// intercept that are integers: the smallest integer type that holds all values; else f32. What
/// that changes, NaN and infinite values are told in `warnings`.
/// Throws InputError, UnavailableError, Cancelled.
[[nodiscard]] Volume load_raw(const RawVoxels& raw, const SliceRange& slices, Context& context,
                              std::vector<std::string>& warnings);

}  // namespace seedwave::io
