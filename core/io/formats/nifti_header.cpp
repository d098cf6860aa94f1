// SPDX-License-Identifier: Apache-2.0
#include "core/io/formats/nifti_header.h"

#include "core/base/error.h"
#include "core/image/vec3.h"
#include "core/io/formats/header_fields.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace seedwave::io {
namespace {

bool mark_at(std::span<const std::byte> head, std::size_t offset, const char* mark) {
  return head.size() >= offset + 4 && std::memcmp(head.data() + offset, mark, 4) == 0;
}

NiftiHeader parse_version_1(const HeaderFields& f) {
  NiftiHeader h;
  f.get_all<std::int16_t>(40, h.dim);
  h.datatype = f.get<std::int16_t>(70);
  h.bits = f.get<std::int16_t>(72);
  f.get_all<float>(76, h.pixdim);
  h.voxel_offset = f.get<float>(108);
  h.slope = f.get<float>(112);
  h.intercept = f.get<float>(116);
  h.units = f.get<std::uint8_t>(123);
  h.shown_high = f.get<float>(124);
  h.shown_low = f.get<float>(128);
  h.description = f.text(148, 80);
  h.qform_code = f.get<std::int16_t>(252);
  h.sform_code = f.get<std::int16_t>(254);
  f.get_all<float>(256, h.quaternion);
  f.get_all<float>(280, h.rows);
  return h;
}

NiftiHeader parse_version_2(const HeaderFields& f) {
  NiftiHeader h;
  h.version = 2;
  h.datatype = f.get<std::int16_t>(12);
  h.bits = f.get<std::int16_t>(14);
  f.get_all<std::int64_t>(16, h.dim);
  f.get_all<double>(104, h.pixdim);
  h.voxel_offset = static_cast<double>(f.get<std::int64_t>(168));
  h.slope = f.get<double>(176);
  h.intercept = f.get<double>(184);
  h.shown_high = f.get<double>(192);
  h.shown_low = f.get<double>(200);
  h.description = f.text(240, 80);
  h.qform_code = f.get<std::int32_t>(344);
  h.sform_code = f.get<std::int32_t>(348);
  f.get_all<double>(352, h.quaternion);
  f.get_all<double>(400, h.rows);
  h.units = f.get<std::int32_t>(500);
  return h;
}

/// Returns the millimetres per unit of length of the header; its codes are in the low three bits.
double millimetres_per_unit(const NiftiHeader& header) {
  const int code = header.units & 7;
  if (code == 1) return 1000.0;
  if (code == 3) return 0.001;
  return 1.0;
}

IndexToWorld scaled(IndexToWorld axes, double factor) {
  for (double& value : axes.steps)
    value *= factor;
  for (double& value : axes.origin)
    value *= factor;
  return axes;
}

/// Completes the axes of a 2-D image, whose third may be 0: it becomes a unit along the normal of
/// the two others.
void complete_plane(IndexToWorld& axes) {
  Matrix3& m = axes.steps;
  if (m[2] != 0.0 || m[5] != 0.0 || m[8] != 0.0) return;
  Vec3 normal = cross(Vec3{m[0], m[3], m[6]}, Vec3{m[1], m[4], m[7]});
  const double length = norm(normal);
  for (std::size_t row = 0; row < 3; ++row)
    m[3 * row + 2] = normal[row] / length;
}

Index3 size_of(const NiftiHeader& header, const std::string& file) {
  const std::int64_t dimensions = header.dim[0];
  if (dimensions < 1 || dimensions > 7) {
    throw InputError(file + " has a damaged NIfTI header: it states " + std::to_string(dimensions) +
                     " dimensions");
  }
  Index3 size{1, 1, 1};
  for (std::int64_t axis = 1; axis <= dimensions; ++axis) {
    const std::int64_t length = header.dim[static_cast<std::size_t>(axis)];
    if (length < 1) {
      throw InputError(file + " has no voxels: its NIfTI header gives dimension " +
                       std::to_string(axis) + " the size " + std::to_string(length));
    }
    if (axis <= 3) size[axis - 1] = length;
  }
  return size;
}

/// Uses the stated spacing, which may have more digits than the matrix, if both agree.
void prefer_stated_spacing(Geometry& geometry, const NiftiHeader& header, double factor) {
  for (int axis = 0; axis < 3; ++axis) {
    const double stated = std::abs(header.pixdim[axis + 1]) * factor;
    if (std::abs(stated - geometry.spacing[axis]) <= 1e-5 * geometry.spacing[axis])
      geometry.spacing[axis] = stated;
  }
}

/// Returns true for a 2-D image without position, unit and voxel size.
bool is_picture(const NiftiHeader& header, const Index3& size) {
  const auto is_default = [&](std::size_t axis) {
    return header.pixdim[axis] == 0.0 || header.pixdim[axis] == 1.0;
  };
  return size[2] == 1 && !has_position(header) && header.units % 8 == 0 && is_default(1) &&
         is_default(2);
}

/// Returns a grid from the voxel sizes alone if neither form can be used. As in ITK, index axes and
/// LPS axes are parallel.
Geometry geometry_without_position(const NiftiHeader& header, const Index3& size, double factor,
                                   const std::string& file, std::vector<std::string>& warnings) {
  Geometry geometry;
  geometry.size = size;
  for (int axis = 0; axis < 3; ++axis) {
    const double stated = std::abs(header.pixdim[axis + 1]) * factor;
    const bool usable = stated > 1e-9 && stated < 1e9;
    // The thickness of a single slice is often omitted.
    if (!usable && !(axis == 2 && size[2] == 1)) {
      throw InputError(
          file + " has no usable geometry: its NIfTI header gives no position and a voxel size " +
          "of " + std::to_string(header.pixdim[axis + 1]) + " mm");
    }
    geometry.spacing[axis] = usable ? stated : 1.0;
  }
  // A 2-D image needs no position in the patient.
  if (header.dim[0] <= 2 && !has_position(header)) return geometry;
  warnings.push_back(
      "has no usable position in its NIfTI header: the first voxel is placed at 0, with axes left, "
      "posterior, superior");
  return geometry;
}

}  // namespace

