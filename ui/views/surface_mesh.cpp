// SPDX-License-Identifier: Apache-2.0
#include "ui/views/surface_mesh.h"

#include <vtkFlyingEdges3D.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace seedwave::ui {
namespace {

/// A label with more cells than this (12 MB) is reduced before contouring.
constexpr std::int64_t kMostCells = 12'000'000;
/// Number of filter passes: a standard deviation of 1.4 voxels, so that steps are invisible.
constexpr int kSmoothings = 2;
/// Cells around the label. Each filter pass reaches two, and the surface must close.
constexpr std::int64_t kMargin = 5;
constexpr int kHalf = 128;
/// Inside stays above the contour value by at least this much, outside below it.
constexpr int kLeastApart = 2;

/// The indicator of a label on a grid of cells of `factor` voxels, 0..255.
struct Indicator {
  std::array<std::int64_t, 3> size{};
  std::array<std::int64_t, 3> lo{};  // voxel of the first cell's corner, may be negative
  std::int64_t factor = 1;
  std::vector<std::uint8_t> cells;
};

Indicator sample_indicator(const LabelMap& map, Label label, const Box& box, std::int64_t factor,
                           const std::stop_token& stop) {
  Indicator out;
  out.factor = factor;
  for (int axis = 0; axis < 3; ++axis) {
    out.lo[axis] = box.lo[axis] - kMargin * factor;
    out.size[axis] = (box.hi[axis] - box.lo[axis] + factor - 1) / factor + 2 * kMargin;
  }
  out.cells.assign(static_cast<std::size_t>(out.size[0] * out.size[1] * out.size[2]), 0);
  const std::int64_t in_cell = factor * factor * factor;
  std::vector<std::uint16_t> counts(static_cast<std::size_t>(out.size[0]));
  for (std::int64_t z = kMargin; z < out.size[2] - kMargin && !stop.stop_requested(); ++z) {
    for (std::int64_t y = kMargin; y < out.size[1] - kMargin; ++y) {
      std::fill(counts.begin(), counts.end(), std::uint16_t{0});
      const std::int64_t z0 = out.lo[2] + z * factor;
      const std::int64_t y0 = out.lo[1] + y * factor;
      for (std::int64_t vz = z0; vz < std::min(z0 + factor, box.hi[2]); ++vz) {
        for (std::int64_t vy = y0; vy < std::min(y0 + factor, box.hi[1]); ++vy) {
          const std::int64_t first = map.geometry().offset({0, vy, vz});
          visit_labels(map.labels(), [&](auto labels) {
            const auto* row = labels.data() + first;
            for (std::int64_t vx = box.lo[0]; vx < box.hi[0]; ++vx) {
              if (row[vx] == label) ++counts[static_cast<std::size_t>((vx - out.lo[0]) / factor)];
            }
          });
        }
      }
      std::uint8_t* to = out.cells.data() + out.size[0] * (y + out.size[1] * z);
      for (std::size_t x = 0; x < counts.size(); ++x)
        to[x] = static_cast<std::uint8_t>(counts[x] * 255 / in_cell);
    }
  }
  return out;
}

/// Applies the binomial filter 1 4 6 4 1 along one axis, with zeros beyond the ends. `line` is
/// scratch.
void smooth_axis(Indicator& indicator, int axis, const std::stop_token& stop) {
  const auto& size = indicator.size;
  const std::int64_t strides[] = {1, size[0], size[0] * size[1]};
  const std::int64_t step = strides[axis];
  const int inner = axis == 0 ? 1 : 0;
  const int outer = axis == 2 ? 1 : 2;
  const std::int64_t count = size[axis];
  // Filters neighbouring lines together, so that memory is read along x.
  const std::int64_t bundle = axis == 0 ? 1 : size[0];
  std::vector<std::uint8_t> before(static_cast<std::size_t>((count + 4) * bundle), 0);
  const std::int64_t inner_count = axis == 0 ? size[inner] : 1;
  for (std::int64_t o = 0; o < size[outer] && !stop.stop_requested(); ++o) {
    for (std::int64_t i = 0; i < inner_count; ++i) {
      std::uint8_t* cells = indicator.cells.data() + o * strides[outer] + i * strides[inner];
      for (std::int64_t n = 0; n < count; ++n)
        std::copy_n(cells + n * step, bundle, before.data() + (n + 2) * bundle);
      for (std::int64_t n = 0; n < count; ++n) {
        const std::uint8_t* from = before.data() + n * bundle;
        std::uint8_t* to = cells + n * step;
        for (std::int64_t b = 0; b < bundle; ++b) {
          const int sum = from[b] + 4 * from[b + bundle] + 6 * from[b + 2 * bundle] +
                          4 * from[b + 3 * bundle] + from[b + 4 * bundle];
          to[b] = static_cast<std::uint8_t>((sum + 8) / 16);
        }
      }
    }
  }
}

void keep_sides(const std::vector<std::uint8_t>& before, std::vector<std::uint8_t>& after) {
  for (std::size_t i = 0; i < after.size(); ++i) {
    const int value = after[i];
    after[i] = static_cast<std::uint8_t>(before[i] >= kHalf ? std::max(value, kHalf + kLeastApart)
                                                            : std::min(value, kHalf - kLeastApart));
  }
}

vtkSmartPointer<vtkPolyData> contour(const Indicator& indicator, const Geometry& geometry) {
  vtkNew<vtkImageData> image;
  image->SetDimensions(static_cast<int>(indicator.size[0]), static_cast<int>(indicator.size[1]),
                       static_cast<int>(indicator.size[2]));
  double spacing[3];
  double origin[3];
  for (int axis = 0; axis < 3; ++axis) {
    spacing[axis] = geometry.spacing[axis] * static_cast<double>(indicator.factor);
    origin[axis] = geometry.spacing[axis] * (static_cast<double>(indicator.lo[axis]) +
                                             static_cast<double>(indicator.factor - 1) / 2);
  }
  image->SetSpacing(spacing);
  image->SetOrigin(origin);
  vtkNew<vtkUnsignedCharArray> scalars;
  // Read only, and released before the indicator.
  scalars->SetArray(const_cast<std::uint8_t*>(indicator.cells.data()),
                    static_cast<vtkIdType>(indicator.cells.size()), 1);
  image->GetPointData()->SetScalars(scalars);
  vtkNew<vtkFlyingEdges3D> edges;
  edges->SetInputData(image);
  edges->SetValue(0, kHalf - 0.5);
  edges->ComputeNormalsOn();
  edges->ComputeGradientsOff();
  edges->ComputeScalarsOff();
  edges->Update();
  return edges->GetOutput();
}

}  // namespace

