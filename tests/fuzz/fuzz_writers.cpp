// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/io/image_source.h"
#include "core/io/labels.h"
#include "tests/fuzz/input_folder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace {

using namespace seedwave;

/// Numbers from the fuzzer's bytes, 0 after their end.
class Numbers {
 public:
  explicit Numbers(fuzz::Bytes bytes) : bytes_(bytes) {}
  template <typename T>
  T next() {
    T number{};
    const std::size_t count = std::min(sizeof(T), bytes_.size());
    if (count > 0) std::memcpy(&number, bytes_.data(), count);
    bytes_ = bytes_.subspan(count);
    return number;
  }

 private:
  fuzz::Bytes bytes_;
};

/// Returns a rotation by a quaternion of integers, so that many are by right angles.
Matrix3 rotation(double a, double b, double c, double d) {
  const double n = a * a + b * b + c * c + d * d;
  if (n == 0.0) return {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const double s = 2.0 / n;
  return {1 - s * (c * c + d * d), s * (b * c - a * d),     s * (b * d + a * c),
          s * (b * c + a * d),     1 - s * (b * b + d * d), s * (c * d - a * b),
          s * (b * d - a * c),     s * (c * d + a * b),     1 - s * (b * b + c * c)};
}

template <typename T>
Volume volume_of(const Geometry& geometry, int components, Numbers& numbers) {
  std::vector<T> voxels(static_cast<std::size_t>(geometry.voxel_count() * components));
  for (T& voxel : voxels) {
    voxel = numbers.next<T>();
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(voxel)) voxel = 0;  // NaNs are equivalent; their bits need not be preserved
    }
  }
  return Volume(geometry, std::move(voxels), components);
}

Volume volume_from(Numbers& numbers) {
  Geometry geometry;
  for (std::int64_t& length : geometry.size)
    length = 1 + numbers.next<std::uint8_t>() % 9;
  if (numbers.next<std::uint8_t>() % 3 == 0) geometry.size[2] = 1;
  for (double& length : geometry.spacing)
    length = 0.01 + numbers.next<std::uint32_t>() / 65536.0;
  for (double& place : geometry.origin)
    place = numbers.next<std::int32_t>() / 4194304.0;
  const auto turn = numbers.next<std::array<std::int8_t, 4>>();
  geometry.direction = rotation(turn[0], turn[1], turn[2], turn[3]);
  const auto type = static_cast<VoxelType>(numbers.next<std::uint8_t>() % 5);
  const bool color = numbers.next<std::uint8_t>() % 4 == 0;
  if (color) return volume_of<std::uint8_t>(geometry, 3, numbers);
  switch (type) {
    case VoxelType::U8:
      return volume_of<std::uint8_t>(geometry, 1, numbers);
    case VoxelType::I16:
      return volume_of<std::int16_t>(geometry, 1, numbers);
    case VoxelType::U16:
      return volume_of<std::uint16_t>(geometry, 1, numbers);
    case VoxelType::I32:
      return volume_of<std::int32_t>(geometry, 1, numbers);
    default:
      break;
  }
  return volume_of<float>(geometry, 1, numbers);
}

double value_of(const Volume& volume, const Index3& index, int component) {
  return volume.value_at(index, component);
}

}  // namespace

/// Any volume through every writer and back. If a writer accepts it, its reader returns the same
/// voxels and, if the format stores the position, the same position.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  Numbers numbers({bytes, size});
  const Volume volume = volume_from(numbers);
  const fuzz::InputFolder folder;
  Context context({.threads = 1});
  for (const std::string name :
       {"a.nii", "a.nii.gz", "a.nrrd", "a.mha", "a.png", "a.tif", "a.npy"}) {
    const bool has_place = name != "a.png" && name != "a.tif" && name != "a.npy";
    const auto path = folder.path() / name;
    try {
      io::save_volume(path, volume);
    } catch (const OutputError&) {
      if (std::filesystem::exists(path)) std::abort();  // refused, but a file exists
      continue;
    }
    const Volume read = io::load_path(path, "", context).volume;
    if (read.geometry().size != volume.geometry().size) std::abort();
    if (read.components() != volume.components()) std::abort();
    for (std::int64_t i = 0; i < volume.geometry().voxel_count(); ++i) {
      const Index3 at = volume.geometry().index_of(i);
      for (int c = 0; c < volume.components(); ++c) {
        if (value_of(read, at, c) != value_of(volume, at, c)) std::abort();
      }
    }
    if (has_place && !same_grid(read.geometry(), volume.geometry())) std::abort();
    std::filesystem::remove(path);
  }
  return 0;
}
