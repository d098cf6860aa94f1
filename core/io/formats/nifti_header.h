// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/io/formats/axes.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace seedwave::io {

/// The fields of a NIfTI header that Seedwave reads, the same for both versions; numbers as in the
/// file.
struct NiftiHeader {
  int version = 1;
  std::endian order = std::endian::little;
  /// Set if the voxels are in another file: magic "ni1" or "ni2".
  bool is_pair = false;
  std::array<std::int64_t, 8> dim{};
  int datatype = 0;
  int bits = 0;
  std::array<double, 8> pixdim{};
  double voxel_offset = 0.0;
  double slope = 0.0;
  double intercept = 0.0;
  double shown_low = 0.0;   // cal_min
  double shown_high = 0.0;  // cal_max
  int units = 0;            // xyzt_units
  int qform_code = 0;
  int sform_code = 0;
  std::array<double, 6> quaternion{};  // b, c, d, then the offsets x, y, z
  std::array<double, 12> rows{};       // srow_x, srow_y, srow_z
  std::string description;
};

inline constexpr std::size_t kNifti1HeaderBytes = 348;
inline constexpr std::size_t kNifti2HeaderBytes = 540;

/// Returns whether the bytes start a NIfTI header of either version and byte order.
[[nodiscard]] bool is_nifti_header(std::span<const std::byte> head);

/// `head` must be a NIfTI header (is_nifti_header). Throws InputError that names `file` if it is
/// truncated.
[[nodiscard]] NiftiHeader parse_nifti_header(std::span<const std::byte> head,
                                             const std::string& file);

/// Returns rotation and offset of the quaternion form, steps in units of the file, RAS.
[[nodiscard]] IndexToWorld qform_of(const NiftiHeader& header);
[[nodiscard]] IndexToWorld sform_of(const NiftiHeader& header);

/// Returns true if qform or sform give the position of the voxels.
[[nodiscard]] bool has_position(const NiftiHeader& header) noexcept;

/// Returns the grid of one time point in LPS millimetres; assumptions are added to `warnings`.
/// Throws InputError that names `file` if sizes or voxel sizes cannot be used.
[[nodiscard]] Geometry geometry_of(const NiftiHeader& header, const std::string& file,
                                   std::vector<std::string>& warnings);

/// The quaternion (b, c, d) and qfac of an orthonormal direction in RAS.
struct Quaternion {
  double b = 0.0;
  double c = 0.0;
  double d = 0.0;
  double qfac = 1.0;
};
[[nodiscard]] Quaternion quaternion_of(const Matrix3& direction);

}  // namespace seedwave::io
