// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "ui/views/plane_axes.h"
#include "ui/views/slice_state.h"
#include "ui/views/slice_transform.h"

#include <QImage>
#include <QRect>

#include <vector>

namespace seedwave::ui {

/// Renders greyscale or RGB voxels of one slice to pixels: windowed, interpolated, and filtered
/// when the slice is minified, so that fine structures do not flicker.
///
/// The window is linear. It is applied to voxels before interpolation and clamped to 0..255 after
/// it, which equals interpolating the values themselves.
struct SliceImage {
  const Volume& volume;
  const PlaneAxes& axes;
  std::int64_t slice = 0;
  GreyWindow window;
  bool inverted = false;
  Interpolation interpolation = Interpolation::Cubic;
};

/// Draws into `frame` (Format_RGB32, device pixels) inside `rect`; black outside the slice. Cost:
/// the voxels and pixels of `rect` only.
void draw_slice_image(const SliceImage& image, const SliceTransform& transform, const QRect& rect,
                      QImage& frame);

/// The weights of the source samples of each output pixel, for a separable filter.
struct FilterTaps {
  std::vector<int> first;     // one per pixel: its first source sample
  std::vector<float> weight;  // `taps` per pixel
  int taps = 1;
  int inside_begin = 0;  // pixels in [inside_begin, inside_end) lie on the slice
  int inside_end = 0;
};

/// Returns the taps of output pixels begin..end for samples 0..count-1, each `pixels` wide,
/// starting at `edge`. The weights of a pixel sum to 1; samples outside repeat the last one.
[[nodiscard]] FilterTaps filter_taps(int begin, int end, double edge, double pixels,
                                     std::int64_t count, Interpolation interpolation);

}  // namespace seedwave::ui
