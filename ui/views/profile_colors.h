// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QRect>

#include <cstdint>
#include <memory>
#include <span>

namespace seedwave::ui {

/// Shows stored colours as a colour profile (ICC) says that they looked to the scanner, on a screen
/// for sRGB. Any thread may use it.
class ProfileColors {
 public:
  /// Returns null if the profile is none of RGB, is damaged, or changes no colour visibly.
  [[nodiscard]] static std::shared_ptr<const ProfileColors> from(
      std::span<const std::uint8_t> profile);
  ~ProfileColors();
  ProfileColors(const ProfileColors&) = delete;
  ProfileColors& operator=(const ProfileColors&) = delete;

  /// Changes the pixels of `frame` (Format_RGB32) in `rect`.
  void show(const QRect& rect, QImage& frame) const;

 private:
  struct Transform;
  explicit ProfileColors(std::unique_ptr<Transform> transform);
  [[nodiscard]] bool is_visible() const;

  std::unique_ptr<Transform> transform_;
};

}  // namespace seedwave::ui
