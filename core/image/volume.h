// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/image/geometry.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace seedwave {

/// U32 is for labels on their way to and from files only: algorithms take the other types.
enum class VoxelType { U8, I16, U16, I32, F32, U32 };
/// The types that algorithms take.
inline constexpr std::array kVoxelTypes{VoxelType::U8, VoxelType::I16, VoxelType::U16,
                                        VoxelType::I32, VoxelType::F32};

/// Returns "u8", "i16", "u16", "i32", "f32" or "u32".
[[nodiscard]] std::string_view name_of(VoxelType type) noexcept;
[[nodiscard]] std::size_t bytes_of(VoxelType type) noexcept;

template <typename T>
[[nodiscard]] constexpr VoxelType voxel_type_of() noexcept {
  if constexpr (std::is_same_v<T, std::uint8_t>) return VoxelType::U8;
  if constexpr (std::is_same_v<T, std::int16_t>) return VoxelType::I16;
  if constexpr (std::is_same_v<T, std::uint16_t>) return VoxelType::U16;
  if constexpr (std::is_same_v<T, std::int32_t>) return VoxelType::I32;
  if constexpr (std::is_same_v<T, float>) return VoxelType::F32;
  if constexpr (std::is_same_v<T, std::uint32_t>) return VoxelType::U32;
}

/// An image on a grid, immutable and shared by pointer: copies are cheap and any thread may read. x
/// fastest; the components of a voxel (1, or 3 for RGB) are adjacent.
class Volume {
 public:
  /// Constructs an empty volume: empty() is true and no other function may be called.
  Volume() = default;

  /// Takes over the voxels. voxels.size() must be geometry.voxel_count() * components.
  template <typename T>
  Volume(const Geometry& geometry, std::vector<T> voxels, int components = 1)
      : geometry_(geometry), type_(voxel_type_of<T>()), components_(components) {
    require(static_cast<std::int64_t>(voxels.size()) == geometry.voxel_count() * components);
    auto owner = std::make_shared<const std::vector<T>>(std::move(voxels));
    voxels_ = std::shared_ptr<const void>(owner, owner->data());
  }

  /// The same for an array of that length, which need not be filled with zeros first as a vector
  /// is.
  template <typename T, typename Free>
  Volume(const Geometry& geometry, std::unique_ptr<T[], Free> voxels, int components = 1)
      : geometry_(geometry), type_(voxel_type_of<T>()), components_(components) {
    const std::shared_ptr<const T[]> owner = std::move(voxels);
    voxels_ = std::shared_ptr<const void>(owner, owner.get());
  }

  /// Shares voxels of that number. Nobody may write to them while a copy lives.
  template <typename T>
  Volume(const Geometry& geometry, const std::shared_ptr<const T[]>& voxels, int components = 1)
      : geometry_(geometry),
        type_(voxel_type_of<T>()),
        components_(components),
        voxels_(voxels, voxels.get()) {}

  [[nodiscard]] bool empty() const noexcept { return voxels_ == nullptr; }
  [[nodiscard]] const Geometry& geometry() const noexcept { return geometry_; }
  [[nodiscard]] VoxelType type() const noexcept { return type_; }
  [[nodiscard]] int components() const noexcept { return components_; }
  [[nodiscard]] std::int64_t value_count() const noexcept {
    return geometry_.voxel_count() * components_;
  }

  /// Returns the values; T must match type(). Valid as long as any copy of this Volume lives.
  template <typename T>
  [[nodiscard]] std::span<const T> voxels() const {
    require(type_ == voxel_type_of<T>());
    return {static_cast<const T*>(voxels_.get()), static_cast<std::size_t>(value_count())};
  }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
    return {static_cast<const std::byte*>(voxels_.get()),
            static_cast<std::size_t>(value_count()) * bytes_of(type_)};
  }
  /// Returns the same voxels, shared, on another grid of the same size.
  [[nodiscard]] Volume on_grid(const Geometry& geometry) const {
    require(geometry.size == geometry_.size);
    Volume volume = *this;
    volume.geometry_ = geometry;
    return volume;
  }
  /// For caches: equal pointers and sizes mean equal voxels while a copy lives (see shared_part()).
  [[nodiscard]] const std::shared_ptr<const void>& owner() const noexcept { return voxels_; }

  /// Returns the value of one component as a number; `index` must be inside. For readouts, not for
  /// loops.
  [[nodiscard]] double value_at(const Index3& index, int component = 0) const;

 private:
  Geometry geometry_;
  VoxelType type_ = VoxelType::U8;
  int components_ = 1;
  std::shared_ptr<const void> voxels_;
};

/// Calls visitor(std::span<const T>) with the voxels in their own type. This is the one place where
/// a run-time type becomes a template, used at the entry of an algorithm and not deeper.
template <typename Visitor>
decltype(auto) visit_voxels(const Volume& volume, Visitor&& visitor) {
  switch (volume.type()) {
    case VoxelType::U8:
      return visitor(volume.voxels<std::uint8_t>());
    case VoxelType::I16:
      return visitor(volume.voxels<std::int16_t>());
    case VoxelType::U16:
      return visitor(volume.voxels<std::uint16_t>());
    case VoxelType::I32:
      return visitor(volume.voxels<std::int32_t>());
    default:
      break;
  }
  return visitor(volume.voxels<float>());
}
/// The same for code that takes U32 too: readers and writers of labels.
template <typename Visitor>
decltype(auto) visit_stored(const Volume& volume, Visitor&& visitor) {
  if (volume.type() == VoxelType::U32) return visitor(volume.voxels<std::uint32_t>());
  return visit_voxels(volume, std::forward<Visitor>(visitor));
}

/// The smallest and largest value, ignoring NaN; {0, 0} if all values are NaN.
struct ValueRange {
  double low = 0.0;
  double high = 0.0;
};
[[nodiscard]] ValueRange value_range(const Volume& volume);

/// Throws InputError with the count and the first index if an f32 volume holds a NaN.
void refuse_nan(const Volume& volume, std::string_view what);
/// Does the same for infinite values.
void refuse_infinite(const Volume& volume, std::string_view what);

}  // namespace seedwave