std::map<Label, Box> label_boxes(const LabelMap& map) {
  std::map<Label, Box> boxes;
  const Geometry& geometry = map.geometry();
  visit_labels(map.labels(), [&](auto labels) {
    for (std::int64_t z = 0; z < geometry.size[2]; ++z) {
      for (std::int64_t y = 0; y < geometry.size[1]; ++y) {
        const auto* row = labels.data() + geometry.offset({0, y, z});
        // A run of one label extends its box by its two ends only.
        for (std::int64_t x = 0; x < geometry.size[0];) {
          const Label label = row[x];
          std::int64_t end = x + 1;
          while (end < geometry.size[0] && row[end] == label)
            ++end;
          if (label != 0) {
            const auto [at, added] = boxes.try_emplace(label, Box{{x, y, z}, {x, y, z}});
            at->second.include({x, y, z});
            at->second.include({end - 1, y, z});
          }
          x = end;
        }
      }
    }
  });
  return boxes;
}

vtkSmartPointer<vtkPolyData> make_surface(const LabelMap& map, Label label, const Box& box,
                                          const std::stop_token& stop) {
  const auto cells = [&](std::int64_t factor) {
    std::int64_t count = 1;
    for (int axis = 0; axis < 3; ++axis)
      count *= (box.hi[axis] - box.lo[axis]) / factor + 2 * kMargin;
    return count;
  };
  std::int64_t factor = 1;
  // At most 40: the counts of a cell have 16 bits.
  while (cells(factor) > kMostCells && factor < 40)
    ++factor;
  for (;; ++factor) {
    Indicator indicator = sample_indicator(map, label, box, factor, stop);
    const std::vector<std::uint8_t> before = indicator.cells;
    for (int pass = 0; pass < kSmoothings; ++pass) {
      for (int axis = 0; axis < 3; ++axis)
        smooth_axis(indicator, axis, stop);
    }
    keep_sides(before, indicator.cells);
    if (stop.stop_requested()) return nullptr;
    vtkSmartPointer<vtkPolyData> surface = contour(indicator, map.geometry());
    if (surface->GetNumberOfPolys() <= kMostTriangles || factor >= 40) return surface;
  }
}

}  // namespace seedwave::ui
