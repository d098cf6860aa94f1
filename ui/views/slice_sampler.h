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

/// Grey or RGB voxels of one slice to pixels: windowed, interpolated, and filtered where the slice
/// is shown smaller than it is, so that fine structure does not flicker.
///
/// The window is linear, so it is applied to voxels before the interpolation and cut to 0..255
/// after it: the same as interpolating the values themselves.
struct SliceImage {
  const Volume& volume;
  const PlaneAxes& axes;
  std::int64_t slice = 0;
  GreyWindow window;
  bool inverted = false;
  Interpolation interpolation = Interpolation::Cubic;
};

/// Draws into `frame` (Format_RGB32, device pixels) inside `rect`; black beside the slice. Cost:
/// the voxels and pixels of `rect` only.
void draw_slice_image(const SliceImage& image, const SliceTransform& transform, const QRect& rect,
                      QImage& frame);

/// The weights of the source samples of each output pixel: a separable filter.
struct FilterTaps {
  std::vector<int> first;     // one a pixel: its first source sample
  std::vector<float> weight;  // `taps` a pixel
  int taps = 1;
  int inside_begin = 0;  // pixels in [inside_begin, inside_end) lie on the slice
  int inside_end = 0;
};

/// Taps for output pixels begin..end of samples 0..count-1, each `pixels` wide, from `edge` on.
/// Weights of a pixel sum to 1; samples beyond the edge repeat the last.
[[nodiscard]] FilterTaps filter_taps(int begin, int end, double edge, double pixels,
                                     std::int64_t count, Interpolation interpolation);

}  // namespace seedwave::ui