bool is_nifti_header(std::span<const std::byte> head) {
  if (head.size() < 12) return false;
  std::int32_t size = 0;
  std::memcpy(&size, head.data(), sizeof size);
  const auto swapped =
      static_cast<std::int32_t>(__builtin_bswap32(static_cast<std::uint32_t>(size)));
  const auto is = [&](std::int32_t bytes) { return size == bytes || swapped == bytes; };
  if (is(348)) return mark_at(head, 344, "n+1") || mark_at(head, 344, "ni1");
  if (is(540)) return mark_at(head, 4, "n+2") || mark_at(head, 4, "ni2");
  return false;
}

NiftiHeader parse_nifti_header(std::span<const std::byte> head, const std::string& file) {
  std::int32_t size = 0;
  std::memcpy(&size, head.data(), sizeof size);
  const bool native = size == 348 || size == 540;
  const std::endian order = native                                       ? std::endian::native
                            : std::endian::native == std::endian::little ? std::endian::big
                                                                         : std::endian::little;
  const bool first = mark_at(head, 344, "n+1") || mark_at(head, 344, "ni1");
  if (head.size() < (first ? kNifti1HeaderBytes : kNifti2HeaderBytes)) {
    throw InputError(file + " is truncated inside its NIfTI header");
  }
  const HeaderFields fields(head, order);
  NiftiHeader header = first ? parse_version_1(fields) : parse_version_2(fields);
  header.order = order;
  header.is_pair = mark_at(head, first ? 344 : 4, first ? "ni1" : "ni2");
  return header;
}

bool has_position(const NiftiHeader& header) noexcept {
  return header.qform_code > 0 || header.sform_code > 0;
}

