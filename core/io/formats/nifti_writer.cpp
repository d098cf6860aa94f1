// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/io/formats/nifti.h"
#include "core/io/formats/nifti_header.h"
#include "core/io/formats/voxel_writer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace seedwave::io {
namespace {

/// Little endian, as nearly every NIfTI file is.
static_assert(std::endian::native == std::endian::little,
              "headers are written as they lie in memory");

constexpr std::size_t kVoxelOffset = 352;
using HeaderBytes = std::array<std::byte, kVoxelOffset>;

template <typename T>
void put(HeaderBytes& header, std::size_t offset, T value) {
  std::memcpy(header.data() + offset, &value, sizeof value);
}

void put_text(HeaderBytes& header, std::size_t offset, std::string_view text) {
  std::memcpy(header.data() + offset, text.data(), text.size());
}

int datatype_of(const Volume& volume, const std::filesystem::path& path) {
  if (volume.components() == 3) {
    if (volume.type() == VoxelType::U8) return 128;
    throw OutputError("cannot write " + path.string() +
                      ": NIfTI supports 8-bit colours only; choose .nrrd or .mha");
  }
  switch (volume.type()) {
    case VoxelType::U8:
      return 2;
    case VoxelType::I16:
      return 4;
    case VoxelType::U16:
      return 512;
    case VoxelType::I32:
      return 8;
    case VoxelType::U32:
      return 768;
    case VoxelType::F32:
      break;
  }
  return 16;
}

void put_position(HeaderBytes& header, const Geometry& geometry) {
  const bool placed = geometry.unit == LengthUnit::Millimetre;
  const IndexToWorld axes = swap_ras_lps(index_to_world(geometry));
  Geometry ras = geometry;
  for (int i = 0; i < 6; ++i)
    ras.direction[i] = -geometry.direction[i];
  const Quaternion q = quaternion_of(ras.direction);
  const auto code = static_cast<std::int16_t>(placed ? 1 : 0);
  put(header, 76, static_cast<float>(q.qfac));
  for (std::size_t axis = 0; axis < 3; ++axis)
    put(header, 80 + 4 * axis, static_cast<float>(geometry.spacing[axis]));
  put(header, 123, static_cast<std::uint8_t>(placed ? 2 : 0));
  put(header, 252, code);
  put(header, 254, code);
  put(header, 256, static_cast<float>(q.b));
  put(header, 260, static_cast<float>(q.c));
  put(header, 264, static_cast<float>(q.d));
  for (std::size_t row = 0; row < 3; ++row) {
    put(header, 268 + 4 * row, static_cast<float>(axes.origin[row]));
    for (std::size_t column = 0; column < 3; ++column)
      put(header, 280 + 16 * row + 4 * column, static_cast<float>(axes.steps[3 * row + column]));
    put(header, 280 + 16 * row + 12, static_cast<float>(axes.origin[row]));
  }
}

/// Returns whether the header preserves the grid. NIfTI holds positions in 32 bits: a grid whose
/// spacings differ a millionfold, or that lies far away, would be changed.
bool holds(const HeaderBytes& header, const Geometry& geometry, const std::string& file) {
  if (geometry.unit != LengthUnit::Millimetre) return true;
  try {
    std::vector<std::string> warnings;
    return same_grid(geometry_of(parse_nifti_header(header, file), file, warnings), geometry);
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

void write_nifti(OutputSet& outputs, const std::filesystem::path& path, const Volume& volume) {
  const Geometry& geometry = volume.geometry();
  HeaderBytes header{};
  put(header, 0, std::int32_t{348});
  put(header, 40, static_cast<std::int16_t>(geometry.has_two_axes() ? 2 : 3));
  for (std::size_t axis = 0; axis < 7; ++axis) {
    const std::int64_t length = axis < 3 ? geometry.size[axis] : 1;
    if (length > std::numeric_limits<std::int16_t>::max()) {
      throw OutputError("cannot write " + path.string() +
                        ": NIfTI holds at most 32767 voxels per side, not " +
                        std::to_string(length) + "; choose .nrrd or .mha");
    }
    put(header, 42 + 2 * axis, static_cast<std::int16_t>(length));
    put(header, 80 + 4 * axis, 1.0F);
  }
  const auto bits = static_cast<std::int16_t>(8 * bytes_of(volume.type()) *
                                              static_cast<std::size_t>(volume.components()));
  put(header, 70, static_cast<std::int16_t>(datatype_of(volume, path)));
  put(header, 72, bits);
  put(header, 108, static_cast<float>(kVoxelOffset));
  put(header, 112, 1.0F);
  put_position(header, geometry);
  put_text(header, 148, "Seedwave");
  put_text(header, 344, "n+1");
  if (!holds(header, geometry, path.string())) {
    throw OutputError(
        "cannot write " + path.string() +
        ": NIfTI's 32-bit numbers are too coarse for this grid; choose .nrrd or .mha");
  }
  write_voxels(outputs, path, volume, [&](std::size_t length) {
    const std::size_t offset = std::max(length, kVoxelOffset);
    put(header, 108, static_cast<float>(offset));
    std::string front(reinterpret_cast<const char*>(header.data()), header.size());
    front.resize(offset);
    return front;
  });
}

}  // namespace seedwave::io
