// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/histogram.h"
#include "ui/views/slice_state.h"

namespace seedwave::ui {

/// What the 3-D view shows of the image itself.
enum class VolumeRendering { Off, Ct, Mr };

/// How the 3-D view looks; the owner is the caller.
struct SurfaceDisplay {
  bool show_surfaces = true;
  VolumeRendering volume = VolumeRendering::Off;
  /// The three planes through the cursor, with the image on them.
  bool show_planes = false;
  Vec3 cursor{0, 0, 0};  // world
  GreyWindow window;
  HeadFootLetters head_foot = HeadFootLetters::SuperiorInferior;
  friend bool operator==(const SurfaceDisplay&, const SurfaceDisplay&) = default;
};

}  // namespace seedwave::ui
