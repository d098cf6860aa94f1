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

/// The number types of files; more than those of a Volume.
enum class StoredType { U8, I8, U16, I16, U32, I32, U64, I64, F16, F32, F64 };

[[nodiscard]] std::size_t bytes_of(StoredType type) noexcept;
/// Returns "32-bit unsigned integers", for messages.
[[nodiscard]] std::string_view describe(StoredType type) noexcept;

/// Returns true for a slope or intercept with which integers stay integers: it is whole, and so
/// small that 16 bits times it, plus it, fit 64 bits. A larger floating-point number is whole by
/// accident.
[[nodiscard]] bool keeps_integers(double value) noexcept;

/// The purpose of reading. Labels: the numbers of a palette image instead of its colours, and
/// 32-bit unsigned numbers as U32 if I32 cannot hold them; an image is then read as F32.
enum class ReadAs { Image, Labels };

/// The selected slices of an image; all by default.
struct SliceRange {
  std::int64_t first = 0;
  std::int64_t count = std::numeric_limits<std::int64_t>::max();
};
/// Returns the grid of these slices only.
[[nodiscard]] Geometry cut_slices(const Geometry& geometry, const SliceRange& slices);

/// Voxels in a file, one after the other, x fastest, as a header describes them.
struct RawVoxels {
  std::filesystem::path file;
  Packing packing = Packing::None;
  /// Offset of the compressed bytes in the file.
  std::int64_t file_offset = 0;
  /// Offset of the voxels after decompression.
  std::int64_t stream_offset = 0;
  std::endian order = std::endian::little;
  StoredType stored = StoredType::U8;
  Geometry geometry;
  int components = 1;
  /// Number of adjacent values in the file, of which `components` from `first_value` are used:
  /// layers of a segmentation, directions of a diffusion series. 0: just the components.
  std::int64_t values_per_voxel = 0;
  std::int64_t first_value = 0;
  /// value = slope * stored + intercept.
  double slope = 1.0;
  double intercept = 0.0;
};

/// Returns the type of the result of load_raw, as far as the header determines it.
[[nodiscard]] VoxelType type_of(const RawVoxels& raw) noexcept;

/// Throws InputError if the file is too short for what its header claims. Called before any
/// allocation.
void check_raw_size(const RawVoxels& raw);

/// Returns the bytes of `parts` successive volumes after decompression.
[[nodiscard]] CheckedSize bytes_of_parts(const RawVoxels& raw, std::int64_t parts) noexcept;
/// Returns volume number `part`, from 0: one of several adjacent values at each voxel, or one of
/// successive volumes. Throws InputError beyond 64 bits.
[[nodiscard]] RawVoxels part_of(const RawVoxels& raw, std::int64_t part);
/// Places the voxels of `parts` such volumes at the end of their file, which must not be
/// compressed. Throws InputError if the file is shorter.
void place_at_end(RawVoxels& raw, std::int64_t parts);

/// Reads the voxels in their stored type if a Volume has it; those that lie in the file as in
/// memory are used there if inputs are to be mapped (core/base/mapped_input.h). With integer slope
/// and intercept: the smallest integer type that holds all values; else f32. Resulting changes, NaN
/// and infinite values are reported in `warnings`. Throws InputError, UnavailableError, Cancelled.
[[nodiscard]] Volume load_raw(const RawVoxels& raw, const SliceRange& slices, ReadAs as,
                              Context& context, std::vector<std::string>& warnings);

}  // namespace seedwave::io
