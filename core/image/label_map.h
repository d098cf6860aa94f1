// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/image/geometry.h"

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace seedwave {

/// The number of a label; 0 is background.
using Label = std::uint32_t;
/// The largest label that can be painted, named and saved in a session.
inline constexpr Label kLargestLabel = 65534;

/// The types that labels are stored in.
template <typename T>
concept LabelType = std::same_as<T, std::uint8_t> || std::same_as<T, std::uint16_t> ||
    std::same_as<T, std::uint32_t>;

/// Labels as they are stored, x fastest, not owned. Reading them one by one checks the type each
/// time: loops use visit_labels().
class LabelSpan {
 public:
  class Iterator {
   public:
    using iterator_concept = std::random_access_iterator_tag;
    using iterator_category = std::random_access_iterator_tag;
    using value_type = Label;
    using difference_type = std::ptrdiff_t;
    using pointer = const Label*;
    using reference = Label;

    Iterator() = default;
    Iterator(const LabelSpan& span, difference_type at)
        : labels_(span.labels_), bytes_(span.bytes_each_), at_(at) {}
    Label operator*() const noexcept { return read(labels_, bytes_, at_); }
    Label operator[](difference_type n) const noexcept { return read(labels_, bytes_, at_ + n); }
    Iterator& operator+=(difference_type n) noexcept { return at_ += n, *this; }
    Iterator& operator-=(difference_type n) noexcept { return at_ -= n, *this; }
    Iterator& operator++() noexcept { return *this += 1; }
    Iterator& operator--() noexcept { return *this -= 1; }
    Iterator operator++(int) noexcept { return std::exchange(*this, *this + 1); }
    Iterator operator--(int) noexcept { return std::exchange(*this, *this - 1); }
    friend Iterator operator+(Iterator it, difference_type n) noexcept { return it += n; }
    friend Iterator operator+(difference_type n, Iterator it) noexcept { return it += n; }
    friend Iterator operator-(Iterator it, difference_type n) noexcept { return it -= n; }
    friend difference_type operator-(const Iterator& a, const Iterator& b) noexcept {
      return a.at_ - b.at_;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) noexcept { return a.at_ == b.at_; }
    friend auto operator<=>(const Iterator& a, const Iterator& b) noexcept {
      return a.at_ <=> b.at_;
    }

   private:
    const void* labels_ = nullptr;
    std::size_t bytes_ = 1;
    difference_type at_ = 0;
  };

  LabelSpan() = default;
  template <LabelType T>
  explicit LabelSpan(std::span<const T> labels) noexcept
      : labels_(labels.data()), bytes_each_(sizeof(T)), size_(labels.size()) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::size_t size_bytes() const noexcept { return size_ * bytes_each_; }
  /// Number of bytes of each label: 1, 2 or 4.
  [[nodiscard]] std::size_t bytes_each() const noexcept { return bytes_each_; }
  [[nodiscard]] Iterator begin() const noexcept { return {*this, 0}; }
  [[nodiscard]] Iterator end() const noexcept {
    return {*this, static_cast<std::ptrdiff_t>(size_)};
  }
  [[nodiscard]] Label operator[](std::size_t at) const noexcept {
    return read(labels_, bytes_each_, static_cast<std::ptrdiff_t>(at));
  }
  /// Returns the labels; T must be the stored type.
  template <LabelType T>
  [[nodiscard]] std::span<const T> as() const {
    require(sizeof(T) == bytes_each_);
    return {static_cast<const T*>(labels_), size_};
  }

 private:
  static Label read(const void* labels, std::size_t bytes, std::ptrdiff_t at) noexcept {
    if (bytes == 1) return static_cast<const std::uint8_t*>(labels)[at];
    if (bytes == 2) return static_cast<const std::uint16_t*>(labels)[at];
    return static_cast<const std::uint32_t*>(labels)[at];
  }

  const void* labels_ = nullptr;
  std::size_t bytes_each_ = 1;
  std::size_t size_ = 0;
};

/// Returns whether the labels are equal, in whatever types they are stored.
[[nodiscard]] bool operator==(const LabelSpan& a, const LabelSpan& b);

/// Calls visitor(std::span<const T>) with the labels in their stored type.
template <typename Visitor>
decltype(auto) visit_labels(const LabelSpan& labels, Visitor&& visitor) {
  if (labels.bytes_each() == 1) return visitor(labels.as<std::uint8_t>());
  if (labels.bytes_each() == 2) return visitor(labels.as<std::uint16_t>());
  return visitor(labels.as<std::uint32_t>());
}
/// The same for two: visitor(a, b).
template <typename Visitor>
decltype(auto) visit_labels(const LabelSpan& a, const LabelSpan& b, Visitor&& visitor) {
  return visit_labels(a, [&](auto in_a) -> decltype(auto) {
    return visit_labels(b, [&](auto in_b) -> decltype(auto) { return visitor(in_a, in_b); });
  });
}

/// Labels on a grid, 0 is background. Immutable and shared like a Volume. Stored as u8, u16 or u32:
/// no wider than needed when they were made, but not always as narrow as the numbers allow.
///
/// `changed()` is a box outside which the map equals the one that it replaced, so that views update
/// only this box. It is the whole grid if nothing is known.
class LabelMap {
 public:
  LabelMap() = default;
  template <LabelType T>
  LabelMap(const Geometry& geometry, std::vector<T> labels)
      : LabelMap(geometry, std::move(labels), Box::whole(geometry)) {}
  template <LabelType T>
  LabelMap(const Geometry& geometry, std::vector<T> labels, const Box& changed)
      : geometry_(geometry), changed_(changed) {
    require(static_cast<std::int64_t>(labels.size()) == geometry.voxel_count());
    const auto owner = std::make_shared<const std::vector<T>>(std::move(labels));
    labels_ = LabelSpan(std::span<const T>(*owner));
    owner_ = owner;
  }

  /// Shares the labels of `owner`. Nobody may write to them while a copy of this map lives.
  LabelMap(const Geometry& geometry, const LabelSpan& labels, std::shared_ptr<const void> owner)
      : geometry_(geometry),
        changed_(Box::whole(geometry)),
        labels_(labels),
        owner_(std::move(owner)) {
    require(static_cast<std::int64_t>(labels.size()) == geometry.voxel_count());
  }

  [[nodiscard]] bool empty() const noexcept { return owner_ == nullptr; }
  [[nodiscard]] const Geometry& geometry() const noexcept { return geometry_; }
  [[nodiscard]] const Box& changed() const noexcept { return changed_; }
  /// Valid as long as any copy of this map lives.
  [[nodiscard]] const LabelSpan& labels() const noexcept { return labels_; }
  /// Returns the same labels, shared, declared to differ from those they replace inside `changed`
  /// only.
  [[nodiscard]] LabelMap with_changed(const Box& changed) const {
    LabelMap map = *this;
    map.changed_ = changed;
    return map;
  }
  /// Returns the same labels, shared, on another grid of the same size.
  [[nodiscard]] LabelMap on_grid(const Geometry& geometry) const {
    require(geometry.size == geometry_.size);
    LabelMap map = *this;
    map.geometry_ = geometry;
    map.changed_ = Box::whole(geometry);
    return map;
  }
  /// For caches: equal pointers mean equal labels while a copy lives.
  [[nodiscard]] const std::shared_ptr<const void>& owner() const noexcept { return owner_; }
  /// Returns the label at an index, which must be inside.
  [[nodiscard]] Label at(const Index3& index) const noexcept {
    return labels_[static_cast<std::size_t>(geometry_.offset(index))];
  }

 private:
  Geometry geometry_;
  Box changed_;
  LabelSpan labels_;
  std::shared_ptr<const void> owner_;
};

/// Makes a label map on a grid, in the smallest type that holds `most`: write(labels) fills a
/// vector of voxel_count zeros of that type.
template <typename Write>
[[nodiscard]] LabelMap make_labels(const Geometry& geometry, Label most, Write&& write) {
  const auto made = [&]<LabelType T>(T) {
    std::vector<T> labels(static_cast<std::size_t>(geometry.voxel_count()));
    write(labels);
    return LabelMap(geometry, std::move(labels));
  };
  if (most <= std::numeric_limits<std::uint8_t>::max()) return made(std::uint8_t{});
  if (most <= std::numeric_limits<std::uint16_t>::max()) return made(std::uint16_t{});
  return made(std::uint32_t{});
}

/// Returns the largest label, 0 if there is none.
[[nodiscard]] Label largest_label(const LabelSpan& labels);

/// Returns the digest of labels as u16, or as u32 if one exceeds 65,535, whatever type they are
/// stored in.
[[nodiscard]] std::string digest_of(const LabelSpan& labels);

/// Returns the labels as u16 or u32: themselves, or u8 widened.
[[nodiscard]] LabelMap at_least_u16(const LabelMap& map);

/// Returns a mask as u8: itself if it is stored so or empty, else 1 where it is not 0.
[[nodiscard]] LabelMap byte_mask(const LabelMap& mask);

/// Returns the smallest box that holds every voxel of a label; empty if there is none.
[[nodiscard]] Box box_of(const LabelMap& map, Label label);

/// Returns the smallest box that holds every voxel in which two maps on the same grid differ.
[[nodiscard]] Box changed_box(const LabelMap& before, const LabelMap& after);

/// Returns a mask as many programs write it, 255 (16 bits: 65535) inside and 0 outside, with label
/// 1 inside; returns every other map unchanged. Cost: a pass, and a copy if it is such a mask.
[[nodiscard]] LabelMap mask_as_label_1(const LabelMap& map);

}  // namespace seedwave
