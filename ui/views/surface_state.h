// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/histogram.h"
#include "ui/views/slice_state.h"

namespace seedwave::ui {

/// Volume rendering of the image in the 3-D view.
enum class VolumeRendering { Off, Ct, Mr };

/// The look of the 3-D view; the caller owns it.
struct SurfaceDisplay {
  bool show_surfaces = true;
  VolumeRendering volume = VolumeRendering::Off;
  /// The three planes through the cursor, with the image on them.
  bool show_planes = false;
  /// The orientation cube.
  bool show_cube = true;
  Vec3 cursor{0, 0, 0};  // world
  GreyWindow window;
  HeadFootLetters head_foot = HeadFootLetters::SuperiorInferior;
  friend bool operator==(const SurfaceDisplay&, const SurfaceDisplay&) = default;
};

/// Returns whether two displays look the same: the cursor is seen by the planes alone, the window
/// by planes and volume.
[[nodiscard]] inline bool looks_the_same(SurfaceDisplay a, const SurfaceDisplay& b) {
  const bool planes = a.show_planes || b.show_planes;
  if (!planes) a.cursor = b.cursor;
  if (!planes && a.volume == VolumeRendering::Off) a.window = b.window;
  return a == b;
}

}  // namespace seedwave::ui