IndexToWorld qform_of(const NiftiHeader& header) {
  const auto& q = header.quaternion;
  // Near a half turn the first number of the quaternion is the root of a rounding error.
  // nifti1_io.c (R. Cox), nifti_quatern_to_mat44: there it is 0, and the others are normalized.
  constexpr double kRounding = 1e-7;
  const double rest = 1.0 - (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  const bool half_turn = rest < kRounding;
  const double scale = half_turn ? 1.0 / std::sqrt(1.0 - rest) : 1.0;
  const double a = half_turn ? 0.0 : std::sqrt(rest);
  const double b = scale * q[0];
  const double c = scale * q[1];
  const double d = scale * q[2];
  const double qfac = header.pixdim[0] < 0.0 ? -1.0 : 1.0;
  const Vec3 step{std::abs(header.pixdim[1]), std::abs(header.pixdim[2]),
                  qfac * std::abs(header.pixdim[3])};
  const Matrix3 rotation{
      a * a + b * b - c * c - d * d, 2 * (b * c - a * d),           2 * (b * d + a * c),
      2 * (b * c + a * d),           a * a + c * c - b * b - d * d, 2 * (c * d - a * b),
      2 * (b * d - a * c),           2 * (c * d + a * b),           a * a + d * d - b * b - c * c};
  IndexToWorld axes;
  for (int i = 0; i < 9; ++i)
    axes.steps[i] = rotation[i] * step[i % 3];
  axes.origin = {q[3], q[4], q[5]};
  return axes;
}

IndexToWorld sform_of(const NiftiHeader& header) {
  const auto& r = header.rows;
  return {{r[0], r[1], r[2], r[4], r[5], r[6], r[8], r[9], r[10]}, {r[3], r[7], r[11]}};
}

Geometry geometry_of(const NiftiHeader& header, const std::string& file,
                     std::vector<std::string>& warnings) {
  const Index3 size = size_of(header, file);
  const double factor = millimetres_per_unit(header);
  if (factor != 1.0) warnings.push_back("gives lengths in another unit: converted to mm");
  IndexToWorld sform = scaled(sform_of(header), factor);
  IndexToWorld qform = scaled(qform_of(header), factor);
  if (header.dim[0] <= 2) {
    complete_plane(sform);
    complete_plane(qform);
  }
  const bool has_sform = header.sform_code > 0 && is_usable(sform);
  const bool has_qform = header.qform_code > 0 && is_usable(qform);
  if (header.sform_code > 0 && !has_sform) {
    warnings.push_back("has an sform that spans no volume: it is not used");
  }

  Geometry geometry;
  if (!has_sform && !has_qform) {
    if (is_picture(header, size)) {
      geometry.size = size;
      geometry.unit = LengthUnit::Pixel;
    } else {
      geometry = geometry_without_position(header, size, factor, file, warnings);
    }
  } else {
    geometry = fit_geometry(swap_ras_lps(has_sform ? sform : qform), size, warnings);
    prefer_stated_spacing(geometry, header, factor);
  }
  geometry.planar = header.dim[0] <= 2;
  if (geometry.planar && std::abs(geometry.spacing[2] - 1.0) <= 1e-5) geometry.spacing[2] = 1.0;
  geometry.validate(file);

  if (has_sform && has_qform) {
    const double apart = largest_distance(sform, qform, size);
    if (apart >
        kSameGridTolerance * *std::min_element(geometry.spacing.begin(), geometry.spacing.end())) {
      std::array<char, 128> text{};
      std::snprintf(text.data(), text.size(),
                    "its two positions (qform and sform) differ by up to %.2f mm: sform is used",
                    apart);
      warnings.emplace_back(text.data());
    }
  }
  return geometry;
}

Quaternion quaternion_of(const Matrix3& direction) {
  Matrix3 r = direction;
  const double determinant = r[0] * (r[4] * r[8] - r[5] * r[7]) -
                             r[1] * (r[3] * r[8] - r[5] * r[6]) +
                             r[2] * (r[3] * r[7] - r[4] * r[6]);
  Quaternion q;
  if (determinant < 0) {
    q.qfac = -1.0;
    for (const int i : {2, 5, 8})
      r[i] = -r[i];
  }
  // Starts from the largest of the four squares, to avoid division by a small number.
  const double trace = r[0] + r[4] + r[8];
  double a = 0.0;
  if (trace >= std::max({r[0], r[4], r[8]})) {
    a = 0.5 * std::sqrt(std::max(0.0, 1 + trace));
    q.b = 0.25 * (r[7] - r[5]) / a;
    q.c = 0.25 * (r[2] - r[6]) / a;
    q.d = 0.25 * (r[3] - r[1]) / a;
  } else if (r[0] >= r[4] && r[0] >= r[8]) {
    q.b = 0.5 * std::sqrt(std::max(0.0, 1 + r[0] - r[4] - r[8]));
    a = 0.25 * (r[7] - r[5]) / q.b;
    q.c = 0.25 * (r[1] + r[3]) / q.b;
    q.d = 0.25 * (r[2] + r[6]) / q.b;
  } else if (r[4] >= r[8]) {
    q.c = 0.5 * std::sqrt(std::max(0.0, 1 + r[4] - r[0] - r[8]));
    a = 0.25 * (r[2] - r[6]) / q.c;
    q.b = 0.25 * (r[1] + r[3]) / q.c;
    q.d = 0.25 * (r[5] + r[7]) / q.c;
  } else {
    q.d = 0.5 * std::sqrt(std::max(0.0, 1 + r[8] - r[0] - r[4]));
    a = 0.25 * (r[3] - r[1]) / q.d;
    q.b = 0.25 * (r[2] + r[6]) / q.d;
    q.c = 0.25 * (r[5] + r[7]) / q.d;
  }
  // The header does not store a: its sign is positive by convention.
  if (a < 0) {
    q.b = -q.b;
    q.c = -q.c;
    q.d = -q.d;
  }
  return q;
}

}  // namespace seedwave::io
